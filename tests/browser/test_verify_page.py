"""The page that checks a copy: every fault it can see is named, and what it cannot see is said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.browsers import Tab, until
from tests.browser.conftest import Place

START = "() => document.getElementById('verify-start').click()"
END = """() => {
  const sentence = document.getElementById("verify-status").textContent;
  if (!sentence) return null;
  const lines = Array.from(document.querySelectorAll("#verify-faults li"), (line) => [
    line.dataset.path,
    line.dataset.outcome,
  ]);
  return { sentence, faults: Object.fromEntries(lines), notes: [
    !document.getElementById("verify-web").hidden,
    !document.getElementById("verify-folder").hidden,
  ] };
}"""
RIGHT = {
    "en": "Everything that can be checked here is as it was made.",
    "es": "Todo lo que se puede comprobar aquí está como se hizo.",
    "ar": "كل ما يمكن فحصه هنا كما صُنع.",
}
PAGE = "es/contents.html"
PART = "assets/parts/index.en.json"
SCRIPT = "assets/js/view.js"
STYLE = "assets/cairn.css"

Variant = Callable[[dict[str, bytes | None]], Path]
Places = Callable[[Path, str], Place]
NewTab = Callable[[str], Tab]


def checked(tab: Tab, place: Place, lang: str = "en") -> dict[str, object]:
    tab.goto(place.page(f"{lang}/verify.html"))
    tab.evaluate(START)
    found: dict[str, object] = until(tab, END)
    return found


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("kind", ["file", "http"])
def test_a_copy_as_it_was_made_is_right_in_the_language_of_the_page(
    browser: str, kind: str, site: Path, places: Places, new_tab: NewTab
) -> None:
    for lang, sentence in RIGHT.items():
        tab = new_tab(browser)
        found = checked(tab, places(site, kind), lang)
        assert str(found["sentence"]).startswith(sentence), found
        assert found["faults"] == {}
        assert found["notes"] == [kind == "http", kind == "file"]
        assert tab.evaluate("() => violations") == []
        tab.close()


def changed(path: Path) -> bytes:
    data = bytearray(path.read_bytes())
    place = next(at for at in range(len(data) // 2, len(data)) if chr(data[at]).isalnum())
    data[place] ^= 1
    return bytes(data)


def test_at_a_web_address_every_kind_of_fault_is_named(
    site: Path, variant: Variant, places: Places, new_tab: NewTab
) -> None:
    copy = variant(
        {
            PAGE: changed(site / PAGE),
            f"{PART}.gz": changed(site / f"{PART}.gz"),
            SCRIPT: changed(site / SCRIPT),
            STYLE: (site / STYLE).read_bytes().replace(b"\n", b"\r\n"),
            "en/topics.html": None,
            "licences/notice.txt": b"",
        }
    )
    tab = new_tab("chromium")
    assert checked(tab, places(copy, "http"))["faults"] == {
        PAGE: "changed",
        f"{PART}.gz": "changed",
        SCRIPT: "changed",
        STYLE: "changed",
        "en/topics.html": "missing",
        "licences/notice.txt": "changed",
    }
    tab.close()


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_from_a_folder_the_engine_and_the_scripts_are_compared_and_missing_pages_named(
    browser: str, site: Path, variant: Variant, places: Places, new_tab: NewTab
) -> None:
    copy = variant(
        {
            f"{PART}.js": changed(site / f"{PART}.js"),
            SCRIPT: changed(site / SCRIPT),
            "assets/js/start.js": changed(site / "assets/js/start.js"),
            "assets/run/worker.js": None,
            "assets/mark.svg": None,
            PAGE: None,
        }
    )
    tab = new_tab(browser)
    assert checked(tab, places(copy, "file"))["faults"] == {
        f"{PART}.js": "changed",
        SCRIPT: "changed",
        "assets/js/start.js": "changed",
        "assets/run/worker.js": "missing",
        "assets/mark.svg": "missing",
        PAGE: "missing",
    }
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize(
    ("content", "told"), [(None, "is missing"), (b"", "is not as it was made")], ids=["none", "empty"]
)
def test_a_copy_without_its_list_is_not_called_right(
    content: bytes | None, told: str, kind: str, variant: Variant, places: Places, new_tab: NewTab
) -> None:
    tab = new_tab("chromium")
    found = checked(tab, places(variant({"assets/files.js": content}), kind))
    assert "assets/files.js" in str(found["sentence"])
    assert told in str(found["sentence"])
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
def test_a_page_of_another_build_says_so(
    kind: str, site: Path, variant: Variant, places: Places, new_tab: NewTab
) -> None:
    page = (site / "en" / "verify.html").read_bytes()
    build = page.split(b'data-build="')[1][:16]
    tab = new_tab("chromium")
    copy = variant({"en/verify.html": page.replace(build, b"fedcba9876543210")})
    assert "mixes files of different versions" in str(checked(tab, places(copy, kind))["sentence"])
    tab.close()


def test_without_scripts_the_page_says_what_it_needs(site: Path) -> None:
    page = (site / "en" / "verify.html").read_text(encoding="utf-8")
    assert "This check needs JavaScript." in page.split("<noscript>")[1].split("</noscript>")[0]
