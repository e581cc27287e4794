"""What is found across languages, as a trace: by a lexicon in another language, then in the asker's own.

A passage found in another language often has a translation in the asker's; then that one is quoted. It keeps
the score and the threshold it was found with, and its trace names the passage it translates.
"""

from __future__ import annotations

from cairn_core import crosslingual
from cairn_core.index import Index, Shard
from cairn_core.passage import DocumentRef, Passage
from cairn_core.retrieve import Candidate, Trace
from cairn_core.siblings import counterpart
from cairn_core.text import terms

CORRESPONDENCE = "words across languages"
TRANSLATION = "translation of "

_DIGITS = 9  # of a score, as in `retrieve`


def search(query: str, index: Index, lang: str, other: str, candidates: int) -> Trace:
    """The best passages in `other` for a question in `lang`, whose shard has a lexicon for it.

    matched: stems of the passages that the question's words stand for. ignored: its function words.
    """
    lexicon, shard = index.shards[lang].lexicons[other], index.shards[other]
    passages = crosslingual.crosswalk(shard.statistics)
    threshold = lexicon.calibration.threshold
    found = [
        Candidate(
            shard.passages[one.place],
            (score := round(one.score, _DIGITS)),
            score >= threshold,
            one.matched,
            tuple((name, round(share, _DIGITS)) for name, share in one.shares),
        )
        for one in crosslingual.score(query, lang, lexicon.entries, passages)
    ]
    found.sort(key=lambda candidate: (-candidate.score, candidate.passage.passage_id))
    content = crosslingual.content_words(query, lang)
    held = passages.holders["translation"]
    known = {word for word in content if held.keys() & crosslingual.meant(word, lexicon.entries).keys()}
    unmatched = {term for word in content if word not in known for term in terms(word)}
    ignored = {*terms(query)} - {term for word in content for term in terms(word)}
    return Trace(
        query,
        other,
        threshold,
        tuple(found[:candidates]),
        tuple(sorted({stem for candidate in found for stem in candidate.matched})),
        tuple(sorted(ignored)),
        tuple(sorted(unmatched)),
        CORRESPONDENCE,
    )


def in_own_language(trace: Trace, index: Index, lang: str) -> Trace | None:
    """The accepted candidates of `trace` by their translations in `lang`; None unless the best one has one.

    Candidates of which no translation is certain are left out.
    """
    twins = {candidate: _twin(candidate.passage, index, lang) for candidate in trace.accepted}
    if not twins or not twins[trace.candidates[0]]:
        return None
    shard = index.shards[lang]
    found = [
        Candidate(twin, one.score, one.accepted, _shared(trace.query, twin, shard), one.shares)
        for one, twin in twins.items()
        if twin
    ]
    found.sort(key=lambda candidate: (-candidate.score, candidate.passage.passage_id))
    basis = TRANSLATION + trace.candidates[0].passage.passage_id
    return Trace(
        trace.query, lang, trace.threshold, tuple(found), trace.matched, trace.ignored, trace.unmatched, basis
    )


def _twin(passage: Passage, index: Index, lang: str) -> Passage | None:
    for document in index.translations(passage.document):
        if document.lang == lang:
            return counterpart(passage, _of(passage.document, index), _of(document, index))
    return None


def _of(document: DocumentRef, index: Index) -> list[Passage]:
    return [passage for passage in index.shards[document.lang].passages if passage.document == document]


def _shared(query: str, passage: Passage, shard: Shard) -> tuple[str, ...]:
    asked = {shard.reading(term) for term in terms(query)}
    return tuple(sorted(asked.intersection(terms(passage.text))))
