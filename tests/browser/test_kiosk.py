"""A kiosk: the first screen, its keyboard, and that nothing of a person is left after them."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from tests.browser.asking import OUTCOME, TYPE, ready
from tests.browser.browsers import ChromiumTab, Tab, until
from tests.browser.conftest import Place
from tests.browser.test_panel import until_inside

CANARY = "canarybird"
PORTRAIT, LANDSCAPE = (1080, 1920), (1920, 1080)
QUESTION = f"How much is the monthly grocery allowance for one person {CANARY}?"
START = "() => { document.getElementById('attract-start').click(); }"
SCREEN = "(name) => document.documentElement.dataset.screen === name"
OPEN_LINK = "() => { document.querySelector('#answer-body a[href]').click(); }"
TRACES = """async (word) => {
  const fields = Array.from(document.querySelectorAll("input, textarea"), (field) => field.value);
  const stored = [];
  for (const kind of ["localStorage", "sessionStorage"]) {
    try {
      stored.push(...Object.keys(globalThis[kind]));
    } catch {
      // about:blank has none
    }
  }
  try {
    stored.push(...(await indexedDB.databases()).map((each) => each.name), ...(await caches.keys()));
  } catch {
    // nor some origins
  }
  let cookie = "";
  try {
    cookie = document.cookie;
  } catch {
    // nor some documents
  }
  const held = [document.documentElement.outerHTML, ...fields, location.href, name];
  held.push(JSON.stringify(history.state));
  return { held: held.filter((text) => text.includes(word)).length, stored, cookie };
}"""
NOTHING = {"held": 0, "stored": [], "cookie": ""}
SMALL_TARGETS = """(least) => {
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".skip");
  const small = [];
  for (const node of document.querySelectorAll("a[href], button, summary, textarea, input")) {
    const box = node.getBoundingClientRect();
    if (shown(node) && box.width && Math.min(box.width, box.height) < least - 0.01) {
      small.push([node.outerHTML.slice(0, 120), box.width, box.height]);
    }
  }
  return small;
}"""
MAIN = "#ask-button, #start-over, #attract-start, #panel-back, #change-question, .example"
MAIN_ACTIONS = """(actions) => Array.from(
  document.querySelectorAll(actions),
  (node) => [node.id, node.getBoundingClientRect().height, node.checkVisibility()],
).filter(([, , shown]) => shown)"""


@pytest.fixture(scope="module")
def hasty(kiosk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same kiosk with an idle time of a moment."""
    folder = tmp_path_factory.mktemp("hasty") / "site"
    shutil.copytree(kiosk, folder)
    for path in folder.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        html = html.replace('data-idle="90" data-warning="30"', 'data-idle="1" data-warning="1"')
        path.write_text(html, encoding="utf-8", newline="\n")
    return folder


@pytest.fixture
def tab(request: pytest.FixtureRequest, new_tab: Callable[[str], Tab]) -> Iterator[Tab]:
    opened = new_tab(getattr(request, "param", "chromium"))
    yield opened
    opened.close()


def settled(tab: Tab, code: str, argument: object = None) -> object:
    """Evaluate in a page that may be on its way to another one.

    A driver that has lost the document for good can tell nothing, and the test is skipped.
    """
    lost = False

    class Between:
        def evaluate(self, code: str, argument: object = None) -> object:
            nonlocal lost
            try:
                found = tab.evaluate(code, argument)
            except (Error, RuntimeError):  # the document went away under the question
                lost = True
                return None
            lost = False
            return found

    try:
        return until(Between(), code, argument)  # type: ignore[arg-type]  # all that `until` uses of a tab
    except AssertionError:
        if lost:
            pytest.skip("the driver lost the document on the way back")
        raise


def person(tab: Tab) -> None:
    """Start, ask about the canary, read what is said, open a document."""
    tab.evaluate(START)
    tab.evaluate(TYPE, QUESTION)
    tab.press("Enter")
    assert until(tab, OUTCOME)["answered"]
    assert tab.evaluate(TRACES, CANARY)["held"] > 0
    tab.evaluate(OPEN_LINK)
    until_inside(tab, "() => 'framed' in document.documentElement.dataset")


def nothing_is_left(tab: Tab) -> None:
    assert tab.evaluate(TRACES, CANARY) == NOTHING
    for _ in range(5):
        with suppress(Error, RuntimeError):  # the document goes away under the question
            tab.evaluate("() => { history.back(); }")
        settled(tab, "() => document.readyState === 'complete'")
        assert settled(tab, TRACES, CANARY) == NOTHING


