"""What is found across languages, as a trace.

A document that exists in the asker's language was searched there, and what was not found there is not found
by way of another language. So a lexicon leads to documents that do not exist in the asker's language; and a
passage that the question's own words find in another language is quoted from its translation in the asker's.
"""

from __future__ import annotations

from collections.abc import Sequence

from cairn_core import crosslingual
from cairn_core.calibration import Calibration
from cairn_core.config import Config
from cairn_core.index import AnyShard, Index
from cairn_core.lexicon import Entries
from cairn_core.passage import DocumentRef, Passage
from cairn_core.retrieve import Candidate, Trace
from cairn_core.siblings import counterpart
from cairn_core.text import terms

CORRESPONDENCE = "words across languages"
TRANSLATION = "translation of "

_DIGITS = 9  # of a score, as in `retrieve`


def search(query: str, index: Index, lang: str, other: str, candidates: int) -> Trace:
    """The best passages in `other` for a question in `lang`, whose shard has a lexicon for it.

    Only of documents that do not exist in `lang`. matched: stems of the passages that the question's words
    stand for. ignored: its function words.
    """
    lexicon, shard = index.shards[lang].lexicons[other], index.shards[other]
    threshold = lexicon.calibration.threshold
    found = [
        Candidate(
            shard.passages[one.place],
            (score := round(one.score, _DIGITS)),
            score >= threshold,
            one.matched,
            tuple((name, round(share, _DIGITS)) for name, share in one.shares),
        )
        for one in correspondences(query, index, lang, other, lexicon.entries)
    ]
    found.sort(key=lambda candidate: (-candidate.score, candidate.passage.passage_id))
    content = crosslingual.content_words(query, lang)
    held = crosslingual.crosswalk(shard.statistics).holders["translation"]
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


def correspondences(
    query: str, index: Index, lang: str, other: str, lexicon: Entries
) -> list[crosslingual.Correspondence]:
    """How well passages in `other` of documents that do not exist in `lang` match, best first."""
    shard, missing = index.shards[other], untranslated(index, lang, other)
    found = crosslingual.score(query, lang, lexicon, crosslingual.crosswalk(shard.statistics))
    return [one for one in found if shard.passages[one.place].doc_id in missing]


def untranslated(index: Index, lang: str, other: str) -> frozenset[str]:
    """The ids of the documents in `other` that do not exist in `lang`."""
    return frozenset(
        document.doc_id
        for family in index.families.values()
        if all(lang not in (one.lang, *(other.lang for other in one.elsewhere)) for one in family)
        for document in family
        if document.lang == other
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
        trace.query,
        lang,
        trace.threshold,
        tuple(found),
        trace.matched,
        trace.ignored,
        trace.unmatched,
        basis,
        trace.near_miss,
    )


def calibration_of(trace: Trace, lang: str, index: Index, cfg: Config) -> Calibration | None:
    """How the gate of a trace of a question in `lang` was found; None where the general threshold holds."""
    if trace.basis == CORRESPONDENCE and trace.lang:
        return index.shards[lang].lexicons[trace.lang].calibration
    if trace.basis.startswith(TRANSLATION):
        doc_id = trace.basis.removeprefix(TRANSLATION).rpartition("#")[0]
        twins = index.translations(trace.candidates[0].passage.document)
        return cfg.calibration_of(next((one.lang for one in twins if one.doc_id == doc_id), None))
    return cfg.calibration_of(trace.lang)


def _twin(passage: Passage, index: Index, lang: str) -> Passage | None:
    for document in index.translations(passage.document):
        if document.lang == lang:
            return counterpart(passage, _of(passage.document, index), _of(document, index))
    return None


def _of(document: DocumentRef, index: Index) -> Sequence[Passage]:
    return index.shards[document.lang].of_document(document)


def _shared(query: str, passage: Passage, shard: AnyShard) -> tuple[str, ...]:
    asked = {shard.reading(term) for term in terms(query)}
    return tuple(sorted(asked.intersection(terms(passage.text))))
