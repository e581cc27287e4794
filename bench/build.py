"""What building a site costs: processor time and peak memory, the index included.

The builder makes a site, makes it again unchanged and with one document changed; in turns with it run a bare
markdown-it-py and Jinja2 loop (`peers/markdown_jinja.py`) and a generator with search
(`peers/mkdocs_material.py`, `make peers`), each as processes of their own. Only ratios of figures of one run
say something about Cairn; the rest is the machine.
"""

import os
import shutil
import statistics
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import pages

PEERS = Path(__file__).with_name("peers")
GENERATORS = Path(__file__).parents[1] / ".cache" / "generators" / ("Scripts" if os.name == "nt" else "bin")
ROUNDS = 3

BARE = "bare markdown-it-py + Jinja2"
MATERIAL = "MkDocs Material, pruned"
START = "python, which does nothing"
FULL, AGAIN, ONE = "builder, full", "builder, nothing changed", "builder, one document changed"
WHOLE = (BARE, MATERIAL, FULL)
"""Programs that make every page; the others are not divided by the number of pages."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds of one process and its children, and the peak memory in bytes of the largest."""

    seconds: float
    memory: int


def main(arguments: list[str]) -> int:
    """Measure, print the table and return 0, or 1 when a program failed."""
    parser = ArgumentParser("python -m bench build", description="Measure what building a site costs.")
    parser.add_argument(
        "corpus", nargs="?", type=Path, default=Path("corpus/demo"), help="folder of the corpus"
    )
    parser.add_argument("--config", type=Path, help="settings file of the corpus")
    parser.add_argument("--pages", type=int, default=0, help="make a corpus of so many pages instead")
    parser.add_argument("--bytes", type=int, default=2_000, help="of each page made (default: 2000)")
    parser.add_argument("--scorer", default="evidence", choices=("contract", "evidence"), help="of them")
    parser.add_argument("--jobs", type=int, default=1, help="processes of the builder (default: 1)")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"runs of each program (default: {ROUNDS})"
    )
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "corpus"
            _provide(options, corpus)
            files = len(_documents(corpus))
            costs = measure(corpus, options)
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.writelines(f"{line}\n" for line in table(costs, files))
    return 0


def _provide(options: Namespace, corpus: Path) -> None:
    if options.pages:
        pages.write(corpus, options.pages, options.bytes, options.scorer)
    else:
        shutil.copytree(options.corpus, corpus)


def _documents(corpus: Path) -> list[Path]:
    return sorted(path for path in corpus.rglob("*.md") if path.name.lower() != "readme.md")


def measure(corpus: Path, options: Namespace) -> dict[str, list[Cost]]:
    """Run every program once a round, in turns, each into a new folder."""
    costs: dict[str, list[Cost]] = {}
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, words in _programs(corpus, options, Path(folder)):
                if name == ONE:
                    _edit(corpus, number)
                costs.setdefault(name, []).append(run(words))
    return costs


def _programs(corpus: Path, options: Namespace, folder: Path) -> Iterator[tuple[str, list[str]]]:
    yield START, [sys.executable, "-c", "pass"]
    yield BARE, [sys.executable, str(PEERS / "markdown_jinja.py"), str(corpus), str(folder / "bare")]
    config = ["--config", str(options.config)] if options.config else []
    words = ["-m", "builder", str(corpus), "--no-engine", "--quiet", "--jobs", str(options.jobs), *config]
    for name in (FULL, AGAIN, ONE):
        yield name, [sys.executable, *words, "--out", str(folder / "site")]
    if (GENERATORS / "mkdocs").exists():
        peer = str(PEERS / "mkdocs_material.py")
        yield MATERIAL, [str(GENERATORS / "python"), peer, str(corpus), str(folder / "material")]


def _edit(corpus: Path, number: int) -> None:
    """Add a paragraph to the document in the middle."""
    documents = _documents(corpus)
    with documents[len(documents) // 2].open("a", encoding="utf-8") as stream:
        stream.write(f"\nAdded in round {number}.\n")


def run(command: list[str]) -> Cost:
    """Return what a command cost; raises `ChildProcessError` when it fails."""
    process = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    if status:
        raise ChildProcessError(f"exit code {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def table(costs: dict[str, list[Cost]], files: int) -> Iterator[str]:
    """Yield the lines of the table: medians over the rounds, and each program's share of the bare loop's
    time."""
    yield f"{files:,} files, medians of {max(len(runs) for runs in costs.values())} rounds"
    yield f"{'':32}{'CPU-s':>8}{'CPU-s / 1,000':>15}{'ratio':>8}{'peak MB':>10}"
    bare = statistics.median(cost.seconds for cost in costs[BARE])
    for name, runs in costs.items():
        seconds = statistics.median(cost.seconds for cost in runs)
        memory = statistics.median(cost.memory for cost in runs) / 1e6
        each = f"{seconds * 1000 / max(files, 1):15.2f}" if name in WHOLE else " " * 15
        yield f"{name:32}{seconds:8.2f}{each}{seconds / bare:8.2f}{memory:10.0f}"
    if MATERIAL not in costs:
        yield f"{MATERIAL:32}not installed; type: make peers"
