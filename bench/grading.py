"""Figures of a ranker on a set of questions whose passages are known.

Ranking is measured on the whole set. For the gate, random halves of the articles are taken away, both ways,
three times: the questions to what was taken must be refused. Statistics are counted anew on what is kept.
Coverage is the share of answerable questions accepted with the right passage, at the threshold that lets 5 %
or 1 % of the unanswerable ones pass. The conformal columns calibrate on the questions to half of the articles
and are read off the other half. A near miss has its own paragraph hidden and the rest of the article kept.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench import metrics
from bench.metrics import Outcome
from bench.ranking import Hit, Ranker, Ranking, Task
from bench.squad import QuestionSet
from cairn_core.calibration import conformal_threshold

HALVINGS = 3
SEED = 7
NEAR_MISS_STEP = 4
"""Every fourth paragraph is hidden in turn."""
DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Figures:
    """What one scorer reaches in one language, as shares of 1."""

    recall_1: float
    recall_3: float
    mrr: float
    auroc: float
    coverage_5: float
    coverage_1: float
    near_miss: float
    realised: float
    conformal_coverage: float


COLUMNS: Mapping[str, str] = {
    "recall_1": "R@1",
    "recall_3": "R@3",
    "mrr": "MRR@10",
    "auroc": "AUROC",
    "coverage_5": "cov@5%",
    "coverage_1": "cov@1%",
    "near_miss": "near-miss",
    "realised": "conformal FA",
    "conformal_coverage": "conformal cov",
}
"""Field of `Figures` -> heading."""


@dataclass(frozen=True, slots=True)
class Folds:
    """Pooled over all halvings: answerable questions, then (score, article) of the unanswerable ones."""

    answerable: list[Outcome]
    unanswerable: list[tuple[float, int]]


def measure(one: QuestionSet, rank: Ranker) -> tuple[Figures, Folds]:
    """The figures of a ranker on a set, and the folds they were read off; deterministic."""
    asked = tasks(one)
    ranks: list[int | None] = []
    folds = Folds([], [])
    near_misses: list[float] = []
    for place, (task, rankings) in enumerate(zip(asked, rank(one, asked), strict=True)):
        if place == 0:
            ranks = _ranks(one, task, rankings)
        elif place <= 2 * HALVINGS:
            _sort(folds, one, task, rankings)
        else:
            near_misses += [ranking[0].score if ranking else 0.0 for ranking in rankings]
    return _figures(ranks, folds, near_misses), folds


def _figures(ranks: Sequence[int | None], folds: Folds, near_misses: Sequence[float]) -> Figures:
    refused = [score for score, _ in folds.unanswerable]
    at_5, at_1 = (metrics.threshold_for(refused, rate) for rate in (0.05, 0.01))
    realised, covered = _conformal(folds, 0.01)
    return Figures(
        recall_1=metrics.recall(ranks, 1),
        recall_3=metrics.recall(ranks, 3),
        mrr=metrics.reciprocal_rank(ranks, DEEPEST),
        auroc=metrics.auroc([outcome.score for outcome in folds.answerable], refused),
        coverage_5=metrics.coverage(folds.answerable, at_5),
        coverage_1=metrics.coverage(folds.answerable, at_1),
        near_miss=metrics.acceptance(near_misses, at_1),
        realised=realised,
        conformal_coverage=covered,
    )


def mean(figures: Sequence[Figures]) -> Figures:
    """The mean of each figure over sets."""
    return Figures(**{name: sum(getattr(one, name) for one in figures) / len(figures) for name in COLUMNS})


def halves(documents: Sequence[int], halvings: int = HALVINGS, seed: int = SEED) -> list[frozenset[int]]:
    """Random halves of the documents, each followed by what it leaves."""
    shuffled = sorted(set(documents))
    order = random.Random(seed)  # noqa: S311  # folds, no secrets
    found: list[frozenset[int]] = []
    for _ in range(halvings):
        order.shuffle(shuffled)
        middle = len(shuffled) // 2
        found += [frozenset(shuffled[:middle]), frozenset(shuffled[middle:])]
        shuffled.sort()
    return found


def tasks(one: QuestionSet) -> list[Task]:
    """What a ranker is asked: the whole set, the halves of the articles, each near miss."""
    everything = tuple(range(len(one.questions)))
    found = [Task(tuple(range(len(one.passages))), everything, DEEPEST)]
    for kept in halves(one.documents):
        places = tuple(place for place, number in enumerate(one.documents) if number in kept)
        found.append(Task(places, everything, 1))
    for hidden in range(0, len(one.passages), NEAR_MISS_STEP):
        asked = tuple(number for number in everything if one.questions[number].gold == hidden)
        if asked:
            places = tuple(place for place in range(len(one.passages)) if place != hidden)
            found.append(Task(places, asked, 1))
    return found


def _ranks(one: QuestionSet, task: Task, rankings: Sequence[Ranking]) -> list[int | None]:
    ranks: list[int | None] = []
    for number, ranking in zip(task.questions, rankings, strict=True):
        found = [hit.place for hit in ranking if hit.score > 0]
        gold = one.questions[number].gold
        ranks.append(found.index(gold) + 1 if gold in found else None)
    return ranks


def _sort(folds: Folds, one: QuestionSet, task: Task, rankings: Sequence[Ranking]) -> None:
    places = frozenset(task.places)
    for number, ranking in zip(task.questions, rankings, strict=True):
        question = one.questions[number]
        best = ranking[0] if ranking else Hit(-1, 0.0)
        if question.gold in places:
            folds.answerable.append(Outcome(best.score, best.place == question.gold))
        else:
            folds.unanswerable.append((best.score, question.document))


def _conformal(folds: Folds, alpha: float) -> tuple[float, float]:
    """Realised false acceptance and coverage where each half of the articles calibrates the other."""
    realised: list[float] = []
    covered: list[float] = []
    for half in (0, 1):
        calibrating = [score for score, number in folds.unanswerable if number % 2 != half]
        tested = [score for score, number in folds.unanswerable if number % 2 == half]
        threshold = conformal_threshold(calibrating, alpha)
        realised.append(metrics.acceptance(tested, threshold))
        covered.append(metrics.coverage(folds.answerable, threshold))
    return sum(realised) / 2, sum(covered) / 2
