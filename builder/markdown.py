"""The one Markdown parser: CommonMark and tables, raw HTML off, every link and line break handed on as
written.

What may be linked to is decided by `links`, so the parser's own checks are switched off; shortcodes of other
generators are taken out before the text reaches it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

MAX_NESTING = 12
"""Lists and quotes inside one another."""

MAX_BLOCK = 20_000
"""Characters of a block."""

MAX_MARKS = 4_000
"""Inline marks of a block: the parser's time grows with their square."""

MARKS = re.compile(r"[\[\]*_`<>|&\\!]")
_SPECIAL = re.compile(r"[\n!&*<\[\\\]_`]")
"""What an inline rule that is switched on can begin with."""
_SHORTCODE = re.compile(r"\{\{[<%]([^{}\n]*)[>%]\}\}")


@dataclass(frozen=True, slots=True)
class Held:
    """A block over a limit, not parsed further: its first line, from 0, its characters and marks."""

    line: int
    size: int
    marks: int


def _hold(state: StateCore) -> None:
    held: list[Held] = []
    for token in state.tokens:
        size = len(token.content)
        if token.type == "inline" and size > MAX_MARKS:
            marks = len(MARKS.findall(token.content))
            if size > MAX_BLOCK or marks > MAX_MARKS:
                held.append(Held((token.map or [0])[0], size, marks))
                token.content = ""
    state.env["held"] = held


def _inline(state: StateCore) -> None:
    """Parse inline text; what holds no mark is one text token, which saves a third of the parser's time."""
    parser = state.md
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            if _SPECIAL.search(token.content):
                parser.inline.parse(token.content, parser, state.env, token.children)
            elif token.content:
                token.children.append(Token("text", "", 0, content=token.content))


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.options.update(html=False, maxNesting=4 * MAX_NESTING, store_labels=True)
    parser.core.ruler.after("block", "hold", _hold)
    parser.core.ruler.at("inline", _inline)
    parser.inline.terminator_re = _SPECIAL
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return parser


PARSER = _parser()


@dataclass(frozen=True, slots=True)
class Shortcode:
    """A `{{< name >}}` of another generator, found at an offset of a text."""

    name: str
    offset: int


def strip_shortcodes(text: str) -> tuple[str, list[Shortcode]]:
    """Return `text` without shortcode tags, inner words kept, and the tags that were taken out (closing tags
    not counted).
    """
    if "{{" not in text:
        return text, []
    named = [(match[1].strip(" \t/*"), match) for match in _SHORTCODE.finditer(text)]
    opening = [
        (name.split()[0], match.start()) for name, match in named if name and not _is_closing(match[1])
    ]
    return _SHORTCODE.sub("", text), [Shortcode(name, offset) for name, offset in opening]


def _is_closing(inside: str) -> bool:
    return inside.lstrip(" \t")[:1] == "/" and inside.lstrip(" \t")[:2] != "/*"


def first_title(body: str) -> str:
    """Return the words of the first level-1 heading, "" when there is none."""
    if "#" not in body and "\n=" not in body:
        return ""
    tokens = PARSER.parse(body)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h1":
            return " ".join("".join(words(inline.children or [])).split())
    return ""


def words(children: list[Token]) -> Iterator[str]:
    """Yield the text of inline tokens, line breaks as one space."""
    for child in children:
        if child.type in ("text", "code_inline"):
            yield child.content
        elif child.type in ("softbreak", "hardbreak"):
            yield " "
