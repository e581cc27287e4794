"""A browser with a profile of its own that visits a page twice and asks again: times of the stages, memory.

`peers/visits.cjs` drives Chromium and Firefox, `webkit` WebKitGTK; `web/watch.js` and `web/postlude.js` take
the times in the page and in its worker.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from bench import webkit

FOLDER = Path(__file__).with_name("web")
DRIVER = Path(__file__).with_name("peers") / "visits.cjs"
ROOT = Path(__file__).resolve().parent.parent
STAGES = ("payload", "wasm", "boot", "import", "index", "answer")
WEBKIT = "WebKitGTK"
PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "Chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "Firefox": ("firefox-esr", "firefox"),
}
BROWSERS = (*PROGRAMS, WEBKIT)
DRIVEN = {"Chromium": "chrome", "Firefox": "firefox"}
VARIABLES = {"Chromium": "CAIRN_CHROMIUM", "Firefox": "CAIRN_FIREFOX"}


WITHOUT_TRACES = "delete Error.stackTraceLimit;\n"
"""Runs first in pages and workers. A browser that is driven looks up the lines of each error that is
made, and reads all of the runtime once more for them, which no visitor waits for."""


class VisitError(Exception):
    """A browser is missing or a page gave no answer; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One way from navigation to answer: milliseconds of each of STAGES, in order; they add up to the total.

    bytes: that came over the network or from the folder. heap: of Python's memory, 0 when unknown.
    """

    stages: tuple[float, ...]
    bytes: int
    heap: int = 0

    @property
    def total(self) -> float:
        """Return milliseconds from the start of the navigation to the answer on the page."""
        return sum(self.stages)


@dataclass(frozen=True, slots=True)
class Round:
    """A page in a fresh profile: first visit, second visit, next question, memory above a blank page."""

    cold: Visit
    warm: Visit
    next_question: float  # milliseconds
    memory: int  # bytes of the browser's processes, each its proportional share; 0 when unknown
    question: str  # as the page asked it in the end


class Browser(Protocol):
    """A running browser and what drives it."""

    def ask(self, **request: object) -> Mapping[str, object]:
        """Do what `peers/visits.cjs` names and return what the page saw."""


class _Puppeteer:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, **request: object) -> Mapping[str, object]:
        """Send one request and return the reply; raises `VisitError`."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise VisitError("the driver has no pipes")
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        line = stdout.readline()
        reply: Mapping[str, object] = json.loads(line) if line else {"error": "the driver ended"}
        if "error" in reply:
            raise VisitError(str(reply["error"]))
        value = reply["value"]
        return value if isinstance(value, dict) else {}


def program(name: str) -> str:
    """Return the path of a browser, or of WebKitGTK's driver; "" when it is not installed."""
    if name == WEBKIT:
        return webkit.driver()
    named = os.environ.get(VARIABLES[name], "")
    return named or next(filter(None, map(shutil.which, PROGRAMS[name])), "")


def node() -> str:
    """Return the path of Node; "" when there is none."""
    return shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent)) or ""


@contextmanager
def browser(name: str) -> Iterator[Browser]:
    """Start a browser with a fresh profile; raises `VisitError`."""
    with _webkit() if name == WEBKIT else _puppeteer(name) as found:
        yield found


@contextmanager
def _webkit() -> Iterator[Browser]:
    try:
        with webkit.webkit() as window:
            yield webkit.Visits(window)
    except webkit.WebKitError as error:
        raise VisitError(f"{WEBKIT}: {error}") from error


@contextmanager
def _puppeteer(name: str) -> Iterator[Browser]:
    path, engine = program(name), node()
    if not path or not engine or not (ROOT / "node_modules" / "puppeteer-core").is_dir():
        raise VisitError(f"{name}, Node or puppeteer-core is not installed: make browser says which")
    command = [engine, str(DRIVER), DRIVEN[name], path]
    with subprocess.Popen(  # noqa: S603  # a program of this folder
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            yield _Puppeteer(process)
        finally:
            if process.stdin:
                process.stdin.close()
            process.wait(timeout=60)


def watch(question: str) -> str:
    """Return the script that takes the times in a page, which asks this question."""
    script = (FOLDER / "watch.js").read_text(encoding="utf-8")
    for name, value in {"QUESTION": question, "PRELUDE": WITHOUT_TRACES, "POSTLUDE": postlude()}.items():
        script = script.replace(f"{name},", f"{json.dumps(value)},", 1)
    return WITHOUT_TRACES + script


def postlude() -> str:
    """Return the script that takes the times in a worker."""
    return (FOLDER / "postlude.js").read_text(encoding="utf-8")


def round_of(name: str, url: str, question: str, sent: "Counter") -> Round:
    """Visit a page in a fresh profile, then once more, then ask again; raises `VisitError`."""
    with browser(name) as found:
        opened = found.ask(op="open", watch=watch(question))
        pid = int(str(opened["pid"]))
        blank = memory_of(pid)
        cold = _visit(found, url, sent)
        held = memory_of(pid)
        warm = _visit(found, url, sent)
        marks = found.ask(op="again", question=cold[1])
        spent = _number(marks["shown"]) - _number(marks["asked"])
        return Round(cold[0], warm[0], spent, max(0, held - blank) if blank else 0, cold[1])


class Counter:
    """Bytes of a visit: what a server sent, or the sizes of the files of a folder that it loaded."""

    def take(self) -> int:
        """Return the bytes a server sent since the last call."""
        return 0

    def of(self, addresses: Sequence[str]) -> int:
        """Return the bytes of the visit that loaded these addresses."""
        files = [Path(unquote(urlsplit(url).path)) for url in addresses if url.startswith("file:")]
        return self.take() + sum(file.stat().st_size for file in files if file.is_file())


def _visit(found: Browser, url: str, sent: Counter) -> tuple[Visit, str]:
    sent.take()
    marks = found.ask(op="visit", url=url)
    files = marks["files"]
    size = sent.of(files if isinstance(files, list) else [])
    python = marks["pyodide"]
    times = {name: _number(time) for name, time in python.items()} if isinstance(python, dict) else {}
    visit = Visit(stages({**times, "answer": _number(marks["shown"])}), size, int(_number(marks["heap"])))
    return visit, str(marks["question"])


def stages(ends: Mapping[str, float]) -> tuple[float, ...]:
    """Return how long each stage took, from when each ended; one without an end belongs to the next."""
    lengths = []
    before = 0.0
    for name in STAGES:
        end = max(before, ends.get(name, before))
        lengths.append(end - before)
        before = end
    return tuple(lengths)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def memory_of(pid: int) -> int:
    """Return the proportional share of memory of a process and its children, 0 where Linux does not tell."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    total, left = 0, [pid]
    while left:
        one = left.pop()
        left += children.get(one, [])
        total += _share(one)
    return total


def _share(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
