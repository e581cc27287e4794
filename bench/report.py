"""The report of `bench retrieval`: one HTML file with tables and static SVG, no script, nothing to load.

Equal figures and equal settings give equal bytes. What the figures mean is `grading`'s concern, how the
pictures are drawn `charts`'.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bench import charts
from bench.charts import Line, percent
from bench.grading import COLUMNS, Figures, mean
from bench.results import OWN, RATES, Measurement

STYLES = Path(__file__).with_name("report.css")
PEER_STYLES = 8
SHOWN_RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Rates of the table beside the curves."""
BARS: Mapping[str, str] = {"recall_1": "R@1", "coverage_1": "Coverage at ≤ 1 % false accepts"}
"""Figure -> heading of its bars."""
NO_BEST = frozenset({"near_miss", "realised"})
"""Figures in which a system that answers nothing comes first."""

MEANINGS = (
    (
        "R@1, R@3, MRR@10",
        "the right passage comes first, is among three, the mean of 1 / its rank; on the whole set",
    ),
    ("AUROC", "how often an answerable question outscores an unanswerable one"),
    (
        "cov@5%, cov@1%",
        "answerable questions that are accepted with the right passage, at the threshold that lets 5 % or "
        "1 % of the unanswerable ones pass",
    ),
    ("near-miss", "questions accepted at that 1 % threshold while only their own paragraph is hidden"),
    (
        "conformal FA, conformal cov",
        "unanswerable questions accepted, and coverage, at a 1 % threshold calibrated on other articles",
    ),
)
"""Columns and what they say, in percent."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How the figures were made.

    load: of the machine before and after, over a minute. versions: by system. sets: passages and questions of
    each.
    """

    command: str
    python: str
    machine: str
    load: tuple[float, float]
    versions: Mapping[str, str]
    sets: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Row:
    """A system in the report: its class in the style sheet and what it reached on each set."""

    name: str
    style: str
    by_set: Mapping[str, Measurement]

    @property
    def own(self) -> bool:
        return self.name.startswith(OWN)

    def mean(self) -> Figures:
        return mean([one.figures for one in self.by_set.values()])

    def mean_line(self) -> Line:
        columns = zip(*(one.curve for one in self.by_set.values()), strict=True)
        return Line(self.name, self.style, tuple(sum(column) / len(column) for column in columns))


def page(found: Sequence[Measurement], reasons: Mapping[str, str], setting: Setting) -> str:
    """Return the report; `reasons` say by system why it has no figures."""
    rows = _rows(found)
    sets = list(dict.fromkeys(one.set_name for one in found))
    parts = [*_head(rows, sets), *_curves(rows, sets), *_bars(rows, sets), *_every_figure(rows, sets)]
    parts += _setting(setting, reasons)
    style = STYLES.read_text(encoding="utf-8").strip()
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Retrieval with refusal</title>\n<style>\n{style}\n</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _rows(found: Sequence[Measurement]) -> list[_Row]:
    table: dict[str, dict[str, Measurement]] = {}
    for one in found:
        table.setdefault(one.system, {})[one.set_name] = one
    own = [name for name in table if name.startswith(OWN)]
    peers = [name for name in table if name not in own]
    styles = {name: f"own-{place % 2}" for place, name in enumerate(own)}
    styles |= {name: f"peer-{place % PEER_STYLES}" for place, name in enumerate(peers)}
    rows = [_Row(name, styles[name], table[name]) for name in [*own, *peers]]
    return sorted(rows, key=lambda row: (-row.mean().coverage_1, row.name))


def _head(rows: Sequence[_Row], sets: Sequence[str]) -> Iterator[str]:
    yield "<h1>Retrieval with refusal</h1>"
    asked = f"{len(sets)} sets of questions ({escape(', '.join(sets))})"
    yield f"<p>{len(rows)} systems on {asked}. All figures are in percent.</p>"
    yield "<h2>Means over the sets</h2>"
    means = [row.mean() for row in rows]
    cells = [
        [str(len(row.by_set)), *(_figure(one, name, means) for name in COLUMNS)]
        for row, one in zip(rows, means, strict=True)
    ]
    heads = ["sets", *COLUMNS.values()]
    yield _table("Means over the sets a system ranked; the best of a column in bold", heads, rows, cells)
    yield "<ul>"
    yield from (f"<li><b>{escape(names)}</b>: {escape(meaning)}.</li>" for names, meaning in MEANINGS)
    yield "</ul>"


