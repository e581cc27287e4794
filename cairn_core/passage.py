"""Documents as their passages carry them, and passages: what can be quoted and linked.

The builder makes them from one parse; their plain JSON form is part of a shard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from cairn_core.config import LANGUAGE_CODE
from cairn_core.errors import IndexFormatError
from cairn_core.jsontext import read_list, read_number, read_text, require

LAYOUT_LETTERS = frozenset("hplotrcq")
SUM = 2**31 - 1  # a prime, so that a remainder depends on every byte
DOC_ID = re.compile(r"[A-Za-z][A-Za-z0-9._:-]*\Z")

_PAGE_URL = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.html\Z")
_DATE = re.compile(r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2})?\Z")


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document as its passages carry it.

    family: what the translations of one document share.
    url: its page, relative to the site's root and without a fragment; "" where there is no site.
    reviewed: YYYY-MM-DD or "".
    elsewhere: its translations in languages whose passages are not in memory, part: in such a language, the
    number of the file with its passages; neither makes another document of it.
    """

    doc_id: str
    title: str
    lang: str
    family: str
    url: str
    reviewed: str = ""
    elsewhere: tuple[DocumentRef, ...] = field(default=(), compare=False)
    part: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        require(bool(DOC_ID.match(self.doc_id)), f'"{self.doc_id}" is not a document id', "id")
        require(bool(self.title.strip()), "the title is empty", "title")
        require(bool(LANGUAGE_CODE.match(self.lang)), f'"{self.lang}" is not a language code', "lang")
        require(bool(self.family), "the family is empty", "family")
        is_page = not self.url or bool(_PAGE_URL.match(self.url))
        require(is_page, f'"{self.url}" is not a page of the site', "url")
        require(bool(_DATE.match(self.reviewed)), f'"{self.reviewed}" is not a date', "reviewed")

    def to_json(self) -> dict[str, object]:
        """Plain JSON values without the language, which the shard states once."""
        plain: dict[str, object] = {
            "id": self.doc_id,
            "title": self.title,
            "family": self.family,
            "url": self.url,
            "reviewed": self.reviewed,
        }
        if self.elsewhere:
            plain["elsewhere"] = [
                {**other.to_json(), "lang": other.lang, "part": other.part} for other in self.elsewhere
            ]
        return plain

    @classmethod
    def from_json(cls, item: object, lang: str, where: str) -> DocumentRef:
        """What `to_json` wrote. Raises IndexFormatError naming the field."""
        doc_id, title, family, url, reviewed = (
            read_text(item, name, where) for name in ("id", "title", "family", "url", "reviewed")
        )
        others = read_list(item, "elsewhere", where) if isinstance(item, dict) and "elsewhere" in item else []
        elsewhere = tuple(
            cls._elsewhere(other, f"{where}.elsewhere[{at}]") for at, other in enumerate(others)
        )
        try:
            return cls(doc_id, title, lang, family, url, reviewed, elsewhere)
        except IndexFormatError as error:
            raise IndexFormatError(error.message, error.hint, f"{where}.{error.location}") from error

    @classmethod
    def _elsewhere(cls, item: object, where: str) -> DocumentRef:
        part = read_number(item, "part", where)
        require(part >= 0, f'"{part}" is not a number of a file', f"{where}.part")
        return replace(cls.from_json(item, read_text(item, "lang", where), where), part=part)


