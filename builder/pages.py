"""Pages of a site: the site model in, one `Page(url, html)` after the other out.

Markup lives in `web/templates`, human words in the catalogues; the inner HTML of a document comes from
`passages`. Writing files is left to `site`.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from builder import urls
from builder.frame import Frame, Frames, Link, PlacedDocument, SiteModel, contact, link
from builder.wording import Wording, isolate, page_data, reference, said, shown_build

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


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page: `url` from the site's root, `html` complete and ending in a newline."""

    url: str
    html: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading in an outline; `deeper` when it stands below another of them."""

    anchor: str
    text: str
    deeper: bool


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
        self.frames = Frames(site, self.words)
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
        frame = self.frames.frame(
            default if default in languages else languages[0], "index.html", urls.ask_url
        )
        contacts = list(dict.fromkeys(contact(self.site.project, lang) for lang in languages))
        return self._page("chooser.html", frame, contacts=contacts, words=self.words)

    def ask(self, lang: str) -> Page:
        project, frame = self.site.project, self.frames.frame(lang, urls.ask_url(lang), urls.ask_url)
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
        frame = self.frames.frame(lang, urls.contents_url(lang), urls.contents_url)
        elsewhere = sorted(
            (self._preferred(family) for family in self.families.values() if lang not in family),
            key=lambda link: (self.site.languages.index(link.lang), _collation(link.title)),
        )
        return self._page("contents.html", frame, documents=self.documents[lang], elsewhere=elsewhere)

    def topics(self, lang: str) -> Page:
        frame = self.frames.frame(lang, urls.topics_url(lang), urls.topics_url)
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
        frame = self.frames.frame(document.lang, placed.url, urls.contents_url, family)
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
                link(family[lang].url, lang, family[lang].document.title) for lang in others if lang in family
            ],
            missing=words.names([lang for lang in others if lang not in family]),
        )

    def _page(self, template: str, frame: Frame, **matter: object) -> Page:
        words = self.words[frame.lang]
        return Page(frame.url, self.environment.get_template(template).render(page=frame, t=words, **matter))

    def _preferred(self, family: Mapping[str, PlacedDocument]) -> Link:
        """Return the one document that stands for a family in lists of other languages."""
        default = self.site.project.config.default_lang
        lang = default if default in family else next(code for code in self.site.languages if code in family)
        return link(family[lang].url, lang, family[lang].document.title)


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
