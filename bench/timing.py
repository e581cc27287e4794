"""What judging costs: processor time of an item against a gold of 8 kB, and of importing the judge."""

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.judge_code import judge
from bench.records import Item

GOLD = 8_000  # characters
MEDIAN, P99, IMPORT = 0.005, 0.050, 0.4  # seconds
_IMPORT = (
    "import time; start = time.process_time(); import bench.judge_code; print(time.process_time() - start)"
)


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds: the sorted times of the items, and the best of three imports."""

    items: tuple[float, ...]
    importing: float

    @property
    def median(self) -> float:
        """Return the median time of an item."""
        return statistics.median(self.items)

    @property
    def p99(self) -> float:
        """Return the time that one item in a hundred exceeds."""
        return self.items[min(len(self.items) - 1, int(len(self.items) * 0.99))]

    def within(self) -> bool:
        """Whether all three keep to their bounds."""
        return self.median <= MEDIAN and self.p99 <= P99 and self.importing <= IMPORT


def padded(items: Sequence[Item]) -> list[tuple[str, str, str]]:
    """Return question, answer and a gold of 8 kB: each item's own, filled up with those of its neighbours."""
    found = []
    for place, item in enumerate(items):
        gold, step = item.gold, 1
        while len(gold) < GOLD and step < len(items):
            gold += "\n" + items[(place + step) % len(items)].gold
            step += 1
        found.append((item.question, item.answer, gold[:GOLD]))
    return found


def measured(items: Sequence[Item]) -> Times:
    """Judge every item once against its padded gold.

    Processor time, so that other programs count little, and without garbage collection, as `timeit` has it.
    """
    triples = padded(items)
    for triple in triples[:3]:
        judge(*triple)
    spent = []
    gc.disable()
    try:
        for triple in triples:
            start = time.process_time()
            judge(*triple)
            spent.append(time.process_time() - start)
    finally:
        gc.enable()
    return Times(tuple(sorted(spent)), min(_import_time() for _ in range(3)))


def _import_time() -> float:
    command = [sys.executable, "-c", _IMPORT]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  our own text
    return float(run.stdout)


def as_text(times: Times) -> Iterator[str]:
    """Yield the lines for the terminal."""
    yield f"{len(times.items)} items, gold of {GOLD:,} characters, processor time"
    yield f"median {times.median * 1000:.2f} ms (bound {MEDIAN * 1000:.0f})"
    yield f"p99    {times.p99 * 1000:.2f} ms (bound {P99 * 1000:.0f})"
    yield f"import {times.importing:.3f} s (bound {IMPORT})"
