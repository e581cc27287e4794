"""The evidence scorer: how much of what a passage could show for a question it does show, in [0, 1].

BM25 over words, stems, in-word grams and pairs of stems, each divided by the score of a passage that
saturates every term of the question; then the best sentence, the document, and the lead over other documents.
Why these parts with these weights: ADR 6. What is searched and accepted is `retrieve`'s concern.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from cairn_core.analysis import grams, stem, words
from cairn_core.fields import FIELDS, K1, LARGE, Statistics
from cairn_core.language import catalogue, has_catalogue
from cairn_core.text import without_marks

WEIGHTS: Mapping[str, float] = {"word": 0.15, "stem": 0.3, "gram": 0.45}
PAIR = 0.1
SENTENCE = 0.3  # of the passage's own score
DOCUMENT = 0.15
SENTENCE_B = 0.3  # length normalisation within a sentence
MARGIN = 0.5  # of the best score in another document is taken off
FUNCTION = 0.3  # weight of a function word of the question beside a content word
ENOUGH = 40  # passages; in fewer, neither the lead over other documents nor a common word says much
FEW = 20  # passages; in fewer a word no passage has would outweigh all that the passages do have
RELATED = 200  # words of the vocabulary that find passages: those that share most with the question
READ, REACHED = 30_000, 300  # in more than LARGE passages: their postings, and what each word costs besides
RESCORED = 24  # passages found whose score is worked out

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

    def times(self, factor: float) -> _Sum:
        return _Sum(self.content * factor, self.function * factor)


class _Term(NamedTuple):
    """A term of the question and what it adds at saturation."""

    field: str
    term: str
    weight: _Sum


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as one language's statistics see it.

    hits: word of the vocabulary -> numbers of the `terms` it has. stems: word -> its stem, if that is one of
    the question's. pairs: adjacent stems of the question -> what they add. grams: word -> those of the
    question's grams it has, gram_weights: gram -> what it adds to a document.
    """

    terms: Sequence[_Term]
    hits: Mapping[str, Sequence[int]]
    stems: Mapping[str, str]
    pairs: Mapping[_Pair, _Sum]
    grams: Mapping[str, Sequence[str]]
    gram_weights: Mapping[str, _Sum]


def score(question: str, statistics: Statistics, function_words: Collection[str] = ()) -> list[Scored]:
    """The passages with evidence for `question`, best first, ties by place; at most RESCORED.

    function_words: folded words that open no gate by themselves: they add at most what the other words add.
    """
    found = words(question)
    function = {word for word in found if without_marks(word) in function_words}
    asked = _asked(found, function, statistics)
    documents: dict[int, _Sum] = {}
    scored: list[Scored] = []
    for place in _places(asked, statistics):
        number = statistics.number(place)
        if number not in documents:
            documents[number] = _document_sum(number, asked, statistics)
        scored.append(_scored(place, documents[number], asked, statistics))
    return _with_margin([one for one in scored if one.score > 0], statistics)


@cache
def grammar(lang: str) -> frozenset[str]:
    """The function words of a language as `score` takes them; none for a language without a catalogue."""
    if not has_catalogue(lang):
        return frozenset()
    listed = " ".join(sorted(catalogue(lang).function_words))
    return frozenset(without_marks(word) for word in words(listed))


def idf(size: int, holders: int) -> float:
    """Inverse document frequency as in BM25, ln(1 + (N - n + 0.5) / (n + 0.5)), 0 for what is everywhere.

    A term of more than half of ENOUGH passages is left out. Fewer than FEW passages count as FEW.
    """
    if size >= ENOUGH and holders > size / 2:
        return 0.0
    return math.log(1 + (max(size, FEW) - holders + 0.5) / (holders + 0.5))


