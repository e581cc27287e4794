"""A shard whose postings and passages are brought when a question needs them (ADR 12).

Vocabulary and statistics are there from the start. It answers what `shard.Shard` does, with the same numbers,
or raises `PartsNeeded`; once the files are given, the question is asked again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from cairn_core.detection import Vocabulary, script_of_terms
from cairn_core.errors import IndexFormatError
from cairn_core.fields import FIELDS, inverted, mean, norm_of
from cairn_core.fields import Held as Words
from cairn_core.jsontext import HINT, read_number, read_text, require
from cairn_core.lexicon import Lexicon, lexicons_from_json
from cairn_core.parts import Files, read_numbers
from cairn_core.passage import DocumentRef, Passage
from cairn_core.shard import Posting, reading, spellings, term_counts, term_weight, term_weights
from cairn_core.spelling import Corrector

SPLIT = "index.split"
CAPITAL = "^"  # stands for a word that is written like itself but for a capital letter


class SplitStatistics:
    """What the evidence scorer asks (`fields.Statistics`)."""

    def __init__(self, plain: object, files: Files) -> None:
        where = f"{SPLIT}.evidence"
        self._files = files
        self.size = files.passages.total
        self.document_count = _count(plain, "documents", where)
        found = read_text(plain, "words", where).split(" ")
        self._words = _rows(found, f"{where}.words")
        self._frequencies = {"word": _frequencies(plain, "word", found, self.size)}
        self._holders = {field: inverted(found, FIELDS[field]) for field in ("stem", "gram")}
        for field, holders in self._holders.items():
            self._frequencies[field] = _frequencies(plain, field, sorted(holders), self.size)
        grams = sorted(self._holders["gram"])
        self._in_documents = _frequencies(plain, "gram in documents", grams, self.document_count)
        self._written = read_text(plain, "written", where).split(" ")
        require(len(self._written) == len(found), "there is not one a word", f"{where}.written")
        numbers = {one: _count(plain, one, where) for one in ("length", "grams", "sentences", "in sentences")}
        self.sentence_length = mean(numbers["in sentences"], numbers["sentences"])
        by_words, by_grams = (mean(numbers[one], self.size) for one in ("length", "grams"))
        self._means = {"word": by_words, "stem": by_words, "gram": by_grams}
        self._document_mean = mean(numbers["grams"], self.document_count)
        self._part_of: dict[int, int] = {}

    @property
    def vocabulary(self) -> Iterable[str]:
        return self._words

    def holders(self, field: str, term: str) -> Sequence[str]:
        if field == "word":
            return (term,) if term in self._words else ()
        return self._holders[field].get(term, ())

    def frequency(self, field: str, term: str) -> int:
        return self._frequencies[field].get(term, 0)

    def document_frequency(self, gram: str) -> int:
        return self._in_documents.get(gram, 0)

    def bring(self, *, words: Iterable[str] = (), places: Iterable[int] = ()) -> None:
        self._files.bring(map(self._words.__getitem__, words), places)

    def impacts(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        return self._files.impacts(self._words[word], self._frequencies["word"][word])

    def sentences(self, place: int) -> Sequence[Sequence[str]]:
        part, at = self._files.at(place)
        return part.texts.sentences(at)

    def headings(self, place: int) -> Sequence[str]:
        part, at = self._files.at(place)
        return part.texts.headings(at)

    def norm(self, field: str, place: int) -> float:
        part, at = self._files.at(place)
        return norm_of(part.texts.length(field, at), self._means[field])

    def number(self, place: int) -> int:
        part, at = self._files.at(place)
        number = part.document + part.texts.number(at)
        self._part_of[number] = self._files.passages.number(place)
        return number

    def document(self, number: int) -> Words:
        part = self._files.passages_part(self._part_of[number])
        return part.texts.document(number - part.document)

    def document_norm(self, number: int) -> float:
        part = self._files.passages_part(self._part_of[number])
        return norm_of(part.texts.document_length(number - part.document), self._document_mean)

    def written(self, word: str) -> str:
        """A word of the vocabulary as the first passage that has it writes it."""
        form = self._written[self._words[word]]
        return word.capitalize() if form == CAPITAL else form or word


class Passages(Sequence[Passage]):
    """The passages of a language by place."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def __len__(self) -> int:
        return self._files.passages.total

    def __getitem__(self, place: int) -> Passage:  # type: ignore[override]  # nobody asks for a slice
        part, at = self._files.at(place)
        return part.passages[at]


