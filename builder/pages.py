"""Pages of a site: the site model in, one `Page(url, html)` after the other out.

Markup lives in `web/templates`, human words in the catalogues; the inner HTML of a document comes from
`passages`. Writing files is left to `site`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from builder import published, sums, urls
from builder.collation import initial, order
from builder.frame import (
    DocumentPage,
    Frame,
    Frames,
    PlacedDocument,
    SiteModel,
    Version,
    contact,
    link,
    outline,
    version,
)
from builder.keyboard import keyboard
from builder.statics import (
    ARRIVAL,
    FIND,
    FONT_STYLE,
    KIOSK,
    KIOSK_STYLE,
    REFUSED,
    SCRIPTS,
    STYLE,
    TEMPLATES,
    VERIFY,
    script_sources,
    source,
)
from builder.wording import Wording, find_data, isolate, page_data, reference, said, shown_build, verify_data

CSP = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "style-src 'self'; font-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
"""Content security policy of every page, on file:// too."""

FIND_FROM = 8
"""Documents of a language from which on a list has a field to find a title."""

LETTERS_FROM = 25
"""Documents of a language from which on the contents stand under letters."""

NEARBY = 200
"""Documents of a language up to which the ask page lists them for its refusals, some 100 bytes each."""


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page: `url` from the site's root, `html` complete and ending in a newline."""

    url: str
    html: str


class Press:
    """Templates compiled once, and the look-ups all pages share."""

    def __init__(self, site: SiteModel, compiled: BytecodeCache | None = None) -> None:
        """Take a site; without documents only those are missing that its lists would name."""
        self.site = site
        self.words = {lang: Wording(lang) for lang in site.languages}
        self.frames = Frames(site, self.words)
        self.sums = {
            "scripts": [[name, sums.check_sum(text.decode())] for name, text in script_sources().items()],
            "style": sums.check_sum(source(STYLE)),
        }
        self.environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
            bytecode_cache=compiled,
        )
        self._shells: dict[tuple[str, str, str], Markup] = {}
        self.environment.globals.update(shell=self._shell)
        self.environment.globals.update(arrival=ARRIVAL, isolate=isolate, shown_build=shown_build)
        self.environment.globals.update(kiosk=site.project.kiosk, kiosk_script=KIOSK, kiosk_style=KIOSK_STYLE)
        self.environment.globals.update(refused=REFUSED)
        fonts = FONT_STYLE if site.project.fonts == "bundled" else ""
        self.environment.globals.update(font_style=fonts)
        self.environment.globals.update(csp=Markup(CSP))  # noqa: S704 - a constant

    @cached_property
    def documents(self) -> Mapping[str, list[PlacedDocument]]:
        """The documents of each language in the order of their titles."""
        return _by_language(self.site)

    def __reduce__(self) -> tuple[type["Press"], tuple[SiteModel]]:
        """Pages of documents can be made in another process, which is told of no other document."""
        return Press, (self.site.without_documents(),)

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
        more: dict[str, object] = {**self.sums, "nearby": self._nearby(lang)}
        if project.kiosk:
            more["kiosk"] = {"keyboard": keyboard(lang, self.words[lang])}
        data = page_data(self.words[lang], lang, frame.root, more)
        return self._page(
            "ask.html",
            frame,
            data=data,
            sum=sums.check_sum(f"{data}\n{project.config.contact_for(lang)}"),
            scripts=SCRIPTS,
            words=self.words,
            tagline=said(project.taglines, lang, project.tagline_for(lang)),
            examples=project.examples_for(lang),
            count=len(self.documents[lang]),
            verify=urls.verify_url(lang),
            contents=urls.contents_url(lang),
            topics=urls.topics_url(lang),
        )

    def _nearby(self, lang: str) -> Mapping[str, tuple[str, str]]:
        """Return the documents a refusal may lead to, by id; none of a corpus too large for a page's data."""
        documents = self.documents[lang] if len(self.documents[lang]) <= NEARBY else ()
        return {placed.document.doc_id: (placed.document.title, placed.url) for placed in documents}

    def contents(self, lang: str) -> Page:
        frame = self.frames.frame(lang, urls.contents_url(lang), urls.contents_url)
        elsewhere = sorted(
            (
                link(self._preferred(family), frame.url)
                for family in self.site.families.values()
                if lang not in family
            ),
            key=lambda link: (self.site.languages.index(link.lang), order(link.title, link.lang)),
        )
        documents = self.documents[lang]
        return self._page(
            "contents.html",
            frame,
            count=len(documents),
            letters=_letters(documents, lang),
            elsewhere=elsewhere,
            **self._finding(lang),
        )

    def verify(self, lang: str) -> Page:
        frame = self.frames.frame(lang, urls.verify_url(lang), urls.verify_url)
        data = verify_data(self.words[lang], lang, frame.root)
        return self._page("verify.html", frame, data=data, scripts=(*SCRIPTS[:3], VERIFY))

    def topics(self, lang: str) -> Page:
        frame = self.frames.frame(lang, urls.topics_url(lang), urls.topics_url)
        groups: dict[str, list[PlacedDocument]] = {}
        for placed in self.documents[lang]:
            groups.setdefault(placed.document.topic, []).append(placed)
        ordered = sorted(groups, key=lambda topic: (not topic, order(topic, lang)))
        return self._page(
            "topics.html",
            frame,
            groups=[(topic, urls.topic_fragment(topic), groups[topic]) for topic in ordered],
            sections=lambda placed: outline(placed.rendered.headings, depth=1),
            **self._finding(lang),
        )

    def _finding(self, lang: str) -> dict[str, object]:
        """Return what a list of titles needs to be searched: its script and data, "" below FIND_FROM."""
        worth = len(self.documents[lang]) >= FIND_FROM
        return {"find": FIND if worth else "", "data": find_data(self.words[lang], lang) if worth else ""}

    def document(self, shown: DocumentPage) -> Page:
        document, versions = shown.document, shown.versions
        words = self.words[document.lang]
        frame = self.frames.frame(document.lang, shown.url, urls.contents_url, versions)
        others = [lang for lang in self.site.languages if lang != document.lang]
        entries = outline(shown.headings, depth=2)
        return self._page(
            "document.html",
            frame,
            document=document,
            content=_linked(shown.html, words),
            outdated=link(shown.source, shown.url) if shown.source else None,
            code=published.code(frame.address) if frame.address else "",
            outline=entries if len(entries) >= 3 else [],
            topic=f"{urls.topics_url(document.lang)}#{urls.topic_fragment(document.topic)}",
            source=reference(document.source),
            translations=[link(versions[lang], shown.url) for lang in others if lang in versions],
            missing=words.names([lang for lang in others if lang not in versions]),
        )

    def _page(self, template: str, frame: Frame, **matter: object) -> Page:
        words = self.words[frame.lang]
        return Page(frame.url, self.environment.get_template(template).render(page=frame, t=words, **matter))

    def _shell(self, name: str, page: Frame) -> Markup:
        """Return a part of the frame, made once for a language and a folder, anew for pages it links to."""
        own = any(page.url == url for url, _ in page.places)
        key = name, page.lang, page.url if own else page.url.rpartition("/")[0]
        if key not in self._shells:
            template = self.environment.get_template(f"shell/{name}.html")
            made = template.render(page=page, t=self.words[page.lang])
            self._shells[key] = Markup(made)  # noqa: S704 - made by a template that escapes
        return self._shells[key]

    def _preferred(self, family: Mapping[str, PlacedDocument]) -> Version:
        """Return the one document that stands for a family in lists of other languages."""
        default = self.site.project.config.default_lang
        lang = default if default in family else next(code for code in self.site.languages if code in family)
        return version(family[lang])


