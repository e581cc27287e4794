"""The on-screen keyboard of a kiosk: its keys are large enough, type, have names, and go by arrow keys."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.browsers import ChromiumTab, Tab, until
from tests.browser.conftest import Place, kiosk_site
from tests.browser.test_kiosk import SCREEN, START

SCREENS = {
    "upright": ((268, 476), (1080, 1920)),
    "lying": ((476, 268), (1920, 1080)),
    "low": ((223, 125), (1024, 600)),
}
"""Millimetres, pixels."""

BOXES = """() => {
  const keys = Array.from(document.querySelectorAll("#keyboard button"));
  const pressed = [...keys, document.getElementById("question"), document.getElementById("ask-button")];
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  return {
    keys: keys.map(box),
    seen: pressed.every((node) => box(node)[1] >= 0 && box(node)[3] <= innerHeight),
    cut: keys.filter((key) => key.scrollWidth > key.clientWidth).map((key) => key.textContent),
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}"""


@pytest.fixture(scope="module")
def low(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kiosk on a small screen that lies."""
    mm, pixels = SCREENS["low"]
    profile = f"screen_mm = {[*mm]}\nresolution = {[*pixels]}\n"
    return kiosk_site(profile, tmp_path_factory.mktemp("low"))


@pytest.mark.parametrize("lang", ["en", "es", "ar"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_key_is_as_large_as_a_fingertip_and_apart_from_the_next(
    screen: str,
    lang: str,
    request: pytest.FixtureRequest,
    places: Callable[[Path, str], Place],
    chromium: Browser,
) -> None:
    (width_mm, _), (width, height) = SCREENS[screen]
    site = request.getfixturevalue("low" if screen == "low" else "kiosk")
    tab = ChromiumTab(chromium, viewport={"width": width, "height": height})
    tab.goto(places(site, "file").page(f"{lang}/index.html"))
    until(tab, SCREEN, "attract")
    tab.evaluate(START)
    found = tab.evaluate(BOXES)
    least = 15 / (width_mm / width)
    boxes = found["keys"]
    assert all(min(right - left, bottom - top) >= least for left, top, right, bottom in boxes)
    gap = 2 / (width_mm / width)
    for one, other in itertools.combinations(boxes, 2):
        apart = max(other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3])
        assert apart >= gap - 0.01
    assert (found["seen"], found["cut"], found["wide"]) == (True, [], False)
    tab.close()


@pytest.fixture
def tab(new_tab: Callable[[str], Tab]) -> Tab:
    return new_tab("chromium")


@pytest.mark.parametrize(
    ("lang", "keys", "typed"),
    [("en", ["Capitals", "w", "h", "Question mark"], "Wh?"), ("es", ["ñ", "Espacio", "á"], "ñ á"),
     ("ar", ["س", "ؤ", "علامة استفهام"], "سؤ؟")],
)  # fmt: skip
def test_the_keyboard_types_what_its_keys_say(
    lang: str, keys: list[str], typed: str, kiosk: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(kiosk, "file").page(f"{lang}/index.html"))
    until(tab, SCREEN, "attract")
    tab.evaluate(START)
    press = """(name) => {
      const keys = Array.from(document.querySelectorAll("#keyboard button"));
      const named = (key) => key.getAttribute("aria-label") || key.dataset.char || key.textContent;
      keys.find((key) => named(key) === name).click();
    }"""
    for key in keys:
        tab.evaluate(press, key)
    assert tab.evaluate("() => document.getElementById('question').value") == typed
    tab.evaluate("() => { document.querySelector('#keyboard .key-wide:last-child').click(); }")
    assert tab.evaluate("() => document.getElementById('question').value") == typed[:-1]
    assert tab.evaluate("() => document.getElementById('question').inputMode") == "none"


@pytest.mark.parametrize(("lang", "forward"), [("en", "ArrowRight"), ("ar", "ArrowLeft")])
def test_the_keyboard_is_one_stop_and_arrows_go_to_the_key_that_is_seen_there(
    lang: str, forward: str, kiosk: Path, places: Callable[[Path, str], Place], tab: Tab
) -> None:
    tab.goto(places(kiosk, "file").page(f"{lang}/index.html"))
    until(tab, SCREEN, "attract")
    tab.evaluate(START)
    focus = "() => [document.activeElement.dataset.char || '', document.activeElement.id]"
    assert tab.evaluate(focus)[1] == "question"
    tab.press("Tab")
    assert tab.evaluate(focus)[0] == "1"
    tab.press(forward)
    assert tab.evaluate(focus)[0] == "2"
    tab.press("ArrowDown")
    assert tab.evaluate(focus)[0] == {"en": "w", "ar": "ص"}[lang]
    tab.press("Enter")
    assert tab.evaluate("() => document.getElementById('question').value") == {"en": "w", "ar": "ص"}[lang]
    tab.press("Tab")
    assert tab.evaluate(focus)[1] == "ask-button"
