"""What a build keeps for the next one, and what it puts aside while it runs: entries under keys, in one file;
and single files with their hash.

A key is made of everything the entry depends on, the builder's own sources and libraries included, so that an
entry found is an entry that holds. Files are hostile: an entry that is not what its hash says is made anew.
"""

import hashlib
import importlib.metadata
import json
import os
import shutil
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import cairn_core

HEAD = b"cairn kept 2\n"
INDEX = "index.bin"
MOST = 16
"""Sites whose entries are kept; those used longest ago go first."""

FOLDER_VARIABLE = "CAIRN_KEPT"

SLACK = 1 << 20
"""Bytes of entries no longer used, above which, and above as much as is used, the file is written anew."""

_LIBRARIES = ("jinja2", "markdown-it-py", "markupsafe", "mdit-py-plugins", "segno")
_PLACE = struct.Struct("<QQ32s")
"""Where an entry begins, its length, its SHA-256; in the index behind the entry's key."""
_KEY = 16
_START = struct.Struct("<QQ")
"""Of the index, behind HEAD: the number of the file of entries, where its last entry ends."""


def folder_of(cache_folder: Path, out: Path) -> Path:
    """Return where the entries of the site in `out` are kept; FOLDER_VARIABLE may name another place."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    folder = Path(named) if named else cache_folder / "sites"
    return folder / hashlib.sha256(os.fsencode(out.resolve())).hexdigest()[:16]


def key(*parts: object) -> bytes:
    """Return the key of an entry that depends on `parts`, whose repr must say all of them."""
    said = "\0".join(map(repr, parts)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=16).digest()


@cache
def tool(web: Path) -> str:
    """Return a hash of the sources, the templates in `web`, the libraries and the Python that build."""
    found = hashlib.sha256(sys.version.encode())
    for name in _LIBRARIES:
        found.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    for root in map(str, (Path(__file__).parent, Path(cairn_core.__file__).parent, web)):
        for path in sorted(_files(root)):
            with open(path, "rb", buffering=0) as stream:  # noqa: PTH123 - many, on every build
                data = stream.read()
            found.update(f"{path.removeprefix(root)} {len(data)}\n".encode() + data)
    return found.hexdigest()


def _files(root: str) -> Iterator[str]:
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(".pyc"):
                yield os.path.join(folder, name)  # noqa: PTH118 - many, on every build


def kept_file(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return a file of the cache, made and kept if it can be where it is missing or not what was written."""
    digest = path.with_suffix(".sha256")
    with suppress(OSError):
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest().encode() == digest.read_bytes().strip():
            return data
    data = make()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
        _replace(digest, hashlib.sha256(data).hexdigest().encode() + b"\n")
    return data


def _replace(path: Path, data: bytes) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_bytes(data)
    partial.replace(path)


