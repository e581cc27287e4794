"""A DOCX file read into a reduced tree, by way of mammoth's HTML."""

import io
import re
import zipfile
from xml.etree import ElementTree

import mammoth
from bs4 import BeautifulSoup

from builder.intake import tree
from builder.intake.notes import Notes, quoted
from builder.intake.source import Source, UnreadableError
from builder.intake.webpage import title_of_file

MAX_UNPACKED = 200_000_000
"""Bytes of all parts of a file; more is no text document."""

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CORE = "{http://purl.org/dc/elements/1.1/}"
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name^='toc '] => !
p[style-name^='TOC '] => !
p[style-name='Quote'] => blockquote:fresh
p[style-name='Intense Quote'] => blockquote:fresh
"""
_BESIDE = (
    ("word/header", "the head of its pages"),
    ("word/footer", "the foot of its pages"),
    ("word/comments", "a comment"),
)


def read(data: bytes, name: str, address: str) -> Source:
    """Return the document a DOCX file holds. Raises UnreadableError."""
    notes = Notes()
    try:
        lang, named = _look_around(data, notes)
        result = mammoth.convert_to_html(
            io.BytesIO(data), style_map=_STYLES, convert_image=mammoth.images.img_element(_picture)
        )
    except (
        zipfile.BadZipFile,
        ElementTree.ParseError,
        KeyError,
        ValueError,
        OSError,
        NotImplementedError,
    ) as error:
        raise UnreadableError(
            "the file is not a DOCX that can be read",
            "open it in a word processor and save it as .docx",
            name,
        ) from error
    _say(sorted({str(message.message) for message in result.messages}), notes)
    soup = BeautifulSoup(result.value, "html.parser")
    title = title_of_file(soup, named, name, notes)
    tree.reduce(soup, address, notes)
    return Source(soup, title, lang, address or name, notes)


def _say(messages: list[str], notes: Notes) -> None:
    """Note what mammoth could not read; a style it does not know costs no words."""
    ignored = [message.rpartition(": ")[2].rpartition("}")[2] for message in messages if "ignored" in message]
    if any(name.startswith("oMath") for name in ignored):
        notes.say("formulas were left out: write them anew")
    others = sorted({name for name in ignored if not name.startswith("oMath")})
    if others:
        notes.say(f"parts of the file that were not read: {', '.join(others)}")


def _picture(image: object) -> dict[str, str]:
    return {"src": "", "alt": str(getattr(image, "alt_text", None) or "without a description")}


def _look_around(data: bytes, notes: Notes) -> tuple[str, str]:
    """Note what mammoth passes over; return the language and title the file names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
            raise ValueError("too large")
        for entry in sorted(archive.namelist()):
            what = next(
                (what for start, what in _BESIDE if entry.startswith(start) and entry.endswith(".xml")), ""
            )
            text = _text(archive.read(entry)) if what else ""
            if not text.replace(" ", "").isdecimal() and text:
                notes.say(f"left out, {what}: {quoted(text, 120)}")
        body = ElementTree.fromstring(archive.read("word/document.xml"))  # noqa: S314 - expat bounds entity expansion
        gone = " ".join(element.text or "" for element in body.iter(f"{_WORD}delText"))
        if gone.strip():
            notes.say(f"text deleted under tracked changes left out: {quoted(gone, 120)}")
        return _language(archive), _title(archive)


def _text(part: bytes) -> str:
    root = ElementTree.fromstring(part)  # noqa: S314 - expat bounds entity expansion
    return " ".join(" ".join(element.text or "" for element in root.iter(f"{_WORD}t")).split())


def _language(archive: zipfile.ZipFile) -> str:
    if "word/styles.xml" not in archive.namelist():
        return ""
    match = re.search(rb'<w:lang [^>]*w:val="([A-Za-z-]+)"', archive.read("word/styles.xml"))
    return match[1].decode() if match else ""


def _title(archive: zipfile.ZipFile) -> str:
    if "docProps/core.xml" not in archive.namelist():
        return ""
    found = ElementTree.fromstring(archive.read("docProps/core.xml")).find(f"{_CORE}title")  # noqa: S314
    return (found.text or "").strip() if found is not None else ""