def _by_language(site: SiteModel) -> Mapping[str, list[PlacedDocument]]:
    documents: dict[str, list[PlacedDocument]] = {lang: [] for lang in site.languages}
    for placed in sorted(
        site.documents,
        key=lambda it: (order(it.document.title, it.document.lang), it.document.doc_id),
    ):
        documents[placed.document.lang].append(placed)
    return documents


def _letters(documents: list[PlacedDocument], lang: str) -> Mapping[str, list[PlacedDocument]]:
    """Return sorted documents under the letters of their titles; few stand together, under none."""
    groups: dict[str, list[PlacedDocument]] = {}
    for placed in documents:
        letter = initial(placed.document.title, lang) if len(documents) >= LETTERS_FROM else ""
        groups.setdefault(letter, []).append(placed)
    return groups if len(groups) > 1 else {"": documents}


_PASSAGE = re.compile(r'<div class="passage" id="([^"]*)"[^>]*>')


def _linked(html: str, words: Wording) -> Markup:
    """Return the inner HTML of a document with a link to each passage in it, which has a name but no text."""
    numbers = iter(range(1, html.count("<div ") + 1))

    def linked(opening: re.Match[str]) -> str:
        name = words("doc.passage", number=str(next(numbers)))
        return (
            f'{opening[0]}<a class="passage-link" href="#{opening[1]}" aria-label="{name}"{words.attrs}></a>'
        )

    return Markup(_PASSAGE.sub(linked, html))  # noqa: S704 - the builder's own renderer, raw HTML is off there