def _curves(rows: Sequence[_Row], sets: Sequence[str]) -> Iterator[str]:
    yield "<h2>Coverage against false accepts</h2>"
    yield (
        "<p>A lower threshold answers more questions and lets more of those pass that the documents do not "
        "answer. The dotted lines stand at 1 % and 5 %.</p>"
    )
    lines = [row.mean_line() for row in rows]
    description = "; ".join(f"{line.name} {_at(line.coverages, 0.01)} % at 1 %" for line in lines)
    texts = ("Coverage against false accepts, means over the sets", description)
    yield _wide("Chart of the means", charts.curves("curve-mean", texts, RATES, lines))
    heads = [f"{100 * rate:g} %" for rate in SHOWN_RATES]
    cells = [[_at(line.coverages, rate) for rate in SHOWN_RATES] for line in lines]
    yield _table("Coverage at shares of unanswerable questions let pass", heads, rows, cells)
    yield "<h3>Each set</h3>"
    yield _legend(rows)
    yield '<div class="panels">'
    for name in sets:
        some = [row for row in rows if name in row.by_set]
        lines = [Line(row.name, row.style, row.by_set[name].curve) for row in some]
        texts = (
            f"Coverage against false accepts, {name}",
            "The numbers are in the table that follows the charts.",
        )
        chart = charts.small_curves(f"curve-{name}", texts, RATES, lines)
        yield f"<figure><figcaption>{escape(name)}</figcaption>{chart}</figure>"
    yield "</div>"
    heads = [f"{name}, {rate}" for name in sets for rate in ("1 %", "5 %")]
    cells = [
        [
            _at(row.by_set[name].curve, rate) if name in row.by_set else "–"
            for name in sets
            for rate in charts.MARKED
        ]
        for row in rows
    ]
    yield _table("Coverage of each set at 1 % and at 5 %", heads, rows, cells)


def _bars(rows: Sequence[_Row], sets: Sequence[str]) -> Iterator[str]:
    named = [(row.name, row.style) for row in rows]
    for figure, heading in BARS.items():
        values = {
            name: [getattr(row.by_set[name].figures, figure) if name in row.by_set else None for row in rows]
            for name in sets
        }
        yield f"<h2>{escape(heading)}, each set</h2>"
        texts = (
            f"{heading} of each system on each set",
            "The numbers stand at the bars and in the table below.",
        )
        yield _wide(f"Bars of {heading}", charts.bars(f"bars-{figure}", texts, named, values))
        columns = [[_figure_of(row, name, figure, rows) for name in sets] for row in rows]
        yield _table(f"{heading}; the best of a set in bold", list(sets), rows, columns)


def _every_figure(rows: Sequence[_Row], sets: Sequence[str]) -> Iterator[str]:
    yield "<h2>Every figure</h2>"
    for name in sets:
        some = [row for row in rows if name in row.by_set]
        figures = [row.by_set[name].figures for row in some]
        cells = [[_figure(one, column, figures) for column in COLUMNS] for one in figures]
        table = _table(f"All columns, {name}", list(COLUMNS.values()), some, cells)
        yield f"<details><summary>{escape(name)}</summary>{table}</details>"


def _setting(setting: Setting, reasons: Mapping[str, str]) -> Iterator[str]:
    yield "<h2>How it was measured</h2>"
    yield f"<p><code>{escape(setting.command)}</code></p>"
    before, after = setting.load
    yield (
        f"<p>{escape(setting.python)} on {escape(setting.machine)}; load {before:.1f} at the start, "
        f"{after:.1f} at the end. No figure depends on speed: equal code, engines and questions give equal "
        "figures.</p>"
    )
    yield "<ul>"
    for name, (passages, questions) in setting.sets.items():
        yield f"<li>{escape(name)}: {passages:,} passages, {questions:,} questions</li>"
    yield "</ul>\n<ul>"
    for name, version in setting.versions.items():
        yield f"<li>{escape(name)}: {escape(version)}</li>"
    for name, reason in reasons.items():
        yield f"<li>{escape(name)}: {escape(reason)}</li>"
    yield "</ul>"


def _table(caption: str, heads: Sequence[str], rows: Sequence[_Row], cells: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in ("system", *heads))
    body = "".join(
        f'<tr{" class=own" if row.own else ""}><th scope="row">{escape(row.name)}</th>'
        + "".join(text if text.startswith("<td") else f"<td>{text}</td>" for text in texts)
        + "</tr>"
        for row, texts in zip(rows, cells, strict=True)
    )
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return _wide(caption, f"<table><caption>{escape(caption)}</caption>{inner}</table>")


def _wide(name: str, inner: str) -> str:
    return f'<div class="wide" role="region" tabindex="0" aria-label="{escape(name)}">{inner}</div>'


def _legend(rows: Sequence[_Row]) -> str:
    items = "".join(
        '<li><svg viewBox="0 0 28 12" aria-hidden="true">'
        f'<path class="line {row.style}" d="M0 6H28"/></svg>{escape(row.name)}</li>'
        for row in rows
    )
    return f'<ul class="legend">{items}</ul>'


def _figure(one: Figures, column: str, among: Sequence[Figures]) -> str:
    value = getattr(one, column)
    best = column not in NO_BEST and value == max(getattr(other, column) for other in among)
    return f"<td class=best>{percent(value)}</td>" if best else f"<td>{percent(value)}</td>"


def _figure_of(row: _Row, name: str, column: str, rows: Sequence[_Row]) -> str:
    if name not in row.by_set:
        return "–"
    return _figure(
        row.by_set[name].figures, column, [one.by_set[name].figures for one in rows if name in one.by_set]
    )


def _at(coverages: Sequence[float], rate: float) -> str:
    return percent(coverages[RATES.index(rate)])
