"""What a ranker is asked and answers, the same for our scorers and for other programs.

A task says which passages of a set are searched and which questions are asked. How tasks are drawn and graded
is `retrieval`'s concern.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.squad import QuestionSet
from cairn_core import strictness
from cairn_core.index import Index, Shard, build_shard
from cairn_core.nearmiss import NearMiss
from cairn_core.retrieve import Trace, retrieve


@dataclass(frozen=True, slots=True)
class Task:
    """Places of the passages searched, numbers of the questions asked, and how many passages are wanted."""

    places: tuple[int, ...]
    questions: tuple[int, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage by its place in the set, and its score; higher is better."""

    place: int
    score: float


type Ranking = Sequence[Hit]
"""The best first, at most as many as were wanted; empty when nothing is found."""

type Ranker = Callable[[QuestionSet, Sequence[Task]], Iterable[Sequence[Ranking]]]
"""Answers the tasks in order, each with a ranking for every question of it."""


NEXT_TO_NOTHING = 1e-6
"""What strict mode leaves of the scores of a question that it refuses: they rank, and reach no threshold."""


def own(scorer: str, model: NearMiss | None = None) -> Ranker:
    """Return the ranker of one of our scorers, in strict mode with a model."""

    def rank(one: QuestionSet, tasks: Sequence[Task]) -> Iterator[list[Ranking]]:
        places = {passage.passage_id: place for place, passage in enumerate(one.passages)}
        for task in tasks:
            shard = build_shard(one.lang, [one.passages[place] for place in task.places])
            traces = (
                _trace(one.questions[number].text, shard, scorer, task.depth) for number in task.questions
            )
            yield [
                [
                    Hit(places[hit.passage.passage_id], factor * hit.score)
                    for hit in trace.candidates[: task.depth]
                ]
                for trace, factor in ((trace, _factor(trace, shard, model)) for trace in traces)
            ]

    return rank


def _trace(question: str, shard: Shard, scorer: str, depth: int) -> Trace:
    return retrieve(
        question, Index.of([shard]), threshold=1.0, candidates=max(depth, strictness.DEPTH), scorer=scorer
    )


def _factor(trace: Trace, shard: Shard, model: NearMiss | None) -> float:
    judgement = strictness.judged(trace, shard, model, 1).near_miss if model else None
    return NEXT_TO_NOTHING if judgement and judgement.is_near_miss else 1.0
