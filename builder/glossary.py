"""The operator's glossaries, `glossary.<lang>.toml` beside the documents: read, and checked against them.

An entry is a phrase residents use and the words of the documents for it. Every fault has its line; what a
phrase does in a question is `cairn_core.glossary`'s concern.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder import characters, files, languages
from builder.files import Found
from builder.problems import Problem, nearest, shown
from builder.project import GLOSSARY_NAME
from cairn_core.analysis import words
from cairn_core.glossary import Glossary, key
from cairn_core.passage import Passage

_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)\s*=""", re.ASCII)
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_AT_THE_END = re.compile(r"\s*\(at [^()]*\)")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of a glossary; `texts` is None when it is no list of texts."""

    path: str
    line: int
    source: str
    phrase: str
    texts: tuple[str, ...] | None

    def problem(self, code: str, message: str, hint: str, of: str = "") -> Problem:
        """Return a problem at the entry, or at a text of it."""
        return Problem(self.path, self.line, max(0, self.source.find(of)) + 1, code, message, hint)


def load(folder: Path, codes: Iterable[str]) -> dict[str, Glossary]:
    """Return the glossaries of the languages `codes`; a file that `problems` refuses gives none."""
    found: dict[str, Glossary] = {}
    for path, lang in _files(folder):
        if lang in codes:
            entries, _ = _entries(path)
            usable = {one.phrase: one.texts for one in entries if one.texts and key(one.phrase)}
            found |= {lang: Glossary(usable)} if usable else {}
    return found


def texts(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names of the glossaries of a folder with their bytes, none of one that cannot be read."""
    for path, _ in _files(folder):
        yield path.name, files.read(Found(path.name, path))[0] or b""


def problems(folder: Path, passages: Mapping[str, Iterable[Passage]]) -> list[Problem]:
    """Return everything wrong with the glossaries of a folder, whose passages are given by language."""
    found: list[Problem] = []
    for path, lang in _files(folder):
        if lang in passages:
            entries, unreadable = _entries(path)
            found += [*unreadable, *_faults(entries, _vocabulary(passages[lang]))]
        else:
            message = f"There is no document in the language of the glossary {shown(path.name)}."
            hint = "name it glossary.<language of documents>.toml"
            found.append(Problem(path.name, 1, 1, "E711", message, hint))
    return found


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield each glossary with its language, "" for a name that is no language code."""
    for path in sorted(folder.iterdir() if folder.is_dir() else ()):
        match = GLOSSARY_NAME.fullmatch(path.name)
        if match:
            yield path, languages.normal(match.group(1)) or ""


def _entries(path: Path) -> tuple[list[_Entry], list[Problem]]:
    data, problems = files.read(Found(path.name, path))
    if data is None:
        return [], problems
    decoded, problems = characters.decode(data, path.name)
    if decoded is None:
        return [], problems
    lines = decoded.text.split("\n")
    try:
        table = tomllib.loads(decoded.text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line, column = (int(number) for number in place.groups()) if place else (len(lines), 1)
        message = f"The glossary is not TOML: {_AT_THE_END.sub('', str(error))}."
        return [], [*problems, Problem(path.name, line, column, "E712", message, "correct the line")]
    places = {phrase: number for number, line in enumerate(lines, start=1) for phrase in _key_of(line)}
    return [
        _Entry(path.name, line, lines[line - 1], phrase, _texts(value))
        for phrase, value in table.items()
        for line in [places.get(phrase, 1)]
    ], problems


def _key_of(line: str) -> Iterator[str]:
    found = _KEY.match(line)
    if found:
        yield from tomllib.loads(f"{found.group(1)} = 0")


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not value:
        return None
    texts = tuple(item for item in value if isinstance(item, str) and words(item))
    return texts if len(texts) == len(value) else None


def _vocabulary(passages: Iterable[Passage]) -> frozenset[str]:
    texts = {text for passage in passages for text in (passage.text, passage.title, passage.section)}
    return frozenset(word for text in texts for word in words(text))


def _faults(entries: Iterable[_Entry], vocabulary: frozenset[str]) -> Iterator[Problem]:
    phrases: dict[tuple[str, ...], str] = {}
    for entry in entries:
        compared = key(entry.phrase)
        if entry.texts is None:
            message = f"The words for {shown(entry.phrase)} are not a list of texts."
            yield entry.problem("E713", message, 'write ["one", "two"]')
        elif any(map(characters.first_suspect, (entry.phrase, *entry.texts))):
            message = f"The entry {shown(entry.phrase)} holds an invisible character."
            yield entry.problem("E713", message, "type the line again")
        elif not compared:
            yield entry.problem("E714", f"The phrase {shown(entry.phrase)} has no word.", "delete the line")
        elif compared in phrases:
            message = f"The phrase {shown(entry.phrase)} is the same as {shown(phrases[compared])}."
            yield entry.problem("E715", message, "put the words into one entry")
        else:
            yield from _targets(entry, entry.texts, vocabulary)
        phrases.setdefault(compared, entry.phrase)


def _targets(entry: _Entry, texts: Iterable[str], vocabulary: frozenset[str]) -> Iterator[Problem]:
    added: set[str] = set()
    for text in texts:
        added.update(words(text))
        missing = next((word for word in words(text) if word not in vocabulary), None)
        if missing is not None:
            message = f"No passage has the word {shown(missing)} of {shown(text)}."
            hint = nearest(missing, sorted(vocabulary)) or "write words of the documents"
            yield entry.problem("E716", message, hint, text)
    if added <= set(words(entry.phrase)):
        message = f"The entry {shown(entry.phrase)} adds no word to its phrase."
        yield entry.problem("W717", message, "write other words of the documents")
