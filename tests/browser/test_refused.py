"""Refused questions at a kiosk: noted of people who agree, gone with the export, else not kept at all."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from builder import candidates
from cairn_core.language import catalogue
from tests.browser.asking import OUTCOME, TYPE, ready
from tests.browser.browsers import ChromiumTab, until
from tests.browser.conftest import Place, kiosk_site
from tests.browser.test_axe import check
from tests.browser.test_kiosk import CANARY, NOTHING, START, TRACES, nothing_is_left

REFUSED = {
    "en": f"Where can I buy a parrot called {CANARY} 4711?",
    "es": f"¿Dónde puedo comprar un loro llamado {CANARY}?",
    "ar": f"أين أشتري ببغاء اسمه {CANARY}؟",
}
ANSWERED = "How much is the monthly grocery allowance for one person?"
SHOWN = "(id) => document.getElementById(id).checkVisibility()"
CLICK = "(id) => { document.getElementById(id).click(); }"
STAFF = "() => { location.hash = '#refused'; }"
OPEN = "() => document.getElementById('refused').open"


@pytest.fixture(scope="module")
def noting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration as a kiosk that notes refused questions."""
    profile = "screen_mm = [268, 476]\nresolution = [1080, 1920]\nexport_refused = true\n"
    return kiosk_site(profile, tmp_path_factory.mktemp("noting"))


@pytest.fixture
def tab(chromium: Browser) -> Iterator[ChromiumTab]:
    opened = ChromiumTab(chromium, viewport={"width": 1080, "height": 1920})
    yield opened
    opened.close()


def begin(tab: ChromiumTab, url: str) -> None:
    tab.goto(url)
    ready(tab)
    tab.evaluate(START)


def ask(tab: ChromiumTab, question: str) -> None:
    tab.evaluate("() => { document.getElementById('answer').hidden = true; }")
    tab.evaluate(TYPE, question)
    tab.press("Enter")
    until(tab, OUTCOME)


def done(tab: ChromiumTab) -> None:
    """The person leaves, and the next one starts."""
    tab.evaluate(CLICK, "start-over")
    assert tab.evaluate(TRACES, CANARY) == NOTHING
    tab.evaluate(START)


def export(tab: ChromiumTab) -> list[dict[str, object]]:
    """Save as staff do, and return what the file holds."""
    until(tab, OPEN)
    with tab.page.expect_download() as saving:
        tab.evaluate(CLICK, "refused-export")
    assert saving.value.suggested_filename == "refused-questions.json"
    found: list[dict[str, object]] = json.loads(saving.value.path().read_text(encoding="utf-8"))["questions"]
    assert not tab.evaluate(OPEN)
    return found


@pytest.mark.parametrize("kind", ["file", "http"])
def test_words_are_noted_of_people_who_agree_and_gone_with_the_export(
    kind: str, noting: Path, places: Callable[[Path, str], Place], tab: ChromiumTab, tmp_path: Path
) -> None:
    begin(tab, places(noting, kind).page("en/index.html"))
    ask(tab, ANSWERED)
    assert not tab.evaluate(SHOWN, "offer")
    for agrees in (True, False, True):
        ask(tab, REFUSED["en"])
        assert tab.evaluate(SHOWN, "offer")
        if agrees:
            tab.evaluate(CLICK, "offer-agree")
            assert tab.evaluate("() => document.activeElement.id") == "offer-noted"
            assert not tab.evaluate(SHOWN, "offer-agree")
        done(tab)
        assert not tab.evaluate(SHOWN, "offer")
    tab.evaluate(STAFF)
    with tab.page.expect_download() as saving:
        until(tab, OPEN)
        assert tab.evaluate("() => document.querySelector('#refused-count bdi').textContent") == "2"
        tab.evaluate(CLICK, "refused-export")
    file = tmp_path / "refused-questions.json"
    saving.value.save_as(file)
    assert candidates.load(file) == (
        candidates.Refused(f"Where can I buy a parrot called {CANARY} …", "en", 2),
    )
    assert "#refused" not in tab.evaluate("() => location.href")
    assert tab.evaluate(TRACES, CANARY) == NOTHING
    tab.evaluate(STAFF)
    assert export(tab) == []
    nothing_is_left(tab)


