"""Retrieval with refusal: both scorers, and with --peers search engines of others, over the same questions.

Prints a row for each system and set; `grading` says what the figures are, `report` draws them.
"""

import json
import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import browser, engines, floors, report, residents, results, speed, squad
from bench.grading import COLUMNS, Figures, mean, measure
from bench.ranking import Ranker, own
from bench.results import Measurement
from bench.squad import QuestionSet
from cairn_core.nearmiss import NearMiss
from cairn_core.retrieve import SCORERS

STRICT = "evidence strict"
MODEL = Path(__file__).resolve().parent.parent / "builder" / "near_miss.json"
"""The near-miss model that sites with strict mode get."""

LINES: Mapping[str, Callable[[str, QuestionSet], Iterator[str]]] = {
    "typos": residents.typo_lines,
    "ties": residents.tie_lines,
    "floors": floors.lines,
}
"""Option -> what is measured instead, as lines."""


def shipped_model() -> NearMiss:
    """Return the model of MODEL."""
    return NearMiss.from_json(json.loads(MODEL.read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class System:
    """What is measured: its name, its version in words and as a digest, how it ranks, or why it cannot."""

    name: str
    version: str = ""
    digest: str = ""
    rank: Ranker | None = None
    reason: str = ""


def main(arguments: list[str]) -> int:
    """Measure and print; 1 when a set cannot be read or a file not be written."""
    options = _options(arguments)
    try:
        sets = list(_sets(options))
        if options.time:
            measure_time = browser.lines if options.browser else speed.lines
            for line in measure_time(sets[0], options.sizes):
                print_row((line,))
        elif lines := next((found for name, found in LINES.items() if getattr(options, name)), None):
            for name, one in sets:
                for line in lines(name, one):
                    print_row((line,))
        else:
            _compare(sets, options, " ".join(["python -m bench retrieval", *arguments]))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _compare(sets: Sequence[tuple[str, QuestionSet]], options: Namespace, command: str) -> None:
    load = [os.getloadavg()[0]]
    systems = list(_systems(options))
    found, reasons = _measured(sets, systems, options.results)
    load.append(os.getloadavg()[0])
    for name, by_set in _by_system(found).items():
        print_row((name, "mean", *_cells(mean(list(by_set.values())))))
    for name, reason in reasons.items():
        print_row((name, reason))
    if options.report:
        setting = report.Setting(
            command=command,
            python=f"{platform.python_implementation()} {platform.python_version()}",
            machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
            load=(load[0], load[1]),
            versions={system.name: system.version for system in systems if system.rank},
            sets={name: (len(one.passages), len(one.questions)) for name, one in sets},
        )
        options.report.write_text(report.page(found, reasons, setting), encoding="utf-8")


def _systems(options: Namespace) -> Iterator[System]:
    for scorer in options.scorer or (*SCORERS, STRICT):
        model = shipped_model() if scorer == STRICT else None
        digest = results.digest(results.core_code(), json.dumps(model.to_json() if model else None).encode())
        rank = own("evidence" if model else scorer, model)
        yield System(f"{results.OWN}{scorer}", f"cairn_core {digest}", digest, rank)
    for name, engine in engines.ENGINES.items() if options.peers else ():
        try:
            version = engines.versions(engine)
        except engines.EngineError as error:
            yield System(name, reason=str(error))
            continue
        digest = results.digest(version.encode(), engines.code(engine))
        yield System(name, version, digest, partial(engines.rank, engine))


def _measured(
    sets: Sequence[tuple[str, QuestionSet]], systems: Sequence[System], kept_in: Path | None
) -> tuple[list[Measurement], dict[str, str]]:
    """Measure every system on every set; what the file of results holds is not measured again."""
    kept = {(one.system, one.digest): one for one in results.read(kept_in)} if kept_in else {}
    reasons = {system.name: system.reason for system in systems if system.reason}
    found: list[Measurement] = []
    print_row(("system", "set", *COLUMNS.values()))
    for set_name, one in sets:
        for system in systems:
            key = (system.name, results.digest_on(system.digest, one))
            try:
                measurement = kept.get(key) or _measure(system, set_name, one, key[1])
            except engines.EngineError as error:
                reasons[system.name] = str(error)
                continue
            if measurement:
                found.append(measurement)
                kept[key] = measurement
                print_row((system.name, set_name, *_cells(measurement.figures)))
            if kept_in:
                results.write(kept_in, list(kept.values()))
    return found, reasons


def _measure(system: System, set_name: str, one: QuestionSet, digest: str) -> Measurement | None:
    if not system.rank:
        return None
    figures, folds = measure(one, system.rank)
    return Measurement(system.name, set_name, digest, figures, results.curve(folds))


def _by_system(found: Sequence[Measurement]) -> Mapping[str, Mapping[str, Figures]]:
    table: dict[str, dict[str, Figures]] = {}
    for one in found:
        table.setdefault(one.system, {})[one.set_name] = one.figures
    return table


def _options(arguments: list[str]) -> Namespace:
    parser = ArgumentParser("python -m bench retrieval", description="Measure ranking and refusal.")
    parser.add_argument("--data", type=Path, help="folder of xquad.LANG.json files")
    parser.add_argument("--squad", type=Path, action="append", default=[], help="a file in SQuAD format")
    parser.add_argument("--lang", action="append", help="only these languages; of --squad, its language")
    parser.add_argument("--scorer", action="append", choices=(*SCORERS, STRICT), help="only these scorers")
    parser.add_argument(
        "--peers", action="store_true", help="also measure the search engines of others that are installed"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="write an HTML report with charts")
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="keep the figures there; what it holds is not measured again",
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--typos", action="store_true", help="measure questions with one typo instead")
    other.add_argument("--floors", action="store_true", help="measure sets of few passages instead")
    other.add_argument("--ties", action="store_true", help="measure near ties quoted together instead")
    parser.add_argument("--time", action="store_true", help="measure milliseconds a question instead")
    parser.add_argument("--browser", action="store_true", help="with --time: on built sites in Chromium")
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=[1_000, 10_000],
        help="passages of --time (default: 1000 10000)",
    )
    options = parser.parse_args(arguments)
    if not options.data and not options.squad:
        parser.error("give --data or --squad")
    return options


def _sets(options: Namespace) -> Iterator[tuple[str, QuestionSet]]:
    for path in sorted(options.data.glob("xquad.*.json")) if options.data else ():
        lang = path.suffixes[0][1:]
        if not options.lang or lang in options.lang:
            yield lang, squad.read(path, lang)
    for path in options.squad:
        yield path.stem, squad.read(path, options.lang[0] if options.lang else "en")


def _cells(figures: Figures) -> list[str]:
    return [f"{100 * getattr(figures, name):.1f}" for name in COLUMNS]


def print_row(cells: Sequence[str]) -> None:
    """Write a line of the table, columns of equal width after the name."""
    name, *rest = cells
    sys.stdout.write(f"{name:<26}" + "".join(f"{cell:<14}" for cell in rest).rstrip() + "\n")
    sys.stdout.flush()
