"""The shards of one site, those that are there and those that are brought, and its documents by family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from cairn_core.announced import Announced
from cairn_core.detection import Vocabulary
from cairn_core.errors import MixedBuildsError
from cairn_core.jsontext import read_text, require, to_canonical_json
from cairn_core.lexicon import lexicons_from_json
from cairn_core.parts import FORMAT, PartsNeeded, read_formatted
from cairn_core.passage import DocumentRef, Passage, read_passages, require_ordered
from cairn_core.shard import Shard, build_shard
from cairn_core.split import SplitShard

__all__ = ["FORMAT", "DocumentRef", "Index", "Passage", "Shard", "build_shard", "to_canonical_json"]

type AnyShard = Shard | SplitShard


def read_shard(data: str | bytes) -> AnyShard:
    """The shard in a file, whole or the part of a split one that is there from the start.

    Raises IndexFormatError naming the field that could not be read.
    """
    plain = read_formatted(data, "index")
    return SplitShard.from_plain(plain) if "split" in plain else Shard.from_plain(plain)


def check_index(data: str | bytes) -> None:
    """Raise IndexFormatError where `read_shard` would; what follows from whole passages is not counted."""
    plain = read_formatted(data, "index")
    if "split" in plain:
        SplitShard.from_plain(plain)
    else:
        lang = read_text(plain, "lang", "index")
        require_ordered(lang, read_passages(plain, lang, "index"))
        lexicons_from_json(plain.get("lexicons"), "index.lexicons")


def file_name(lang: str) -> str:
    """What the file of a shard is called."""
    return f"index.{lang}.json"


class Shards(Mapping[str, AnyShard]):
    """The shards by language code, in order; asking for one that is not there raises `PartsNeeded`."""

    def __init__(self, held: Mapping[str, AnyShard], codes: Iterable[str]) -> None:
        self.held = held
        self._codes = tuple(sorted({*held, *codes}))

    def __getitem__(self, lang: str) -> AnyShard:
        if lang not in self.held and lang in self._codes:
            raise PartsNeeded([file_name(lang)])
        return self.held[lang]

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes)

    def __len__(self) -> int:
        return len(self._codes)

    def __contains__(self, lang: object) -> bool:
        return lang in self._codes

    def bring(self, langs: Iterable[str]) -> None:
        """Raise `PartsNeeded` with the names of all that are not there; other languages are passed over."""
        needed = [file_name(lang) for lang in langs if lang in self._codes and lang not in self.held]
        if needed:
            raise PartsNeeded(needed)


@dataclass(frozen=True, slots=True)
class Index:
    """The shards of one site, by language code.

    families: the documents of the languages whose passages are all in memory. announced: what is known of
    the languages whose shards are not there.
    """

    shards: Shards
    vocabularies: Mapping[str, Vocabulary]
    families: Mapping[str, tuple[DocumentRef, ...]]
    announced: Mapping[str, Announced] = field(default_factory=dict)

    @classmethod
    def of(cls, shards: Iterable[AnyShard], announced: Mapping[str, Announced] | None = None) -> Index:
        """The index of `shards`, and of the languages that are announced without a shard among them.

        Raises IndexFormatError for a language or document given twice and a shard that is not as announced.
        """
        ordered = sorted(shards, key=lambda shard: shard.lang)
        by_lang = {shard.lang: shard for shard in ordered}
        require(len(by_lang) == len(ordered), "a language has two shards", "index")
        if len({shard.build for shard in ordered}) > 1:
            raise MixedBuildsError("the shards are of different builds", "copy the whole site again", "index")
        split = {shard.lang for shard in ordered if isinstance(shard, SplitShard)}
        targets = {lang for shard in ordered for lang in shard.lexicons}
        require(not targets & split, "a lexicon leads to a language that is not in memory", "index.lexicons")
        owners = Counter(doc_id for shard in ordered for doc_id in {one.doc_id for one in shard.documents})
        for doc_id, times in owners.items():
            require(times == 1, f'document "{doc_id}" is in two languages', "index")
        families: dict[str, tuple[DocumentRef, ...]] = {}
        for document in (one for shard in ordered for one in shard.documents):
            families[document.family] = (*families.get(document.family, ()), document)
        awaited = {lang: one for lang, one in (announced or {}).items() if lang not in by_lang}
        vocabularies = {lang: one.vocabulary for lang, one in sorted({**by_lang, **awaited}.items())}
        return cls(Shards(by_lang, awaited), vocabularies, families, awaited)

    def with_shard(self, shard: AnyShard) -> Index:
        """The index with the shard of a language that was announced; raises as `of` does."""
        return Index.of([*self.shards.held.values(), shard], self.announced)

    @property
    def language_codes(self) -> tuple[str, ...]:
        """The codes of all languages, sorted."""
        return tuple(self.shards)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages of the languages whose passages are all in memory."""
        return tuple(passage for shard in self.whole.values() for passage in shard.passages)

    @property
    def whole(self) -> Mapping[str, Shard]:
        """The shards whose passages are all in memory."""
        return {lang: shard for lang, shard in self.shards.held.items() if isinstance(shard, Shard)}

    @property
    def split(self) -> Mapping[str, SplitShard]:
        """The shards that are there whose passages are brought."""
        return {lang: shard for lang, shard in self.shards.held.items() if isinstance(shard, SplitShard)}

    def translations(self, document: DocumentRef) -> tuple[DocumentRef, ...]:
        """The other documents of its family, in other languages, sorted by language."""
        awaited = [other for one in self.announced.values() for other in one.of_family(document.family)]
        known = (*self.families.get(document.family, ()), *awaited, *document.elsewhere)
        others = {other.doc_id: other for other in known if other.lang != document.lang}
        return tuple(sorted(others.values(), key=lambda other: (other.lang, other.doc_id)))
