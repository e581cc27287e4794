"""Files in, reviewable documents out: one Markdown file beside the corpus's others for each file given.

Nothing is overwritten. What was lost stands in the document as notes, which stop a build until they are
deleted.
"""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder import characters, glyphs, languages, urls
from builder.intake import pdf, plain, webpage, word, writing
from builder.intake.notes import Notes, quoted, unmarked
from builder.intake.source import Source, UnreadableError
from builder.swap import WriteError

MAX_BYTES = 50_000_000
TITLE_LENGTH = 200

READERS: Mapping[str, Callable[[bytes, str, str], Source]] = {
    ".html": webpage.read,
    ".htm": webpage.read,
    ".docx": word.read,
    ".pdf": pdf.read,
    ".txt": plain.read,
}
"""End of a file's name -> its reader, which takes bytes, name and address."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the operator says of the files; `lang` and `address` are "" where the files say it themselves."""

    folder: Path
    lang: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """One document that was written, and how many notes it holds."""

    path: Path
    title: str
    notes: int


def bring_in(file: Path, wanted: Wanted) -> Imported:
    """Write one file as a document and say where. Raises UnreadableError, WriteError."""
    source = _read(file, wanted)
    lang = _language(source, wanted, file)
    title = _clean(source.title, source.notes)[:TITLE_LENGTH].strip() or file.stem
    body = _clean(writing.markdown(source.root, source.notes), source.notes)
    if not body.strip():
        raise UnreadableError("no text was found in the file", "look at it in its own program", str(file))
    target = wanted.folder / f"{_name(title, file)}.{lang}.md"
    origin = " ".join(_clean(source.origin, source.notes).split())
    text = f"---\ntitle: {title}\nlang: {lang}\nsource: {origin}\n---\n\n{source.notes.written(body)}"
    text = "".join(char for char in text if glyphs.shown(char))
    try:
        wanted.folder.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise WriteError("the document exists already", "delete or rename it first", str(target)) from error
    except OSError as error:
        raise WriteError(
            f"the document cannot be written: {error.strerror}", "name another folder", str(target)
        ) from error
    return Imported(target, title, source.notes.count)


def _read(file: Path, wanted: Wanted) -> Source:
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise UnreadableError(
            "this kind of file cannot be brought in", f"known: {', '.join(READERS)}", str(file)
        )
    try:
        if file.stat().st_size > MAX_BYTES:
            raise UnreadableError(f"the file has more than {MAX_BYTES} bytes", "split it", str(file))
        data = file.read_bytes()
    except OSError as error:
        raise UnreadableError(
            f"the file cannot be read: {error.strerror}", "check the name", str(file)
        ) from error
    return reader(data, file.name, wanted.address)


def _language(source: Source, wanted: Wanted, file: Path) -> str:
    said = wanted.lang or source.lang.partition("-")[0]
    code = languages.normal(said)
    if code is None:
        what = f"{quoted(said)} is not a language code" if said else "the file does not say its language"
        raise UnreadableError(what, "name it: --lang en", str(file))
    return code


def _name(title: str, file: Path) -> str:
    """Return a portable name from the title, or from the file's name where the title has no Latin letters."""
    name = urls.portable(title)[:48].strip("-")
    return name if len(name) > 2 else urls.portable(file.stem) or "document"


def _clean(text: str, notes: Notes) -> str:
    """Return text in normal form C without the characters no document may hold, each kind noted once."""
    composed = unicodedata.normalize(
        "NFC", text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n")
    )
    unshown = sorted({characters.code_point(char) for char in glyphs.unshown(unmarked(composed))})
    if unshown:
        notes.say(f"characters that no typeface shows left out: {', '.join(unshown)}")
    bad = characters.forbidden(composed)
    if not bad:
        return composed
    names = sorted({characters.code_point(composed[offset]) for offset in bad})
    notes.say(f"invisible characters left out: {', '.join(names)}")
    return "".join(char for offset, char in enumerate(composed) if offset not in bad)
