"""Milliseconds a question takes, over corpora of a given size made from the sentences of a set."""

import random
import statistics
import time
from collections.abc import Iterator, Sequence

from bench.squad import QuestionSet
from cairn_core.analysis import sentences
from cairn_core.index import DocumentRef, Index, Passage, build_shard
from cairn_core.retrieve import SCORERS, retrieve

QUESTIONS = 200
LENGTH = 800
"""Characters of a passage, as far as whole sentences allow."""
A_DOCUMENT = 5
"""Passages of a document."""


def lines(named: tuple[str, QuestionSet], sizes: Sequence[int]) -> Iterator[str]:
    """Processor time of each scorer at each size: median, 95th percentile, and the first question."""
    name, one = named
    asked = [question.text for question in one.questions][:: max(1, len(one.questions) // QUESTIONS)]
    for size in sizes:
        index = Index.of([build_shard(one.lang, recombined(one, size))])
        for scorer in SCORERS:
            spent = [_milliseconds(question, index, scorer) for question in asked]
            later = sorted(spent[1:])
            yield (
                f"{name} {size} passages, {scorer}: median {statistics.median(later):.1f} ms, "
                f"95 % {later[int(0.95 * len(later))]:.1f} ms, first {spent[0]:.0f} ms"
            )


def recombined(one: QuestionSet, size: int) -> list[Passage]:
    """Passages of sentences drawn from the set at random, always the same."""
    drawn = random.Random(size)  # noqa: S311  # text for timing, no secrets
    pool = [sentence for passage in one.passages for sentence in sentences(passage.text.replace("\n", " "))]
    passages: list[Passage] = []
    for place in range(size):
        text = drawn.choice(pool)
        while len(text) < LENGTH:
            text = f"{text} {drawn.choice(pool)}"
        number = place // A_DOCUMENT
        reference = DocumentRef(f"made-{number:05}", ".", one.lang, f"made-{number}", f"{number}.html")
        passages.append(Passage(reference, place % A_DOCUMENT + 1, "", "", text, "p"))
    return passages


def _milliseconds(question: str, index: Index, scorer: str) -> float:
    start = time.process_time()
    retrieve(question, index, threshold=0.5, candidates=8, scorer=scorer)
    return 1000 * (time.process_time() - start)
