"""Every probe, in both browsers, from a folder and over http below a sub-path, with the network cut."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from builder import build_index, load_config
from cairn_core.bridge import Session, open_session
from tests.browser.asking import ask, ready, target, words
from tests.browser.browsers import Tab
from tests.browser.conftest import ROOT, Place
from tests.probes import IN_CORPUS, OFF_TOPIC

LANGUAGES = ("en", "es", "ar")
PLACES = [("chromium", "file"), ("chromium", "http"), ("firefox", "file"), ("firefox", "http")]
ASK_ALL = """async (requests) => {
  const answers = [];
  await new Promise((resolve, reject) => {
    const engine = cairn.createEngine({
      onState: (state) => state.name === "failed" && reject(new Error(JSON.stringify(state.failure))),
      onAnswer: (response, text) => {
        answers.push(text);
        if (answers.length < requests.length) engine.ask(requests[answers.length]);
        else resolve();
      },
    });
    engine.ask(requests[0]);
  });
  return answers;
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
def session(site: Path) -> Session:
    """The session of the same site in this Python."""
    index, config = (
        build_index(ROOT / "corpus" / "demo"),
        load_config(ROOT / "corpus" / "demo" / "cairn.toml"),
    )
    languages = list(index.language_codes)
    site_json = json.dumps({"format": 1, "build": "", "config": config.to_json(), "languages": languages})
    return open_session(site_json, [index.shards[lang].to_json() for lang in languages])


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


def test_responses_equal_those_of_cpython_byte_for_byte(visit: Visit, session: Session) -> None:
    questions = [question for question, _, _ in IN_CORPUS] + OFF_TOPIC
    requests = [
        {"question": question, "lang": None, "interface": lang}
        for question in questions
        for lang in LANGUAGES
    ]
    expected = [session.ask(json.dumps(request)) for request in requests]
    assert visit.tabs["en"].evaluate(ASK_ALL, requests) == expected


def test_no_request_leaves_the_site_and_no_policy_is_violated(visit: Visit) -> None:
    for tab in visit.opened():
        strangers = [url for url in tab.requests() if not url.startswith((visit.place.url, "blob:", "data:"))]
        assert strangers == []
        assert tab.evaluate("() => violations") == []
        assert tab.errors() == []
