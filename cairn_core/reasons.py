"""Why a question was answered or refused, in sentences for whoever asked.

The reader's own words are sorted by what the search made of them, and the score stands against the threshold.
A refusal names no document: it carries nothing of the corpus.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from cairn_core.engine import Result, is_evidence
from cairn_core.index import Index
from cairn_core.language import Catalogue, catalogue
from cairn_core.retrieve import Candidate, Trace
from cairn_core.text import is_word, pieces, terms, without_marks

SORTS = ("found", "elsewhere", "unknown", "common")
"""What became of a word: in the best passage, in others only, in none, or too common to weigh."""


def reasons(result: Result, index: Index) -> tuple[str, ...]:
    """The sentences, in the language of the answer's messages."""
    trace, messages = _decisive(result), catalogue(result.detection.lang)
    if not trace.candidates:
        return (messages.text("why.nothing"), *_words(trace, index, messages, SORTS[2:]))
    if result.answer.grounded:
        return (*_words(trace, index, messages, SORTS), *_scores(result, messages))
    if trace.grounded and not is_evidence(trace, result.detection.lang):
        return messages.text("why.grammar"), *_words(trace, index, messages, SORTS[2:])
    return (*_words(trace, index, messages, SORTS[2:]), _rating("why.below", trace, messages))


def nearest(result: Result) -> tuple[str, ...]:
    """The ids of the documents that came closest to a question that was refused, best first."""
    if result.answer.grounded:
        return ()
    return tuple(dict.fromkeys(one.passage.doc_id for one in _decisive(result).candidates))


def _decisive(result: Result) -> Trace:
    """What a refusal is told by is the search in the asker's own language, which came first."""
    trace = result.answer.trace
    return trace if result.answer.grounded else next(iter(result.attempts), trace)


def _words(trace: Trace, index: Index, messages: Catalogue, shown: tuple[str, ...]) -> Iterator[str]:
    sorted_words = sort_words(trace, index, messages)
    separator = messages.text("list.separator")
    for sort in shown:
        if words := sorted_words[sort]:
            yield messages.count(f"why.{sort}", len(words), words=separator.join(words))


def sort_words(trace: Trace, index: Index, messages: Catalogue) -> Mapping[str, list[str]]:
    """The words of the question by SORTS, as they are written and as the languages searched spell them, each
    once; words too short to be a term left out.
    """
    found: dict[str, dict[str, str]] = {sort: {} for sort in SORTS}
    best = frozenset(trace.candidates[0].matched) if trace.candidates else frozenset[str]()
    readers = [index.shards[lang].reading for lang in index.shards if trace.lang in (None, lang)]
    for word in filter(is_word, pieces(trace.query)):
        asked = terms(word)
        spelled = {reading(term) for term in asked for reading in readers}.union(asked)
        if not asked:
            continue
        if all(without_marks(term) in messages.function_terms for term in asked):
            sort = "common"
        elif spelled & best:
            sort = "found"
        elif all(term in trace.unmatched for term in asked):
            sort = "unknown"
        else:
            sort = "common" if spelled & frozenset(trace.ignored) else "elsewhere"
        found[sort].setdefault(word.casefold(), word)
    return {sort: list(words.values()) for sort, words in found.items()}


def _scores(result: Result, messages: Catalogue) -> Iterator[str]:
    trace = result.answer.trace
    yield _rating("why.score", trace, messages)
    quoted = {source.source_id for source in result.answer.sources}
    following = next((one for one in trace.candidates if one.passage.passage_id not in quoted), None)
    if following:
        yield messages.text("why.runner_up", title=following.passage.title, score=_points(following.score))


def _rating(key: str, trace: Trace, messages: Catalogue) -> str:
    best: Candidate = trace.candidates[0]
    threshold = _points(trace.threshold, up=not best.accepted)
    return messages.text(key, score=_points(best.score), threshold=threshold)


def _points(score: float, *, up: bool = False) -> str:
    """A score in [0, 1] as points of 100, cut after one digit, so that above and below stay what they are."""
    tenths = math.ceil(score * 1000) if up else math.floor(score * 1000)
    return f"{tenths // 10}.{tenths % 10}"
