"""What the engine starts from: the snapshot where the browser takes it, else the bytecode; equal answers."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from builder.project import load_project
from builder.site import Options, build
from cairn_core.bridge import Session
from tests.browser.asking import responses
from tests.browser.browsers import Tab
from tests.browser.conftest import ROOT, Place, cpython
from tests.browser.test_engine import ENGINE, LOAD, QUESTION, SCRIPTS
from tests.probes import IN_CORPUS, OFF_TOPIC

BROWSERS = ["chromium", "firefox", "webkit"]
# Notes what every worker is given to start from, and puts code before and after its script.
WATCH = """({ before, after }) => {
  const [RealBlob, RealWorker] = [Blob, Worker];
  globalThis.starts = [];
  globalThis.Blob = class extends RealBlob {
    constructor(parts, options) {
      super(options.type === "text/javascript" ? [before, "\\n", ...parts, "\\n", after] : parts, options);
    }
  };
  globalThis.Worker = class extends RealWorker {
    postMessage(message, transfer) {
      const known = (name) => name === "snapshot.bin" || name === "stdlib.zip";
      if (message.type === "part" && known(message.name)) starts.push(message.name);
      super.postMessage(message, transfer);
    }
  };
}"""
IPHONE = """
for (const [name, value] of Object.entries({ userAgent: "Mozilla/5.0 (iPhone)", platform: "iPhone" }))
  Object.defineProperty(navigator, name, { get: () => value });
"""
REFUSES = """
const takesAny = loadPyodide;
globalThis.loadPyodide = async (options) => {
  if (options._loadSnapshot) throw new Error("Snapshot build id mismatch");
  return takesAny(options);
};
"""
BAD_POINTER = """
const takesGood = self.onmessage;
self.onmessage = (event) => {
  if (event.data.name === "snapshot.bin") new Uint8Array(event.data.bytes).fill(255, 1_000_000, 4_000_000);
  return takesGood(event);
};
"""
CUT = """
const takesWhole = self.onmessage;
self.onmessage = ({ data }) => {
  const bytes = data.name === "snapshot.bin" ? data.bytes.slice(0, -4096) : data.bytes;
  return takesWhole({ data: { ...data, bytes } });
};
"""
WITHOUT_SUBTLE = "() => Object.defineProperty(crypto, 'subtle', { value: undefined })"


@pytest.fixture(scope="module")
def session() -> Session:
    return cpython("demo")


@pytest.fixture(scope="module")
def bytecode_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration site with boot = "bytecode" in its settings."""
    folder = tmp_path_factory.mktemp("bytecode")
    project = replace(load_project(ROOT / "corpus" / "demo"), boot="bytecode")
    build(project, folder / "site", Options(ROOT / ".cache"))
    return folder / "site"


@pytest.fixture
def quiet_page(places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]) -> Callable[..., Tab]:
    """Open a page that starts no engine of its own, with the scripts an engine needs."""

    def open_page(folder: Path, browser: str, kind: str = "file", before: str = "", after: str = "") -> Tab:
        tab = new_tab(browser)
        tab.goto(places(folder, kind).page("en/contents.html"))
        tab.evaluate(LOAD, SCRIPTS)
        tab.evaluate(WATCH, {"before": before, "after": after})
        return tab

    return open_page


def probes() -> list[dict[str, str | None]]:
    questions = [question for question, _, _ in IN_CORPUS] + OFF_TOPIC
    return [{"question": question, "lang": None, "interface": "en"} for question in questions]


def starts(tab: Tab) -> list[str]:
    found: list[str] = tab.evaluate("() => starts")
    return found


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize("browser", BROWSERS)
def test_on_an_iphone_the_snapshot_answers_as_cpython_does(
    browser: str, kind: str, site: Path, quiet_page: Callable[..., Tab], session: Session
) -> None:
    tab = quiet_page(site, browser, kind, before=IPHONE)
    assert responses(tab, probes()) == [session.ask(json.dumps(request)) for request in probes()]
    assert starts(tab) == ["snapshot.bin"]
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize("browser", BROWSERS)
def test_the_bytecode_answers_as_cpython_does(
    browser: str, kind: str, bytecode_site: Path, quiet_page: Callable[..., Tab], session: Session
) -> None:
    tab = quiet_page(bytecode_site, browser, kind)
    assert responses(tab, probes()) == [session.ask(json.dumps(request)) for request in probes()]
    assert starts(tab) == ["stdlib.zip"]
    tab.close()


@pytest.mark.parametrize("browser", BROWSERS)
def test_only_what_the_engine_starts_from_is_loaded(
    browser: str, site: Path, quiet_page: Callable[..., Tab]
) -> None:
    tab = quiet_page(site, browser, "http")
    tab.evaluate(ENGINE, {"limits": {}, "questions": [QUESTION]})
    assert starts(tab) == ["snapshot.bin"]
    assert not [url for url in tab.requests() if "stdlib.zip" in url]
    tab.close()


@pytest.mark.parametrize("after", [REFUSES, BAD_POINTER, CUT], ids=["refuses", "bad pointer", "cut"])
@pytest.mark.parametrize("browser", BROWSERS)
def test_where_the_snapshot_does_not_start_the_bytecode_does(
    browser: str, after: str, site: Path, quiet_page: Callable[..., Tab]
) -> None:
    tab = quiet_page(site, browser, after=after)
    run = tab.evaluate(ENGINE, {"limits": {}, "questions": [QUESTION]})
    assert (run["end"], run["answers"]) == ("answered", ["grounded"])
    assert starts(tab) == ["snapshot.bin", "stdlib.zip"]
    tab.close()


def test_without_the_browsers_own_hashing_the_bytecode_is_quicker_and_starts(
    site: Path, quiet_page: Callable[..., Tab]
) -> None:
    tab = quiet_page(site, "chromium")
    tab.evaluate(WITHOUT_SUBTLE)
    assert tab.evaluate(ENGINE, {"limits": {}, "questions": [QUESTION]})["end"] == "answered"
    assert starts(tab) == ["stdlib.zip"]
    tab.close()
