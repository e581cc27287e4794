"""Search engines of others as rankers: each a program in `peers/`, started once for a set.

An engine that is not installed, or fails, has a reason instead of figures and ends no run.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from bench.ranking import Hit, Ranking, Task
from bench.squad import QuestionSet

FOLDER = Path(__file__).with_name("peers")
TO_INSTALL = "make peers"
LONGEST_REASON = 120
PATIENCE = 3600.0
"""Seconds an engine may take for a set."""


class EngineError(Exception):
    """Why an engine gave no rankings."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A program of `peers/` with its arguments, and the packages it needs, the engine's own first; none is
    the standard library's SQLite."""

    words: tuple[str, ...]
    packages: tuple[str, ...] = ()

    @property
    def in_node(self) -> bool:
        """Whether Node runs it."""
        return self.words[0].endswith((".cjs", ".mjs"))


ENGINES: Mapping[str, Engine] = {
    "bm25s, Snowball": Engine(("bm25s_snowball.py",), ("bm25s", "PyStemmer")),
    "SQLite FTS5, unicode61": Engine(("sqlite_fts5.py", "unicode61")),
    "SQLite FTS5, trigram": Engine(("sqlite_fts5.py", "trigram")),
    "tantivy, stemmed": Engine(("tantivy_text.py", "stem"), ("tantivy",)),
    "tantivy, ngram 3": Engine(("tantivy_text.py", "ngram"), ("tantivy",)),
    "lunr, plug-ins": Engine(("lunr.cjs",), ("lunr", "lunr-languages", "@node-rs/jieba")),
    "MiniSearch": Engine(("minisearch.cjs",), ("minisearch",)),
    "Pagefind": Engine(("pagefind.mjs",), ("pagefind",)),
}
"""Name in the table -> engine."""


def versions(engine: Engine) -> str:
    """Return what is installed of an engine. Raises EngineError with how to get what is not."""
    if not engine.packages:
        return _sqlite()
    found = {name: (_npm if engine.in_node else _pip)(name) for name in engine.packages}
    missing = [name for name, version in found.items() if not version]
    if missing or (engine.in_node and not _node()):
        raise EngineError(f"not installed: {TO_INSTALL} gets {', '.join(missing) or 'Node'}")
    return ", ".join(f"{name} {version}" for name, version in found.items())


def code(engine: Engine) -> bytes:
    """Return the program of an engine and what it shares with others, as bytes to take a digest of."""
    shared = sorted(FOLDER.glob("tasks.*"))
    return b"\0".join(path.read_bytes() for path in (FOLDER / engine.words[0], *shared))


def rank(engine: Engine, one: QuestionSet, tasks: Sequence[Task]) -> Iterator[list[Ranking]]:
    """Answer tasks with an engine, as a `Ranker` does. Raises EngineError when it is missing or fails."""
    versions(engine)
    lines = _answers(engine, json.dumps(_given(one, tasks)))
    if len(lines) != len(tasks):
        raise EngineError(f"failed: {len(lines)} answers to {len(tasks)} tasks")
    for line in lines:
        yield [[Hit(place, score) for place, score in ranking] for ranking in json.loads(line)]


def _answers(engine: Engine, asked: str) -> list[str]:
    program = _node() if engine.in_node else sys.executable
    command = [program, str(FOLDER / engine.words[0]), *engine.words[1:]]
    try:
        run = subprocess.run(  # noqa: S603  # a program of this folder
            command, input=asked, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"failed: {type(error).__name__}") from error
    if run.returncode:
        raise EngineError(f"failed: {_reason(run.stderr)}")
    return run.stdout.splitlines()


def _reason(said: str) -> str:
    """The line that names the error: the last of a Python traceback, in Node's the first with one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"\w*Error\b", line)]
    return (named or lines or ["without a word"])[-1][:LONGEST_REASON]


def _given(one: QuestionSet, tasks: Sequence[Task]) -> Mapping[str, object]:
    return {
        "lang": one.lang,
        "passages": [passage.text for passage in one.passages],
        "questions": [question.text for question in one.questions],
        "tasks": [
            {"places": task.places, "questions": task.questions, "depth": task.depth} for task in tasks
        ],
    }


def _node() -> str:
    beside = str(Path(sys.executable).parent)
    return shutil.which("node") or shutil.which("node", path=beside) or ""


def _pip(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _npm(name: str) -> str:
    path = FOLDER / "node_modules" / name / "package.json"
    return str(json.loads(path.read_text(encoding="utf-8"))["version"]) if path.is_file() else ""


def _sqlite() -> str:
    try:
        import sqlite3  # left out of some builds of Python
    except ImportError as error:
        raise EngineError("not installed: a Python with sqlite3 has it") from error
    return f"SQLite {sqlite3.sqlite_version}"
