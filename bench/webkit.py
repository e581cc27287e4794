"""WebKitGTK over the WebDriver protocol, with nothing but the standard library: a browser with one window.

Each has a driver, a display that nobody sees and a profile that is kept in memory and ends with it. The
network is cut but for this machine; pages from a folder have the rights they have at a visitor's.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

PACKAGES = "webkit2gtk-driver xvfb"
"""What Debian calls the packages of the driver and of the display."""
VARIABLE = "CAIRN_WEBKIT"
PATIENCE = 300.0
"""Seconds until a reply that does not come is an error."""
START, STARTS = 20.0, 3
"""Seconds of a start, and how often it is tried: a driver does not always hear of the browser it started."""
NOWHERE = "127.0.0.1:9"
# A script that is sent while a page loads is never answered, so a page is loaded before it is spoken to.
CAPABILITIES = {
    "pageLoadStrategy": "normal",
    "timeouts": {"script": 1000 * PATIENCE, "pageLoad": 1000 * PATIENCE},
    "proxy": {
        "proxyType": "manual",
        "httpProxy": NOWHERE,
        "sslProxy": NOWHERE,
        "noProxy": ["127.0.0.1"],
    },
}
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
"""Code points of keys (WebDriver, section 17.4.2)."""


class WebKitError(Exception):
    """WebKitGTK did not start or refused a command; the message says why."""


def driver() -> str:
    """Return the path of WebKitGTK's driver; "" when it or the display server is not installed."""
    found = os.environ.get(VARIABLE, "") or shutil.which("WebKitWebDriver") or ""
    return found if shutil.which("Xvfb") else ""


class WebKit:
    """The window of a running WebKitGTK; every method raises `WebKitError`."""

    def __init__(self, port: int, pid: int) -> None:
        self._port, self.pid, self._patience = port, pid, START
        started = self._call("POST", "/session", {"capabilities": {"alwaysMatch": CAPABILITIES}})
        self._session = f"/session/{started['sessionId']}"
        self._patience = PATIENCE

    def goto(self, url: str) -> None:
        """Load a page, until its event "load"."""
        self._send("/url", {"url": url})

    def evaluate(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the page returns
        """Return what a JavaScript function, given its one argument, or the promise it returns, comes to."""
        script = (
            f"return Promise.resolve(arguments[0]).then({code}).then((value) => JSON.stringify([value]));"
        )
        return json.loads(self._send("/execute/sync", {"script": script, "args": [argument]}))[0]

    def inside(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the frame returns
        """Return what `evaluate` returns in the last frame of the page; None when it has no frame."""
        count = self.evaluate("() => frames.length")
        if not count:
            return None
        self._send("/frame", {"id": count - 1})
        try:
            return self.evaluate(code, argument)
        finally:
            self._send("/frame", {"id": None})

    def press(self, keys: str) -> None:
        """Press a key of KEYS or a character, or several joined by "+" together."""
        held = [KEYS.get(key, key) for key in keys.split("+")]
        actions = [{"type": "keyDown", "value": key} for key in held]
        actions += [{"type": "keyUp", "value": key} for key in reversed(held)]
        self._send("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def close(self) -> None:
        """End the browser."""
        self._call("DELETE", self._session)

    def _send(self, command: str, body: object) -> Any:  # Any: as JSON is
        return self._call("POST", self._session + command, body)

    def _call(self, method: str, path: str, body: object = None) -> Any:  # Any: as JSON is
        text = None if body is None else json.dumps(body)
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._patience)
        try:
            connection.request(method, path, text)
            response = connection.getresponse()
            value = json.loads(response.read())["value"]
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise WebKitError(f"the driver of WebKitGTK is silent: {error}") from error
        finally:
            connection.close()
        if response.status != http.HTTPStatus.OK:
            raise WebKitError(str(value.get("message") or value.get("error")))
        return value


@contextmanager
def webkit() -> Iterator[WebKit]:
    """Start WebKitGTK with a fresh profile; raises `WebKitError`."""
    path = driver()
    if not path:
        raise WebKitError(f"no WebKitGTK with a driver: type `apt-get install {PACKAGES}`")
    with ExitStack() as started:
        window = _window(path, started, STARTS)
        yield window
        window.close()


def _window(path: str, started: ExitStack, tries: int) -> WebKit:
    with ExitStack() as trying:
        display = trying.enter_context(_display())
        port, pid = trying.enter_context(_started(path, display))
        try:
            window = WebKit(port, pid)
        except WebKitError:
            if tries == 1:
                raise
        else:
            started.push(trying.pop_all())
            return window
    return _window(path, started, tries - 1)


@contextmanager
def _held(*command: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a program that ends, with all it started, when the block ends or this process is no more."""
    with subprocess.Popen(  # noqa: S603  # the programs of this module
        ["/bin/sh", "-c", '"$@" & cat >&2; kill -KILL 0', "sh", *command],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        yield process


@contextmanager
def _display() -> Iterator[str]:
    """Start a display server and yield the name of its display."""
    size = ("-screen", "0", "1280x1024x24")
    with _held("Xvfb", "-displayfd", "1", *size, "-nolisten", "tcp") as process:
        number = process.stdout.readline() if process.stdout else b""
        yield f":{number.decode('ascii').strip()}"


@contextmanager
def _started(path: str, display: str) -> Iterator[tuple[int, int]]:
    """Start the driver and yield its port and the process above it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shown = {"DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}
    with _held(path, f"--port={port}", **shown) as process:
        _await(port)
        yield port, process.pid


def _await(port: int) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise WebKitError("the driver of WebKitGTK does not start")


class Visits:
    """WebKitGTK as the driver of Chromium and Firefox: `ask` takes the same requests.

    A page loads the script that takes the times by itself, since WebDriver runs none before a page's own.
    """

    def __init__(self, window: WebKit) -> None:
        self._window = window

    def ask(self, **request: object) -> Mapping[str, object]:
        """Do what `peers/visits.cjs` does for the request; raises `WebKitError`."""
        if request["op"] == "open":
            return {"pid": self._window.pid}
        if request["op"] == "visit":
            self._window.goto(str(request["url"]))
        else:
            self._window.evaluate("(question) => bench.ask(question)", request["question"])
        return self._seen()

    def _seen(self) -> Mapping[str, object]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            marks: Mapping[str, object] = self._window.evaluate("() => globalThis.bench || {}")
            if marks.get("failed"):
                raise WebKitError(str(marks["failed"]))
            if marks.get("shown"):
                return marks
            time.sleep(0.025)
        raise WebKitError("no answer; without a word")
