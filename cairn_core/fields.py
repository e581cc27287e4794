"""What the evidence scorer asks of one language: how often each term stands where, ready to be summed.

`Statistics` is the question, `PassageStatistics` the answer from passages in memory. Words are counted once;
stems and grams follow from the vocabulary when a question needs them, and what they cost is kept for the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from cairn_core.analysis import grams, sentences, stem, words
from cairn_core.passage import Passage

K1 = 0.9  # saturation of a term's count
B = 0.75  # share of length normalisation (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)
TITLE_WEIGHT = 1  # a word of the document's title counts as often as one of the passage
SECTION_WEIGHT = 1  # and one of the headings above it

# Field -> the terms of one word in it.
FIELDS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "word": lambda word: (word,),
    "stem": lambda word: (stem(word),),
    "gram": grams,
}
_KEPT = 400_000  # postings whose sums are kept between questions


class Weighted(NamedTuple):
    """Where a term stands and its saturated count there, tf / (tf + norm), in [0, 1)."""

    places: Sequence[int]
    weights: Sequence[float]


class Statistics(Protocol):
    """The passages of one language by place 0 .. size - 1, and its documents by number."""

    @property
    def size(self) -> int: ...

    @property
    def documents(self) -> Sequence[int]:
        """Place -> number of its document, 0 .. document_count - 1."""

    @property
    def document_count(self) -> int: ...

    def postings(self, field: str, term: str) -> Weighted:
        """The passages that hold `term` in a field of FIELDS."""

    def holders(self, field: str, term: str) -> Sequence[str]:
        """The words of the vocabulary that have `term` in a field."""

    def document_postings(self, gram: str) -> Weighted:
        """The documents that hold `gram`."""

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        """The words of a passage, sentence by sentence."""

    @property
    def sentence_length(self) -> float:
        """Words of a sentence on average."""

    def norm(self, place: int) -> float:
        """The length norm of a passage counted in words."""


class PassageStatistics:
    """The statistics of passages held in memory; the order of the passages is the order of the places."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        numbers: dict[str, int] = {}
        self.size = len(passages)
        self.documents = [numbers.setdefault(p.doc_id, len(numbers)) for p in passages]
        self.document_count = len(numbers)
        self._sentences = [tuple(tuple(words(s)) for s in _sentences(p)) for p in passages]
        self.sentence_length = _mean([len(s) for parts in self._sentences for s in parts])
        counts = [self._count(p, parts) for p, parts in zip(passages, self._sentences, strict=True)]
        self._places: dict[str, list[int]] = {}
        self._counts: dict[str, list[int]] = {}
        for place, count in enumerate(counts):
            for word, times in count.items():
                self._places.setdefault(word, []).append(place)
                self._counts.setdefault(word, []).append(times)
        self._words = {name: _inverted(self._places, FIELDS[name]) for name in ("stem", "gram")}
        self._measure(counts)
        self._kept: dict[tuple[str, str], Weighted] = {}
        self._free = _KEPT

    @staticmethod
    def _count(passage: Passage, parts: Iterable[Iterable[str]]) -> Counter[str]:
        count = Counter(word for part in parts for word in part)
        for extra, weight in ((passage.title, TITLE_WEIGHT), (passage.section, SECTION_WEIGHT)):
            for word in words(extra):
                count[word] += weight
        return count

    def _measure(self, counts: Sequence[Mapping[str, int]]) -> None:
        sizes = {word: len(grams(word)) for word in self._places}
        lengths = [sum(count.values()) for count in counts]
        in_grams = [sum(times * sizes[word] for word, times in count.items()) for count in counts]
        of_documents = [0] * self.document_count
        for number, length in zip(self.documents, in_grams, strict=True):
            of_documents[number] += length
        by_words = _norms(lengths)
        self._norms = {"word": by_words, "stem": by_words, "gram": _norms(in_grams)}
        self._document_norms = _norms(of_documents)

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        return self._sentences[place]

    def norm(self, place: int) -> float:
        return self._norms["word"][place]

    def postings(self, field: str, term: str) -> Weighted:
        kept = self._kept.get((field, term))
        if kept is None:
            norms = self._norms[field]
            kept = self._keep((field, term), _weighted(self._tally(field, term), norms))
        return kept

    def document_postings(self, gram: str) -> Weighted:
        kept = self._kept.get(("document", gram))
        if kept is None:
            tally: dict[int, int] = {}
            for place, count in self._tally("gram", gram):
                number = self.documents[place]
                tally[number] = tally.get(number, 0) + count
            kept = self._keep(("document", gram), _weighted(tally.items(), self._document_norms))
        return kept

    def holders(self, field: str, term: str) -> Sequence[str]:
        if field == "word":
            return (term,) if term in self._places else ()
        return self._words[field].get(term, ())

    def _tally(self, field: str, term: str) -> Iterable[tuple[int, int]]:
        holders = self.holders(field, term)
        if len(holders) == 1:
            return zip(self._places[holders[0]], self._counts[holders[0]], strict=True)
        tally: dict[int, int] = {}
        for word in holders:
            for place, count in zip(self._places[word], self._counts[word], strict=True):
                tally[place] = tally.get(place, 0) + count
        return tally.items()

    def _keep(self, key: tuple[str, str], found: Weighted) -> Weighted:
        self._free -= len(found.places) + 1
        if self._free < 0:
            self._kept.clear()
            self._free = _KEPT
        self._kept[key] = found
        return found


def _sentences(passage: Passage) -> list[str]:
    return [part for line in passage.text.split("\n") for part in sentences(line)]


def _mean(lengths: Sequence[int]) -> float:
    return sum(lengths) / len(lengths) if lengths else 1.0


def _norms(lengths: Sequence[int]) -> list[float]:
    mean = _mean(lengths) or 1.0
    return [K1 * (1 - B + B * length / mean) for length in lengths]


def _inverted(vocabulary: Iterable[str], terms: Callable[[str], Sequence[str]]) -> dict[str, list[str]]:
    holders: dict[str, list[str]] = {}
    for word in vocabulary:
        for term in terms(word):
            found = holders.setdefault(term, [])
            if not found or found[-1] != word:
                found.append(word)
    return holders


def _weighted(tally: Iterable[tuple[int, int]], norms: Sequence[float]) -> Weighted:
    pairs = list(tally)
    return Weighted([place for place, _ in pairs], [count / (count + norms[place]) for place, count in pairs])
