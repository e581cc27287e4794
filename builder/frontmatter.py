"""Front matter: the block before the text of a document, as keys with their text and line.

Values are text exactly as written: no types, no quoting, no lists. What the keys mean is left to `identity`;
`READERS` maps the first line of a file to the reader of its block.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from unicodedata import normalize

from builder import characters
from builder.problems import Problem, nearest, shown

KEYS = ("id", "title", "lang", "family", "synthetic", "reviewed", "source", "topic", "summary")
"""Every key of a `---` block, in the order the reference lists them."""

MAX_KEYS = 32
MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Field:
    """One value, and the line it stands on."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a document and the text after them; `body_line` is the line of the file the body starts
    on.
    """

    fields: Mapping[str, Field]
    body: str
    body_line: int


type Read = tuple[FrontMatter | None, list[Problem]]


def read(text: str, path: str) -> Read:
    """Split the text of a file into front matter and body; None when there is no block to read."""
    first, _, rest = text.partition("\n")
    reader = READERS.get(first.rstrip())
    if reader is None:
        return None, [_missing(text, path)]
    close = re.search(rf"^{re.escape(first.rstrip())}[ \t]*(?:\n|\Z)", rest, re.MULTILINE)
    if close is None:
        hint = f'end the block with a line "{first.rstrip()}"'
        return None, [Problem(path, 1, 1, "E203", "The front matter is not closed.", hint)]
    block, body = rest[: close.start()], rest[close.end() :]
    if len(block.encode()) > MAX_BYTES:
        message = f'Front matter of "{len(block.encode())}" bytes is over the limit of {MAX_BYTES}.'
        return None, [Problem(path, 1, 1, "E208", message, "move text into the body")]
    fields, problems = reader(block, path)
    if len(fields) > MAX_KEYS:
        message = f'Front matter of "{len(fields)}" keys is over the limit of {MAX_KEYS}.'
        problems.append(Problem(path, 1, 1, "E208", message, "remove keys"))
    closing = block.count("\n") + 2
    return FrontMatter(fields, body, closing + close[0].endswith("\n")), problems


def _missing(text: str, path: str) -> Problem:
    stripped = text.lstrip()
    if stripped is not text and stripped.partition("\n")[0].rstrip() in READERS:
        line = text[: len(text) - len(stripped)].count("\n") + 1
        message = f'The front matter starts on line "{line}", not on line 1.'
        return Problem(path, 1, 1, "E202", message, "delete what stands before it")
    message = f"The first line {shown(text.partition(chr(10))[0])} opens no front matter."
    return Problem(path, 1, 1, "E201", message, 'start with "---", the keys title and lang, and "---"')


def _read_plain(block: str, path: str) -> tuple[dict[str, Field], list[Problem]]:
    fields: dict[str, Field] = {}
    problems: list[Problem] = []
    for line, content in enumerate(block.removesuffix("\n").split("\n") if block else [], start=2):
        if not content.strip():
            continue
        match = re.fullmatch(r"([A-Za-z_][\w-]*):[ \t]*(.*?)[ \t]*", content)
        if match is None:
            message = f"Front-matter line {shown(content)} is not `key: value`."
            problems.append(Problem(path, line, 1, "E204", message, "write one key, a colon and its value"))
            continue
        key, value = match.groups()
        problems += _check_plain(key, value, fields, (path, line, match.start(2) + 1))
        fields.setdefault(key, Field(value, line))
    return fields, problems


def _check_plain(
    key: str, value: str, fields: Mapping[str, Field], place: tuple[str, int, int]
) -> Iterable[Problem]:
    path, line, column = place
    if key not in KEYS:
        hint = nearest(key, KEYS) or f"known keys: {', '.join(KEYS)}"
        yield Problem(path, line, 1, "E205", f"Front-matter key {shown(key)} is unknown.", hint)
    elif key in fields:
        message = f"Front-matter key {shown(key)} was given on line {fields[key].line} already."
        yield Problem(path, line, 1, "E206", message, "delete one of the two")
    elif not value:
        yield Problem(path, line, column, "E207", f"Front-matter key {shown(key)} has no value.", "write one")
    elif len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        message = f"The quotes of {shown(value)} are part of the value."
        yield Problem(path, line, column, "W221", message, "delete the quotes")


def _read_toml(block: str, path: str) -> tuple[dict[str, Field], list[Problem]]:
    try:
        table = tomllib.loads(block, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(at[1]) + 1, int(at[2])) if at else (1, 1)
        what = str(error).partition(" (at ")[0]
        message = f"The front matter is not TOML: {shown(what)}."
        return {}, [Problem(path, line, column, "E209", message, "correct the line")]
    except (RecursionError, ValueError) as error:
        message = f"The front matter is not TOML: {shown(str(error))}."
        return {}, [Problem(path, 1, 1, "E209", message, "write plain `key = value` lines")]
    lines = {key: number for number, key in _toml_keys(block)}
    fields = {
        key: Field(_toml_text(value), lines.get(key, 1))
        for key, value in table.items()
        if isinstance(value, str | int | date) and _toml_text(value)
    }
    return fields, list(_escaped(fields, path))


def _escaped(fields: Mapping[str, Field], path: str) -> Iterable[Problem]:
    """Yield the characters that TOML escapes hide from the check of the file."""
    for value in fields.values():
        suspect = characters.first_suspect(value.text)
        if suspect is not None:
            message = f'An escape stands for "{characters.code_point(suspect[1])}".'
            yield Problem(path, value.line, 1, suspect[0], message, "delete the escape")


def _toml_keys(block: str) -> Iterable[tuple[int, str]]:
    for number, line in enumerate(block.split("\n"), start=2):
        key, equals, _ = line.partition("=")
        if equals:
            yield number, key.strip().strip("\"'")


def _toml_text(value: str | int | date) -> str:
    return str(value).lower() if isinstance(value, bool) else normalize("NFC", str(value).strip())


READERS: Mapping[str, Callable[[str, str], tuple[dict[str, Field], list[Problem]]]] = {
    "---": _read_plain,
    "+++": _read_toml,
}
"""First line of a file -> reader of its block, which ends at the next line that is the same."""
