"""Pages of a site: the site model in, one `Page(url, html)` after the other out.

Markup lives in `web/templates`, human words in the catalogues; the inner HTML of a document comes from
`passages`. Writing files is left to `site`.
"""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from builder import urls
from builder.corpus import Document
from builder.passages import Rendered
from builder.project import Project
from builder.wording import (
    Said,
    Wording,
    attributes,
    isolate,
    isolated,
    page_data,
    reference,
    said,
    shown_build,
)
from cairn_core.language import direction, endonym

CSP = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
"""Content security policy of every page, on file:// too."""

WEB = next(
    folder
    for folder in (Path(__file__).with_name("_web"), Path(__file__).parents[1] / "web")
    if folder.is_dir()
)
"""Templates, stylesheet, images and scripts: in a checkout beside the packages, else inside this one."""

SCRIPTS = tuple(f"assets/js/{name}.js" for name in ("bytes", "sha256", "engine", "view", "ask"))

STATIC: Mapping[str, str] = {
    "assets/cairn.css": "css/cairn.css",
    "assets/mark.svg": "img/mark.svg",
    "assets/favicon.svg": "img/favicon.svg",
    **{url: url.removeprefix("assets/") for url in SCRIPTS},
}
"""Every file a page refers to: URL -> path under `WEB`. The site writer copies exactly these."""

NO_FAMILY: Mapping[str, "PlacedDocument"] = MappingProxyType({})

PLACES: Mapping[str, Callable[[str], str]] = {
    "nav.ask": urls.ask_url,
    "nav.contents": urls.contents_url,
    "nav.topics": urls.topics_url,
}
"""The pages every page of a language links to: message of the link -> URL for a language."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document, what it became, and where in the site it stands (`urls.document_urls`)."""

    document: Document
    rendered: Rendered
    url: str


