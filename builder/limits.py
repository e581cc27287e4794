"""Limits on the Markdown of one document, and the check that the parser lost none of its text.

The limits are looked for before parsing: what the parser would take seconds for is refused in milliseconds.
"""

import re
from collections.abc import Collection, Mapping

from builder import markdown
from builder.inline import Sheet
from builder.problems import shown

MAX_BLOCK = 20_000
"""Characters of a block, and of a line."""

MAX_MARKS = 20_000
MAX_COLUMNS = 50
MAX_ROWS = 2_000
_MARKS = re.compile(r"[\[\]*_`<>|&\\!]")
_NO_WORDS = re.compile(r"[\s>*+.\d)#|:\-]*")

type References = Mapping[str, Mapping[str, tuple[int, int]]]


def parsable(sheet: Sheet) -> bool:
    """Tell whether the body of a document is within the limits; if not, say why."""
    marks = sum(1 for _ in _MARKS.finditer(sheet.document.body))
    if marks > MAX_MARKS:
        message = f'The text has "{marks}" inline marks, more than {MAX_MARKS}.'
        sheet.report("E404", (sheet.document.body_line, 1), message, "split the document")
        return False
    for number, line in enumerate(sheet.lines):
        place = (sheet.document.body_line + number, 1)
        if line.count("|") > MAX_COLUMNS + 1:
            message = f'A line has "{line.count("|")}" cell marks, more than {MAX_COLUMNS + 1}.'
            sheet.report("E405", place, message, "turn the table, or split it")
            return False
        if len(line) > MAX_BLOCK:
            message = f'A line has "{len(line)}" characters, more than {MAX_BLOCK}.'
            sheet.report("E402", place, message, "split it by blank lines")
            return False
        if line[:1] in "> \t" and _quote_depth(line) > markdown.MAX_NESTING:
            sheet.report("E403", place, f"The nesting is deeper than {markdown.MAX_NESTING}.", "flatten it")
            return False
    return True


def _quote_depth(line: str) -> int:
    return line.count(">", 0, len(line) - len(line.lstrip("> \t")))


def check_lost(sheet: Sheet, covered: Collection[int], references: References) -> None:
    """Report link definitions nobody uses, and the first line of text that is on no page.

    `covered` are the line numbers, from 0, that blocks were made of.
    """
    defined: set[int] = set()
    for label, reference in references.items():
        first, last = reference["map"]
        defined.update(range(first, last))
        if sheet.document.body.upper().count(f"[{label}]") < 2:
            message = f"The definition of {shown(label)} is used by no link and not shown."
            place = (sheet.document.body_line + first, 1)
            sheet.report("W415", place, message, "delete it, or write \\[ for the sign")
    for number, line in enumerate(sheet.lines):
        if number not in covered and number not in defined and not _NO_WORDS.fullmatch(line):
            place = (sheet.document.body_line + number, 1)
            sheet.report(
                "E406", place, f"The parser loses the text {shown(line.strip())}.", "flatten the nesting"
            )
            return
