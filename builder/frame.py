"""The site model, and what stands around the matter of every page: name, languages, contact.

A page's own matter is made by `pages`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from markupsafe import Markup

from builder import urls
from builder.corpus import Document
from builder.passages import Heading, Rendered
from builder.project import Project
from builder.wording import Said, Wording, attributes, isolated, said
from cairn_core.language import direction, endonym

PLACES: Mapping[str, Callable[[str], str]] = {
    "nav.ask": urls.ask_url,
    "nav.contents": urls.contents_url,
    "nav.topics": urls.topics_url,
}
"""The pages every page of a language links to: message of the link -> URL for a language."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document, what it became, where in the site it stands (`urls.document_urls`), and the characters its
    pages are written with, each once.
    """

    document: Document
    rendered: Rendered
    url: str
    characters: str


@dataclass(frozen=True, slots=True)
class Version:
    """A document as the pages of its translations name it."""

    url: str
    lang: str
    title: str


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """All that the page of a document says beside what every page of the site says.

    `html` is the inner HTML, `versions` the document in every language, its own among them; `source` is what
    it was translated from, if that is newer.
    """

    document: Document
    url: str
    html: str
    headings: tuple[Heading, ...]
    versions: Mapping[str, Version]
    source: Version | None = None


@dataclass(frozen=True)
class SiteModel:
    """Everything the pages say.

    `build` is the build id; `languages` every language that has a document, in the order shown; `outdated`:
    id of a translation older than its source -> id of the source.
    """

    project: Project
    build: str
    languages: tuple[str, ...]
    documents: tuple[PlacedDocument, ...]
    outdated: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def families(self) -> Mapping[str, Mapping[str, PlacedDocument]]:
        """Return the versions of every document by language."""
        found: dict[str, dict[str, PlacedDocument]] = {}
        for placed in self.documents:
            found.setdefault(placed.document.family, {})[placed.document.lang] = placed
        return found

    @property
    def dated(self) -> str:
        """Return the day the site speaks of, set or else of the newest review; "" when neither is known."""
        return self.project.dated or max((one.document.reviewed for one in self.documents), default="")

    @cached_property
    def by_id(self) -> Mapping[str, PlacedDocument]:
        """Return the documents by id."""
        return {placed.document.doc_id: placed for placed in self.documents}

    def without_documents(self) -> "SiteModel":
        """Return what the page of a document says of the site."""
        return replace(self, project=replace(self.project, dated=self.dated), documents=(), outdated={})

    def page_of(self, placed: PlacedDocument, html: str) -> DocumentPage:
        """Return what the page of a document says; `html` is its inner HTML."""
        document = placed.document
        versions, source = self.versions[document.family], self.source_of(document)
        return DocumentPage(document, placed.url, html, placed.rendered.headings, versions, source)

    @cached_property
    def versions(self) -> Mapping[str, Mapping[str, Version]]:
        """Return the versions of every document by language, as its pages name them."""
        return {
            family: {lang: version(one) for lang, one in placed.items()}
            for family, placed in self.families.items()
        }

    def source_of(self, document: Document) -> Version | None:
        """Return what a document was translated from, if that is newer."""
        older = self.by_id.get(self.outdated.get(document.doc_id, ""))
        return version(older) if older else None


def version(placed: PlacedDocument) -> Version:
    """Return a document as others name it."""
    return Version(placed.url, placed.document.lang, placed.document.title)


NO_VERSIONS: Mapping[str, Version] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Link:
    """A page in a language, as lists of languages and translations show it; `href` as the page links to it.

    `title` only of a document; `version`: it is the page's own version in the language.
    """

    href: str
    lang: str
    dir: str
    endonym: str
    title: str = ""
    current: bool = False
    version: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page of a language has around its own matter; `said` marks words of a stand-in catalogue.

    `languages` lead to the page's version in a language or else to the next best; `versions` are the versions
    there are, its own among them. `address` is the page's public one, or "".
    """

    lang: str
    dir: str
    url: str
    build: str
    said: Markup
    title: Said
    contact: Said
    languages: tuple[Link, ...]
    versions: tuple[Link, ...]
    places: tuple[tuple[str, str], ...]
    dated: str
    address: str

    @property
    def root(self) -> str:
        """The way to the site's root."""
        return urls.root(self.url)

    def href(self, target: str) -> str:
        """Return a URL of the site as this page links to it."""
        return urls.relative(target, self.url)


class Frames:
    """Makes the frame of any page of a site; what all pages of a language share is made once."""

    def __init__(self, site: SiteModel, words: Mapping[str, Wording]) -> None:
        self._languages = [(lang, direction(lang), endonym(lang)) for lang in site.languages]
        self._project = site.project
        self._shared = {lang: _shared(site, lang, words[lang]) for lang in site.languages}

    def frame(
        self,
        lang: str,
        url: str,
        elsewhere: Callable[[str], str],
        family: Mapping[str, Version] = NO_VERSIONS,
    ) -> Frame:
        """Return a page's frame; language links go to the translation, or else to `elsewhere(lang)`."""
        languages = tuple(
            Link(
                urls.relative(family[code].url if code in family else elsewhere(code), url),
                code,
                way,
                name,
                "",
                code == lang,
                not family or code in family,
            )
            for code, way, name in self._languages
        )
        versions = tuple(one for one in languages if one.version)
        address = self._project.public(url)
        return replace(self._shared[lang], url=url, languages=languages, versions=versions, address=address)


def link(version: Version, page: str) -> Link:
    """Return a link from the page at a URL to a document."""
    lang = version.lang
    return Link(urls.relative(version.url, page), lang, direction(lang), endonym(lang), version.title)


def contact(project: Project, lang: str) -> Said:
    """Return the human contact for readers of `lang`, always with the language it is written in."""
    line = said(project.config.contact_by_language, lang, project.config.contact_for(lang))
    return Said(isolated(line.text), line.attrs or attributes(lang))


def _shared(site: SiteModel, lang: str, words: Wording) -> Frame:
    return Frame(
        lang=lang,
        dir=direction(lang),
        url="",
        build=site.build,
        said=words.attrs,
        title=said(site.project.titles, lang, site.project.title_for(lang)),
        contact=contact(site.project, lang),
        languages=(),
        versions=(),
        dated=site.dated,
        address="",
        places=tuple((place(lang), key) for key, place in PLACES.items()),
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading in an outline; `deeper` when it stands below another of them."""

    anchor: str
    text: str
    deeper: bool


def outline(headings: Sequence[Heading], depth: int) -> list[Entry]:
    """Return the headings of the top `depth` levels a document uses."""
    top = min((heading.level for heading in headings), default=0)
    return [
        Entry(it.anchor, it.text, it.level > top) for it in headings if it.anchor and it.level < top + depth
    ]
