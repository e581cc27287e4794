"""The words each command takes, for `cli` to parse and for --help."""

import re
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction
from datetime import date
from pathlib import Path

DEFAULT_CORPUS = Path("corpus/demo")
PROGRAM = "python -m builder"
MOST_JOBS = 256
EXECUTOR = re.compile(r"dask://[A-Za-z0-9._\-\[\]:]+:[0-9]{1,5}")


def build_parser() -> ArgumentParser:
    """`python -m builder`, with or without the word build."""
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
    parser.add_argument(
        "--fresh", action="store_true", help="make everything anew, nothing from the last build"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=_jobs,
        default=0,
        metavar="N",
        help="processes that make documents where there are many (default: one for each core)",
    )
    where.add_argument(
        "--executor",
        type=_executor,
        metavar="dask://HOST:PORT",
        help="scheduler of a Dask cluster that makes documents instead; needs the extra dask",
    )
    parser.add_argument(
        "--precompress", action="store_true", help="write .br and .gz files for hosts that send them"
    )
    parser.add_argument(
        "--sign", type=Path, metavar="KEY", help="file of the private key to sign the site with"
    )


def key_parser() -> ArgumentParser:
    """`python -m builder key`."""
    parser = ArgumentParser(f"{PROGRAM} key", description="Make a key to sign sites with.")
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="file of the private key; the public one gets .pub behind its name",
    )
    parser.set_defaults(json=False)
    return parser


def ask_parser() -> ArgumentParser:
    """`python -m builder ask`."""
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
    parser.add_argument(
        "--save",
        type=Path,
        metavar="CORPUS",
        help="append the question with what came back to questions.toml of this corpus",
    )
    parser.add_argument("--lang", help="language of the question (default: detected)")
    parser.add_argument(
        "--literal", action="store_true", help="search the words as typed, without glossary and corrections"
    )
    parser.add_argument("--explain", action="store_true", help="say why the answer came out so")
    parser.add_argument("--json", action="store_true", help="print the response a page gets, in JSON")
    return parser


def init_parser() -> ArgumentParser:
    """`python -m builder init`."""
    parser = ArgumentParser(
        f"{PROGRAM} init", description="Write a small invented corpus to begin with; it builds at once."
    )
    parser.add_argument("folder", type=Path, help="folder of the new corpus; it must be empty or not exist")
    parser.set_defaults(json=False)
    return parser


def import_parser() -> ArgumentParser:
    """`python -m builder import`."""
    parser = ArgumentParser(
        f"{PROGRAM} import", description="Make documents of HTML, DOCX, PDF and text files, to be reviewed."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="file to bring in")
    parser.add_argument(
        "--into", type=Path, required=True, metavar="DIR", help="folder of the corpus the documents go to"
    )
    parser.add_argument("--lang", default="", help="language of the files (default: what each says itself)")
    parser.add_argument(
        "--address",
        default="",
        metavar="URL",
        help="where a web page came from (default: what it says itself)",
    )
    parser.set_defaults(json=False)
    return parser


def calibrate_parser() -> ArgumentParser:
    """`python -m builder calibrate`."""
    parser = ArgumentParser(
        f"{PROGRAM} calibrate", description="Show the thresholds of a corpus and the questions behind them."
    )
    _add_corpus_arguments(parser)
    parser.add_argument(
        "--out", type=Path, default=Path("site"), help="site built before, to compare with (default: site)"
    )
    parser.set_defaults(json=False)
    return parser


def check_parser() -> ArgumentParser:
    """`python -m builder check`."""
    parser = ArgumentParser(
        f"{PROGRAM} check", description="Say everything that is wrong with a corpus, and write nothing."
    )
    _add_corpus_arguments(parser)
    from builder.lint.formats import FORMATS

    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the report in JSON")
    form.add_argument(
        "--format",
        choices=[*FORMATS],
        default="text",
        help="text, json, or github: annotations of a pull request (default: text)",
    )
    parser.add_argument("--strict", action="store_true", help="warnings give exit code 1 too")
    parser.add_argument(
        "--today",
        type=_day,
        metavar="YYYY-MM-DD",
        help="day that review dates are compared with (default: today)",
    )
    return parser


