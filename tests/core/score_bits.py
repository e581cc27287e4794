"""Writes the bits of every score: a program of its own, so that several Pythons can run it.

Reads `task.json` (shards; questions as pairs of language and text) in the current folder, where `cairn_core`
is too, and writes `bits.txt`: a line for each question, scorer and candidate.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, ".")
from cairn_core.index import Index, Shard  # the folder has to be on the path first
from cairn_core.retrieve import SCORERS, retrieve


def lines(task: dict[str, list[str]]) -> Iterator[str]:
    index = Index.of(Shard.from_json(shard) for shard in task["shards"])
    for lang, question in task["questions"]:
        for scorer in SCORERS:
            trace = retrieve(question, index, threshold=0.5, candidates=10, lang=lang, scorer=scorer)
            for candidate in trace.candidates:
                shares = " ".join(value.hex() for _, value in candidate.shares)
                yield f"{scorer} {candidate.passage.passage_id} {candidate.score.hex()} {shares}\n"


Path("bits.txt").write_text(
    "".join(lines(json.loads(Path("task.json").read_text(encoding="utf-8")))), encoding="utf-8"
)
