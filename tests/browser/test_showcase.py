"""The showcase in its four languages, from a folder in both browsers; a missing translation is told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.asking import ask, responses, target, words
from tests.browser.browsers import Tab
from tests.browser.conftest import ROOT, Place, cpython


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a question file."""
    lines = (ROOT / "tests" / "data" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


ROWS = [row for row in rows("example-questions.jsonl") if row["corpus"] == "showcase"]
LANGUAGES = ("en", "es", "ar", "zh")


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_examples_of_a_language_are_answered_from_their_documents(
    lang: str,
    browser: str,
    showcase: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab, reader = new_tab(browser), new_tab(browser)
    place = places(showcase, "file")
    tab.goto(place.page(f"{lang}/index.html"))
    for row in [row for row in ROWS if row["lang"] == lang]:
        (quote,) = ask(tab, row["question"]).quotes
        assert words(row["passage_contains"]) in words(quote["text"])
        assert quote["lang"] == lang
        reader.goto(quote["link"])
        assert words(quote["text"]) in words(target(reader)["text"])
    tab.close()
    reader.close()


def test_responses_equal_those_of_cpython_byte_for_byte(
    showcase: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    requests: list[dict[str, str | None]] = [
        {"question": row["question"], "lang": lang, "interface": row["lang"]}
        for row in rows("showcase-questions.jsonl")
        for lang in (None, row["lang"])
    ]
    session = cpython("showcase")
    tab = new_tab("chromium")
    tab.goto(places(showcase, "file").page("en/index.html"))
    assert responses(tab, requests) == [session.ask(json.dumps(request)) for request in requests]
    tab.close()


def test_a_missing_translation_is_told_in_the_readers_language(
    showcase: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(places(showcase, "file").page("zh/index.html"))
    found = ask(tab, "Repair Café 几点？")
    assert found.quotes[0]["lang"] == "en"
    assert "这里没有该文件的中文版本" in found.answer
    tab.close()
