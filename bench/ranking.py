"""What a ranker is asked and answers, the same for our scorers and for other programs.

A task says which passages of a set are searched and which questions are asked. How tasks are drawn and graded
is `retrieval`'s concern.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.squad import QuestionSet
from cairn_core.index import Index, build_shard
from cairn_core.retrieve import retrieve


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


def own(scorer: str) -> Ranker:
    """Return the ranker of one of our scorers."""

    def rank(one: QuestionSet, tasks: Sequence[Task]) -> Iterator[list[Ranking]]:
        places = {passage.passage_id: place for place, passage in enumerate(one.passages)}
        for task in tasks:
            index = Index.of([build_shard(one.lang, [one.passages[place] for place in task.places])])
            yield [
                [
                    Hit(places[found.passage.passage_id], found.score)
                    for found in retrieve(
                        one.questions[number].text,
                        index,
                        threshold=1.0,
                        candidates=task.depth,
                        scorer=scorer,
                    ).candidates
                ]
                for number in task.questions
            ]

    return rank
