"""Rounds of visits as medians: a table, a timeline as static SVG, a page; and the bounds between the rows."""

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape

from bench.visits import BROWSERS, STAGES, Round, Visit
from bench.webpage import page

NAMES, WIDTH, ROW, HEAD = 250, 620, 26, 34
"""Pixels: column of names, the longest bar, a row, the legend above the rows."""
COLOURS = ("#3b6ea5", "#6fa8c9", "#b3560e", "#d99a3f", "#5b8f4d", "#8a5a9e")
"""One for each of STAGES."""
HEADS = ("median ms", *STAGES, "total", "warm", "next", "MB", "memory MB", "heap MB")


@dataclass(frozen=True, slots=True)
class Row:
    """The rounds of one variant in one browser, opened over http or from a folder ("file")."""

    browser: str
    variant: str
    origin: str
    rounds: tuple[Round, ...]

    @property
    def name(self) -> str:
        """Return what the tables call it."""
        return f"{self.browser}, {self.variant}, {self.origin}"

    @property
    def cold(self) -> float:
        """Return the median of the first visits, in milliseconds."""
        return statistics.median(found.cold.total for found in self.rounds)

    @property
    def warm(self) -> float:
        """Return the median of the second visits."""
        return statistics.median(found.warm.total for found in self.rounds)

    def stages(self) -> list[float]:
        """Return the stages of the first visit whose total is the median, or the one below it."""
        return list(self.middle().stages)

    def middle(self) -> Visit:
        """Return the first visit in the middle of all by its total."""
        found = sorted((each.cold for each in self.rounds), key=lambda visit: visit.total)
        return found[(len(found) - 1) // 2]


@dataclass(frozen=True, slots=True)
class Bound:
    """That one median is at most `factor` times another; rows are (variant, origin)."""

    browser: str
    one: tuple[str, str]
    other: tuple[str, str]
    factor: float


SNAPSHOT, BYTECODE, STOCK, PAGEFIND = "Cairn, snapshot", "Cairn, bytecode", "stock Pyodide", "Pagefind"
BOUNDS = (
    Bound("Chromium", (SNAPSHOT, "http"), (STOCK, "http"), 0.32),
    Bound("Chromium", (SNAPSHOT, "http"), (PAGEFIND, "http"), 1.6),
    Bound("Firefox", (SNAPSHOT, "http"), (STOCK, "http"), 0.38),
    Bound("WebKitGTK", (SNAPSHOT, "http"), (STOCK, "http"), 0.25),
    *(Bound(name, (SNAPSHOT, "file"), (SNAPSHOT, "http"), 1.3) for name in BROWSERS),
    *(Bound(name, (BYTECODE, "http"), (STOCK, "http"), 0.45) for name in BROWSERS),
)


def table(rows: Sequence[Row]) -> list[str]:
    """Return the lines of the table for the terminal."""
    cells = [["", *HEADS[1:]], *([row.name, *_figures(row)] for row in rows)]
    cells[0][0] = HEADS[0]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(_aligned(line, widths)).rstrip() for line in cells]


def _aligned(line: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
        yield cell.rjust(width) if place else cell.ljust(width)


def _figures(row: Row) -> list[str]:
    middle = row.middle()
    following = statistics.median(found.next_question for found in row.rounds)
    memory = statistics.median(found.memory for found in row.rounds)
    return [
        *(f"{each:.0f}" for each in middle.stages),
        f"{row.cold:.0f}",
        f"{row.warm:.0f}",
        f"{following:.1f}",
        f"{middle.bytes / 1e6:.2f}",
        _known(memory),
        _known(middle.heap),
    ]


def _known(size: float) -> str:
    return f"{size / 1e6:.0f}" if size else "–"


def checked(rows: Sequence[Row]) -> list[tuple[str, bool]]:
    """Return each bound whose two rows were measured as a sentence, and whether it holds."""
    medians = {(row.browser, row.variant, row.origin): row.cold for row in rows}
    found = []
    for bound in BOUNDS:
        one, other = medians.get((bound.browser, *bound.one)), medians.get((bound.browser, *bound.other))
        if one is None or not other:
            continue
        share = one / other
        names = f"{bound.browser}: {' over '.join(bound.one)} / {' over '.join(bound.other)}"
        held = share <= bound.factor
        found.append((f"{names} = {share:.2f} (bound {bound.factor}){'' if held else ' MISSED'}", held))
    return found


def drawing(title: str, rows: Sequence[Row]) -> str:
    """Return the way to the first answer as an SVG: a bar for each row, a part for each stage."""
    longest = max((sum(row.stages()) for row in rows), default=1.0) or 1.0
    told = "; ".join(f"{row.name}: {sum(row.stages()):.0f} ms" for row in rows)
    body = [f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"]
    for place, (stage, colour) in enumerate(zip(STAGES, COLOURS, strict=True)):
        left = NAMES + place * 90
        body.append(f'<rect x="{left}" y="6" width="12" height="12" fill="{colour}"/>')
        body.append(f'<text x="{left + 17}" y="16">{stage}</text>')
    for number, row in enumerate(rows):
        top = HEAD + number * ROW
        body.append(f'<text x="0" y="{top + 15}">{escape(row.name)}</text>')
        body += _bar(row.stages(), top, WIDTH / longest)
    size = (NAMES + WIDTH + 80, HEAD + ROW * len(rows) + 6)
    return (
        f'<svg role="img" viewBox="0 0 {size[0]} {size[1]}" xmlns="http://www.w3.org/2000/svg" '
        'font-size="13" fill="currentColor">\n' + "\n".join(body) + "\n</svg>"
    )


def _bar(stages: Sequence[float], top: int, scale: float) -> Iterator[str]:
    left = float(NAMES)
    for name, spent, colour in zip(STAGES, stages, COLOURS, strict=True):
        width = spent * scale
        if width > 0:
            told = f"<title>{name} {spent:.0f} ms</title>"
            box = f'x="{left:.1f}" y="{top + 2}" width="{width:.1f}" height="{ROW - 8}"'
            yield f'<rect {box} fill="{colour}">{told}</rect>'
        left += width
    yield f'<text x="{left + 8:.1f}" y="{top + 15}">{sum(stages):.0f} ms</text>'


def report(sites: Mapping[str, Sequence[Row]], notes: Sequence[str]) -> str:
    """Return the page: for each site its timeline and its table, then how it was measured."""
    parts = []
    for name, rows in sites.items():
        parts.append(f"<h2>{escape(name)}</h2>")
        parts.append(drawing(f"Way to the first answer, {name}", rows))
        parts.append(_markup(rows))
        parts += (f"<p>{escape(sentence)}</p>" for sentence, _ in checked(rows))
    parts += (f"<p>{escape(note)}</p>" for note in notes)
    return page("Time to the first answer", "\n".join(parts))


def _markup(rows: Sequence[Row]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in HEADS)
    lines = [f"<tr>{head}</tr>"]
    for row in rows:
        cells = "".join(f"<td>{figure}</td>" for figure in _figures(row))
        lines.append(f'<tr><th scope="row">{escape(row.name)}</th>{cells}</tr>')
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def as_json(sites: Mapping[str, Sequence[Row]]) -> str:
    """Return every round of every row as JSON."""
    data = {name: [asdict(row) for row in rows] for name, rows in sites.items()}
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
