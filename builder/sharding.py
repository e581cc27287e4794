"""Large languages cut into files that pages bring when a question needs them (ADR 12).

`cairn_core.parts` and `cairn_core.split` say what is in the files; here they are counted and cut, and
their hashes are put into listings, of which the manifest names the first.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise

from builder.payload import Part, PartEntry, canonical
from cairn_core.announced import announced
from cairn_core.config import Config
from cairn_core.fields import LARGE
from cairn_core.index import Index, file_name
from cairn_core.parts import FORMAT, PASSAGES, POSTINGS, PassagesPart, PostingsPart, name, packed
from cairn_core.passage import DocumentRef, Passage, documents_of, passages_to_json
from cairn_core.shard import Shard, shard_to_json
from cairn_core.split import CAPITAL

ABOVE = LARGE
"""Passages of a language that stay one file: some 1.3 MB as gzip at 800 characters each (ADR 12)."""

TEXT = 6_000
"""Characters of passages after which a file ends; documents are not divided."""

POSTED = 1_200
"""Postings after which a file ends; those of one term are not divided."""


@dataclass(frozen=True, slots=True)
class IndexFiles:
    """The index as files: `heads`, a language each, and `brought`, name -> bytes.

    announced: language -> what pages know of it from the start; none where there is one language only.
    """

    heads: Mapping[str, str]
    brought: Mapping[str, bytes]
    announced: Mapping[str, Mapping[str, object]]


type Translations = Callable[[DocumentRef], Sequence[DocumentRef]]
"""Document -> its translations."""

type Link = Callable[[Sequence[Passage]], Sequence[Passage]]
"""Passages -> the same, `linked`."""


def files(index: Index, config: Config, build: str) -> IndexFiles:
    """Return the files of an index whose shards are all in memory, languages above ABOVE cut."""
    cuts = {lang: cut(_sizes(shard)) for lang, shard in index.whole.items() if shard.size > ABOVE}
    parts = {
        doc_id: number
        for lang, own in cuts.items()
        for doc_id, number in zip(_documents(index.whole[lang]), numbers(own), strict=True)
    }
    heads: dict[str, str] = {}
    brought: dict[str, bytes] = {}
    known: dict[str, Mapping[str, object]] = {}
    for lang, shard in index.whole.items():
        link = partial(linked, translations=index.translations, parts=parts)
        lexicons = {other: lexicon for other, lexicon in shard.lexicons.items() if other not in cuts}
        if lang in cuts:
            made = split(replace(shard, lexicons=lexicons), link, cuts[lang], config, build)
            heads[file_name(lang)] = taken(made, brought.__setitem__)
            known[lang] = known_of(shard, ())
        else:
            passages = link(shard.passages) if parts else shard.passages
            heads[file_name(lang)] = shard_to_json(lang, passages, lexicons, build)
            known[lang] = known_of(shard, passages)
    return IndexFiles(heads, brought, known if len(known) > 1 else {})


def known_of(shard: Shard, passages: Sequence[Passage]) -> dict[str, object]:
    """Return what is announced of a shard; passages are those of its file, none if it is cut."""
    return announced(shard.lang, shard.vocabulary, documents_of(passages)).to_json()


def cut(sizes: Iterable[int]) -> list[int]:
    """Return how many consecutive documents of such sizes, in characters of passages, each file has."""
    return [len(file) for file in _filled(sizes, lambda size: size, TEXT)]


def numbers(cut: Sequence[int]) -> Iterator[int]:
    """Yield for each document the number of its file."""
    return (number for number, documents in enumerate(cut) for _ in range(documents))


def _documents(shard: Shard) -> Mapping[str, list[Passage]]:
    documents: dict[str, list[Passage]] = {}
    for passage in shard.passages:
        documents.setdefault(passage.doc_id, []).append(passage)
    return documents


def _sizes(shard: Shard) -> list[int]:
    return [sum(len(one.text) for one in own) for own in _documents(shard).values()]


def linked(
    passages: Sequence[Passage], translations: Translations, parts: Mapping[str, int]
) -> tuple[Passage, ...]:
    """Return passages with each document's translations that a reader of its file finds in no family.

    parts: id of a document of a language that is cut -> number of its file.
    """
    known: dict[str, DocumentRef] = {}
    for document in dict.fromkeys(passage.document for passage in passages):
        others = [
            replace(other, part=parts.get(other.doc_id, 0))
            for other in translations(document)
            if document.doc_id in parts or other.doc_id in parts
        ]
        known[document.doc_id] = replace(document, elsewhere=tuple(others))
    return tuple(
        Passage(known[one.doc_id], one.ordinal, one.anchor, one.section, one.text, one.layout)
        for one in passages
    )


def split(
    shard: Shard, link: Link, cut: Sequence[int], config: Config, build: str
) -> Generator[tuple[str, bytes], None, str]:
    """Yield the files that pages bring of a language that is cut, and return what they load at once.

    cut: documents of each file.
    """
    rows = _evidence_rows(shard) if config.scorer == "evidence" else _contract_rows(shard)
    sizes: list[int] = []
    for file, data in _postings(shard.lang, rows):
        sizes.append(file)
        yield name(shard.lang, POSTINGS, len(sizes) - 1), data
    counts: list[int] = []
    for part in _passages(shard.passages, cut):
        counts.append(len(part.passages))
        plain = part.to_json(shard.lang, passages_to_json(link(part.passages)))
        yield name(shard.lang, PASSAGES, len(counts) - 1), canonical(plain).encode()
    return canonical(
        {
            "format": FORMAT,
            "build": build,
            "lang": shard.lang,
            "split": {"passages": packed(counts), "postings": packed(sizes), **_statistics(shard, config)},
            "lexicons": {other: lexicon.to_json() for other, lexicon in shard.lexicons.items()},
        }
    )


def taken[T](made: Generator[tuple[str, bytes], None, T], take: Callable[[str, bytes], object]) -> T:
    """Hand each file on as it is made, and return what there is at the end."""
    try:
        while True:
            take(*next(made))
    except StopIteration as end:
        result: T = end.value
        return result


def listed(brought: Mapping[str, bytes]) -> Iterator[Part]:
    """Yield the files as parts, then the listings of their hashes, last the one of a language."""
    entries: dict[str, PartEntry] = {}
    for one, data in sorted(brought.items()):
        part = Part.of(one, data)
        entries[one] = part.entry
        yield part
    yield from listings(entries)


def listings(entries: Mapping[str, PartEntry]) -> Iterator[Part]:
    """Yield the listings of the hashes of files, last the one of a language."""
    below: dict[str, dict[str, object]] = {}
    for one, entry in sorted(entries.items()):
        listing, _, leaf = one.rpartition("/")
        below.setdefault(listing, {})[leaf] = asdict(entry)
    upper: dict[str, dict[str, object]] = {}
    for one, held in below.items():
        part = Part.of(one, canonical(held).encode())
        yield part
        listing, _, leaf = one.rpartition("/")
        upper.setdefault(listing, {})[leaf] = asdict(part.entry)
    for one, held in upper.items():
        yield Part.of(one, canonical(held).encode())


def is_listed(one: str) -> bool:
    """Whether a part's hash is in a listing and not in the manifest."""
    return one.count("/") > 1


