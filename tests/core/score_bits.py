"""Writes the bits of every score: a program of its own, so that several Pythons can run it.

Reads `task.json` (shards; the near-miss model; questions as pairs of language and text) in the current
folder, where `cairn_core` is too, and writes `bits.txt`: a line for each question, scorer or lexicon, and
candidate, and the near-miss probabilities.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, ".")
from cairn_core import across, strictness  # the folder has to be on the path first
from cairn_core.index import Index, Shard
from cairn_core.nearmiss import NearMiss
from cairn_core.retrieve import SCORERS, Trace, retrieve


def candidates(name: str, trace: Trace) -> Iterator[str]:
    for candidate in trace.candidates:
        shares = " ".join(value.hex() for _, value in candidate.shares)
        yield f"{name} {candidate.passage.passage_id} {candidate.score.hex()} {shares}\n"


def lines(task: dict[str, list[str]]) -> Iterator[str]:
    model = NearMiss.from_json(task["model"])
    index = Index.of(Shard.from_json(shard) for shard in task["shards"])
    for lang, question in task["questions"]:
        for scorer in SCORERS:
            trace = retrieve(question, index, threshold=0.5, candidates=10, lang=lang, scorer=scorer)
            yield from candidates(scorer, trace)
        for other in index.shards[lang].lexicons:
            yield from candidates(f"across to {other}", across.search(question, index, lang, other, 10))
        trace = retrieve(
            question, index, threshold=0.1, candidates=strictness.DEPTH, lang=lang, scorer="evidence"
        )
        judged = strictness.judged(trace, index.shards[lang], model, 1)
        if judged.near_miss:
            yield f"near miss {judged.near_miss.probability.hex()} {judged.threshold.hex()}\n"


Path("bits.txt").write_text(
    "".join(lines(json.loads(Path("task.json").read_text(encoding="utf-8")))), encoding="utf-8"
)
