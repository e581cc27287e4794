"""The one entry that answers a question, for every caller.

It bounds the question, settles the language, searches that language and then the whole corpus, and words the
notice or the refusal. Nothing is kept between two questions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cairn_core import across, strictness, urgent
from cairn_core.answer import Answer, compose, quoted
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
from cairn_core.rewording import Reworded, reword
from cairn_core.text import without_marks

MAX_QUESTION = 2000  # code points that are read


@dataclass(frozen=True, slots=True)
class Result:
    """An answer and how it came about.

    attempts: the traces of all searches in order; the last one is the answer's. cut: whether the question was
    longer than MAX_QUESTION and only its beginning was read. reworded: how what was searched differs from the
    question, disclosures: that in sentences for the reader. urgent: the language of `Config.urgent` whose
    words the question holds, or "".
    """

    answer: Answer
    detection: Detection
    attempts: tuple[Trace, ...]
    cut: bool
    reworded: Reworded
    disclosures: tuple[str, ...]
    urgent: str = ""


def ask(
    question: str,
    index: Index,
    cfg: Config,
    *,
    lang: str | None = None,
    interface: str | None = None,
    literal: bool = False,
) -> Result:
    """Answer `question` from `index`.

    lang: the language the asker chose, one of the corpus or of the interface, else ConfigError.
    interface: the language of the page, which decides where the question does not.
    literal: search the words as they are, without glossary and corrections.
    Raises IndexFormatError when a passage to be quoted no longer has the words it was indexed by, PartsNeeded
    when shards or files of them have to be there first.
    """
    chosen, page = _of_this_site(lang, index), _of_this_site(interface, index)
    if lang is not None and chosen is None:
        hint = f"choose one of {', '.join(sorted({*index.language_codes, *INTERFACE_LANGUAGES}))}"
        raise ConfigError(f'"{lang}" is not a language of this site', hint, "lang")
    query, cut = _bounded(question)
    detection = detect(query, index.vocabularies, cfg.default_lang, chosen, page)
    asked = Reworded(query) if literal else reworded(query, index, cfg, detection.lang)
    attempts = _search(asked, query, index, cfg, detection.lang)
    trace = attempts[-1]
    if trace is not attempts[0] and is_evidence(trace, detection.lang):
        asked = Reworded(query)  # another language answers, which was asked as typed
    messages = catalogue(detection.lang)
    help_in = urgent.called(query, cfg.urgent, [detection.lang, messages.code])
    refusal = messages.text("refusal.text", contact=cfg.contact_for(detection.lang))
    if not is_evidence(trace, detection.lang):
        answer = Answer("refusal", refusal, (), trace, messages.code)
        return Result(answer, detection, attempts, cut, asked, _disclosures(asked, messages), help_in)
    passages = [candidate.passage for candidate in quoted(trace, cfg.max_passages)]
    for passage in passages:
        index.shards[passage.lang].verify(passage)
    notice = _across(attempts, _notice(passages, index, detection.lang, messages), messages)
    answer = compose(
        trace, max_passages=cfg.max_passages, refusal_text=refusal, lang=detection.lang, notice=notice
    )
    return Result(answer, detection, attempts, cut, asked, _disclosures(asked, messages), help_in)


def reworded(query: str, index: Index, cfg: Config, lang: str) -> Reworded:
    """`query` as it is searched in `lang`: by the glossary, and corrected where the scorer is `evidence`."""
    shard, glossary = index.shards.get(lang), cfg.glossary.get(lang)
    if shard is None:
        return Reworded(query)
    return reword(query, shard, glossary, spelling=cfg.scorer == "evidence")


def is_evidence(trace: Trace, lang: str) -> bool:
    """Whether the best candidate is accepted and shares more than grammar with the question in `lang`.

    A title such as "When does it start?" shares "when" and "does" with questions about anything; so does an
    address with "how-to" in a language that has no such words.
    """
    return trace.grounded and (bool(trace.basis) or not _only_grammar(trace.candidates[0], lang))


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


def _disclosures(asked: Reworded, messages: Catalogue) -> tuple[str, ...]:
    """What was searched that the reader did not type, in sentences."""
    separator = messages.text("list.separator")
    sentences: list[str] = []
    if asked.expansions:
        added = dict.fromkeys(word for expansion in asked.expansions for word in expansion.words)
        sentences.append(messages.text("notice.expanded", words=separator.join(added)))
    if asked.corrections:
        typed, searched = (separator.join(words) for words in zip(*asked.corrections, strict=True))
        sentences.append(messages.text("notice.corrected", words=searched, typed=typed))
    return tuple(sentences)


def _search(asked: Reworded, query: str, index: Index, cfg: Config, lang: str) -> tuple[Trace, ...]:
    own = _search_in(lang, asked.text, index, cfg)
    if is_evidence(own, lang) or not cfg.cross_language_fallback:
        return (own,)
    if not cfg.calibration and not cfg.near_miss:
        return own, retrieve(
            query, index, threshold=cfg.threshold, candidates=cfg.candidates, scorer=cfg.scorer
        )
    return (own, *_search_others(query, index, cfg, lang))


def _search_others(query: str, index: Index, cfg: Config, lang: str) -> list[Trace]:
    """The other languages by the question's words, then by its lexicons; last, what is found, in `lang`."""

    def clearance(trace: Trace) -> tuple[bool, float]:
        return _clearance(trace, lang)

    index.shards.bring(index.language_codes)
    others = [_search_in(code, query, index, cfg) for code in index.language_codes if code != lang]
    attempts = sorted(others, key=clearance)
    if attempts and is_evidence(attempts[-1], lang):
        translated = across.in_own_language(attempts[-1], index, lang)
        return [*attempts, translated] if translated else attempts
    if cfg.near_miss:  # the model does not know what a lexicon finds
        return attempts
    lexicons = index.shards[lang].lexicons if lang in index.shards else ()
    found = [across.search(query, index, lang, code, cfg.candidates) for code in lexicons]
    return [*attempts, *sorted(found, key=clearance)]


def _search_in(lang: str, query: str, index: Index, cfg: Config) -> Trace:
    strict = cfg.near_miss and lang in index.shards
    trace = retrieve(
        query,
        index,
        threshold=cfg.threshold_for(lang),
        candidates=max(cfg.candidates, strictness.DEPTH) if strict else cfg.candidates,
        lang=lang,
        scorer=cfg.scorer,
    )
    if cfg.near_miss and strict:
        return strictness.judged(trace, index.shards[lang], cfg.near_miss, cfg.candidates)
    return trace


def _clearance(trace: Trace, lang: str) -> tuple[bool, float]:
    """How far a search got past its own language's threshold, to compare searches of several languages."""
    best = trace.candidates[0].score if trace.candidates else 0.0
    return is_evidence(trace, lang), best / trace.threshold


def _across(attempts: Sequence[Trace], notice: str | None, messages: Catalogue) -> str | None:
    """The notice with what the reader has to know of a search across languages."""
    trace = attempts[-1]
    if trace.basis.startswith(across.TRANSLATION):
        found_in = attempts[-2].candidates[0].passage.lang
        return messages.text("notice.sibling", language=messages.language_name(found_in))
    if notice and trace.basis == across.CORRESPONDENCE:
        return messages.text("notice.across", notice=notice)
    return notice


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
