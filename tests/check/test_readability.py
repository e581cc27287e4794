"""Published formulas, with the counts they are made of."""

import pytest

from builder.lint.readability import FORMULAS, counts, score, syllables

SYLLABLES = [
    ("en", "the", 1),
    ("en", "table", 2),
    ("en", "while", 1),
    ("en", "asked", 1),
    ("en", "needed", 2),
    ("en", "houses", 2),
    ("en", "library", 3),
    ("es", "biblioteca", 4),
    ("es", "río", 2),
    ("es", "ciudad", 2),
    ("es", "aéreo", 4),
    ("de", "haus", 1),
    ("de", "bücherei", 3),
    ("ru", "библиотека", 5),
]


@pytest.mark.parametrize(("lang", "word", "expected"), SYLLABLES)
def test_syllables_are_counted(lang: str, word: str, expected: int) -> None:
    assert syllables(word, lang) == expected


def test_sentences_words_and_letters_are_counted() -> None:
    found = counts("The desk opens at 9. Call us!\nBring a card", "en")
    assert (found.sentences, found.words) == (3, 9)
    assert found.letters == sum(map(len, ["The", "desk", "opens", "at", "Call", "us", "Bring", "a", "card"]))


def test_the_english_formula_is_the_published_one() -> None:
    found = score(["The cat sat on the mat. " * 20], "en")
    assert found is not None
    assert found[1] == pytest.approx(206.835 - 1.015 * 6 - 84.6)


@pytest.mark.parametrize("lang", FORMULAS)
def test_a_short_text_is_not_judged(lang: str) -> None:
    assert score(["mot " * 99], lang) is None
    assert score(["mot. " * 100], lang) is not None


@pytest.mark.parametrize("lang", ["ar", "zh", "km"])
def test_a_language_without_a_formula_is_not_judged(lang: str) -> None:
    assert score(["word. " * 500], lang) is None


@pytest.mark.parametrize("lang", FORMULAS)
def test_longer_sentences_are_harder(lang: str) -> None:
    short, long = score(["una casa blanca. " * 60], lang), score(["una casa blanca " * 60], lang)
    assert short is not None
    assert long is not None
    assert short[1] > long[1]
    assert all(one.source for one in FORMULAS.values())
