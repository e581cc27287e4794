"""axe-core over every type of page in every language of the demonstration: it finds nothing."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.asking import ask, outcome
from tests.browser.browsers import ROOT, ChromiumTab
from tests.browser.conftest import Place

AXE = ROOT / "node_modules" / "axe-core"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (tags) => {
  const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  const told = found.violations.map((each) => [each.id, each.help, each.nodes.map((node) => node.html)]);
  return { version: axe.version, passes: found.passes.length, violations: told };
}"""
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


@pytest.fixture(scope="module", params=["light", "dark"])
def tab(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[ChromiumTab]:
    tab = ChromiumTab(chromium, color_scheme=request.param)
    yield tab
    tab.close()


def check(tab: ChromiumTab) -> None:
    """Run axe in the page and hold that it found nothing to object to."""
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]["axe-core"]
    assert AXE.is_dir(), "axe-core is missing: type `npm ci` in the repository"
    tab.page.evaluate((AXE / "axe.min.js").read_text(encoding="utf-8"))
    found = tab.evaluate(RUN, TAGS)
    assert found["version"] == version
    assert found["passes"] > 10
    assert found["violations"] == []


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
