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
from markdown_it.token import Token

MAX_NESTING = 12
"""Lists and quotes inside one another."""

_SHORTCODE = re.compile(r"\{\{([<%])[ \t]*(/?)[ \t]*([\w./-]+)[^{}\n]*?[ \t]*(?:/[ \t]*)?[>%]\}\}")


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 4 * MAX_NESTING}).enable("table")
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
    found = [Shortcode(match[3], match.start()) for match in _SHORTCODE.finditer(text) if not match[2]]
    return _SHORTCODE.sub("", text), found


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
