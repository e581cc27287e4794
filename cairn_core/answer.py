"""The two outcomes of a question: a quotation with its sources, or a refusal.

`Answer` checks in its constructor what readers rely on, so that no caller can make an answer nobody can
check. No text is composed here: a grounded answer is passages as they stand, a refusal is the text it was
given.
"""

from __future__ import annotations

from dataclasses import dataclass

from cairn_core.language import direction
from cairn_core.retrieve import Candidate, Trace

KINDS = ("grounded", "refusal")
NEAR = 0.05  # of evidence: passages of one document that close are quoted together (ADR 6)


@dataclass(frozen=True, slots=True)
class Source:
    """A quoted passage with what a page needs to show and link it; fields as in `index.Passage`."""

    source_id: str
    title: str
    lang: str
    text: str
    url: str = ""
    section: str = ""
    layout: str = ""
    direction: str = "ltr"
    reviewed: str = ""

    def to_payload(self) -> dict[str, str]:
        return {
            "id": self.source_id,
            "title": self.title,
            "lang": self.lang,
            "dir": self.direction,
            "text": self.text,
            "url": self.url,
            "section": self.section,
            "layout": self.layout,
            "reviewed": self.reviewed,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """A grounded answer or a refusal, with the trace it rests on.

    lang: the language of the asker as far as messages go; every source states its own. notice: what a reader
    has to know about the quotation, for instance that it is in another language; never part of `text`. Raises
    ValueError for anything that is neither a quotation of accepted candidates nor a refusal without sources.
    """

    kind: str
    text: str
    sources: tuple[Source, ...]
    trace: Trace
    lang: str
    notice: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f'kind "{self.kind}" is neither of {KINDS}')
        if not self.text.strip():
            raise ValueError("an answer without text")
        if self.kind == "refusal":
            if self.sources or self.notice is not None:
                raise ValueError("a refusal has neither sources nor a notice")
            return
        if not self.sources:
            raise ValueError("a grounded answer without sources")
        if self.text != "\n\n".join(source.text for source in self.sources):
            raise ValueError("the text is not the quoted passages")
        accepted = {candidate.passage.passage_id: candidate.passage.text for candidate in self.trace.accepted}
        if any(accepted.get(source.source_id) != source.text for source in self.sources):
            raise ValueError("a source is not an accepted candidate of the trace")

    @property
    def grounded(self) -> bool:
        return self.kind == "grounded"

    @property
    def cited_text(self) -> str:
        """Notice if any, text, and one `[doc.n]` marker a source: the form to copy, print and audit."""
        if not self.grounded:
            return self.text
        marks = " ".join(f"[{source.source_id.replace('#', '.')}]" for source in self.sources)
        head = f"{self.notice}\n\n" if self.notice else ""
        return f"{head}{self.text}\n{marks}"

    def to_payload(self) -> dict[str, object]:
        """The answer as plain JSON values, the same from every caller."""
        return {
            "kind": self.kind,
            "grounded": self.grounded,
            "text": self.text,
            "cited_text": self.cited_text,
            "lang": self.lang,
            "dir": direction(self.lang),
            "notice": self.notice,
            "sources": [source.to_payload() for source in self.sources],
        }


def quoted(trace: Trace, max_passages: int) -> tuple[Candidate, ...]:
    """The accepted candidates to quote, at most `max_passages`.

    Where the scorer tells its shares, those that follow the best are near ties: of its document, and at most
    NEAR below it.
    """
    if max_passages < 1:
        raise ValueError("max_passages must be at least 1")
    accepted = trace.accepted
    if accepted and accepted[0].shares:
        best = accepted[0]
        accepted = tuple(
            one
            for one in accepted
            if one.passage.document == best.passage.document and one.score >= best.score - NEAR
        )
    return accepted[:max_passages]


def compose(
    trace: Trace, *, max_passages: int, refusal_text: str, lang: str, notice: str | None = None
) -> Answer:
    """The `quoted` passages of `trace`, at most `max_passages` (>= 1), or the refusal without any."""
    sources = tuple(_source(candidate) for candidate in quoted(trace, max_passages))
    if not sources:
        return Answer("refusal", refusal_text, (), trace, lang)
    return Answer("grounded", "\n\n".join(source.text for source in sources), sources, trace, lang, notice)


def _source(candidate: Candidate) -> Source:
    passage = candidate.passage
    return Source(
        source_id=passage.passage_id,
        title=passage.title,
        lang=passage.lang,
        text=passage.text,
        url=passage.url,
        section=passage.section,
        layout=passage.layout,
        direction=direction(passage.lang),
        reviewed=passage.document.reviewed,
    )
