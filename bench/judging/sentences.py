"""An answer cut into claims: sentences, list items with their lead-in, table rows.

Offsets are those of the text given. Abbreviations, initials and ordinals do not end a sentence.
"""

import re
from typing import NamedTuple

from bench.judging.lexicon import Lexicon

_END = re.compile(
    "(?<![.!?…؟۔।॥])[.!?…؟۔।॥]++[\"'”’»)\\]]*(?=\\s)|[。！？；]+[」』”’）]*|\n+|(?<=\\s)[.!?](?=\\s)",
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|\w\.\w|Mrs?|Ms|Drs?|Prof|St|Sr|Jr|No|Nos|vs|etc|e\.g|i\.e|approx|Inc|Ltd|Co|Corp|"
    r"Gen|Col|Sgt|Capt|Lt|Rev|Hon|Ave|Blvd|Fig|Vol|pp?|cf|al|ca|Nr|bzw|ggf|z\.\s?B|Abs|Art|Sra?|Dra?|Ud|Uds|"
    r"núm|pág|Mme|M|гл|ул|г|стр|т\.е|см|Dz|Bk|No)$"
)
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}$")


class Claim(NamedTuple):
    """A stretch of the answer that is judged alone; `lead` is the sentence a list item continues."""

    text: str
    start: int
    end: int
    lead: str = ""


def sentences(text: str, lexicon: Lexicon) -> list[Claim]:
    """Cut `text` into sentences; empty ones are left out."""
    found: list[Claim] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and _goes_on(text, start, match, lexicon):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def _goes_on(text: str, start: int, match: re.Match[str], lexicon: Lexicon) -> bool:
    before = text[max(start, match.start() - 12) : match.start()]
    after = text[match.end() : match.end() + 12].lstrip()
    if _ABBREVIATION.search(before):
        return True
    if _ORDINAL.search(before) and len(match.group()) == 1:
        word = re.match(r"[^\W\d_]*", after)
        name = word.group() if word else ""
        return name[:1].islower() or name.casefold() in lexicon.months
    return after[:1].islower()


def _add(found: list[Claim], text: str, start: int, end: int) -> None:
    part = text[start:end]
    stripped = part.strip()
    if any(char.isalnum() for char in stripped):
        first = start + len(part) - len(part.lstrip())
        found.append(Claim(stripped, first, first + len(stripped)))


def claims(text: str, lexicon: Lexicon) -> list[Claim]:
    """Cut an answer into claims; an item after a line that ends in a colon carries that line as its lead."""
    found: list[Claim] = []
    lead = ""
    for claim in sentences(text, lexicon):
        if claim.text.endswith((":", "：")) and claim.end < len(text):
            lead = claim.text
            continue
        own_line = not text[: claim.start].rpartition("\n")[2].strip()
        if not own_line:
            lead = ""
        found.append(claim._replace(lead=lead))
    return found
