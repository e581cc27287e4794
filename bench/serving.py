"""A folder over http as a mirror serves it: compressed siblings, long caching; bytes sent are counted.

A file with a sibling ending in .br or .gz is sent as that to a browser that takes it. Text, WebAssembly and
archives without one are compressed when first asked for.
"""

import gzip
import importlib
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

ALREADY_SMALL = frozenset({".gz", ".br", ".png", ".jpg", ".woff2", ".pf_index", ".pf_fragment", ".pf_meta"})
TYPES = {".wasm": "application/wasm", ".js": "text/javascript", ".json": "application/json"}
LEAST = 1_000  # bytes that are worth compressing
QUALITY = 9  # of brotli: a fifth of the time of 11, a few hundredths more bytes


class Folder:
    """One served folder: its URL, and the bytes of the bodies sent since the last `take`."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.port = 0
        self._sent = 0
        self._lock = threading.Lock()
        self._packed: dict[tuple[Path, int, str], bytes] = {}

    @property
    def url(self) -> str:
        """Return the URL of the folder, with a slash at the end."""
        return f"http://127.0.0.1:{self.port}/"

    def take(self) -> int:
        """Return the bytes sent since the last call."""
        with self._lock:
            sent, self._sent = self._sent, 0
        return sent

    def count(self, size: int) -> None:
        """Add the bytes of one body."""
        with self._lock:
            self._sent += size

    def file(self, path: str) -> Path | None:
        """Return the file of a URL path; None for one that is not in the folder."""
        found = (self.root / unquote(path).lstrip("/")).resolve()
        found = found / "index.html" if found.is_dir() else found
        return found if found.is_relative_to(self.root) and found.is_file() else None

    def body(self, file: Path, accepted: str) -> tuple[str, bytes]:
        """Return content encoding and bytes of a file for a browser that accepts these encodings."""
        for name, ending in (("br", ".br"), ("gzip", ".gz")):
            sibling = file.with_name(file.name + ending)
            if name in accepted and sibling.is_file():
                return name, sibling.read_bytes()
        data = file.read_bytes()
        if file.suffix in ALREADY_SMALL or len(data) < LEAST:
            return "", data
        name = next((name for name in ("br", "gzip") if name in accepted), "")
        return (name, self._compressed(file, name, data)) if name else ("", data)

    def _compressed(self, file: Path, name: str, data: bytes) -> bytes:
        key = (file, file.stat().st_mtime_ns, name)
        with self._lock:
            if key not in self._packed:
                self._packed[key] = brotli(data) if name == "br" else gzip.compress(data, 9, mtime=0)
            return self._packed[key]


def brotli(data: bytes) -> bytes:
    """Return bytes as brotli."""
    packed: bytes = importlib.import_module("brotli").compress(data, quality=QUALITY)
    return packed


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, folder: Folder, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        file = self.folder.file(path)
        if file is None:
            self.send_response(HTTPStatus.NOT_FOUND)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        encoding, body = self.folder.body(file, self.headers.get("Accept-Encoding", ""))
        self.send_response(HTTPStatus.OK)
        kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "public, max-age=31536000, immutable")
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        self.folder.count(len(body))
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of a load is no error."""


@contextmanager
def served(root: Path) -> Iterator[Folder]:
    """Serve a folder of this machine while the block runs."""
    folder = Folder(root)
    server = _Server(("127.0.0.1", 0), partial(_Handler, folder))
    folder.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield folder
    finally:
        server.shutdown()
        server.server_close()
