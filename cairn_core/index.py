"""What retrieval needs, one shard a language, and its canonical JSON.

The builder makes passages and shards; here they are counted, written, read back and checked. What follows
from the passages is counted on reading (ADR 2). A built file is hostile until `Shard.from_json` has accepted
it, and a passage is only quoted after `Shard.verify` has counted its words again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from cairn_core.detection import Vocabulary, script_of_terms
from cairn_core.errors import IndexFormatError, MixedBuildsError
from cairn_core.fields import PassageStatistics
from cairn_core.jsontext import HINT, read_list, read_object, read_text, require, to_canonical_json
from cairn_core.lexicon import Lexicon, lexicons_from_json
from cairn_core.passage import DocumentRef, Passage
from cairn_core.spelling import Corrector
from cairn_core.text import terms, without_marks

__all__ = ["FORMAT", "DocumentRef", "Index", "Passage", "Shard", "build_shard", "to_canonical_json"]

FORMAT = 2
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
    norms: length of each passage's vector of (1 + ln tf) * weight. sizes: distinct terms of each passage.
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
    sizes: tuple[int, ...] = field(init=False, repr=False, compare=False)
    spellings: Mapping[str, str] = field(init=False, repr=False, compare=False)
    vocabulary: Vocabulary = field(init=False, repr=False, compare=False)
    _statistics: list[PassageStatistics] = field(default_factory=list, init=False, repr=False, compare=False)
    _correctors: list[Corrector] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _require_ordered_passages(self.lang, self.passages)
        require(len(self.postings) == len(self.terms), "there is not one posting a term", "postings")
        for before, term in zip(self.terms, self.terms[1:], strict=False):
            require(before < term, f'"{term}" is out of order', "terms")
        rows = {term: row for row, term in enumerate(self.terms)}
        weights = _weights(len(self.passages), self.postings)
        held = Counter[int]()
        for posting in self.postings:
            held.update(posting.places)
        derived = {
            "rows": rows,
            "places": {passage.passage_id: place for place, passage in enumerate(self.passages)},
            "weights": weights,
            "norms": _norms(len(self.passages), self.postings, weights),
            "sizes": tuple(held[place] for place in range(len(self.passages))),
            "spellings": _spellings(self.terms, self.postings),
            "vocabulary": Vocabulary(rows, script_of_terms(rows)),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

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

    def reading(self, term: str) -> str:
        """`term` as the passages spell it: itself, else the term that differs only in its accents."""
        if term in self.rows:
            return term
        bare = without_marks(term)
        return self.spellings.get(bare, bare if bare in self.rows else term)

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
        documents = list(dict.fromkeys(passage.document for passage in self.passages))
        positions = {document: position for position, document in enumerate(documents)}
        plain = {
            "format": FORMAT,
            "build": build or self.build,
            "lang": self.lang,
            "documents": [document.to_json() for document in documents],
            "passages": [passage.to_json(positions[passage.document]) for passage in self.passages],
            "lexicons": {lang: lexicon.to_json() for lang, lexicon in self.lexicons.items()},
        }
        return to_canonical_json(plain)

    @classmethod
    def from_json(cls, data: str | bytes) -> Shard:
        """The shard `to_json` wrote. Raises IndexFormatError naming the field that could not be read."""
        plain = read_object(data, "index")
        found = plain.get("format")
        require(found == FORMAT, f'format "{found}" is not {FORMAT}', "index.format")
        lang = read_text(plain, "lang", "index")
        documents = [
            DocumentRef.from_json(item, lang, f"index.documents[{at}]")
            for at, item in enumerate(read_list(plain, "documents", "index"))
        ]
        passages = tuple(
            Passage.from_json(item, documents, f"index.passages[{at}]")
            for at, item in enumerate(read_list(plain, "passages", "index"))
        )
        lexicons = lexicons_from_json(plain.get("lexicons"), "index.lexicons")
        build = read_text(plain, "build", "index")
        return cls(lang, passages, *_inverted(passages), build, lexicons)


@dataclass(frozen=True, slots=True)
class Index:
    """The shards of one site, by language code."""

    shards: Mapping[str, Shard]
    passages: tuple[Passage, ...]
    language_codes: tuple[str, ...]
    vocabularies: Mapping[str, Vocabulary]
    families: Mapping[str, tuple[DocumentRef, ...]]

    @classmethod
    def of(cls, shards: Iterable[Shard]) -> Index:
        """The index of `shards`. Raises IndexFormatError for a language or document given twice."""
        ordered = sorted(shards, key=lambda shard: shard.lang)
        by_lang = {shard.lang: shard for shard in ordered}
        require(len(by_lang) == len(ordered), "a language has two shards", "index")
        if len({shard.build for shard in ordered}) > 1:
            raise MixedBuildsError("the shards are of different builds", "copy the whole site again", "index")
        owners = Counter(
            doc_id for shard in ordered for doc_id in {passage.doc_id for passage in shard.passages}
        )
        for doc_id, times in owners.items():
            require(times == 1, f'document "{doc_id}" is in two languages', "index")
        passages = tuple(passage for shard in ordered for passage in shard.passages)
        families: dict[str, tuple[DocumentRef, ...]] = {}
        for document in dict.fromkeys(passage.document for passage in passages):
            families[document.family] = (*families.get(document.family, ()), document)
        vocabularies = {lang: shard.vocabulary for lang, shard in by_lang.items()}
        return cls(by_lang, passages, tuple(by_lang), vocabularies, families)

    def translations(self, document: DocumentRef) -> tuple[DocumentRef, ...]:
        """The other documents of its family, in other languages, sorted by language."""
        return tuple(other for other in self.families[document.family] if other.lang != document.lang)


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


def _require_ordered_passages(lang: str, passages: Sequence[Passage]) -> None:
    require(bool(passages), "there are no passages", "passages")
    before = ("", 0)
    for passage in passages:
        here = (passage.doc_id, passage.ordinal)
        require(passage.lang == lang, f'passage "{passage.passage_id}" is not in "{lang}"', "passages")
        require(before < here, f'passage "{passage.passage_id}" is out of order', "passages")
        before = here


def term_counts(passage: Passage) -> Counter[str]:
    """How often a passage counts for each of its terms."""
    counts = Counter(terms(passage.text))
    for term in terms(passage.title):
        counts[term] += TITLE_WEIGHT
    return counts


def _weights(size: int, postings: Sequence[Posting]) -> tuple[float, ...]:
    frequencies = [len(posting.places) for posting in postings]
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


def _spellings(vocabulary: Sequence[str], postings: Sequence[Posting]) -> Mapping[str, str]:
    """Accentless form -> the term meant by it: the commonest, the first in order among equals."""
    best: dict[str, tuple[int, str]] = {}
    for term, posting in zip(vocabulary, postings, strict=True):
        bare = without_marks(term)
        if bare not in best or len(posting.places) > best[bare][0]:
            best[bare] = (len(posting.places), term)
    return {bare: term for bare, (_, term) in best.items() if bare != term}
