"""The command line: `python -m builder` builds, `init` begins a corpus, `ask` answers from a built site,
`calibrate` shows thresholds and `serve` previews.

The only module of the package that prints and gives exit codes: 0 done (a refusal is an outcome), 1 problems
or damage, 2 wrong usage, 3 another build is running, 4 the output cannot be written.
"""

import json
import os
import shlex
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from tqdm import tqdm

from builder import calibrate, explain, report, scaffold, serve
from builder.payload import MANIFEST_JSON, canonical
from builder.problems import CorpusProblems
from builder.project import load_project
from builder.readsite import read_site
from builder.site import Options, build, default_cache, untracked
from builder.swap import BusyError, TargetError, WriteError
from cairn_core.bridge import Session
from cairn_core.engine import ask
from cairn_core.errors import CairnError

DEFAULT_CORPUS = Path("corpus/demo")
PROGRAM = "python -m builder"
PROGRESS_AFTER = 2.0
"""Seconds a build may take before a progress bar is shown."""

EXIT_CODES: tuple[tuple[type[CairnError], int], ...] = (
    (TargetError, 2),
    (serve.PortError, 2),
    (BusyError, 3),
    (WriteError, 4),
    (CairnError, 1),
)
"""The first class an error belongs to gives the exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; nothing a user can cause ends in a traceback."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # the terminal may know ASCII only
    name, rest = (words[0], words[1:]) if words and words[0] in COMMANDS else ("build", words)
    parser, command = COMMANDS[name]
    options = parser().parse_args(rest)
    try:
        code = command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the flush at exit fails
        return 0
    except CairnError as error:
        return _fail(error, options)
    except KeyboardInterrupt:
        return 130
    return code


def _build(options: Namespace) -> int:
    project = load_project(options.corpus, options.config)
    started = time.monotonic()
    track = (
        partial(_progress, started)
        if sys.stderr.isatty() and not (options.json or options.quiet)
        else untracked
    )
    made = build(project, options.out, Options(default_cache(), options.engine, track))
    seconds = time.monotonic() - started
    if options.json:
        print(canonical(report.build_json(made, seconds)))
    elif not options.quiet:
        _print_errors(report.problem_lines(made.warnings))
        _print(report.build_lines(made, seconds, _serve_command(options)))
    return 0


def _serve_command(options: Namespace) -> str:
    words = ["serve", str(options.corpus), "--out", str(options.out)]
    return f"{PROGRAM} {shlex.join(words + (['--config', str(options.config)] if options.config else []))}"


def _progress[T](started: float, items: Iterable[T], stage: str, total: int, /) -> Iterable[T]:
    delay = max(0.0, PROGRESS_AFTER - (time.monotonic() - started))
    bar: Iterable[T] = tqdm(items, desc=stage, total=total, delay=delay, leave=False, file=sys.stderr)
    return bar


def _ask(options: Namespace) -> int:
    session = read_site(options.site).session()
    if options.json or options.requests:
        return _respond(session, options)
    result = ask(options.question, session.index, session.config, lang=options.lang)
    _print(explain.answer_lines(result))
    if options.explain:
        _print(explain.explain_lines(result, session.config))
    return 0


def _respond(session: Session, options: Namespace) -> int:
    if options.requests:
        _print(session.ask(line) for line in _request_lines(options.requests))
        return 0
    request = {"question": options.question, "lang": options.lang, "interface": None}
    response = session.ask(json.dumps(request))
    _print([response])
    return 1 if "error" in json.loads(response) else 0


def _calibrate(options: Namespace) -> int:
    calibrated = calibrate.of_project(load_project(options.corpus, options.config))
    built = (options.out / MANIFEST_JSON).is_file()
    last = read_site(options.out).session().config.calibration if built else {}
    before = {lang: one.threshold for lang, one in last.items()}
    _print(calibrate.lines(calibrated, before))
    return 1 if calibrated.failures else 0


def _init(options: Namespace) -> int:
    for name in scaffold.init(options.folder):
        _print([str(options.folder / name)])
    _print([f"build   {PROGRAM} {shlex.join([str(options.folder)])}"])
    return 0


def _request_lines(file: str) -> Iterator[str]:
    try:
        lines = sys.stdin if file == "-" else Path(file).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CairnError(f'the requests in "{file}" cannot be read', "name a text file in UTF-8") from error
    return (line for line in lines if line.strip())


def _serve(options: Namespace) -> int:
    watched = [options.corpus, *([options.config] if options.config else [])]
    for path in watched:
        if not path.exists():
            raise CairnError(f'there is no "{path}" to watch', "name the folder of a corpus")
    with serve.server(options.out, options.port, options.mirror) as server, suppress(KeyboardInterrupt):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://{serve.ADDRESS}:{server.server_port}{options.mirror} (stop with Ctrl-C)"
        for _ in serve.changes(watched):
            _try_to_build(options)
            print(address, flush=True)
    return 0


def _try_to_build(options: Namespace) -> None:
    try:
        _build(options)
    except CairnError as error:
        _fail(error, options)


def _fail(error: CairnError, options: Namespace) -> int:
    problems = error.problems if isinstance(error, CorpusProblems) else ()
    if options.json:
        print(canonical(report.failure_json(str(error), problems)))
    elif problems:
        _print_errors(report.problem_lines(problems))
    else:
        _print_errors(report.error_lines(error))
    return next(code for kind, code in EXIT_CODES if isinstance(error, kind))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(report.printable(line))


def _print_errors(lines: Iterable[str]) -> None:
    for line in lines:
        print(report.printable(line), file=sys.stderr)


def _build_parser() -> ArgumentParser:
    more = f"{PROGRAM} ask answers from a built site, {PROGRAM} serve previews it; both know --help."
    parser = ArgumentParser(PROGRAM, description="Build a site from a corpus.", epilog=more)
    _add_build_arguments(parser)
    parser.add_argument("--json", action="store_true", help="report in JSON on standard output")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    return parser


def _add_corpus_arguments(parser: ArgumentParser) -> None:
    demo = DEFAULT_CORPUS.is_dir()
    parser.add_argument(
        "corpus",
        nargs="?" if demo else None,
        type=Path,
        default=DEFAULT_CORPUS if demo else None,
        help="folder of the corpus" + (f" (default: {DEFAULT_CORPUS})" if demo else ""),
    )
    parser.add_argument("--config", type=Path, help="settings file (default: cairn.toml in the corpus)")


def _add_build_arguments(parser: ArgumentParser) -> None:
    _add_corpus_arguments(parser)
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("site"),
        help="folder of the site, replaced as a whole (default: site)",
    )
    parser.add_argument(
        "--engine",
        action=BooleanOptionalAction,
        default=True,
        help="ship the answerer; pages without it cannot answer",
    )


def _ask_parser() -> ArgumentParser:
    parser = ArgumentParser(
        f"{PROGRAM} ask", description="Answer from a built site; every file of it is checked first."
    )
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("question", nargs="?", help="the question")
    asked.add_argument(
        "--requests",
        metavar="FILE",
        help="requests in JSON, one a line, - for standard input; a response a line",
    )
    parser.add_argument("--site", type=Path, default=Path("site"), help="folder of the site (default: site)")
    parser.add_argument("--lang", help="language of the question (default: detected)")
    parser.add_argument("--explain", action="store_true", help="say why the answer came out so")
    parser.add_argument("--json", action="store_true", help="print the response a page gets, in JSON")
    return parser


def _init_parser() -> ArgumentParser:
    parser = ArgumentParser(
        f"{PROGRAM} init", description="Write a small invented corpus to begin with; it builds at once."
    )
    parser.add_argument("folder", type=Path, help="folder of the new corpus; it must be empty or not exist")
    parser.set_defaults(json=False)
    return parser


def _calibrate_parser() -> ArgumentParser:
    parser = ArgumentParser(
        f"{PROGRAM} calibrate", description="Show the thresholds of a corpus and the questions behind them."
    )
    _add_corpus_arguments(parser)
    parser.add_argument(
        "--out", type=Path, default=Path("site"), help="site built before, to compare with (default: site)"
    )
    parser.set_defaults(json=False)
    return parser


def _serve_parser() -> ArgumentParser:
    parser = ArgumentParser(
        f"{PROGRAM} serve", description="Build, preview on this machine only, build again on every change."
    )
    _add_build_arguments(parser)
    parser.add_argument("--port", type=_port, default=8765, help="port (default: 8765, 0 for a free one)")
    parser.add_argument(
        "--mirror",
        type=_prefix,
        default="/",
        metavar="/a/b/",
        help="serve under this path, as a mirror would",
    )
    parser.set_defaults(json=False, quiet=False)
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f'"{text}" is not a port')
    return int(text)


def _prefix(text: str) -> str:
    if not serve.PREFIX.fullmatch(text):
        raise ArgumentTypeError(f'"{text}" does not start and end with "/"')
    return text


COMMANDS: Mapping[str, tuple[Callable[[], ArgumentParser], Callable[[Namespace], int]]] = {
    "build": (_build_parser, _build),
    "init": (_init_parser, _init),
    "ask": (_ask_parser, _ask),
    "calibrate": (_calibrate_parser, _calibrate),
    "serve": (_serve_parser, _serve),
}
"""Command -> its parser and what runs it; words that name no command are those of `build`."""
