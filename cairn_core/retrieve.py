"""The candidates for a question and why they rank as they do.

SCORERS holds the ways to score: the contract's, a cosine of TF-IDF vectors (see `index.Shard`) summed term
by term over the postings in a fixed order, and `evidence`'s. One threshold decides whether a passage is
evidence; what is done with the evidence is the engine's concern.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cairn_core import evidence
from cairn_core.index import Index, Shard, term_weight
from cairn_core.nearmiss import Judgement
from cairn_core.passage import Passage
from cairn_core.text import terms

# Logarithms may differ in their last bit between C libraries; a score is the same everywhere once rounded.
_DIGITS = 9


type Shares = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scored passage. matched: the sorted terms it shares with the question, as the passage spells them.

    shares: what the score is made of, by name, where the scorer tells; they add up to it unless it is 0.
    """

    passage: Passage
    score: float
    accepted: bool
    matched: tuple[str, ...]
    shares: Shares = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What a search found. lang is None for a search of the whole corpus.

    The question's terms are in one of three sorted tuples each: matched (weighed by some passage searched, as
    that passage spells it), ignored (too common in a language searched to weigh), unmatched (in no passage
    searched). basis: "" for a search of the question's own words, else how `across` found the candidates.
    near_miss: how `strictness` judged the best candidate; a near miss has raised `threshold` above its score.
    """

    query: str
    lang: str | None
    threshold: float
    candidates: tuple[Candidate, ...]
    matched: tuple[str, ...]
    ignored: tuple[str, ...]
    unmatched: tuple[str, ...]
    basis: str = ""
    near_miss: Judgement | None = None

    def __post_init__(self) -> None:
        ranks = [(-candidate.score, candidate.passage.passage_id) for candidate in self.candidates]
        if ranks != sorted(ranks):
            raise ValueError("candidates are not ranked by score and passage id")
        if any(candidate.accepted != (candidate.score >= self.threshold) for candidate in self.candidates):
            raise ValueError("a candidate is accepted exactly when its score reaches the threshold")
        if self.near_miss and self.near_miss.is_near_miss and self.grounded:
            raise ValueError("a near miss is not accepted")

    @property
    def accepted(self) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in self.candidates if candidate.accepted)

    @property
    def grounded(self) -> bool:
        return any(candidate.accepted for candidate in self.candidates)


def retrieve(
    query: str,
    index: Index,
    *,
    threshold: float,
    candidates: int,
    lang: str | None = None,
    scorer: str = "contract",
) -> Trace:
    """The best `candidates` passages for `query` in `lang`, or in every language of the index without it.

    scorer: a name in SCORERS. Scores are in [0, 1]. Passages that share nothing weighed are no candidates;
    words the language lacks count against all of them. Ties are broken by passage id.
    """
    if candidates < 1:
        raise ValueError("candidates must be at least 1")
    asked = Counter(terms(query))
    searches = [
        _search(query, asked, shard, scorer) for code, shard in index.shards.items() if lang in (None, code)
    ]
    best = sorted(
        (-one.score, search.shard.passages[place].passage_id, place, at)
        for at, search in enumerate(searches)
        for place, one in search.scores.items()
    )
    ranked = tuple(
        Candidate(
            searches[at].shard.passages[place],
            -negative,
            -negative >= threshold,
            searches[at].matched(place),
            searches[at].scores[place].shares,
        )
        for negative, _, place, at in best[:candidates]
    )
    weighed = {spelled for search in searches for spelled in search.weighed}
    held = {spelled for search in searches for spelled in search.readings.values()}
    readings = {term for search in searches for term in search.readings}
    matched, ignored, unmatched = (
        tuple(sorted(part)) for part in (weighed, held - weighed, asked.keys() - readings)
    )
    return Trace(query, lang, threshold, ranked, matched, ignored, unmatched)


class _Scored(NamedTuple):
    score: float
    shares: Shares = ()


class _Search(NamedTuple):
    """What one shard has for a question."""

    shard: Shard
    readings: Mapping[str, str]  # question term -> its spelling in the shard, for the terms the shard has
    weighed: tuple[str, ...]  # the spellings that carry weight, sorted
    scores: Mapping[int, _Scored]  # position of a passage in the shard -> its score

    def matched(self, place: int) -> tuple[str, ...]:
        rows = self.shard.rows
        return tuple(term for term in self.weighed if place in self.shard.postings[rows[term]].places)


def _search(query: str, asked: Mapping[str, int], shard: Shard, scorer: str) -> _Search:
    readings = {term: spelled for term in asked if (spelled := shard.reading(term)) in shard.rows}
    weighed = sorted({spelled for spelled in readings.values() if shard.weights[shard.rows[spelled]]})
    return _Search(shard, readings, tuple(weighed), SCORERS[scorer](query, shard))


def _contract(query: str, shard: Shard) -> dict[int, _Scored]:
    """Position in the shard -> cosine, for every passage that shares a weighed term.

    A term the language lacks counts in the question's length with the weight of a term no passage has.
    """
    question = Counter(shard.reading(term) for term in terms(query))
    unknown = math.log(len(shard.passages) + 1) + 1
    products: dict[int, float] = {}
    square = 0.0
    for term in sorted(question):
        row = shard.rows.get(term)
        weight = unknown if row is None else shard.weights[row]
        component = term_weight(question[term]) * weight
        square += component * component
        if row is None or not weight:
            continue
        posting = shard.postings[row]
        for place, count in zip(posting.places, posting.counts, strict=True):
            products[place] = products.get(place, 0.0) + component * (term_weight(count) * weight)
    length = math.sqrt(square)
    return {
        place: _Scored(round(product / (length * shard.norms[place]), _DIGITS))
        for place, product in products.items()
    }


def _evidence(query: str, shard: Shard) -> dict[int, _Scored]:
    """Position in the shard -> evidence with its shares, for the passages that have most of it."""
    scored = evidence.score(query, shard.statistics, evidence.grammar(shard.lang))
    return {
        one.place: _Scored(
            round(one.score, _DIGITS), tuple((name, round(share, _DIGITS)) for name, share in one.shares)
        )
        for one in scored
    }


SCORERS: Mapping[str, Callable[[str, Shard], dict[int, _Scored]]] = {
    "contract": _contract,
    "evidence": _evidence,
}
