"""A preview of a built site on this machine only, with the headers a mirror should send.

Serves exactly the paths a build can write, under a prefix if one is named, each file as it is: only a page
that a browser opens by itself gets the script of the preview. Building is left to the caller; every file is
read anew, so a finished build shows at the next request.
"""

import errno
import re
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from urllib.parse import urlsplit

from builder import preview
from builder.pages import CSP
from builder.payload import URL
from builder.preview import Preview
from builder.problems import UsageError

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

KEPT_ALIVE = 10.0
"""Seconds after which a page that waits for news gets an empty line, and one that is gone is noticed."""

WAITING = (
    "The site is being built",
    "This page becomes the site as soon as it is. The terminal tells how far the build is.",
)
GONE = ("There is no such page in this build", "It comes back by itself when a build has it again.")


class PortError(UsageError):
    """The port cannot be used."""


class Server(ThreadingHTTPServer):
    """A thread for each connection; closing ends every connection and waits for its thread."""

    daemon_threads = False

    def __init__(self, site: Path, port: int, mirror: str, news: Preview) -> None:
        """Serve `site` below `mirror`; `news` is what open pages are told."""
        self.news = news
        self._connections: set[socket.socket] = set()
        self._lock = Lock()
        super().__init__((ADDRESS, port), partial(Handler, site, mirror, news))

    def process_request(self, request: object, client_address: object) -> None:
        """Note the connection, and answer it in a thread."""
        assert isinstance(request, socket.socket)  # noqa: S101 - what a stream server accepts
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: object) -> None:
        """Close a connection that has ended."""
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)  # type: ignore[arg-type]

    def server_close(self) -> None:
        """Close everything."""
        self.news.close()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        super().server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def server(site: Path, port: int, mirror: str = "/", news: Preview | None = None) -> Server:
    """Return a server of a folder on the loopback address, port 0 for a free one; raises `PortError`."""
    if not PREFIX.fullmatch(mirror):
        raise ValueError(f'the prefix "{mirror}" must start and end with "/"')
    try:
        return Server(site, port, mirror, news or Preview(site))
    except (OSError, OverflowError) as error:
        used = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        message = f"port {port} {'is used by another program' if used else 'cannot be used'}"
        raise PortError(message, "name another one with --port, 0 for any free one") from error


@contextmanager
def served(site: Path, port: int, mirror: str, news: Preview) -> Iterator[str]:
    """Serve a folder from a thread, and yield its address; raises `PortError`."""
    with server(site, port, mirror, news) as own:
        thread = Thread(target=own.serve_forever)
        thread.start()
        try:
            yield f"http://{ADDRESS}:{own.server_port}{mirror}"
        finally:
            own.shutdown()
            thread.join()


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for files of the site."""

    protocol_version = "HTTP/1.1"
    server_version = "cairn"
    sys_version = ""
    timeout = 30

    def __init__(self, site: Path, mirror: str, news: Preview, *arguments: object) -> None:
        self.site = site
        self.mirror = mirror
        self.news = news
        super().__init__(*arguments)  # type: ignore[arg-type]  # what the server passes to its handlers

    def do_GET(self) -> None:
        if self._host_is_ours() and self.path == preview.EVENTS:
            self._tell()
        else:
            self._respond(*self._answer(), body=True)

    def do_HEAD(self) -> None:
        self._respond(*self._answer(), body=False)

    def _answer(self) -> tuple[HTTPStatus, str, bytes]:
        path = urlsplit(self.path).path
        if not self._host_is_ours():
            return _plain(HTTPStatus.MISDIRECTED_REQUEST)
        if path in preview.FILES:
            return HTTPStatus.OK, _kind(path) or "", preview.FILES[path].read_bytes()
        if path == "/" != self.mirror:
            return HTTPStatus.FOUND, self.mirror, b""
        if not path.startswith(self.mirror):
            return _plain(HTTPStatus.NOT_FOUND)
        url = path.removeprefix(self.mirror)
        url += "index.html" if url.endswith("/") or not url else ""
        return self._file(url) if URL.fullmatch(url) else _plain(HTTPStatus.NOT_FOUND)

    def _file(self, url: str) -> tuple[HTTPStatus, str, bytes]:
        kind = _kind(url)
        try:
            data = (self.site / url).read_bytes()
        except OSError:
            data = None
        opened = self.headers.get("Sec-Fetch-Dest") == "document"
        if opened and kind == TYPES["html"]:
            return self._page(data)
        return _plain(HTTPStatus.NOT_FOUND) if kind is None or data is None else (HTTPStatus.OK, kind, data)

    def _page(self, data: bytes | None) -> tuple[HTTPStatus, str, bytes]:
        """A page for a reader, who gets one that waits where there is none."""
        if data is not None:
            return HTTPStatus.OK, TYPES["html"], preview.with_script(data)
        build = self.news.state.build
        status = HTTPStatus.NOT_FOUND if build else HTTPStatus.SERVICE_UNAVAILABLE
        return status, TYPES["html"], preview.plain_page(*(GONE if build else WAITING), build)

    def _tell(self) -> None:
        """Send what a page has to know for as long as it is open."""
        self.close_connection = True
        self._head(HTTPStatus.OK, {"Content-Type": "text/event-stream", "Connection": "close"})
        for state in self.news.states(KEPT_ALIVE):
            self.wfile.write(preview.event(state, self.mirror))

    def _host_is_ours(self) -> bool:
        """A name that only resolves to this machine (DNS rebinding) is refused."""
        hosts: Iterable[str] = self.headers.get_all("Host") or ()
        return [host.rpartition(":")[0] or host for host in hosts] in ([name] for name in HOSTS)

    def _respond(self, status: HTTPStatus, kind: str, data: bytes, *, body: bool) -> None:
        name = "Location" if status is HTTPStatus.FOUND else "Content-Type"
        self._head(status, {name: kind, "Content-Length": str(len(data))})
        if body:
            self.wfile.write(data)

    def _head(self, status: HTTPStatus, own: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in (*HEADERS.items(), *own.items()):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Requests are not logged."""


def _kind(url: str) -> str | None:
    return TYPES.get(url.rpartition(".")[2])


def _plain(status: HTTPStatus) -> tuple[HTTPStatus, str, bytes]:
    return status, TYPES["txt"], f"{status.value} {status.phrase}\n".encode()
