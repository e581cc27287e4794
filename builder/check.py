"""The builder's check of its own output, made on the bytes that were written and before they go anywhere.

A page must be in the plain form the templates and markdown-it-py write (every attribute quoted, `<` escaped
in text), which is what makes a scan by patterns exact; anything else is reported, not guessed at. Passages,
ids and links are then compared, and the index is opened as a browser opens it.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from urllib.parse import unquote

from builder.shelf import Quotable
from cairn_core.config import Config
from cairn_core.errors import ConfigError

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
    """Of one page: its ids, what it wants of the site (URL, "#" and fragment if any), what is wrong with it
    alone.
    """

    ids: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def examined(url: str, html: str, passages: Iterable[Quotable]) -> PageFacts:
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
    faults += _passage_faults(html, {one[0]: one for one in passages})
    wanted = dict.fromkeys(_wanted(url, links, ids, faults))
    return PageFacts(tuple(ids), tuple(wanted), tuple(faults))


def _wanted(
    url: str, links: Iterable[tuple[str, str]], ids: Iterable[str], faults: list[str]
) -> Iterator[str]:
    """Yield what links of a page want of other pages; what is wrong with one is added to `faults`."""
    folder, own = posixpath.dirname(url), frozenset(ids)
    for element, value in links:
        if value.startswith("#"):
            fragment = unquote(value[1:])
            if fragment and fragment not in own:
                faults.append(f"link to {url}#{fragment}, an anchor that does not exist")
        elif not _leads_inside(value):
            if not _may_lead_out(element, value):
                faults.append(f"<{element}> refers to {value!r}, outside the site")
        elif value:
            yield _resolved(folder, value)


def _leads_inside(value: str) -> bool:
    return not _SCHEME.match(value) and not value.startswith(("/", "\\"))


@lru_cache(maxsize=16384)
def _resolved(folder: str, value: str) -> str:
    path, mark, fragment = unquote(value).partition("#")
    return posixpath.normpath(posixpath.join(folder, path)) + mark + fragment


@dataclass(slots=True)
class SiteCheck:
    """Collects what pages hold and want; `faults` are sentences, empty when the output is right."""

    faults: list[str] = field(default_factory=list)
    _ids: dict[str, str] = field(default_factory=dict)
    """Page -> its ids, each between two line feeds."""
    _wanted: dict[str, str] = field(default_factory=dict)
    """URL, "#" and fragment if any -> the first page that wants it."""

    def take(self, url: str, page: PageFacts) -> None:
        """Take what a page holds and wants."""
        self._ids[url] = "\n".join(("", *page.ids, ""))
        for one in page.wanted:
            self._wanted.setdefault(one, url)
        self.faults += [f"{url}: {fault}" for fault in page.faults]

    def stylesheet(self, url: str, css: str) -> None:
        """Take a stylesheet: what it refers to must be in the site."""
        for target in _CSS_URL.findall(css):
            if not target.startswith(("data:", "#")):
                if _leads_inside(target):
                    self._wanted.setdefault(_resolved(posixpath.dirname(url), target), url)
                else:
                    self.faults.append(f"{url}: <link> refers to {target!r}, outside the site")

    def settings(self, site_json: bytes) -> None:
        """Take the site's settings; each language was opened when it was made."""
        try:
            Config.from_json(json.loads(site_json).get("config"))
        except ConfigError as error:
            self.faults.append(f"index: {error}")

    def finish(self, files: Iterable[str]) -> list[str]:
        """Return all faults once every file of the site is known; links are resolved here."""
        present = set(files)
        for one, page in self._wanted.items():
            target, _, fragment = one.partition("#")
            if target not in present:
                self.faults.append(f"{page}: link to {target!r}, which is not in the site")
            elif fragment and f"\n{fragment}\n" not in self._ids.get(target, ""):
                self.faults.append(f"{page}: link to {target}#{fragment}, an anchor that does not exist")
        return sorted(self.faults)


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


def _passage_faults(html: str, expected: Mapping[str, Quotable]) -> Iterator[str]:
    found = set()
    for start in _PASSAGE.finditer(html):
        anchor, passage_id = unescape(start[1]), unescape(start[2])
        found.add(passage_id)
        passage = expected.get(passage_id)
        if passage is None or passage[1] != anchor:
            yield f"passage {passage_id!r} under {anchor!r} is not in the index"
        elif visible_text(html[start.end() : _closing(html, start.end())]) != " ".join(passage[2].split()):
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
