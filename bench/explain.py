"""One verdict for a reader: the answer with its marked spans beside the aligned passage, as text or a page.

The page is static HTML whose texts carry `dir="auto"`, so that Arabic beside English keeps its order.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from bench.judge_runs import Judged
from bench.judging.envelope import unwrap_any
from bench.webpage import page

LEGEND: Mapping[str, str] = {
    "specific": "in no text",
    "cue": "in conflict with the passage",
    "quote": "quotation not verified",
}
"""Kind of a marked span -> what it means."""

_OPEN: Mapping[str, str] = {"specific": "[!", "cue": "[≠", "quote": "[“"}


class Mark(NamedTuple):
    """A span of the answer that a rule names."""

    start: int
    end: int
    kind: str


def marks(decision: Mapping[str, object]) -> list[Mark]:
    """Return the marked spans of a decision in order, none overlapping another."""
    found = [
        Mark(*_span(entry), kind)
        for claim in _rows(decision.get("claims"))
        if claim.get("verdict") not in {"supported", "trivial"}
        for name, kind in (("cues", "cue"), ("specifics", "specific"))
        for entry in _rows(claim.get(name))
    ]
    loose = [row for row in _rows(decision.get("quotes")) if row.get("status") != "verified"]
    found += [Mark(*_span(row), "quote") for row in loose]
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _rows(value: object) -> list[Mapping[str, object]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _span(row: Mapping[str, object]) -> tuple[int, int]:
    span = row.get("span")
    return (int(span[0]), int(span[1])) if isinstance(span, list) else (0, 0)


def pieces(text: str, found: Sequence[Mark]) -> Iterator[tuple[str, str]]:
    """Yield the answer as (text, kind) with "" for what is not marked."""
    end = 0
    for mark in found:
        if mark.start > end:
            yield text[end : mark.start], ""
        yield text[mark.start : mark.end], mark.kind
        end = mark.end
    if end < len(text):
        yield text[end:], ""


def passages(decision: Mapping[str, object]) -> list[str]:
    """Return the passages that claims are aligned with, each once."""
    windows = [claim.get("window") for claim in _rows(decision.get("claims"))]
    quotes = [str(window.get("quote")) for window in windows if isinstance(window, dict)]
    return list(dict.fromkeys(quotes))


def as_text(judged: Judged) -> Iterator[str]:
    """Yield the lines for a terminal."""
    item, verdict = judged.item, judged.verdict
    yield f"{item.id}: {verdict.label}"
    yield verdict.rationale
    yield f"rule: {_rules(verdict.decision)}"
    yield f"question: {item.question}"
    parts = pieces(unwrap_any(item.answer), marks(verdict.decision))
    yield "answer: " + "".join(f"{_OPEN[kind]}{text}]" if kind else text for text, kind in parts)
    for passage in passages(verdict.decision) or [item.gold]:
        yield f"passage: {passage}"
    for claim in _rows(verdict.decision.get("claims")):
        yield f"claim: {claim.get('verdict')} ({claim.get('support')}) {claim.get('text')}"
    yield "[! " + "; [≠ ".join((LEGEND["specific"], LEGEND["cue"])) + "; [“ " + LEGEND["quote"]


def _rules(decision: Mapping[str, object]) -> str:
    fired = decision.get("rules_fired")
    return ", ".join(map(str, fired)) if isinstance(fired, list) else ""


def as_page(items: Sequence[Judged]) -> str:
    """Return an HTML page of explained verdicts."""
    body = "\n".join(line for judged in items for line in _section(judged))
    legend = ", ".join(f'<mark class="{kind}">{escape(text)}</mark>' for kind, text in LEGEND.items())
    return page("Verdicts explained", f"<p>{legend}</p>\n{body}")


def _section(judged: Judged) -> Iterator[str]:
    item, verdict = judged.item, judged.verdict
    lang = f' lang="{escape(item.lang)}"' if item.lang else ""
    yield f"<section>\n<h2><bdi>{escape(item.id)}</bdi>: {verdict.label}</h2>"
    yield f'<p dir="auto">{escape(verdict.rationale)} <code>{escape(_rules(verdict.decision))}</code></p>'
    yield f'<p dir="auto"{lang}><strong>{escape(item.question)}</strong></p>\n<div class="pair">'
    parts = pieces(unwrap_any(item.answer), marks(verdict.decision))
    answer = "".join(
        f'<mark class="{kind}"><bdi>{escape(text)}</bdi></mark>' if kind else escape(text)
        for text, kind in parts
    )
    yield f'<div>\n<h3>Answer</h3>\n<p dir="auto"{lang}>{answer}</p>\n</div>\n<div>\n<h3>Passage</h3>'
    for passage in passages(verdict.decision) or [item.gold]:
        yield f'<blockquote dir="auto">{escape(passage)}</blockquote>'
    yield "</div>\n</div>\n</section>"
