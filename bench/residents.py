"""What residents meet beyond clean questions: a typo in the question, near ties among the passages quoted.

Lines of a table for the evidence scorer. One random edit is made in one word of each question, drawn by a
seeded generator: a letter left out, added, replaced or swapped with the one before.
"""

import random
from collections.abc import Iterator, Sequence

from bench.metrics import recall
from bench.squad import QuestionSet
from cairn_core.answer import quoted
from cairn_core.index import Index, build_shard
from cairn_core.retrieve import Trace, retrieve
from cairn_core.rewording import reword
from cairn_core.text import UNSPACED, is_word, pieces

SEED = 11
SHORTEST = 4
MOST = 3
"""Passages quoted at most."""
ANY = 1e-9
"""A threshold that every passage found reaches."""

_LETTERS = {"ARABIC": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "LATIN": "abcdefghijklmnopqrstuvwxyz"}


def typo_lines(name: str, one: QuestionSet) -> Iterator[str]:
    """Yield R@1 of clean questions and of questions with a typo, as typed and corrected."""
    index = Index.of([build_shard(one.lang, one.passages)])
    generator = random.Random(SEED)  # noqa: S311  # edits, no secrets
    clean = [question.text for question in one.questions]
    for kind, asked in (("clean", clean), ("typo", [misspelled(text, generator) for text in clean])):
        corrected = [reword(text, index.shards[one.lang], None, spelling=True) for text in asked]
        changed = sum(bool(reworded.corrections) for reworded in corrected) / len(asked)
        as_typed = _recall(one, [_trace(text, index) for text in asked])
        set_right = _recall(one, [_trace(reworded.text, index) for reworded in corrected])
        yield (
            f"{name:<12}{kind:<8}R@1 as typed {100 * as_typed:.1f}   corrected {100 * set_right:.1f}   "
            f"questions corrected {100 * changed:.1f} %"
        )


def tie_lines(name: str, one: QuestionSet) -> Iterator[str]:
    """Yield how often the right passage is the first, among those quoted, and among the first three."""
    index = Index.of([build_shard(one.lang, one.passages)])
    traces = [_trace(question.text, index) for question in one.questions]
    kept = [[found.passage.passage_id for found in quoted(trace, MOST)] for trace in traces]
    gold = [one.passages[question.gold].passage_id for question in one.questions]
    right = sum(wanted in ids for wanted, ids in zip(gold, kept, strict=True)) / len(gold)
    yield (
        f"{name:<12}R@1 {100 * _recall(one, traces):.1f}   quoted {100 * right:.1f}   "
        f"R@3 {100 * _recall(one, traces, 3):.1f}   passages quoted {sum(map(len, kept)) / len(kept):.2f}"
    )


def misspelled(question: str, generator: random.Random) -> str:
    """Return the question with one edit in one word of at least SHORTEST letters, if it has one."""
    parts = pieces(question)
    places = [
        at
        for at, part in enumerate(parts)
        if is_word(part) and len(part) >= SHORTEST and not UNSPACED.search(part)
    ]
    if not places:
        return question
    at = generator.choice(places)
    word = parts[at]
    place = generator.randrange(1, len(word))
    letter = generator.choice(_LETTERS["ARABIC" if "\u0600" <= word[0] <= "\u06ff" else "LATIN"])
    edits = {
        "left out": word[:place] + word[place + 1 :],
        "swapped": word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :],
        "added": word[:place] + letter + word[place:],
        "replaced": word[:place] + letter + word[place + 1 :],
    }
    parts[at] = edits[generator.choice(list(edits))]
    return "".join(parts)


def _trace(question: str, index: Index) -> Trace:
    return retrieve(question, index, threshold=ANY, candidates=8, scorer="evidence")


def _recall(one: QuestionSet, traces: Sequence[Trace], depth: int = 1) -> float:
    ranks: list[int | None] = []
    for question, trace in zip(one.questions, traces, strict=True):
        found = [candidate.passage.passage_id for candidate in trace.candidates]
        wanted = one.passages[question.gold].passage_id
        ranks.append(found.index(wanted) + 1 if wanted in found else None)
    return recall(ranks, depth)
