"""What rules look at: a corpus read and rendered once, its index, its settings with thresholds.

Also where in a file a word or a setting stands, since rules work on passages and values.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from builder.calibrate import Calibrated, judged, with_lexicons
from builder.corpus import Corpus, contact_checked, read
from builder.passages import Rendered
from builder.problems import Problem
from builder.project import FILE_NAME, PROBES_NAME, Project
from builder.rendering import Examined, examine
from cairn_core.errors import ConfigError
from cairn_core.index import Index, Passage, build_shard

_IN_TOML = re.compile(r"\(at line (\d+), column (\d+)\)")
_AT_THE_END = re.compile(r"\s*\(at (?:line|end)[^()]*\)")
_READING = ("E1", "E2")
_TEXT_LOST = ("E1", "E2", "E3", "E4")


@dataclass(frozen=True, slots=True)
class Engine:
    """What answers questions as the site would: the index with its lexicons, the settings with thresholds."""

    index: Index
    calibrated: Calibrated


@dataclass(frozen=True, slots=True)
class Facts:
    """A corpus as rules see it. `engine` is None when text is missing, so that no answer says anything."""

    project: Project
    corpus: Corpus
    examined: Examined
    engine: Engine | None
    today: date

    @property
    def documents(self) -> tuple[Rendered, ...]:
        """Return the documents in the order of their paths."""
        return tuple(self.examined.documents.values())

    @property
    def all_read(self) -> bool:
        """Tell whether every document of the folder could be read."""
        return not any(problem.code.startswith(_READING) for problem in self.examined.problems)

    def families(self) -> Mapping[str, Mapping[str, Rendered]]:
        """Return family -> language -> document."""
        found: dict[str, dict[str, Rendered]] = {}
        for one in self.documents:
            found.setdefault(one.document.family, {})[one.document.lang] = one
        return found


def gather(project: Project, today: date) -> tuple[Facts, list[Problem]]:
    """Return the facts of a project, and what is wrong with the files its thresholds are made from."""
    corpus = contact_checked(read(project))
    examined = examine(corpus)
    engine, problems = None, list[Problem]()
    text_lost = any(problem.code.startswith(_TEXT_LOST) for problem in examined.problems)
    if not text_lost and any(examined.passages.values()):
        try:
            engine = _engine(project, examined)
        except ConfigError as error:
            problems.append(_of_probes(error, project.corpus_dir))
    return Facts(project, corpus, examined, engine, today), problems


def _engine(project: Project, examined: Examined) -> Engine:
    made = (build_shard(lang, passages) for lang, passages in examined.passages.items() if passages)
    index = with_lexicons(Index.of(made), project)
    return Engine(index, judged(index, project))


def _of_probes(error: ConfigError, corpus_dir: Path) -> Problem:
    """Return what is wrong with the probes; an unknown language is named by the message only."""
    found = of_settings(error, "E704", corpus_dir)
    if found.path == PROBES_NAME:
        return found
    named = re.match(r'"([^"]*)"', error.message)
    place = word_place(source(corpus_dir / PROBES_NAME), f"[{named[1]}]" if named else "[")
    return Problem(PROBES_NAME, *place, "E704", f"{error.message}.", error.hint)


def of_settings(error: ConfigError, code: str, corpus_dir: Path) -> Problem:
    """Return a fault of a settings file as a problem at its line."""
    path, _, key = error.location.partition(": ")
    text, place = source(Path(path)), _IN_TOML.search(error.message)
    if place:
        line, column = int(place[1]), int(place[2])
    elif _AT_THE_END.search(error.message):
        line, column = text.count("\n") + 1, 1
    else:
        line, column = key_place(text, key), 1
    inside = Path(path).parent == corpus_dir
    message = _AT_THE_END.sub("", error.message)
    where = Path(path).name if inside else path
    return Problem(where or FILE_NAME, line, column, code, message, error.hint or "correct the line")


def source(path: Path) -> str:
    """Return the text of a file, "" when it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def key_place(text: str, key: str) -> int:
    """Return the line of `section.key` in TOML, of the section when the key is not there, else 1."""
    section, _, name = key.partition(".")
    inside, found, name = False, 1, name.partition(".")[0]
    for number, line in enumerate(text.split("\n"), start=1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        if header:
            inside = header[1] == section or header[1].startswith(f"{section}.")
            if inside and found == 1:
                found = number
            if header[1] == key:
                return number
        elif inside and name and re.match(rf"""\s*["']?{re.escape(name)}["']?\s*[.=]""", line):
            return number
    return found


def word_place(text: str, word: str) -> tuple[int, int]:
    """Return line and column of the first `word` in a text, (1, 1) when it is not there as written."""
    for number, line in enumerate(text.split("\n"), start=1):
        at = line.find(word)
        if at >= 0:
            return number, at + 1
    return 1, 1


def numbered(rendered: Rendered) -> Iterator[tuple[Passage, int]]:
    """Yield the passages of a document, each with the line it starts on."""
    yield from zip(rendered.passages, rendered.places, strict=True)


def place_in(rendered: Rendered, line: int, word: str) -> tuple[int, int]:
    """Return where a word of a document stands, from a line of its file on, else that line."""
    document = rendered.document
    lines = _lines(document.body)
    for number in range(max(0, line - document.body_line), len(lines)):
        column = lines[number].find(word)
        if column >= 0:
            return document.body_line + number, column + 1
    return line, 1


@lru_cache(maxsize=4)
def _lines(body: str) -> list[str]:
    return body.split("\n")


def title_line(rendered: Rendered) -> int:
    """Return the line of a document's title."""
    found = rendered.document.fields.get("title")
    return found.line if found else 1
