"""An answer cut into claims: sentences, list items with their lead-in, table rows.

Offsets are those of the text given. Abbreviations, initials and ordinals do not end a sentence.
"""

import re
from typing import NamedTuple

from bench.judging.lexicon import Lexicon

# One class of first characters, then what may follow each kind: a search for a class is the quickest.
_END = re.compile(
    "[.!?…؟۔।॥。！？；\n]"
    "(?:(?<=[.!?…؟۔।॥])[.!?…؟۔।॥]*[\"'”’»)\\]]*|(?<=[。！？；])[。！？；]*[」』”’）]*|(?<=\n)\n*)"
)
_BEFORE_SPACE = frozenset(".!?…؟۔।॥")
_NAMES = "Mr Mrs Ms Dr Drs Prof St Sr Sra Jr No Nos vs etc e.g i.e approx Inc Ltd Co Corp Gen Col Sgt Capt Lt"
_NAMES += (
    " Rev Hon Ave Blvd Fig Vol p pp cf al ca Nr bzw ggf Abs Art Dra Ud Uds núm pág Mme гл ул стр т.е см Bk"
)
_ABBREVIATIONS = frozenset(_NAMES.split())
_LETTER = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W\d_]*")


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
        mark = text[match.start()]
        if mark in _BEFORE_SPACE and not text[match.end() : match.end() + 1].isspace():
            continue
        if mark == "." and _goes_on(text, start, match, lexicon):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def _goes_on(text: str, start: int, match: re.Match[str], lexicon: Lexicon) -> bool:
    """Whether a full stop belongs to an abbreviation, an initial or an ordinal, or small letters follow."""
    after = text[match.end() : match.end() + 12].lstrip()
    if after[:1].islower():
        return True
    words = text[max(start, match.start() - 12) : match.start()].split()
    word = words[-1].lstrip("(") if words else ""
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()) or (len(word) == 3 and word[1] == "."):
        return True
    if word.isdecimal() and len(word) <= 2 and len(match.group()) == 1:
        following = _WORD.match(after)
        return following is not None and following.group().casefold() in lexicon.months
    return False


def _add(found: list[Claim], text: str, start: int, end: int) -> None:
    part = text[start:end]
    stripped = part.strip()
    if _LETTER.search(stripped):
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
