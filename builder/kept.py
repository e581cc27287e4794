"""What a build keeps for the next one: entries in files of one folder, each under a key and with a hash.

A key is made of everything the entry depends on, the builder's own sources and libraries included, so that an
entry found is an entry that holds. Files are hostile: a line that is not what its hash says is made anew.
"""

import hashlib
import importlib.metadata
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

import cairn_core

HEAD = b"cairn kept 1\n"
DIGITS = 64
MOST = 16
"""Sites whose entries are kept; those used longest ago go first."""

FOLDER_VARIABLE = "CAIRN_KEPT"

_LIBRARIES = ("jinja2", "markdown-it-py", "markupsafe", "mdit-py-plugins", "segno")


def folder_of(cache_folder: Path, out: Path) -> Path:
    """Return where the entries of the site in `out` are kept; FOLDER_VARIABLE may name another place."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    return (Path(named) if named else cache_folder / "sites") / hashlib.sha256(
        os.fsencode(out.resolve())
    ).hexdigest()[:16]


def key(*parts: object) -> str:
    """Return the key of an entry that depends on `parts`, whose repr must say all of them."""
    return hashlib.sha256("\0".join(map(repr, parts)).encode("utf-8", "backslashreplace")).hexdigest()


@cache
def tool(web: Path) -> str:
    """Return a hash of the sources, the templates in `web`, the libraries and the Python that build."""
    found = hashlib.sha256(sys.version.encode())
    for name in _LIBRARIES:
        found.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    for root in (Path(__file__).parent, Path(cairn_core.__file__).parent, web):
        for path in sorted(root.rglob("*")):
            if path.suffix != ".pyc" and path.is_file():
                data = path.read_bytes()
                found.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode() + data)
    return found.hexdigest()


class Kept:
    """One file of entries: the last build's are read, those of this build are written aside until `save`.

    A line is the SHA-256 of the rest, the key and canonical JSON; the last says how many there are. Without a
    folder nothing is kept. Nothing that happens to these files stops a build.
    """

    def __init__(self, folder: Path | None, name: str, *, fresh: bool = False) -> None:
        """Read the places of all entries that are whole; `fresh` uses none of them."""
        self.damaged = 0
        self.reused = 0
        self._path = folder / f"{name}.jsonl" if folder else None
        self._places: dict[str, tuple[int, int]] = {}
        self._old: IO[bytes] | None = None
        self._new: IO[bytes] | None = None
        self._written = 0
        with suppress(OSError):
            self._begin(fresh)

    def _begin(self, fresh: bool) -> None:
        if self._path is None:
            return
        if not fresh and self._path.is_file():
            self._old = self._path.open("rb")
            self._read(self._old)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._new = self._path.with_suffix(".new").open("wb")
        self._new.write(HEAD)

    def _read(self, stream: IO[bytes]) -> None:
        at, whole = len(HEAD), 0
        if stream.readline(len(HEAD)) != HEAD:
            self.damaged += 1
            return
        ended = False
        for line in stream:
            digest, rest = line[:DIGITS], line[DIGITS + 1 :]
            if hashlib.sha256(rest).hexdigest().encode() != digest:
                self.damaged += 1
            elif rest.startswith(b"end "):
                ended = rest == b"end %d\n" % (whole + self.damaged)
            else:
                whole += 1
                self._places[rest[:DIGITS].decode("ascii", "replace")] = at, len(line)
            at += len(line)
        self.damaged += not ended and not self.damaged

    def get(self, entry: str) -> dict[str, object] | None:
        """Return what is kept under a key, and keep it on; None when there is nothing."""
        place = self._places.get(entry)
        if place is None or self._old is None:
            return None
        try:
            self._old.seek(place[0])
            line = self._old.read(place[1])
        except OSError:
            return None
        rest = line[DIGITS + 1 :]
        if hashlib.sha256(rest).hexdigest().encode() != line[:DIGITS]:
            self.damaged += 1
            return None
        self._write(line)
        self.reused += 1
        value: dict[str, object] = json.loads(rest[DIGITS + 1 :])
        return value

    def put(self, entry: str, value: Mapping[str, object]) -> None:
        """Keep a value for the next build."""
        text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
        self._write(_line(f"{entry} {text}\n".encode("ascii")))

    def _write(self, line: bytes) -> None:
        if self._new is not None:
            try:
                self._new.write(line)
                self._written += 1
            except OSError:
                self._drop()

    def _drop(self) -> None:
        new, self._new = self._new, None
        if new is not None:
            with suppress(OSError):
                new.close()

    def save(self) -> None:
        """Put the entries of this build in the place of the last one's."""
        if self._path is None or self._new is None:
            return
        with suppress(OSError):
            self._new.write(_line(b"end %d\n" % self._written))
            self._new.close()
            self._new = None
            if self._old is not None:
                self._old.close()
            self._path.with_suffix(".new").replace(self._path)
            _forget(self._path.parent)

    def close(self) -> None:
        """Let go of the files; what was not saved is dropped."""
        self._drop()
        if self._old is not None:
            self._old.close()


def _line(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest().encode() + b" " + rest


def _forget(latest: Path) -> None:
    """Remove the entries of sites that were not built for longest."""
    latest.touch()
    others = sorted(_by_use(latest.parent), reverse=True)
    for _, folder in others[MOST:]:
        if folder != latest:
            shutil.rmtree(folder, ignore_errors=True)


def _by_use(folder: Path) -> Iterator[tuple[float, Path]]:
    for path in folder.iterdir():
        with suppress(OSError):
            yield path.stat().st_mtime, path
