"""The ask page while the engine gets ready, with keyboard and input methods, and what it announces."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.asking import STATE, TYPE, ask, outcome, ready
from tests.browser.browsers import Tab, until
from tests.browser.conftest import Place

QUESTION = "How much is the monthly grocery allowance for one person?"
LISTEN = """() => {
  globalThis.said = [];
  for (const id of ["status", "alert"]) {
    new MutationObserver(() => {
      const text = document.getElementById(id).textContent.trim();
      if (text) said.push([id, text]);
    }).observe(document.getElementById(id), { childList: true, characterData: true, subtree: true });
  }
}"""
KEY = """(init) => {
  const field = document.getElementById("question");
  const options = { key: "Enter", bubbles: true, cancelable: true, ...init };
  field.dispatchEvent(new KeyboardEvent("keydown", options));
  return document.getElementById("status").textContent;
}"""
MARKED = "(id) => [document.getElementById(id).lang, document.getElementById(id).dir]"
COUNT = "() => document.getElementById('question-count').textContent"


@pytest.fixture
def fresh(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> Iterator[Callable[[str], Tab]]:
    """Open the ask page of a language in a new tab; nothing has been waited for."""
    tabs: list[Tab] = []

    def open_page(lang: str) -> Tab:
        tabs.append(new_tab("chromium"))
        tabs[-1].goto(places(site, "file").page(f"{lang}/index.html"))
        return tabs[-1]

    yield open_page
    for tab in tabs:
        tab.close()


@pytest.fixture(scope="module")
def page(site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]) -> Iterator[Tab]:
    """The English ask page, ready; tests leave an empty field behind."""
    tab = new_tab("chromium")
    tab.goto(places(site, "file").page("en/index.html"))
    ready(tab)
    yield tab
    tab.close()


@pytest.fixture(autouse=True)
def empty_field(request: pytest.FixtureRequest) -> None:
    if "page" in request.fixturenames:
        tab: Tab = request.getfixturevalue("page")
        tab.evaluate(TYPE, "")
        tab.evaluate("() => { document.getElementById('status').textContent = ''; }")


def test_a_question_typed_while_the_engine_gets_ready_waits_and_is_answered(
    fresh: Callable[[str], Tab],
) -> None:
    tab = fresh("en")
    tab.evaluate(TYPE, QUESTION)
    assert not tab.evaluate(STATE, "ready")
    tab.press("Enter")
    assert tab.evaluate("() => document.getElementById('status').textContent") != ""
    assert outcome(tab).answered


def test_getting_ready_shows_its_stage_and_its_progress(fresh: Callable[[str], Tab]) -> None:
    tab = fresh("en")
    tab.evaluate(TYPE, "")
    assert until(tab, "() => !document.getElementById('engine-state').hidden")
    assert tab.evaluate("() => document.getElementById('engine-text').textContent") != ""
    assert until(tab, "() => document.getElementById('engine-progress').value > 0")
    ready(tab)
    assert tab.evaluate("() => document.getElementById('engine-state').hidden")


@pytest.mark.parametrize(
    ("lang", "question", "status"),
    [
        ("en", QUESTION, "Answer found in “Grocery Allowance”."),
        ("es", "Cuanto cubre la subvencion de alivio de vivienda?", "Respuesta"),
        ("ar", "ما هي عاصمة فرنسا؟", "لا توجد"),
    ],
)
def test_an_outcome_is_announced_in_one_sentence_and_the_focus_stays(
    lang: str, question: str, status: str, fresh: Callable[[str], Tab]
) -> None:
    tab = fresh(lang)
    ready(tab)
    tab.evaluate(TYPE, question)
    tab.evaluate(LISTEN)
    tab.press("Enter")
    found = outcome(tab)
    said = tab.evaluate("() => said")
    assert found.focus == "question"
    assert [region for region, _ in said] == ["status"]
    assert said[-1][1] == found.status
    assert status in found.status


def test_an_answer_in_another_language_than_the_page_is_marked_as_such(page: Tab) -> None:
    found = ask(page, "ما هو الموعد النهائي لتقديم طلب منحة السكن؟")
    assert [page.evaluate(MARKED, name) for name in ("status", "answer-heading")] == [["ar", "rtl"]] * 2
    assert (found.quotes[0]["lang"], found.quotes[0]["dir"]) == ("ar", "rtl")
    ask(page, QUESTION)
    assert page.evaluate("() => document.getElementById('status').lang") == "en"


@pytest.mark.parametrize(
    "init",
    [{"isComposing": True}, {"keyCode": 229}, {"shiftKey": True}],
    ids=["composing", "key 229", "shift"],
)
def test_enter_does_not_ask(init: dict[str, object], page: Tab) -> None:
    page.evaluate(TYPE, QUESTION)
    assert page.evaluate(KEY, init) == ""


def test_shift_and_enter_begin_a_new_line(page: Tab) -> None:
    page.evaluate(TYPE, "one")
    page.press("Shift+Enter")
    assert page.evaluate("() => document.getElementById('question').value") == "one\n"


def test_an_empty_question_is_told_and_not_asked(page: Tab) -> None:
    page.evaluate(TYPE, "  \n ")
    page.press("Enter")
    assert until(page, "() => document.getElementById('status').textContent") == "Type a question first."


def test_the_room_that_is_left_is_shown_near_the_end_in_characters_as_readers_count_them(page: Tab) -> None:
    page.evaluate(TYPE, "a" * 399)
    assert page.evaluate(COUNT) == ""
    page.evaluate(TYPE, "👩‍👩‍👧‍👦" * 499)
    assert page.evaluate(COUNT) == "1 character left"
    page.evaluate(TYPE, "a" * 501)
    assert "500" in page.evaluate(COUNT)


def test_of_a_question_that_is_too_long_the_beginning_is_asked_and_the_reader_told(page: Tab) -> None:
    found = ask(page, f"{QUESTION} {'and then ' * 100}")
    assert found.answered
    assert "500 characters were read" in found.answer


def test_the_question_is_in_no_url_history_or_storage(page: Tab) -> None:
    ask(page, "canary")
    assert "canary" not in page.evaluate("() => location.href + JSON.stringify(history.state)")
    assert page.evaluate("() => localStorage.length + sessionStorage.length + document.cookie.length") == 0
    assert page.evaluate("() => document.getElementById('question').autocomplete") == "off"


@pytest.mark.parametrize(
    "question",
    [
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        "{{7*7}} ${1}",
        "\u202e\u0000\ud800",
    ],
)
def test_a_question_of_markup_or_odd_characters_is_a_question(question: str, page: Tab) -> None:
    before = page.evaluate("() => document.querySelectorAll('script, img').length")
    page.evaluate("() => { document.getElementById('answer').hidden = true; }")
    page.evaluate(TYPE, question.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    page.press("Enter")
    assert outcome(page).refused
    assert page.evaluate("() => document.querySelectorAll('script, img').length") == before
    assert page.evaluate("() => violations") == []