def _asked(found: Sequence[str], function: Collection[str], statistics: Statistics) -> _Asked:
    terms: list[_Term] = []
    for name, analyse in FIELDS.items():
        counts = _counts(found, function, analyse)
        rarity = {term: idf(statistics.size, statistics.frequency(name, term)) for term in counts}
        terms += [
            _Term(name, term, weight) for term, weight in _weights(counts, rarity, WEIGHTS[name]).items()
        ]
    hits: dict[str, list[int]] = {}
    stems: dict[str, str] = {}
    for number, (name, term, _) in enumerate(terms):
        for word in statistics.holders(name, term):
            hits.setdefault(word, []).append(number)
            if name == "stem":
                stems[word] = term
    counts = _counts(found, function, grams)
    rarity = {gram: idf(statistics.document_count, statistics.document_frequency(gram)) for gram in counts}
    gram_weights = _weights(counts, rarity, DOCUMENT)
    with_gram: dict[str, list[str]] = {}
    for gram in gram_weights:
        for word in statistics.holders("gram", gram):
            with_gram.setdefault(word, []).append(gram)
    return _Asked(terms, hits, stems, _pairs(found, function, statistics), with_gram, gram_weights)


def _counts(
    found: Iterable[str], function: Collection[str], analyse: Callable[[str], Sequence[str]]
) -> Mapping[str, _Sum]:
    """Term -> how often content words and function words of the question have it."""
    everywhere: Counter[str] = Counter()
    in_function: Counter[str] = Counter()
    for word in found:
        everywhere.update(analyse(word))
        if word in function:
            in_function.update(analyse(word))
    return {
        term: _Sum(count - in_function[term], FUNCTION * in_function[term])
        for term, count in everywhere.items()
    }


def _weights(counts: Mapping[str, _Sum], rarity: Mapping[str, float], total: float) -> Mapping[str, _Sum]:
    """Term -> what it adds at saturation, `total` all together; terms that add nothing are left out."""
    ideal = sum((count.content + count.function) * rarity[term] for term, count in counts.items())
    return {term: count.times(rarity[term] * total / ideal) for term, count in counts.items() if rarity[term]}


def _pairs(found: Sequence[str], function: Collection[str], statistics: Statistics) -> Mapping[_Pair, _Sum]:
    """Adjacent stems -> what they add at saturation; a pair counts as rare as its rarer stem."""
    stems = [stem(word) for word in found]
    frequency = {term: statistics.frequency("stem", term) for term in stems}
    counts: dict[_Pair, _Sum] = {}
    rarity: dict[_Pair, float] = {}
    for at, first in enumerate(stems[:-1]):
        pair = first, stems[at + 1]
        only_function = found[at] in function and found[at + 1] in function
        counts[pair] = _Sum(0.0, FUNCTION) if only_function else _Sum(1.0, 0.0)
        rarity[pair] = idf(statistics.size, min(frequency[term] for term in pair))
    ideal = sum(rarity[pair] * (count.content + count.function) for pair, count in counts.items())
    return {pair: count.times(rarity[pair] * PAIR / ideal) for pair, count in counts.items() if rarity[pair]}


def _places(asked: _Asked, statistics: Statistics) -> list[int]:
    """The passages whose words share most with the question's content words."""
    totals: dict[int, float] = {}
    related = _related(asked, statistics)
    statistics.bring(words=[word for _, word in related])
    for strength, word in related:
        for place, steps in zip(*statistics.impacts(word), strict=True):
            totals[place] = totals.get(place, 0.0) - strength * steps
    least = sorted(totals.values())[-RESCORED:][:1]
    places = [place for place, total in totals.items() if total >= least[0]]
    found = sorted(places, key=lambda place: (-totals[place], place))[:RESCORED]
    statistics.bring(places=found)
    return found


def _related(asked: _Asked, statistics: Statistics) -> list[tuple[float, str]]:
    """The words that share most with the question, as many as READ allows, with what they share below 0."""
    shares = [term.weight.content for term in asked.terms]
    strengths = {word: sum([shares[one] for one in numbers]) for word, numbers in asked.hits.items()}
    ranked = sorted(((-strength, word) for word, strength in strengths.items() if strength))[:RELATED]
    left = READ if statistics.size > LARGE else math.inf
    related: list[tuple[float, str]] = []
    for one in ranked:
        needed = statistics.frequency("word", one[1]) + REACHED
        if needed <= left or not related:
            related.append(one)
            left -= needed
    return related


def _document_sum(number: int, asked: _Asked, statistics: Statistics) -> _Sum:
    """What a document adds: its grams, counted over all of its passages."""
    counts = dict.fromkeys(asked.gram_weights, 0)
    held = statistics.document(number)
    found = zip(map(asked.grams.get, held.words), held.counts, strict=True)
    for held_grams, times in [one for one in found if one[0]]:
        for gram in held_grams or ():
            counts[gram] += times
    norm = statistics.document_norm(number)
    saturations = [count / (count + norm) for count in counts.values()]
    content, function = zip(*asked.gram_weights.values(), strict=True) if counts else ((), ())
    return _Sum(_dot(content, saturations), _dot(function, saturations))


