"""Strict mode: the best passage of a search put to the near-miss model.

The model judges from the trace and from which words of the question the passage holds. A passage that it
takes for a near miss raises the threshold shown above the best score, so that nothing is accepted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cairn_core.analysis import sentences, stem, words
from cairn_core.calibration import STEP
from cairn_core.evidence import DOCUMENT, ENOUGH, MARGIN, RESCORED, grammar, idf
from cairn_core.fields import Statistics
from cairn_core.index import AnyShard
from cairn_core.nearmiss import Judgement, NearMiss
from cairn_core.passage import Passage
from cairn_core.retrieve import Candidate, Trace
from cairn_core.text import without_marks

DEPTH = RESCORED  # candidates the trace to be judged has to hold


def judged(trace: Trace, shard: AnyShard, model: NearMiss, candidates: int) -> Trace:
    """`trace`, of DEPTH candidates, with the model's judgement, cut to `candidates`.

    Where a language has fewer than ENOUGH passages there is no lead to judge by, and no judgement.
    """
    kept = trace.candidates[:candidates]
    if not kept or shard.size < ENOUGH:
        return replace(trace, candidates=kept)
    judgement = Judgement(model.probability(traits(trace, shard)), model.limit)
    threshold = trace.threshold
    if judgement.is_near_miss and trace.grounded:
        threshold = round(kept[0].score + STEP, 9)
        kept = tuple(replace(candidate, accepted=False) for candidate in kept)
    return replace(trace, candidates=kept, threshold=threshold, near_miss=judgement)


def traits(trace: Trace, shard: AnyShard) -> Mapping[str, float]:
    """What the near-miss model is asked by, each about 0 to 1; for a trace with candidates.

    own: the score before the lead over other documents; lead, document lead: that less the best of another
    document, of its own document; neighbours: mean of the candidates below; document: that share of the
    score beside the most it can be. held, sentence held: how much of the rarity of the question's content
    stems the passage has, and its best sentence; rarest held: 1 where it has the rarest; unseen: how much of
    it no passage has; length: of the question in content words, logarithmic.
    """
    best = trace.candidates[0]
    shares = dict(best.shares)
    taken = -shares.pop("margin", 0.0)
    own = sum(shares.values())
    own_document = [
        sum(share for name, share in one.shares if name != "margin")
        for one in trace.candidates[1:]
        if one.passage.document == best.passage.document
    ]
    return {
        "own": own,
        "lead": own - taken / MARGIN,
        "document lead": own - max(own_document, default=0.0),
        "neighbours": _neighbours(trace.candidates[1:]),
        "document": shares.get("document", 0.0) / DOCUMENT,
        **_held(trace.query, best.passage, shard),
    }


def _neighbours(others: Sequence[Candidate]) -> float:
    owns = [sum(share for name, share in one.shares if name != "margin") for one in others[: DEPTH - 1]]
    return sum(owns) / len(owns) if owns else 0.0


def _held(query: str, passage: Passage, shard: AnyShard) -> Mapping[str, float]:
    """How much of the rarity of the question's content stems a passage has; all of them without any."""
    statistics = shard.statistics
    rarity = _rarity(query, shard.lang, statistics)
    total = sum(rarity.values()) or 1.0
    parts = [part for line in passage.text.split("\n") for part in sentences(line)]
    held = [{stem(word) for word in words(part)} for part in parts]
    headings = words(f"{passage.title}\n{passage.section}")
    everywhere = set[str]().union(*held, map(stem, headings))
    most = max(rarity.values(), default=0.0)
    return {
        "held": _mass(rarity, everywhere) / total,
        "sentence held": max((_mass(rarity, one) for one in held), default=0.0) / total,
        "rarest held": float(any(own == most and term in everywhere for term, own in rarity.items())),
        "unseen": sum(own for term, own in rarity.items() if not statistics.frequency("stem", term)) / total,
        "length": math.log(1 + len(rarity)),
    }


def _rarity(query: str, lang: str, statistics: Statistics) -> Mapping[str, float]:
    content = [word for word in words(query) if without_marks(word) not in grammar(lang)]
    terms = dict.fromkeys(map(stem, content))
    return {term: idf(statistics.size, statistics.frequency("stem", term)) for term in terms}


def _mass(rarity: Mapping[str, float], held: set[str]) -> float:
    return sum(own for term, own in rarity.items() if term in held)
