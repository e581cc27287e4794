"""Large languages cut into files that pages bring when a question needs them (ADR 12).

`cairn_core.parts` and `cairn_core.split` say what is in the files; here they are counted and cut, and
their hashes are put into listings, of which the manifest names the first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from builder.payload import Part, canonical
from cairn_core.announced import announced
from cairn_core.config import Config
from cairn_core.fields import LARGE
from cairn_core.index import Index, file_name
from cairn_core.parts import FORMAT, PASSAGES, POSTINGS, PassagesPart, PostingsPart, name, packed
from cairn_core.passage import DocumentRef, Passage, passages_to_json
from cairn_core.shard import Shard
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


def files(index: Index, config: Config, build: str) -> IndexFiles:
    """Return the files of an index whose shards are all in memory, languages above ABOVE cut."""
    cuts = {lang: _cut(shard) for lang, shard in index.whole.items() if shard.size > ABOVE}
    parts = {
        document[0].doc_id: number
        for cut in cuts.values()
        for number, file in enumerate(cut)
        for document in file
    }
    heads: dict[str, str] = {}
    brought: dict[str, bytes] = {}
    known: dict[str, Mapping[str, object]] = {}
    for lang, shard in index.whole.items():
        linked = _linked(shard, index, parts) if parts else shard
        lexicons = {other: lexicon for other, lexicon in shard.lexicons.items() if other not in cuts}
        if lang in cuts:
            rows = _evidence_rows(shard) if config.scorer == "evidence" else _contract_rows(shard)
            sizes, posted = _postings(lang, rows)
            brought |= {**posted, **dict(_passages(linked, cuts[lang]))}
            split = {**_cuts(cuts[lang], sizes), **_statistics(shard, config)}
            plain = {"format": FORMAT, "build": build, "lang": lang, "split": split}
            plain["lexicons"] = {other: lexicon.to_json() for other, lexicon in lexicons.items()}
            heads[file_name(lang)] = canonical(plain)
        else:
            heads[file_name(lang)] = replace(linked, lexicons=lexicons).to_json(build)
        documents = () if lang in cuts else linked.documents
        known[lang] = announced(lang, shard.vocabulary, documents).to_json()
    return IndexFiles(heads, brought, known if len(known) > 1 else {})


def _linked(shard: Shard, index: Index, parts: Mapping[str, int]) -> Shard:
    """The shard with each document's translations that a reader of its file finds in no family."""
    known: dict[str, DocumentRef] = {}
    for document in dict.fromkeys(passage.document for passage in shard.passages):
        others = [
            replace(other, part=parts.get(other.doc_id, 0))
            for other in index.translations(document)
            if document.doc_id in parts or other.doc_id in parts
        ]
        known[document.doc_id] = replace(document, elsewhere=tuple(others))
    return replace(shard, passages=tuple(replace(one, document=known[one.doc_id]) for one in shard.passages))


def listed(brought: Mapping[str, bytes]) -> Iterator[Part]:
    """Yield the files as parts, then the listings of their hashes, last the one of a language."""
    below: dict[str, dict[str, object]] = {}
    for one, data in sorted(brought.items()):
        part = Part.of(one, data)
        yield part
        listing, _, leaf = one.rpartition("/")
        below.setdefault(listing, {})[leaf] = asdict(part.entry)
    upper: dict[str, dict[str, object]] = {}
    for one, entries in below.items():
        part = Part.of(one, canonical(entries).encode())
        yield part
        listing, _, leaf = one.rpartition("/")
        upper.setdefault(listing, {})[leaf] = asdict(part.entry)
    for one, entries in upper.items():
        yield Part.of(one, canonical(entries).encode())


def is_listed(one: str) -> bool:
    """Whether a part's hash is in a listing and not in the manifest."""
    return one.count("/") > 1


type _Document = Sequence[Passage]


def _cut(shard: Shard) -> list[list[_Document]]:
    """The documents of each file."""
    documents: dict[str, list[Passage]] = {}
    for passage in shard.passages:
        documents.setdefault(passage.doc_id, []).append(passage)
    return _filled(documents.values(), lambda own: sum(len(one.text) for one in own), TEXT)


def _filled[T](things: Iterable[T], size: Callable[[T], int], enough: int) -> list[list[T]]:
    """Consecutive things together until they are enough; one that is too large stands alone."""
    files: list[list[T]] = []
    held = enough
    for thing in things:
        own = size(thing)
        if held >= enough or own >= enough:
            files.append([])
            held = 0
        files[-1].append(thing)
        held += own
    return files


def _passages(shard: Shard, cut: Iterable[Sequence[_Document]]) -> Iterator[tuple[str, bytes]]:
    first = place = 0
    for number, file in enumerate(cut):
        size = sum(map(len, file))
        part = PassagesPart(first, shard.passages[place : place + size])
        plain = part.to_json(shard.lang, passages_to_json(part.passages))
        yield name(shard.lang, PASSAGES, number), canonical(plain).encode()
        first, place = first + len(file), place + size


type _Row = tuple[Sequence[int], Sequence[int]]


def _contract_rows(shard: Shard) -> Iterator[_Row]:
    return map(shard.impacts, shard.terms)


def _evidence_rows(shard: Shard) -> Iterator[_Row]:
    return map(shard.statistics.impacts, sorted(shard.statistics.vocabulary))


def _postings(lang: str, rows: Iterable[_Row]) -> tuple[list[int], dict[str, bytes]]:
    """How many terms each file has, and the files."""
    texts = [(packed(_gaps(places)), packed(steps)) for places, steps in rows]
    files = _filled(texts, lambda row: len(row[1]), POSTED)
    posted = {
        name(lang, POSTINGS, number): canonical(PostingsPart(file).to_json(lang)).encode()
        for number, file in enumerate(files)
    }
    return [len(file) for file in files], posted


def _gaps(places: Sequence[int]) -> list[int]:
    return [place - before for before, place in zip((-1, *places), places, strict=False)]


def _cuts(cut: Iterable[Sequence[_Document]], terms: Iterable[int]) -> dict[str, object]:
    """How many passages and how many terms each file has."""
    return {"passages": packed(sum(map(len, file)) for file in cut), "postings": packed(terms)}


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
