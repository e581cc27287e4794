"""axe-core over every type of page, in every language, colours and size of screen: it finds nothing, and
what it leaves for a person to look at is known.
"""

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.asking import ask, outcome
from tests.browser.browsers import ROOT, ChromiumTab
from tests.browser.conftest import Place

AXE = ROOT / "node_modules" / "axe-core"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCREENS = ((320, 640), (1280, 800), (1080, 1920))
COLOURS = (("light", "none"), ("dark", "none"), ("light", "active"))
"""Colour scheme, forced colours."""

RUN = """async (tags) => {
  document.body.getClientRects(); // begins the transitions of what the test has changed
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations", "incomplete"] });
  const told = found.violations.map((each) => [each.id, each.help, each.nodes.map((node) => node.html)]);
  const named = (each) => each.nodes.map((node) => `${each.id} ${node.target.join(" ")}`);
  const open = found.incomplete.flatMap(named);
  return { version: axe.version, passes: found.passes.length, violations: told, incomplete: open };
}"""
BUTTONS = """() => Array.from(document.querySelectorAll("button"), (each) => getComputedStyle(each))
  .filter((style) => style.color === style.backgroundColor).map((style) => style.color)"""
FORCED = (
    "axe takes the author's colour for the one the browser forces; BUTTONS holds that the forced ones differ"
)
INCOMPLETE = {
    "color-contrast #ask-button": FORCED,
    'color-contrast #alert > .button[type="button"]': FORCED,
}
"""Rule and element that axe leaves to a person -> why it is right."""

PROBES = {
    "en": ("How much is the monthly grocery allowance for one person?", "What is the capital of France?"),
    "es": ("Cuanto cubre la subvencion de alivio de vivienda?", "Cual es la capital de Francia?"),
    "ar": ("ما المبلغ الذي تغطيه منحة إغاثة السكن؟", "ما هي عاصمة فرنسا؟"),
}
PAGES = ["index.html"] + [
    f"{lang}/{page}.html"
    for lang in PROBES
    for page in ("index", "contents", "topics", "grocery-allowance", "utility-credit")
]


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[ChromiumTab]:
    tab = ChromiumTab(chromium)
    yield tab
    tab.close()


def check(tab: ChromiumTab) -> None:
    """Run axe in the page in all colours and sizes, and hold that it found nothing to object to."""
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]["axe-core"]
    assert AXE.is_dir(), "axe-core is missing: type `npm ci` in the repository"
    tab.page.evaluate((AXE / "axe.min.js").read_text(encoding="utf-8"))
    for (scheme, forced), (width, height) in product(COLOURS, SCREENS):
        tab.page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]  # two literals
        tab.page.set_viewport_size({"width": width, "height": height})
        found = tab.evaluate(RUN, TAGS)
        place = f"{scheme}, forced colours {forced}, {width} x {height}"
        assert found["version"] == version
        assert found["passes"] > 10, place
        assert found["violations"] == [], place
        assert tab.evaluate(BUTTONS) == [], place
        assert [each for each in found["incomplete"] if each not in INCOMPLETE] == [], place


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_violation(
    page: str, site: Path, places: Callable[[Path, str], Place], tab: ChromiumTab
) -> None:
    tab.goto(places(site, "file").page(page))
    check(tab)


@pytest.mark.parametrize("lang", PROBES)
def test_an_answer_and_a_refusal_have_no_violation(
    lang: str, site: Path, places: Callable[[Path, str], Place], tab: ChromiumTab
) -> None:
    tab.goto(places(site, "file").page(f"{lang}/index.html"))
    answered, refused = PROBES[lang]
    assert ask(tab, answered).answered
    check(tab)
    assert ask(tab, refused).refused
    check(tab)


@pytest.mark.parametrize("lang", PROBES)
def test_a_failure_has_no_violation(
    lang: str,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    tab: ChromiumTab,
) -> None:
    tab.goto(places(variant({"assets/manifest.js": None}), "file").page(f"{lang}/index.html"))
    assert outcome(tab).code == "missing"
    check(tab)
