"""The states a reader can find the page in: each says what it is, in every language, once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cairn_core.language import catalogue
from tests.browser.asking import OUTCOME, TYPE, ready
from tests.browser.browsers import ChromiumTab, until
from tests.browser.conftest import Place
from tests.browser.test_ask_page import LISTEN
from tests.browser.test_engine import FAULT, with_limits

LANGUAGES = ("en", "es", "ar")
ANSWERED = {
    "en": "How much is the monthly grocery allowance for one person?",
    "es": "Cuanto cubre la subvencion de alivio de vivienda?",
    "ar": "ما هو الموعد النهائي لتقديم طلب منحة السكن؟",
}
REFUSED = {
    "en": "What is the capital of France?",
    "es": "Cual es la capital de Francia?",
    "ar": "ما هي عاصمة فرنسا؟",
}
FOREIGN = {"es": "¿Cuánto cuesta el GoPass?", "ar": "GoPass"}
SAID = "() => said"
LISTEN_FIRST = f"document.addEventListener('readystatechange', {LISTEN}, {{ once: true }});"
"""From before the first script of the page has run."""
STATUS = "() => document.getElementById('status').textContent"

type Open = Callable[..., ChromiumTab]


@pytest.fixture
def opened(
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    chromium: Browser,
) -> Iterator[Open]:
    """Open the ask page of a language, with changes to its files or its data, and a fault in its worker."""
    tabs: list[ChromiumTab] = []

    def open_page(
        lang: str,
        *,
        files: dict[str, bytes | None] | None = None,
        change: tuple[str, str] | None = None,
        limits: dict[str, int] | None = None,
        fault: dict[str, object] | None = None,
    ) -> ChromiumTab:
        changes = dict(files or {})
        name = f"{lang}/index.html"
        html = (site / name).read_text(encoding="utf-8")
        if change:
            assert change[0] in html
            changes[name] = html.replace(*change).encode()
        if limits:
            changes[name] = with_limits(html, limits)[1].encode()
        tabs.append(ChromiumTab(chromium))
        tabs[-1].page.add_init_script(LISTEN_FIRST)
        if fault:
            tabs[-1].page.add_init_script(f"({FAULT})({fault})".replace("'", '"'))
        tabs[-1].goto(places(variant(changes) if changes else site, "file").page(f"{lang}/index.html"))
        return tabs[-1]

    yield open_page
    for tab in tabs:
        tab.close()


def told(tab: ChromiumTab) -> str:
    """Return what the page says of a failure, which is the one thing it has announced."""
    found = until(tab, OUTCOME)
    assert [region for region, _ in tab.evaluate(SAID)] == ["alert"]
    assert tab.evaluate(STATUS) == ""
    text: str = found["alert"]
    return text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_not_ready(lang: str, opened: Open) -> None:
    tab = opened(lang)
    tab.evaluate(TYPE, ANSWERED[lang])
    tab.press("Enter")
    queued = catalogue(lang).text("ask.queued")
    found = until(tab, OUTCOME)
    assert tab.evaluate(SAID) == [["status", queued], ["status", found["status"]]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_slow(lang: str, opened: Open) -> None:
    tab = opened(lang, limits={"slow": 1})
    seen = """(text) => {
      const shown = document.getElementById("engine-text");
      globalThis.slowSeen = globalThis.slowSeen || shown.textContent === text;
      return globalThis.slowSeen || document.documentElement.dataset.engine === "ready";
    }"""
    assert until(tab, seen, catalogue(lang).text("boot.slow"))
    assert tab.evaluate("() => globalThis.slowSeen")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_webassembly_off(lang: str, opened: Open) -> None:
    assert catalogue(lang).text("error.wasm") in told(opened(lang, change=(" 'wasm-unsafe-eval'", "")))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_damaged(lang: str, opened: Open) -> None:
    said = told(opened(lang, files={"assets/parts/site.json.js": b""}))
    assert said.startswith(catalogue(lang).text("error.heading"))
    assert catalogue(lang).text("error.damaged", part="site.json") in said.replace("\u2068", "")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_mixed_builds(lang: str, opened: Open, site: Path) -> None:
    html = (site / lang / "index.html").read_text(encoding="utf-8")
    build = html.partition('data-build="')[2].partition('"')[0]
    tab = opened(lang, change=(f'data-build="{build}"', f'data-build="{"0" * len(build)}"'))
    assert catalogue(lang).text("error.mixed") in told(tab)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_damaged_script_is_told_once_too(lang: str, opened: Open) -> None:
    said = told(opened(lang, files={"assets/js/view.js": b"cairn.scripts = {};"}))
    assert catalogue(lang).text("error.damaged", part="view.js") in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_too_long(lang: str, opened: Open) -> None:
    tab = opened(lang)
    ready(tab)
    tab.evaluate(TYPE, f"{ANSWERED[lang]} {'x ' * 300}")
    tab.press("Enter")
    assert catalogue(lang).count("ask.cut", 500) in until(tab, OUTCOME)["answer"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_empty(lang: str, opened: Open) -> None:
    tab = opened(lang)
    tab.evaluate(TYPE, "   ")
    tab.press("Enter")
    assert until(tab, STATUS) == catalogue(lang).text("error.empty")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_answer_is_announced_once_and_moves_no_focus(lang: str, opened: Open) -> None:
    tab = opened(lang)
    ready(tab)
    tab.evaluate(TYPE, REFUSED[lang])
    tab.press("Enter")
    found = until(tab, OUTCOME)
    assert found["heading"] == catalogue(lang).text("refusal.heading")
    assert tab.evaluate(SAID) == [["status", catalogue(lang).text("refusal.status")]]
    assert found["focus"] == "question"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_is_announced_once_and_moves_no_focus(lang: str, opened: Open) -> None:
    tab = opened(lang)
    ready(tab)
    tab.evaluate(TYPE, ANSWERED[lang])
    tab.press("Enter")
    found = until(tab, OUTCOME)
    assert tab.evaluate(SAID) == [["status", found["status"]]]
    assert found["focus"] == "question"


@pytest.mark.parametrize("lang", FOREIGN)
def test_an_answer_in_another_language_says_so_in_the_askers(lang: str, opened: Open) -> None:
    tab = opened(lang)
    ready(tab)
    tab.evaluate(TYPE, FOREIGN[lang])
    tab.press("Enter")
    found = until(tab, OUTCOME)
    messages = catalogue(lang)
    names = {"language": messages.language_name("en"), "reader_language": messages.language_name(lang)}
    assert found["quotes"][0]["lang"] == "en"
    assert messages.text("notice.gap", **names) in found["answer"]


def test_an_answer_in_another_language_says_so_in_english(
    showcase: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium)
    tab.goto(places(showcase, "file").page("en/index.html"))
    ready(tab)
    tab.evaluate(TYPE, "When does the círculo de lectura meet?")
    tab.press("Enter")
    found = until(tab, OUTCOME)
    gap = catalogue("en").text("notice.gap", language="Spanish", reader_language="English")
    assert found["quotes"][0]["lang"] == "es"
    assert gap in found["answer"]
    tab.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_crashed_and_recovered(lang: str, opened: Open) -> None:
    tab = opened(lang, fault={"fault": "fail", "type": "ask", "times": 1})
    ready(tab)
    tab.evaluate(TYPE, ANSWERED[lang])
    tab.press("Enter")
    found = until(tab, OUTCOME)
    restarted = catalogue(lang).text("error.restarted")
    assert tab.evaluate(SAID) == [["status", restarted], ["status", found["status"]]]
    assert len(found["quotes"]) == 1


def test_two_crashes_are_told(opened: Open) -> None:
    tab = opened("en", fault={"fault": "fail", "type": "ask", "times": 2})
    ready(tab)
    tab.evaluate(TYPE, ANSWERED["en"])
    tab.press("Enter")
    assert catalogue("en").text("error.crashed") in until(tab, OUTCOME)["alert"]
    restarted = ["status", catalogue("en").text("error.restarted")]
    assert [restarted, "alert"] == [tab.evaluate(SAID)[0], *(region for region, _ in tab.evaluate(SAID)[1:])]
