"""Documents as a build keeps them: what is held of each in memory, what is brought when its page or its
language is made, and both as JSON.

What a document depends on beside its file is remembered with it, so that one taken from the last build is
what rendering would give now. Which are taken is decided by `renewal`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builder import images, translations
from builder.anchors import Entry, Ledger, reconcile
from builder.document import Document, Loaded
from builder.frontmatter import Field
from builder.images import Picture
from builder.inline import Findings, Reference
from builder.kept import Kept, key
from builder.links import Links, Target
from builder.passages import Heading, Rendered
from builder.problems import Problem, has_errors
from cairn_core.index import DocumentRef, Passage

type Quotable = tuple[str, str, str]
"""Id, anchor and text of a passage."""

_NO_FRAGMENTS: frozenset[str] = frozenset()
_NO_ENTRY = Entry()
_NEW = _NO_ENTRY.to_json()

KEPT_FIELDS = ("id", "family")
"""Fields of the front matter whose lines are told of two documents together."""


class Lost(Exception):
    """Something that was kept is damaged, and what it was made from is not at hand: make everything anew."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A rendered document without its text: `rendered` has neither body nor passages nor anchors.

    `fragments` are all ids that lead into the page, one a line, `anchors` its line of the ledger as JSON.
    `matter` is the key its text is kept under, which no two texts share; `digest` the hash of its
    passages (`translations.passages_hash`), `count` how many there are, `size` their characters;
    `characters` are those the pages of the document are written with, each once.
    """

    rendered: Rendered
    fragments: str
    anchors: str
    matter: bytes
    digest: str
    count: int
    size: int
    characters: str

    @property
    def document(self) -> Document:
        """Return the document, without its text."""
        return self.rendered.document

    @property
    def with_fragments(self) -> Rendered:
        """Return the document with the ids that lead into its page."""
        return replace(self.rendered, fragments=frozenset(self.fragments.split("\n")))

    @property
    def reference(self) -> DocumentRef:
        """Return the document as its passages carry it."""
        one = self.rendered.document
        return DocumentRef(one.doc_id, one.title, one.lang, one.family, self.rendered.url, one.reviewed)


def light(document: Document) -> Document:
    """Return a document without its text; of its fields only places are left."""
    lines = {name: Field("", document.fields[name].line) for name in KEPT_FIELDS if name in document.fields}
    return replace(document, body="", sections=(), fields=lines)


def leaf_of(rendered: Rendered, entry: bytes) -> Leaf:
    """Return a rendered document without its text; `entry` is the key of what its file gave."""
    found = rendered.found
    matter = key("matter", entry, rendered.url, rendered.entry, found.asked, found.shown)
    references = [one for one in found.references if one.target.fragment]
    return Leaf(
        replace(
            rendered,
            document=light(rendered.document),
            html="",
            passages=(),
            places=(),
            fragments=_NO_FRAGMENTS,
            entry=_NO_ENTRY,
            found=replace(found, references=references),
        ),
        "\n".join(sorted(rendered.fragments)),
        rendered.entry.to_json(),
        matter,
        translations.passages_hash(rendered.passages),
        len(rendered.passages),
        sum(len(one.text) for one in rendered.passages),
        _characters(rendered),
    )


def _characters(rendered: Rendered) -> str:
    document = rendered.document
    found = {*document.title, *document.topic, *document.source, *document.summary}
    found.update(*(one.text for one in rendered.headings), *(one.text for one in rendered.passages))
    return "".join(sorted(found))


def matter_to_json(rendered: Rendered) -> bytes:
    """Return what `passages_of` and `page_of` read."""
    passages = [[one.anchor, one.section, one.text, one.layout] for one in rendered.passages]
    return _dump([rendered.html, passages])


def rendered(leaves: Sequence[Leaf]) -> list[Rendered]:
    """Return the documents, those with the ids of their pages that links name fragments of."""
    found = [leaf.rendered.found for leaf in leaves]
    named = {reference.target.path for one in found for reference in one.references}
    return [leaf.with_fragments if leaf.document.path in named else leaf.rendered for leaf in leaves]


def passages_of(leaf: Leaf, kept: Kept) -> tuple[Passage, ...]:
    """Return the passages of a document. Raises `Lost`."""
    ref = leaf.reference
    return tuple(Passage(ref, number, *one) for number, one in enumerate(_matter(leaf, kept)[1], start=1))


def page_of(leaf: Leaf, kept: Kept) -> tuple[str, list[Quotable]]:
    """Return the inner HTML of a document's page, and what of it is in the index. Raises `Lost`."""
    html, passages = _matter(leaf, kept)
    doc_id = leaf.document.doc_id
    return html, [
        (f"{doc_id}#{at}", anchor, text) for at, (anchor, _, text, _) in enumerate(passages, start=1)
    ]


