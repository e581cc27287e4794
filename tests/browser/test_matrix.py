"""The corruption matrix: each kind of file, each fault, from a folder and over http.

The page says which file is at fault or answers rightly; never a wrong answer, never an endless wait.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Error

from builder.project import load_project
from builder.site import Options, build
from tests.browser.asking import TYPE
from tests.browser.browsers import Tab, until
from tests.browser.conftest import ROOT, Place
from tests.browser.faults import (
    FAULTS,
    Fault,
    missing,
    of_the_previous_build,
    one_bit_flipped,
    with_a_bit_flipped,
)

QUESTION = "How much is the monthly grocery allowance for one person?"
ASK = "en/index.html"
NOTHING = {"said": "nothing", "part": "", "besides": ""}
SAID = """() => {
  const late = document.getElementById("not-started");
  const alert = document.getElementById("alert");
  const style = document.getElementById("damaged-style");
  const besides = style ? style.innerText : "";
  const shown = late && getComputedStyle(late).visibility === "visible";
  if (late) return shown ? { said: "page", part: "", besides } : null;
  if (alert.childElementCount) return { said: alert.dataset.code, part: alert.dataset.part, besides };
  if (document.getElementById("answer").hidden) return null;
  const quote = document.querySelector("#answer-body .quote");
  return { said: "answer", part: quote ? quote.textContent : "", besides };
}"""
TOLD = """() => {
  const alert = document.getElementById("alert");
  return alert.childElementCount ? { said: alert.dataset.code, part: alert.dataset.part } : null;
}"""
SOON = "() => document.getAnimations().forEach((animation) => animation.updatePlaybackRate(8))"
WAYS = """() => ({
  links: document.querySelectorAll("#alert a, #not-started a").length,
  browse: document.querySelector("#browse a").getClientRects().length > 0,
  contact: document.getElementById("contact").innerText,
})"""
SCRIPTS = tuple(
    f"{name}.js"
    for name in (
        *("ask", "bytes", "engine", "hosts", "inflate"),
        *("keyboard", "panel", "quote", "sha256", "start", "view"),
    )
)


@dataclass(frozen=True, slots=True)
class Sites:
    """The site, a copy to damage, and the build before."""

    site: Path
    copy: Path
    previous: Path


@pytest.fixture(scope="module")
def sites(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Sites:
    folder = tmp_path_factory.mktemp("matrix")
    corpus = shutil.copytree(ROOT / "corpus" / "demo", folder / "corpus")
    for path in corpus.glob("grocery-allowance.*.md"):
        path.write_text(path.read_text(encoding="utf-8").replace("212", "199"), encoding="utf-8")
    build(load_project(corpus), folder / "previous", Options(ROOT / ".cache"))
    shutil.copytree(site, folder / "copy", copy_function=os.link)
    return Sites(site, folder / "copy", folder / "previous")


def files_of(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())


def kind_of(name: str) -> str:
    """Return the row of the matrix a file belongs to: those in one row are damaged together."""
    folder, _, file = name.rpartition("/")
    if folder == "assets/parts":
        part = file.rpartition(".")[0]
        return f"part index.{part.split('.')[1]}.json" if part.startswith("index.") else f"part {part}"
    if (folder == "assets/js" and file in SCRIPTS) or name in ("assets/manifest.js", "assets/cairn.css"):
        return f"script {file}" if file.endswith(".js") else f"style {file}"
    return "ask page" if name == ASK else "what the ask page does not need"


ROWS = (
    *(
        f"part {name}"
        for name in ("index.ar.json", "index.en.json", "index.es.json", "loader.js", "lock.json")
    ),
    *(f"part {name}" for name in ("pyodide.wasm", "runtime.js", "site.json", "snapshot.bin", "stdlib.zip")),
    "part worker.js",
    *(f"script {name}" for name in SCRIPTS),
    "script manifest.js",
    "style cairn.css",
    "ask page",
    "what the ask page does not need",
)
LATER = ("part index.ar.json", "part index.es.json")
"""Rows of other languages than the page's, which are loaded after the answer; what is wrong is told then."""

UNUSED = ("part stdlib.zip", "what the ask page does not need")
"""Rows without which the answer is right: the engine starts from the snapshot."""


def test_every_file_of_the_site_is_in_a_row(site: Path) -> None:
    assert {kind_of(name) for name in files_of(site)} == set(ROWS)


@pytest.fixture
def damaged(sites: Sites) -> Iterator[Callable[[str, Fault], bool]]:
    """Put a fault into every file of a row, after mending the last one; False when no byte changed."""
    touched: set[str] = set()

    def mend() -> None:
        for name in touched:
            (sites.copy / name).unlink(missing_ok=True)
            os.link(sites.site / name, sites.copy / name)
        touched.clear()

    def make(row: str, fault: Fault) -> bool:
        mend()
        changes: Mapping[str, bytes | None] = {
            name: fault((sites.site / name).read_bytes(), bytes_of(sites.previous / name))
            for name in files_of(sites.site)
            if kind_of(name) == row
        }
        for name, data in changes.items():
            touched.add(name)
            (sites.copy / name).unlink()
            if data is not None:
                (sites.copy / name).write_bytes(data)
        return any(data != (sites.site / name).read_bytes() for name, data in changes.items())

    yield make
    mend()


def bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def allowed(row: str, fault: Fault, changed: bool) -> set[str]:
    """Return what the page may say; "answer" is the right answer."""
    kind, _, name = row.partition(" ")
    if not changed or row in UNUSED or kind == "style":
        return {"answer"}
    if name == "manifest.js":
        return manifest_says(fault)
    if name == "start.js":  # nothing looks at it before it runs; the engine does before it starts
        return {"damaged"} if fault is one_bit_flipped else {"page"}
    said = "missing" if fault is missing else "damaged"
    if kind == "script":
        return {said}
    if row in LATER:
        return {said, "answer"}
    if kind == "part":
        return {said, "answer"} if name == "snapshot.bin" else {said}  # asking again starts from the bytecode
    harmless = {"answer"} if fault is one_bit_flipped else set()  # in the words around the question
    return {"page", "damaged", "mixed", "nothing"} | harmless


def manifest_says(fault: Fault) -> set[str]:
    if fault is missing:
        return {"missing"}
    if fault is of_the_previous_build:
        return {"mixed"}
    return {"damaged", "missing", "mixed", "answer"} if fault is one_bit_flipped else {"damaged"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize("row", ROWS)
def test_a_damaged_file_is_named_or_does_no_harm(
    row: str,
    kind: str,
    sites: Sites,
    damaged: Callable[[str, Fault], bool],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    for fault in FAULTS:
        changed = damaged(row, fault)
        tab = new_tab("chromium")
        found = said(tab) if opens(tab, places(sites.copy, kind).page(ASK)) else NOTHING
        assert found["said"] in allowed(row, fault, changed), (row, fault.__name__, found)
        if found["said"] == "answer":
            assert "$212" in found["part"], (row, fault.__name__, found)
            if row in LATER and changed:
                told = until(tab, TOLD)
                assert told["said"] in allowed(row, fault, changed) - {"answer"}, (row, fault.__name__, told)
                assert row.endswith(f" {told['part']}"), (row, fault.__name__, told)
                assert_ways(tab)
        elif row.startswith(("part ", "script ")) and found["said"] != "page":
            assert row.endswith(f" {found['part']}") or "manifest" in row, (row, fault.__name__, found)
        if found["said"] not in ("answer", "nothing"):
            assert_ways(tab)
        if row.startswith("style ") and changed and fault is not one_bit_flipped:
            assert "cairn.css" in found["besides"], (row, fault.__name__, found)
        tab.close()


def opens(tab: Tab, url: str) -> bool:
    """Go to a page and tell whether it is there; a browser else shows a page of its own."""
    try:
        tab.goto(url)
    except Error:
        return False
    return True


def assert_ways(tab: Tab) -> None:
    ways = tab.evaluate(WAYS)
    assert ways["links"] == 2
    assert ways["browse"]
    assert "555-0142" in ways["contact"]


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_one_bit_anywhere_in_the_script_that_checks_the_others_is_told(
    bit: int,
    sites: Sites,
    damaged: Callable[[str, Fault], bool],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    script = (sites.site / "assets/js/start.js").read_bytes()
    function = range(script.index(b"function(){"), script.rindex(b"}"))
    for place in range(bit, len(script), 397):
        damaged("script start.js", with_a_bit_flipped(place, bit))
        tab = new_tab("chromium")
        tab.goto(places(sites.copy, "file").page(ASK))
        tab.evaluate(SOON)
        found = said(tab)
        if place in function or found["said"] != "answer":
            assert found["said"] in ("page", "damaged"), (place, bit, found)
            assert_ways(tab)
        tab.close()


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_one_bit_anywhere_in_the_ask_page_leaves_no_wrong_answer_and_no_endless_wait(
    bit: int,
    sites: Sites,
    damaged: Callable[[str, Fault], bool],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    for place in range(bit, (sites.site / ASK).stat().st_size, 1511):
        damaged("ask page", with_a_bit_flipped(place, bit))
        tab = new_tab("chromium")
        tab.goto(places(sites.copy, "file").page(ASK))
        found = said(tab)
        assert found["said"] != "answer" or "$212" in found["part"], (place, bit, found)
        tab.close()


def said(tab: Tab) -> dict[str, str]:
    """Ask if one can, and return what comes of it."""
    if not tab.evaluate(
        "() => Boolean(document.getElementById('alert') && document.getElementById('contact'))"
    ):
        return NOTHING
    if tab.evaluate("() => !document.getElementById('ask-form').hidden"):
        tab.evaluate(TYPE, QUESTION)
        tab.press("Enter")
    found: dict[str, str] = until(tab, SAID)
    return found
