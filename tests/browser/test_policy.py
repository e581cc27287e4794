"""The content security policy: exact on every page, and a page without WebAssembly says what forbids it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.asking import outcome
from tests.browser.browsers import Tab
from tests.browser.conftest import Place
from tests.browser.test_damage import assert_readable

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "style-src 'self'; font-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)


def test_every_page_carries_exactly_the_policy(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    found = {
        page: re.findall(
            r'<meta http-equiv="Content-Security-Policy" content="([^>]*)">', page.read_text(encoding="utf-8")
        )
        for page in pages
    }
    assert pages
    assert {page: policies for page, policies in found.items() if policies != [POLICY]} == {}


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("kind", ["file", "http"])
def test_where_webassembly_is_forbidden_the_page_names_the_security_setting(
    browser: str,
    kind: str,
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    page = (site / "en" / "index.html").read_bytes()
    folder = variant({"en/index.html": page.replace(b" 'wasm-unsafe-eval'", b"")})
    tab = new_tab(browser)
    tab.goto(places(folder, kind).page("en/index.html"))
    found = outcome(tab)
    assert (found.code, found.answered) == ("wasm", False)
    assert "security setting" in found.alert
    assert_readable(tab)
    tab.close()


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_a_page_from_a_folder_may_not_fetch_in_these_browsers_as_in_a_visitors(
    browser: str, site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab(browser)
    tab.goto(places(site, "file").page("en/contents.html"))
    code = "() => fetch('../assets/manifest.json').then(() => 'fetched', () => 'refused')"
    assert tab.evaluate(code) == "refused"
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
def test_what_a_script_of_the_page_may_not_do_is_refused(
    kind: str, site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(site, kind).page("en/contents.html"))
    refused = tab.evaluate(
        """async () => {
          const done = [];
          await fetch("https://example.org/").then(() => done.push("fetch"), () => {});
          const script = document.createElement("script");
          script.textContent = "globalThis.inline = true";
          document.head.append(script);
          if (globalThis.inline) done.push("inline");
          await new Promise((resolve) => {
            const image = new Image();
            image.onload = () => resolve(done.push("image"));
            image.onerror = resolve;
            image.src = "https://example.org/a.png";
          });
          return done;
        }"""
    )
    assert refused == []
    assert set(tab.evaluate("() => violations")) == {"connect-src", "script-src-elem", "img-src"}
    tab.close()
