"""What the evidence scorer asks of one language: which passages hold a word, and how common a term is.

`Statistics` is the question, `PassageStatistics` the answer from passages in memory. Only words are counted;
stems and grams follow from the vocabulary, and how common one is is counted when a question first has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from cairn_core.analysis import gram_count, grams, sentences, stem, words
from cairn_core.passage import Passage

K1 = 0.9  # saturation of a term's count
B = 0.75  # length normalisation (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)
TITLE_WEIGHT = 1  # a word of the document's title counts as often as one of the passage
LARGE = 4000  # passages of a language; in more, what finds passages is bounded (ADR 12)
STEPS = 48  # of a saturation: what finds passages is as fine as that, what scores them is exact
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

    def number(self, place: int) -> int:
        """The number of the document a passage is of, 0 .. document_count - 1."""

    @property
    def document_count(self) -> int: ...

    @property
    def sentence_length(self) -> float:
        """Words of a sentence on average."""

    @property
    def vocabulary(self) -> Iterable[str]:
        """Every word of the passages, titles and headings, once."""

    def holders(self, field: str, term: str) -> Sequence[str]:
        """The words of the vocabulary that have `term` in a field of FIELDS."""

    def frequency(self, field: str, term: str) -> int:
        """How many passages hold `term`."""

    def document_frequency(self, gram: str) -> int:
        """How many documents hold `gram`."""

    def bring(self, *, words: Iterable[str] = (), places: Iterable[int] = ()) -> None:
        """Make sure of the impacts of words and of the passages that are asked for next."""

    def impacts(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """The passages that hold a word, and how far each is saturated with it, in STEPS."""

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        """The words of a passage, sentence by sentence."""

    def headings(self, place: int) -> Sequence[str]:
        """The words of its document's title and of the headings above it, as often as they count."""

    def norm(self, field: str, place: int) -> float:
        """BM25's length norm of a passage, k1 * (1 - b + b * length / mean length)."""

    def document(self, number: int) -> Held:
        """The words of a document."""

    def document_norm(self, number: int) -> float:
        """The length norm of a document counted in grams."""


