"""Bytes to text: UTF-8 only, line ends and normal form made one, characters nobody can see reported.

Allowed invisible characters are those an orthography needs: joiners between letters (Persian, Indic scripts,
emoji), the zero-width space between letters of scripts written without spaces (Khmer, Thai), the soft hyphen.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from builder.glyphs import unshown
from builder.problems import Problem

_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e007f]"
)
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MARKS = frozenset("\u061c\u200e\u200f")
_JOINERS = frozenset("\u200c\u200d")
_UNSPACED = (("\u0e00", "\u0eff"), ("\u0f00", "\u109f"), ("\u1780", "\u17ff"))
"""Thai and Lao, Tibetan and Myanmar, Khmer."""
_TEXT_CATEGORIES = ("L", "M", "So", "Sk", "Nd")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a file: `\\n` line ends, normal form C, without byte order mark; `composed` tells whether the
    form had to change.
    """

    text: str
    composed: bool


class Lines:
    """Offsets of a text as line and column, both from 1."""

    def __init__(self, text: str) -> None:
        """Index the line starts of `text`."""
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return (line, column) of `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def decode(data: bytes, path: str) -> tuple[Decoded | None, list[Problem]]:
    """Return the text of `data`, or None with the byte that is not UTF-8 and the encoding it looks like."""
    problems: list[Problem] = []
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        problems.append(
            Problem(
                path, 1, 1, "W111", "The file starts with a byte order mark.", "save as UTF-8 without BOM"
            )
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [*problems, _not_utf8(data, path, error)]
    text = text.replace("\r\n", "\n")
    composed = unicodedata.normalize("NFC", text) if not text.isascii() else text
    return Decoded(composed, composed != text), problems


def _not_utf8(data: bytes, path: str, error: UnicodeDecodeError) -> Problem:
    before = data[: error.start].decode("utf-8", "replace")
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:200].count(0) > len(data[:200]) // 4:
        line, column, looks = 1, 1, "UTF-16"
    else:
        looks = "Windows-1252 or Latin-1"
    byte = data[error.start]
    return Problem(
        path,
        line,
        column,
        "E106",
        f'Byte "0x{byte:02x}" at offset {error.start} is not UTF-8.',
        f"the file looks like {looks}: save it as UTF-8",
    )


def inspect(text: str, path: str, *, drop: bool) -> tuple[str, list[Problem]]:
    """Return `text` and the problems of its characters; with `drop`, stray invisible characters are taken out
    with one warning.
    """
    lines = Lines(text)
    problems = _unshown(text, path, lines)
    found = list(_SUSPECT.finditer(text))
    if not found:
        return text, problems
    marks: list[int] = []
    strays: list[int] = []
    for match in found:
        offset = match.start()
        problem = _judge(text, offset)
        if problem == "W311":
            marks.append(offset)
        elif problem == "E303" and drop:
            strays.append(offset)
        elif problem:
            problems.append(_problem(problem, text[offset], path, lines.place(offset)))
    if marks:
        line, column = lines.place(marks[0])
        name = code_point(text[marks[0]])
        problems.append(
            Problem(
                path,
                line,
                column,
                "W311",
                f'The direction mark "{name}" is kept; marks in the file: {len(marks)}.',
            )
        )
    if strays:
        line, column = lines.place(strays[0])
        name = code_point(text[strays[0]])
        message = f'The stray "{name}" is dropped; strays in the file: {len(strays)}.'
        problems.append(Problem(path, line, column, "W312", message))
        gone = frozenset(strays)
        text = "".join(char for offset, char in enumerate(text) if offset not in gone)
    return text, problems


def _unshown(text: str, path: str, lines: Lines) -> list[Problem]:
    """Return one problem for each character that no typeface shows, at its first place."""
    return [
        Problem(
            path,
            *lines.place(offset),
            "E305",
            f'No typeface shows "{code_point(char)}"; times in the file: {text.count(char)}.',
            "write it with other characters, or show it as an image with a description",
        )
        for char, offset in unshown(text).items()
        if not _SUSPECT.match(char)
    ]


def first_suspect(text: str) -> tuple[str, str] | None:
    """Return (code, character) of the first character of `text` that is an error, or None."""
    for match in _SUSPECT.finditer(text):
        code = _judge(text, match.start())
        if code.startswith("E"):
            return code, match[0]
    return None


def forbidden(text: str) -> frozenset[int]:
    """Return the offsets of the characters of `text` that are errors in a document."""
    return frozenset(
        match.start() for match in _SUSPECT.finditer(text) if _judge(text, match.start()).startswith("E")
    )


def code_point(char: str) -> str:
    """Return a character as `U+202E RIGHT-TO-LEFT OVERRIDE`."""
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()


def _problem(code: str, char: str, path: str, place: tuple[int, int]) -> Problem:
    what = {
        "E301": "Control character",
        "E302": "Direction control",
        "E303": "Stray invisible character",
        "E304": "Character that is no text:",
        "W313": "Replacement character",
    }[code]
    hint = "restore the letter that was lost" if code == "W313" else "delete the character"
    return Problem(path, *place, code, f'{what} "{code_point(char)}" in the text.', hint)


def _judge(text: str, offset: int) -> str:
    char = text[offset]
    if char in _DIRECTION:
        return "E302"
    if char in _MARKS:
        return "W311"
    if char == "\ufffd":
        return "W313"
    if char in _JOINERS or char == "\u200b":
        return "" if _joins(text, offset) else "E303"
    if char in "\u180e\u2060\u2061\u2062\u2063\u2064\ufeff":
        return "E303"
    if unicodedata.category(char) in ("Cc", "Zl", "Zp") or "\u206a" <= char <= "\u206f":
        return "E301"
    return "E304"


def _joins(text: str, offset: int) -> bool:
    before, after = text[offset - 1 : offset], text[offset + 1 : offset + 2]
    if not before or not after:
        return False
    if text[offset] == "\u200b":
        return _unspaced(before) and _unspaced(after)
    sides = before + after
    return not sides.isascii() and all(
        unicodedata.category(side).startswith(_TEXT_CATEGORIES) for side in sides
    )


def _unspaced(char: str) -> bool:
    return any(first <= char <= last for first, last in _UNSPACED)
