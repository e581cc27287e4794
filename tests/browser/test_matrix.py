"""The corruption matrix: each kind of file, each fault, from a folder and over http.

The page says which file is at fault or answers rightly; never a wrong answer, never an endless wait.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from builder.project import load_project
from builder.site import Options, build
from tests.browser.asking import TYPE
from tests.browser.browsers import Tab, until
from tests.browser.conftest import ROOT, Place

HTML = b"<!doctype html><html><title>404</title><h1>Not found</h1></html>"
QUESTION = "How much is the monthly grocery allowance for one person?"
ASK = "en/index.html"
# The notice in the page shows by itself after a while; the test does not wait for that while.
SAID = """() => {
  const late = document.getElementById("not-started");
  if (late) document.getAnimations().forEach((animation) => animation.finish());
  const alert = document.getElementById("alert");
  if (late) return { said: getComputedStyle(late).visibility === "visible" ? "page" : "", part: "" };
  if (alert.childElementCount) return { said: alert.dataset.code, part: alert.dataset.part };
  if (document.getElementById("answer").hidden) return null;
  return { said: "answer", part: document.querySelector("#answer-body .quote")?.textContent || "" };
}"""

Fault = Callable[[bytes, bytes | None], bytes | None]


def missing(data: bytes, previous: bytes | None) -> None:
    return None


def truncated(data: bytes, previous: bytes | None) -> bytes:
    return data[: len(data) // 2]


def emptied(data: bytes, previous: bytes | None) -> bytes:
    return b""


def one_bit_flipped(data: bytes, previous: bytes | None) -> bytes:
    """Flip a bit in the middle, of a letter or digit: base64 and scripts stay what they look like."""
    changed, place = bytearray(data), len(data) // 2
    while not chr(changed[place]).isalnum() or not chr(changed[place] ^ 1).isalnum():
        place += 1
    changed[place] ^= 1
    return bytes(changed)


def html_instead(data: bytes, previous: bytes | None) -> bytes:
    return HTML


def of_the_previous_build(data: bytes, previous: bytes | None) -> bytes:
    return data if previous is None else previous


FAULTS: tuple[Fault, ...] = (
    missing,
    truncated,
    emptied,
    one_bit_flipped,
    html_instead,
    of_the_previous_build,
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
    if folder == "assets/js" or name == "assets/manifest.js":
        return f"script {file}"
    return "ask page" if name == ASK else "what the ask page does not need"


ROWS = (
    *(
        f"part {name}"
        for name in ("index.ar.json", "index.en.json", "index.es.json", "loader.js", "lock.json")
    ),
    *(f"part {name}" for name in ("pyodide.wasm", "runtime.js", "site.json", "snapshot.bin", "stdlib.zip")),
    "part worker.js",
    *(f"script {name}.js" for name in ("ask", "bytes", "engine", "hosts", "inflate", "sha256", "view")),
    "script manifest.js",
    "ask page",
    "what the ask page does not need",
)
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
    if not changed or row in UNUSED:
        return {"answer"}
    if kind == "part":
        said = "missing" if fault is missing else "damaged"
        return {said, "answer"} if name == "snapshot.bin" else {said}  # asking again starts from the bytecode
    if name == "manifest.js":
        return manifest_says(fault)
    return {"page"} if kind == "script" else {"page", "mixed", "nothing"}


def without_page(row: str, fault: Fault) -> bool:
    """Tell the cases in which nothing of ours is there to notice a fault.

    That is a page that is gone, and one changed bit in a script of the page, which no hash protects: a folder
    takes no integrity attributes. `python -m builder verify` finds both.
    """
    if row == "ask page":
        return fault in (missing, emptied, one_bit_flipped, html_instead)
    return row.startswith("script ") and row != "script manifest.js" and fault is one_bit_flipped


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
        if without_page(row, fault):
            continue
        changed = damaged(row, fault)
        tab = new_tab("chromium")
        tab.goto(places(sites.copy, kind).page(ASK))
        found = said(tab)
        assert found["said"] in allowed(row, fault, changed), (row, fault.__name__, found)
        if found["said"] == "answer":
            assert "$212" in found["part"], (row, fault.__name__, found)
        elif row.startswith("part "):
            assert found["part"] == row.removeprefix("part "), (row, fault.__name__, found)
        tab.close()


def said(tab: Tab) -> dict[str, str]:
    """Ask if one can, and return what comes of it."""
    if not tab.evaluate(
        "() => Boolean(document.getElementById('alert') && document.getElementById('contact'))"
    ):
        return {"said": "nothing", "part": ""}
    if tab.evaluate("() => !document.getElementById('ask-form').hidden"):
        tab.evaluate(TYPE, QUESTION)
        tab.press("Enter")
    found: dict[str, str] = until(tab, SAID)
    return found
