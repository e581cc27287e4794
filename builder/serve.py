"""A preview of a built site on this machine only, with the headers a mirror should send.

Serves exactly the paths a build can write, under a prefix if one is named. Building and watching are passed
in; the server reads every file anew, so a finished build shows at the next request.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import watchfiles

from builder.pages import CSP
from builder.payload import URL
from builder.problems import UsageError
from builder.project import LEDGER_NAME

ADDRESS = "127.0.0.1"
HOSTS = frozenset({"127.0.0.1", "localhost"})
TYPES = {
    "css": "text/css; charset=utf-8",
    "gz": "application/gzip",
    "html": "text/html; charset=utf-8",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
HEADERS = {
    "Content-Security-Policy": f"{CSP}; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
PREFIX = re.compile(r"/(?:(?!\.\.?/)[A-Za-z0-9._~-]+/)*")
"""A path a site may be mirrored under."""


class PortError(UsageError):
    """The port cannot be used."""


def server(site: Path, port: int, mirror: str = "/") -> ThreadingHTTPServer:
    """Return a server of a folder on the loopback address, port 0 for a free one; raises `PortError`."""
    if not PREFIX.fullmatch(mirror):
        raise ValueError(f'the prefix "{mirror}" must start and end with "/"')
    try:
        return ThreadingHTTPServer((ADDRESS, port), partial(Handler, site, mirror))
    except (OSError, OverflowError) as error:
        raise PortError(f"port {port} cannot be used", "name another one with --port") from error


def changes(paths: Sequence[Path]) -> Iterator[None]:
    """Yield as soon as changes below the paths are noticed, then once for every batch of them.

    What a build itself writes beside the corpus does not count.
    """
    batches = watchfiles.watch(*paths, watch_filter=_matters, yield_on_timeout=True, rust_timeout=200)
    next(batches)
    yield
    for batch in batches:
        if batch:
            yield


def _matters(change: watchfiles.Change, path: str) -> bool:
    return LEDGER_NAME not in Path(path).name and watchfiles.DefaultFilter()(change, path)


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for files of the site."""

    protocol_version = "HTTP/1.1"
    server_version = "cairn"
    sys_version = ""
    timeout = 30

    def __init__(self, site: Path, mirror: str, *arguments: object) -> None:
        self.site = site
        self.mirror = mirror
        super().__init__(*arguments)  # type: ignore[arg-type]  # what the server passes to its handlers

    def do_GET(self) -> None:
        self._respond(*self._answer(), body=True)

    def do_HEAD(self) -> None:
        self._respond(*self._answer(), body=False)

    def _answer(self) -> tuple[HTTPStatus, str, bytes]:
        path = urlsplit(self.path).path
        if not self._host_is_ours():
            return _plain(HTTPStatus.MISDIRECTED_REQUEST)
        if path == "/" != self.mirror:
            return HTTPStatus.FOUND, self.mirror, b""
        if not path.startswith(self.mirror):
            return _plain(HTTPStatus.NOT_FOUND)
        url = path.removeprefix(self.mirror)
        url += "index.html" if url.endswith("/") or not url else ""
        return self._file(url) if URL.fullmatch(url) else _plain(HTTPStatus.NOT_FOUND)

    def _file(self, url: str) -> tuple[HTTPStatus, str, bytes]:
        kind = TYPES.get(url.rpartition(".")[2])
        try:
            data = (self.site / url).read_bytes()
        except OSError:
            data = None
        return _plain(HTTPStatus.NOT_FOUND) if kind is None or data is None else (HTTPStatus.OK, kind, data)

    def _host_is_ours(self) -> bool:
        """A name that only resolves to this machine (DNS rebinding) is refused."""
        hosts: Iterable[str] = self.headers.get_all("Host") or ()
        return [host.rpartition(":")[0] or host for host in hosts] in ([name] for name in HOSTS)

    def _respond(self, status: HTTPStatus, kind: str, data: bytes, *, body: bool) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Location" if status is HTTPStatus.FOUND else "Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Requests are not logged."""


def _plain(status: HTTPStatus) -> tuple[HTTPStatus, str, bytes]:
    return status, TYPES["txt"], f"{status.value} {status.phrase}\n".encode()
