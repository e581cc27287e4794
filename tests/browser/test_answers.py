"""Every probe, in every browser, from a folder and over http below a sub-path, with the network cut."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cairn_core.bridge import Session
from tests.browser.asking import ask, outcome, ready, responses, target, words
from tests.browser.browsers import Tab
from tests.browser.conftest import Place, cpython
from tests.probes import IN_CORPUS, OFF_TOPIC

LANGUAGES = ("en", "es", "ar")
PLACES = [(browser, kind) for browser in ("chromium", "firefox", "webkit") for kind in ("file", "http")]
CHARACTERS = """([id, text]) => {
  const walker = document.createTreeWalker(document.getElementById(id), NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && !walker.currentNode.data.includes(text));
  const start = walker.currentNode.data.indexOf(text);
  return Array.from(text, (_, index) => {
    const range = document.createRange();
    range.setStart(walker.currentNode, start + index);
    range.setEnd(walker.currentNode, start + index + 1);
    return range.getBoundingClientRect().left;
  });
}"""


@dataclass(frozen=True, slots=True)
class Visit:
    """A browser with one open ask page for each language."""

    place: Place
    browser: str
    tabs: dict[str, Tab]

    def opened(self) -> list[Tab]:
        return list(self.tabs.values())


@pytest.fixture(scope="module", params=PLACES, ids="-".join)
def visit(
    request: pytest.FixtureRequest,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> Iterator[Visit]:
    browser, kind = request.param
    place = places(site, kind)
    tabs = {lang: new_tab(browser) for lang in LANGUAGES}
    for lang, tab in tabs.items():
        tab.goto(place.page(f"{lang}/index.html"))
        ready(tab)
    yield Visit(place, browser, tabs)
    for tab in tabs.values():
        tab.close()


@pytest.fixture(scope="module")
def session() -> Session:
    return cpython("demo")


def language(question: str) -> str:
    """The ask page a question belongs to, by the place it has in the probes."""
    if any("\u0600" <= char <= "\u06ff" for char in question):
        return "ar"
    return "es" if question.startswith(("Cu", "Pu", "Que", "Of", "Donde", "Como ")) else "en"


def test_every_probe_is_quoted_from_the_passage_its_link_lands_on(
    visit: Visit, new_tab: Callable[[str], Tab], session: Session
) -> None:
    reader = new_tab(visit.browser)
    texts = {passage.passage_id: passage.text for passage in session.index.passages}
    for question, passage_id, fact in IN_CORPUS:
        outcome = ask(visit.tabs[language(question)], question)
        quote = outcome.quotes[0]
        assert outcome.answered, (question, outcome)
        assert fact in quote["text"]
        assert quote["lang"] == language(question)
        assert quote["dir"] == ("rtl" if quote["lang"] == "ar" else "ltr")
        assert words(quote["text"]) == words(texts[passage_id])
        assert quote["link"].startswith(visit.place.url)
        reader.goto(quote["link"])
        landed = target(reader)
        assert words(landed["text"]) == words(texts[passage_id])
        assert 0 <= landed["top"] < landed["height"]
    reader.close()


def test_every_off_topic_probe_is_refused_with_the_contact(visit: Visit) -> None:
    for question in OFF_TOPIC:
        outcome = ask(visit.tabs[language(question)], question)
        assert outcome.refused, (question, outcome)
        assert outcome.quotes == []
        assert "555-0142" in outcome.answer


def test_what_was_searched_is_told_and_the_words_typed_can_be_searched(visit: Visit) -> None:
    tab = visit.tabs["en"]
    found = ask(tab, "who can get the discount bus pass")
    assert "Also searched: eligible, reduced fare, GoPass." in found.answer
    assert len(found.quotes) == 1
    tab.evaluate(
        """() => {
          const button = document.querySelector("button.literal");
          document.getElementById("answer").hidden = true;
          button.click();
        }"""
    )
    literal = outcome(tab)
    assert literal.refused
    assert "Also searched" not in literal.answer
    assert literal.focus == "question"


def test_a_phone_number_is_drawn_in_its_order_in_arabic(visit: Visit) -> None:
    tab = visit.tabs["ar"]
    assert ask(tab, "ما هي عاصمة فرنسا؟").refused
    for region in ("answer", "contact"):
        places = tab.evaluate(CHARACTERS, [region, "555-0142"])
        assert len(places) == len("555-0142")
        assert places == sorted(places)


def test_responses_equal_those_of_cpython_byte_for_byte(visit: Visit, session: Session) -> None:
    questions = [question for question, _, _ in IN_CORPUS] + OFF_TOPIC
    requests: list[dict[str, str | None]] = [
        {"question": question, "lang": None, "interface": lang}
        for question in questions
        for lang in LANGUAGES
    ]
    expected = [session.ask(json.dumps(request)) for request in requests]
    assert responses(visit.tabs["en"], requests) == expected


def test_no_request_leaves_the_site_and_no_policy_is_violated(visit: Visit) -> None:
    for tab in visit.opened():
        strangers = [url for url in tab.requests() if not url.startswith((visit.place.url, "blob:", "data:"))]
        assert strangers == []
        assert tab.evaluate("() => violations") == []
        assert tab.errors() == []
