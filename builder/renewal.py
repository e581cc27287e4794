"""The documents of a corpus for a build: each taken from the last one when its file and all it refers to are
as they were, else read and rendered anew; only light forms are held in memory.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from os import SEEK_END
from tempfile import SpooledTemporaryFile

from builder import anchors, files, shelf
from builder.anchors import Entry, Ledger
from builder.corpus import Corpus, contact_checked, gathered
from builder.document import Document, Loaded, load_file
from builder.files import Found
from builder.kept import Kept, key
from builder.links import Links
from builder.passages import render
from builder.problems import Problem, has_errors
from builder.project import Project
from builder.shelf import Leaf
from builder.workers import Workers
from cairn_core.errors import CorpusError

IN_MEMORY = 4 << 20
"""Bytes of documents waiting to be rendered that are held in memory; more wait on the disk."""


type Made = tuple[Leaf, bytes, bool]
"""A document rendered, its text as JSON, whether the next build may take both."""

type Follow = Callable[[Iterable[Made], int], Iterable[Made]]
"""Sees results pass by, and is told how many there are."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """The documents in the order of their paths, the ledger they were rendered with, and what is wrong with
    it; `made` is how many were made anew.
    """

    corpus: Corpus
    leaves: tuple[Leaf, ...]
    ledger: Ledger
    problems: tuple[Problem, ...]
    made: int


@dataclass(slots=True)
class _File:
    """A file of the corpus, the key of what its bytes give, and that.

    `place`: where its document waits to be rendered, if it was read in this build.
    """

    file: Found
    entry: bytes
    loaded: Loaded
    leaf: Leaf | None = None
    place: tuple[int, int] | None = None


def renewed(project: Project, kept: Kept, tool: str, workers: Workers, follow: Follow) -> Renewed:
    """Return the documents of a project, those that changed made anew, which `follow` sees pass by."""
    with SpooledTemporaryFile(IN_MEMORY) as spool:
        renewal = _Renewal(project, kept, key(tool, *_settings(project)), workers, spool)
        return renewal.run(follow)


def _settings(project: Project) -> tuple[object, ...]:
    """What of the settings decides what a document is and how it is rendered."""
    fields = project.field_names, project.field_passages
    reading = project.invisible, project.raw_html, project.unknown_schemes
    return (project.languages, project.config.default_lang, *fields, *reading)


@dataclass(slots=True)
class _Renewal:
    project: Project
    kept: Kept
    version: bytes
    workers: Workers
    spool: SpooledTemporaryFile[bytes]
    files: list[_File] = field(default_factory=list)

    def run(self, follow: Follow) -> Renewed:
        found, problems = files.find(self.project.corpus_dir, self.project.exclude)
        self.files = [self._known(file) for file in found]
        self._load([one for one in self.files if not one.entry])
        corpus = contact_checked(gathered(self.project, [one.loaded for one in self.files], problems))
        ledger, unreadable = anchors.load(self.project.anchors)
        links = Links.of(corpus)
        stale = [
            one for one in self.files if one.loaded.document and not self._is_current(one, links, ledger)
        ]
        self._render(stale, links, ledger, follow)
        leaves = tuple(one.leaf for one in self.files if one.leaf)
        return Renewed(corpus, leaves, ledger, tuple(unreadable), len(stale))

    def _known(self, file: Found) -> _File:
        """Return what is kept of a file as it is now; one without a key has to be read."""
        data, _ = files.read(file)
        if data is not None:
            entry = self._key(file.path, data)
            if (known := self.kept.get(entry)) is not None:
                return _File(file, entry, *shelf.from_json(file.path, known))
        return _File(file, b"", Loaded(file.path))

    def _key(self, path: str, data: bytes) -> bytes:
        return key(self.version, path, sha256(data).digest())

    def _load(self, unread: Sequence[_File]) -> None:
        """Read files again, since the bytes of all of them would not be held, and load them."""

        def given() -> Iterator[tuple[str, bytes]]:
            for one in unread:
                data, problems = files.read(one.file)
                if data is None:
                    one.loaded = Loaded(one.file.path, problems=tuple(problems))
                else:
                    one.entry = self._key(one.file.path, data)
                    yield one.file.path, data

        readable = (one for one in unread if one.entry)
        for loaded in self.workers.map(_loaded, self.project, given(), len(unread)):
            one = next(readable)
            if loaded.document is None:
                one.loaded = loaded
                self._keep(one)
            else:
                one.place = self._put_off(loaded.document)
                one.loaded = replace(loaded, document=shelf.light(loaded.document))

    def _keep(self, one: _File) -> None:
        if not has_errors(one.loaded.problems):
            self.kept.put(one.entry, shelf.to_json(one.loaded, one.leaf))

    def _put_off(self, document: Document) -> tuple[int, int]:
        data = pickle.dumps(document)
        at = self.spool.seek(0, SEEK_END)
        self.spool.write(data)
        return at, len(data)

    def _document(self, one: _File) -> Document | None:
        """Return a document with its text."""
        if one.place is None:
            data, _ = files.read(one.file)
            return None if data is None else load_file(one.file.path, data, self.project).document
        self.spool.seek(one.place[0])
        document: Document = pickle.loads(self.spool.read(one.place[1]))  # noqa: S301 - own, see `_put_off`
        return document

    def _is_current(self, one: _File, links: Links, ledger: Ledger) -> bool:
        leaf = one.leaf
        if leaf is None or not shelf.is_current(leaf, links, ledger, self.project.corpus_dir):
            return False
        return self.kept.keep(leaf.matter)

    def _render(self, stale: Sequence[_File], links: Links, ledger: Ledger, follow: Follow) -> None:
        def given() -> Iterator[tuple[Document, Entry, bytes]]:
            for one in stale:
                document = self._document(one)
                if document is None:
                    raise CorpusError("a document changed while it was read", "build again", one.file.path)
                yield document, ledger.documents.get(document.doc_id, Entry()), one.entry

        made = self.workers.map(_rendered, links, given(), len(stale))
        for one, (leaf, matter, lasting) in zip(stale, follow(made, len(stale)), strict=True):
            one.leaf = leaf
            self.kept.put(leaf.matter, matter)
            if lasting:
                self._keep(one)


def _loaded(project: Project, batch: Sequence[tuple[str, bytes]]) -> list[Loaded]:
    return [load_file(path, data, project) for path, data in batch]


def _rendered(links: Links, batch: Sequence[tuple[Document, Entry, bytes]]) -> list[Made]:
    found: list[Made] = []
    for document, before, entry in batch:
        rendered = render(document, links, Ledger({document.doc_id: before}))
        found.append(
            (shelf.leaf_of(rendered, entry), shelf.matter_to_json(rendered), shelf.lasting(rendered))
        )
    return found
