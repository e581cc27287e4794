"""What retrieval needs of one language, a shard, and its canonical JSON.

The builder makes passages and shards; here they are counted, written, read back and checked. What follows
from the passages is counted on reading (ADR 2). A built file is hostile until `Shard.from_json` has accepted
it, and a passage is only quoted after `Shard.verify` has counted its words again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from cairn_core.detection import Vocabulary, script_of_terms
from cairn_core.errors import IndexFormatError
from cairn_core.fields import PassageStatistics
from cairn_core.jsontext import HINT, read_text, require, to_canonical_json
from cairn_core.lexicon import Lexicon, lexicons_from_json
from cairn_core.parts import FORMAT, read_formatted
from cairn_core.passage import (
    DocumentRef,
    Passage,
    documents_of,
    passages_to_json,
    read_passages,
    require_ordered,
)
from cairn_core.spelling import Corrector, as_written
from cairn_core.text import terms, without_marks

STEPS = 16  # of an impact: a term that stands once in a passage of average length has about as many
TITLE_WEIGHT = 5  # a term of the title counts as often as five in the passage


@dataclass(frozen=True, slots=True)
class Posting:
    """The passages that hold one term: positions in the shard, ascending, and how often each holds it."""

    places: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """The passages of one language with the postings of their terms.

    lexicons: language of other passages -> how questions in this language are put to them.
    Everything below `lexicons` is derived, in a fixed order, so that two Pythons hold the same numbers.
    rows: term -> position in `terms`. places: passage id -> position in `passages`.
    weights: smoothed inverse document frequency, ln((N+1)/(df+1)) + 1 (Manning, Raghavan, Schuetze,
    Introduction to Information Retrieval, section 6.2, with one added to each count and to the result); 0 for
    a term in more than half of the passages, unless that would silence every term.
    norms: length of each passage's vector of (1 + ln tf) * weight. mean_norm: their mean. sizes: distinct
    terms of each passage.
    spellings: a term without its accents -> the term of the vocabulary meant by it.
    """

    lang: str
    passages: tuple[Passage, ...]
    terms: tuple[str, ...]
    postings: tuple[Posting, ...]
    build: str = ""
    lexicons: Mapping[str, Lexicon] = field(default_factory=dict)
    rows: Mapping[str, int] = field(init=False, repr=False, compare=False)
    places: Mapping[str, int] = field(init=False, repr=False, compare=False)
    weights: tuple[float, ...] = field(init=False, repr=False, compare=False)
    norms: tuple[float, ...] = field(init=False, repr=False, compare=False)
    mean_norm: float = field(init=False, repr=False, compare=False)
    sizes: tuple[int, ...] = field(init=False, repr=False, compare=False)
    spellings: Mapping[str, str] = field(init=False, repr=False, compare=False)
    vocabulary: Vocabulary = field(init=False, repr=False, compare=False)
    _statistics: list[PassageStatistics] = field(default_factory=list, init=False, repr=False, compare=False)
    _correctors: list[Corrector] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_ordered(self.lang, self.passages)
        require(len(self.postings) == len(self.terms), "there is not one posting a term", "postings")
        for before, term in zip(self.terms, self.terms[1:], strict=False):
            require(before < term, f'"{term}" is out of order', "terms")
        rows = {term: row for row, term in enumerate(self.terms)}
        frequencies = [len(posting.places) for posting in self.postings]
        weights = term_weights(len(self.passages), frequencies)
        norms = _norms(len(self.passages), self.postings, weights)
        held = Counter[int]()
        for posting in self.postings:
            held.update(posting.places)
        derived = {
            "rows": rows,
            "places": {passage.passage_id: place for place, passage in enumerate(self.passages)},
            "weights": weights,
            "norms": norms,
            "mean_norm": sum(norms) / len(norms),
            "sizes": tuple(held[place] for place in range(len(self.passages))),
            "spellings": spellings(self.terms, frequencies),
            "vocabulary": Vocabulary(rows, script_of_terms(rows)),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        """How many passages there are."""
        return len(self.passages)

    @property
    def documents(self) -> Sequence[DocumentRef]:
        """The documents of the passages, each once, in order."""
        return documents_of(self.passages)

    @property
    def counted(self) -> bool:
        """Whether `statistics` are there already."""
        return bool(self._statistics)

    @property
    def statistics(self) -> PassageStatistics:
        """What the evidence scorer asks; counted on first use, which takes about 0.2 s per 1,000 passages."""
        if not self._statistics:
            self._statistics.append(PassageStatistics(self.passages))
        return self._statistics[0]

    @property
    def corrector(self) -> Corrector:
        """What corrects misspelled words to words of these passages."""
        if not self._correctors:
            self._correctors.append(Corrector(self.statistics))
        return self._correctors[0]

    def forget(self) -> None:
        """Drop the terms of earlier questions."""
        for statistics in self._statistics:
            statistics.forget()

    def reading(self, term: str) -> str:
        """`term` as the passages spell it: itself, else the term that differs only in its accents."""
        return reading(term, self.rows, self.spellings)

    def bring(self, *, words: Iterable[str] = (), places: Iterable[int] = ()) -> None:
        """Make sure of postings and passages that are asked for next; here all are in memory."""

    def posting(self, term: str) -> Posting:
        """The passages that hold a term."""
        return self.postings[self.rows[term]]

    def impacts(self, term: str) -> tuple[Sequence[int], Sequence[int]]:
        """The passages that hold a term, and about what it weighs in each, in STEPS."""
        posting = self.posting(term)
        steps = [
            int(STEPS * term_weight(count) * self.mean_norm / self.norms[place])
            for place, count in zip(posting.places, posting.counts, strict=True)
        ]
        return posting.places, steps

    def counts(self, place: int) -> Mapping[str, int]:
        """How often a passage counts for each of its terms."""
        return term_counts(self.passages[place])

    def norm(self, place: int) -> float:
        """The length of a passage's vector."""
        return self.norms[place]

    def frequency(self, term: str) -> int:
        """How many passages hold a term."""
        return len(self.posting(term).places)

    def has_stem(self, stem: str) -> bool:
        """Whether a word of the statistics' vocabulary has this stem."""
        return bool(self.statistics.holders("stem", stem))

    def written(self, word: str) -> str:
        """A word of the statistics' vocabulary as the first passage that has it writes it."""
        return as_written(word, self.passages[self.statistics.postings(word)[0][0]])

    def of_document(self, document: DocumentRef) -> Sequence[Passage]:
        """The passages of a document, in order."""
        return [passage for passage in self.passages if passage.document == document]

    def verify(self, passage: Passage) -> None:
        """Raise IndexFormatError unless the passage's own words are those its postings count."""
        place = self.places[passage.passage_id]
        counts = term_counts(passage)
        rows = {term: self.rows.get(term) for term in counts}
        indexed = {term: self._count(row, place) for term, row in rows.items() if row is not None}
        if counts != indexed or len(counts) != self.sizes[place]:
            raise IndexFormatError(
                f'the words of passage "{passage.passage_id}" are not the indexed ones',
                HINT,
                f"index.{self.lang}.json",
            )

    def _count(self, row: int, place: int) -> int:
        posting = self.postings[row]
        return posting.counts[posting.places.index(place)] if place in posting.places else 0

    def to_json(self, build: str = "") -> str:
        """The shard as canonical JSON: sorted keys, no spaces, no escapes beyond what JSON requires."""
        return shard_to_json(self.lang, self.passages, self.lexicons, build or self.build)

    @classmethod
    def from_json(cls, data: str | bytes) -> Shard:
        """The shard `to_json` wrote. Raises IndexFormatError naming the field that could not be read."""
        return cls.from_plain(read_formatted(data, "index"))

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> Shard:
        """The shard of JSON that is parsed and of this format."""
        lang = read_text(plain, "lang", "index")
        passages = read_passages(plain, lang, "index")
        lexicons = lexicons_from_json(plain.get("lexicons"), "index.lexicons")
        build = read_text(plain, "build", "index")
        return cls(lang, passages, *_inverted(passages), build, lexicons)


