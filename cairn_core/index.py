"""The shards of one site, and its documents by family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cairn_core.detection import Vocabulary
from cairn_core.errors import MixedBuildsError
from cairn_core.jsontext import read_text, require, to_canonical_json
from cairn_core.lexicon import lexicons_from_json
from cairn_core.parts import FORMAT, read_formatted
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


@dataclass(frozen=True, slots=True)
class Index:
    """The shards of one site, by language code.

    passages, families: of the languages whose passages are all in memory.
    """

    shards: Mapping[str, AnyShard]
    passages: tuple[Passage, ...]
    language_codes: tuple[str, ...]
    vocabularies: Mapping[str, Vocabulary]
    families: Mapping[str, tuple[DocumentRef, ...]]

    @classmethod
    def of(cls, shards: Iterable[AnyShard]) -> Index:
        """The index of `shards`. Raises IndexFormatError for a language or document given twice."""
        ordered = sorted(shards, key=lambda shard: shard.lang)
        by_lang = {shard.lang: shard for shard in ordered}
        require(len(by_lang) == len(ordered), "a language has two shards", "index")
        if len({shard.build for shard in ordered}) > 1:
            raise MixedBuildsError("the shards are of different builds", "copy the whole site again", "index")
        split = {shard.lang for shard in ordered if isinstance(shard, SplitShard)}
        targets = {lang for shard in ordered for lang in shard.lexicons}
        require(not targets & split, "a lexicon leads to a language that is not in memory", "index.lexicons")
        whole = [shard for shard in ordered if isinstance(shard, Shard)]
        owners = Counter(doc_id for shard in whole for doc_id in {one.doc_id for one in shard.passages})
        for doc_id, times in owners.items():
            require(times == 1, f'document "{doc_id}" is in two languages', "index")
        passages = tuple(passage for shard in whole for passage in shard.passages)
        families: dict[str, tuple[DocumentRef, ...]] = {}
        for document in dict.fromkeys(passage.document for passage in passages):
            families[document.family] = (*families.get(document.family, ()), document)
        vocabularies = {lang: shard.vocabulary for lang, shard in by_lang.items()}
        return cls(by_lang, passages, tuple(by_lang), vocabularies, families)

    @property
    def whole(self) -> Mapping[str, Shard]:
        """The shards whose passages are all in memory."""
        return {lang: shard for lang, shard in self.shards.items() if isinstance(shard, Shard)}

    def translations(self, document: DocumentRef) -> tuple[DocumentRef, ...]:
        """The other documents of its family, in other languages, sorted by language."""
        known = (*self.families.get(document.family, ()), *document.elsewhere)
        others = {other.doc_id: other for other in known if other.lang != document.lang}
        return tuple(sorted(others.values(), key=lambda other: (other.lang, other.doc_id)))
