"""What the evidence scorer asks of one language: which passages hold a word, and how common a term is.

`Statistics` is the question, `PassageStatistics` the answer from passages in memory. Only words are counted;
stems and grams follow from the vocabulary, and how common one is is counted when a question first has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from cairn_core.analysis import grams, sentences, stem, words
from cairn_core.passage import Passage

K1 = 0.9  # saturation of a term's count
B = 0.75  # length normalisation (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)
TITLE_WEIGHT = 1  # a word of the document's title counts as often as one of the passage
SECTION_WEIGHT = 1  # and one of the headings above it

# Field -> the terms of one word in it.
FIELDS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "word": lambda word: (word,),
    "stem": lambda word: (stem(word),),
    "gram": grams,
}


class Held(NamedTuple):
    """Words with how often a document holds each, as two sequences of one length."""

    words: Sequence[str]
    counts: Sequence[int]


class Statistics(Protocol):
    """The passages of one language by place, 0 .. size - 1, and its documents by number."""

    @property
    def size(self) -> int: ...

    @property
    def documents(self) -> Sequence[int]:
        """Place -> number of its document, 0 .. document_count - 1."""

    @property
    def document_count(self) -> int: ...

    @property
    def sentence_length(self) -> float:
        """Words of a sentence on average."""

    def holders(self, field: str, term: str) -> Sequence[str]:
        """The words of the vocabulary that have `term` in a field of FIELDS."""

    def frequency(self, field: str, term: str) -> int:
        """How many passages hold `term`."""

    def document_frequency(self, gram: str) -> int:
        """How many documents hold `gram`."""

    def postings(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """The passages that hold a word of the vocabulary, and how often each does."""

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        """The words of a passage, sentence by sentence."""

    def headings(self, place: int) -> Sequence[str]:
        """The words of its document's title and of the headings above it, as often as they count."""

    def norms(self, field: str) -> Sequence[float]:
        """Place -> BM25's length norm, k1 * (1 - b + b * length / mean length)."""

    def document(self, number: int) -> Held:
        """The words of a document."""

    def document_norm(self, number: int) -> float:
        """The length norm of a document counted in grams."""


class PassageStatistics:
    """The statistics of passages held in memory; the order of the passages is the order of the places."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        numbers: dict[str, int] = {}
        self.size = len(passages)
        self.documents = [numbers.setdefault(p.doc_id, len(numbers)) for p in passages]
        self.document_count = len(numbers)
        self._sentences = [tuple(tuple(words(s)) for s in _sentences(p)) for p in passages]
        self._headings = _all_headings(passages)
        self.sentence_length = _mean([len(s) for parts in self._sentences for s in parts])
        self._places: dict[str, list[int]] = {}
        self._counts: dict[str, list[int]] = {}
        for place in range(self.size):
            for word, times in self._count((place,)).items():
                self._places.setdefault(word, []).append(place)
                self._counts.setdefault(word, []).append(times)
        self._words = {name: _inverted(self._places, FIELDS[name]) for name in ("stem", "gram")}
        self._measure()
        self._frequencies: dict[tuple[str, str], int] = {}
        self._held: dict[int, Held] = {}

    def _count(self, places: Iterable[int]) -> Counter[str]:
        count: Counter[str] = Counter()
        for place in places:
            for sentence in self._sentences[place]:
                count.update(sentence)
            count.update(self._headings[place])
        return count

    def _measure(self) -> None:
        lengths, in_grams = [0] * self.size, [0] * self.size
        for word, places in self._places.items():
            of_word = len(grams(word))
            for place, times in zip(places, self._counts[word], strict=True):
                lengths[place] += times
                in_grams[place] += times * of_word
        of_documents = [0] * self.document_count
        self._members: list[list[int]] = [[] for _ in of_documents]
        for place, number in enumerate(self.documents):
            of_documents[number] += in_grams[place]
            self._members[number].append(place)
        by_words = _norms(lengths)
        self._norms = {"word": by_words, "stem": by_words, "gram": _norms(in_grams)}
        self._document_norms = _norms(of_documents)

    def holders(self, field: str, term: str) -> Sequence[str]:
        if field == "word":
            return (term,) if term in self._places else ()
        return self._words[field].get(term, ())

    def frequency(self, field: str, term: str) -> int:
        known = self._frequencies.get((field, term))
        if known is None:
            lists = [self._places[word] for word in self.holders(field, term)]
            known = len(lists[0]) if len(lists) == 1 else len(set().union(*lists))
            self._frequencies[field, term] = known
        return known

    def document_frequency(self, gram: str) -> int:
        known = self._frequencies.get(("document", gram))
        if known is None:
            places = set().union(*(self._places[word] for word in self.holders("gram", gram)))
            known = self._frequencies["document", gram] = len({self.documents[place] for place in places})
        return known

    def postings(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        return self._places[word], self._counts[word]

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        return self._sentences[place]

    def headings(self, place: int) -> Sequence[str]:
        return self._headings[place]

    def norms(self, field: str) -> Sequence[float]:
        return self._norms[field]

    def document(self, number: int) -> Held:
        held = self._held.get(number)
        if held is None:
            count = self._count(self._members[number])
            held = self._held[number] = Held(tuple(count), tuple(count.values()))
        return held

    def document_norm(self, number: int) -> float:
        return self._document_norms[number]


def _sentences(passage: Passage) -> list[str]:
    return [part for line in passage.text.split("\n") for part in sentences(line)]


def _all_headings(passages: Iterable[Passage]) -> list[tuple[str, ...]]:
    """The headings of each passage; passages of one section share one tuple."""
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    found: list[tuple[str, ...]] = []
    for passage in passages:
        key = passage.title, passage.section
        if key not in known:
            known[key] = (*words(passage.title) * TITLE_WEIGHT, *words(passage.section) * SECTION_WEIGHT)
        found.append(known[key])
    return found


def _mean(lengths: Sequence[int]) -> float:
    return sum(lengths) / len(lengths) if any(lengths) else 1.0


def _norms(lengths: Sequence[int]) -> list[float]:
    mean = _mean(lengths)
    return [K1 * (1 - B + B * length / mean) for length in lengths]


def _inverted(vocabulary: Iterable[str], terms: Callable[[str], Sequence[str]]) -> dict[str, list[str]]:
    holders: dict[str, list[str]] = {}
    for word in vocabulary:
        for term in dict.fromkeys(terms(word)):
            holders.setdefault(term, []).append(word)
    return holders