def shard_to_json(lang: str, passages: Sequence[Passage], lexicons: Mapping[str, Lexicon], build: str) -> str:
    """The canonical JSON of the shard of ordered passages."""
    plain = {
        "format": FORMAT,
        "build": build,
        "lang": lang,
        **passages_to_json(passages),
        "lexicons": {other: lexicon.to_json() for other, lexicon in lexicons.items()},
    }
    return to_canonical_json(plain)


def build_shard(lang: str, passages: Iterable[Passage]) -> Shard:
    """The shard of `passages`, which must all be in `lang`; any order, same shard."""
    ordered = tuple(sorted(passages, key=lambda passage: (passage.doc_id, passage.ordinal)))
    return Shard(lang, ordered, *_inverted(ordered))


def _inverted(passages: Iterable[Passage]) -> tuple[tuple[str, ...], tuple[Posting, ...]]:
    """The sorted terms of passages and their postings."""
    held: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        for term, count in term_counts(passage).items():
            if term in held:
                held[term] += (place, count)
            else:
                held[term] = [place, count]
    vocabulary = tuple(sorted(held))
    return vocabulary, tuple(Posting(tuple(held[term][::2]), tuple(held[term][1::2])) for term in vocabulary)


def term_counts(passage: Passage) -> Counter[str]:
    """How often a passage counts for each of its terms."""
    counts = Counter(terms(passage.text))
    for term in terms(passage.title):
        counts[term] += TITLE_WEIGHT
    return counts


def term_weights(size: int, frequencies: Sequence[int]) -> tuple[float, ...]:
    """The weights of terms from how many of `size` passages hold each."""
    spare_all = all(frequency > size / 2 for frequency in frequencies)
    by_frequency = {
        frequency: math.log((size + 1) / (frequency + 1)) + 1 if spare_all or frequency <= size / 2 else 0.0
        for frequency in set(frequencies)
    }
    return tuple(by_frequency[frequency] for frequency in frequencies)


@cache
def term_weight(count: int) -> float:
    """Sublinear term frequency, 1 + ln(count)."""
    return 1.0 + math.log(count)


def _norms(size: int, postings: Sequence[Posting], weights: Sequence[float]) -> tuple[float, ...]:
    squares = [0.0] * size
    for posting, weight in zip(postings, weights, strict=True):
        for place, count in zip(posting.places, posting.counts, strict=True):
            component = term_weight(count) * weight
            squares[place] += component * component
    return tuple(math.sqrt(square) for square in squares)


def spellings(vocabulary: Sequence[str], frequencies: Sequence[int]) -> Mapping[str, str]:
    """Accentless form -> the term meant by it: the commonest, the first in order among equals."""
    best: dict[str, tuple[int, str]] = {}
    for term, frequency in zip(vocabulary, frequencies, strict=True):
        bare = without_marks(term)
        if bare not in best or frequency > best[bare][0]:
            best[bare] = (frequency, term)
    return {bare: term for bare, (_, term) in best.items() if bare != term}


def reading(term: str, rows: Container[str], spellings: Mapping[str, str]) -> str:
    """`term` as passages spell it: itself, else the term that differs only in its accents."""
    if term in rows:
        return term
    bare = without_marks(term)
    return spellings.get(bare, bare if bare in rows else term)
