"""What a first answer takes beyond the engine: bytes of each kind and files, on a built site.

Every question is asked of a site that is opened anew; milliseconds are those of one that stays open.
"""

import gzip
import json
import statistics
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import speed, squad
from cairn_core.bridge import Session, open_session

KINDS = ("start", "postings", "passages", "listings")
"""What bytes are of: manifest, settings and whole files of languages; what is brought of cut ones."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Bytes by KINDS, how many files were brought, and how many times the question had to wait for some."""

    size: tuple[int, ...]
    files: int
    waits: int

    @property
    def total(self) -> int:
        return sum(self.size)


def main(arguments: list[str]) -> int:
    """Measure and print; 1 when the site or the set cannot be read."""
    parser = ArgumentParser("python -m bench wire", description="Bytes of a first answer on a built site.")
    parser.add_argument("site", type=Path, help="folder of a built site")
    parser.add_argument("--squad", type=Path, required=True, help="questions: a file in SQuAD format")
    parser.add_argument("--lang", default="en", help="their language (default: en)")
    options = parser.parse_args(arguments)
    try:
        asked = speed.questions(squad.read(options.squad, options.lang))
        for line in lines(options.site, asked, options.lang):
            sys.stdout.write(f"{line}\n")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def lines(site: Path, asked: Sequence[str], lang: str) -> Iterator[str]:
    """The median, the 95th percentile and the most of every figure."""
    found = [cost(site, question, lang) for question in asked]
    figures = {
        "bytes": [one.total for one in found],
        **{kind: [one.size[at] for one in found] for at, kind in enumerate(KINDS)},
        "files": [one.files for one in found],
        "waits": [one.waits for one in found],
    }
    for name, numbers in figures.items():
        ordered = sorted(numbers)
        middle, high = (ordered[int(share * len(ordered))] for share in (0.5, 0.95))
        yield f"{name:<10} median {middle:>9,}   95 % {high:>9,}   most {ordered[-1]:>9,}"
    warm = milliseconds(site, asked, lang)
    yield f"warm, CPython: median {statistics.median(warm):.0f} ms, most {max(warm):.0f} ms"


def cost(site: Path, question: str, lang: str) -> Cost:
    """What one question takes on a site opened anew."""
    parts = site / "assets" / "parts"
    brought, waits = _asked(_opened(parts, lang), parts, question, lang)
    cut = [name for name in brought if "/" in name]
    listings = {above for name in cut for above in _above(name)}
    start = [path.stat().st_size for path in (site / "assets" / "manifest.js", *_heads(parts, lang))]
    others = sum(_size(parts, name) for name in brought if name not in cut)
    sizes = {kind: sum(_size(parts, name) for name in cut if name.split("/")[2][0] == kind) for kind in "pt"}
    listed = sum(_size(parts, name) for name in listings)
    return Cost((sum(start) + others, sizes["p"], sizes["t"], listed), len(brought), waits)


def milliseconds(site: Path, asked: Sequence[str], lang: str) -> list[float]:
    """Processor time of each question but the first, reading what it needs included."""
    parts = site / "assets" / "parts"
    session = _opened(parts, lang)
    spent: list[float] = []
    for question in asked:
        start = time.process_time()
        _asked(session, parts, question, lang)
        spent.append(1000 * (time.process_time() - start))
    return spent[1:]


def _asked(session: Session, parts: Path, question: str, lang: str) -> tuple[list[str], int]:
    """The names of the files a question needed, and how many times it waited for some."""
    request = json.dumps({"question": question, "lang": lang, "interface": None})
    brought: list[str] = []
    waits = 0
    while needed := json.loads(session.ask(request)).get("need"):
        waits += 1
        brought += needed
        for name in needed:
            if fault := session.give(name, _read(parts / f"{name}.gz")):
                raise ValueError(fault)
    return brought, waits


def _opened(parts: Path, lang: str) -> Session:
    site, *shards = map(_read, _heads(parts, lang))
    return open_session(site, shards)


def _heads(parts: Path, lang: str) -> list[Path]:
    """What a page in a language loads before it is asked."""
    return [parts / "site.json.gz", parts / f"index.{lang}.json.gz"]


def _above(name: str) -> list[str]:
    listing = name.rpartition("/")[0]
    return [listing, listing.rpartition("/")[0]]


def _size(parts: Path, name: str) -> int:
    return (parts / f"{name}.gz").stat().st_size


def _read(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())
