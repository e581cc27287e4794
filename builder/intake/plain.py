"""Plain text read into a tree: paragraphs between blank lines, lines that start with a bullet or a number as
lists, the first line the title.
"""

import re

from bs4 import BeautifulSoup
from bs4.element import Tag

from builder import characters
from builder.intake.notes import Notes
from builder.intake.source import Source, UnreadableError

BULLET = re.compile(
    r"^\s*(?:[-*+•‣▪●◦–\uf076\uf0a7\uf0b7\uf0d8\uf0fc]|(?P<number>\(?[0-9]{1,3}[.)])|(?P<letter>\(?[a-z][.)]))\s+(?=\S)"
)
"""A line that starts an item; what stands in the private use area are bullets of Symbol and Wingdings."""

TITLE_LENGTH = 100


def read(data: bytes, name: str, address: str) -> Source:
    """Return the document a text file in UTF-8 holds. Raises UnreadableError."""
    decoded, problems = characters.decode(data, name)
    if decoded is None:
        raise UnreadableError(problems[-1].message, problems[-1].hint, f"{name}:{problems[-1].line}")
    blocks = [block for block in re.split(r"\n(?:[ \t]*\n)+", decoded.text.strip("\n")) if block.strip()]
    title = (
        blocks.pop(0).strip()
        if blocks and len(blocks[0]) <= TITLE_LENGTH and "\n" not in blocks[0].strip()
        else ""
    )
    soup = BeautifulSoup("", "html.parser")
    for block in blocks:
        add_lines(soup, block.split("\n"))
    return Source(soup, title, "", address or name, Notes())


def add_lines(parent: Tag, lines: list[str]) -> None:
    """Append the lines of one block to a tree: an item for each line that starts one, else running text."""
    soup = BeautifulSoup("", "html.parser")
    holder: Tag | None = None
    for line in lines:
        item = BULLET.match(line)
        if item is not None:
            name = "ol" if item["number"] else "ul"
            last = parent.contents[-1] if parent.contents else None
            if not (isinstance(last, Tag) and last.name == name):
                last = soup.new_tag(name)
                parent.append(last)
            holder = soup.new_tag("li")
            holder.string = line[item.end() :].strip()
            last.append(holder)
        elif holder is None:
            holder = soup.new_tag("p")
            holder.string = line.strip()
            parent.append(holder)
        else:
            holder.append(f" {line.strip()}")
