"""Measured agreement on labelled sets: one table a set and language, the judge beside graders by words alone.

A folder is read for *.jsonl of items with labels and, if there is one, for `xquad` files, from which spans of
other articles are swapped in: such an answer is invented, the own span is not.
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.agreement import (
    MEASURES,
    Pair,
    accuracy,
    balanced_accuracy,
    counts_by_cluster,
    interval,
    kappa,
    precision,
    random_words,
    recall,
)
from bench.judge_runs import Judging, judged
from bench.judging.examination import Policy
from bench.lexical import PEERS
from bench.records import NOT_CORRECT, Item, RecordError, read_items

SCHEMA = "judge-eval/1"
JUDGE = "code judge"
EVAL_DRAWS = 400
SWAPS_SEED = 7


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of one set and language: grader -> measure -> value, and intervals of the judge's."""

    name: str
    lang: str
    count: int
    graders: dict[str, dict[str, float]]
    labels: dict[str, tuple[float, float]] = field(default_factory=dict)
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    confusion: dict[str, int] = field(default_factory=dict)


TARGETS: Sequence[tuple[str, str, str, float]] = (
    ("evouna", "accuracy", ">=", 0.93),
    ("nq301", "accuracy", ">=", 0.80),
    ("nq301", "kappa", ">=", 0.60),
    ("begin", "balanced accuracy", ">=", 0.82),
    ("farstail", "balanced accuracy", ">=", 0.74),
    ("farstail", "FABRICATED precision", ">=", 0.76),
    ("farstail", "FABRICATED recall", ">=", 0.56),
    ("xquad swap", "FABRICATED recall", ">=", 0.97),
    ("xquad swap", "false FABRICATED", "<=", 0.01),
    ("*", "JUDGE_ERROR", "<=", 0.03),
    ("abstention", "ABSTAINED recall", ">=", 0.95),
    ("abstention", "false ABSTAINED", "<=", 0.01),
)
"""Set ("*" is every one), measure, relation and bound that a release of the judge keeps to."""


def sets_in(folder: Path, sample: int = 0) -> Iterator[tuple[str, list[Item]]]:
    """Yield the sets of a folder by name: its .jsonl files, then span swaps of xquad files near it."""
    paths = sorted(folder.glob("*.jsonl"))
    swaps = sorted([*folder.glob("xquad*.json"), *folder.glob("xquad/xquad*.json")])
    swaps = swaps or sorted(folder.parent.glob("xquad/xquad*.json"))
    if not paths and not swaps:
        raise RecordError(f"no labelled set is in “{folder.name}”", "name a folder of .jsonl files")
    for path in paths:
        items = [item for item in read_items(path) if item.label]
        if items:
            yield path.stem, thinned(items, sample)
    for path in swaps:
        yield "xquad swap", thinned(list(swapped(path)), sample)


