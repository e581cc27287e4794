"""A comparison as lines for a terminal, as JSON, and as one page that needs nothing else."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builder.compare import AnswerChange, Comparison, DocumentChange, PassageChange
from builder.report import counted
from cairn_core.answer import Answer
from cairn_core.index import DocumentRef, Passage
from cairn_core.language import direction

FORMAT = 1
TEMPLATE = "differences.html"
KINDS = ("added", "changed", "moved", "removed")
SIGNS: Mapping[str, str] = {"added": "+", "changed": "~", "moved": ">", "removed": "-"}


def lines(found: Comparison) -> Iterator[str]:
    """Yield every difference, under a heading for each kind of thing, then how many there are."""
    yield f"old {found.old}"
    yield f"new {found.new}"
    parts: list[tuple[str, Iterator[str]]] = [
        ("Documents", map(_document_line, found.documents)),
        ("Passages", (line for change in found.passages for line in _passage_lines(change))),
        ("Addresses that lead nowhere any more", (_address(one.url, one.anchor) for one in found.anchors)),
        ("Thresholds", (f"{one.lang}  {_number(one.old)} -> {_number(one.new)}" for one in found.thresholds)),
        ("Answers", (line for change in found.answers for line in _answer_lines(change))),
    ]
    for title, listed in parts:
        inside = list(listed)
        if inside:
            yield from ("", title, *inside)
    yield ""
    yield summary(found)


def summary(found: Comparison) -> str:
    """Return the numbers of differences in one line."""
    documents = counted(len(found.documents), "document")
    passages = counted(len(found.passages), "passage")
    dead = counted(len(found.anchors), "dead address").replace("addresss", "addresses")
    moved = counted(len(found.thresholds), "threshold")
    asked = counted(found.questions, "question")
    answers = f"{len(found.answers)} of {asked} answered otherwise"
    return f"{documents}, {passages}, {dead}, {moved}; {answers}"


def to_json(found: Comparison) -> dict[str, object]:
    """Return the comparison as plain JSON, as `docs/reference/diff.schema.json` describes it."""
    return {
        "format": FORMAT,
        "old": found.old,
        "new": found.new,
        "documents": [
            {"change": one.kind, "old": _ref(one.old), "new": _ref(one.new)} for one in found.documents
        ],
        "passages": [
            {"change": one.kind, "old": _passage(one.old), "new": _passage(one.new)} for one in found.passages
        ],
        "anchors": [{"url": one.url, "anchor": one.anchor} for one in found.anchors],
        "thresholds": [{"lang": one.lang, "old": one.old, "new": one.new} for one in found.thresholds],
        "asked": found.questions,
        "answers": [
            {"lang": one.lang, "question": one.question, "old": _answer(one.old), "new": _answer(one.new)}
            for one in found.answers
        ],
    }


def page(found: Comparison) -> str:
    """Return the comparison as one HTML page without scripts, links or anything from elsewhere."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template(TEMPLATE)
    return template.render(found=found, summary=summary(found), kinds=_by_kind(found), direction=direction)


def _by_kind(found: Comparison) -> Mapping[str, list[PassageChange]]:
    return {kind: listed for kind in KINDS if (listed := [one for one in found.passages if one.kind == kind])}


def _document_line(change: DocumentChange) -> str:
    one = change.new or change.old
    if one is None:
        return ""
    was = f"  was {change.old.url}" if change.kind == "moved" and change.old else ""
    return f"{SIGNS[change.kind]} {change.kind:<8} {one.doc_id}  {one.title}{was}"


def _passage_lines(change: PassageChange) -> Iterator[str]:
    ids = " -> ".join(dict.fromkeys(one.passage_id for one in (change.old, change.new) if one))
    yield f"{SIGNS[change.kind]} {change.kind:<8} {ids}"
    if change.kind == "moved":
        return
    for sign, one in (("-", change.old), ("+", change.new)):
        if one:
            yield from (f"    {sign} {line}" for line in one.text.split("\n"))


def _answer_lines(change: AnswerChange) -> Iterator[str]:
    yield f"{change.lang}  {change.question}"
    for sign, answer in (("-", change.old), ("+", change.new)):
        if not answer.sources:
            yield f"    {sign} refused"
        for source in answer.sources:
            yield f"    {sign} {source.source_id}"
            yield from (f"    {sign}   {line}" for line in source.text.split("\n"))


def _address(url: str, anchor: str) -> str:
    return f"{url}#{anchor}" if anchor else url


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"


def _ref(one: DocumentRef | None) -> dict[str, str] | None:
    return None if one is None else {"id": one.doc_id, "title": one.title, "lang": one.lang, "url": one.url}


def _passage(one: Passage | None) -> dict[str, str] | None:
    if one is None:
        return None
    return {"id": one.passage_id, "section": one.section, "anchor": one.anchor, "text": one.text}


def _answer(answer: Answer) -> dict[str, object]:
    sources: Iterable[dict[str, str]] = (
        {"id": one.source_id, "title": one.title, "lang": one.lang, "text": one.text}
        for one in answer.sources
    )
    return {"kind": answer.kind, "sources": list(sources)}