@pytest.mark.parametrize("tab", ["chromium", "firefox"], indirect=True)
@pytest.mark.parametrize("kind", ["file", "http"])
def test_after_start_over_nothing_of_the_question_is_anywhere(
    kind: str, kiosk: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    place = places(kiosk, kind)
    tab.goto(place.page("en/contents.html"))
    tab.goto(place.page("en/index.html"))
    ready(tab)
    person(tab)
    tab.evaluate("() => { document.getElementById('start-over').click(); }")
    until(tab, SCREEN, "attract")
    assert tab.evaluate("() => document.documentElement.dataset.engine") == "ready"
    assert tab.evaluate("() => document.activeElement.id") == "attract-start"
    assert tab.evaluate("() => document.querySelectorAll('iframe').length") == 0
    assert tab.evaluate(TRACES, CANARY) == NOTHING
    with suppress(Error, RuntimeError):
        tab.evaluate("() => { location.reload(); }")
    settled(tab, "() => document.readyState === 'complete'")
    assert settled(tab, TRACES, CANARY) == NOTHING
    tab.goto(place.page("en/topics.html"))
    nothing_is_left(tab)


@pytest.mark.parametrize("tab", ["chromium", "firefox"], indirect=True)
def test_leaving_the_page_without_start_over_leaves_nothing_either(
    kiosk: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    place = places(kiosk, "file")
    tab.goto(place.page("en/index.html"))
    ready(tab)
    person(tab)
    tab.goto(place.page("en/contents.html"))
    nothing_is_left(tab)


@pytest.mark.parametrize("tab", ["chromium", "firefox"], indirect=True)
def test_when_nobody_is_there_any_more_the_page_asks_says_so_twice_and_wipes(
    hasty: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(hasty, "file").page("en/index.html"))
    ready(tab)
    tab.evaluate(
        """() => {
          globalThis.said = [];
          new MutationObserver(() => {
            const text = document.getElementById("idle-status").textContent;
            if (text) said.push(text);
          }).observe(document.getElementById("idle-status"), { childList: true });
        }"""
    )
    tab.evaluate(START)
    tab.evaluate(TYPE, QUESTION)
    until(tab, "() => document.getElementById('idle').open")
    assert tab.evaluate("() => document.activeElement.id") == "idle-more"
    assert tab.evaluate("() => document.getElementById('idle-counter').getAttribute('aria-hidden')") == "true"
    until(tab, SCREEN, "attract")
    assert tab.evaluate("() => said") == [
        "Your question is cleared in 30 seconds.",
        "Your question is cleared in 15 seconds.",
    ]
    assert tab.evaluate(TRACES, CANARY) == NOTHING
    assert not tab.evaluate("() => document.getElementById('idle').open")


def test_more_time_can_be_had_as_often_as_it_takes(
    hasty: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(hasty, "file").page("es/index.html"))
    tab.evaluate(START)
    tab.evaluate(TYPE, QUESTION)
    for _ in range(11):
        until(tab, "() => document.getElementById('idle').open")
        tab.evaluate("() => { document.getElementById('idle-more').click(); }")
        assert tab.evaluate("() => document.getElementById('question').value") == QUESTION


def test_a_document_page_left_alone_goes_back_to_the_first_screen(
    hasty: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(hasty, "file").page("ar/grocery-allowance.html"))
    settled(tab, "() => location.pathname.endsWith('/ar/index.html')")
    settled(tab, SCREEN, "attract")


@pytest.mark.parametrize(("lang", "direction"), [("en", "ltr"), ("es", "ltr"), ("ar", "rtl")])
def test_the_first_screen_greets_in_every_language_and_start_is_the_first_stop(
    lang: str, direction: str, kiosk: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(kiosk, "file").page(f"{lang}/index.html"))
    until(tab, SCREEN, "attract")
    tab.press("Tab")
    assert tab.evaluate("() => document.activeElement.matches('.greetings .button')")
    greetings = tab.evaluate(
        "() => Array.from(document.querySelectorAll('.greetings li'), (item) => [item.lang, item.dir])"
    )
    assert greetings == [["en", "ltr"], ["es", "ltr"], ["ar", "rtl"]]
    assert (
        tab.evaluate("() => getComputedStyle(document.getElementById('attract-start')).direction")
        == direction
    )
    other = "es" if lang == "en" else "en"
    tab.evaluate("(lang) => { document.querySelector(`.greetings a[hreflang=${lang}]`).click(); }", other)
    settled(tab, f"() => document.documentElement.lang === '{other}'")
    settled(tab, SCREEN, "asking")


@pytest.mark.parametrize("lang", ["en", "es", "ar"])
@pytest.mark.parametrize("size", [PORTRAIT, LANDSCAPE], ids=["portrait", "landscape"])
def test_what_is_pressed_is_large_enough_and_within_reach(
    lang: str, size: tuple[int, int], kiosk: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium, viewport={"width": size[0], "height": size[1]})
    place = places(kiosk, "file")
    tab.goto(place.page(f"{lang}/index.html"))
    ready(tab)
    assert tab.evaluate(SMALL_TARGETS, 44) == []
    tab.evaluate(START)
    if size == PORTRAIT:
        tops = tab.evaluate(
            "() => ['keyboard', 'ask-button', 'start-over'].map("
            "(id) => document.getElementById(id).getBoundingClientRect().top)"
        )
        assert min(tops) >= size[1] / 2
    assert tab.evaluate(SMALL_TARGETS, 44) == []
    tab.evaluate(TYPE, "555-0142")
    tab.press("Enter")
    until(tab, OUTCOME)
    assert tab.evaluate(SMALL_TARGETS, 44) == []
    assert [row for row in tab.evaluate(MAIN_ACTIONS, MAIN) if row[1] < 56] == []
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for page in ("contents", "topics", "grocery-allowance"):
        tab.goto(place.page(f"{lang}/{page}.html"))
        assert tab.evaluate(SMALL_TARGETS, 44) == []
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    tab.close()


def test_larger_text_is_larger_and_goes_back_for_the_next_person(
    kiosk: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(kiosk, "file").page("en/index.html"))
    until(tab, SCREEN, "attract")
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    usual = tab.evaluate(size)
    tab.evaluate("() => { document.getElementById('larger-text').click(); }")
    assert tab.evaluate(size) > 1.2 * usual
    assert tab.evaluate("() => document.getElementById('larger-text').getAttribute('aria-pressed')") == "true"
    tab.evaluate("() => { document.getElementById('start-over').click(); }")
    assert tab.evaluate(size) == usual
