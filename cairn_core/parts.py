"""The files of a split shard that are brought when a question needs them: postings, and passages.

What they are named, how numbers travel in them, and which are held. That a file is the one of this build is
checked by who brings it; here its shape is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from cairn_core.errors import IndexFormatError
from cairn_core.fields import Texts
from cairn_core.jsontext import HINT, read_list, read_number, read_object, read_text, require
from cairn_core.passage import Passage, read_passages, require_ordered

FORMAT = 2  # of every file of an index
GROUP = 32  # files whose hashes stand together in one listing
KEPT = 200  # files held between two questions
POSTINGS, PASSAGES = "p", "t"

# A number travels as the character that many after "0": one byte of UTF-8 where it is small. No character can
# stand for a surrogate, so that numbers from there on are moved past them.
_ZERO = 0x30
_SURROGATES = 0xD800
_MOVED = 0x800


class PartsNeeded(Exception):  # no error: what has to be brought before a question is answered
    """The names of the files that are needed and not held, sorted."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(sorted(names))
        super().__init__(", ".join(self.names))


def name(lang: str, kind: str, number: int) -> str:
    """What a file is called; all before the last "/" is the name of the listing with its hash."""
    return f"shards/{lang}/{kind}{number // GROUP:03}/{number % GROUP:02}"


def packed(numbers: Iterable[int]) -> str:
    """Whole numbers from 0 to about a million as characters."""
    return "".join(
        [chr(one + _ZERO if one + _ZERO < _SURROGATES else one + _ZERO + _MOVED) for one in numbers]
    )


def unpacked(text: str, where: str) -> list[int]:
    """The numbers `packed` wrote. Raises IndexFormatError for a character that is none."""
    codes = [*map(ord, text)]
    require(not codes or min(codes) >= _ZERO, "a number is below 0", where)
    if not codes or max(codes) < _SURROGATES:
        return [code - _ZERO for code in codes]
    return [code - _ZERO if code < _SURROGATES else code - _ZERO - _MOVED for code in codes]


def read_numbers(item: object, field: str, where: str) -> list[int]:
    """The packed numbers in a field."""
    return unpacked(read_text(item, field, where), f"{where}.{field}")


def read_formatted(data: str | bytes, where: str) -> Mapping[str, object]:
    """The JSON object in `data`, of this format. Raises IndexFormatError."""
    plain = read_object(data, where)
    found = plain.get("format")
    require(found == FORMAT, f'format "{found}" is not {FORMAT}', f"{where}.format")
    return plain


class Cut:
    """How many consecutive things each file of a kind holds."""

    def __init__(self, lang: str, kind: str, sizes: Sequence[int]) -> None:
        self.lang, self.kind, self.sizes = lang, kind, sizes
        self.starts = [0]
        for size in sizes:
            self.starts.append(self.starts[-1] + size)

    @property
    def total(self) -> int:
        return self.starts[-1]

    def number(self, at: int) -> int:
        """The number of the file that holds thing `at`."""
        low, high = 0, len(self.sizes)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= at else (low, middle)
        return low

    def name(self, number: int) -> str:
        return name(self.lang, self.kind, number)

    def named(self, one: str) -> int | None:
        """The number of the file of a name, None where it is none of these."""
        group, _, leaf = one.removeprefix(f"shards/{self.lang}/{self.kind}").partition("/")
        number = int(group) * GROUP + int(leaf) if group.isdecimal() and leaf.isdecimal() else -1
        return number if 0 <= number < len(self.sizes) and self.name(number) == one else None


class PassagesPart:
    """Consecutive passages: all of some documents. `document` is the number of the first."""

    def __init__(self, document: int, passages: Sequence[Passage]) -> None:
        self.document, self.passages = document, passages
        self.texts = Texts(passages)

    def to_json(self, lang: str, passages: Mapping[str, object]) -> dict[str, object]:
        """Plain JSON values; `passages` as `passages_to_json` has them."""
        return {"format": FORMAT, "lang": lang, "document": self.document, **passages}

    @classmethod
    def from_json(cls, data: bytes, cut: Cut, number: int) -> PassagesPart:
        """What `to_json` wrote. Raises IndexFormatError naming the field."""
        where = cut.name(number)
        plain = read_formatted(data, where)
        passages = read_passages(plain, read_text(plain, "lang", where), where, number)
        try:
            require_ordered(cut.lang, passages)
        except IndexFormatError as error:
            raise IndexFormatError(error.message, HINT, f"{where}.{error.location}") from error
        require(len(passages) == cut.sizes[number], "there are not as many as the index says", where)
        document = read_number(plain, "document", where)
        require(document >= 0, f'"{document}" is no number of a document', f"{where}.document")
        return cls(document, passages)