def _matter(leaf: Leaf, kept: Kept) -> tuple[str, list[list[str]]]:
    data = kept.get(leaf.matter)
    if data is None:
        raise Lost
    html, passages = json.loads(data)
    return html, passages


def is_current(leaf: Leaf, links: Links, ledger: Ledger, corpus: Path) -> bool:
    """Tell whether rendering the document now would give what was kept; its images are read for it."""
    rendered = leaf.rendered
    before = ledger.texts.get(rendered.document.doc_id, _NEW)
    if before != leaf.anchors or rendered.url != links.page(rendered.document):
        return False
    found, path = rendered.found, rendered.document.path
    if any(
        links.pages.get(to, "" if to in links.paths else None) != page for to, page in found.asked.items()
    ):
        return False
    for named, url in found.shown.items():
        picture = images.load(named, path, corpus)
        if not isinstance(picture, Picture) or picture.url != url:
            return False
        found.pictures[url] = picture
    return True


def lasting(rendered: Rendered) -> bool:
    """Tell whether the next build, which knows the anchors of this one, would render the document so too."""
    problems, entry = rendered.found.problems, rendered.entry
    if has_errors(problems) or any(problem.code == "W601" for problem in problems):
        return False
    names = [names[0] for names in entry.passages]
    return entry == Entry(tuple((name,) for name in names)) or reconcile(entry, names) == entry


def to_json(loaded: Loaded, leaf: Leaf | None) -> bytes:
    """Return what a file gave, and its document rendered if there is one, as `from_json` reads it."""
    document = loaded.document
    return _dump(
        [
            document and _document_to_json(document),
            [_problem_to_json(one) for one in loaded.problems],
            [loaded.shortcodes, loaded.foreign, loaded.unused, loaded.composed, loaded.empty],
            leaf and _leaf_to_json(leaf),
        ]
    )


def from_json(path: str, data: bytes) -> tuple[Loaded, Leaf | None]:
    """Return what a file gave and its document without its text."""
    document, problems, (shortcodes, foreign, unused, composed, empty), leaf = json.loads(data)
    own = document and _document(path, document)
    loaded = Loaded(
        path,
        own,
        tuple(Problem(path, *one) for one in problems),
        tuple((name, line, column) for name, line, column in shortcodes),
        tuple((lang, line) for lang, line in foreign),
        tuple((name, line) for name, line in unused),
        composed,
        empty,
    )
    return loaded, leaf and _leaf(own, leaf)


def _document_to_json(document: Document) -> list[object]:
    lines = {name: document.fields[name].line for name in KEPT_FIELDS if name in document.fields}
    return [
        *(document.doc_id, document.title, document.lang, document.family, document.body_line),
        *(document.synthetic, document.reviewed, document.source, document.topic, document.summary),
        lines,
    ]


# JSON from here on is what the functions above wrote: its bytes were compared with their hash.
def _document(path: str, plain: list) -> Document:  # type: ignore[type-arg]
    doc_id, title, lang, family, line, synthetic, reviewed, source, topic, summary, lines = plain
    fields = {name: Field("", number) for name, number in lines.items()}
    facts = synthetic, reviewed, source, topic, summary
    return Document(doc_id, title, lang, family, path, "", line, *facts, (), fields)


def _problem_to_json(problem: Problem) -> list[object]:
    return [problem.line, problem.column, problem.code, problem.message, problem.hint]


def _leaf_to_json(leaf: Leaf) -> list[object]:
    rendered, found = leaf.rendered, leaf.rendered.found
    return [
        rendered.url,
        [[one.level, one.text, one.anchor] for one in rendered.headings],
        leaf.fragments,
        leaf.anchors,
        [_problem_to_json(one) for one in found.problems],
        [
            [one.target.href, one.target.path, one.target.fragment, one.line, one.column]
            for one in found.references
            if one.target.fragment
        ],
        [found.tags, found.dropped],
        [found.asked, found.shown],
        [leaf.matter.hex(), leaf.digest, leaf.count, leaf.size, leaf.characters],
    ]


def _leaf(document: Document, plain: list) -> Leaf:  # type: ignore[type-arg]
    url, headings, fragments, anchors, problems, references, grouped, depends, own = plain
    found = Findings(
        [Problem(document.path, *one) for one in problems],
        [
            Reference(Target(href, path=path, fragment=fragment), line, column)
            for href, path, fragment, line, column in references
        ],
        {},
        [(line, column) for line, column in grouped[0]],
        [(scheme, line, column) for scheme, line, column in grouped[1]],
        *depends,
    )
    rendered = Rendered(
        document,
        url,
        "",
        (),
        (),
        tuple(Heading(*one) for one in headings),
        _NO_FRAGMENTS,
        _NO_ENTRY,
        found,
    )
    matter, *facts = own
    return Leaf(rendered, fragments, anchors, bytes.fromhex(matter), *facts)


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