def thinned(items: list[Item], sample: int) -> list[Item]:
    """Return about `sample` items spread evenly over the set; all of them for 0."""
    if not sample or len(items) <= sample:
        return items
    return [items[place * len(items) // sample] for place in range(sample)]


def swapped(path: Path) -> Iterator[Item]:
    """Yield each question with its own answer span and with one of another article."""
    lang = path.stem.rpartition(".")[2]
    try:
        articles = json.loads(path.read_text(encoding="utf-8"))["data"]
        spans = [
            (article, paragraph["context"], asked["question"], asked["answers"][0]["text"])
            for article, whole in enumerate(articles)
            for paragraph in whole["paragraphs"]
            for asked in paragraph["qas"]
        ]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise RecordError("the file is not in the form of SQuAD", location=path.name) from error
    words = random_words(SWAPS_SEED)
    for number, (article, context, question, own) in enumerate(spans):
        yield Item(f"{lang}-{number}", question, own, context, lang, "CORRECT_GROUNDED", f"{number}")
        for _ in range(100):
            other = spans[next(words) * len(spans) >> 64]
            if other[0] != article and other[3].casefold() not in context.casefold():
                yield Item(
                    f"{lang}-{number}-swap", question, other[3], context, lang, "FABRICATED", f"{number}"
                )
                break


def tables(name: str, items: Sequence[Item], jobs: int = 1) -> Iterator[Table]:
    """Yield the table of each language of a set, the languages in order of their codes."""
    judging = Judging(Policy(), {})
    given = [found.verdict.label for found in judged(items, judging, jobs)]
    for lang in sorted({item.lang for item in items}):
        own = [place for place, item in enumerate(items) if item.lang == lang]
        pairs = [Pair(items[place].label, given[place], items[place].cluster, lang) for place in own]
        yield _table(name, lang, [items[place] for place in own], pairs)


def _table(name: str, lang: str, items: Sequence[Item], pairs: Sequence[Pair]) -> Table:
    graders = {JUDGE: _figures(name, pairs)}
    for peer, grader in PEERS.items():
        theirs = [
            Pair(item.label, "CORRECT_GROUNDED" if grader(item.question, item.answer, item.gold) else "WRONG")
            for item in items
        ]
        graders[peer] = {measure: _figures(name, theirs)[measure] for measure in MEASURES}
    clusters = counts_by_cluster(pairs)
    labels = [label for label in ("WRONG", "FABRICATED", "ABSTAINED") if any(p.truth == label for p in pairs)]
    return Table(
        name,
        lang,
        len(pairs),
        graders,
        {label: (precision(pairs, label), recall(pairs, label)) for label in labels},
        {measure: interval(clusters, rule, EVAL_DRAWS) for measure, rule in MEASURES.items()},
        _counts(pairs),
    )


def _counts(pairs: Iterable[Pair]) -> dict[str, int]:
    found: dict[str, int] = {}
    for pair in pairs:
        key = f"{pair.truth} {pair.given}"
        found[key] = found.get(key, 0) + 1
    return dict(sorted(found.items()))


def _figures(name: str, pairs: Sequence[Pair]) -> dict[str, float]:
    others = [pair for pair in pairs if pair.truth not in {"FABRICATED", NOT_CORRECT}]
    answered = [pair for pair in pairs if pair.truth not in {"ABSTAINED", NOT_CORRECT}]
    return {
        "accuracy": accuracy(pairs),
        "balanced accuracy": balanced_accuracy(pairs),
        "kappa": kappa(pairs),
        "FABRICATED precision": precision(pairs, "FABRICATED"),
        "FABRICATED recall": recall(pairs, "FABRICATED"),
        "false FABRICATED": _rate(others, "FABRICATED"),
        "ABSTAINED recall": recall(pairs, "ABSTAINED"),
        "false ABSTAINED": _rate(answered, "ABSTAINED"),
        "JUDGE_ERROR": _rate(pairs, "JUDGE_ERROR"),
    }


def _rate(pairs: Sequence[Pair], label: str) -> float:
    return sum(pair.given == label for pair in pairs) / len(pairs) if pairs else math.nan


def missed(table: Table) -> list[str]:
    """Return the targets that a table misses, as lines for the reader."""
    figures = table.graders[JUDGE]
    found = []
    for name, measure, relation, bound in TARGETS:
        value = figures[measure]
        if name not in {"*", table.name} or math.isnan(value):
            continue
        if (relation == ">=" and value < bound) or (relation == "<=" and value > bound):
            found.append(f"{table.name} {table.lang}: {measure} {value:.3f}, wanted {relation} {bound}")
    return found


def as_text(table: Table) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"{table.name}, {table.lang or 'any language'}: {table.count:,} answers"
    yield f"  {'':24}{'accuracy':>10}{'balanced':>10}{'kappa':>8}"
    for grader, figures in table.graders.items():
        values = [_number(figures[name]) for name in MEASURES]
        yield f"  {grader:24}{values[0]:>10}{values[1]:>10}{values[2]:>8}"
    spans = [f"{name} {_number(low)} to {_number(high)}" for name, (low, high) in table.intervals.items()]
    yield f"  95 % of {JUDGE}: {', '.join(spans)}"
    for label, (right, found) in table.labels.items():
        yield f"  {label}: precision {_number(right)}, recall {_number(found)}"
    figures = table.graders[JUDGE]
    rates = [
        name
        for name in ("false FABRICATED", "false ABSTAINED", "JUDGE_ERROR")
        if figures[name] == figures[name]
    ]
    yield f"  {', '.join(f'{name} {_number(figures[name])}' for name in rates)}"
    yield ""


def as_json(found: Sequence[Table]) -> str:
    """Return the tables as canonical JSON; a figure that cannot be told is null."""
    rows = [_plain(asdict(table)) for table in found]
    return json.dumps({"schema": SCHEMA, "tables": rows}, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 4)
    return value


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
