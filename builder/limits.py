"""Limits on the Markdown of one document, and the check that the parser lost none of its text.

The limits are looked for before parsing: what the parser would take seconds for is refused in milliseconds.
"""

import re
from collections.abc import Collection, Iterable, Mapping

from builder import markdown
from builder.inline import Sheet
from builder.markdown import MARKS, MAX_BLOCK, MAX_MARKS, Held
from builder.problems import shown

MAX_MARKS_OF_DOCUMENT = 100_000
MAX_COLUMNS = 50
MAX_ROWS = 2_000
MAX_CELLS = 20_000
_NO_WORDS = re.compile(r"[\s>*+.\d)#|:\-]*")

type References = Mapping[str, Mapping[str, tuple[int, int]]]


def parsable(sheet: Sheet) -> bool:
    """Tell whether the body of a document is within the limits; if not, say why."""
    marks = len(MARKS.findall(sheet.document.body))
    if marks > MAX_MARKS_OF_DOCUMENT:
        message = f'The text has "{marks}" inline marks, more than {MAX_MARKS_OF_DOCUMENT}.'
        sheet.report("E404", (sheet.document.body_line, 1), message, "split the document")
        return False
    first, widest = 0, 0
    for number, line in enumerate(sheet.lines):
        if not line.strip():
            first, widest = number, 0
        cells = line.count("|")
        widest = max(widest, cells)
        place = (sheet.document.body_line + number, 1)
        if cells > MAX_COLUMNS + 1 or widest * (number - first) > MAX_CELLS:
            message = f"The table has more than {MAX_COLUMNS} columns or {MAX_CELLS} cells."
            sheet.report("E405", place, message, "turn the table, or split it")
            return False
        if line[:1] in (">", " ", "\t") and _quote_depth(line) > markdown.MAX_NESTING:
            message = f"The nesting is deeper than {markdown.MAX_NESTING}."
            sheet.report("E403", place, message, "flatten it")
            return False
    return True


def _quote_depth(line: str) -> int:
    return line.count(">", 0, len(line) - len(line.lstrip("> \t")))


def report_held(sheet: Sheet, held: Iterable[Held]) -> None:
    """Report the blocks whose inline text the parser did not look into."""
    for block in held:
        long = block.size > MAX_BLOCK
        code, what, limit = ("E402", "characters", MAX_BLOCK) if long else ("E404", "inline marks", MAX_MARKS)
        message = f'The block has "{block.size if long else block.marks}" {what}, more than {limit}.'
        sheet.report(code, (sheet.document.body_line + block.line, 1), message, "split it by blank lines")


def check_lost(sheet: Sheet, covered: Collection[int], references: References) -> None:
    """Report link definitions nobody uses, and the first line of text that is on no page.

    `covered` are the line numbers, from 0, that blocks were made of.
    """
    defined: set[int] = set()
    for label, reference in references.items():
        first, last = reference["map"]
        defined.update(range(first, last))
        if label not in sheet.labels:
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
