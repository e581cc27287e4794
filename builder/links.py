"""Links and images of documents: what may be linked to, and where it is in the site.

A link to a file of the corpus becomes a link between pages; its fragment is checked when every page is
rendered. Nothing is fetched, nothing outside the corpus is read.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from unicodedata import normalize
from urllib.parse import quote, unquote

from builder import urls
from builder.corpus import Corpus, Document
from builder.problems import nearest
from builder.project import Project

SCHEMES = ("https", "http", "mailto", "tel")
NEVER = frozenset({"javascript", "vbscript", "data", "file", "blob", "filesystem", "about", "view-source"})
"""Schemes no setting turns into a warning."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\\\u2028\u2029]")
_KEPT = "!#$%&'()*+,/:;=?@[]~-._"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads: `href` for the page ("" when the link is dropped), the document and fragment it
    names inside the corpus.
    """

    href: str
    external: bool = False
    path: str = ""
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a link or image cannot stand: problem code, sentence, hint."""

    code: str
    message: str
    hint: str


@dataclass(slots=True)
class Links:
    """The documents of a corpus by path and their pages; `paths` holds those that could not be read too.

    `hints` is how many more dead links are compared with every path: each takes milliseconds.
    """

    project: Project
    pages: Mapping[str, str]
    paths: frozenset[str]
    by_name: Mapping[str, str] = field(default_factory=dict)
    hints: int = 100

    @classmethod
    def of(cls, corpus: Corpus) -> "Links":
        """Return the links of a corpus."""
        where = urls.document_urls((one.doc_id, one.family, one.lang) for one in corpus.documents)
        pages = {one.path: where[one.doc_id] for one in corpus.documents}
        by_name = {posixpath.basename(path).casefold(): path for path in sorted(corpus.paths, reverse=True)}
        return cls(corpus.project, pages, corpus.paths, by_name)

    def page(self, document: Document) -> str:
        """Return the URL of a document's page from the site's root."""
        return self.pages[document.path]

    def resolve(self, url: str, document: Document) -> Target | Refusal:
        """Return where a link of `document` leads, or why it cannot stand."""
        url = url.strip()
        if _FORBIDDEN.search(url):
            return Refusal("E505", "The link {} holds a backslash or control.", "write / or delete it")
        if not url:
            return Refusal("E505", "The link has no target.", "write one")
        if (scheme := _SCHEME.match(url)) is not None:
            return self._external(scheme[1].lower(), url)
        if url.startswith("//"):
            return Refusal("E504", "The link {} names a host without a scheme.", 'write "https:" before it')
        if url.startswith("/"):
            hint = "write it relative to this file"
            return Refusal("E501", "The link {} starts at the root of a server.", hint)
        return self._internal(url, document)

    def _external(self, scheme: str, url: str) -> Target | Refusal:
        if re.search(r"\s", url):
            return Refusal("E505", "The link {} holds a blank.", "write %20, or nothing in a number")
        if scheme in SCHEMES:
            return Target(quote(url, safe=_KEPT), external=True)
        if scheme not in NEVER and self.project.unknown_schemes == "warn":
            return Refusal("W511", scheme, "")
        hint = f"use {', '.join(SCHEMES[:-1])} or {SCHEMES[-1]}"
        return Refusal("E503", f'The scheme "{scheme}" of the link {{}} is not allowed.', hint)

    def _internal(self, url: str, document: Document) -> Target | Refusal:
        raw_path, _, raw_fragment = url.partition("#")
        fragment = normalize("NFC", unquote(raw_fragment))
        if not raw_path:
            return Target(f"#{quote(fragment)}" if fragment else "#", path=document.path, fragment=fragment)
        named = normalize("NFC", unquote(raw_path))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), named))
        page = self.pages.get(path)
        if page is not None:
            end = f"#{quote(fragment)}" if fragment else ""
            return Target(urls.relative(page + end, self.pages[document.path]), path=path, fragment=fragment)
        if path in self.paths:
            return Target("", path=path)
        return Refusal("E501", "The link {} leads to no document.", self._hint(path, document))

    def _hint(self, path: str, document: Document) -> str:
        name = posixpath.basename(path).casefold()
        match = self.by_name.get(name) or self.by_name.get(f"{posixpath.splitext(name)[0]}.md")
        if match is None:
            near = nearest(path, sorted(self.paths)[:2000]) if self.hints else ""
            self.hints = max(0, self.hints - 1)
            return near or "link to a document of the corpus, or to https:"
        return f"did you mean {posixpath.relpath(match, posixpath.dirname(document.path) or '.')!r}?"


def attributes(target: Target) -> str:
    """Return the attributes of the link's element."""
    rel = ' rel="noreferrer"' if target.external else ""
    return f' href="{escape(target.href)}"{rel}'
