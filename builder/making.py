"""The pages of a site for a build: each taken from the last one when nothing it depends on has changed, else
made; all wait outside memory until the build id is known.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from builder import drafts, payload, shelf
from builder.check import PageFacts, SiteCheck, examined
from builder.drafts import Draft
from builder.frame import DocumentPage, PlacedDocument, SiteModel
from builder.kept import Kept, key
from builder.pages import Press
from builder.shelf import Leaf, Quotable
from builder.statics import TEMPLATES
from builder.workers import Workers

type Made = tuple[bytes, PageFacts]
"""A page with the placeholder for the build id, and its facts."""

type Follow = Callable[[Iterable[Made], int], Iterable[Made]]
"""Sees pages pass by, and is told how many there are."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page under a key of what is kept; `digest` is its SHA-256 with the placeholder for the build id."""

    url: str
    html: bytes
    digest: str


@dataclass(slots=True)
class Pages:
    """The pages of a site that are kept under their keys; `made` counts those that were made anew."""

    site: SiteModel
    kept: Kept
    tool: str
    check: SiteCheck
    made: int = 0
    _press: Press | None = None

    def run(self, leaves: Iterable[Leaf], workers: Workers, follow: Follow) -> list[Waiting]:
        """Return every page; `follow` sees those that are made pass by."""
        waiting: list[Waiting] = []
        for draft in drafts.lists(self.site):
            entry = key(self.tool, draft.url, *draft.inputs)
            waiting.append(self._known(draft.url, entry) or self._list(draft, entry))
        families = drafts.families(self.site)
        missing: list[tuple[PlacedDocument, Leaf, bytes]] = []
        for leaf in leaves:
            placed = self.site.by_id[leaf.document.doc_id]
            document = placed.document
            entry = key(self.tool, families[document.family], leaf.matter, self.site.source_of(document))
            known = self._known(placed.url, entry)
            if known is None:
                missing.append((placed, leaf, entry))
            else:
                waiting.append(known)
        waiting += self._documents(missing, workers, follow)
        keep_templates(self.kept, self.tool)
        return waiting

    def _known(self, url: str, entry: bytes) -> Waiting | None:
        html = key(entry)
        if not self.kept.holds(html):
            return None
        known = self.kept.get(entry)
        if known is None:
            return None
        digest, ids, wanted = json.loads(known)
        self.check.take(url, PageFacts(ids, wanted))
        return Waiting(url, html, digest)

    def _new(self, url: str, entry: bytes, page: Made) -> Waiting:
        html, facts = page
        digest = payload.digest(html)
        self.made += 1
        self.check.take(url, facts)
        if not facts.faults:
            plain = payload.canonical([digest, facts.ids, facts.wanted])
            self.kept.put(entry, plain.encode())
        self.kept.put(key(entry), html)
        return Waiting(url, key(entry), digest)

    @property
    def press(self) -> Press:
        """What makes pages, set up when the first is needed."""
        if self._press is None:
            self._press = Press(self.site, Templates(self.kept, self.tool))
        return self._press

    def _list(self, draft: Draft, entry: bytes) -> Waiting:
        page = draft.make(self.press)
        return self._new(page.url, entry, (page.html.encode(), examined(page.url, page.html, ())))

    def _documents(
        self, missing: Sequence[tuple[PlacedDocument, Leaf, bytes]], workers: Workers, follow: Follow
    ) -> Iterator[Waiting]:
        def given() -> Iterator[tuple[DocumentPage, list[Quotable]]]:
            for placed, leaf, _ in missing:
                html, passages = shelf.page_of(leaf, self.kept)
                yield self.site.page_of(placed, html), passages

        if missing:
            made = workers.map(documents, self.press, given(), len(missing))
            for (placed, _, entry), page in zip(missing, follow(made, len(missing)), strict=True):
                yield self._new(placed.url, entry, page)


def documents(press: Press, batch: Sequence[tuple[DocumentPage, list[Quotable]]]) -> list[Made]:
    """Return the pages of documents; passages are those the index has of each."""
    made: list[Made] = []
    for shown, passages in batch:
        page = press.document(shown)
        made.append((page.html.encode(), examined(page.url, page.html, passages)))
    return made


class Templates(BytecodeCache):
    """Compiled templates among what is kept."""

    def __init__(self, kept: Kept, tool: str) -> None:
        self._kept, self._tool = kept, tool

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket, unless there is nothing for it."""
        found = self._kept.get(key(self._tool, "template", bucket.key))
        if found is not None:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what a template was compiled to."""
        self._kept.put(key(self._tool, "template", bucket.key), bucket.bytecode_to_string())


def keep_templates(kept: Kept, tool: str) -> None:
    """Keep the compiled templates on, also those that no page of this build needed."""
    names = Templates(kept, tool)
    for path in TEMPLATES.rglob("*.html"):
        name = path.relative_to(TEMPLATES).as_posix()
        kept.keep(key(tool, "template", names.get_cache_key(name, str(path))))
