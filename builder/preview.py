"""What a preview tells beside the pages: whether a build is running, what is wrong with the last save, and
which pages it touched.

State and words; `serve` sends them, `preview.js` draws them. Nothing of it is ever written into a site.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from builder.payload import canonical
from builder.problems import CorpusProblems, Problem
from builder.readsite import read_manifest
from builder.report import counted
from builder.site import BuildReport
from cairn_core.errors import CairnError

OWN = "/~cairn/"
"""Where a preview serves what is its own: no file of a site is called so."""

SCRIPT, STYLE, EVENTS = (f"{OWN}{name}" for name in ("preview.js", "preview.css", "events"))
FILES: Mapping[str, Path] = {url: Path(__file__).with_name(url.removeprefix(OWN)) for url in (SCRIPT, STYLE)}

SHOWN = 12
"""Touched pages that are named; the rest are counted."""

SIGNS: Mapping[str, str] = {"added": "+", "changed": "~", "removed": "-"}

_ADDED = f'<script defer src="{SCRIPT}"></script>\n</head>'.encode()
_PAGE = f"""<!doctype html>
<html lang="en" dir="ltr" data-build="{{build}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<link rel="stylesheet" href="{STYLE}">
</head>
<body class="cairn-plain">
<h1>{{title}}</h1>
<p>{{text}}</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Touched:
    """A page that says something else than in the build before; `change` is one of SIGNS."""

    url: str
    change: str

    def line(self) -> str:
        """Return it as the terminal shows it."""
        return f"{SIGNS[self.change]} {self.change:8} {self.url}"


@dataclass(frozen=True, slots=True)
class State:
    """How things stand: the build that is served, "" for none, and what came of the last save.

    `errors` are why it was not built; each is code, place, message and hint, "" where there is none.
    """

    build: str
    title: str = "Building"
    text: str = ""
    busy: bool = True
    errors: tuple[tuple[str, str, str, str], ...] = ()
    warnings: tuple[tuple[str, str, str, str], ...] = ()
    touched: tuple[Touched, ...] = ()

    def to_json(self, base: str) -> dict[str, object]:
        """Return it as pages take it, in format `PreviewState` of `preview.js`; `base`: where the site is."""
        named = self.touched[:SHOWN]
        return {
            "build": self.build,
            "title": self.title,
            "text": self.text,
            "busy": self.busy,
            "errors": self.errors,
            "warnings": self.warnings,
            "touched": [[one.change, one.url, base + one.url] for one in named],
            "more": _more(self.touched),
        }


class Preview:
    """The state of one preview, changed by whoever builds and waited for by the pages that are open."""

    def __init__(self, out: Path) -> None:
        """Begin with the site that stands in `out`, if there is one."""
        self._changed = threading.Condition()
        self._state = State(_standing(out))
        self._contents: Mapping[str, str] | None = None
        self._number = 0
        self._closed = False

    @property
    def state(self) -> State:
        """The newest state."""
        return self._state

    def begin(self) -> None:
        """A build has begun."""
        self._set(replace(self._state, busy=True))

    def built(self, report: BuildReport) -> State:
        """A build has succeeded; return the state with the pages it touched."""
        touched = tuple(_touched(self._contents, report.contents))
        first, self._contents = self._contents is None, report.contents
        pages = counted(len(report.contents), "page") if first else f"{counted(len(touched), 'page')} touched"
        return self._set(
            State(
                report.build,
                f"Built: {pages}",
                busy=False,
                warnings=tuple(map(_entry, report.warnings)),
                touched=touched,
            )
        )

    def failed(self, error: CairnError) -> State:
        """A build has failed; the site that was there still is."""
        problems = error.problems if isinstance(error, CorpusProblems) else ()
        errors = tuple(_entry(one) for one in problems if one.severity == "error")
        errors = errors or (("", error.location, error.message, error.hint),)
        text = "The pages are those of the last build." if self._state.build else ""
        title = f"Not built: {counted(len(errors), 'error')}"
        return self._set(State(self._state.build, title, text, busy=False, errors=errors))

    def close(self) -> None:
        """Let go of everybody who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def states(self, seconds: float) -> Iterator[State | None]:
        """Yield the state, then each new one, and None after so many seconds without; end when closed."""
        seen = -1
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._number != seen, seconds)  # noqa: B023
                if self._closed:
                    return
                fresh, seen = self._number != seen, self._number
                state = self._state
            yield state if fresh else None

    def _set(self, state: State) -> State:
        with self._changed:
            self._state = state
            self._number += 1
            self._changed.notify_all()
        return state


def lines(state: State, seconds: float) -> Iterator[str]:
    """Say which pages a build touched and how long it took, for the terminal."""
    for one in state.touched[:SHOWN]:
        yield one.line()
    if more := _more(state.touched):
        yield f"  {more}"
    yield f"{state.title}, build {state.build}, {seconds:.1f} s"


def event(state: State | None, base: str) -> bytes:
    """Return a state as a server-sent event (HTML Standard, 9.2); None is a comment that keeps the line."""
    if state is None:
        return b": \n\n"
    return f"data: {canonical(state.to_json(base))}\n\n".encode(errors="replace")


def with_script(page: bytes) -> bytes:
    """Return a page with the script of the preview behind its own."""
    return page.replace(b"</head>", _ADDED, 1)


def plain_page(title: str, text: str, build: str) -> bytes:
    """Return a page that stands for one that is not there; like any other it follows the builds."""
    page = _PAGE.format(title=escape(title), text=escape(text), build=escape(build))
    return with_script(page.encode())


def _standing(out: Path) -> str:
    try:
        return read_manifest(out).build
    except CairnError:
        return ""


def _touched(before: Mapping[str, str] | None, after: Mapping[str, str]) -> Iterator[Touched]:
    """Yield the pages that differ, in the order of the site; nothing is known before the first build."""
    if before is None:
        return
    for url, digest in after.items():
        if before.get(url) != digest:
            yield Touched(url, "changed" if url in before else "added")
    yield from (Touched(url, "removed") for url in before if url not in after)


def _more(touched: Sequence[Touched]) -> str:
    rest = len(touched) - SHOWN
    return f"… and {rest:,} more" if rest > 0 else ""


def _entry(problem: Problem) -> tuple[str, str, str, str]:
    place = f"{problem.path}:{problem.line}:{problem.column}"
    return problem.code, place, problem.message, problem.hint
