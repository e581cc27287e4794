"""`python -m bench browser`: what a visitor waits for, cold and warm, beside stock Pyodide and Pagefind.

Every measurement starts a browser with a fresh profile. The question is sent as soon as the page has its
form, and the time is that of the answer's appearance. Rounds are interleaved, so that what else the machine
does falls on all rows alike; the first round fills the machine's caches and is left out.
"""

import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.serving import Folder, served
from bench.timeline import Row, as_json, checked, report, table
from bench.variants import Variant, question_of, variants, watched
from bench.visits import BROWSERS, ROOT, WEBKIT, Counter, Round, VisitError, program, round_of, watch

ROUNDS = 7
WATCH = "watch.js"
"""Script of a page that has to load what takes its times by itself."""


@dataclass(frozen=True, slots=True)
class Place:
    """A page that is measured: where it is opened from, and what counts the bytes."""

    browser: str
    variant: Variant
    origin: str
    url: str
    sent: Counter
    script: Path | None  # of the page, written anew for each question


class _Served(Counter):
    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def take(self) -> int:
        return self._folder.take()


def measured(site: Path, options: Namespace) -> list[Row]:
    """Measure a site in every browser; raises `VisitError`."""
    question = options.question or question_of(site, options.lang)
    _say(f"{site.name}: “{question}”, {options.rounds} rounds")
    with tempfile.TemporaryDirectory() as work, ExitStack() as servers:
        places = list(_places(site, options, Path(work), servers))
        rounds: dict[int, list[Round]] = {number: [] for number in range(len(places))}
        asked = dict.fromkeys(rounds, question)
        for turn in range(options.rounds + 1):
            for number in _rotated(len(places), turn):
                place = places[number]
                if place.script:
                    place.script.write_text(watch(asked[number]), encoding="utf-8")
                found = round_of(place.browser, place.url, asked[number], place.sent)
                asked[number] = found.question
                if turn:
                    rounds[number].append(found)
        return [
            Row(place.browser, place.variant.name, place.origin, tuple(rounds[number]))
            for number, place in enumerate(places)
        ]


def _rotated(count: int, turn: int) -> list[int]:
    order = list(range(count))
    return order[turn % count :] + order[: turn % count] if count else []


def _places(site: Path, options: Namespace, work: Path, servers: ExitStack) -> Iterator[Place]:
    """Yield what is measured; say what is left out and why."""
    made: list[Variant] = []
    for found in variants(site, options.lang, work):
        if isinstance(found, Variant):
            made.append(found)
        else:
            _say(f"{found[0]} is left out: {found[1]}")
    plain = [(one, servers.enter_context(served(one.root))) for one in made]
    for browser in _installed(options):
        shown = _watched(made, work, servers) if browser == WEBKIT else plain
        for one, folder in shown:
            script = (one.root / one.page).with_name(WATCH) if browser == WEBKIT else None
            yield Place(browser, one, "http", folder.url + one.page, _Served(folder), script)
            if one.from_folder:
                url = f"{one.root.resolve().as_uri()}/{one.page}"
                yield Place(browser, one, "file", url, Counter(), script)


def _installed(options: Namespace) -> list[str]:
    return [name for name in options.browser or BROWSERS if program(name)]


def _watched(made: Sequence[Variant], work: Path, servers: ExitStack) -> Iterator[tuple[Variant, Folder]]:
    """Yield copies of the folders for a browser that runs no script before those of a page."""
    for number, one in enumerate(made):
        copy = watched(one, WATCH, work / f"watched-{number}")
        yield copy, servers.enter_context(served(copy.root))


def built(options: Namespace, work: Path) -> Path:
    """Build the corpus with the builder, a process of its own; raises `VisitError` with what it says."""
    corpus: Path = options.corpus
    site = work / corpus.resolve().name
    command = [sys.executable, "-m", "builder", str(corpus), "--out", str(site), "--quiet"]
    command += ["--config", str(options.config)] if options.config else []
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # this project's builder
    if run.returncode:
        raise VisitError(f"the builder failed: {(run.stderr.strip().splitlines() or ['without a word'])[-1]}")
    return site


def parser() -> ArgumentParser:
    """Return the parser of the command."""
    found = ArgumentParser("python -m bench browser", description="Measure the time to the first answer.")
    found.add_argument(
        "corpus", nargs="?", type=Path, default=ROOT / "corpus" / "demo", help="folder to build"
    )
    found.add_argument("--config", type=Path, help="settings of the corpus (default: its cairn.toml)")
    found.add_argument(
        "--site", type=Path, action="append", default=[], help="a built site instead; again for more"
    )
    found.add_argument("--lang", default="en", help="language of the Ask page (default: en)")
    found.add_argument("--question", default="", help="what is asked (default: the page's first example)")
    found.add_argument("--rounds", type=int, default=ROUNDS, help=f"measured rounds (default: {ROUNDS})")
    found.add_argument("--browser", action="append", choices=BROWSERS, help="only this one; again for more")
    found.add_argument("--check", action="store_true", help="exit 1 when a bound is missed")
    found.add_argument("--html", type=Path, help="file for a page with a timeline")
    found.add_argument("--json", type=Path, help="file for every round")
    return found


def main(arguments: Sequence[str]) -> int:
    """Measure sites; exit code 0, 1 for a missed bound with --check, 2 when something cannot be measured."""
    try:
        options = parser().parse_args(arguments)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 2
    if options.rounds < 1:
        sys.stderr.write("--rounds must be at least 1\n")
        return 2
    try:
        with tempfile.TemporaryDirectory() as work:
            sites: list[Path] = options.site or [built(options, Path(work))]
            found = {site.resolve().name: _measured(site, options) for site in sites}
    except VisitError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    missing = [name for name in options.browser or BROWSERS if name not in _installed(options)]
    notes = (
        f"{options.rounds} rounds; stages are those of the middle round.",
        *(f"{name} is not measured: it is not installed." for name in missing),
    )
    for note in notes:
        _say(note)
    if options.html:
        options.html.write_text(report(found, notes), encoding="utf-8", newline="\n")
    if options.json:
        options.json.write_text(as_json(found), encoding="utf-8", newline="\n")
    missed = any(not held for rows in found.values() for _, held in checked(rows))
    return 1 if missed and options.check else 0


def _measured(site: Path, options: Namespace) -> list[Row]:
    rows = measured(site, options)
    for line in (*table(rows), *(sentence for sentence, _ in checked(rows))):
        _say(line)
    return rows


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
