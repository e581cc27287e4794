"""A PDF file read into a reduced tree: lines into paragraphs, headings by size, ruled tables.

What a PDF means is guessed from how it looks, so every guess that joined or dropped something is noted.
"""

import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pdfplumber
from bs4 import BeautifulSoup
from bs4.element import Tag
from pdfplumber.page import Page
from pdfplumber.pdf import PDF
from pdfplumber.table import Table
from pdfplumber.utils.exceptions import PdfminerException

from builder.intake import lines, tree
from builder.intake.lines import Line
from builder.intake.notes import Notes, quoted
from builder.intake.plain import BULLET, add_lines
from builder.intake.source import Source, UnreadableError
from builder.intake.webpage import title_of_file

MAX_PAGES = 500
_HEADING = 1.12
"""Size of a heading against the text's."""
_GAP = 1.45
"""Distance of two lines against the usual one from which a new paragraph starts."""
_LEADER = re.compile(r"(?:\. ?){6,}\W*[0-9ivxlc]+\s*$")
"""The end of a line in a list of contents."""
_EDGE = 0.1
"""Share of a page's height at top and bottom where running heads stand."""


@dataclass(slots=True)
class _Text:
    """The lines and tables of all pages, in reading order."""

    lines: list[Line] = field(default_factory=list)
    tables: list[tuple[int, float, list[list[str]]]] = field(default_factory=list)
    heights: dict[int, float] = field(default_factory=dict)


