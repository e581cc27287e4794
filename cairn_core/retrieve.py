"""The candidates for a question and why they rank as they do.

SCORERS holds the ways to score: the contract's, a cosine of TF-IDF vectors (see `index.Shard`) summed term
by term over the postings in a fixed order, and `evidence`'s. One threshold decides whether a passage is
evidence; what is done with the evidence is the engine's concern.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from cairn_core import evidence
from cairn_core.evidence import Scored
from cairn_core.index import Index, Shard, term_weight
from cairn_core.passage import Passage
from cairn_core.text import terms

# Logarithms may differ in their last bit between C libraries; a score is the same everywhere once rounded.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scored passage. matched: the sorted terms it shares with the question, as the passage spells them.

    shares: what the score is made of, by name, where the scorer tells; they add up to it unless it is 0.
    """

    passage: Passage
    score: float
    accepted: bool
    matched: tuple[str, ...]
    shares: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What a search found. lang is None for a search of the whole corpus.

    The question's terms are in one of three sorted tuples each: matched (weighed by some passage searched, as
    that passage spells it), ignored (too common in a language searched to weigh), unmatched (in no passage
    searched).
    """

    query: str
    lang: str | None
    threshold: float
    candidates: tuple[Candidate, ...]
    matched: tuple[str, ...]
    ignored: tuple[str, ...]
    unmatched: tuple[str, ...]

    def __post_init__(self) -> None:
        ranks = [(-candidate.score, candidate.passage.passage_id) for candidate in self.candidates]
        if ranks != sorted(ranks):
            raise ValueError("candidates are not ranked by score and passage id")
        if any(candidate.accepted != (candidate.score >= self.threshold) for candidate in self.candidates):
            raise ValueError("a candidate is accepted exactly when its score reaches the threshold")

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

    scorer: a name in SCORERS. Scores are in [0, 1]; passages that share nothing weighed are no candidates. A
    term the language lacks counts against every passage. Ties are broken by passage id.
    """
    if candidates < 1:
        raise ValueError("candidates must be at least 1")
    score = SCORERS[scorer]
    asked = Counter(terms(query))
    shards = [shard for code, shard in index.shards.items() if lang in (None, code)]
    best: list[tuple[float, str, Shard, Scored]] = []
    matched: set[str] = set()
    ignored: set[str] = set()
    found: set[str] = set()
    for shard in shards:
        readings = _readings(asked, shard)
        for term, spelled in readings.items():
            weight = shard.weights[shard.rows[spelled]]
            (matched if weight else ignored).add(spelled)
            found.add(term)
        scored = score(query, shard)
        best += [(-one.score, shard.passages[one.place].passage_id, shard, one) for one in scored]
    best.sort(key=lambda entry: entry[:2])
    ranked = tuple(
        Candidate(
            shard.passages[one.place],
            one.score,
            one.score >= threshold,
            _matched(one.place, matched, shard),
            one.shares,
        )
        for _, _, shard, one in best[:candidates]
    )
    unmatched = tuple(sorted(asked.keys() - found))
    return Trace(
        query, lang, threshold, ranked, tuple(sorted(matched)), tuple(sorted(ignored - matched)), unmatched
    )


def _readings(asked: Iterable[str], shard: Shard) -> dict[str, str]:
    """Question term -> its spelling in the shard, for the terms the shard has."""
    readings = ((term, shard.reading(term)) for term in sorted(asked))
    return {term: spelled for term, spelled in readings if spelled in shard.rows}


def _contract(query: str, shard: Shard) -> list[Scored]:
    """Every passage that shares a weighed term, with its rounded cosine."""
    asked = Counter(terms(query))
    readings = _readings(asked, shard)
    question = Counter[str]()
    for term, count in asked.items():
        question[readings.get(term, term)] += count
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
    return [
        Scored(place, round(product / (length * shard.norms[place]), _DIGITS))
        for place, product in products.items()
    ]


def _evidence(query: str, shard: Shard) -> list[Scored]:
    """The passages `evidence` scores, rounded."""
    scored = evidence.score(query, shard.statistics, evidence.grammar(shard.lang))
    return [
        Scored(
            one.place, round(one.score, _DIGITS), tuple((name, round(x, _DIGITS)) for name, x in one.shares)
        )
        for one in scored
    ]


def _matched(place: int, matched: Iterable[str], shard: Shard) -> tuple[str, ...]:
    rows = ((term, shard.rows.get(term)) for term in sorted(matched))
    return tuple(
        term
        for term, row in rows
        if row is not None and shard.weights[row] and place in shard.postings[row].places
    )


SCORERS: Mapping[str, Callable[[str, Shard], Iterable[Scored]]] = {
    "contract": _contract,
    "evidence": _evidence,
}
