"""Quotations of an answer, checked against the texts they may come from.

`verified`: the words stand there in a row, up to case, punctuation and invisible characters; an ellipsis may
leave words out, but no negator, exception or number. `altered`: nearly so. `spliced`: its parts stand there,
not in that order. `absent`: none of these.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from bench.judging.evidence import Source, squeezed
from bench.judging.polarity import find, negated
from bench.judging.tokens import Token, tokens

LEAST_WORDS = 3
ALTERED = 0.75  # share of a quotation's words on one aligned stretch
QUOTED = re.compile(
    '"(?P<a>[^"\n]{4,2000})"|“(?P<b>[^“”]{4,2000})”|«\\s?(?P<c>[^«»]{4,2000}?)\\s?»|„(?P<d>[^„“”]{4,2000})[“”]'
    "|「(?P<e>[^「」]{2,2000})」|『(?P<f>[^『』]{2,2000})』|《(?P<g>[^《》]{2,2000})》"
)
_ELLIPSIS = re.compile(r"\s*(?:\[?(?:\.\s?\.\s?\.|…|……)\]?)\s*")


class Quotation(NamedTuple):
    """A quotation and its status; offsets are those of the answer, `where` names gold or a source."""

    text: str
    start: int
    end: int
    status: str
    ratio: float
    where: str = ""


def quoted(text: str) -> list[tuple[str, int, int]]:
    """Return the quoted stretches of an answer that are long enough to be quotations, without the marks."""
    found = []
    for match in QUOTED.finditer(text):
        name = match.lastgroup or "a"
        words = squeezed(match[name]).split()
        if len(words) >= LEAST_WORDS or (words and len("".join(words)) >= 8 and not match[name].isascii()):
            found.append((match[name], match.start(name), match.end(name)))
    return found


def verify(text: str, start: int, end: int, sources: Sequence[tuple[str, Source]]) -> Quotation:
    """Check one quotation against named texts, the first that holds it winning."""
    best = Quotation(text, start, end, "absent", 0.0)
    for where, source in sources:
        status, ratio = _status(text, source)
        if status == "verified":
            return Quotation(text, start, end, status, 1.0, where)
        if ratio > best.ratio:
            best = Quotation(text, start, end, status, ratio, where if status != "absent" else "")
    return best


def _status(text: str, source: Source) -> tuple[str, float]:
    parts = [part for part in _ELLIPSIS.split(text) if squeezed(part)]
    if all(source.holds(part) for part in parts):
        if len(parts) == 1 or _gaps_are_harmless(parts, source):
            return "verified", 1.0
        return "spliced", 0.99
    words = tokens(text, source.lexicon)
    ratio = round(_aligned_share(words, source), 4)
    return ("altered" if ratio >= ALTERED else "absent"), ratio


def _gaps_are_harmless(parts: Sequence[str], source: Source) -> bool:
    """Whether the parts follow each other in one stretch, with nothing of weight left out between them."""
    place = 0
    for number, part in enumerate(parts):
        words = f" {squeezed(part)} "
        found = source.folded.find(words, place)
        if found < 0:
            return False
        if number:
            gap = source.folded[place:found]
            lexicon = source.lexicon
            if (
                len(gap) > 400
                or negated(gap, lexicon)
                or find(lexicon.exception, gap)
                or re.search(r"\d", gap)
            ):
                return False
        place = found + len(words) - 1
    return True


def _aligned_share(words: Sequence[Token], source: Source) -> float:
    """Return the share of the quotation's words in matching blocks of the best stretch of the source."""
    own = [token.form for token in words]
    held = [word[0] for words in source.words for word in words]
    if not own or not held:
        return 0.0
    matcher = SequenceMatcher(None, held[:4000], own[:400], autojunk=False)
    start = matcher.find_longest_match(0, len(held[:4000]), 0, len(own[:400]))
    first = max(0, start.a - start.b - 3)
    near = SequenceMatcher(None, held[first : first + len(own) + 8], own, autojunk=False)
    return sum(block.size for block in near.get_matching_blocks()) / len(own)
