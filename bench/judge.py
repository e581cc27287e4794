"""`python -m bench judge COMMAND`: judge items, explain and compare verdicts, measure the judge.

Exit codes: 0 done, 1 a gate failed, 2 input or usage is wrong (with file and line). Only this module of the
judge's bench writes to the terminal and to files.
"""

import itertools
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from bench import explain, fit, judge_eval, judge_report, timing
from bench.agreement import Pair, mcnemar
from bench.judge_code import FIXTURES, judge_batch
from bench.judge_runs import Judged, Judging, judged, read_sources
from bench.judging.examination import Policy
from bench.judging.nli import ModelError, named
from bench.records import LABELS, Labelled, RecordError, read_items, read_labels
from cairn_core.errors import CairnError

SETS = Path(__file__).with_name("sets")


def run(options: Namespace) -> int:
    """Judge every item and write one verdict a line."""
    judging = Judging(_policy(options), read_sources(options.sources) if options.sources else {})
    failed = 0
    gates = set(filter(None, options.fail_on.split(",")))
    if gates - set(LABELS):
        raise RecordError(f"no label is called “{min(gates - set(LABELS))}”", f"use {', '.join(LABELS)}")
    lines = judged(read_items(options.items), judging, options.jobs)
    failed = _write_verdicts(lines, options, gates)
    if failed:
        sys.stderr.write(f"{failed} answers fail the gate\n")
    return 1 if failed else 0