def read(data: bytes, name: str, address: str) -> Source:
    """Return the document a PDF holds. Raises UnreadableError, also where its pages are pictures."""
    notes = Notes()
    try:
        with pdfplumber.open(io.BytesIO(data)) as document:
            if len(document.pages) > MAX_PAGES:
                raise UnreadableError(
                    f'the file has "{len(document.pages)}" pages', f"split it: at most {MAX_PAGES}", name
                )
            text = _text(document.pages, notes)
            lang = (
                str((document.doc.catalog or {}).get("Lang") or b"", "latin-1") if _has_lang(document) else ""
            )
            named = str(document.metadata.get("Title") or "").strip()
    except (PdfminerException, ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "open it in a PDF reader and save it again, without a password"
        raise UnreadableError("the file is not a PDF that can be read", hint, name) from error
    if not text.lines and not text.tables:
        raise UnreadableError("the pages are pictures and hold no text", "have it read by OCR first", name)
    soup = BeautifulSoup("", "html.parser")
    _write(soup, text, notes)
    title = title_of_file(soup, named, name, notes)
    tree.reduce(soup, address, notes)
    return Source(soup, title, lang, address or name, notes)


def _has_lang(document: PDF) -> bool:
    return isinstance((document.doc.catalog or {}).get("Lang"), bytes)


def _text(pages: Iterable[Page], notes: Notes) -> _Text:
    text = _Text()
    pictured: list[int] = []
    for page in pages:
        found = [table for table in page.find_tables() if _is_table(table)]
        own, columns = lines.of_page(page, [table.bbox for table in found])
        text.lines += own
        text.heights[page.page_number] = float(page.height)
        text.tables += [(page.page_number, table.bbox[1], _cells(table)) for table in found]
        if columns:
            notes.say(f"page {page.page_number} was read as two columns: compare the order of its lines")
        if page.images and not own and not found:
            notes.say(f"page {page.page_number} is a picture and left out: write what it says")
        elif page.images:
            pictured.append(page.page_number)
        addresses = sorted({str(link.get("uri")) for link in page.hyperlinks if link.get("uri")})
        if addresses:
            notes.say(f"page {page.page_number} linked to {', '.join(addresses)}")
        page.close()
    if pictured:
        notes.say(f"pictures were left out on pages {', '.join(map(str, pictured))}: write what they say")
    return text


def _is_table(table: Table) -> bool:
    rows = table.extract()
    filled = [cell for row in rows for cell in row if cell and cell.strip()]
    return len(rows) > 1 and max(map(len, rows)) > 1 and len(filled) > len(rows)


def _cells(table: Table) -> list[list[str]]:
    return [[" ".join((cell or "").split()) for cell in row] for row in table.extract()]


def _write(soup: BeautifulSoup, text: _Text, notes: Notes) -> None:
    kept = _without_running_heads(text, notes)
    usual = Counter(line.size for line in kept for _ in range(len(line.text)))
    body = usual.most_common(1)[0][0] if usual else 0.0
    levels = sorted({line.size for line in kept if line.size >= body * _HEADING}, reverse=True)
    pitch = _pitch(kept, body)
    waiting = sorted(text.tables)
    joined: list[str] = []
    for block in _blocks(kept, body, pitch):
        while waiting and waiting[0][:2] < (block[0].page, block[0].top):
            soup.append(_table(waiting.pop(0)[2]))
        level = _level(block, body, levels)
        if level:
            heading = soup.new_tag(f"h{level}")
            heading.string = " ".join(line.text for line in block)
            soup.append(heading)
        else:
            add_lines(soup, _unhyphenated([line.text for line in block], joined))
    for _, _, rows in waiting:
        soup.append(_table(rows))
    if joined:
        notes.say(f"words divided at a line's end were joined: {', '.join(joined[:12])}")


def _without_running_heads(text: _Text, notes: Notes) -> list[Line]:
    """Return the lines that are no page numbers and do not repeat at the edge of most pages.

    Of a running head in large letters the first is the title and stays.
    """
    edge = [line for line in text.lines if _at_edge(line, text.heights[line.page])]
    pages_of: dict[str, set[int]] = {}
    for line in edge:
        pages_of.setdefault(_numberless(line), set()).add(line.page)
    largest = max((line.size for line in text.lines), default=0.0)
    titles: set[str] = set()
    gone = [id(line) for line in text.lines if _LEADER.search(line.text)]
    if gone:
        notes.say(f"a list of contents was left out: {len(gone)} lines")
    for line in edge:
        words = _numberless(line)
        repeated = len(pages_of[words]) > 1 and len(pages_of[words]) * 2 >= len(text.heights)
        if line.size == largest and words not in titles and not words.isdecimal():
            titles.add(words)
        elif repeated or re.fullmatch(r"\W*\d{1,4}\W*", line.text):
            gone.append(id(line))
    named = sorted(
        {quoted(line.text, 40) for line in edge if id(line) in gone and not _LEADER.search(line.text)}
    )
    if named:
        notes.say(f"left out at the edge of the pages: {', '.join(named[:6])}")
    out = frozenset(gone)
    return [line for line in text.lines if id(line) not in out]


def _at_edge(line: Line, height: float) -> bool:
    return line.bottom < height * _EDGE or line.top > height * (1 - _EDGE)


def _numberless(line: Line) -> str:
    return re.sub(r"\d+", "0", line.text).casefold()


def _pitch(kept: Sequence[Line], body: float) -> float:
    """Return the usual distance of two lines of the text, in points."""
    pairs = itertools.pairwise(kept)
    gaps = [
        round(after.top - before.top, 1)
        for before, after in pairs
        if before.page == after.page and before.size == after.size == body and after.top > before.top
    ]
    return Counter(gaps).most_common(1)[0][0] if gaps else body * 1.2


def _blocks(kept: Sequence[Line], body: float, pitch: float) -> list[list[Line]]:
    blocks: list[list[Line]] = []
    for line in kept:
        if blocks and _continues(blocks[-1], line, pitch):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _continues(block: Sequence[Line], line: Line, pitch: float) -> bool:
    before = block[-1]
    indent = block[0].left if BULLET.match(block[0].text) else 0.0
    if abs(before.size - line.size) > 0.6 or before.bold != line.bold:
        return False
    if BULLET.match(line.text) is None and line.left < indent - 2:
        return False
    if before.page != line.page or line.top < before.top:
        return not re.search(r"[.:!?。؟।…]\W*$", before.text) and BULLET.match(line.text) is None
    return line.top - before.top <= max(pitch, line.size * 1.1) * _GAP


def _level(block: Sequence[Line], body: float, levels: Sequence[float]) -> int:
    """Return the level of the heading a block looks like, 0 when it is text."""
    first = block[0]
    words = " ".join(line.text for line in block)
    if (
        len(words) > 160
        or not re.search(r"[^\W\d_]", words)
        or (BULLET.match(words) and first.size not in levels)
    ):
        return 0
    if first.size in levels:
        return min(levels.index(first.size) + 1, 4)
    return 4 if first.bold and len(block) == 1 and not re.search(r"[.;,。]$", words) else 0


def _unhyphenated(texts: list[str], joined: list[str]) -> list[str]:
    """Join a word that a line's end divides with its rest; `joined` gets each such word."""
    out: list[str] = []
    for text in texts:
        match = re.search(r"([^\W\d_]{2,})[-\u00ad\u2010]$", out[-1]) if out else None
        head, _, rest = text.partition(" ")
        if match and head[:1].islower():
            joined.append(f"{match[1]}{head}")
            out[-1] = out[-1][:-1] + head
            if rest:
                out.append(rest)
        else:
            out.append(text)
    return out


def _table(rows: list[list[str]]) -> Tag:
    soup = BeautifulSoup("", "html.parser")
    table = soup.new_tag("table")
    for cells in rows:
        row = soup.new_tag("tr")
        for cell in cells:
            written = soup.new_tag("td")
            written.string = cell
            row.append(written)
        table.append(row)
    return table
