"""With JavaScript off every document and every human contact is reachable by links."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.browsers import ChromiumTab
from tests.browser.conftest import Place

LINKS = "() => Array.from(document.querySelectorAll('a[href]'), (link) => link.href)"
CONTACT = "() => document.body.innerText.includes('555-0142')"


@pytest.mark.parametrize("kind", ["file", "http"])
def test_a_crawl_from_the_first_page_reaches_every_page_and_each_shows_the_contact(
    kind: str, site: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    place = places(site, kind)
    tab = ChromiumTab(chromium, java_script_enabled=False)
    waiting, reached = [place.page("index.html")], set[str]()
    while waiting:
        url = waiting.pop()
        if url in reached or not url.startswith(place.url) or not url.endswith(".html"):
            continue
        reached.add(url)
        tab.goto(url)
        assert tab.evaluate(CONTACT), url
        waiting += [link.partition("#")[0] for link in tab.evaluate(LINKS)]
    expected = {place.page(path.relative_to(site).as_posix()) for path in site.rglob("*.html")}
    assert reached == expected
    tab.close()


def test_the_ask_page_says_that_asking_needs_javascript_and_shows_no_dead_form(
    site: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium, java_script_enabled=False)
    for lang in ("en", "es", "ar"):
        tab.goto(places(site, "file").page(f"{lang}/index.html"))
        assert tab.page.locator("noscript .notice, noscript p").first.is_visible()
        assert not tab.page.locator("#ask-form").is_visible()
    tab.close()
