"""axe-core over every type of page, in every language, colours and size of screen: it finds nothing, and
what it leaves for a person to look at is known.
"""

import json
from collections.abc import Callable, Iterator, Sequence
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
  const KEY_RULES = ["color-contrast", "label-content-name-mismatch"];
  document.body.getClientRects(); // begins the transitions of what the test has changed
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const shown = document.querySelector("dialog[open]") || document; // what lies behind a dialog is inert
  const found = await axe.run(shown, { runOnly: tags, resultTypes: ["violations", "incomplete"] });
  const told = found.violations.map((each) => [each.id, each.help, each.nodes.map((node) => node.html)]);
  // keys of one sign: too short to tell the contrast, which longer keys show; a word names them, not the sign
  const key = (rule, node) => KEY_RULES.includes(rule) && node.html.includes("data-char=");
  const left = (each) => each.nodes.filter((node) => !key(each.id, node));
  const named = (each) => left(each).map((node) => `${each.id} ${node.target.join(" ")}`);
  const open = found.incomplete.flatMap(named);
  return { version: axe.version, passes: found.passes.length, violations: told, incomplete: open };
}"""
BUTTONS = """() => Array.from(document.querySelectorAll("button, .button"), (each) => getComputedStyle(each))
  .filter((style) => style.color === style.backgroundColor).map((style) => style.color)"""
INCOMPLETE = {
    "frame-tested iframe": "the document in the panel is a page of its own, which has its own test",
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


def check(tab: ChromiumTab, screens: Sequence[tuple[int, int]] = SCREENS) -> None:
    """Run axe in the page in all colours and sizes, and hold that it found nothing to object to.

    In forced colours axe takes the author's colours for those the browser forces, and leaves their contrast
    open; BUTTONS holds that the forced ones differ.
    """
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]["axe-core"]
    assert AXE.is_dir(), "axe-core is missing: type `npm ci` in the repository"
    tab.page.evaluate((AXE / "axe.min.js").read_text(encoding="utf-8"))
    open_ones: dict[str, str] = {}
    for (scheme, forced), (width, height) in product(COLOURS, screens):
        tab.page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]  # two literals
        tab.page.set_viewport_size({"width": width, "height": height})
        found = tab.evaluate(RUN, TAGS)
        place = f"{scheme}, forced colours {forced}, {width} x {height}"
        assert found["version"] == version
        assert found["passes"] > 5, place
        assert found["violations"] == [], place
        assert tab.evaluate(BUTTONS) == [], place
        left = [each for each in found["incomplete"] if each not in INCOMPLETE]
        if forced == "active":
            left = [each for each in left if not each.startswith("color-contrast ")]
        open_ones |= dict.fromkeys(left, place)
    assert open_ones == {}


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
