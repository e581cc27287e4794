"""Static SVG charts: curves of coverage against false acceptance, and bars. Equal numbers give equal bytes.

Colours and fonts are classes that the page's style sheet fills: `own` and `peer` with a number, `axis` and
others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

MARKED = (0.01, 0.05)
"""Rates with a line of their own."""
LABEL_GAP = 16.0
A_ROW = 6
"""Panels of bars beside each other."""
NAMES, PANEL, BAR, HEAD = 170, 122, 20, 26
"""Pixels: column of names, width of a panel, height of a bar's line, height of a panel's heading."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where curves are drawn: width and height of the picture, and the margins around the axes."""

    width: int
    height: int
    left: int
    right: int
    top: int = 14
    bottom: int = 34

    def x(self, share: float) -> float:
        """Return the place of a share of the horizontal axis."""
        return self.left + share * (self.width - self.left - self.right)

    def y(self, share: float) -> float:
        """Return the place of a share of the vertical axis, 1 at the top."""
        return self.height - self.bottom - share * (self.height - self.bottom - self.top)


LARGE = Frame(900, 490, 52, 215, top=28)
SMALL = Frame(290, 220, 44, 12)


@dataclass(frozen=True, slots=True)
class Line:
    """One system: its name, its class in the style sheet, its coverage at each rate."""

    name: str
    style: str
    coverages: tuple[float, ...]


def curves(ident: str, texts: tuple[str, str], rates: Sequence[float], lines: Sequence[Line]) -> str:
    """Draw lines with their names at the ends; `texts` are the title and the description."""
    body = [*_axes(LARGE, rates), *_drawn(LARGE, rates, lines), *_names(LARGE, lines)]
    body.append(_text(LARGE.left, 12, "label", "answerable questions answered with the right passage"))
    body.append(_text(LARGE.x(0.5), LARGE.height - 2, "label middle", "unanswerable questions let pass"))
    return _svg(ident, texts, (LARGE.width, LARGE.height), body)


def small_curves(ident: str, texts: tuple[str, str], rates: Sequence[float], lines: Sequence[Line]) -> str:
    """Draw lines without names, for one of several charts that share a legend."""
    body = [*_axes(SMALL, rates), *_drawn(SMALL, rates, lines)]
    return _svg(ident, texts, (SMALL.width, SMALL.height), body)


def bars(
    ident: str,
    texts: tuple[str, str],
    rows: Sequence[tuple[str, str]],
    panels: Mapping[str, Sequence[float | None]],
) -> str:
    """Draw a panel for each set with a bar for each row, a name and a class; None is drawn as a dash."""
    width = NAMES + PANEL * min(A_ROW, max(1, len(panels)))
    tall = HEAD + BAR * len(rows) + 14
    body: list[str] = []
    for place, (name, values) in enumerate(panels.items()):
        left, top = NAMES + PANEL * (place % A_ROW), tall * (place // A_ROW)
        if place % A_ROW == 0:
            body += [
                _text(NAMES - 10, top + HEAD + BAR * row + 14, f"label end {style}", label)
                for row, (label, style) in enumerate(rows)
            ]
        body.append(_text(left, top + 16, "heading", name))
        body += _panel(left, top + HEAD, rows, values)
    height = tall * ((len(panels) + A_ROW - 1) // A_ROW)
    return _svg(ident, texts, (width, height), body)


def percent(share: float) -> str:
    """Return a share of 1 as a number of hundredths with one decimal."""
    return f"{100 * share:.1f}"


def _panel(
    left: float, top: float, rows: Sequence[tuple[str, str]], values: Sequence[float | None]
) -> Iterator[str]:
    room = PANEL - 46
    bottom = top + BAR * len(rows)
    yield f'<path class="axis" d="M{left} {top}V{bottom}"/>'
    for row, ((_, style), value) in enumerate(zip(rows, values, strict=True)):
        y = top + BAR * row
        if value is not None:
            size = f'x="{left}" y="{y + 3}" width="{room * value:.1f}" height="{BAR - 6}"'
            yield f'<rect class="bar {style}" {size}/>'
        shown = "–" if value is None else percent(value)
        yield _text(left + room * (value or 0) + 4, y + 14, "value", shown)


def _axes(frame: Frame, rates: Sequence[float]) -> Iterator[str]:
    last = rates[-1]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = frame.y(share)
        yield f'<path class="grid" d="M{frame.x(0):.1f} {y:.1f}H{frame.x(1):.1f}"/>'
        yield _text(frame.left - 6, y + 4, "label end", f"{100 * share:.0f} %")
    for rate in MARKED:
        yield f'<path class="mark" d="M{frame.x(rate / last):.1f} {frame.y(0):.1f}V{frame.y(1):.1f}"/>'
    for rate in (*MARKED, 0.1, 0.15, 0.2):
        if rate <= last:
            yield _text(frame.x(rate / last), frame.y(0) + 15, "label middle", f"{100 * rate:.0f} %")
    yield f'<path class="axis" d="M{frame.x(0):.1f} {frame.y(1):.1f}V{frame.y(0):.1f}H{frame.x(1):.1f}"/>'


def _drawn(frame: Frame, rates: Sequence[float], lines: Sequence[Line]) -> Iterator[str]:
    for line in reversed(lines):  # the first lies on top
        points = [
            f"{frame.x(rate / rates[-1]):.1f} {frame.y(share):.1f}"
            for rate, share in zip(rates, line.coverages, strict=True)
        ]
        yield f'<path class="line {line.style}" d="M{"L".join(points)}"/>'


def _names(frame: Frame, lines: Sequence[Line]) -> Iterator[str]:
    falling = sorted(lines, key=lambda line: (-line.coverages[-1], line.name))
    ends = [frame.y(line.coverages[-1]) for line in falling]
    for line, end, place in zip(falling, ends, _spread(ends, frame.y(0)), strict=True):
        x = frame.x(1)
        yield f'<path class="leader {line.style}" d="M{x:.1f} {end:.1f}L{x + 16:.1f} {place:.1f}"/>'
        yield _text(x + 20, place + 4, f"label {line.style}", f"{line.name} {percent(line.coverages[-1])}")


def _spread(ends: Sequence[float], bottom: float) -> list[float]:
    """Move places apart, from the top down and then back from the bottom up."""
    places = list(ends)
    for upper, lower in pairwise(range(len(places))):
        places[lower] = max(places[lower], places[upper] + LABEL_GAP)
    if places and places[-1] > bottom:
        places[-1] = bottom
        for lower, upper in pairwise(range(len(places) - 1, -1, -1)):
            places[upper] = min(places[upper], places[lower] - LABEL_GAP)
    return places


def _text(x: float, y: float, classes: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}">{escape(text)}</text>'


def _svg(ident: str, texts: tuple[str, str], size: tuple[int, int], body: Sequence[str]) -> str:
    title, description = (escape(text) for text in texts)
    width, height = size
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-labelledby="{ident}-title {ident}-desc">'
        f'<title id="{ident}-title">{title}</title><desc id="{ident}-desc">{description}</desc>'
        f"{''.join(body)}</svg>"
    )
