"""Milliseconds a question takes and bytes an index has, on corpora of a given size made from sentences."""

import gzip
import json
import random
import statistics
import time
from collections.abc import Iterator, Sequence

from bench.squad import QuestionSet
from cairn_core.analysis import sentences
from cairn_core.index import DocumentRef, Index, Passage, Shard, build_shard, to_canonical_json
from cairn_core.retrieve import SCORERS, retrieve

QUESTIONS = 200
LENGTH, AVERAGE = 800, 130
"""Characters of a passage on average, as far as whole sentences allow, and of a sentence."""
A_DOCUMENT = 5
"""Passages of a document."""


def lines(named: tuple[str, QuestionSet], sizes: Sequence[int]) -> Iterator[str]:
    """Processor time of each scorer at each size: median, 95th percentile, and the first question."""
    name, one = named
    asked = questions(one)
    for size in sizes:
        index = Index.of([build_shard(one.lang, recombined(one, size))])
        yield f"{name} {size} passages, {_bytes(index.whole[one.lang])}"
        for scorer in SCORERS:
            spent = [_milliseconds(question, index, scorer) for question in asked]
            later = sorted(spent[1:])
            yield (
                f"{name} {size} passages, {scorer}: median {statistics.median(later):.1f} ms, "
                f"95 % {later[int(0.95 * len(later))]:.1f} ms, first {spent[0]:.0f} ms"
            )


def questions(one: QuestionSet) -> list[str]:
    """About QUESTIONS of a set's questions, evenly taken."""
    return [question.text for question in one.questions][:: max(1, len(one.questions) // QUESTIONS)]


def _bytes(shard: Shard) -> str:
    """What the index of 1,000 passages takes as gzip: everything, and without the text that is quoted."""
    text = shard.to_json()
    plain = json.loads(text)
    for passage in plain["passages"]:
        passage["text"] = ""
    size = len(shard.passages)
    whole, rest = (
        len(gzip.compress(one.encode(), 9, mtime=0)) / size for one in (text, to_canonical_json(plain))
    )
    letters = sum(len(passage.text) for passage in shard.passages) / size
    parts = f"{whole:.0f} kB gzip, of which {whole - rest:.0f} kB text"
    return f"{letters:.0f} characters each: index of 1,000 {parts}"


def recombined(one: QuestionSet, size: int) -> list[Passage]:
    """Passages of sentences drawn from the set at random, always the same."""
    drawn = random.Random(size)  # noqa: S311  # text for timing, no secrets
    pool = [sentence for passage in one.passages for sentence in sentences(passage.text.replace("\n", " "))]
    passages: list[Passage] = []
    for place in range(size):
        text = drawn.choice(pool)
        while len(text) < LENGTH - AVERAGE // 2:
            text = f"{text} {drawn.choice(pool)}"
        number = place // A_DOCUMENT
        reference = DocumentRef(f"made-{number:05}", ".", one.lang, f"made-{number}", f"{number}.html")
        passages.append(Passage(reference, place % A_DOCUMENT + 1, "", "", text, "p"))
    return passages


def _milliseconds(question: str, index: Index, scorer: str) -> float:
    start = time.process_time()
    retrieve(question, index, threshold=0.5, candidates=8, scorer=scorer)
    return 1000 * (time.process_time() - start)
