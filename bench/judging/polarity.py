"""Cues that a claim turns its source round: negation, exclusivity, reversed bounds, opposites.

Each cue is looked for between a clause of the claim and the clause of the window that says nearly the same.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bench.judging.evidence import Source, Window
from bench.judging.lexicon import Lexicon
from bench.judging.quantities import Quantity, agrees
from bench.judging.specifics import weight
from bench.judging.tokens import Token, tokens

NEARLY = 0.75  # share of a clause that the other must hold before their negations are compared
FRAGMENT = 4  # words from which a clause without a negator states something
REACH = 18  # characters between a bound and its number
_CLAUSE = re.compile(r"(?:(?<!\d),|,(?!\d)|[;:،؛，；、—–()])\s*")


class Cue(NamedTuple):
    """A conflict: its kind, the words of the claim and of the source; offsets are those of the claim."""

    kind: str
    claim: str
    source: str
    start: int
    end: int


class Clause(NamedTuple):
    """A part of a sentence between commas, with its content words."""

    text: str
    start: int
    words: tuple[Token, ...]


@lru_cache(maxsize=512)
def clauses(text: str, lexicon: Lexicon) -> tuple[Clause, ...]:
    """Cut a sentence at its commas; a clause without two content words belongs to the one before it."""
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    found: list[Clause] = []
    for start, end in pairwise(cuts):
        words = tuple(t for t in tokens(text[start:end], lexicon) if weight(t, lexicon))
        if len(words) < 2 and found:
            start = found.pop().start
            words = tuple(t for t in tokens(text[start:end], lexicon) if weight(t, lexicon))
        if words:
            found.append(Clause(text[start:end], start, words))
    return tuple(found)


def negated(text: str, lexicon: Lexicon) -> bool:
    """Whether a clause holds a negator; two of them ("ne … pas") are one negation."""
    pattern = _negation_pattern(lexicon)
    worded = any(token.form in lexicon.negators for token in tokens(text, lexicon))
    return worded or bool(pattern and pattern.search(text))


@lru_cache(maxsize=64)
def _negation_pattern(lexicon: Lexicon) -> re.Pattern[str] | None:
    return re.compile("|".join(lexicon.negation)) if lexicon.negation else None


def _size(words: Sequence[Token]) -> float:
    """Return the number of words; an n-gram counts half a word."""
    return sum(0.5 if token.gram else 1.0 for token in words)


def _covered(words: Sequence[Token], other: Sequence[Token], source: Source) -> float:
    keys = {token.key for token in other}
    held = sum(any(key in keys for key in source.keys_of(token.key)) for token in words)
    return held / len(words) if words else 0.0


def negation_cues(text: str, window: Window, source: Source) -> list[Cue]:
    """Return the clauses that the window says with the other polarity."""
    lexicon = source.lexicon
    others = [
        clause
        for place in range(window.first, min(window.last + 1, len(source.sentences)))
        for clause in clauses(source.sentences[place].text, lexicon)
    ]
    cues: list[Cue] = []
    for clause in clauses(text, lexicon):
        own = negated(clause.text, lexicon)
        if _size(clause.words) < (2 if own else FRAGMENT):
            continue
        near = [other for other in others if _covered(clause.words, other.words, source) >= NEARLY]
        if not near:
            continue
        if all(negated(other.text, lexicon) != own for other in near):
            end = clause.start + len(clause.text)
            cues.append(Cue("negation", clause.text.strip(), near[0].text.strip(), clause.start, end))
    return cues


@lru_cache(maxsize=256)
def _phrases(phrases: tuple[str, ...]) -> re.Pattern[str] | None:
    names = sorted(map(re.escape, phrases), key=lambda name: (-len(name), name))
    spaced = [rf"(?<!\w){name}(?!\w)" if _is_spaced(name) else name for name in names]
    return re.compile("|".join(spaced), re.IGNORECASE) if names else None


def _is_spaced(name: str) -> bool:
    """Whether a phrase is written between spaces: not Han, kana or Thai, nor an ending ("-만")."""
    return not re.search("[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]", name)


def find(phrases: tuple[str, ...], text: str) -> re.Match[str] | None:
    """Return the first of the phrases in a text."""
    pattern = _phrases(phrases)
    return pattern.search(text) if pattern else None


def exclusivity_cues(text: str, nearby: str, lexicon: Lexicon) -> list[Cue]:
    """Return an "only" of the claim that neither the window nor the question has."""
    match = find(lexicon.exclusive, text)
    if not match or find(lexicon.exclusive, nearby):
        return []
    return [Cue("exclusivity", match.group(), "", match.start(), match.end())]


def _bound(text: str, mention: Quantity, lexicon: Lexicon) -> str:
    before = text[max(0, mention.start - REACH) : mention.start]
    after = text[mention.end : mention.end + REACH]
    for name, phrases in (("most", lexicon.at_most), ("least", lexicon.at_least)):
        if find(phrases, before) or _starts(phrases, after):
            return name
    return ""


def _starts(phrases: tuple[str, ...], after: str) -> bool:
    pattern = _phrases(phrases)
    return bool(pattern and pattern.match(after.lstrip(" \u00a0")))


def bound_cues(
    text: str, mentions: Iterable[Quantity], source: Source, nearby: Iterable[Quantity]
) -> list[Cue]:
    """Return the numbers whose bound is the reverse of their bound in the window."""
    others = list(nearby)
    cues: list[Cue] = []
    for mention in mentions:
        own = _bound(text, mention, source.lexicon)
        theirs = {_bound(source.text, other, source.lexicon) for other in others if agrees(mention, other)}
        if own and theirs and own not in theirs and "" not in theirs:
            cues.append(Cue("bound", text[mention.start : mention.end], "", mention.start, mention.end))
    return cues


def opposite_cues(text: str, words: Sequence[Token], nearby: Sequence[Token], lexicon: Lexicon) -> list[Cue]:
    """Return the words whose opposite the window holds in their stead."""
    forms = {token.form for token in nearby}
    own = {token.form for token in words}
    cues: list[Cue] = []
    for token in words:
        against = sorted(lexicon.opposites.get(token.form, frozenset()) & forms - own)
        if against and token.form not in forms:
            cues.append(Cue("opposite", text[token.start : token.end], against[0], token.start, token.end))
    return cues
