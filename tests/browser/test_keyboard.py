"""The on-screen keyboard of a kiosk: it types, has a name for every key, and goes by arrow keys."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.browsers import Tab, until
from tests.browser.conftest import Place
from tests.browser.test_kiosk import SCREEN, START


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
