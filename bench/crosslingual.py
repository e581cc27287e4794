"""Questions in one language against passages in another, by each ingredient of the score and by all.

Needs sets that are translations of each other, passage by passage. The lexicon is learnt from the articles of
the other half; it is the builder that learns, as a process of its own. The gate is read off the halves: the
questions to one half of the articles are asked of that half, and must be refused by the other.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench import metrics, squad
from bench.metrics import Outcome
from bench.retrieval import print_row
from bench.squad import Question, QuestionSet
from cairn_core.crosslingual import WEIGHTS, Correspondence, Crosswalk, score
from cairn_core.fields import PassageStatistics
from cairn_core.lexicon import Entries

ROOT = Path(__file__).resolve().parents[1]
LEARN = "import json, sys; from builder.lexicon import learn; print(json.dumps(learn(*json.load(sys.stdin))))"
ALL = "all"
PAIRS = "es-en,ar-en,zh-en"
COLUMNS = ("R@1", "R@3", "AUROC", "cov@5%", "cov@1%")


def main(arguments: list[str]) -> int:
    """Measure, print the table and return 0."""
    parser = ArgumentParser("python -m bench crosslingual", description="Measure search across languages.")
    parser.add_argument("--data", type=Path, required=True, help="folder of xquad.LANG.json files")
    parser.add_argument("--pairs", default=PAIRS, help="languages of questions and passages (%(default)s)")
    options = parser.parse_args(arguments)
    print_row(("questions-passages, by", *COLUMNS))
    for pair in options.pairs.split(","):
        asked, _, searched = pair.partition("-")
        sets = [squad.read(options.data / f"xquad.{lang}.json", lang) for lang in (asked, searched)]
        if len(sets[0].passages) != len(sets[1].passages):
            parser.error(f"{asked} and {searched} are no translations of each other")
        for name, figures in measure(*sets):
            cells = ["-" if figure is None else f"{100 * figure:.1f}" for figure in figures]
            print_row((f"{pair}, {name}", *cells))
    return 0


def measure(asked: QuestionSet, searched: QuestionSet) -> Iterator[tuple[str, list[float | None]]]:
    """Yield the figures of each ingredient and of all; deterministic."""
    lexicons = [_learnt(asked, searched, half) for half in (0, 1)]
    crosswalk = Crosswalk(PassageStatistics(searched.passages))
    found = [
        score(question.text, asked.lang, lexicons[question.document % 2], crosswalk)
        for question in asked.questions
    ]
    for name in WEIGHTS:
        ranks = [_rank(one, question, name) for one, question in zip(found, asked.questions, strict=True)]
        yield name, [metrics.recall(ranks, 1), metrics.recall(ranks, 3), None, None, None]
    ranks = [
        next((at for at, hit in enumerate(one, start=1) if hit.place == question.gold), None)
        for one, question in zip(found, asked.questions, strict=True)
    ]
    yield ALL, [metrics.recall(ranks, 1), metrics.recall(ranks, 3), *_gate(asked, searched, lexicons)]


def _learnt(asked: QuestionSet, searched: QuestionSet, half: int) -> Entries:
    """The lexicon of the articles that are not in a half."""
    pairs = [
        (asked.passages[place].text, searched.passages[place].text)
        for place, number in enumerate(searched.documents)
        if number % 2 != half
    ]
    run = subprocess.run(  # noqa: S603  # the builder of this checkout
        [sys.executable, "-c", LEARN],
        input=json.dumps([pairs, asked.lang, searched.lang]),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
    )
    entries: Mapping[str, Mapping[str, float]] = json.loads(run.stdout)
    return entries


def _rank(found: Sequence[Correspondence], question: Question, ingredient: str) -> int | None:
    """The rank of the right passage by one share of the score."""
    shares = {one.place: share for one in found if (share := dict(one.shares)[ingredient])}
    ranked = sorted(shares, key=lambda place: (-shares[place], place))
    return ranked.index(question.gold) + 1 if question.gold in ranked else None


def _gate(asked: QuestionSet, searched: QuestionSet, lexicons: Sequence[Entries]) -> list[float]:
    places = [[at for at, number in enumerate(searched.documents) if number % 2 == half] for half in (0, 1)]
    crosswalks = [Crosswalk(PassageStatistics([searched.passages[at] for at in own])) for own in places]
    answerable: list[Outcome] = []
    unanswerable: list[float] = []
    for question in asked.questions:
        half = question.document % 2
        own = score(question.text, asked.lang, lexicons[half], crosswalks[half])
        other = score(question.text, asked.lang, lexicons[half], crosswalks[1 - half])
        right = bool(own) and places[half][own[0].place] == question.gold
        answerable.append(Outcome(own[0].score if own else 0.0, right))
        unanswerable.append(other[0].score if other else 0.0)
    at_5, at_1 = (metrics.threshold_for(unanswerable, rate) for rate in (0.05, 0.01))
    return [
        metrics.auroc([one.score for one in answerable], unanswerable),
        metrics.coverage(answerable, at_5),
        metrics.coverage(answerable, at_1),
    ]
