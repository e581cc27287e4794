"""Bytes packed for the way: gzip and brotli, the same from every run; siblings that a host may send instead.

A sibling stands beside a file under its name with the coding's suffix. That of a part holds the part as it is
before compression: what the page gets is then what it would have unpacked itself.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import brotli

from builder import payload
from builder.payload import Asset

SUFFIXES = (".css", ".html", ".js", ".json", ".svg", ".txt", ".xml")
"""Files that get siblings; pictures and fonts are compressed already."""

KEPT_FROM = 50_000
"""Bytes from which on a packed form is kept in the cache."""

_PARTS, _RUN = "assets/parts/", "assets/run/"


@dataclass(frozen=True, slots=True)
class Coding:
    """A content coding: how to pack and to unpack, and the folder of the cache."""

    pack: Callable[[bytes], bytes]
    unpack: Callable[[bytes], bytes]
    folder: str


def _brotli(data: bytes) -> bytes:
    packed: bytes = brotli.compress(data, quality=11, lgwin=24)  # the widest window that every browser takes
    return packed


CODINGS: Mapping[str, Coding] = {
    "gz": Coding(payload.compress, gzip.decompress, "gzip"),
    "br": Coding(_brotli, brotli.decompress, "brotli"),
}


def packed(data: bytes, coding: str, cache: Path) -> bytes:
    """Return packed bytes, the long ones made once and kept; a damaged entry is made anew."""
    how = CODINGS[coding]
    if len(data) < KEPT_FROM:
        return how.pack(data)
    kept = cache / how.folder / f"{payload.digest(data)}.{coding}"
    with suppress(OSError, EOFError, zlib.error, brotli.error):
        made = kept.read_bytes()
        if how.unpack(made) == data:
            return made
    made = how.pack(data)
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        temporary = kept.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(made)
        temporary.replace(kept)
    return made


def siblings(asset: Asset, cache: Path) -> Iterator[Asset]:
    """Yield the siblings of a file of a site that save bytes.

    There are none of what only a folder needs, or only a browser that runs the engine in the page.
    """
    if asset.url.startswith(_RUN) or (asset.url.startswith(_PARTS) and asset.url.endswith(".js")):
        return
    if asset.url.startswith(_PARTS):
        yield from _smaller(asset, gzip.decompress(asset.data), "br", cache)
    elif asset.url.endswith(SUFFIXES):
        for coding in CODINGS:
            yield from _smaller(asset, asset.data, coding, cache)


def _smaller(asset: Asset, data: bytes, coding: str, cache: Path) -> Iterator[Asset]:
    made = packed(data, coding, cache)
    if len(made) < len(asset.data):
        yield Asset(f"{asset.url}.{coding}", made)
