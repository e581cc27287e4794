"""A whole corpus rendered: every document, what only shows when all of them are, and the ledger to save."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from builder import anchors, glossary, translations
from builder.anchors import Ledger
from builder.corpus import Corpus, Document
from builder.images import Picture
from builder.links import Links
from builder.passages import Rendered, render
from builder.problems import CorpusProblems, Problem, has_errors, nearest, shown
from cairn_core.index import Passage

MAX_HINTS = 200
"""Dead fragments a near one is looked for, and fragments looked at for each."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """All documents of a corpus rendered, by id, with the warnings, the images to publish and the ledger to
    save.

    `outdated`: id of a translation older than its source -> id of the source.
    """

    documents: Mapping[str, Rendered]
    warnings: tuple[Problem, ...]
    pictures: tuple[Picture, ...]
    ledger: Ledger
    outdated: Mapping[str, str] = field(default_factory=dict)

    @property
    def passages(self) -> Mapping[str, tuple[Passage, ...]]:
        """Return the passages by language, in page order."""
        return _by_language(self.documents.values())


@dataclass(frozen=True, slots=True)
class Examined:
    """What can be rendered of a corpus, whatever is wrong with it; `problems` holds those of reading too.

    `outdated` as in `Rendering`.
    """

    documents: Mapping[str, Rendered]
    ledger: Ledger
    problems: tuple[Problem, ...]
    outdated: Mapping[str, str]

    @property
    def passages(self) -> Mapping[str, tuple[Passage, ...]]:
        """Return the passages by language, in page order."""
        return _by_language(self.documents.values())


type Follow = Callable[[Iterable[Document]], Iterable[Document]]


def render_all(corpus: Corpus, follow: Follow = iter) -> Rendering:
    """Return every document of a corpus rendered; `follow` sees them pass by, for a progress bar.

    Raises CorpusProblems with the problems of reading and rendering together when one of them is an error.
    """
    examined = examine(corpus, follow)
    if has_errors(examined.problems):
        raise CorpusProblems(examined.problems)
    documents = examined.documents
    entries = {doc_id: one.entry for doc_id, one in documents.items()}
    pictures = {picture.url: picture for one in documents.values() for picture in one.found.pictures.values()}
    return Rendering(
        documents,
        examined.problems,
        tuple(pictures[url] for url in sorted(pictures)),
        Ledger({**examined.ledger.documents, **entries}),
        examined.outdated,
    )


def examine(corpus: Corpus, follow: Follow = iter) -> Examined:
    """Return every document of a corpus rendered, with the problems of reading and rendering together."""
    links = Links.of(corpus)
    ledger, problems = anchors.load(corpus.project.anchors)
    documents = {one.doc_id: render(one, links, ledger) for one in follow(corpus.documents)}
    problems += glossary.problems(corpus.project.corpus_dir, _by_language(documents.values()))
    together = compared(
        corpus, documents.values(), lambda one: translations.passages_hash(documents[one.doc_id].passages)
    )
    return Examined(documents, ledger, tuple(sorted((*problems, *together.problems))), together.outdated)


@dataclass(frozen=True, slots=True)
class Compared:
    """What only shows when all documents of a corpus are rendered; `problems` holds theirs too, and those of
    reading. `outdated` as in `Rendering`.
    """

    problems: tuple[Problem, ...]
    outdated: Mapping[str, str]


def compared(corpus: Corpus, documents: Collection[Rendered], digest: translations.Digest) -> Compared:
    """Compare all rendered documents of a corpus; of their passages only `digest` is asked."""
    problems = [*corpus.problems, *(problem for one in documents for problem in one.found.problems)]
    problems += [*_dead_fragments(documents), *_grouped(documents)]
    record, unreadable = translations.read(corpus.project.corpus_dir)
    own = [one.document for one in documents]
    outdated = translations.stale(record, own, digest)
    problems += [*unreadable, *translations.problems(record, own, outdated)]
    return Compared(tuple(problems), outdated)


def _by_language(documents: Iterable[Rendered]) -> Mapping[str, tuple[Passage, ...]]:
    found: dict[str, list[Passage]] = {}
    for rendered in documents:
        found.setdefault(rendered.document.lang, []).extend(rendered.passages)
    return {lang: tuple(found[lang]) for lang in sorted(found)}


def _dead_fragments(documents: Iterable[Rendered]) -> Iterator[Problem]:
    by_path = {one.document.path: one for one in documents}
    hints = MAX_HINTS
    for rendered in by_path.values():
        for reference in rendered.found.references:
            target = by_path.get(reference.target.path)
            fragment = reference.target.fragment
            if fragment and target is not None and fragment not in target.fragments:
                message = f"The fragment {shown(fragment)} is not in {shown(target.document.path)}."
                near = nearest(fragment, sorted(target.fragments)[:MAX_HINTS]) if hints else ""
                hints = max(0, hints - 1)
                hint = near or "link to the document without it"
                yield Problem(rendered.document.path, reference.line, reference.column, "E502", message, hint)


def _grouped(documents: Iterable[Rendered]) -> Iterator[Problem]:
    """Yield the warnings that stand for many places."""
    tags = [(one.document.path, *place) for one in documents for place in one.found.tags]
    if tags:
        message = f"A tag is shown as text; tags: {len(tags)}, this is the first."
        yield Problem(*tags[0], "W414", message, "write Markdown instead")
    dropped: dict[str, list[tuple[str, int, int]]] = {}
    for one in documents:
        for scheme, line, column in one.found.dropped:
            dropped.setdefault(scheme, []).append((one.document.path, line, column))
    for scheme, places in sorted(dropped.items()):
        message = f'A link of the scheme "{scheme}" is dropped; links: {len(places)}, this is the first.'
        yield Problem(*places[0], "W511", message, "their text is kept; link to https:")