class PostingsPart:
    """The postings of consecutive terms: gaps between the passages, and impacts, packed."""

    def __init__(self, rows: Sequence[tuple[str, str]]) -> None:
        self.rows = rows

    def to_json(self, lang: str) -> dict[str, object]:
        return {"format": FORMAT, "lang": lang, "impacts": [list(row) for row in self.rows]}

    @classmethod
    def from_json(cls, data: bytes, cut: Cut, number: int) -> PostingsPart:
        """What `to_json` wrote. Raises IndexFormatError naming the field."""
        where = cut.name(number)
        plain = read_formatted(data, where)
        require(plain.get("lang") == cut.lang, f'it is not of "{cut.lang}"', f"{where}.lang")
        rows = read_list(plain, "impacts", where)
        require(len(rows) == cut.sizes[number], "there are not as many as the index says", f"{where}.impacts")
        for at, row in enumerate(rows):
            is_pair = isinstance(row, list) and [type(one) for one in row] == [str, str]
            require(is_pair, "it is not a pair of texts", f"{where}.impacts[{at}]")
        return cls([(gaps, steps) for gaps, steps in rows])

    def impacts(self, at: int, frequency: int, size: int, where: str) -> tuple[list[int], list[int]]:
        """The passages and impacts of the term in row `at`, which `frequency` of `size` passages hold.

        Raises IndexFormatError where that is not so.
        """
        here = f"{where}.impacts[{at}]"
        gaps, steps = (unpacked(text, here) for text in self.rows[at])
        require(len(gaps) == len(steps) == frequency, "the index counts another number of passages", here)
        place = -1
        places = [place := place + gap for gap in gaps]
        require(min(gaps) >= 1 and place < size, "a passage number is out of range", here)
        return places, steps


type Part = PassagesPart | PostingsPart


class Held:
    """The files that were brought, the least recently used first."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}

    def require(self, names: Iterable[str]) -> None:
        """Raise PartsNeeded unless all are held; they count as used."""
        wanted = dict.fromkeys(names)
        missing = [one for one in wanted if one not in self._parts]
        if missing:
            raise PartsNeeded(missing)
        for one in wanted:
            self._parts[one] = self._parts.pop(one)

    def get(self, one: str) -> Part:
        """A file that is held."""
        return self._parts[one]

    def put(self, one: str, part: Part) -> None:
        self._parts[one] = part

    def trim(self) -> None:
        """Let go of all but KEPT."""
        for one in [*self._parts][: max(0, len(self._parts) - KEPT)]:
            del self._parts[one]


class Files:
    """The files of one language: where a passage or the postings of a term are, and which are held."""

    def __init__(self, lang: str, passages: Sequence[int], terms: Sequence[int]) -> None:
        self.passages = Cut(lang, PASSAGES, passages)
        self.terms = Cut(lang, POSTINGS, terms)
        self.held = Held()
        self.source: Callable[[str], bytes] | None = None
        """Where files are to be had at once; without it they are named by PartsNeeded."""

    def bring(self, rows: Iterable[int], places: Iterable[int]) -> None:
        """Raise PartsNeeded unless the postings of these rows and these passages are held."""
        named = [(self.terms, row) for row in rows] + [(self.passages, place) for place in places]
        self._require([cut.name(cut.number(at)) for cut, at in named])

    def _require(self, names: Sequence[str]) -> None:
        try:
            self.held.require(names)
        except PartsNeeded as needed:
            if self.source is None:
                raise
            for name in needed.names:
                self.give(name, self.source(name))

    def give(self, name: str, data: bytes) -> bool:
        """Hold a file; tell whether it is one of this language. Raises IndexFormatError for a damaged one."""
        for cut, kind in ((self.passages, PassagesPart), (self.terms, PostingsPart)):
            number = cut.named(name)
            if number is not None:
                self.held.put(name, kind.from_json(data, cut, number))
                return True
        return False

    def passages_part(self, number: int) -> PassagesPart:
        return cast(PassagesPart, self._part(self.passages.name(number)))  # the name says which it is

    def _part(self, name: str) -> Part:
        self._require((name,))
        return self.held.get(name)

    def at(self, place: int) -> tuple[PassagesPart, int]:
        """The file with a passage, and its place there."""
        number = self.passages.number(place)
        return self.passages_part(number), place - self.passages.starts[number]

    def impacts(self, row: int, frequency: int) -> tuple[list[int], list[int]]:
        """The passages that hold the term of a row, and its impacts."""
        number = self.terms.number(row)
        name = self.terms.name(number)
        part = cast(PostingsPart, self._part(name))  # the name says which it is
        return part.impacts(row - self.terms.starts[number], frequency, self.passages.total, name)