class Texts:
    """The words of passages, found when asked for; the order of the passages is the order of the places."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        numbers: dict[str, int] = {}
        self.size = len(passages)
        self.documents = [numbers.setdefault(p.doc_id, len(numbers)) for p in passages]
        self.document_count = len(numbers)
        self._members: list[list[int]] = [[] for _ in numbers]
        for place, number in enumerate(self.documents):
            self._members[number].append(place)
        self._passages = passages
        self._words_once: dict[str, str] = {}
        self._sentences: dict[int, Sequence[Sequence[str]]] = {}
        self._headings: dict[tuple[str, str], Sequence[str]] = {}
        self._held: dict[int, Held] = {}

    def number(self, place: int) -> int:
        return self.documents[place]

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        if place not in self._sentences:
            lines = self._passages[place].text.split("\n")
            found = tuple(tuple(map(self._same, words(one))) for line in lines for one in sentences(line))
            self._sentences[place] = found
        return self._sentences[place]

    def _same(self, word: str) -> str:
        """A word as the one text of it that is held."""
        return self._words_once.setdefault(word, word)

    def headings(self, place: int) -> Sequence[str]:
        key = title, section = self._passages[place].title, self._passages[place].section
        if key not in self._headings:
            self._headings[key] = (*words(title) * TITLE_WEIGHT, *words(section) * SECTION_WEIGHT)
        return self._headings[key]

    def document(self, number: int) -> Held:
        held = self._held.get(number)
        if held is None:
            count = self._count(self._members[number])
            held = self._held[number] = Held(tuple(count), tuple(count.values()))
        return held

    def length(self, field: str, place: int) -> int:
        """The words of a passage, or its grams."""
        count = self._count((place,))
        return (
            sum(times * gram_count(word) for word, times in count.items())
            if field == "gram"
            else count.total()
        )

    def document_length(self, number: int) -> int:
        """The grams of a document."""
        return sum(times * gram_count(word) for word, times in zip(*self.document(number), strict=True))

    def _count(self, places: Iterable[int]) -> Counter[str]:
        count: Counter[str] = Counter()
        for place in places:
            for sentence in self.sentences(place):
                count.update(sentence)
            count.update(self.headings(place))
        return count


class PassageStatistics(Texts):
    """The statistics of passages held in memory."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        super().__init__(passages)
        self.sentence_lengths = [len(one) for place in range(self.size) for one in self.sentences(place)]
        self.sentence_length = mean(sum(self.sentence_lengths), len(self.sentence_lengths))
        self._places: dict[str, list[int]] = {}
        self._counts: dict[str, list[int]] = {}
        for place in range(self.size):
            for word, times in self._count((place,)).items():
                self._places.setdefault(word, []).append(place)
                self._counts.setdefault(word, []).append(times)
        self._words: dict[str, Mapping[str, Sequence[str]]] = {}
        self._measure()
        self._frequencies: dict[tuple[str, str], int] = {}

    def _measure(self) -> None:
        lengths, in_grams = [0] * self.size, [0] * self.size
        for word, places in self._places.items():
            of_word = gram_count(word)
            for place, times in zip(places, self._counts[word], strict=True):
                lengths[place] += times
                in_grams[place] += times * of_word
        of_documents = [0] * self.document_count
        for place, number in enumerate(self.documents):
            of_documents[number] += in_grams[place]
        self.lengths = {"word": lengths, "stem": lengths, "gram": in_grams}
        self._norms = {name: norms(own) for name, own in self.lengths.items()}
        self._document_norms = norms(of_documents)

    def forget(self) -> None:
        """Drop the terms of earlier questions."""
        self._frequencies.clear()

    @property
    def vocabulary(self) -> Iterable[str]:
        """Every word once, in the order of its first place."""
        return self._places

    def holders(self, field: str, term: str) -> Sequence[str]:
        if field == "word":
            return (term,) if term in self._places else ()
        return self._inverted(field).get(term, ())

    def terms(self, field: str) -> Iterable[str]:
        """Every stem or gram of the vocabulary, once."""
        return self._inverted(field)

    def _inverted(self, field: str) -> Mapping[str, Sequence[str]]:
        if field not in self._words:
            self._words[field] = inverted(self._places, FIELDS[field])
        return self._words[field]

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

    def bring(self, *, words: Iterable[str] = (), places: Iterable[int] = ()) -> None:
        pass

    def postings(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """The passages that hold a word of the vocabulary, and how often each does."""
        return self._places[word], self._counts[word]

    def impacts(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        places, counts = self.postings(word)
        own = self._norms["word"]
        steps = [
            round(STEPS * count / (count + own[place])) for place, count in zip(places, counts, strict=True)
        ]
        return places, steps

    def norm(self, field: str, place: int) -> float:
        return self._norms[field][place]

    def document_norm(self, number: int) -> float:
        return self._document_norms[number]


def mean(total: int, number: int) -> float:
    """The mean length, 1 where there is no word."""
    return total / number if total else 1.0


def norm_of(length: int, mean: float) -> float:
    """BM25's length norm."""
    return K1 * (1 - B + B * length / mean)


def norms(lengths: Sequence[int]) -> list[float]:
    """The length norms of texts of such lengths."""
    average = mean(sum(lengths), len(lengths))
    return [norm_of(length, average) for length in lengths]


def inverted(vocabulary: Iterable[str], terms: Callable[[str], Sequence[str]]) -> dict[str, list[str]]:
    """Term of a field -> the words that have it."""
    holders: dict[str, list[str]] = {}
    for word in vocabulary:
        for term in dict.fromkeys(terms(word)):
            holders.setdefault(term, []).append(word)
    return holders
