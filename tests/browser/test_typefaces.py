"""Typefaces in real browsers: loaded from a folder and from a host, used for the letters they are for."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.browsers import Tab, until
from tests.browser.conftest import Place

LATIN, ARABIC = "Cairn Atkinson Hyperlegible Next", "Cairn Vazirmatn"
LIMIT = 150_000
"""Bytes a page loads without its engine, before compression."""

ENGINE = ("assets/parts/", "assets/run/", "assets/manifest.", "index.html?")

FACES = """() => document.fonts.status === "loaded" && [...document.fonts].map((face) => ({
  family: face.family.replaceAll('"', ""), weight: face.weight, status: face.status,
}))"""
WIDTHS = """([family, text]) => {
  const width = (stack) => {
    const box = document.createElement("span");
    box.style.cssText = `position: absolute; white-space: nowrap; font-size: 100px; font-family: ${stack}`;
    box.textContent = text;
    document.body.append(box);
    const found = box.getBoundingClientRect().width;
    box.remove();
    return found;
  };
  return [width(`"${family}", monospace`), width("monospace"), width(`"${family}", serif`), width("serif")];
}"""
STACK = "(query) => getComputedStyle(document.querySelector(query)).fontFamily.replaceAll('\"', '')"


def faces(tab: Tab) -> dict[tuple[str, str], str]:
    """Return family and weight of every face with its status, once nothing is loading."""
    return {(one["family"], one["weight"]): one["status"] for one in until(tab, FACES)}


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize(
    ("lang", "family", "text"), [("en", LATIN, "Ask 555-0142"), ("ar", ARABIC, "اسأل الوثائق")]
)
def test_a_page_is_drawn_in_its_typefaces_wherever_it_is_opened(
    browser: str,
    kind: str,
    lang: str,
    family: str,
    text: str,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab(browser)
    tab.goto(places(site, kind).page(f"{lang}/index.html"))
    found = faces(tab)
    assert found[family, "400"] == found[family, "700"] == "loaded"
    assert "error" not in found.values()
    first, fallback, second, other = tab.evaluate(WIDTHS, [family, text])
    assert first == second, "the fallback is not seen"
    assert fallback != first
    assert other != first
    assert tab.evaluate(STACK, "body").startswith(f"{family}, ")
    tab.close()


def test_a_name_in_another_script_is_drawn_in_its_own_typeface(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(site, "file").page("en/index.html"))
    assert faces(tab)[ARABIC, "400"] == "loaded"
    assert tab.evaluate(STACK, ".languages a[lang=ar]").startswith(f"{ARABIC}, {LATIN}, ")
    assert tab.evaluate(STACK, ".languages a[lang=es]").startswith(f"{LATIN}, ")
    tab.close()


def test_names_of_languages_stand_on_one_line(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(site, "file").page("en/contents.html"))
    faces(tab)
    base = """() => [...document.querySelectorAll(".languages li a")].map((link) => {
      const mark = document.createElement("img");
      link.append(mark);
      const bottom = mark.getBoundingClientRect().bottom;
      mark.remove();
      return bottom;
    })"""
    lines = tab.evaluate(base)
    assert len(lines) == 3
    assert max(lines) - min(lines) <= 1
    tab.close()


@pytest.mark.parametrize("lang", ["en", "es", "ar"])
@pytest.mark.parametrize("kind", ["file", "http"])
def test_what_a_page_loads_without_its_engine_is_light(
    lang: str, kind: str, site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(site, kind).page(f"{lang}/index.html"))
    faces(tab)
    loaded = {re.sub(r".*?/((?:assets|[a-z]{2})/.*)", r"\1", url.partition("?")[0]) for url in tab.requests()}
    own = {url for url in loaded if (site / url).is_file() and not url.startswith(ENGINE)}
    assert {url.rpartition(".")[2] for url in own} == {"html", "css", "js", "svg", "woff2"}
    assert sum((site / url).stat().st_size for url in own) <= LIMIT
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
def test_a_page_whose_typefaces_are_gone_is_drawn_in_those_of_the_system(
    kind: str,
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    gone = {path.relative_to(site).as_posix(): None for path in (site / "assets" / "fonts").iterdir()}
    tab = new_tab("chromium")
    tab.goto(places(variant({**gone}), kind).page("ar/index.html"))
    assert set(faces(tab).values()) <= {"error", "unloaded"}
    _, fallback, _, _ = tab.evaluate(WIDTHS, [ARABIC, "اسأل"])
    assert fallback > 0
    tab.close()
