"""Why a question was answered or refused, told to the reader."""

import pytest

from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.language import catalogue
from cairn_core.reasons import nearest, reasons, sort_words
from tests.core.small import SMALL

CONFIG = Config(contact="desk 3, 555-0199")


def told(question: str, **options: str) -> tuple[str, ...]:
    return reasons(ask(question, SMALL, CONFIG, **options), SMALL)


@pytest.mark.parametrize(
    ("question", "lang", "first"),
    [
        ("Is a cracked meter replaced?", "en", "3 words of your question stand in"),
        ("¿Se sustituye un contador roto?", "es", "2 palabras de su pregunta están en"),
        ("عداد مكسور", "ar", "ترد كلمتان"),
    ],
)
def test_the_words_found_are_counted_and_named_as_they_were_typed(
    question: str, lang: str, first: str
) -> None:
    found = told(question, lang=lang)
    assert any(first in sentence for sentence in found), found


def test_the_score_stands_against_the_threshold_and_the_next_passage_is_named() -> None:
    found = told("Is a cracked meter replaced in April?")
    assert any("An answer needs at least 16.5." in sentence for sentence in found)
    assert found[-1].startswith("The next passage is from “Water Meters”, rated ")


@pytest.mark.parametrize("lang", ["en", "es", "ar", "zh"])
def test_a_refusal_names_unknown_words_and_no_document(lang: str) -> None:
    config = Config(contact="desk 3, 555-0199", threshold=0.99)
    result = ask("zebra kangaroo yearly reading", SMALL, config, lang=lang)
    found = reasons(result, SMALL)
    assert result.answer.trace.candidates
    titles = {passage.title for passage in SMALL.passages}
    assert any("zebra" in sentence and "kangaroo" in sentence for sentence in found)
    assert not any(title in sentence for title in titles for sentence in found)


def test_a_refusal_is_told_by_the_search_in_the_askers_language_not_by_the_last_one() -> None:
    config = Config(contact="desk 3, 555-0199", threshold=0.99)
    result = ask("yearly reading zebra", SMALL, config, lang="en")
    assert len(result.attempts) > 1
    assert nearest(result) == ("water-en",)


def test_an_answer_has_no_nearest_documents() -> None:
    assert nearest(ask("Is a cracked meter replaced?", SMALL, CONFIG)) == ()


def test_a_question_that_shares_no_word_is_told_so() -> None:
    assert told("zebra")[0] == catalogue("en").text("why.nothing")


def test_a_score_just_below_the_threshold_never_reads_as_reaching_it() -> None:
    config = Config(contact="desk 3, 555-0199", threshold=0.9999)
    found = reasons(ask("Is a cracked meter replaced?", SMALL, config), SMALL)
    assert any("An answer needs at least 100.0." in sentence for sentence in found)


def test_a_word_is_in_one_sort_and_once() -> None:
    result = ask("Is the meter a meter, zebra?", SMALL, CONFIG)
    sorts = sort_words(result.answer.trace, SMALL, catalogue("en"))
    words = [word for found in sorts.values() for word in found]
    assert sorted(words) == sorted(set(words))
    assert "zebra" in sorts["unknown"]
    assert "meter" in sorts["found"]
