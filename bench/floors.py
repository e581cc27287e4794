"""What a floor under the threshold does where a language has few passages.

Random sets of PARAGRAPHS passages of each of ARTICLES articles. Near misses have their own passage hidden,
unrelated questions are of other articles.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.grading import SEED
from bench.squad import QuestionSet
from cairn_core.index import Index, build_shard
from cairn_core.retrieve import Candidate, retrieve

ARTICLES, PARAGRAPHS = 6, 4
SETS = 20
FLOORS = (0.12, 0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4)


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of the best passage: right and wrong ones, of near misses, of unrelated questions."""

    right: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)
    near: list[float] = field(default_factory=list)
    unrelated: list[float] = field(default_factory=list)


def lines(name: str, one: QuestionSet) -> Iterator[str]:
    """Yield, for each floor, the shares answered right, answered wrong, and passed of either other kind."""
    scores = Scores()
    generator = random.Random(SEED)  # noqa: S311  # sets, no secrets
    numbers = sorted(set(one.documents))
    for _ in range(SETS):
        kept = frozenset(generator.sample(numbers, ARTICLES))
        _ask(one, kept, frozenset(generator.sample(sorted({*numbers} - kept), 2)), scores)
    answerable = len(scores.right) + len(scores.wrong)
    for floor in FLOORS:
        shares = (
            _passed(scores.right, floor) / answerable,
            _passed(scores.wrong, floor) / answerable,
            _passed(scores.near, floor) / len(scores.near),
            _passed(scores.unrelated, floor) / len(scores.unrelated),
        )
        right, wrong, near, unrelated = (f"{100 * share:.1f}" for share in shares)
        yield f"{name:<6}{floor:<6.2f}right {right}   wrong {wrong}   near {near}   unrelated {unrelated}"


def _passed(scores: list[float], floor: float) -> int:
    return sum(score >= floor for score in scores)


def _ask(one: QuestionSet, kept: frozenset[int], others: frozenset[int], scores: Scores) -> None:
    of_article: dict[int, list[int]] = {}
    for place, number in enumerate(one.documents):
        if number in kept and len(of_article.setdefault(number, [])) < PARAGRAPHS:
            of_article[number].append(place)
    places = [place for own in of_article.values() for place in own]
    hidden = frozenset(own[0] for own in of_article.values())
    whole, fewer = (
        _index(one, [at for at in places if at not in gone]) for gone in (frozenset[int](), hidden)
    )
    for question in one.questions:
        if question.gold in hidden:
            scores.near.append(_score(_best(question.text, fewer)))
        if question.gold in places:
            best = _best(question.text, whole)
            right = best is not None and best.passage.passage_id == one.passages[question.gold].passage_id
            (scores.right if right else scores.wrong).append(_score(best))
        elif question.document in others:
            scores.unrelated.append(_score(_best(question.text, whole)))


def _index(one: QuestionSet, places: list[int]) -> Index:
    return Index.of([build_shard(one.lang, [one.passages[place] for place in places])])


def _best(question: str, index: Index) -> Candidate | None:
    found = retrieve(question, index, threshold=1.0, candidates=1, scorer="evidence").candidates
    return found[0] if found else None


def _score(found: Candidate | None) -> float:
    return found.score if found else 0.0
