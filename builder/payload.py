"""The bytes a site is made of: parts in their two forms, the manifest and the build id.

Pure functions over bytes. A part is what the answerer needs in the browser; it is shipped gzipped for http
and, for a page opened from a folder, as a classic script that registers exactly the same gzip bytes.
"""

import base64
import gzip
import hashlib
import json
import re
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

FORMAT = 1
PLACEHOLDER = "0" * 16
"""Stands where the build id will stand, in the bytes the build id is computed from."""

MANIFEST_JSON = "assets/manifest.json"
MANIFEST_JS = "assets/manifest.js"
FILES_JS = "assets/files.js"
URL = re.compile(r"(?:[a-z0-9-][a-z0-9.-]{0,63}/)*[a-z0-9-][a-z0-9.-]{0,66}")
"""Every path a build writes: portable between file systems and never leading out of the site; names of 64
characters, and the suffix of a sibling."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_PAGE_MARK = 'data-build="{}"'
_SHOWN_MARK = '<bdi class="build" dir="ltr">{}</bdi>'
_JSON_MARK = '{{"build":"{}"'


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the site: its path relative to the site's root, and its bytes."""

    url: str
    data: bytes


@dataclass(frozen=True, slots=True)
class PartEntry:
    """A part's line in the manifest: hash and length of the unzipped bytes, length of the gzip bytes."""

    sha256: str
    size: int
    gz: int

    @classmethod
    def from_json(cls, name: str, value: object) -> "PartEntry":
        """Read a line, or raise `ValueError` naming the part."""
        match value:
            case {"sha256": str(sha256), "size": int(size), "gz": int(gz)} if (
                _SHA256.fullmatch(sha256) and size >= 0
            ):
                return cls(sha256, size, gz)
        raise ValueError(f'part "{name}" has no hash and size')


@dataclass(frozen=True, slots=True)
class Part:
    """What the browser loads under a name: `gz` travels, `entry` says what it unpacks to."""

    name: str
    gz: bytes
    entry: PartEntry

    @classmethod
    def of(cls, name: str, data: bytes, gz: bytes | None = None) -> "Part":
        """Make a part of its unzipped bytes; `gz` when they were compressed before."""
        packed = compress(data) if gz is None else gz
        return cls(name, packed, PartEntry(digest(data), len(data), len(packed)))

    def assets(self) -> tuple[Asset, Asset]:
        """Return the file for http and the script for pages opened from a folder, of the same gzip bytes."""
        text = base64.b64encode(self.gz).decode("ascii")
        script = f'cairn.put("{self.name}","{text}");\n'
        return Asset(f"assets/parts/{self.name}.gz", self.gz), Asset(
            f"assets/parts/{self.name}.js", script.encode()
        )


def file_list(build: str, digests: Mapping[str, str]) -> Asset:
    """Return the list of files as the page that checks a copy loads it."""
    text = canonical({"build": build, "files": dict(digests)})
    return Asset(FILES_JS, f"(self.cairn=self.cairn||{{}}).files={text};\n".encode())


def page_script(name: str, source: bytes) -> Asset:
    """Return a script of the engine as a function, for pages whose browser gives them no worker.

    The function's own text is the source, which the page checks before it runs.
    """
    return Asset(f"assets/run/{name}", b'cairn.run("%s",function(self){\n%s\n});\n' % (name.encode(), source))


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a site consists of: its parts, and the SHA-256 of every file but the manifest itself."""

    build: str
    pyodide: str
    parts: Mapping[str, PartEntry]
    files: Mapping[str, str]
    scripts: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each script of the Ask page, as the text of its function."""

    def script(self) -> Asset:
        """Return the manifest as pages load it: without the list of files, which grows with the site."""
        text = canonical(self._head())
        return Asset(MANIFEST_JS, f"(self.cairn=self.cairn||{{}}).manifest={text};\n".encode())

    def asset(self) -> Asset:
        """Return the whole manifest as a file of the site."""
        return Asset(MANIFEST_JSON, (canonical({**self._head(), "files": dict(self.files)}) + "\n").encode())

    def _head(self) -> dict[str, object]:
        parts = {name: asdict(entry) for name, entry in self.parts.items()}
        return {
            "format": FORMAT,
            "build": self.build,
            "pyodide": self.pyodide,
            "parts": parts,
            "scripts": dict(self.scripts),
        }

    @classmethod
    def from_json(cls, text: bytes) -> "Manifest":
        """Read the whole manifest, or raise `ValueError` naming what cannot be read."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError("it is not JSON") from error
        match value:
            case {"format": number} if number != FORMAT:
                raise ValueError(f'format {number!r} is not the format "{FORMAT}" of this version')
            case {
                "format": _,
                "build": str(build),
                "pyodide": str(pyodide),
                "parts": dict(parts),
                "files": dict(files),
                "scripts": dict(scripts),
            }:
                return cls(
                    build,
                    pyodide,
                    {name: PartEntry.from_json(name, entry) for name, entry in parts.items()},
                    {url: _file_hash(url, sha256) for url, sha256 in files.items()},
                    {name: _file_hash(name, sha256) for name, sha256 in scripts.items()},
                )
        raise ValueError('one of "format", "build", "pyodide", "parts", "files", "scripts" is missing')


def _file_hash(url: str, sha256: object) -> str:
    if not URL.fullmatch(url) or not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        raise ValueError(f'the line of the file "{url}" cannot be used')
    return sha256


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, characters as they are."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hex."""
    return hashlib.sha256(data).hexdigest()


def compress(data: bytes) -> bytes:
    """Return gzip bytes that depend on the data alone: no name, time 0."""
    return gzip.compress(data, compresslevel=9, mtime=0)


SEALED = 40
"""Bytes at the start of canonical JSON that hold the build id."""

_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"  # RFC 1952: deflate, no time, slowest, no system


def packed_body(text: bytes) -> bytes:
    """Return the deflate data of JSON behind its build id, for `pack_sealed`."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text[SEALED:]) + packer.flush()


def pack_sealed(text: bytes, body: bytes) -> bytes:
    """Return JSON with its build id as gzip; `body` is what `packed_body` gives for it with any other id."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    head = packer.compress(text[:SEALED]) + packer.flush(zlib.Z_FULL_FLUSH)
    return _GZIP_HEAD + head + body + struct.pack("<II", zlib.crc32(text), len(text) & 0xFFFFFFFF)


def build_id(digests: Iterable[tuple[str, str]]) -> str:
    """Return a build's id from the (path, digest) of each file and part, made with `PLACEHOLDER` as id."""
    lines = "".join(f"{path}\0{sha256}\n" for path, sha256 in sorted(digests))
    return digest(lines.encode())[: len(PLACEHOLDER)]


def seal_page(html: bytes, build: str) -> bytes:
    """Put the build id into a page; its markup must carry the placeholder as `data-build`, and may show it.

    Neither form can come from a document, whose quotation marks and tags are escaped.
    """
    before, after = _SHOWN_MARK.format(PLACEHOLDER).encode(), _SHOWN_MARK.format(build).encode()
    return _seal(html, _PAGE_MARK, build).replace(before, after)


def seal_json(text: bytes, build: str) -> bytes:
    """Put the build id into canonical JSON that starts with the key "build"."""
    return _seal(text[:SEALED], _JSON_MARK, build) + text[SEALED:]


def _seal(data: bytes, mark: str, build: str) -> bytes:
    before, after = mark.format(PLACEHOLDER).encode(), mark.format(build).encode()
    if before not in data:
        raise ValueError(f"no {before!r} to put the build id in")
    return data.replace(before, after)
