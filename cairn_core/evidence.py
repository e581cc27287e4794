"""The evidence scorer: how much of what a passage could show for a question it does show, in [0, 1].

BM25 over words, stems, in-word grams and pairs of stems, each divided by the score of a passage that
saturates every term of the question, terms nobody has included; then the best sentence, the document, and the
lead over other documents. Why these parts with these weights: ADR 6. What is searched and accepted is
`retrieve`'s concern.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from cairn_core.analysis import grams, stem, words
from cairn_core.fields import FIELDS, K1, Statistics, Weighted
from cairn_core.language import catalogue, has_catalogue
from cairn_core.text import without_marks

WEIGHTS: Mapping[str, float] = {"word": 0.15, "stem": 0.3, "gram": 0.45}
PAIR = 0.1
SENTENCE = 0.3  # of the passage's own score
DOCUMENT = 0.15
SENTENCE_B = 0.3  # length normalisation within a sentence
MARGIN = 0.5  # of the best score in another document is taken off
MARGIN_FROM = 40  # passages; below, the lead over other documents says little
RESCORED = 50  # passages whose pairs, sentences and documents are looked at
DIGITS = 9  # logarithms may differ in their last bit between C libraries; a rounded score does not

_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage and what its score is made of; the shares add up to the score unless that is cut at 0."""

    place: int
    score: float
    shares: tuple[tuple[str, float], ...] = ()


class _Sum(NamedTuple):
    """Evidence from content words and from function words; these never count for more than the others."""

    content: float = 0.0
    function: float = 0.0

    @property
    def total(self) -> float:
        return self.content + min(self.content, self.function)

    def times(self, factor: float) -> _Sum:
        return _Sum(self.content * factor, self.function * factor)


class _Term(NamedTuple):
    """A term of the question and what it adds at saturation."""

    field: str
    term: str
    weight: _Sum
    found: Weighted


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as one language's statistics see it."""

    terms: list[_Term]
    hits: Mapping[str, Sequence[int]]  # word of the vocabulary -> which of `terms` it has
    pairs: Mapping[_Pair, _Sum]  # adjacent stems of the question -> what they add
    stems: Mapping[str, str]  # word of the vocabulary -> its stem, where the question has it too
    documents: Mapping[int, _Sum]


def score(question: str, statistics: Statistics, function_words: Collection[str] = ()) -> list[Scored]:
    """The passages with evidence for `question`, best first, ties by place; at most RESCORED.

    function_words: folded words that open no gate by themselves: they add at most what the other words add.
    """
    found = words(question)
    grammar = {word for word in found if without_marks(word) in function_words}
    asked = _asked(found, grammar, statistics)
    fields = {name: _summed(name, asked.terms, statistics.size) for name in FIELDS}
    scored = [_scored(place, fields, asked, statistics) for place in _best(fields, statistics.size)]
    return _with_margin(scored, statistics)


@cache
def grammar(lang: str) -> frozenset[str]:
    """The function words of a language as `score` takes them; none for a language without a catalogue."""
    if not has_catalogue(lang):
        return frozenset()
    listed = " ".join(sorted(catalogue(lang).function_words))
    return frozenset(without_marks(word) for word in words(listed))


