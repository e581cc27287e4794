"""Numbers, units, dates and times: what is read from a text, and which mentions agree."""

import pytest

from bench.judging.lexicon import lexicon
from bench.judging.numerals import han_value, readings
from bench.judging.quantities import Quantity, agrees, quantities
from bench.judging.tokens import tokens


def read(text: str, lang: str = "en") -> list[Quantity]:
    words = lexicon(lang)
    return quantities(text, tokens(text, words), words)


def only(text: str, lang: str = "en") -> Quantity:
    found = read(text, lang)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("1,234.50", {1234.5}),
        ("1.234,50", {1234.5}),
        ("1 234,50", {1234.5}),
        ("1.234", {1234.0, 1.234}),
        ("1,00,000", {100000.0}),
        ("890.500.000", {890500000.0}),
        ("0,5", {0.5}),
        ("٢٥", {25.0}),
        ("१२", {12.0}),
        ("١٬٢٣٤٫٥٠", {1234.5}),
        ("-5", {-5.0}),
        ("1.2.3", {1.0, 2.0, 3.0}),
    ],
)
def test_a_number_has_the_readings_its_separators_allow(written: str, values: set[float]) -> None:
    assert readings(written) == values


@pytest.mark.parametrize(
    ("written", "value"),
    [("十五", 15), ("三百五十", 350), ("二〇〇七", 2007), ("两万三千", 23000), ("百", 100)],
)
def test_a_han_numeral_has_its_value(written: str, value: float) -> None:
    assert han_value(written) == value


SAME = [
    ("$890M", "USD 890,000,000", "en", "en"),
    ("€1,234.50", "1.234,50 €", "en", "de"),
    ("7 days", "1 week", "en", "en"),
    ("41 °F", "5 °C", "en", "en"),
    ("two hundred and five", "205", "en", "en"),
    ("March 15, 2020", "15/03/2020", "en", "en"),
    ("15 de marzo de 2020", "2020-03-15", "es", "es"),
    ("2020年3月15日", "二〇二〇年三月十五日", "zh", "zh"),
    ("9:30 pm", "21:30", "en", "en"),
    ("25 ريالا", "٢٥ ريال", "ar", "ar"),
    ("about 100 people", "103 people", "en", "en"),
    ("12 %", "12 percent", "en", "en"),
]


@pytest.mark.parametrize(("claim", "source", "lang", "other"), SAME, ids=[row[0] for row in SAME])
def test_the_same_quantity_agrees_however_it_is_written(
    claim: str, source: str, lang: str, other: str
) -> None:
    assert agrees(only(claim, lang), only(source, other))


DIFFERENT = [
    ("5 °F", "5 °C", "en"),
    ("5 km", "5 miles", "en"),
    ("$20 per month", "$20 per year", "en"),
    ("March 30", "March 1", "en"),
    ("100 people", "103 people", "en"),
    ("9:30 am", "21:30", "en"),
    ("$5", "€5", "en"),
    ("5 gramos", "5 kilos", "es"),
    ("3月15日", "3月16日", "zh"),
]


@pytest.mark.parametrize(("claim", "source", "lang"), DIFFERENT, ids=[row[0] for row in DIFFERENT])
def test_another_value_or_dimension_does_not_agree(claim: str, source: str, lang: str) -> None:
    assert not agrees(only(claim, lang), only(source, lang))


def test_digits_inside_a_name_are_no_quantity() -> None:
    assert read("B12 and H1N1") == []


def test_a_year_with_footnote_digits_glued_to_it_can_be_the_year() -> None:
    assert 2007.0 in only("opened in 200712").values


def test_a_number_word_that_is_often_only_a_word_is_weak() -> None:
    assert only("one of them").weak
    assert not only("one day").weak
