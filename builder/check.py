"""The builder's check of its own output, made on the bytes that were written and before they go anywhere.

A page must be in the plain form the templates and markdown-it-py write (every attribute quoted, `<` escaped
in text), which is what makes a scan by patterns exact; anything else is reported, not guessed at. Passages,
ids and links are then compared, and the index is opened as a browser opens it.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import unquote

from cairn_core.bridge import open_session
from cairn_core.errors import IndexFormatError
from cairn_core.index import Passage

_ATTRIBUTE = r'\s+[A-Za-z][A-Za-z0-9:-]*(?:="[^"<>]*")?'
_TAG = rf"</?[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>"
_PLAIN = re.compile(rf"<!doctype html>(?:[^<]++|{_TAG})*+", re.IGNORECASE)
_STEP = re.compile(
    r'>[^<]*+|<([A-Za-z][A-Za-z0-9-]*)|\s(id|href|src)="([^"]*)"|\s[A-Za-z][A-Za-z0-9:-]*="[^"]*"'
)
"""A tag's end with the text after it, an element's name, or an attribute; consumed from left to right nothing
is misread."""

_PASSAGE = re.compile(r'<div class="passage" id="([^"]*)" data-passage="([^"]*)"[^>]*>')
_DIV = re.compile(r"<(/?)div\b[^>]*>")
_BLOCK = re.compile(
    r"</?(?:blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)\b[^>]*>",
    re.IGNORECASE,
)
_INLINE = re.compile(r"<[^>]*>")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)""")
_OUTGOING = ("http://", "https://", "mailto:", "tel:")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Of one page: its ids, the (element, value) of its links, and what is wrong with it alone."""

    ids: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    faults: tuple[str, ...] = ()


def examined(html: str, passages: Iterable[Passage]) -> PageFacts:
    """Return the facts of a finished page; `passages` are those its document has in the index."""
    if not _PLAIN.fullmatch(html):
        return PageFacts(faults=(f"markup is not in the plain form near {_first_odd(html)!r}",))
    ids: list[str] = []
    links: dict[tuple[str, str], None] = {}
    for element, name, value in _attributes(html):
        if name == "id":
            ids.append(value)
        else:
            links[element, value] = None
    twice = next((one for one in ids if ids.count(one) > 1), None) if len(set(ids)) < len(ids) else None
    faults = [] if twice is None else [f"id {twice!r} occurs twice"]
    faults += _passage_faults(html, {one.passage_id: one for one in passages})
    return PageFacts(tuple(ids), tuple(links), tuple(faults))


@dataclass(slots=True)
class SiteCheck:
    """Collects what pages hold and want; `faults` are sentences, empty when the output is right."""

    faults: list[str] = field(default_factory=list)
    _ids: dict[str, frozenset[str]] = field(default_factory=dict)
    _wanted: dict[tuple[str, str], str] = field(default_factory=dict)
    """(url, fragment) -> the first page that links there."""
    _seen: set[tuple[str, str, str]] = field(default_factory=set)
    """(folder, element, value) of links that need no second look."""

    def take(self, url: str, page: PageFacts) -> None:
        """Take what a page holds and wants."""
        self._ids[url] = frozenset(page.ids)
        folder = posixpath.dirname(url)
        for element, value in page.links:
            if (folder, element, value) not in self._seen:
                self._link(url, element, value)
        self.faults += [f"{url}: {fault}" for fault in page.faults]

    def stylesheet(self, url: str, css: str) -> None:
        """Take a stylesheet: what it refers to must be in the site."""
        for target in _CSS_URL.findall(css):
            if not target.startswith(("data:", "#")):
                self._link(url, "link", target)

    def index(self, parts: Mapping[str, bytes]) -> None:
        """Take the site's settings and shards by the names of their parts."""
        try:
            open_session(parts["site.json"], [data for name, data in parts.items() if name != "site.json"])
        except IndexFormatError as error:
            self.faults.append(f"index: {error}")

    def finish(self, files: Iterable[str]) -> list[str]:
        """Return all faults once every file of the site is known; links are resolved here."""
        present = set(files)
        for (target, fragment), page in self._wanted.items():
            if target not in present:
                self.faults.append(f"{page}: link to {target!r}, which is not in the site")
            elif fragment and fragment not in self._ids.get(target, ()):
                self.faults.append(f"{page}: link to {target}#{fragment}, an anchor that does not exist")
        return sorted(self.faults)

    def _link(self, url: str, element: str, value: str) -> None:
        folder = posixpath.dirname(url)
        path, _, fragment = unquote(value).partition("#")
        if path:
            self._seen.add((folder, element, value))
        if not _SCHEME.match(value) and not value.startswith(("/", "\\")):
            target = posixpath.normpath(posixpath.join(folder, path)) if path else url
            self._wanted.setdefault((target, fragment), url)
        elif not _may_lead_out(element, value):
            self.faults.append(f"{url}: <{element}> refers to {value!r}, outside the site")


def _may_lead_out(element: str, value: str) -> bool:
    return element == "a" and value.lower().startswith(_OUTGOING)


def _attributes(html: str) -> Iterator[tuple[str, str, str]]:
    """Yield (element, attribute, value) of every id, href and src; exact for markup in the plain form."""
    element = ""
    for tag, name, value in _STEP.findall(html):
        if tag:
            element = tag
        elif name:
            yield element, name, unescape(value) if "&" in value else value


def _passage_faults(html: str, expected: Mapping[str, Passage]) -> Iterator[str]:
    found = set()
    for start in _PASSAGE.finditer(html):
        anchor, passage_id = unescape(start[1]), unescape(start[2])
        found.add(passage_id)
        passage = expected.get(passage_id)
        if passage is None or passage.anchor != anchor:
            yield f"passage {passage_id!r} under {anchor!r} is not in the index"
        elif visible_text(html[start.end() : _closing(html, start.end())]) != " ".join(passage.text.split()):
            yield f"passage {passage_id!r} does not read as in the index"
    for missing in sorted(set(expected) - found):
        yield f"passage {missing!r} is not on the page"


def _closing(html: str, start: int) -> int:
    depth = 1
    for tag in _DIV.finditer(html, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.start()
    return len(html)


def visible_text(html: str) -> str:
    """Return the words of a piece of markup, white space collapsed; blocks and line breaks separate words."""
    return " ".join(unescape(_INLINE.sub("", _BLOCK.sub(" ", html))).split())


def _first_odd(html: str) -> str:
    end = 0
    for piece in re.finditer(rf"<!doctype html>|[^<]+|{_TAG}", html, re.IGNORECASE):
        if piece.start() != end:
            break
        end = piece.end()
    return html[end : end + 60]
