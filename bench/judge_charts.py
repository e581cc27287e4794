"""Static charts: bars with intervals as SVG, a confusion matrix as a table; all text stays text."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from bench.records import LABELS, NOT_CORRECT

ROW = 26
NAMES_WIDTH = 190
BAR_WIDTH = 360


class Bar(NamedTuple):
    """A named value between 0 and 1 with an interval; NaN where there is none."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Return an SVG of horizontal bars; its title and description tell what it shows without seeing it."""
    known = [row for row in rows if not math.isnan(row.value)]
    height = ROW * len(known) + 8
    told = "; ".join(f"{row.name} {row.value:.3f}" for row in known)
    lines = [
        f'<svg role="img" viewBox="0 0 {NAMES_WIDTH + BAR_WIDTH + 70} {height}" '
        f'xmlns="http://www.w3.org/2000/svg" font-size="13" fill="currentColor">',
        f"<title>{escape(title)}</title><desc>{escape(told)}</desc>",
    ]
    for number, row in enumerate(known):
        top = 4 + number * ROW
        length = max(0.0, min(1.0, row.value)) * BAR_WIDTH
        lines.append(f'<text x="0" y="{top + 16}">{escape(row.name)}</text>')
        lines.append(
            f'<rect x="{NAMES_WIDTH}" y="{top + 4}" width="{length:.1f}" height="{ROW - 10}" fill="#3b6ea5"/>'
        )
        if not math.isnan(row.low) and not math.isnan(row.high):
            left, right = (NAMES_WIDTH + max(0.0, edge) * BAR_WIDTH for edge in (row.low, row.high))
            middle = top + ROW / 2 - 1
            lines.append(
                f'<path d="M{left:.1f} {middle}H{right:.1f}M{left:.1f} {middle - 4}v8'
                f'M{right:.1f} {middle - 4}v8" '
                'stroke="currentColor" fill="none"/>'
            )
        lines.append(f'<text x="{NAMES_WIDTH + BAR_WIDTH + 12}" y="{top + 16}">{row.value:.3f}</text>')
    return "\n".join([*lines, "</svg>"])


def matrix(counts: Mapping[tuple[str, str], int]) -> str:
    """Return a confusion matrix as a table, rows the human's label, columns the judge's."""
    truths = [label for label in (*LABELS, NOT_CORRECT) if any(truth == label for truth, _ in counts)]
    head = "".join(f'<th scope="col">{label}</th>' for label in LABELS)
    rows = [f"<tr><td>human \\ judge</td>{head}</tr>"]
    for truth in truths:
        total = sum(counts.get((truth, label), 0) for label in LABELS)
        cells = "".join(_cell(counts.get((truth, label), 0), total, truth == label) for label in LABELS)
        rows.append(f'<tr><th scope="row">{truth}</th>{cells}</tr>')
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _cell(count: int, total: int, agreed: bool) -> str:
    part = count / total if total else 0.0
    colour = "59,110,165" if agreed else "176,72,48"
    return f'<td style="background:rgba({colour},{part * 0.6:.2f})">{count:,}</td>'
