"""The operator's questions, `questions.toml` beside the corpus: what is asked, and where the answer must be.

Each is one `[[question]]` table. Order and comments are the operator's: what is added is appended as text.
Asking them is left to `lint` and `compare`.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder import characters, files, languages
from builder.files import Found
from builder.problems import Problem, has_errors, nearest, shown
from builder.project import QUESTIONS_NAME
from builder.swap import WriteError
from cairn_core.analysis import words
from cairn_core.answer import Answer
from cairn_core.errors import CorpusError

KEYS = ("ask", "lang", "passage", "document", "refusal", "note")
EXPECTED = ("passage", "document", "refusal")
HEADING = """# What residents ask, and where the answer stands. "python -m builder check" asks each of them.
"""
_HEADER = re.compile(r"\s*\[\[\s*question\s*\]\]")
_IN_TOML = re.compile(r"\(at line (\d+), column (\d+)\)")
_AT = re.compile(r"\s*\(at [^()]*\)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what must come back.

    lang: the language it is asked in, "" to be detected. expected: one of EXPECTED; target: the passage, as
    `document#anchor` or `document#number`, or the document's id, "" for a refusal.
    """

    ask: str
    lang: str
    expected: str
    target: str
    note: str
    line: int

    def problem(self, code: str, message: str, hint: str) -> Problem:
        """Return a problem at the question's line."""
        return Problem(QUESTIONS_NAME, self.line, 1, code, message, hint)