def _write_verdicts(lines: Iterable[Judged], options: Namespace, gates: set[str]) -> int:
    failed = 0
    out = options.output.open("w", encoding="utf-8", newline="\n") if options.output else sys.stdout
    try:
        for found in lines:
            failed += found.verdict.label in gates or (options.strict_quotes and found.quotes_fail)
            out.write(found.to_json().encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
    finally:
        if options.output:
            out.close()
    return failed


def _policy(options: Namespace) -> Policy:
    return Policy(gold=options.gold, strict_quotes=options.strict_quotes)


def explained(options: Namespace) -> int:
    """Explain the verdicts on one or more items of a file."""
    items = read_items(options.items)
    wanted = [item for item in items if not options.id or item.id in options.id]
    if not wanted:
        raise RecordError(f"no item is called “{options.id[0]}”", location=options.items.name)
    sources = read_sources(options.sources) if options.sources else {}
    found = list(judged(wanted, Judging(_policy(options), sources)))
    if options.html:
        options.html.write_text(
            explain.as_page(found), encoding="utf-8", errors="backslashreplace", newline="\n"
        )
    else:
        _say(line for one in found for line in explain.as_text(one))
    return 0


def compare(options: Namespace) -> int:
    """Tell on which items two files of verdicts differ."""
    first = {row.id: row for row in read_labels(options.first)}
    second = {row.id: row for row in read_labels(options.second)}
    both = [name for name in first if name in second]
    flips: dict[tuple[str, str], list[str]] = {}
    for name in both:
        change = (first[name].label, second[name].label)
        if change[0] != change[1]:
            flips.setdefault(change, []).append(name)
    changed = sum(map(len, flips.values()))
    _say([f"{len(both)} items in both files, {changed} labels differ"])
    for (old, new), names in sorted(flips.items()):
        _say([f"{old} -> {new}: {len(names)} ({', '.join(names[:5])}{' …' if len(names) > 5 else ''})"])
    _say(_by_language(first, second, both))
    if options.labels:
        _say([_better(first, second, {row.id: row.label for row in read_labels(options.labels)})])
    return 1 if options.max_flips is not None and changed > options.max_flips else 0


def _by_language(first: Mapping[str, Labelled], second: Mapping[str, Labelled], both: list[str]) -> list[str]:
    lines = []
    for lang in sorted({first[name].lang for name in both}):
        own = [name for name in both if first[name].lang == lang]
        changed = sum(first[name].label != second[name].label for name in own)
        lines.append(f"language {lang or '-'}: {changed} of {len(own)}")
    return lines


def _better(first: Mapping[str, Labelled], second: Mapping[str, Labelled], truth: Mapping[str, str]) -> str:
    right = [
        (_agree(first[name].label, label), _agree(second[name].label, label))
        for name, label in truth.items()
        if name in first and name in second
    ]
    one = sum(a and not b for a, b in right)
    other = sum(b and not a for a, b in right)
    return (
        f"right in the first alone {one}, in the second alone {other}: McNemar p = {mcnemar(one, other):.4f}"
    )


def _agree(given: str, truth: str) -> bool:
    return (given == "CORRECT_GROUNDED") == (truth == "CORRECT_GROUNDED")


def agree(options: Namespace) -> int:
    """Measure the agreement of verdicts with human labels."""
    verdicts = list(read_labels(options.verdicts))
    truth = {row.id: row for row in read_labels(options.labels)}
    pairs = [
        Pair(
            truth[row.id].label,
            row.label,
            truth[row.id].cluster or row.cluster,
            row.lang or truth[row.id].lang,
        )
        for row in verdicts
        if row.id in truth
    ]
    if not pairs:
        raise RecordError("no verdict has an id of the labels", location=options.labels.name)
    given: dict[str, int] = {}
    for row in verdicts:
        given[row.label] = given.get(row.label, 0) + 1
    data = judge_report.agreement(pairs, given)
    _say(judge_report.agreement_text(pairs, data))
    if options.json:
        options.json.write_text(judge_report.as_json(data), encoding="utf-8", newline="\n")
    if options.html:
        options.html.write_text(judge_report.agreement_page(pairs, data), encoding="utf-8", newline="\n")
    measures = data["measures"]
    kappa = measures["kappa"][0] if isinstance(measures, dict) else None
    return 1 if options.min_kappa is not None and (kappa is None or kappa < options.min_kappa) else 0


def selftest(options: Namespace) -> int:
    """Judge the fixtures that every build must reproduce."""
    verdicts = judge_batch(fixture[:3] for fixture in FIXTURES)
    for fixture, verdict in zip(FIXTURES, verdicts, strict=True):
        _say([f"{'ok  ' if verdict.label == fixture[3] else 'FAIL'} {fixture[3]}: {verdict.rationale}"])
    return int(any(verdict.label != fixture[3] for fixture, verdict in zip(FIXTURES, verdicts, strict=True)))


def evaluate(options: Namespace) -> int:
    """Print the measured tables of every labelled set of a folder."""
    tables: list[judge_eval.Table] = []
    for name, items in judge_eval.sets_in(options.data, options.sample):
        if options.only and name not in options.only:
            continue
        for table in judge_eval.tables(name, items, options.jobs):
            tables.append(table)
            _say(judge_eval.as_text(table))
    if options.html:
        options.html.write_text(judge_report.eval_page(tables), encoding="utf-8", newline="\n")
    if options.json:
        options.json.write_text(judge_eval.as_json(tables), encoding="utf-8", newline="\n")
    missed = [line for table in tables for line in judge_eval.missed(table)]
    _say([f"missed: {line}" for line in missed] or ["every target is met"])
    return 1 if missed and options.check else 0


def timed(options: Namespace) -> int:
    """Measure what judging costs."""
    items = list(itertools.islice(read_items(options.items), options.count))
    times = timing.measured(items)
    _say(timing.as_text(times))
    return 0 if times.within() else 1


def fitted(options: Namespace) -> int:
    """Fit the coefficients of the support score anew."""
    sets = [fit.measured(list(read_items(options.data / f"{name}.jsonl"))) for name in options.sets]
    text = fit.to_json(fit.fit(sets), options.sets)
    if options.output:
        options.output.write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(text)
    return 0


COMMANDS: Mapping[str, Callable[[Namespace], int]] = {
    "run": run,
    "explain": explained,
    "compare": compare,
    "agree": agree,
    "selftest": selftest,
    "eval": evaluate,
    "time": timed,
    "fit": fitted,
}
"""Name -> command, in the order of the reference."""


def parser() -> ArgumentParser:
    """Return the parser of all commands."""
    top = ArgumentParser("python -m bench judge", description="Judge answers without a model.")
    commands = top.add_subparsers(dest="command", required=True, metavar="{" + ",".join(COMMANDS) + "}")
    own = {
        name: commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        for name, command in COMMANDS.items()
    }
    for name in ("run", "explain"):
        own[name].add_argument("items", type=Path, help=".jsonl or .csv of question, answer and gold")
        own[name].add_argument("--sources", type=Path, help="folder of further texts of the corpus")
        own[name].add_argument(
            "--gold", choices=("auto", "text", "answers"), default="auto", help="form of gold"
        )
        own[name].add_argument(
            "--strict-quotes", action="store_true", help="fail on a quotation no text holds"
        )
        own[name].add_argument("--nli-dir", type=Path, help="folder of an ONNX entailment model")
    own["run"].add_argument("-o", "--output", type=Path, help="file of verdicts (default: the terminal)")
    own["run"].add_argument(
        "--fail-on", default="", metavar="LABELS", help="exit 1 if a verdict has one of these"
    )
    own["explain"].add_argument("--id", action="append", default=[], help="item to explain (default: all)")
    for name in ("run", "eval"):
        own[name].add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    own["compare"].add_argument("first", type=Path, help="verdicts")
    own["compare"].add_argument("second", type=Path, help="other verdicts on the same items")
    own["compare"].add_argument("--labels", type=Path, help="human labels of the items")
    own["compare"].add_argument("--max-flips", type=int, help="exit 1 if more labels differ")
    _measuring(own)
    return top


def _measuring(own: Mapping[str, ArgumentParser]) -> None:
    """Add the arguments of the commands that measure."""
    own["agree"].add_argument("verdicts", type=Path, help="verdicts")
    own["agree"].add_argument("labels", type=Path, help="human labels of the items")
    own["agree"].add_argument("--min-kappa", type=float, help="exit 1 below this kappa")
    own["eval"].add_argument("--data", type=Path, default=SETS, help="folder of labelled sets")
    own["eval"].add_argument(
        "--only", action="append", default=[], metavar="SET", help="set to measure (all)"
    )
    own["eval"].add_argument("--sample", type=int, default=0, help="about this many items of each set")
    own["eval"].add_argument("--check", action="store_true", help="exit 1 if a target is missed")
    for name in ("agree", "eval"):
        own[name].add_argument("--json", type=Path, help="file for the figures")
    for name in ("agree", "eval", "explain"):
        own[name].add_argument("--html", type=Path, help="file for a page")
    own["time"].add_argument("--items", type=Path, default=SETS / "begin.jsonl", help="items to judge")
    own["time"].add_argument("--count", type=int, default=300, help="items (default: 300)")
    own["fit"].add_argument("--data", type=Path, default=SETS, help="folder of labelled sets")
    own["fit"].add_argument("--sets", nargs="+", default=["begin", "farstail", "factcheck-gpt"], help="sets")
    own["fit"].add_argument("-o", "--output", type=Path, help="file for the coefficients")


def main(arguments: list[str]) -> int:
    """Run a command; report wrong input on standard error with exit code 2."""
    try:
        options = parser().parse_args(arguments)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 2
    try:
        with named(getattr(options, "nli_dir", None)):
            return COMMANDS[options.command](options)
    except (CairnError, ModelError) as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        sys.stderr.write(f"{error.filename or 'output'}: {error.strerror}\n")
    return 2


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(line.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