@dataclass(frozen=True, slots=True)
class Passage:
    """A quotable part of a document.

    ordinal: counts the passages of the document from 1.
    section: the headings above, or "".
    text: lines joined by newlines, exactly the words of the page under `anchor`; the cells of a table row are
    joined by tabs.
    layout: one letter a line: h heading, p paragraph, l bullet item, o ordered item, t table header, r table
    row, c code, q quotation.
    """

    document: DocumentRef
    ordinal: int
    anchor: str
    section: str
    text: str
    layout: str

    def __post_init__(self) -> None:
        require(self.ordinal >= 1, f'"{self.ordinal}" is not an ordinal', "n")
        is_anchor = self.anchor.isprintable() and " " not in self.anchor
        require(is_anchor, f'"{self.anchor}" is not an anchor', "anchor")
        require(bool(self.text.strip()), "the text is empty", "text")
        fits = len(self.layout) == self.text.count("\n") + 1 and LAYOUT_LETTERS.issuperset(self.layout)
        require(fits, f'"{self.layout}" is no layout of the text', "layout")

    @property
    def passage_id(self) -> str:
        return f"{self.document.doc_id}#{self.ordinal}"

    @property
    def doc_id(self) -> str:
        return self.document.doc_id

    @property
    def title(self) -> str:
        return self.document.title

    @property
    def lang(self) -> str:
        return self.document.lang

    @property
    def url(self) -> str:
        return f"{self.document.url}#{self.anchor}" if self.anchor else self.document.url

    def to_json(self, document: int) -> dict[str, object]:
        """Plain JSON values; `document` is the position of its document in the shard's list."""
        return {
            "d": document,
            "n": self.ordinal,
            "anchor": self.anchor,
            "section": self.section,
            "text": self.text,
            "layout": self.layout,
            "sum": self.sum,
        }

    @property
    def sum(self) -> int:
        """A checksum of all that is quoted, counted and linked, 0 .. SUM - 1."""
        document = self.document
        parts = (self.passage_id, document.title, document.url, document.reviewed, self.section, self.anchor)
        whole = "\n".join((*parts, self.layout, self.text))
        return int.from_bytes(whole.encode("utf-8", "surrogatepass"), "big") % SUM

    @classmethod
    def from_json(cls, item: object, documents: Sequence[DocumentRef], where: str) -> Passage:
        """What `to_json` wrote. Raises IndexFormatError naming the field, "sum" for an edited passage."""
        at = read_number(item, "d", where)
        require(0 <= at < len(documents), f'there is no document "{at}"', f"{where}.d")
        anchor, section, text, layout = (
            read_text(item, name, where) for name in ("anchor", "section", "text", "layout")
        )
        ordinal, checksum = read_number(item, "n", where), read_number(item, "sum", where)
        try:
            passage = cls(documents[at], ordinal, anchor, section, text, layout)
        except IndexFormatError as error:
            inside = error.location if error.location.startswith(where) else f"{where}.{error.location}"
            raise IndexFormatError(error.message, error.hint, inside) from error
        require(checksum == passage.sum, "the passage is not the one that was indexed", f"{where}.sum")
        return passage


def read_passages(plain: object, lang: str, where: str, part: int = 0) -> tuple[Passage, ...]:
    """The passages of a file with the documents they are of. Raises IndexFormatError naming the field."""
    documents = [
        replace(DocumentRef.from_json(item, lang, f"{where}.documents[{at}]"), part=part)
        for at, item in enumerate(read_list(plain, "documents", where))
    ]
    passages = enumerate(read_list(plain, "passages", where))
    return tuple(Passage.from_json(item, documents, f"{where}.passages[{at}]") for at, item in passages)


def documents_of(passages: Sequence[Passage]) -> list[DocumentRef]:
    """The documents of passages, each once, in the order of their first passages."""
    runs: list[DocumentRef] = []  # of passages of one document, as they follow each other
    for passage in passages:
        if not runs or passage.document is not runs[-1]:
            runs.append(passage.document)
    return list(dict.fromkeys(runs))


def passages_to_json(passages: Sequence[Passage]) -> dict[str, object]:
    """What `read_passages` reads."""
    documents = documents_of(passages)
    positions = {document: position for position, document in enumerate(documents)}
    return {
        "documents": [document.to_json() for document in documents],
        "passages": [passage.to_json(positions[passage.document]) for passage in passages],
    }


def require_ordered(lang: str, passages: Sequence[Passage]) -> None:
    """Raise IndexFormatError unless there are passages, all of one language and in order."""
    require(bool(passages), "there are no passages", "passages")
    before = ("", 0)
    for passage in passages:
        here = (passage.doc_id, passage.ordinal)
        require(passage.lang == lang, f'passage "{passage.passage_id}" is not in "{lang}"', "passages")
        require(before < here, f'passage "{passage.passage_id}" is out of order', "passages")
        before = here