def diff_parser() -> ArgumentParser:
    """`python -m builder diff`."""
    parser = ArgumentParser(
        f"{PROGRAM} diff",
        description="Say what differs between two built sites, or between a site and a corpus.",
    )
    parser.add_argument("old", type=Path, metavar="OLD", help="folder of a site or of a corpus")
    parser.add_argument("new", type=Path, metavar="NEW", help="folder of a site or of a corpus")
    parser.add_argument(
        "--questions",
        type=Path,
        metavar="CORPUS",
        help="also ask the questions of this corpus; those of OLD and NEW are asked anyway",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one page that needs nothing else")
    parser.add_argument("--json", action="store_true", help="print the differences in JSON")
    return parser


def translated_parser() -> ArgumentParser:
    """`python -m builder translated`."""
    parser = ArgumentParser(
        f"{PROGRAM} translated",
        description="Record that a translation says what its source says now; later changes are noticed.",
    )
    parser.add_argument("document", metavar="DOC", help="document, its id or one of its files")
    parser.add_argument("lang", metavar="LANG", help="language it was translated into")
    _add_corpus_arguments(parser)
    parser.add_argument(
        "--from",
        dest="source",
        default="",
        metavar="LANG",
        help="language it was translated from (default: the language of the site)",
    )
    parser.set_defaults(json=False)
    return parser


def questions_parser() -> ArgumentParser:
    """`python -m builder questions`."""
    parser = ArgumentParser(
        f"{PROGRAM} questions",
        description="Read questions that a kiosk refused into questions.toml, as candidates in comments.",
    )
    parser.add_argument("action", choices=["import"], help="import: read an export in")
    parser.add_argument("file", type=Path, metavar="FILE", help="file exported at a kiosk")
    _add_corpus_arguments(parser)
    parser.set_defaults(json=False)
    return parser


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f'"{text}" is not a day such as 2026-12-31') from None


def serve_parser() -> ArgumentParser:
    """`python -m builder serve`."""
    parser = ArgumentParser(
        f"{PROGRAM} serve", description="Build, preview on this machine only, build again on every change."
    )
    _add_build_arguments(parser)
    parser.add_argument("--port", type=_port, default=8765, help="port (default: 8765, 0 for a free one)")
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--mirror",
        type=_prefix,
        default="/",
        metavar="/a/b/",
        help="serve under this path, as a mirror would",
    )
    place.add_argument(
        "--stick", action="store_true", help="serve nothing; tell the address in the folder, as on a stick"
    )
    parser.set_defaults(json=False, quiet=False)
    return parser


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_JOBS:
        raise ArgumentTypeError(f'"{text}" is not a number of processes from 1 to {MOST_JOBS}')
    return int(text)


def _executor(text: str) -> str:
    if not EXECUTOR.fullmatch(text):
        raise ArgumentTypeError(f'"{text}" is not an address such as dask://127.0.0.1:8786')
    return text


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f'"{text}" is not a port')
    return int(text)


def _prefix(text: str) -> str:
    from builder import serve

    if not serve.PREFIX.fullmatch(text):
        raise ArgumentTypeError(f'"{text}" does not start and end with "/"')
    return text


def verify_parser() -> ArgumentParser:
    """`python -m builder verify`."""
    parser = ArgumentParser(f"{PROGRAM} verify", description="Check that a site is exactly what was built.")
    parser.add_argument(
        "site", nargs="?", type=Path, default=Path("site"), metavar="DIR", help="folder (default: site)"
    )
    parser.add_argument("--key", type=Path, metavar="PUB", help="public key that must have signed the site")
    _add_output_arguments(parser)
    return parser


def publish_parser() -> ArgumentParser:
    """`python -m builder publish`."""
    parser = ArgumentParser(
        f"{PROGRAM} publish", description="Copy a site to a stick or a mirror, whole or not at all."
    )
    parser.add_argument("site", type=Path, metavar="SITE", help="folder of the site")
    parser.add_argument("target", type=Path, metavar="TARGET", help="folder to put it, on the stick")
    _add_output_arguments(parser)
    return parser


def _add_output_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the report in JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
