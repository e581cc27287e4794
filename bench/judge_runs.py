"""Judging a stream of items: in order whatever the number of processes, in constant memory.

A verdict line holds id, language, cluster, label, rationale and the whole decision as canonical JSON.
"""

import json
import multiprocessing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.judge_code import Verdict, judge
from bench.judging.examination import Policy
from bench.records import Item, RecordError

BATCH = 32  # items a process is given at a time
TEXTS = frozenset({".md", ".txt"})


@dataclass(frozen=True, slots=True)
class Judged:
    """An item with its verdict."""

    item: Item
    verdict: Verdict

    def to_json(self) -> str:
        """Return the verdict line."""
        row = {
            "id": self.item.id,
            "lang": self.item.lang,
            "cluster": self.item.cluster,
            "label": self.verdict.label,
            "rationale": self.verdict.rationale,
            "model": self.verdict.model,
            "prompt_id": self.verdict.prompt_id,
            "decision": self.verdict.decision,
        }
        return json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    @property
    def quotes_fail(self) -> bool:
        """Whether the answer holds a quotation that no text holds."""
        return bool(self.verdict.decision.get("unverified_quotes"))


@dataclass(frozen=True, slots=True)
class Judging:
    """How items are judged; can be sent to another process."""

    policy: Policy
    sources: Mapping[str, str]

    def __call__(self, item: Item) -> Judged:
        """Judge one item against its gold, its own sources and the common ones."""
        verdict = judge(
            item.question,
            item.answer,
            item.gold,
            sources={**self.sources, **item.sources},
            lang=item.lang,
            policy=self.policy,
        )
        return Judged(item, verdict)


def judged(items: Iterable[Item], judging: Judging, jobs: int = 1) -> Iterator[Judged]:
    """Yield the items with their verdicts in the order they come, using `jobs` processes."""
    if jobs <= 1:
        yield from map(judging, items)
        return
    stream = iter(items)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        while batch := list(islice(stream, BATCH * jobs)):
            yield from pool.map(judging, batch, chunksize=BATCH)


def read_sources(folder: Path) -> dict[str, str]:
    """Return the texts of a folder by relative path, in the order of their names; raises `RecordError`."""
    if not folder.is_dir():
        raise RecordError(f"there is no folder “{folder.name}”", "name a folder of .md or .txt files")
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in TEXTS and path.is_file():
            name = path.relative_to(folder).as_posix()
            try:
                found[name] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise RecordError("the text is not UTF-8", "save as UTF-8", name) from error
    return found
