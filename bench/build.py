"""What building a site costs: processor time and peak memory per 1,000 documents, the index included.

Runs the builder and, in turns with it, a bare markdown-it-py and Jinja2 loop over the same files
(`peers/markdown_jinja.py`), each as a process of its own. Only the ratio of figures of one run says something
about Cairn; the rest is the machine.
"""

import os
import statistics
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PEER = Path(__file__).with_name("peers") / "markdown_jinja.py"
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds and peak memory in bytes of one process and its children."""

    seconds: float
    memory: int


def main(arguments: list[str]) -> int:
    """Measure, print the table and return 0, or 1 when a program failed."""
    parser = ArgumentParser("python -m bench build", description="Measure what building a site costs.")
    parser.add_argument(
        "corpus", nargs="?", type=Path, default=Path("corpus/demo"), help="folder of the corpus"
    )
    parser.add_argument("--config", type=Path, help="settings file of the corpus")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"runs of each program (default: {ROUNDS})"
    )
    options = parser.parse_args(arguments)
    files = sum(1 for path in options.corpus.rglob("*.md") if path.name.lower() != "readme.md")
    config = ["--config", str(options.config)] if options.config else []
    build = ["-m", "builder", str(options.corpus), "--no-engine", "--quiet", *config, "--out"]
    programs = {
        "bare markdown-it-py + Jinja2": [str(PEER), str(options.corpus)],
        "python -m builder, with index": build,
    }
    try:
        costs = measure(programs, options.rounds)
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.writelines(f"{line}\n" for line in table(costs, files))
    return 0


def measure(programs: dict[str, list[str]], rounds: int) -> dict[str, list[Cost]]:
    """Run every program once a round, in turns; each gets a new folder for its output as the last
    argument."""
    costs: dict[str, list[Cost]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, words in programs.items():
            with tempfile.TemporaryDirectory() as folder:
                costs[name].append(run([sys.executable, *words, str(Path(folder) / "out")]))
    return costs


def run(command: list[str]) -> Cost:
    """Return what a command cost; raises `ChildProcessError` when it fails."""
    process = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    if status:
        raise ChildProcessError(f"exit code {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def table(costs: dict[str, list[Cost]], files: int) -> Iterator[str]:
    """Yield the lines of the table: medians over the rounds, and each program's share of the first one's
    time."""
    yield f"{files:,} files, medians of {max(len(runs) for runs in costs.values())} rounds"
    yield f"{'':32}{'CPU-s / 1,000':>15}{'ratio':>8}{'peak MB':>10}"
    first = 0.0
    for name, runs in costs.items():
        seconds = statistics.median(cost.seconds for cost in runs) * 1000 / max(files, 1)
        memory = statistics.median(cost.memory for cost in runs) / 1e6
        first = first or seconds
        yield f"{name:32}{seconds:15.2f}{seconds / first:8.1f}{memory:10.0f}"
