"""The command line: `python -m builder` builds, `check` says what is wrong with a corpus, `init` begins one,
`ask` answers from a built site, `calibrate` shows thresholds, `serve` previews, `verify` and `publish` check
and copy a site.

The only module of the package that prints and gives exit codes: 0 done (a refusal is an outcome), 1 problems
or damage, 2 wrong usage, 3 another build is running, 4 the output cannot be written.
"""

import json
import os
import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from builder import calibrate, explain, report, scaffold, signing, thresholds
from builder import options as parsers
from builder.kept import tool
from builder.options import PROGRAM
from builder.payload import MANIFEST_JSON, canonical
from builder.problems import CorpusProblems, UsageError
from builder.project import load_project
from builder.publish import publish
from builder.readsite import read_site
from builder.site import BuildReport, Options, Track, build, default_cache, untracked
from builder.swap import BusyError, WriteError
from builder.verify import verify
from cairn_core.bridge import Session
from cairn_core.engine import ask
from cairn_core.errors import CairnError

PROGRESS_AFTER = 2.0
"""Seconds a build may take before a progress bar is shown."""

EXIT_CODES: tuple[tuple[type[CairnError], int], ...] = (
    (UsageError, 2),
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
    made, seconds = _made(options)
    if options.json:
        print(canonical(report.build_json(made, seconds)))
    elif not options.quiet:
        _print_errors(report.problem_lines(made.warnings))
        _print(report.build_lines(made, seconds, _serve_command(options)))
    return 0


def _made(options: Namespace) -> tuple[BuildReport, float]:
    """Build, and return the report with the seconds it took."""
    project = load_project(options.corpus, options.config)
    started = time.monotonic()
    track = (
        partial(_progress, started)
        if sys.stderr.isatty() and not (options.json or options.quiet)
        else untracked
    )
    made = build(project, options.out, _options(options, track))
    return made, time.monotonic() - started


def _options(options: Namespace, track: Track) -> Options:
    return Options(
        default_cache(),
        options.engine,
        track,
        options.precompress,
        options.sign,
        options.fresh,
        options.jobs,
        options.executor or "",
    )


def _serve_command(options: Namespace) -> str:
    words = ["serve", str(options.corpus), "--out", str(options.out)]
    return f"{PROGRAM} {shlex.join(words + (['--config', str(options.config)] if options.config else []))}"


def _progress[T](started: float, items: Iterable[T], stage: str, total: int, /) -> Iterable[T]:
    from tqdm import tqdm  # no other command shows one, nor a build whose output nobody sees

    delay = max(0.0, PROGRESS_AFTER - (time.monotonic() - started))
    bar: Iterable[T] = tqdm(items, desc=stage, total=total, delay=delay, leave=False, file=sys.stderr)
    return bar


def _ask(options: Namespace) -> int:
    session = read_site(options.site).session()
    if options.json or options.requests:
        return _respond(session, options)
    result = ask(options.question, session.index, session.config, lang=options.lang, literal=options.literal)
    _print(explain.answer_lines(result))
    if options.save:
        from builder import maintain

        _print([maintain.save_question(options, result)])
    if options.explain:
        _print(explain.explain_lines(result, session.index, session.config))
    return 0


def _respond(session: Session, options: Namespace) -> int:
    if options.requests:
        _print(session.ask(line) for line in _request_lines(options.requests))
        return 0
    request = {
        "question": options.question,
        "lang": options.lang,
        "interface": None,
        "literal": options.literal,
    }
    response = session.ask(json.dumps(request))
    _print([response])
    return 1 if "error" in json.loads(response) else 0


def _calibrate(options: Namespace) -> int:
    calibrated = calibrate.of_project(load_project(options.corpus, options.config))
    built = (options.out / MANIFEST_JSON).is_file()
    last = read_site(options.out).session().config.calibration if built else {}
    before = {lang: one.threshold for lang, one in last.items()}
    _print(thresholds.lines(calibrated, before))
    return 1 if calibrated.failures else 0


# What follows is imported by the commands that use it: a build after an edit takes less time than all of it.
def _check(options: Namespace) -> int:
    from builder import maintain

    return _done(maintain.check(options, datetime.now().astimezone().date()), raw=options.json)


def _translated(options: Namespace) -> int:
    from builder import maintain

    return _done(maintain.record_translation(options))


def _questions(options: Namespace) -> int:
    from builder import maintain

    return _done(maintain.read_candidates(options))


def _diff(options: Namespace) -> int:
    from builder import maintain

    return _done(maintain.diff(options), raw=options.json)


def _done(done: tuple[Iterable[str], int], *, raw: bool = False) -> int:
    lines, code = done
    for line in lines:
        print(line if raw else report.printable(line))
    return code


def _init(options: Namespace) -> int:
    for name in scaffold.init(options.folder):
        _print([str(options.folder / name)])
    _print([f"build   {PROGRAM} {shlex.join([str(options.folder)])}"])
    return 0


def _import(options: Namespace) -> int:
    try:
        from builder.intake import files
    except ModuleNotFoundError as error:
        hint = 'install them: python -m pip install "cairn[import]"'
        raise CairnError(f'the library "{error.name}" that reads such files is missing', hint) from error
    wanted = files.Wanted(options.into, options.lang, options.address)
    code = 0
    for file in options.files:
        try:
            made = files.bring_in(file, wanted)
        except CairnError as error:
            code = _fail(error, options)
        else:
            _print(report.import_lines(made.path, made.title, made.notes))
    _print([f"check   {PROGRAM} {shlex.join(['check', str(options.into)])}"])
    return code


def _request_lines(file: str) -> Iterator[str]:
    try:
        lines = sys.stdin if file == "-" else Path(file).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CairnError(f'the requests in "{file}" cannot be read', "name a text file in UTF-8") from error
    return (line for line in lines if line.strip())


def _serve(options: Namespace) -> int:
    from builder import preview, serve, watch

    news = preview.Preview(options.out)
    find = partial(watch.watched, options.corpus, options.config)
    find()  # a path that is not there is told before anything begins
    on_stick = (options.out.resolve() / "index.html").as_uri()
    place = serve.served(options.out, options.port, options.mirror, news)
    with suppress(KeyboardInterrupt), nullcontext(on_stick) if options.stick else place as address:
        print(f"{address} (stop with Ctrl-C)", flush=True)
        for _ in watch.changes(find):
            tool.cache_clear()  # the templates may be what has changed
            news.begin()
            try:
                made, seconds = _made(options)
            except CairnError as error:
                news.failed(error)
                _fail(error, options)
            else:
                _print_errors(report.problem_lines(made.warnings))
                _print(preview.lines(news.built(made), seconds))
            print(f"{address} (stop with Ctrl-C)", flush=True)
    return 0


def _verify(options: Namespace) -> int:
    found = verify(options.site, options.key)
    if options.json:
        print(canonical(report.verification_json(found)))
    elif found.faults or not options.quiet:
        _print(report.verification_lines(found))
    return 1 if found.faults else 0


def _key(options: Namespace) -> int:
    public = signing.make_key(options.file)
    _print([f"{options.file}  signs; keep it to yourself", f"{public}  checks; give it to anybody"])
    return 0


def _publish(options: Namespace) -> int:
    done = publish(options.site, options.target)
    if options.json:
        print(canonical(report.publication_json(done)))
    elif not options.quiet:
        _print(report.publication_lines(done))
    return 0


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


COMMANDS: Mapping[str, tuple[Callable[[], ArgumentParser], Callable[[Namespace], int]]] = {
    "build": (parsers.build_parser, _build),
    "import": (parsers.import_parser, _import),
    "key": (parsers.key_parser, _key),
    "init": (parsers.init_parser, _init),
    "ask": (parsers.ask_parser, _ask),
    "check": (parsers.check_parser, _check),
    "translated": (parsers.translated_parser, _translated),
    "questions": (parsers.questions_parser, _questions),
    "diff": (parsers.diff_parser, _diff),
    "calibrate": (parsers.calibrate_parser, _calibrate),
    "serve": (parsers.serve_parser, _serve),
    "verify": (parsers.verify_parser, _verify),
    "publish": (parsers.publish_parser, _publish),
}
"""Command -> its parser and what runs it; words that name no command are those of `build`."""
