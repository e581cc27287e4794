"""The pages of a site in their order, each with all it depends on, so that one may be taken from the last
build instead of being made.

What stands in a page is made by `pages`; who keeps pages is `site`'s concern.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from builder import kept, urls
from builder.frame import PlacedDocument, SiteModel
from builder.pages import Page, Press


@dataclass(frozen=True, slots=True)
class Draft:
    """A page that can be made: where it goes and all it depends on, for a key; `document` if it shows one."""

    url: str
    inputs: tuple[object, ...]
    make: Callable[[], Page]
    document: PlacedDocument | None = None


def pages(site: SiteModel) -> Iterator[Page]:
    """Yield the language chooser, then for each language its ask page, contents, topics and documents."""
    return (draft.make() for draft in drafts(site))


def drafts(site: SiteModel) -> Iterator[Draft]:
    """Yield the pages in the order of `pages`, none made yet."""
    press = Press(site)
    shared = (repr(site.project), site.languages, site.dated)
    lists = kept.key(*shared, site.outdated, *(_listed(placed) for placed in site.documents))
    common = kept.key(*shared)
    yield Draft("index.html", ("chooser", lists), press.chooser)
    for lang in site.languages:
        for url, make in (
            (urls.ask_url(lang), press.ask),
            (urls.contents_url(lang), press.contents),
            (urls.topics_url(lang), press.topics),
            (urls.verify_url(lang), press.verify),
        ):
            yield Draft(url, (url, lang, lists), partial(make, lang))
        for placed in press.documents[lang]:
            inputs = (common, *_document_inputs(placed, site, press.by_id))
            yield Draft(placed.url, inputs, partial(press.document, placed), placed)


def _listed(placed: PlacedDocument) -> tuple[object, ...]:
    """What lists of documents may say of one: its facts and headings."""
    return (*_facts(placed), placed.rendered.headings)


def _facts(placed: PlacedDocument) -> tuple[object, ...]:
    document = placed.document
    said = (
        document.doc_id,
        document.title,
        document.lang,
        document.family,
        document.path,
        document.synthetic,
    )
    return (placed.url, *said, document.reviewed, document.source, document.topic, document.summary)


def _document_inputs(
    placed: PlacedDocument, site: SiteModel, by_id: Mapping[str, PlacedDocument]
) -> Iterator[object]:
    """What the page of a document says: its text and fields, its versions, the source it is older than."""
    yield from (_facts(placed), placed.document.fields, placed.rendered.html, placed.rendered.headings)
    yield [(one.passage_id, one.anchor, one.text) for one in placed.rendered.passages]
    for other in site.families[placed.document.family].values():
        yield _facts(other)
    older = site.outdated.get(placed.document.doc_id, "")
    yield _facts(by_id[older]) if older in by_id else ""
