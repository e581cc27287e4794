"""An HTML page read into a reduced tree: its title, language and address, and its text without furniture."""

import codecs
import re
from contextlib import suppress
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.dammit import EncodingDetector
from bs4.element import Tag

from builder.intake import furniture, tree
from builder.intake.notes import Notes
from builder.intake.source import Source, UnreadableError


def read(data: bytes, name: str, address: str) -> Source:
    """Return the document an HTML file holds; `address` overrides the one the page names itself.

    Raises UnreadableError.
    """
    notes = Notes()
    soup = BeautifulSoup(_decoded(data, name), "html.parser")
    base = address or _address(soup)
    lang = str(soup.html.get("lang") or soup.html.get("xml:lang") or "") if soup.html else ""
    named = soup.title.get_text(" ", strip=True) if soup.title else ""
    root = furniture.text_of_page(soup, notes)
    title = take_title(root) or named
    tree.reduce(root, base, notes)
    return Source(root, title, lang, base or name, notes)


def _decoded(data: bytes, name: str) -> str:
    """Return the text of a page: UTF-8 where it is, else the encoding it declares; none is guessed."""
    declared = EncodingDetector.find_declared_encoding(data, is_html=True) or "utf-8"
    encodings = (
        ["utf-16"] if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else ["utf-8-sig", declared]
    )
    for encoding in encodings:
        with suppress(UnicodeDecodeError, LookupError):
            return data.decode(encoding)
    hint = "open it in a text editor and save it as UTF-8"
    raise UnreadableError("the encoding of the file is not known", hint, name)


def take_title(root: Tag) -> str:
    """Take the first heading of level 1 out of a tree and return its words, "" when there is none."""
    heading = root.find("h1")
    if not isinstance(heading, Tag):
        return ""
    words = " ".join(heading.get_text(" ").split())
    if words:
        heading.decompose()
    return words


def title_of_file(root: Tag, named: str, file: str, notes: Notes) -> str:
    """Return the title of a paginated file: its only heading of level 1, else the name the file gives itself,
    else its file name, which is noted.
    """
    if len(root("h1")) == 1:
        return take_title(root)
    if named and not re.search(r"\.\w{3,4}$|^Microsoft|^untitled", named, re.IGNORECASE):
        return named
    notes.say("the title is the file's name: write a better one")
    return Path(file).stem


def _address(soup: BeautifulSoup) -> str:
    for selector, key in (
        ("link[rel=canonical]", "href"),
        ("base", "href"),
        ("meta[property='og:url']", "content"),
    ):
        found = soup.select_one(selector)
        url = str(found.get(key) or "") if found else ""
        if url.startswith(("https://", "http://")):
            return url
    return ""