def _dot(left: Iterable[float], right: Iterable[float]) -> float:
    return sum(map(float.__mul__, left, right))


def _scored(place: int, document: _Sum, asked: _Asked, statistics: Statistics) -> Scored:
    own = (1 - DOCUMENT) * (1 - SENTENCE)
    sentences = statistics.sentences(place)
    parts = {name: part.times(own) for name, part in _field_sums(place, asked, statistics).items()}
    parts["pair"] = _pair_sum(sentences, statistics.norm("stem", place), asked).times(own)
    best = _best_sentence(sentences, statistics.sentence_length, asked)
    parts["sentence"] = best.times((1 - DOCUMENT) * SENTENCE / (1 - PAIR))
    parts["document"] = document
    content = sum(part.content for part in parts.values())
    function = sum(part.function for part in parts.values())
    ratio = min(1.0, content / function) if function else 1.0
    shares = tuple((name, part.content + ratio * part.function) for name, part in parts.items())
    return Scored(place, sum(share for _, share in shares), shares)


def _field_sums(place: int, asked: _Asked, statistics: Statistics) -> dict[str, _Sum]:
    texts = (*statistics.sentences(place), statistics.headings(place))
    held = [numbers for text in texts for numbers in filter(None, map(asked.hits.get, text))]
    counts = Counter([number for numbers in held for number in numbers])
    norms = {name: statistics.norm(name, place) for name in FIELDS}
    contents, functions = dict.fromkeys(FIELDS, 0.0), dict.fromkeys(FIELDS, 0.0)
    for number in sorted(counts):
        name, _, weight = asked.terms[number]
        saturation = counts[number] / (counts[number] + norms[name])
        contents[name] += weight.content * saturation
        functions[name] += weight.function * saturation
    return {name: _Sum(contents[name], functions[name]) for name in FIELDS}


def _pair_sum(sentences: Iterable[Sequence[str]], norm: float, asked: _Asked) -> _Sum:
    counts: dict[_Pair, int] = {}
    for sentence in sentences:
        stems = [*map(asked.stems.get, sentence), None]
        for at, first in enumerate(stems):
            if first is not None and (second := stems[at + 1]) is not None and (first, second) in asked.pairs:
                counts[first, second] = counts.get((first, second), 0) + 1
    content = function = 0.0
    for pair, count in counts.items():
        content += asked.pairs[pair].content * count / (count + norm)
        function += asked.pairs[pair].function * count / (count + norm)
    return _Sum(content, function)


def _best_sentence(sentences: Iterable[Sequence[str]], mean: float, asked: _Asked) -> _Sum:
    """The best sentence's share of the terms' weights; how often it has a term does not matter."""
    best, best_total = _Sum(), 0.0
    for sentence in sentences:
        held = sorted(set().union(*filter(None, map(asked.hits.get, sentence))))
        if held:
            weights = [asked.terms[number].weight for number in held]
            saturation = 1 / (1 + K1 * (1 - SENTENCE_B + SENTENCE_B * len(sentence) / mean))
            content = saturation * sum([weight.content for weight in weights])
            function = saturation * sum([weight.function for weight in weights])
            if (total := content + min(content, function)) > best_total:
                best, best_total = _Sum(content, function), total
    return best


def _with_margin(scored: Sequence[Scored], statistics: Statistics) -> list[Scored]:
    """Half of the best score in another document taken off, where there are passages enough."""
    best: dict[int, float] = {}
    for one in scored:
        number = statistics.number(one.place)
        best[number] = max(best.get(number, 0.0), one.score)
    ranked = sorted(best, key=lambda number: (-best[number], number))
    final: list[Scored] = []
    for one in scored:
        other = next((number for number in ranked[:2] if number != statistics.number(one.place)), None)
        taken = MARGIN * best[other] if other is not None and statistics.size >= ENOUGH else 0.0
        shares = (*one.shares, ("margin", -taken)) if taken else one.shares
        final.append(Scored(one.place, max(0.0, one.score - taken), shares))
    return sorted(final, key=lambda one: (-one.score, one.place))
