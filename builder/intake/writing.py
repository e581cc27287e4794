"""A reduced tree as Markdown of the corpus, and the proof that no word went missing on the way.

The conversion is markdownify's; what it would leave ambiguous is escaped here, and the outcome is parsed
again by the corpus's own parser and compared with the tree.
"""

import re
from collections import Counter
from collections.abc import Collection

from bs4.element import Tag
from markdownify import ATX, MarkdownConverter

from builder.intake.notes import Notes, quoted, unmarked
from builder.markdown import PARSER, words

_SIGNS = re.compile(r"([\\`*\[\]<|]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|\{(?=\{[<%]))")
_LINE_START = re.compile(r"^([ \t]*)(#{1,6}(?=[ \t]|$)|[-+](?=[ \t]|$)|>|[=~-]{2,}(?=[ \t]*$))", re.MULTILINE)
_NUMBERED = re.compile(r"^([ \t]*[0-9]{1,9})([.)])(?=[ \t]|$)", re.MULTILINE)
_INLINE = (
    "a",
    "b",
    "strong",
    "em",
    "i",
    "code",
    "span",
    "kbd",
    "samp",
    "tt",
    "u",
    "font",
    "small",
    "var",
    "q",
    "cite",
)
_BLOCKS = ("p", "ul", "ol", "pre", "blockquote", "table", "div")


class _Writer(MarkdownConverter):
    """Markdown as the corpus takes it: every sign of the text escaped, one line a table row."""

    def escape(self, text: str, parent_tags: Collection[str]) -> str:
        return _SIGNS.sub(r"\\\1", text) if text else ""

    def convert_p(self, element: Tag, text: str, parent_tags: Collection[str]) -> str:
        return str(super().convert_p(element, _guarded(text), parent_tags))  # type: ignore[misc]  # the stub lacks it

    def convert_li(self, element: Tag, text: str, parent_tags: Collection[str]) -> str:
        first, *rest = text.split("\n")
        own = next((child for child in element.children if child.get_text(strip=True)), None)
        guarded = first if isinstance(own, Tag) and own.name in _BLOCKS else _guarded(first)
        return str(
            super().convert_li(  # type: ignore[misc]  # the stub lacks it
                element, "\n".join([guarded, *rest]), parent_tags
            )
        )

    def convert_td(self, element: Tag, text: str, parent_tags: Collection[str]) -> str:
        return f" {' '.join(text.split())} |"

    convert_th = convert_td


def _guarded(text: str) -> str:
    """Escape what would start a heading, list, quotation or rule at the start of a line."""
    return _NUMBERED.sub(r"\1\\\2", _LINE_START.sub(r"\1\\\2", text))


def markdown(root: Tag, notes: Notes) -> str:
    """Return the tree below `root` as Markdown, blocks apart by one blank line, marks of notes left in.

    Words the Markdown does not show are named in a note.
    """
    writer = _Writer(heading_style=ATX, bullets="-", newline_style="backslash", table_infer_header=True)
    written = str(writer.convert_soup(root))
    lines = [line.rstrip() for line in written.split("\n")]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"
    lost = _words(unmarked(_plain(root))) - _words(unmarked(shown_text(body)))
    if lost:
        named = ", ".join(quoted(word, 30) for word in sorted(lost)[:10])
        notes.say(f"words that did not come through, to be compared with the original: {named}")
    return body


def _plain(element: Tag) -> str:
    """Return the text of a tree, words of different blocks apart."""
    parts: list[str] = []
    for child in element.children:
        if not isinstance(child, Tag):
            parts.append(str(child))
        elif child.name in _INLINE:
            parts.append(_plain(child))
        else:
            parts.append(f"\n{_plain(child)}\n")
    return "".join(parts)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def shown_text(body: str) -> str:
    """Return what a reader of Markdown sees, blocks apart by line feeds."""
    found: list[str] = []
    for token in PARSER.parse(body):
        if token.type == "inline":
            found.append("".join(words(token.children or [])))
        elif token.type in ("fence", "code_block"):
            found.append(token.content)
    return "\n".join(found)
