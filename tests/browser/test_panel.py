"""A document opened from an answer: in a panel, at its passage, and back with nothing lost."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.asking import ask, outcome, ready, words
from tests.browser.browsers import Tab, until
from tests.browser.conftest import Place

QUESTIONS = {
    "en": "How much is the monthly grocery allowance for one person?",
    "ar": "ما هو الموعد النهائي لتقديم طلب منحة السكن؟",
}
OPEN = """() => {
  const link = document.querySelector("#answer-body .quote-source a");
  link.focus();
  link.click();
  return history.length;
}"""
ARRIVED = """() => {
  const target = document.querySelector(":target");
  const passage = target && target.closest(".passage");
  if (!passage || document.activeElement !== passage) return null;
  const box = passage.getBoundingClientRect();
  return {
    text: passage.textContent, top: box.top, inside: box.top < innerHeight,
    outline: parseFloat(getComputedStyle(passage).outlineWidth),
    header: getComputedStyle(document.querySelector(".site-header")).display,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}"""
PANEL = """() => ({
  open: !document.getElementById("panel").hidden,
  asking: !document.getElementById("asking").hidden,
  question: document.getElementById("question").value,
  engine: document.documentElement.dataset.engine,
  history: history.length,
  focus: document.activeElement.localName,
  frames: document.querySelectorAll("iframe").length,
})"""
ESCAPE = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
}"""
FOLD = "<details><summary>More</summary>"


@pytest.fixture(
    scope="module",
    params=[(browser, kind) for browser in ("chromium", "firefox") for kind in ("file", "http")],
)
def place(
    request: pytest.FixtureRequest,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> Iterator[tuple[Place, Tab]]:
    browser, kind = request.param
    tab = new_tab(browser)
    yield places(site, kind), tab
    tab.close()


@pytest.mark.parametrize("lang", QUESTIONS)
def test_the_document_opens_at_its_passage_and_nothing_is_lost(lang: str, place: tuple[Place, Tab]) -> None:
    where, tab = place
    tab.goto(where.page(f"{lang}/index.html"))
    ready(tab)
    quoted = ask(tab, QUESTIONS[lang]).quotes[0]
    before = tab.evaluate(OPEN)
    arrived = until_inside(tab, ARRIVED)
    assert words(arrived["text"]) == words(quoted["text"])
    assert arrived["top"] >= 0
    assert arrived["inside"]
    assert arrived["outline"] >= 2
    assert arrived["header"] == "none"
    assert arrived["wide"] <= 0
    shown = tab.evaluate(PANEL)
    assert (shown["open"], shown["asking"], shown["frames"]) == (True, False, 1)
    assert shown["engine"] == "ready"
    tab.evaluate("() => document.getElementById('panel-back').click()")
    back = tab.evaluate(PANEL)
    assert (back["open"], back["asking"], back["frames"], back["focus"]) == (False, True, 0, "a")
    assert back["question"] == QUESTIONS[lang]
    assert back["history"] == before
    assert outcome(tab).quotes == [quoted]
    assert tab.evaluate("() => violations") == []


def test_links_inside_leave_no_history_and_escape_goes_back(place: tuple[Place, Tab]) -> None:
    where, tab = place
    tab.goto(where.page("en/index.html"))
    ready(tab)
    ask(tab, QUESTIONS["en"])
    before = tab.evaluate(OPEN)
    until_inside(tab, ARRIVED)
    tab.inside("() => { document.querySelector('.translations a').click(); }")
    assert until_inside(
        tab, "() => document.documentElement.lang !== 'en' && document.readyState === 'complete'"
    )
    assert tab.evaluate("() => history.length") == before
    until_inside(tab, "() => 'framed' in document.documentElement.dataset")
    tab.inside(ESCAPE)
    until(tab, "() => document.getElementById('panel').hidden")


def test_the_same_address_works_by_itself(place: tuple[Place, Tab]) -> None:
    where, tab = place
    tab.goto(where.page("en/index.html"))
    ready(tab)
    link = ask(tab, QUESTIONS["en"]).quotes[0]["link"]
    tab.goto(link)
    arrived = until(tab, ARRIVED)
    assert arrived["outline"] >= 2
    assert arrived["header"] != "none"


def test_what_folds_the_passage_away_is_opened(
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    name = "en/grocery-allowance.html"
    page = (site / name).read_text(encoding="utf-8")
    folded = page.replace('<div class="content">', f'<div class="content">{FOLD}{FOLD}', 1)
    folded = folded.replace(
        '<footer class="document-end">', '</details></details><footer class="document-end">', 1
    )
    tab = new_tab("chromium")
    where = places(variant({name: folded.encode()}), "file")
    anchor = page.split('<div class="passage" id="')[2].partition('"')[0]
    tab.goto(where.page(f"{name}#{anchor}"))
    assert until(tab, ARRIVED)["outline"] >= 2
    assert (
        tab.evaluate("() => Array.from(document.querySelectorAll('details'), (each) => each.open)")
        == [True] * 2
    )
    tab.close()


def until_inside(tab: Tab, code: str) -> dict[str, object]:
    """Return the first truthy value of a function in the page's frame."""

    class Frame:
        def evaluate(self, code: str, argument: object = None) -> object:
            try:
                return tab.inside(code, argument)
            except Exception as error:  # a frame between two documents has no context
                if any(sign in str(error) for sign in ("context", "navigat", "detached", "is null")):
                    return None
                raise

    found: dict[str, object] = until(Frame(), code)  # type: ignore[arg-type]  # all that `until` uses of a tab
    return found
