"""Random damage to a good corpus: each run ends in a clean check or in located errors, never in a traceback.

`python tests/check/mutate.py --runs 10000` runs many and says how they ended; the tests run some hundreds.
A run is known by its seed, so that one that fails can be run again: --first SEED --runs 1 --keep FOLDER.
"""

import io
import json
import shutil
import sys
import tempfile
import time
import traceback
from argparse import ArgumentParser
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from unicodedata import normalize

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from builder.cli import main as builder_main  # noqa: E402
from builder.corpus import read  # noqa: E402
from builder.lint import rules  # noqa: E402
from builder.problems import Problem  # noqa: E402
from builder.project import load_project  # noqa: E402
from builder.rendering import examine  # noqa: E402
from builder.translations import Source, Translations, passages_hash  # noqa: E402
from tests.check.damage import DAMAGES  # noqa: E402

TODAY = date(2026, 12, 1)
BUILT_EVERY = 25
"""One run in so many also builds the site."""
EVIDENCE_EVERY = 50
"""One run in so many sets thresholds from probes, which takes long."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: what was done, what is wrong with the end ("" for nothing), CPU seconds a document."""

    seed: int
    damages: tuple[str, ...]
    fault: str
    errors: int
    seconds: float


def good_corpus(folder: Path) -> Path:
    """Write the corpus that is damaged, with its ledger and its record of translations."""
    shutil.copytree(ROOT / "tests" / "corpora" / "good", folder)
    examined = examine(read(load_project(folder)))
    digest = passages_hash(examined.documents["pool-en"].passages)
    made = Source("en", digest)
    record = Translations().with_source("pool", "es", made).with_source("pool", "ar", made)
    (folder / "cairn.translations.json").write_text(record.to_json(), encoding="utf-8")
    entries = {
        doc_id: {"passages": one.entry.passages, "retired": ()} for doc_id, one in examined.documents.items()
    }
    text = json.dumps({"format": 1, "documents": entries}, ensure_ascii=False)
    (folder / "cairn.anchors.json").write_text(text, encoding="utf-8")
    return folder


def damaged(good: Path, folder: Path, seed: int) -> tuple[str, ...]:
    """Write the damaged corpus of a seed and say what was done to it."""
    random = Random(seed)  # noqa: S311  a run must be repeatable
    shutil.copytree(good, folder)
    if seed % EVIDENCE_EVERY == 0:
        settings = folder / "cairn.toml"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(text.replace('"contract"', '"evidence"'), encoding="utf-8")
    chosen = tuple(random.choice(sorted(DAMAGES)) for _ in range(random.choice((1, 1, 2, 3))))
    for name in chosen:
        DAMAGES[name](folder, random)
    return chosen


def run(good: Path, folder: Path, seed: int) -> Outcome:
    """Damage the good corpus by a seed, check it (and build it, now and then), and say how that ended."""
    chosen = damaged(good, folder, seed)
    documents = max(1, sum(1 for path in folder.rglob("*.md") if path.is_file()))
    started = time.process_time()
    try:
        report = rules.run(folder, None, TODAY)
        fault = next((said for one in report.problems if (said := misplaced(one, folder))), "")
        errors = len(report.errors)
        seconds = (time.process_time() - started) / documents
        if seed % BUILT_EVERY == 0 and not fault:
            fault = _build(folder, bool(report.errors))
    except Exception:
        return Outcome(seed, chosen, traceback.format_exc(), 0, time.process_time() - started)
    return Outcome(seed, chosen, fault, errors, seconds)


def misplaced(problem: Problem, folder: Path) -> str:
    """Say what is wrong with where a problem is said to be, "" when it stands in a file of the corpus."""
    if problem.path == str(folder):
        return ""
    there = {normalize("NFC", path.relative_to(folder).as_posix()): path for path in folder.rglob("*")}
    path = there.get(problem.path, folder / problem.path)
    if not path.exists() and not path.is_symlink():
        return "" if problem.path in ("cairn.toml", "probes.toml") else f"no such file: {problem}"
    if not path.is_file():
        return ""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    if not 1 <= problem.line <= len(lines):
        return f"no such line of {len(lines)}: {problem}"
    return "" if problem.column >= 1 else f"no such column: {problem}"


def _build(folder: Path, has_errors: bool) -> str:
    out, err = io.StringIO(), io.StringIO()
    site = folder.with_name("site")
    with redirect_stdout(_Stream(out)), redirect_stderr(_Stream(err)):
        code = builder_main([str(folder), "--out", str(site), "--no-engine", "--quiet"])
    shutil.rmtree(site, ignore_errors=True)
    said = err.getvalue()
    if code not in (0, 1) or (code == 1 and not has_errors) or "Traceback" in said:
        return f"the build gave {code} and the check {'' if has_errors else 'no '}errors: {said}"
    return ""


class _Stream(io.TextIOBase):
    """A stream as the command line expects one, kept in memory."""

    def __init__(self, kept: io.StringIO) -> None:
        self._kept = kept

    def reconfigure(self, **_: object) -> None:
        """Take any setting."""

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        return self._kept.write(text)


def main(arguments: list[str]) -> int:
    """Run many and print how they ended; 1 when one ended badly or took over 2 CPU seconds a document."""
    parser = ArgumentParser(
        "tests/check/mutate.py", description="Damage a good corpus many times and check it."
    )
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first run")
    parser.add_argument("--keep", type=Path, help="keep the last damaged corpus in this folder")
    options = parser.parse_args(arguments)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as temporary:
        good = good_corpus(Path(temporary) / "good")
        for seed in range(options.first, options.first + options.runs):
            folder = Path(temporary) / "run" / "corpus"
            outcome = run(good, folder, seed)
            outcomes.append(outcome)
            if outcome.fault:
                print(f"seed {seed}, {', '.join(outcome.damages)}:\n{outcome.fault}")
            if options.keep:
                shutil.copytree(folder, options.keep, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(folder.parent)
    faults = sum(bool(one.fault) for one in outcomes)
    slowest = max(outcomes, key=lambda one: one.seconds)
    kinds = Counter("errors" if one.errors else "clean" for one in outcomes if not one.fault)
    print(
        f"{len(outcomes):,} runs: {kinds['clean']:,} clean, {kinds['errors']:,} with located errors, "
        f"{faults} bad; slowest {slowest.seconds:.2f} CPU s a document (seed {slowest.seed})"
    )
    return int(bool(faults) or slowest.seconds > 2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
