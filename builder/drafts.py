"""The pages of a site in their order, each with all it depends on, so that one may be taken from the last
build instead of being made.

What stands in a page is made by `pages`; who keeps pages is `making`'s concern.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from builder import urls
from builder.frame import PlacedDocument, SiteModel
from builder.kept import key
from builder.pages import Page, Press


@dataclass(frozen=True, slots=True)
class Draft:
    """A page that can be made by a press: where it goes and all it depends on, for a key."""

    url: str
    inputs: tuple[object, ...]
    make: Callable[[Press], Page]


def pages(site: SiteModel) -> Iterator[Page]:
    """Yield the language chooser, then for each language its ask page, contents, topics and documents."""
    press = Press(site)
    for draft in lists(site):
        yield draft.make(press)
    for lang in site.languages:
        for placed in press.documents[lang]:
            yield press.document(site.page_of(placed, placed.rendered.html))


def common(site: SiteModel) -> bytes:
    """Return a key of what every page says."""
    return key(repr(site.project), site.languages, site.dated)


def lists(site: SiteModel) -> Iterator[Draft]:
    """Yield the pages that show no document."""
    shared = common(site)
    named = key(
        *((one.url, one.document.lang, one.document.family, one.document.title) for one in site.documents)
    )
    listed: dict[str, list[object]] = {lang: [] for lang in site.languages}
    for placed in site.documents:
        listed[placed.document.lang].append(_listed(placed))
    yield Draft("index.html", ("chooser", shared), Press.chooser)
    for lang in site.languages:
        of_lang = key(shared, lang, listed[lang])
        yield Draft(urls.ask_url(lang), ("ask", of_lang), partial(Press.ask, lang=lang))
        yield Draft(urls.contents_url(lang), ("contents", of_lang, named), partial(Press.contents, lang=lang))
        yield Draft(urls.topics_url(lang), ("topics", of_lang), partial(Press.topics, lang=lang))
        yield Draft(urls.verify_url(lang), ("verify", lang, shared), partial(Press.verify, lang=lang))


def _listed(placed: PlacedDocument) -> tuple[object, ...]:
    """What lists of documents may say of one: its facts and headings."""
    one = placed.document
    return (placed.url, one.doc_id, one.title, one.topic, one.reviewed, placed.rendered.headings)


def families(site: SiteModel) -> Mapping[str, bytes]:
    """Return for each family a key of what the pages of its documents say beside the document's text."""
    shared = common(site)
    return {
        family: key(shared, *((one.url, one.lang, one.title) for one in versions.values()))
        for family, versions in site.versions.items()
    }
