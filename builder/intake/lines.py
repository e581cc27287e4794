"""The words of a PDF page as lines in reading order.

A PDF holds glyphs at places, in the order they are drawn. Lines are words of one height; two columns are told
by a band that no word crosses; words of right-to-left scripts are put back into reading order.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pdfplumber.page import Page

MIN_GUTTER = 12.0
"""Points of the band between two columns."""

MIN_COLUMN_LINES = 6
WORD_GAP = 0.15
"""Width of the gap between two words against the size of their letters."""
_SAME_LINE = 0.6
"""Share of a word's height by which its middle may be off its line's."""

type Word = Mapping[str, Any]  # pdfplumber gives words as plain dictionaries
type Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page; places and sizes in points, `top` counted from the top of the page."""

    text: str
    page: int
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool


def of_page(page: Page, tables: Sequence[Box]) -> tuple[list[Line], bool]:
    """Return the lines of a page outside its tables, as they are read, and whether there were columns."""
    words = page.extract_words(extra_attrs=["size", "fontname"], x_tolerance_ratio=WORD_GAP)
    free = [word for word in words if not any(_inside(word, box) for box in tables)]
    if not free:
        return [], False
    gutter = _gutter(free)
    if gutter is None:
        return _lines(free, page.page_number), False
    return _in_columns(free, gutter, page.page_number), True


def _inside(word: Word, box: Box) -> bool:
    across, down = (word["x0"] + word["x1"]) / 2, (word["top"] + word["bottom"]) / 2
    return bool(box[0] <= across <= box[2] and box[1] <= down <= box[3])


def _lines(words: Iterable[Word], page: int) -> list[Line]:
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word["top"], word["x0"])):
        middle = (word["top"] + word["bottom"]) / 2
        last = rows[-1][0] if rows else None
        height = word["bottom"] - word["top"]
        if last is not None and abs((last["top"] + last["bottom"]) / 2 - middle) <= height * (1 - _SAME_LINE):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [_line(row, page) for row in rows]


def _line(row: list[Word], page: int) -> Line:
    words = sorted(row, key=lambda word: word["x0"])
    written = [
        unicodedata.normalize("NFKC", word["text"]) if _presentation(word["text"]) else word["text"]
        for word in words
    ]
    text = in_reading_order(written)
    letters = sum(len(word["text"]) for word in words)
    bold = sum(
        len(word["text"]) for word in words if re.search("bold|black|heavy|semibold", word["fontname"], re.I)
    )
    return Line(
        text,
        page,
        words[0]["x0"],
        words[-1]["x1"],
        min(word["top"] for word in words),
        max(word["bottom"] for word in words),
        round(max(words, key=lambda word: len(word["text"]))["size"], 1),
        bold == letters,
    )


def in_reading_order(words: Sequence[str]) -> str:
    """Return the words of a line, given from left to right, as they are read.

    Words of right-to-left scripts come with their letters turned round. The line itself is read from the
    right when most of its words are such; neighbouring words that run against the line keep their order among
    themselves.
    """
    sides = [_side(word) for word in words]
    right, left = sides.count("R"), sides.count("L")
    if not right:
        return " ".join(words)
    turned = [word[::-1] if side == "R" else word for side, word in zip(sides, words, strict=True)]
    from_right = right > left or (right == left and sides[-1] == "R")
    pairs = list(zip(sides, turned, strict=True))
    ordered: list[str] = []
    for against, run in groupby(
        reversed(pairs) if from_right else pairs, key=lambda pair: (pair[0] == "R") != from_right
    ):
        inside = [word for _, word in run]
        ordered += inside[::-1] if against else inside
    return " ".join(ordered)


def _side(word: str) -> str:
    kinds = [unicodedata.bidirectional(char) for char in word]
    if "R" in kinds or "AL" in kinds:
        return "R"
    return "L" if "L" in kinds else "N"


def _presentation(text: str) -> bool:
    return any("\ufb00" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufeff" for char in text)


def _gutter(words: Sequence[Word]) -> float | None:
    """Return the middle of the widest band in the middle half of the text that few lines cross, or None."""
    left, right = min(word["x0"] for word in words), max(word["x1"] for word in words)
    width = right - left
    lines = len(_lines(words, 0))
    best: tuple[float, float] | None = None
    steps = [left + width * share / 100 for share in range(30, 71)]
    for place in steps:
        crossing = [
            word
            for word in words
            if word["x0"] < place + MIN_GUTTER / 2 and word["x1"] > place - MIN_GUTTER / 2
        ]
        beside = (
            [word for word in words if word["x1"] <= place],
            [word for word in words if word["x0"] >= place],
        )
        if len(crossing) <= lines * 0.15 and all(len(_lines(side, 0)) >= MIN_COLUMN_LINES for side in beside):
            gap = min(word["x0"] for word in beside[1]) - max(
                word["x1"] for word in beside[0] if word not in crossing
            )
            if best is None or gap > best[0]:
                best = (gap, place)
    return best[1] if best and best[0] >= MIN_GUTTER else None


def _in_columns(words: Sequence[Word], gutter: float, page: int) -> list[Line]:
    """Return the lines of two columns, those of the full width cutting the page into bands."""
    across = [word for word in words if word["x0"] < gutter < word["x1"]]
    rows = [(line.top, line.bottom) for line in _lines(across, page)]
    full = [word for word in words if any(_overlaps(word, row) for row in rows)]
    rest = [word for word in words if not any(_overlaps(word, row) for row in rows)]
    left = _lines((word for word in rest if word["x1"] <= gutter), page)
    right = _lines((word for word in rest if word["x1"] > gutter), page)
    ordered: list[Line] = []
    for line in [*_lines(full, page), None]:
        top = line.top if line else float("inf")
        for side in (left, right):
            ordered += [one for one in side if one.top < top]
            side[:] = [one for one in side if one.top >= top]
        ordered += [line] if line else []
    return ordered


def _overlaps(word: Word, row: tuple[float, float]) -> bool:
    return bool(row[0] <= (word["top"] + word["bottom"]) / 2 <= row[1])
