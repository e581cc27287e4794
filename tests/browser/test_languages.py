"""Languages without a complete catalogue in real browsers: an answer, direction and language of its parts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.project import load_project
from builder.site import Options, build
from cairn_core.language import catalogue
from tests.browser.asking import ask, ready
from tests.browser.browsers import ROOT, Tab
from tests.browser.conftest import Place
from tests.site.test_languages import CONTACT, DOCUMENTS, QUESTIONS

PARTS = """() => {
  const form = { page: "h1", form: "#ask-form label", field: "#question" };
  const answer = { heading: "#answer-heading", quote: ".quote" };
  return Object.fromEntries(Object.entries({ ...form, ...answer }).map(([name, query]) => {
    const node = document.querySelector(query);
    return [name, [node.closest("[lang]").lang, getComputedStyle(node).direction]];
  }));
}"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    corpus = folder / "corpus"
    corpus.mkdir()
    for lang, text in DOCUMENTS.items():
        (corpus / f"hours.{lang}.md").write_text(text, encoding="utf-8")
    settings = (
        f'[language]\ndefault = "ps"\n[retrieval]\nscorer = "evidence"\n[refusal]\ncontact = "{CONTACT}"\n'
    )
    (corpus / "cairn.toml").write_text(settings, encoding="utf-8")
    build(load_project(corpus), folder / "site", Options(ROOT / ".cache"))
    return folder / "site"


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize(
    ("lang", "worded", "way", "around"),
    [("ps", "en", "rtl", "ltr"), ("fa", "fa", "rtl", "rtl"), ("ru", "ru", "ltr", "ltr")],
)
def test_a_question_is_asked_and_answered(
    browser: str,
    lang: str,
    worded: str,
    way: str,
    around: str,
    many: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab(browser)
    tab.goto(places(many, "file").page(f"{lang}/index.html"))
    ready(tab)
    found = ask(tab, QUESTIONS[lang])
    assert found.heading == catalogue(worded).count("answer.heading", 1)
    assert DOCUMENTS[lang].rpartition("---\n")[2].strip() == found.quotes[0]["text"]
    assert tab.evaluate(PARTS) == {
        "page": [worded, around],
        "form": [worded, around],
        "field": [lang, way],
        "heading": [worded, around],
        "quote": [lang, way],
    }
    assert tab.errors() == []
    tab.close()
