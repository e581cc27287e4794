"""An answer in words for a terminal: the quotation with its source, and on request why it came out so.

Ids inside a right-to-left line are isolated (Unicode Standard Annex 9, FSI and PDI), so that their order on
screen is their own. Changes nothing: the answer is the same with and without an explanation.
"""

from collections.abc import Iterator
from itertools import islice

from builder.thresholds import origin
from cairn_core import across
from cairn_core.answer import Source
from cairn_core.config import Config
from cairn_core.engine import Result
from cairn_core.index import Index
from cairn_core.language import direction
from cairn_core.nearmiss import Judgement
from cairn_core.retrieve import Candidate, Trace

EXCERPT = 88
"""Characters of a candidate's text that are shown."""

_FSI, _PDI = "\u2068", "\u2069"


def answer_lines(result: Result) -> Iterator[str]:
    """Yield what was searched beside the words typed, and the answer: notice, quoted passages with title,
    section, id and address; or the refusal.
    """
    answer = result.answer
    if result.disclosures:
        yield from (*result.disclosures, "")
    if answer.notice:
        yield answer.notice
        yield ""
    if not answer.sources:
        yield from (*answer.text.split("\n"), "")
    for source in answer.sources:
        yield from source.text.split("\n")
        yield f"    {_reference(source)}"
        yield f"    {isolated(source.url, source.lang)}"
        yield ""


def explain_lines(result: Result, index: Index, config: Config) -> Iterator[str]:
    """Yield the language and its basis, every attempt with gate, terms and candidates, the verdicts."""
    detection = result.detection
    yield f"language   {detection.lang}, by {detection.basis}, coverage {detection.coverage:.2f}"
    if result.cut:
        yield "question   cut: only its first characters were read"
    for number, trace in enumerate(result.attempts, start=1):
        yield f"attempt {number}  searched {trace.lang or 'every language'}, threshold {trace.threshold:g}"
        if trace.basis:
            yield f"  {'basis':<10} {trace.basis}"
        if found := across.calibration_of(trace, detection.lang, index, config):
            yield f"  {'gate':<10} {origin(found)}"
        if trace.near_miss:
            yield f"  {'strict':<10} {_strict_verdict(trace.near_miss)}"
        yield from _term_lines(trace)
        yield from _candidate_lines(trace)
    yield (
        f"retrieval  {_retrieval_verdict(result.attempts[-1])}"
        if result.attempts
        else "retrieval  not reached"
    )
    yield f"answer     {_answer_verdict(result)}"


def isolated(text: str, lang: str) -> str:
    """Return the text, isolated when it stands in a line of a right-to-left language."""
    return f"{_FSI}{text}{_PDI}" if direction(lang) == "rtl" else text


def _reference(source: Source) -> str:
    place = f"{source.title}, {source.section}" if source.section else source.title
    return f"{place} {isolated(f'[{source.source_id}]', source.lang)}"


def _term_lines(trace: Trace) -> Iterator[str]:
    for name, terms in (
        ("matched", trace.matched),
        ("ignored", trace.ignored),
        ("unmatched", trace.unmatched),
    ):
        yield f"  {name:<10} {' '.join(terms) or '-'}"


def _candidate_lines(trace: Trace) -> Iterator[str]:
    asked = len({*trace.matched, *trace.ignored, *trace.unmatched})
    for rank, candidate in enumerate(trace.candidates, start=1):
        verdict = "ACCEPT" if candidate.accepted else "reject"
        passage_id = isolated(candidate.passage.passage_id, candidate.passage.lang)
        shared = f"{len(candidate.matched)}/{asked} terms"
        yield f"  {rank:>2}  {candidate.score:.4f} {verdict}  {passage_id}  {shared}"
        if candidate.shares:
            yield f"      {' '.join(f'{name} {share:+.3f}' for name, share in candidate.shares)}"
        yield f"      {_excerpt(candidate)}"


def _excerpt(candidate: Candidate) -> str:
    text = " ".join(candidate.passage.text.split())
    short = text if len(text) <= EXCERPT else "".join(islice(text, EXCERPT - 1)) + "…"
    return isolated(short, candidate.passage.lang)


def _strict_verdict(judgement: Judgement) -> str:
    verdict = "a near miss, refused" if judgement.is_near_miss else "let through"
    likely = f"{judgement.probability:.0%} likely that the best passage does not hold the answer"
    return f"{likely}; limit {judgement.limit:.0%}: {verdict}"


def _retrieval_verdict(trace: Trace) -> str:
    if trace.near_miss and trace.near_miss.is_near_miss:
        return "refused in strict mode: the best passage likely does not hold the answer"
    accepted = len(trace.accepted)
    if accepted:
        return f"{accepted} of {len(trace.candidates)} candidates accepted"
    if trace.candidates:
        return f"below threshold: best {trace.candidates[0].score:.4f} < {trace.threshold:g}"
    return "no passage shares a term with the question"


def _answer_verdict(result: Result) -> str:
    sources = [source.source_id for source in result.answer.sources]
    if not sources:
        return "refused: no evidence"
    left = [
        one.passage.passage_id
        for one in result.attempts[-1].accepted
        if one.passage.passage_id not in sources
    ]
    return f"composed of {', '.join(sources)}" + (f"; left out {', '.join(left)}" if left else "")
