"""The one entry that answers a question, for every caller.

It bounds the question, settles the language, searches that language and then the whole corpus, and words the
notice or the refusal. Nothing is kept between two questions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from cairn_core.answer import Answer, compose
from cairn_core.config import Config
from cairn_core.detection import Detection, detect
from cairn_core.errors import ConfigError
from cairn_core.index import Index
from cairn_core.language import (
    INTERFACE_LANGUAGES,
    Catalogue,
    catalogue,
    has_catalogue,
    primary,
)
from cairn_core.passage import Passage
from cairn_core.retrieve import Candidate, Trace, retrieve
from cairn_core.text import without_marks

MAX_QUESTION = 2000  # code points that are read


@dataclass(frozen=True, slots=True)
class Result:
    """An answer and how it came about.

    attempts: the traces of all searches in order; the last one is the answer's. cut: whether the question was
    longer than MAX_QUESTION and only its beginning was read.
    """

    answer: Answer
    detection: Detection
    attempts: tuple[Trace, ...]
    cut: bool


def ask(
    question: str, index: Index, cfg: Config, *, lang: str | None = None, interface: str | None = None
) -> Result:
    """Answer `question` from `index`.

    lang: the language the asker chose, one of the corpus or of the interface, else ConfigError.
    interface: the language of the page, which decides where the question does not.
    Raises IndexFormatError when a passage to be quoted no longer has the words it was indexed by.
    """
    chosen, page = _of_this_site(lang, index), _of_this_site(interface, index)
    if lang is not None and chosen is None:
        hint = f"choose one of {', '.join(sorted({*index.language_codes, *INTERFACE_LANGUAGES}))}"
        raise ConfigError(f'"{lang}" is not a language of this site', hint, "lang")
    query, cut = _bounded(question)
    detection = detect(query, index.vocabularies, cfg.default_lang, chosen, page)
    attempts = _search(query, index, cfg, detection.lang)
    trace = attempts[-1]
    messages = catalogue(detection.lang)
    refusal = messages.text("refusal.text", contact=cfg.contact_for(detection.lang))
    if not is_evidence(trace, detection.lang):
        return Result(Answer("refusal", refusal, (), trace, messages.code), detection, attempts, cut)
    quoted = [candidate.passage for candidate in trace.accepted[: cfg.max_passages]]
    for passage in quoted:
        index.shards[passage.lang].verify(passage)
    notice = _notice(quoted, index, detection.lang, messages)
    answer = compose(
        trace, max_passages=cfg.max_passages, refusal_text=refusal, lang=detection.lang, notice=notice
    )
    return Result(answer, detection, attempts, cut)


def is_evidence(trace: Trace, lang: str) -> bool:
    """Whether the best candidate is accepted and shares more than grammar with the question in `lang`.

    A title such as "When does it start?" shares "when" and "does" with questions about anything; so does an
    address with "how-to" in a language that has no such words.
    """
    return trace.grounded and not _only_grammar(trace.candidates[0], lang)


def _only_grammar(candidate: Candidate, lang: str) -> bool:
    if candidate.shares and candidate.passage.lang == lang:  # the evidence scorer has weighed grammar itself
        return False
    profiles = [catalogue(code) for code in (lang, candidate.passage.lang) if has_catalogue(code)]
    grammar = frozenset[str]().union(*(profile.function_terms for profile in profiles))
    return all(without_marks(term) in grammar for term in candidate.matched)


def _of_this_site(lang: str | None, index: Index) -> str | None:
    """The language of the corpus or of the interface that `lang` names, by its primary subtag if need be."""
    if lang is None or lang in index.language_codes:
        return lang
    kin = [code for code in index.language_codes if primary(code) == primary(lang)]
    if kin:
        return kin[0]
    return primary(lang) if has_catalogue(lang) else None


def _bounded(question: str) -> tuple[str, bool]:
    """The question as it is read, and whether that is only its beginning."""
    head = question[:MAX_QUESTION]
    clean = "".join(" " if unicodedata.category(char) in {"Cc", "Cs"} else char for char in head)
    unified = unicodedata.normalize("NFKC", clean)
    return unified[:MAX_QUESTION], len(question) > MAX_QUESTION or len(unified) > MAX_QUESTION


def _search(query: str, index: Index, cfg: Config, lang: str) -> tuple[Trace, ...]:
    own = _search_in(lang, query, index, cfg)
    if is_evidence(own, lang) or not cfg.cross_language_fallback:
        return (own,)
    if not cfg.calibration:
        return own, retrieve(
            query, index, threshold=cfg.threshold, candidates=cfg.candidates, scorer=cfg.scorer
        )
    others = [_search_in(code, query, index, cfg) for code in index.language_codes if code != lang]
    return (own, *sorted(others, key=lambda trace: _clearance(trace, lang)))


def _search_in(lang: str, query: str, index: Index, cfg: Config) -> Trace:
    return retrieve(
        query,
        index,
        threshold=cfg.threshold_for(lang),
        candidates=cfg.candidates,
        lang=lang,
        scorer=cfg.scorer,
    )


def _clearance(trace: Trace, lang: str) -> tuple[bool, float]:
    """How far a search got past its own language's threshold, to compare searches of several languages."""
    best = trace.candidates[0].score if trace.candidates else 0.0
    return is_evidence(trace, lang), best / trace.threshold


def _notice(quoted: Iterable[Passage], index: Index, lang: str, messages: Catalogue) -> str | None:
    """What a reader of `lang` has to know about passages in other languages; None when there are none."""
    foreign = [passage for passage in quoted if passage.lang != lang]
    if not foreign:
        return None
    names = dict.fromkeys(messages.language_name(passage.lang) for passage in foreign)
    own = messages.language_name(lang)
    languages = messages.text("list.separator").join(names)
    if len(foreign) > 1:
        return messages.text("notice.several", languages=languages, reader_language=own)
    siblings = {document.lang for document in index.translations(foreign[0].document)}
    key = "notice.translation" if lang in siblings else "notice.gap"
    return messages.text(key, language=languages, reader_language=own)
