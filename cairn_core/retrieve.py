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
from cairn_core.fields import LARGE
from cairn_core.index import AnyShard, Index
from cairn_core.nearmiss import Judgement
from cairn_core.passage import Passage
from cairn_core.shard import term_weight
from cairn_core.text import terms

# Logarithms may differ in their last bit between C libraries; a score is the same everywhere once rounded.
_DIGITS = 9

READ = 12_000  # postings of a question's terms that are read in more than LARGE passages
FOUND = 10  # passages found by them whose cosine is worked out

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
    words the language lacks count against all of them. Ties are broken by passage id. Raises PartsNeeded for
    shards that are not there.
    """
    if candidates < 1:
        raise ValueError("candidates must be at least 1")
    asked = Counter(terms(query))
    searched = [code for code in index.shards if lang in (None, code)]
    index.shards.bring(searched)
    searches = [_search(query, asked, index.shards[code], scorer) for code in searched]
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

    shard: AnyShard
    readings: Mapping[str, str]  # question term -> its spelling in the shard, for the terms the shard has
    weighed: tuple[str, ...]  # the spellings that carry weight, sorted
    scores: Mapping[int, _Scored]  # position of a passage in the shard -> its score

    def matched(self, place: int) -> tuple[str, ...]:
        held = self.shard.counts(place)
        return tuple(term for term in self.weighed if term in held)


def _search(query: str, asked: Mapping[str, int], shard: AnyShard, scorer: str) -> _Search:
    readings = {term: spelled for term in asked if (spelled := shard.reading(term)) in shard.rows}
    weighed = sorted({spelled for spelled in readings.values() if shard.weights[shard.rows[spelled]]})
    return _Search(shard, readings, tuple(weighed), SCORERS[scorer](query, shard))


class _Asked(NamedTuple):
    """The weighed terms of a question that a shard has, in order, and the length of the question's vector."""

    components: Mapping[str, float]
    length: float


def _contract(query: str, shard: AnyShard) -> dict[int, _Scored]:
    """Position in the shard -> cosine, for every passage that shares a weighed term; in LARGE for the best.

    A term the language lacks counts in the question's length with the weight of a term no passage has.
    """
    question = Counter(shard.reading(term) for term in terms(query))
    unknown = math.log(shard.size + 1) + 1
    components: dict[str, float] = {}
    square = 0.0
    for term in sorted(question):
        row = shard.rows.get(term)
        weight = unknown if row is None else shard.weights[row]
        component = term_weight(question[term]) * weight
        square += component * component
        if row is not None and weight:
            components[term] = component
    asked = _Asked(components, math.sqrt(square))
    products = _products(asked, shard) if shard.size <= LARGE else _best_products(asked, shard)
    return {
        place: _Scored(round(product / (asked.length * shard.norm(place)), _DIGITS))
        for place, product in products.items()
    }


def _products(asked: _Asked, shard: AnyShard) -> dict[int, float]:
    products: dict[int, float] = {}
    for term, component in asked.components.items():
        posting, weight = shard.posting(term), shard.weights[shard.rows[term]]
        for place, count in zip(posting.places, posting.counts, strict=True):
            products[place] = products.get(place, 0.0) + component * (term_weight(count) * weight)
    return products


def _best_products(asked: _Asked, shard: AnyShard) -> dict[int, float]:
    """The products of the passages that the rarer terms lead to, the FOUND best by rounded impacts."""
    totals: dict[int, float] = {}
    read = _rarest(asked, shard)
    shard.bring(words=read)
    for term in read:
        strength = asked.components[term] * shard.weights[shard.rows[term]]
        for place, steps in zip(*shard.impacts(term), strict=True):
            totals[place] = totals.get(place, 0.0) + strength * steps
    found = sorted(totals, key=lambda place: (-totals[place], place))[:FOUND]
    shard.bring(places=found)
    products: dict[int, float] = {}
    for place in found:
        counts, product = shard.counts(place), 0.0
        for term, component in asked.components.items():
            if term in counts:
                product += component * (term_weight(counts[term]) * shard.weights[shard.rows[term]])
        products[place] = product
    return products


def _rarest(asked: _Asked, shard: AnyShard) -> list[str]:
    """The weighed terms from the rarest on, as long as READ allows, the first always."""
    ranked = sorted(asked.components, key=lambda term: (shard.frequency(term), term))
    left = READ
    read: list[str] = []
    for term in ranked:
        if shard.frequency(term) <= left or not read:
            read.append(term)
            left -= shard.frequency(term)
    return read


def _evidence(query: str, shard: AnyShard) -> dict[int, _Scored]:
    """Position in the shard -> evidence with its shares, for the passages that have most of it."""
    scored = evidence.score(query, shard.statistics, evidence.grammar(shard.lang))
    return {
        one.place: _Scored(
            round(one.score, _DIGITS), tuple((name, round(share, _DIGITS)) for name, share in one.shares)
        )
        for one in scored
    }


SCORERS: Mapping[str, Callable[[str, AnyShard], dict[int, _Scored]]] = {
    "contract": _contract,
    "evidence": _evidence,
}
