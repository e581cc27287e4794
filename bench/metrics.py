"""Figures of a ranking and of a gate, from ranks and scores alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scorer did with one question: its best passage's score, and whether that is the right one."""

    score: float
    right: bool


def recall(ranks: Sequence[int | None], depth: int) -> float:
    """Share of questions whose passage is among the first `depth`; ranks count from 1, None is not found."""
    return sum(rank is not None and rank <= depth for rank in ranks) / len(ranks)


def reciprocal_rank(ranks: Sequence[int | None], depth: int = 10) -> float:
    """Mean of 1 / rank, 0 beyond `depth`: MRR@10."""
    return sum(1 / rank for rank in ranks if rank is not None and rank <= depth) / len(ranks)


def auroc(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """Area under the ROC curve: how often an answerable question outscores another, ties counting half.

    By rank sums (Mann and Whitney, 1947).
    """
    marked = sorted([(score, 1) for score in answerable] + [(score, 0) for score in unanswerable])
    total = 0.0
    start = 0
    while start < len(marked):
        end = start
        while end < len(marked) and marked[end][0] == marked[start][0]:
            end += 1
        total += (start + end + 1) / 2 * sum(mark for _, mark in marked[start:end])
        start = end
    count = len(answerable)
    return (total - count * (count + 1) / 2) / (count * len(unanswerable))


def threshold_for(unanswerable: Sequence[float], rate: float) -> float:
    """The lowest threshold that accepts at most `rate` of the unanswerable questions."""
    falling = sorted(unanswerable, reverse=True)
    allowed = math.floor(rate * len(falling) + 1e-9)
    return math.nextafter(falling[allowed], math.inf) if allowed < len(falling) else 0.0


def coverage(answerable: Sequence[Outcome], threshold: float) -> float:
    """Share of answerable questions that are accepted with the right passage."""
    return sum(one.right and one.score >= threshold for one in answerable) / len(answerable)


def acceptance(scores: Sequence[float], threshold: float) -> float:
    """Share of scores that reach the threshold."""
    return sum(score >= threshold for score in scores) / len(scores)
