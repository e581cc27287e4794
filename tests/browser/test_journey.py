"""The whole way by keyboard, and narrow pages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.asking import OUTCOME, ask, ready
from tests.browser.browsers import ChromiumTab, Tab, until
from tests.browser.conftest import Place
from tests.browser.test_axe import PROBES, check
from tests.browser.test_kiosk import SMALL_TARGETS, START
from tests.browser.test_panel import ARRIVED, until_inside

RING = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const style = getComputedStyle(node);
  const box = node.getBoundingClientRect();
  return {
    id: node.id || node.className || node.localName,
    link: node.localName === "a" && Boolean(node.closest(".quote-source")),
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
  };
}"""
WIDTH = "() => [document.documentElement.scrollWidth, innerWidth]"
KIOSK_SCREEN = (1080, 1920)


def stops(tab: Tab, wanted: Callable[[dict[str, object]], object]) -> list[dict[str, object]]:
    """Press Tab until a stop is the wanted one, and return all stops on the way."""
    found: list[dict[str, object]] = []
    for _ in range(60):
        tab.press("Tab")
        stop = tab.evaluate(RING)
        if stop:
            found.append(stop)
            if wanted(stop):
                return found
    raise AssertionError(f"never reached: {[stop['id'] for stop in found]}")


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("kind", ["file", "http"])
def test_the_whole_way_goes_by_keyboard_with_a_ring_at_every_stop(
    browser: str, kind: str, site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab(browser)
    tab.goto(places(site, kind).page("en/index.html"))
    ready(tab)
    way = stops(tab, lambda stop: stop["id"] == "question")
    tab.evaluate("(text) => { document.activeElement.value = text; }", PROBES["en"][0])
    way += stops(tab, lambda stop: stop["id"] == "ask-button")
    tab.press("Enter")
    assert until(tab, OUTCOME)["answered"]
    assert tab.evaluate(RING)["id"] == "ask-button"
    way += stops(tab, lambda stop: stop["link"])
    tab.press("Enter")
    until_inside(tab, ARRIVED)
    tab.press("Escape")
    until(tab, "() => document.getElementById('panel').hidden")
    back = tab.evaluate(RING)
    assert back["link"]
    way += stops(tab, lambda stop: stop["id"] == "summary")
    tab.press("Enter")
    assert until(tab, "() => document.querySelector('.why').open")
    assert [stop for stop in [*way, back] if not stop["ring"] or not stop["seen"]] == []
    tab.close()


@pytest.mark.parametrize("lang", PROBES)
def test_at_320_pixels_nothing_scrolls_sideways_and_every_target_has_24(
    lang: str, site: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium, viewport={"width": 320, "height": 640})
    place = places(site, "file")
    tab.goto(place.page(f"{lang}/index.html"))
    ready(tab)
    for question in PROBES[lang]:
        ask(tab, question)
        tab.evaluate("() => { document.querySelector('.why').open = true; }")
        assert tab.evaluate(WIDTH) == [320, 320]
        assert tab.evaluate(SMALL_TARGETS, 24) == []
    ask(tab, PROBES[lang][0])
    tab.evaluate("() => { document.querySelector('#answer-body .quote-source a').click(); }")
    assert until_inside(tab, ARRIVED)["wide"] == 0
    assert tab.evaluate(WIDTH) == [320, 320]
    assert tab.evaluate(SMALL_TARGETS, 24) == []
    check(tab)
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_urgent_help_reasons_and_ways_on_have_no_violation(
    scheme: str, showcase: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium, color_scheme=scheme)
    tab.goto(places(showcase, "file").page("en/index.html"))
    ready(tab)
    for question in ("I want to die", "How do I renew my passport online?"):
        ask(tab, question)
        tab.evaluate("() => { document.querySelector('.why').open = true; }")
        check(tab)
    tab.close()


@pytest.mark.parametrize("lang", PROBES)
def test_no_screen_of_a_kiosk_has_a_violation(
    lang: str, kiosk: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium, viewport={"width": 1080, "height": 1920})
    tab.goto(places(kiosk, "file").page(f"{lang}/index.html"))
    ready(tab)
    check(tab, [KIOSK_SCREEN])
    tab.evaluate(START)
    check(tab, [KIOSK_SCREEN])
    tab.evaluate("() => { document.getElementById('idle').showModal(); }")
    check(tab, [KIOSK_SCREEN])
    tab.close()
