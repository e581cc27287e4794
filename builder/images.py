"""Images of documents: local files of four kinds, looked at before they are published.

Only headers are read: kind and size in pixels. An SVG is published as it is; inside `<img>` and under the
site's policy it runs nothing.
"""

import hashlib
import os
import posixpath
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

from builder import files
from builder.files import Found
from builder.links import Refusal

MAX_BYTES = 2_000_000
MAX_SIDE = 4096
FOLDER = "media"
_KINDS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WebP", ".svg": "SVG"}
_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})


@dataclass(frozen=True, slots=True)
class Picture:
    """An image to publish: `url` from the site's root, its bytes, its size in pixels (0 when an SVG gives
    none).
    """

    url: str
    data: bytes
    width: int
    height: int


def load(url: str, document_path: str, root: Path) -> Picture | Refusal:
    """Return the image a document refers to, or why it cannot be published."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/", url):
        return _refuse("{} is not a file of the corpus", "copy the image beside the document")
    named = normalize("NFC", unquote(url.partition("#")[0].partition("?")[0]))
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document_path), named))
    kind = _KINDS.get(posixpath.splitext(path)[1].lower())
    if kind is None:
        return _refuse("{} is not png, jpg, webp or svg", "convert it")
    location = Path(os.path.realpath(root / path))
    if path.startswith("..") or not location.is_relative_to(os.path.realpath(root)):
        return _refuse("{} lies outside the corpus", "copy the image beside the document")
    data, problems = files.read(Found(path, location), MAX_BYTES)
    if data is None:
        return _refuse(
            f"{{}} cannot be used: {problems[0].message.rstrip('.')}", "name a file that exists, under 2 MB"
        )
    size = _size(kind, data)
    if size is None:
        return _refuse(f"{{}} is no {kind} file", "save it again as what its name says")
    if max(size) > MAX_SIDE:
        return _refuse(f"{{}} is {size[0]} x {size[1]} pixels, more than {MAX_SIDE}", "make it smaller")
    stem, suffix = posixpath.splitext(posixpath.basename(path))
    plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:40]
    digest = hashlib.sha256(data).hexdigest()[:8]
    return Picture(f"{FOLDER}/{plain}-{digest}{suffix.lower()}".replace("/-", "/"), data, *size)


def _refuse(what: str, hint: str) -> Refusal:
    return Refusal("E506", f"The image {what}.", hint)


def _size(kind: str, data: bytes) -> tuple[int, int] | None:
    try:
        return {"PNG": _png, "JPEG": _jpeg, "WebP": _webp, "SVG": _svg}[kind](data)
    except (struct.error, IndexError):
        return None


def _png(data: bytes) -> tuple[int, int] | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _jpeg(data: bytes) -> tuple[int, int] | None:
    if data[:3] != b"\xff\xd8\xff":
        return None
    at = 2
    while data[at] == 0xFF:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def _svg(data: bytes) -> tuple[int, int] | None:
    head = data[:4096]
    if b"<svg" not in head:
        return None
    tag = head[head.index(b"<svg") :].partition(b">")[0]
    sides = [
        re.search(rb'\b%s="([0-9]{1,5})(?:\.[0-9]+)?(?:px)?"' % name, tag) for name in (b"width", b"height")
    ]
    width, height = (int(side[1]) if side else 0 for side in sides)
    return (width, height) if width and height else (0, 0)
