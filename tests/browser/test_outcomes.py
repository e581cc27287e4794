"""What stands around a quotation or a refusal: marks, reasons, ways on, urgent help."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.asking import ask, ready
from tests.browser.browsers import Tab
from tests.browser.conftest import Place

QUESTIONS = {
    "en": ("What is the last day to apply for heating help?", "Where can I buy a parrot?"),
    "es": ("¿Cuánto es el salario mínimo?", "¿Dónde puedo comprar un loro?"),
    "ar": ("كم الحد الأدنى للأجور؟", "أين أشتري ببغاء؟"),
    "zh": ("最低工资是多少？", "哪里可以买鹦鹉？"),
}
CRISIS = {
    "en": "I want to die",
    "es": "mi pareja me pega",
    "ar": "زوجي يضربني",
    "zh": "我不想活了",
}
WHY = """() => {
  const why = document.querySelector("#answer-body .why");
  const items = Array.from(why.querySelectorAll("li"), (item) => item.textContent);
  return { tag: why.localName, open: why.open, lang: why.lang, dir: why.dir, items };
}"""
DRAWN = """() => ({
  marks: Array.from(document.querySelectorAll("#answer-body mark"), (node) => node.textContent),
  carries: Array.from(document.querySelectorAll("#answer-body .carries"), (node) => node.textContent),
})"""
WAYS = """() => Array.from(document.querySelectorAll("#answer-body .nearby a"), (link) => [
  link.textContent, link.getAttribute("href"),
])"""
URGENT = """() => {
  const body = document.getElementById("answer-body");
  const box = body.querySelector(".urgent");
  return box && { first: body.firstElementChild === box, text: box.innerText, lang: box.lang, dir: box.dir };
}"""


@pytest.fixture(scope="module", params=list(QUESTIONS))
def page(
    request: pytest.FixtureRequest,
    showcase: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> Iterator[tuple[str, Tab]]:
    tab = new_tab("chromium")
    tab.goto(places(showcase, "file").page(f"{request.param}/index.html"))
    ready(tab)
    yield request.param, tab
    tab.close()


def test_the_words_that_match_are_marked_and_one_sentence_stands_out(page: tuple[str, Tab]) -> None:
    lang, tab = page
    found = ask(tab, QUESTIONS[lang][0])
    drawn = tab.evaluate(DRAWN)
    assert drawn["marks"]
    assert all(mark in found.quotes[0]["text"] for mark in drawn["marks"])
    assert all(part in found.quotes[0]["text"] for part in drawn["carries"])
    assert "1" in found.heading or lang == "ar"


def test_the_reasons_are_folded_and_in_the_language_of_the_page(page: tuple[str, Tab]) -> None:
    lang, tab = page
    for question in QUESTIONS[lang]:
        ask(tab, question)
        why = tab.evaluate(WHY)
        assert (why["tag"], why["open"]) == ("details", False)
        assert (why["lang"], why["dir"]) == (lang, "rtl" if lang == "ar" else "ltr")
        assert why["items"]


def test_a_refusal_leads_to_documents_by_title_and_quotes_none(page: tuple[str, Tab], showcase: Path) -> None:
    lang, tab = page
    found = ask(tab, "How do I renew my passport online?" if lang == "en" else QUESTIONS[lang][1])
    assert found.refused
    assert found.quotes == []
    ways = tab.evaluate(WAYS)
    assert len(ways) <= 3
    assert all((showcase / lang / href).resolve().is_file() for _, href in ways)
    if lang == "en":
        assert ways


def test_urgent_help_stands_first_and_is_announced(page: tuple[str, Tab]) -> None:
    lang, tab = page
    found = ask(tab, CRISIS[lang])
    box = tab.evaluate(URGENT)
    assert box["first"]
    assert box["lang"] == lang
    assert "555-0111" in box["text"]
    assert found.focus == "question"
    ask(tab, QUESTIONS[lang][0])
    assert tab.evaluate(URGENT) is None
