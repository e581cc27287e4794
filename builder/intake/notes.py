"""What an import lost, and where it is said: a note is a mark in the tree and a comment in the Markdown.

`builder.inline` refuses a document that still holds one.
"""

import re
from dataclasses import dataclass, field

from bs4 import BeautifulSoup
from bs4.element import PageElement, Tag

CONTAINERS = frozenset(
    {"[document]", "html", "body", "main", "article", "section", "div", "blockquote", "details"}
)
"""Elements a note may stand in; inside others it would become part of their text."""

LENGTH = 300
"""Characters of a note."""

_MARK = re.compile("\ue000([0-9]+)\ue001")


@dataclass(slots=True)
class Notes:
    """The notes of one file: `top` concern the whole of it, `placed` stand in the tree by their number."""

    top: list[str] = field(default_factory=list)
    placed: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Add a note about the whole file."""
        self.top.append(text)

    def before(self, element: PageElement, text: str) -> None:
        """Add a note in front of the block that holds an element of a tree."""
        block = element
        while block.parent is not None and block.parent.name not in CONTAINERS:
            block = block.parent
        if block.parent is None:
            self.say(text)
        else:
            block.insert_before(self._mark(text))

    def _mark(self, text: str) -> Tag:
        self.placed.append(text)
        mark = BeautifulSoup("", "html.parser").new_tag("p")
        mark.string = f"\ue000{len(self.placed) - 1}\ue001"
        return mark

    def written(self, markdown: str) -> str:
        """Return Markdown with a comment for every mark, those about the whole file first."""
        top = "".join(f"{comment(text)}\n\n" for text in self.top)
        return top + _MARK.sub(lambda match: comment(self.placed[int(match[1])]), markdown)

    @property
    def count(self) -> int:
        """Return how many there are."""
        return len(self.top) + len(self.placed)


def comment(text: str) -> str:
    """Return a note as the line that stands in the Markdown."""
    plain = " ".join(text.replace("--", "‐‐").replace(">", "›").replace("`", "'").split())
    return f"<!-- review: {plain if len(plain) <= LENGTH else plain[: LENGTH - 1] + '…'} -->"


def unmarked(text: str) -> str:
    """Return text without the marks of notes."""
    return _MARK.sub("", text)


def quoted(text: str, limit: int = 60) -> str:
    """Return text in quotes on one line, cut to `limit` characters."""
    flat = " ".join(text.split())
    return f'"{flat if len(flat) <= limit else flat[: limit - 1] + "…"}"'
