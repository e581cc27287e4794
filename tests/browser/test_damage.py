"""A copy of the site with one fault: the page says which, stays readable and never answers from it."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.payload import Part
from tests.browser.asking import ask, outcome
from tests.browser.browsers import Tab, until
from tests.browser.conftest import Place
from tests.browser.test_engine import QUESTION

Variant = Callable[[dict[str, bytes | None]], Path]
HTML = b"<!doctype html><html><title>404</title><h1>Not found</h1></html>"


def files(part: str) -> tuple[str, str]:
    return f"assets/parts/{part}.gz", f"assets/parts/{part}.js"


def one_bit_flipped(site: Path, part: str) -> dict[str, bytes | None]:
    """Return both forms of well-formed gzip bytes whose content differs in one bit."""
    content = bytearray(gzip.decompress((site / files(part)[0]).read_bytes()))
    content[len(content) // 2] ^= 1
    return {asset.url: asset.data for asset in Part.of(part, bytes(content)).assets()}


def one_digit_changed(site: Path, part: str) -> dict[str, bytes | None]:
    """Return both forms with one byte of the shipped file itself changed."""
    changes: dict[str, bytes | None] = {}
    for name in files(part):
        data = bytearray((site / name).read_bytes())
        data[len(data) // 2] = ord("A") if data[len(data) // 2] != ord("A") else ord("B")
        changes[name] = bytes(data)
    return changes


def truncated(site: Path, part: str) -> dict[str, bytes | None]:
    return {name: (site / name).read_bytes()[: (site / name).stat().st_size // 2] for name in files(part)}


def emptied(site: Path, part: str) -> dict[str, bytes | None]:
    return dict.fromkeys(files(part), b"")


def html_instead(site: Path, part: str) -> dict[str, bytes | None]:
    return dict.fromkeys(files(part), HTML)


def missing(site: Path, part: str) -> dict[str, bytes | None]:
    return dict.fromkeys(files(part))


FAULTS = [
    (one_bit_flipped, "pyodide.wasm", "damaged"),
    (one_bit_flipped, "index.en.json", "damaged"),
    (one_bit_flipped, "worker.js", "damaged"),
    (one_digit_changed, "snapshot.bin", "damaged"),
    (truncated, "index.es.json", "damaged"),
    (emptied, "lock.json", "damaged"),
    (html_instead, "site.json", "damaged"),
    (missing, "runtime.js", "missing"),
    (missing, "index.ar.json", "missing"),
]


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize(
    ("fault", "part", "code"), FAULTS, ids=[f"{part} {fault.__name__}" for fault, part, _ in FAULTS]
)
def test_a_faulty_part_is_named_and_nothing_is_answered(
    fault: Callable[[Path, str], dict[str, bytes | None]],
    part: str,
    code: str,
    kind: str,
    site: Path,
    variant: Variant,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(variant(fault(site, part)), kind).page("en/index.html"))
    found = outcome(tab)
    assert (found.code, found.part, found.answered) == (code, part, False)
    assert part in found.alert
    assert_readable(tab)
    tab.close()


TOLD = "() => document.getElementById('alert').childElementCount || null"


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize(
    ("fault", "part", "code"), [one for one in FAULTS if one[1] in ("index.es.json", "index.ar.json")]
)
def test_a_faulty_file_of_another_language_is_named_beside_the_right_answer(
    fault: Callable[[Path, str], dict[str, bytes | None]],
    part: str,
    code: str,
    kind: str,
    site: Path,
    variant: Variant,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(variant(fault(site, part)), kind).page("en/index.html"))
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    until(tab, TOLD)
    found = outcome(tab)
    assert (found.code, found.part, found.answered) == (code, part, True)
    assert part in found.alert
    tab.close()


def test_a_question_in_the_language_of_a_faulty_file_is_not_answered(
    site: Path, variant: Variant, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    folder = variant(missing(site, "index.es.json"))
    tab.goto(places(folder, "file").page("en/index.html"))
    found = ask(tab, "¿Cuánto es el subsidio mensual de alimentos para una persona?")
    assert (found.code, found.part, found.answered) == ("missing", "index.es.json", False)
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize(
    ("manifest", "code"),
    [(b"", "damaged"), (HTML, "damaged"), (None, "missing")],
    ids=["empty", "html", "none"],
)
def test_a_faulty_manifest_is_named(
    manifest: bytes | None,
    code: str,
    kind: str,
    variant: Variant,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(variant({"assets/manifest.js": manifest}), kind).page("es/index.html"))
    found = outcome(tab)
    assert (found.code, found.part, found.answered) == (code, "manifest.js", False)
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
def test_a_page_of_another_build_than_its_parts_says_so(
    kind: str,
    site: Path,
    variant: Variant,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    page = (site / "ar" / "index.html").read_bytes()
    build = page.split(b'data-build="')[1][:16]
    folder = variant({"ar/index.html": page.replace(build, b"fedcba9876543210")})
    tab = new_tab("chromium")
    tab.goto(places(folder, kind).page("ar/index.html"))
    found = outcome(tab)
    assert (found.code, found.answered) == ("mixed", False)
    assert_readable(tab)
    tab.close()


def assert_readable(tab: Tab) -> None:
    """The way to the documents and the human contact are there, and the failure is announced once."""
    assert tab.evaluate("() => document.querySelectorAll('#alert a').length") == 2
    assert tab.evaluate("() => document.querySelector('#browse a').getClientRects().length > 0")
    assert "555-0142" in tab.evaluate("() => document.getElementById('contact').innerText")
    assert tab.evaluate("() => document.getElementById('status').textContent") == ""