class Kept:
    """The entries of the last build, which can be read, and those of this build, which can be added and read.

    Entries are appended to one file; an index beside it, replaced as a whole by `save`, says which hold, so
    that a build that ends anywhere takes nothing from the next. Where nothing can be written, the entries of
    this build are held in memory. `damaged` counts what could not be used; none of it stops a build.
    """

    def __init__(self, folder: Path | None, *, fresh: bool = False) -> None:
        """Read the index of what was kept; `fresh` uses none of it, without a folder nothing is kept."""
        self.damaged = 0
        self._folder = folder
        self._number = self._end = 0
        self._stream: BinaryIO | None = None
        self._before: dict[bytes, bytes] = {}
        self._after: dict[bytes, bytes] = {}
        self._held: dict[bytes, bytes] = {}
        with suppress(OSError):
            self._begin(fresh)

    def _begin(self, fresh: bool) -> None:
        if self._folder is None:
            return
        with suppress(FileNotFoundError):
            self._read_index(_read(self._folder / INDEX), self._folder)
        if fresh or not self._stream:
            self.close()
            self._before, self._end = {}, 0
            self._number += 1
            self._folder.mkdir(parents=True, exist_ok=True)
            self._stream = self._entries().open("w+b", buffering=0)

    def _entries(self) -> Path:
        return (self._folder or Path()) / f"entries-{self._number}.bin"

    def _read_index(self, index: bytes, folder: Path) -> None:
        start, end = len(HEAD) + _START.size, len(index) - 32
        if end < start or not index.startswith(HEAD) or hashlib.sha256(index[:end]).digest() != index[end:]:
            self.damaged += 1
            return
        self._number, self._end = _START.unpack_from(index, len(HEAD))
        try:
            self._stream = self._entries().open("r+b", buffering=0)
        except OSError:
            self.damaged += 1
            return
        step = _KEY + _PLACE.size
        self._before = {index[at : at + _KEY]: index[at + _KEY : at + step] for at in range(start, end, step)}

    def get(self, entry: bytes) -> bytes | None:
        """Return what is under a key, and keep it on; None when there is nothing or it is damaged."""
        if entry in self._held:
            return self._held[entry]
        place = self._after.get(entry) or self._before.get(entry)
        if place is None or self._stream is None:
            return None
        at, length, digest = _PLACE.unpack(place)
        data = b""
        with suppress(OSError):
            self._stream.seek(at)
            data = self._stream.read(length)
        if hashlib.sha256(data).digest() == digest:
            self._after[entry] = place
            return data
        self.damaged += 1
        self._before.pop(entry, None)
        self._after.pop(entry, None)
        return None

    def keep(self, entry: bytes) -> bool:
        """Keep what is under a key on; tell whether there is anything, and whole."""
        return self.get(entry) is not None

    def holds(self, entry: bytes) -> bool:
        """Tell whether there is anything under a key, which is to be read later in this build."""
        return entry in self._held or entry in self._after or entry in self._before

    def put(self, entry: bytes, data: bytes) -> None:
        """Keep an entry for the next build; until then it can be read."""
        if self._stream is not None:
            with suppress(OSError):
                self._stream.seek(self._end)
                if self._stream.write(data) == len(data):
                    self._after[entry] = _PLACE.pack(self._end, len(data), hashlib.sha256(data).digest())
                    self._end += len(data)
                    return
        self._held[entry] = data

    def told(self, entry: bytes, make: Callable[[], object]) -> Any:  # JSON of whoever asks
        """Return the JSON that is kept under a key, else what `make` gives, and keep that."""
        known = self.get(entry)
        if known is None:
            known = json.dumps(make(), ensure_ascii=False).encode("utf-8", "surrogatepass")
            self.put(entry, known)
        return json.loads(known)

    def save(self) -> None:
        """Have the entries that were read, kept on or added in this build be those of the next."""
        if self._stream is None or self._folder is None:
            return
        with suppress(OSError):
            if self._end > SLACK + 2 * sum(_PLACE.unpack(place)[1] for place in self._after.values()):
                self._compact()
            body = b"".join(entry + place for entry, place in self._after.items())
            index = HEAD + _START.pack(self._number, self._end) + body
            aside = self._folder / f"{INDEX}.new"
            aside.write_bytes(index + hashlib.sha256(index).digest())
            aside.replace(self._folder / INDEX)
            for path in self._folder.iterdir():
                if path not in (self._folder / INDEX, self._entries()):
                    path.unlink()
            _forget(self._folder)

    def _compact(self) -> None:
        """Write the entries in use into a new file."""
        before, used = self._stream, self._after
        data = ((entry, self.get(entry)) for entry in [*used])
        fresh = Kept(None)
        fresh._number = self._number + 1
        fresh._folder = self._folder
        fresh._stream = fresh._entries().open("w+b", buffering=0)
        for entry, own in data:
            if own is not None:
                fresh.put(entry, own)
        if fresh._held:
            fresh.close()
            return
        self._number, self._end, self._stream, self._after = (
            fresh._number,
            fresh._end,
            fresh._stream,
            fresh._after,
        )
        if before:
            before.close()

    def close(self) -> None:
        """Let go of the file; what was not saved is dropped."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _read(path: Path) -> bytes:
    with path.open("rb", buffering=0) as stream:
        return stream.read()


def _forget(latest: Path) -> None:
    """Remove the entries of sites that were not built for longest."""
    os.utime(latest)
    others = sorted(_by_use(latest.parent), reverse=True)
    for _, folder in others[MOST:]:
        if folder != latest:
            shutil.rmtree(folder, ignore_errors=True)


def _by_use(folder: Path) -> Iterator[tuple[float, Path]]:
    for path in folder.iterdir():
        with suppress(OSError):
            yield path.stat().st_mtime, path