def heap_holds(tab: ChromiumTab, word: str) -> bool:
    """Whether a word is anywhere in the memory of the page's scripts."""
    session = tab.context.new_cdp_session(tab.page)
    pieces: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: pieces.append(event["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False, "captureNumericValue": False})
    session.detach()
    return word in "".join(pieces)


@pytest.mark.parametrize("profile", ["kiosk", "noting"])
def test_of_who_does_not_agree_nothing_stays_in_the_memory_of_the_page(
    profile: str, request: pytest.FixtureRequest, places: Callable[[Path, str], Place], tab: ChromiumTab
) -> None:
    begin(tab, places(request.getfixturevalue(profile), "file").page("en/index.html"))
    ask(tab, REFUSED["en"])
    assert heap_holds(tab, CANARY)
    tab.evaluate(CLICK, "start-over")
    assert not heap_holds(tab, CANARY)


@pytest.mark.parametrize("lang", REFUSED)
def test_the_question_for_consent_and_the_view_of_the_staff_are_in_the_language_of_the_page(
    lang: str, noting: Path, places: Callable[[Path, str], Place], tab: ChromiumTab
) -> None:
    begin(tab, places(noting, "file").page(f"{lang}/index.html"))
    assert not tab.evaluate(SHOWN, "offer")
    ask(tab, REFUSED[lang])
    own = catalogue(lang)
    said = tab.evaluate("() => document.getElementById('offer').innerText")
    assert said.split("\n\n") == [own.text("noting.offer"), own.text("noting.agree")]
    check(tab, [(1080, 1920)])
    tab.evaluate(CLICK, "offer-agree")
    assert own.text("noting.noted") in tab.evaluate("() => document.getElementById('offer').innerText")
    assert not tab.evaluate(SHOWN, "refused")
    tab.evaluate(STAFF)
    until(tab, OPEN)
    check(tab, [(1080, 1920)])
    [found] = export(tab)
    assert (found["lang"], found["count"]) == (lang, 1)


def test_staff_hold_the_number_of_the_build_and_a_touch_does_nothing(
    noting: Path, places: Callable[[Path, str], Place], chromium: Browser
) -> None:
    tab = ChromiumTab(chromium)
    tab.page.clock.install()
    tab.goto(places(noting, "file").page("en/index.html"))
    until(tab, "() => document.documentElement.dataset.screen === 'attract'")
    tab.evaluate(START)
    press = (
        """(name) => document.querySelector(".site-footer .build").dispatchEvent(new PointerEvent(name))"""
    )
    for held, opened in ((4_900, False), (5_100, True)):
        tab.evaluate(press, "pointerdown")
        tab.page.clock.run_for(held)
        tab.evaluate(press, "pointerup")
        tab.page.clock.run_for(5_000)
        assert tab.evaluate(OPEN) is opened
    tab.evaluate("() => { document.dispatchEvent(new Event('cairn-wipe', { cancelable: true })); }")
    assert not tab.evaluate(OPEN)
    tab.close()


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("My number is 555-0142, ring me@home.example", "My number is … ring …"),
        ("رقمي ٥٥٥٠١٤٢ وببغائي", "رقمي … وببغائي"),
        ("我的电话13800000000怎么办", "我的电话…怎么办"),
        ("می‌خواهم\u200d ببغاء\u0007", "می‌خواهم ببغاء"),
        ("12 34", None),
    ],
)
def test_what_holds_a_number_and_what_cannot_be_seen_is_left_out(
    question: str, noted: str | None, noting: Path, places: Callable[[Path, str], Place], tab: ChromiumTab
) -> None:
    tab.goto(places(noting, "file").page("en/index.html"))
    until(tab, "() => document.documentElement.dataset.screen === 'attract'")
    tab.evaluate(START)
    tell = """(words) => {
      document.dispatchEvent(new CustomEvent("cairn-outcome", { detail: { words, lang: "en" } }));
    }"""
    tab.evaluate(tell, question)
    agreed = tab.evaluate("() => !document.getElementById('offer').hidden")
    assert agreed == (noted is not None)
    if noted:
        tab.evaluate(CLICK, "offer-agree")
        tab.evaluate(STAFF)
        assert [one["words"] for one in export(tab)] == [noted]
