"""Text of a document that stands in its front matter, as blocks like those of its body.

The words are shown as they are, never read as Markdown; an address alone becomes a link.
"""

import re
from collections.abc import Iterator
from html import escape

from builder.blocks import Block, Piece
from builder.corpus import Section
from builder.inline import Sheet


def read(sheet: Sheet) -> Iterator[Block]:
    """Yield the blocks of every section of a document: its heading, if it has one, then a paragraph for each
    of its text.
    """
    for section in sheet.document.sections:
        yield from _blocks(section, sheet)


def _blocks(section: Section, sheet: Sheet) -> Iterator[Block]:
    if section.heading:
        foreign = section.heading_lang if section.heading_lang != sheet.document.lang else ""
        piece = Piece(escape(section.heading, quote=False), [("h", section.heading)])
        yield Block("heading", section.line, [piece], level=2, html_lang=foreign)
    for part in re.split(r"\n\s*\n", section.text.strip()):
        text = re.sub(r"[ \t\n]+", " ", part).strip(" ")
        html = sheet.html(text)
        if re.fullmatch(r"https?://[^\s\\]+", text):
            html = f'<a href="{escape(text)}" rel="noreferrer">{html}</a>'
        yield Block("paragraph", section.line, [Piece(html, [("p", text)])], "<p>", "</p>")