def _filled[T](things: Iterable[T], size: Callable[[T], int], enough: int) -> Iterator[list[T]]:
    """Consecutive things together until they are enough; one that is too large stands alone."""
    file: list[T] = []
    held = 0
    for thing in things:
        own = size(thing)
        if file and (held >= enough or own >= enough):
            yield file
            file, held = [], 0
        file.append(thing)
        held += own
    if file:
        yield file


def _passages(passages: Sequence[Passage], cut: Iterable[int]) -> Iterator[PassagesPart]:
    ends = [at for at, (one, other) in enumerate(pairwise(passages), 1) if one.doc_id != other.doc_id]
    places = [0, *ends, len(passages)]
    first = 0
    for documents in cut:
        yield PassagesPart(first, passages[places[first] : places[first + documents]])
        first += documents


type _Row = tuple[Sequence[int], Sequence[int]]


def _contract_rows(shard: Shard) -> Iterator[_Row]:
    return map(shard.impacts, shard.terms)


def _evidence_rows(shard: Shard) -> Iterator[_Row]:
    return map(shard.statistics.impacts, sorted(shard.statistics.vocabulary))


def _postings(lang: str, rows: Iterable[_Row]) -> Iterator[tuple[int, bytes]]:
    """Yield each file, and how many terms it has."""
    texts = ((packed(_gaps(places)), packed(steps)) for places, steps in rows)
    for file in _filled(texts, lambda row: len(row[1]), POSTED):
        yield len(file), canonical(PostingsPart(file).to_json(lang)).encode()


def _gaps(places: Sequence[int]) -> list[int]:
    return [place - before for before, place in zip((-1, *places), places, strict=False)]


def _statistics(shard: Shard, config: Config) -> dict[str, object]:
    """What is known of the terms from the start; stems are asked for by glossaries and by `evidence`."""
    needs_stems = config.scorer != "evidence" and shard.lang in config.glossary
    return {
        "terms": " ".join(shard.terms),
        "term frequencies": packed(map(shard.frequency, shard.terms)),
        "stems": " ".join(sorted(shard.statistics.terms("stem"))) if needs_stems else "",
        "evidence": _of_words(shard) if config.scorer == "evidence" else None,
    }


def _of_words(shard: Shard) -> dict[str, object]:
    """What `split.SplitStatistics` reads."""
    own = shard.statistics
    found = sorted(own.vocabulary)
    stems, grams = (sorted(own.terms(field)) for field in ("stem", "gram"))
    return {
        "documents": own.document_count,
        "words": " ".join(found),
        "word frequencies": packed(own.frequency("word", word) for word in found),
        "stem frequencies": packed(own.frequency("stem", one) for one in stems),
        "gram frequencies": packed(own.frequency("gram", one) for one in grams),
        "gram in documents frequencies": packed(map(own.document_frequency, grams)),
        "written": " ".join(_form(word, shard) for word in found),
        "length": sum(own.lengths["word"]),
        "grams": sum(own.lengths["gram"]),
        "sentences": len(own.sentence_lengths),
        "in sentences": sum(own.sentence_lengths),
    }


def _form(word: str, shard: Shard) -> str:
    """How a word is written, "" where as it is held."""
    written = shard.written(word)
    if written == word:
        return ""
    return CAPITAL if written == word.capitalize() else written
