"""What a site says of a language whose shard is not in memory yet.

Enough to tell which language a question is in and to link translations, so that the shards of other languages
are brought only when a question needs them. Holds nothing that a shard does not: what was announced is
compared with the shard once that is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from cairn_core.config import LANGUAGE_CODE
from cairn_core.detection import Vocabulary
from cairn_core.errors import IndexFormatError
from cairn_core.jsontext import HINT, read_list, read_text, require
from cairn_core.passage import DocumentRef

WHERE = "site.known"


class Listed:
    """Terms as one text, which is asked at once and never cut into its terms."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._between = f" {text} "

    def __contains__(self, term: object) -> bool:
        return f" {term} " in self._between


@dataclass(frozen=True, slots=True)
class Announced:
    """One language: its vocabulary, and the documents of its shard as plain JSON in their order."""

    lang: str
    terms: Listed
    script: str
    documents: list[object]

    @property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.terms, self.script)

    def of_family(self, family: str) -> Iterator[DocumentRef]:
        """The documents of a family. Raises IndexFormatError for one that is damaged."""
        for at, item in enumerate(self.documents):
            if isinstance(item, dict) and item.get("family") == family:
                yield DocumentRef.from_json(item, self.lang, f"{WHERE}.{self.lang}.documents[{at}]")

    def to_json(self) -> dict[str, object]:
        """Plain JSON values."""
        return {"terms": self.terms.text, "script": self.script, "documents": self.documents}

    @classmethod
    def from_json(cls, lang: str, plain: object) -> Announced:
        """What `to_json` wrote. Raises IndexFormatError naming the field."""
        where = f"{WHERE}.{lang}"
        terms, script = (read_text(plain, name, where) for name in ("terms", "script"))
        return cls(lang, Listed(terms), script, read_list(plain, "documents", where))


def announced(lang: str, vocabulary: Vocabulary, documents: Iterable[DocumentRef]) -> Announced:
    """What is announced of a shard; its terms in order."""
    terms = vocabulary.terms if isinstance(vocabulary.terms, Iterable) else ()
    return Announced(lang, Listed(" ".join(terms)), vocabulary.script, [one.to_json() for one in documents])


def all_announced(plain: object) -> Mapping[str, Announced]:
    """Language -> what is announced of it; none without any. Raises IndexFormatError."""
    if plain is None:
        return {}
    if not isinstance(plain, dict):
        raise IndexFormatError("it is not a table", HINT, WHERE)
    for lang in plain:
        require(bool(LANGUAGE_CODE.match(lang)), f'"{lang}" is not a language code', WHERE)
    return {lang: Announced.from_json(lang, item) for lang, item in sorted(plain.items())}
