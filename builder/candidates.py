"""Questions a kiosk refused, exported there by its operator and read in as candidates for `questions.toml`.

The file holds words and counts, nothing of who asked or when; `docs/reference/refused-questions.schema.json`
describes it. A candidate is appended as a comment: what it expects is for a person to decide.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builder import characters, languages, questions
from builder.files import Found, read
from builder.problems import shown
from builder.project import QUESTIONS_NAME
from builder.questions import toml_string
from cairn_core.errors import CairnError

FORMAT = 1
KIND = "refused questions"
MAX_QUESTIONS = 10_000
MAX_LETTERS = 2_000


class ExportError(CairnError):
    """The file is no export of refused questions, or holds what such a file must not."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Words that were refused, the language they were taken for, how often."""

    words: str
    lang: str
    count: int


def load(path: Path) -> tuple[Refused, ...]:
    """Return the questions of an export, the most frequent first. Raises ExportError naming the field."""
    data, problems = read(Found(str(path), path))
    if data is None:
        raise ExportError(problems[0].message, "name the file a kiosk exported", str(path))
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ExportError(f"the file is not JSON: {error}", "export it again", str(path)) from error
    listed = value.get("questions") if isinstance(value, dict) else None
    if not isinstance(value, dict) or value.get("format") != FORMAT or value.get("kind") != KIND:
        message = f'the file is not format {FORMAT} of "{KIND}"'
        raise ExportError(message, "name the file a kiosk exported", str(path))
    if not isinstance(listed, list) or len(listed) > MAX_QUESTIONS:
        message = f'"questions" is not a list of at most {MAX_QUESTIONS:,}'
        raise ExportError(message, "export it again", str(path))
    found = [_refused(one, f"{path}: questions.{place}") for place, one in enumerate(listed)]
    return tuple(sorted(found, key=lambda one: (-one.count, one.lang, one.words)))


def _refused(value: object, where: str) -> Refused:
    fields = value if isinstance(value, dict) else {}
    if set(fields) != {"words", "lang", "count"}:
        raise ExportError("a question has other fields than words, lang and count", "export it again", where)
    words, lang, count = fields["words"], fields["lang"], fields["count"]
    if not isinstance(words, str) or not 0 < len(words.strip()) <= MAX_LETTERS:
        raise ExportError(f"the words are not a text of up to {MAX_LETTERS:,} letters", "delete it", where)
    if characters.first_suspect(words) is not None or "\n" in words:
        raise ExportError("the words hold a character nobody can see", "delete it", where)
    if not isinstance(lang, str) or languages.normal(lang) is None:
        raise ExportError(f"{shown(str(lang))} is not a language code", "correct it", where)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ExportError(f"{shown(str(count))} is not a count of 1 or more", "correct it", where)
    return Refused(" ".join(words.split()), languages.normal(lang) or lang, count)


def add(folder: Path, refused: Sequence[Refused]) -> int:
    """Append the questions that the corpus's file does not have yet, as comments; return how many."""
    path = folder / QUESTIONS_NAME
    known, _ = questions.load(folder)
    asked = {(one.ask, one.lang) for one in known}
    text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
    pieces = [
        piece
        for one in dict.fromkeys(refused)
        if (one.words, one.lang) not in asked and (piece := _candidate(one)).split("\n")[3] not in text
    ]
    if pieces:
        questions.append(folder, pieces)
    return len(pieces)


def _candidate(one: Refused) -> str:
    times = "once" if one.count == 1 else f"{one.count} times"
    return (
        f"\n# Refused {times}. Say what is expected, then take the signs # away.\n# [[question]]\n"
        f"# ask = {toml_string(one.words)}\n# lang = {toml_string(one.lang)}\n# refusal = true\n"
    )