class SplitShard:
    """One language of a site, as `shard.Shard`; `scorer` is the one it can be asked by."""

    counted = True
    documents: Sequence[DocumentRef] = ()  # none is in memory

    def __init__(self, lang: str, build: str, plain: object, lexicons: Mapping[str, Lexicon]) -> None:
        self.lang, self.build, self.lexicons = lang, build, lexicons
        self.files = Files(
            lang, read_numbers(plain, "passages", SPLIT), read_numbers(plain, "postings", SPLIT)
        )
        self.size = self.files.passages.total
        require(self.size >= 1, "there are no passages", f"{SPLIT}.passages")
        self.passages = Passages(self.files)
        found = read_text(plain, "terms", SPLIT).split(" ")
        self.rows = _rows(found, f"{SPLIT}.terms")
        self._frequencies = _frequencies(plain, "term", found, self.size)
        counts = [*self._frequencies.values()]
        self.weights = term_weights(self.size, counts)
        self.spellings = spellings(found, counts)
        self.vocabulary = Vocabulary(self.rows, script_of_terms(self.rows))
        evidence = plain.get("evidence") if isinstance(plain, dict) else None
        self._statistics = None if evidence is None else SplitStatistics(evidence, self.files)
        self._stems = frozenset(read_text(plain, "stems", SPLIT).split(" "))
        self._correctors: list[Corrector] = []
        keys = found if self._statistics is None else [*self._statistics.vocabulary]
        require(self.files.terms.total == len(keys), "there is not one posting a term", f"{SPLIT}.postings")

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> SplitShard:
        """What the builder wrote. Raises IndexFormatError naming the field that could not be read."""
        lang, build = (read_text(plain, field, "index") for field in ("lang", "build"))
        return cls(
            lang, build, plain.get("split"), lexicons_from_json(plain.get("lexicons"), "index.lexicons")
        )

    @property
    def scorer(self) -> str:
        return "contract" if self._statistics is None else "evidence"

    @property
    def statistics(self) -> SplitStatistics:
        """What the evidence scorer asks. Raises IndexFormatError where the site is not searched by it."""
        if self._statistics is None:
            raise IndexFormatError("it has no statistics for this scorer", HINT, f"{SPLIT}.evidence")
        return self._statistics

    @property
    def corrector(self) -> Corrector:
        """What corrects misspelled words to words of these passages."""
        if not self._correctors:
            self._correctors.append(Corrector(self.statistics))
        return self._correctors[0]

    def bring(self, *, words: Iterable[str] = (), places: Iterable[int] = ()) -> None:
        """Raise PartsNeeded unless the postings of these terms and these passages are held."""
        self.files.bring(map(self.rows.__getitem__, words), places)

    def reading(self, term: str) -> str:
        return reading(term, self.rows, self.spellings)

    def posting(self, term: str) -> Posting:
        """The passages that hold a term, counted: asked of few passages only."""
        self.bring(places=range(self.size))
        found = [(place, count) for place in range(self.size) if (count := self.counts(place).get(term))]
        return Posting(tuple(place for place, _ in found), tuple(count for _, count in found))

    def impacts(self, term: str) -> tuple[Sequence[int], Sequence[int]]:
        return self.files.impacts(self.rows[term], self._frequencies[term])

    def counts(self, place: int) -> Mapping[str, int]:
        return term_counts(self.passages[place])

    def norm(self, place: int) -> float:
        """The length of a passage's vector, added up in the order of the terms."""
        square = 0.0
        for term, count in sorted(self.counts(place).items()):
            component = term_weight(count) * self.weights[self.rows[term]]
            square += component * component
        return math.sqrt(square)

    def frequency(self, term: str) -> int:
        return self._frequencies[term]

    def has_stem(self, stem: str) -> bool:
        return (
            stem in self._stems if self._statistics is None else bool(self._statistics.holders("stem", stem))
        )

    def written(self, word: str) -> str:
        return self.statistics.written(word)

    def of_document(self, document: DocumentRef) -> Sequence[Passage]:
        """The passages of a document that `elsewhere` or a passage has named."""
        part = self.files.passages_part(document.part)
        return [passage for passage in part.passages if passage.document == document]

    def verify(self, passage: Passage) -> None:
        """Raise IndexFormatError unless the vocabulary has all of the passage's words."""
        if not self.rows.keys() >= term_counts(passage).keys():
            message = f'the words of passage "{passage.passage_id}" are not the indexed ones'
            raise IndexFormatError(message, HINT, f"index.{self.lang}.json")


def _count(item: object, field: str, where: str) -> int:
    number = read_number(item, field, where)
    require(number >= 0, f'"{number}" is no number of things', f"{where}.{field}")
    return number


def _rows(terms: Sequence[str], where: str) -> Mapping[str, int]:
    for before, term in zip(("", *terms), terms, strict=False):
        require(before < term, f'"{term}" is out of order', where)
    return {term: row for row, term in enumerate(terms)}


def _frequencies(plain: object, field: str, terms: Sequence[str], most: int) -> Mapping[str, int]:
    where = SPLIT if field == "term" else f"{SPLIT}.evidence"
    numbers = read_numbers(plain, f"{field} frequencies", where)
    require(len(numbers) == len(terms), "there is not one a term", f"{where}.{field} frequencies")
    in_range = min(numbers) >= 1 and max(numbers) <= most
    require(in_range, "a frequency is out of range", f"{where}.{field} frequencies")
    return dict(zip(terms, numbers, strict=True))