def idf(size: int, holders: int) -> float:
    """Inverse document frequency as in BM25, never negative: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return math.log(1 + (size - holders + 0.5) / (holders + 0.5))


def _asked(found: Sequence[str], grammar: Collection[str], statistics: Statistics) -> _Asked:
    terms: list[_Term] = []
    for name, analyse in FIELDS.items():
        counts = _counts(found, grammar, analyse)
        postings = {term: statistics.postings(name, term) for term in counts}
        weights = _weights(counts, postings, statistics.size, WEIGHTS[name])
        terms += [_Term(name, term, weight, postings[term]) for term, weight in weights.items()]
    hits: dict[str, list[int]] = {}
    stems: dict[str, str] = {}
    for number, (name, term, _, _) in enumerate(terms):
        for word in statistics.holders(name, term):
            hits.setdefault(word, []).append(number)
            if name == "stem":
                stems[word] = term
    return _Asked(
        terms, hits, _pairs(found, grammar, statistics), stems, _documents(found, grammar, statistics)
    )


def _counts(
    found: Iterable[str], grammar: Collection[str], analyse: Callable[[str], Sequence[str]]
) -> Mapping[str, _Sum]:
    """Term -> how often content words and function words of the question have it."""
    everywhere: Counter[str] = Counter()
    in_grammar: Counter[str] = Counter()
    for word in found:
        everywhere.update(analyse(word))
        if word in grammar:
            in_grammar.update(analyse(word))
    return {term: _Sum(count - in_grammar[term], in_grammar[term]) for term, count in everywhere.items()}


def _weights(
    counts: Mapping[str, _Sum], postings: Mapping[str, Weighted], size: int, total: float
) -> Mapping[str, _Sum]:
    """Term -> what it adds at saturation; over the question these add up to `total`."""
    rarity = {term: idf(size, len(postings[term].places)) for term in counts}
    ideal = sum((count.content + count.function) * rarity[term] for term, count in counts.items())
    return {term: count.times(rarity[term] * total / ideal) for term, count in counts.items()}


def _pairs(found: Sequence[str], grammar: Collection[str], statistics: Statistics) -> Mapping[_Pair, _Sum]:
    """Adjacent stems -> what they add at saturation; a pair counts as rare as its rarer stem."""
    stems = [stem(word) for word in found]
    holders = {term: len(statistics.postings("stem", term).places) for term in stems}
    raw: dict[_Pair, _Sum] = {}
    ideal = 0.0
    for at, pair in enumerate(zip(stems[:-1], stems[1:], strict=True)):
        rarity = idf(statistics.size, min(holders[pair[0]], holders[pair[1]]))
        only_grammar = found[at] in grammar and found[at + 1] in grammar
        raw[pair] = _Sum(0.0, rarity) if only_grammar else _Sum(rarity, 0.0)
        ideal += rarity
    return {pair: weight.times(PAIR / ideal) for pair, weight in raw.items()}


def _documents(found: Sequence[str], grammar: Collection[str], statistics: Statistics) -> Mapping[int, _Sum]:
    """Number of a document -> the score of its grams, in which documents count as passages do elsewhere."""
    counts = _counts(found, grammar, grams)
    postings = {gram: statistics.document_postings(gram) for gram in counts}
    weights = _weights(counts, postings, statistics.document_count, DOCUMENT)
    content: dict[int, float] = {}
    function: dict[int, float] = {}
    for gram, weight in weights.items():
        for number, saturation in zip(postings[gram].places, postings[gram].weights, strict=True):
            content[number] = content.get(number, 0.0) + weight.content * saturation
            function[number] = function.get(number, 0.0) + weight.function * saturation
    return {number: _Sum(content[number], function[number]) for number in content}


def _summed(name: str, terms: Iterable[_Term], size: int) -> tuple[list[float], list[float]]:
    """What each passage gets in a field, from content words and from function words."""
    content, function = [0.0] * size, [0.0] * size
    for term in terms:
        if term.field == name:
            for into, factor in ((content, term.weight.content), (function, term.weight.function)):
                if factor:
                    for place, saturation in zip(term.found.places, term.found.weights, strict=True):
                        into[place] += factor * saturation
    return content, function


def _best(fields: Mapping[str, tuple[list[float], list[float]]], size: int) -> list[int]:
    contents = [sum(parts) for parts in zip(*(content for content, _ in fields.values()), strict=True)]
    functions = [sum(parts) for parts in zip(*(function for _, function in fields.values()), strict=True)]
    totals = [content + min(content, function) for content, function in zip(contents, functions, strict=True)]
    least = sorted(totals, reverse=True)[RESCORED - 1] if size > RESCORED else 0.0
    places = [place for place, total in enumerate(totals) if total >= least and total > 0]
    return sorted(places, key=lambda place: (-totals[place], place))[:RESCORED]


def _scored(
    place: int, fields: Mapping[str, tuple[list[float], list[float]]], asked: _Asked, statistics: Statistics
) -> Scored:
    own = (1 - DOCUMENT) * (1 - SENTENCE)
    parts = {
        name: _Sum(content[place], function[place]).times(own) for name, (content, function) in fields.items()
    }
    sentences = statistics.sentences(place)
    parts["pair"] = _pair_sum(sentences, statistics.norm(place), asked).times(own)
    best = _best_sentence(sentences, statistics.sentence_length, asked)
    parts["sentence"] = best.times((1 - DOCUMENT) * SENTENCE / (1 - PAIR))
    parts["document"] = asked.documents.get(statistics.documents[place], _Sum())
    content = sum(part.content for part in parts.values())
    function = sum(part.function for part in parts.values())
    ratio = min(1.0, content / function) if function else 1.0
    shares = tuple((name, part.content + ratio * part.function) for name, part in parts.items())
    return Scored(place, sum(share for _, share in shares), shares)


def _pair_sum(sentences: Iterable[Sequence[str]], norm: float, asked: _Asked) -> _Sum:
    counts: dict[_Pair, int] = {}
    for sentence in sentences:
        stems = list(map(asked.stems.get, sentence))
        for first, second in zip(stems[:-1], stems[1:], strict=True):
            if first and second and (first, second) in asked.pairs:
                counts[first, second] = counts.get((first, second), 0) + 1
    content = function = 0.0
    for pair, count in counts.items():
        content += asked.pairs[pair].content * count / (count + norm)
        function += asked.pairs[pair].function * count / (count + norm)
    return _Sum(content, function)


def _best_sentence(sentences: Iterable[Sequence[str]], mean: float, asked: _Asked) -> _Sum:
    """The best sentence's share of the terms' weights; how often it has a term does not matter."""
    best = _Sum()
    for sentence in sentences:
        held = set().union(*filter(None, map(asked.hits.get, sentence)))
        if held:
            weights = [asked.terms[number].weight for number in sorted(held)]
            saturation = 1 / (1 + K1 * (1 - SENTENCE_B + SENTENCE_B * len(sentence) / mean))
            here = _Sum(sum(w.content for w in weights), sum(w.function for w in weights)).times(saturation)
            best = max(best, here, key=lambda one: one.total)
    return best


def _with_margin(scored: Sequence[Scored], statistics: Statistics) -> list[Scored]:
    """Half of the best score in another document taken off, where there are passages enough."""
    best: dict[int, float] = {}
    for one in scored:
        number = statistics.documents[one.place]
        best[number] = max(best.get(number, 0.0), one.score)
    ranked = sorted(best, key=lambda number: (-best[number], number))
    final: list[Scored] = []
    for one in scored:
        other = next((number for number in ranked[:2] if number != statistics.documents[one.place]), None)
        taken = MARGIN * best[other] if other is not None and statistics.size >= MARGIN_FROM else 0.0
        shares = tuple((name, round(value, DIGITS)) for name, value in (*one.shares, ("margin", -taken)))
        final.append(Scored(one.place, round(max(0.0, one.score - taken), DIGITS), shares))
    return sorted(final, key=lambda one: (-one.score, one.place))
