"""Reports of agreement: text for the terminal, JSON for programs, one static HTML page for readers."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from bench.agreement import (
    LEAST_LABELS,
    MEASURES,
    Pair,
    confusion,
    corrected_rate,
    counts_by_cluster,
    f1,
    interval,
    label_kappa,
    precision,
    recall,
    wilson,
)
from bench.judge_charts import Bar, bars, matrix
from bench.judge_eval import JUDGE, Table
from bench.records import LABELS
from bench.webpage import page

SCHEMA = "judge-agreement/1"

type Data = dict[str, object]


def agreement(pairs: Sequence[Pair], given: Mapping[str, int]) -> Data:
    """Return the agreement of paired labels as plain data; `given` counts the labels of all verdicts."""
    clusters = counts_by_cluster(pairs)
    total = sum(given.values())
    corrected = corrected_rate(pairs, given.get("FABRICATED", 0), total)
    return {
        "schema": SCHEMA,
        "pairs": len(pairs),
        "verdicts": total,
        "confusion": [[*key, count] for key, count in sorted(confusion(pairs).items())],
        "measures": {
            name: [_rounded(rule(_sum(clusters))), *map(_rounded, interval(clusters, rule))]
            for name, rule in MEASURES.items()
        },
        "kappa_over_labels": _rounded(label_kappa(pairs)),
        "labels": {
            label: {
                "precision": _rounded(precision(pairs, label)),
                "recall": _rounded(recall(pairs, label)),
                "f1": _rounded(f1(pairs, label)),
            }
            for label in LABELS
        },
        "languages": {
            lang: _language([pair for pair in pairs if pair.lang == lang])
            for lang in sorted({pair.lang for pair in pairs})
        },
        "flagged": [given.get("FABRICATED", 0), *map(_rounded, wilson(given.get("FABRICATED", 0), total))],
        "corrected": None
        if corrected is None
        else [_rounded(value) for value in (corrected.rate, corrected.low, corrected.high)],
    }


def _sum(clusters: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(row[column] for row in clusters) for column in range(4))


def _language(pairs: Sequence[Pair]) -> list[object]:
    hits = sum((pair.truth == "CORRECT_GROUNDED") == (pair.given == "CORRECT_GROUNDED") for pair in pairs)
    return [len(pairs), _rounded(hits / len(pairs)), *map(_rounded, wilson(hits, len(pairs)))]


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def as_json(data: Data) -> str:
    """Return the report as canonical JSON."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def agreement_text(pairs: Sequence[Pair], data: Data) -> Iterator[str]:
    """Yield the lines of the report for a terminal."""
    yield f"{data['pairs']} of {data['verdicts']} verdicts have a human label"
    counts = confusion(pairs)
    yield f"{'human \\ judge':18}" + "".join(f"{label[:11]:>13}" for label in LABELS)
    for truth in dict.fromkeys(truth for truth, _ in sorted(counts)):
        yield f"{truth:18}" + "".join(f"{counts.get((truth, label), 0):>13,}" for label in LABELS)
    for name, values in _entries(data["measures"]):
        yield f"{name}: {_span(values)}"
    yield f"kappa over labels: {_figure(data['kappa_over_labels'])}"
    for label, values in _entries(data["labels"]):
        yield f"{label}: " + ", ".join(f"{name} {_figure(value)}" for name, value in _entries(values))
    for lang, values in _entries(data["languages"]):
        count, *rate = values
        yield f"language {lang or '-'}: accuracy {_span(rate)} of {count}"
    yield f"flagged FABRICATED: {_span(data['flagged'], first=0)}"
    yield _corrected(data["corrected"])


def _corrected(value: object) -> str:
    if not isinstance(value, list):
        return f"fabrication rate: not estimated (needs {LEAST_LABELS} human labels of both kinds)"
    return f"fabrication rate corrected for the judge's errors: {_span(value)}"


def _entries(value: object) -> list[tuple[str, list[object]]]:
    return list(value.items()) if isinstance(value, dict) else []


def _figure(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "-"


def _span(values: object, first: int = 3) -> str:
    row = list(values) if isinstance(values, list) else []
    head = _figure(row[0]) if first else f"{row[0]:,}"
    return f"{head} ({_figure(row[1])} to {_figure(row[2])})"


def agreement_page(pairs: Sequence[Pair], data: Data) -> str:
    """Return the report as a page with its confusion matrix and bars by language."""
    languages = [
        Bar(f"{lang or 'unknown'} ({values[0]})", *map(_known, values[1:4]))
        for lang, values in _entries(data["languages"])
    ]
    measures = [Bar(name, *map(_known, values)) for name, values in _entries(data["measures"])]
    parts = [f"<p>{escape(line)}</p>" for line in (f"{data['pairs']} pairs", _corrected(data["corrected"]))]
    parts += ["<h2>Labels</h2>", matrix(confusion(pairs)), "<h2>Measures</h2>", bars("Agreement", measures)]
    parts += ["<h2>Accuracy by language</h2>", bars("Accuracy by language", languages)]
    return page("Agreement of the judge with people", "\n".join(parts))


def _known(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def eval_page(tables: Sequence[Table]) -> str:
    """Return measured tables as a page: bars of every grader for each set and language."""
    parts = []
    for table in tables:
        low, high = table.intervals["balanced accuracy"]
        rows = [
            Bar(grader, figures["balanced accuracy"], *((low, high) if grader == JUDGE else ()))
            for grader, figures in table.graders.items()
        ]
        title = f"{table.name}, {table.lang or 'any language'}: balanced accuracy on {table.count:,} answers"
        counts = {(key.split()[0], key.split()[1]): count for key, count in table.confusion.items()}
        parts += [f"<h2>{escape(title)}</h2>", bars(title, rows), matrix(counts)]
    return page("The judge measured", "\n".join(parts))