@dataclass(frozen=True, slots=True)
class SiteModel:
    """Everything the pages say.

    `build` is the build id; `languages` every language that has a document, in the order shown.
    """

    project: Project
    build: str
    languages: tuple[str, ...]
    documents: tuple[PlacedDocument, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page: `url` from the site's root, `html` complete and ending in a newline."""

    url: str
    html: str


@dataclass(frozen=True, slots=True)
class Link:
    """A page in a language, as lists of languages and translations show it; `title` only of a document."""

    url: str
    lang: str
    dir: str
    endonym: str
    title: str = ""
    current: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading in an outline; `deeper` when it stands below another of them."""

    anchor: str
    text: str
    deeper: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page of a language has around its own matter; `said` marks words of a stand-in catalogue."""

    lang: str
    dir: str
    url: str
    build: str
    said: Markup
    title: Said
    contact: Said
    languages: tuple[Link, ...]
    places: tuple[tuple[str, str], ...]

    @property
    def root(self) -> str:
        """The way to the site's root."""
        return urls.root(self.url)

    def href(self, target: str) -> str:
        """Return a URL of the site as this page links to it."""
        return urls.relative(target, self.url)


def pages(site: SiteModel) -> Iterator[Page]:
    """Yield the language chooser, then for each language its ask page, contents, topics and documents."""
    press = _Press(site)
    yield press.chooser()
    for lang in site.languages:
        yield press.ask(lang)
        yield press.contents(lang)
        yield press.topics(lang)
        yield from (press.document(placed) for placed in press.documents[lang])


class _Press:
    """Templates compiled once, and the look-ups all pages share."""

    def __init__(self, site: SiteModel) -> None:
        self.site = site
        self.words = {lang: Wording(lang) for lang in site.languages}
        self.documents = _by_language(site)
        self.families: dict[str, dict[str, PlacedDocument]] = {}
        for placed in site.documents:
            self.families.setdefault(placed.document.family, {})[placed.document.lang] = placed
        self.environment = Environment(
            loader=FileSystemLoader(WEB / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
        )
        self.environment.globals.update(csp=Markup(CSP), isolate=isolate, shown_build=shown_build)  # noqa: S704 - a constant

    def chooser(self) -> Page:
        languages = self.site.languages
        default = self.site.project.config.default_lang
        frame = self._frame(default if default in languages else languages[0], "index.html", urls.ask_url)
        contacts = list(dict.fromkeys(self._contact(lang) for lang in languages))
        return self._page("chooser.html", frame, contacts=contacts, words=self.words)

    def ask(self, lang: str) -> Page:
        project, frame = self.site.project, self._frame(lang, urls.ask_url(lang), urls.ask_url)
        data = page_data(self.words[lang], lang, frame.root)
        return self._page(
            "ask.html",
            frame,
            data=data,
            scripts=SCRIPTS,
            tagline=said(project.taglines, lang, project.tagline_for(lang)),
            examples=project.examples_for(lang),
            count=len(self.documents[lang]),
            contents=urls.contents_url(lang),
            topics=urls.topics_url(lang),
        )

    def contents(self, lang: str) -> Page:
        frame = self._frame(lang, urls.contents_url(lang), urls.contents_url)
        elsewhere = sorted(
            (self._preferred(family) for family in self.families.values() if lang not in family),
            key=lambda link: (self.site.languages.index(link.lang), _collation(link.title)),
        )
        return self._page("contents.html", frame, documents=self.documents[lang], elsewhere=elsewhere)

    def topics(self, lang: str) -> Page:
        frame = self._frame(lang, urls.topics_url(lang), urls.topics_url)
        groups: dict[str, list[PlacedDocument]] = {}
        for placed in self.documents[lang]:
            groups.setdefault(placed.document.topic, []).append(placed)
        ordered = sorted(groups, key=lambda topic: (not topic, _collation(topic)))
        return self._page(
            "topics.html",
            frame,
            groups=[(topic, urls.topic_fragment(topic), groups[topic]) for topic in ordered],
            sections=lambda placed: _outline(placed, depth=1),
        )

    def document(self, placed: PlacedDocument) -> Page:
        document, family = placed.document, self.families[placed.document.family]
        words = self.words[document.lang]
        frame = self._frame(document.lang, placed.url, urls.contents_url, family)
        others = [lang for lang in self.site.languages if lang != document.lang]
        outline = _outline(placed, depth=2)
        return self._page(
            "document.html",
            frame,
            document=document,
            content=Markup(placed.rendered.html),  # noqa: S704 - the builder's own renderer, raw HTML is off there
            outline=outline if len(outline) >= 3 else [],
            topic=f"{urls.topics_url(document.lang)}#{urls.topic_fragment(document.topic)}",
            source=reference(document.source),
            translations=[
                _link(family[lang].url, lang, family[lang].document.title)
                for lang in others
                if lang in family
            ],
            missing=words.names([lang for lang in others if lang not in family]),
        )

    def _page(self, template: str, frame: Frame, **matter: object) -> Page:
        words = self.words[frame.lang]
        return Page(frame.url, self.environment.get_template(template).render(page=frame, t=words, **matter))

    def _frame(
        self,
        lang: str,
        url: str,
        elsewhere: Callable[[str], str],
        family: Mapping[str, PlacedDocument] = NO_FAMILY,
    ) -> Frame:
        """Return a page's frame; language links go to the translation, or else to `elsewhere(lang)`."""
        return Frame(
            lang=lang,
            dir=direction(lang),
            url=url,
            build=self.site.build,
            said=self.words[lang].attrs,
            title=said(self.site.project.titles, lang, self.site.project.title_for(lang)),
            contact=self._contact(lang),
            languages=tuple(
                _link(family[code].url if code in family else elsewhere(code), code, current=code == lang)
                for code in self.site.languages
            ),
            places=tuple((place(lang), key) for key, place in PLACES.items()),
        )

    def _contact(self, lang: str) -> Said:
        config = self.site.project.config
        line = said(config.contact_by_language, lang, config.contact_for(lang))
        return Said(isolated(line.text), line.attrs or attributes(lang))

    def _preferred(self, family: Mapping[str, PlacedDocument]) -> Link:
        """Return the one document that stands for a family in lists of other languages."""
        default = self.site.project.config.default_lang
        lang = default if default in family else next(code for code in self.site.languages if code in family)
        return _link(family[lang].url, lang, family[lang].document.title)


def _link(url: str, lang: str, title: str = "", *, current: bool = False) -> Link:
    return Link(url, lang, direction(lang), endonym(lang), title, current)


def _by_language(site: SiteModel) -> Mapping[str, list[PlacedDocument]]:
    documents: dict[str, list[PlacedDocument]] = {lang: [] for lang in site.languages}
    for placed in sorted(site.documents, key=lambda it: (_collation(it.document.title), it.document.doc_id)):
        documents[placed.document.lang].append(placed)
    return documents


def _collation(text: str) -> tuple[str, str]:
    """Order of titles: letters first, accents and case aside; the full text breaks ties."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if char.isalnum() or char == " ")
    return plain.casefold().strip(), text


def _outline(placed: PlacedDocument, depth: int) -> list[Entry]:
    """Return the headings of the top `depth` levels a document uses."""
    headings = placed.rendered.headings
    top = min((heading.level for heading in headings), default=0)
    return [
        Entry(it.anchor, it.text, it.level > top) for it in headings if it.anchor and it.level < top + depth
    ]
