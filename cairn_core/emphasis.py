"""Which words of a quoted passage match the question, and which of its sentences holds most of them.

Both are exact spans of the passage's text, start and end in code points: a page marks them and changes no
letter.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cairn_core import analysis
from cairn_core.across import CORRESPONDENCE
from cairn_core.language import catalogue, has_catalogue
from cairn_core.passage import Passage
from cairn_core.retrieve import Candidate, Trace
from cairn_core.text import UNSPACED, is_word, pieces, terms, without_marks

KNOWN_ABOVE = 0.3  # weight of a term that the title or a heading has too: it is of the whole passage
CARRIES = frozenset("plorqc")  # layout letters of lines that can carry an answer: all but headings

type Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Emphasis:
    """The matched words of a passage in order, and its sentence or table row with the most of them, if any.

    `sentence` is None where nothing matches or the passage has only one.
    """

    matched: tuple[Span, ...] = ()
    sentence: Span | None = None


def emphasis(candidate: Candidate, trace: Trace) -> Emphasis:
    """The spans of a candidate's text that its matched terms stand in; grammar is not marked."""
    passage = candidate.passage
    found = list(_matches(passage, _content(candidate), stems=trace.basis == CORRESPONDENCE))
    return Emphasis(_merged([span for span, _ in found], passage.text), _best(passage, found))


def _content(candidate: Candidate) -> frozenset[str]:
    lang = candidate.passage.lang
    grammar = catalogue(lang).function_terms if has_catalogue(lang) else frozenset[str]()
    return frozenset(term for term in candidate.matched if without_marks(term) not in grammar)


def _matches(passage: Passage, matched: Collection[str], *, stems: bool) -> Iterator[tuple[Span, str]]:
    """Every place in the text that has a matched term, with the term."""
    start = 0
    for piece in pieces(passage.text):
        if is_word(piece):
            for (first, last), term in _terms(piece, stems=stems):
                if term in matched:
                    yield (start + first, start + last), term
        start += len(piece)


def _terms(piece: str, *, stems: bool) -> Iterator[tuple[Span, str]]:
    """The terms of a word with their places: the whole word, or an n-gram of a script without spaces."""
    whole = (0, len(piece))
    if not UNSPACED.search(piece) or unicodedata.normalize("NFKC", piece) != piece:
        found = map(analysis.stem, analysis.words(piece)) if stems else terms(piece)
        yield from ((whole, term) for term in found)
        return
    for run in UNSPACED.finditer(piece):
        for term in terms(run.group()):
            at = run.group().find(term)
            while at >= 0:
                yield (run.start() + at, run.start() + at + len(term)), term
                at = run.group().find(term, at + 1)


def _merged(spans: Sequence[Span], text: str) -> tuple[Span, ...]:
    """Overlapping and touching spans as one, and those with nothing but a space between them."""
    merged: list[Span] = []
    for start, end in sorted(set(spans)):
        if merged and text[merged[-1][1] : start] in {"", " "}:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _best(passage: Passage, found: Sequence[tuple[Span, str]]) -> Span | None:
    parts = list(_sentences(passage))
    held = [frozenset(term for span, term in found if start <= span[0] < end) for start, end in parts]
    if len(parts) < 2 or not any(held):
        return None
    weights = _weights(passage, held)
    worth = [
        sum(sorted(weights[term] for term in terms_of)) / _length(passage.text[start:end])
        for (start, end), terms_of in zip(parts, held, strict=True)
    ]
    return parts[worth.index(max(worth))]


def _sentences(passage: Passage) -> Iterator[Span]:
    start = 0
    for line, letter in zip(passage.text.split("\n"), passage.layout, strict=True):
        if letter in CARRIES and not line.endswith((":", "：")):
            spans = [(0, len(line))] if letter == "r" else analysis.sentence_spans(line)
            yield from ((start + first, start + last) for first, last in spans)
        start += len(line) + 1


def _weights(passage: Passage, held: Sequence[Collection[str]]) -> Mapping[str, float]:
    """Term -> its weight: the rarer among the sentences the higher (BM25's IDF)."""
    above = {*terms(passage.title), *terms(passage.section)}
    weights: dict[str, float] = {}
    for term in frozenset[str]().union(*held):
        count = sum(term in terms_of for terms_of in held)
        rarity = math.log(1 + (len(held) - count + 0.5) / (count + 0.5))
        weights[term] = rarity * (KNOWN_ABOVE if term in above else 1.0)
    return weights


def _length(sentence: str) -> float:
    """What a sentence's worth is divided by: long ones hold more words by chance."""
    return math.log(math.e + len(analysis.words(sentence)) / 20)
