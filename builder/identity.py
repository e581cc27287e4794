"""Which document a file is: language, id, family, title and the other facts, from front matter, else from the
path.

Rules in this order: front matter; a field the project maps; the file name `<document>.<lang>.md`; the first
folder that is a language code; for the title the first level-1 heading. Uniqueness over the corpus is checked
by `corpus`.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date

from builder import languages, markdown
from builder.frontmatter import Field, FrontMatter
from builder.problems import Problem, shown
from builder.project import Project

ID_GRAMMAR = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
MAX_ID = 120
MAX_TITLE = 200
_MIXABLE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""Scripts with letters that look alike."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a document is called; texts are "" where nothing is known, `reviewed` is YYYY-MM-DD."""

    doc_id: str
    title: str
    lang: str
    family: str
    synthetic: bool
    reviewed: str
    source: str
    topic: str
    summary: str


@dataclass(slots=True)
class _Reading:
    """One file being identified: its facts and the problems found on the way."""

    path: str
    front: FrontMatter
    project: Project
    problems: list[Problem] = field(default_factory=list)

    def fact(self, key: str) -> Field | None:
        """Return the value of a front-matter key, or of the field mapped to it."""
        mapped = (self.project.field_names or {}).get(key)
        return self.front.fields.get(key) or (self.front.fields.get(mapped) if mapped else None)

    def text(self, key: str) -> str:
        fact = self.fact(key)
        return " ".join(fact.text.split()) if fact else ""

    def report(self, code: str, line: int, message: str, hint: str) -> None:
        self.problems.append(Problem(self.path, line, 1, code, message, hint))


def identify(path: str, front: FrontMatter, project: Project) -> tuple[Identity | None, list[Problem]]:
    """Return what the document at `path` is, or None with the reasons; `path` is relative to the corpus, with
    slashes.
    """
    reading = _Reading(path, front, project)
    stem, lang_of_path = _split(path, project.languages)
    lang = _lang(reading, lang_of_path)
    doc_id = _id(reading, f"{_plain(stem)}-{lang}")
    title = _title(reading)
    synthetic = _synthetic(reading)
    reviewed = _reviewed(reading)
    if any(problem.severity == "error" for problem in reading.problems):
        return None, reading.problems
    identity = Identity(
        doc_id=doc_id,
        title=title,
        lang=lang,
        family=reading.text("family") or stem,
        synthetic=synthetic,
        reviewed=reviewed,
        source=reading.text("source"),
        topic=reading.text("topic"),
        summary=reading.text("summary"),
    )
    return identity, reading.problems


def _split(path: str, listed: tuple[str, ...]) -> tuple[str, str]:
    """Return the document part of a path and the language it names ("" for none)."""
    *folders, name = path.removesuffix(".md").split("/")
    document, dot, suffix = name.rpartition(".")
    if dot and document and (lang := languages.of_name(suffix, listed)):
        return "-".join([*folders, document]), lang
    if folders and (lang := languages.of_name(folders[0], listed)):
        return "-".join([*folders[1:], name]), lang
    return "-".join([*folders, name]), ""


def _lang(reading: _Reading, of_path: str) -> str:
    fact = reading.fact("lang")
    if fact is None:
        if not of_path:
            hint = "add lang: to the front matter, or name the file <document>.<lang>.md"
            reading.report("E211", 1, "The document has no language.", hint)
        return of_path
    lang = languages.normal(fact.text)
    if lang is None:
        reading.report(
            "E212", fact.line, f"{shown(fact.text)} is not a language code.", languages.hint(fact.text)
        )
        return ""
    listed = reading.project.languages
    if listed and lang not in listed:
        hint = f'add "{lang}" to [site] languages, or exclude the file'
        reading.report("E217", fact.line, f'The site does not list the language "{lang}".', hint)
    return lang


def _id(reading: _Reading, derived: str) -> str:
    fact = reading.fact("id")
    if fact is None:
        return derived
    if ID_GRAMMAR.fullmatch(fact.text) is None or len(fact.text) > MAX_ID:
        hint = f"use letters a-z, digits, dots and hyphens, at most {MAX_ID}, a letter first"
        reading.report("E213", fact.line, f"{shown(fact.text)} is not a document id.", hint)
    return fact.text


def _plain(stem: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-")
    if plain != stem or len(plain) > MAX_ID - 20:
        plain = f"{plain[: MAX_ID - 40]}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}".lstrip("-")
    return plain if plain[0].isascii() and plain[0].isalpha() else f"d-{plain}"


def _title(reading: _Reading) -> str:
    fact = reading.fact("title")
    title, line = reading.text("title"), fact.line if fact else 1
    if not title:
        title = markdown.first_title(markdown.strip_shortcodes(reading.front.body)[0])
    if not title:
        reading.report("E215", 1, "The document has no title.", "add title: to the front matter")
    elif len(title) > MAX_TITLE:
        message = f"The title {shown(title)} has {len(title)} characters, more than {MAX_TITLE}."
        reading.report("E210", line, message, "shorten it; details go into the body")
    elif (word := mixed_script_word(title)) is not None:
        message = f"The word {shown(word)} of the title mixes scripts."
        reading.report("W223", line, message, "retype the word in one script")
    return title


def _synthetic(reading: _Reading) -> bool:
    fact = reading.front.fields.get("synthetic")
    if fact is not None and fact.text not in ("true", "false"):
        message = f"The value {shown(fact.text)} of synthetic is not allowed."
        reading.report("E210", fact.line, message, "write true or false")
    return fact is not None and fact.text == "true"


def _reviewed(reading: _Reading) -> str:
    fact = reading.fact("reviewed")
    if fact is None:
        return ""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fact.text):
            date.fromisoformat(fact.text)
            return fact.text
    except ValueError:
        pass
    message = f"The value {shown(fact.text)} of reviewed is not a date."
    reading.report("E210", fact.line, message, "write YYYY-MM-DD, a day that exists")
    return ""


def mixed_script_word(title: str) -> str | None:
    """Return the first word whose letters come from two scripts that look alike, or None."""
    if title.isascii():
        return None
    for match in re.finditer(r"\w+", title):
        if not match[0].isascii():
            names = {unicodedata.name(char, "").partition(" ")[0] for char in match[0] if char.isalpha()}
            if len(names.intersection(_MIXABLE)) > 1:
                return match[0]
    return None


def same_key(text: str) -> str:
    """Return what two ids may not share: file systems and readers see no case and no normal form."""
    return unicodedata.normalize("NFC", text.casefold())