def load(folder: Path) -> tuple[list[Question], list[Problem]]:
    """Return the questions of a corpus folder, none without a file, and what is wrong with the file."""
    path = folder / QUESTIONS_NAME
    if not path.is_file():
        return [], []
    data, problems = files.read(Found(QUESTIONS_NAME, path))
    decoded, unreadable = characters.decode(data, QUESTIONS_NAME) if data is not None else (None, [])
    problems += unreadable
    if decoded is None:
        return [], problems
    try:
        table = tomllib.loads(decoded.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return [], [*problems, _not_toml(decoded.text, str(error))]
    found, faults = _questions(table, decoded.text)
    return found, [*problems, *faults]


def _not_toml(text: str, said: str) -> Problem:
    place = _IN_TOML.search(said)
    line, column = (int(one) for one in place.groups()) if place else (text.count("\n") + 1, 1)
    message = f"The file is not TOML: {_AT.sub('', said)}."
    return Problem(QUESTIONS_NAME, line, column, "E721", message, "correct the line")


def _questions(table: Mapping[str, object], text: str) -> tuple[list[Question], list[Problem]]:
    entries = table.get("question", [])
    if set(table) - {"question"} or not isinstance(entries, list):
        message = "The file holds something else than [[question]] tables."
        return [], [Problem(QUESTIONS_NAME, 1, 1, "E721", message, "begin each question with [[question]]")]
    lines = [number for number, line in enumerate(text.split("\n"), start=1) if _HEADER.match(line)]
    found: list[Question] = []
    problems: list[Problem] = []
    for place, entry in enumerate(entries):
        line = lines[place] if len(lines) == len(entries) else 1
        fault = _fault(entry)
        if fault is not None:
            problems.append(Problem(QUESTIONS_NAME, line, 1, "E721", *fault))
            continue
        expected = next(key for key in EXPECTED if key in entry)
        target = "" if expected == "refusal" else entry[expected]
        lang = languages.normal(entry["lang"]) or "" if "lang" in entry else ""
        found.append(Question(entry["ask"], lang, expected, target, entry.get("note", ""), line))
    return found, [*problems, *_twice(found)]


def _fault(entry: object) -> tuple[str, str] | None:
    """Return what is wrong with one table and what to do, None for nothing."""
    if not isinstance(entry, dict):
        return "A question is not a table.", "begin it with [[question]]"
    unknown = next((key for key in entry if key not in KEYS), None)
    if unknown is not None:
        hint = nearest(unknown, KEYS) or f"known keys: {', '.join(KEYS)}"
        return f"The key {shown(unknown)} is unknown.", hint
    for key, value in entry.items():
        if not _fits(key, value):
            return f"The value of {shown(key)} is not usable.", _FORMS[key]
    if "ask" not in entry:
        return "The question has no words.", 'write ask = "…"'
    if sum(key in entry for key in EXPECTED) != 1:
        return (
            f"The question {shown(entry['ask'])} expects no answer, or two.",
            f"write one of {', '.join(EXPECTED)}",
        )
    return None


_FORMS: Mapping[str, str] = {
    "ask": 'write a question in quotes, as in "When is the office open?"',
    "lang": 'write a language code, as in "es"',
    "passage": 'write document#anchor, as in "library-card-en#fees-abc234"',
    "document": 'write a document id, as in "library-card-en"',
    "refusal": "write true, or name the passage that answers",
    "note": "write a line in quotes",
}


def _fits(key: str, value: object) -> bool:
    if key == "refusal":
        return value is True
    if not isinstance(value, str) or characters.first_suspect(value) is not None:
        return False
    if key == "ask":
        return bool(words(value))
    if key == "lang":
        return languages.normal(value) is not None
    return key == "note" or (bool(value.strip()) and (key != "passage" or "#" in value.strip("#")))


def _twice(found: Iterable[Question]) -> Iterator[Problem]:
    seen: dict[tuple[str, str], Question] = {}
    for one in found:
        first = seen.setdefault((one.ask, one.lang), one)
        if first is not one:
            message = f"The question {shown(one.ask)} stands on line {first.line} already."
            yield one.problem("W726", message, "delete one of the two")


def entry(ask: str, lang: str, answer: Answer) -> str:
    """Return the table of a question that was answered so, to be appended to a file."""
    lines = ["", "[[question]]", f"ask = {toml_string(ask)}", f"lang = {toml_string(lang)}"]
    if answer.sources:
        source = answer.sources[0]
        document = source.source_id.rpartition("#")[0]
        anchor = source.url.partition("#")[2] or source.source_id.rpartition("#")[2]
        lines.append(f"passage = {toml_string(f'{document}#{anchor}')}")
    else:
        lines.append("refusal = true")
    return "\n".join([*lines, ""])


def save(folder: Path, asked: str, lang: str, answer: Answer) -> bool:
    """Append a question with what came back; False when the file has it already."""
    known, _ = load(folder)
    if any((one.ask, one.lang) == (asked, lang) for one in known):
        return False
    append(folder, [entry(asked, lang, answer)])
    return True


def append(folder: Path, pieces: Sequence[str]) -> None:
    """Append tables or comments to the file of a corpus folder; what stands there is kept byte for byte.

    Raises CorpusError when the file that is there cannot be used, WriteError.
    """
    path = folder / QUESTIONS_NAME
    _, problems = load(folder)
    if has_errors(problems):
        first = next(one for one in problems if one.severity == "error")
        where = f"{path}:{first.line}:{first.column}"
        raise CorpusError(f"the questions cannot be added to: {first.message}", first.hint, where)
    if not folder.is_dir():
        raise CorpusError("there is no such corpus", "name the folder of a corpus", str(folder))
    aside = path.with_name(f".{path.name}.new")
    try:
        before = path.read_bytes() if path.is_file() else HEADING.encode()
        end = "\r\n" if b"\r\n" in before else "\n"
        gap = "" if before.endswith(b"\n") or not before else end
        added = "".join(pieces).replace("\n", end)
        aside.write_bytes(before + gap.encode() + added.encode())
        aside.replace(path)
    except OSError as error:
        what = error.strerror or "unknown"
        raise WriteError(
            f"the questions cannot be written: {what}", "make the folder writable", str(path)
        ) from error


def toml_string(text: str) -> str:
    """Return a text as a TOML string; JSON's escapes are TOML's, but TOML wants DEL escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
