"""Numbers of two languages are compared by value, not by how they are written."""

import pytest

from builder.lint.numbers import differing, numbers

READ = [
    ("en", "$1,200", {"1200"}),
    ("de", "1.200 Euro", {"1200"}),
    ("de", "1,200 Liter", {"1.2"}),
    ("es", "1.200", {"1200", "1.2"}),
    ("es", "1,200", {"1200", "1.2"}),
    ("fr", "1\u202f200,50", {"1200.5"}),
    ("fr", "1 200", {"1200"}),
    ("ar", "١٬٢٠٠٫٥", {"1200.5"}),
    ("ar", "٣٥٠٠", {"3500"}),
    ("fa", "۱۲", {"12"}),
    ("hi", "१२", {"12"}),
    ("bn", "১২", {"12"}),
    ("th", "๑๒", {"12"}),
    ("zh", "3.5万", {"35000"}),
    ("zh", "１２", {"12"}),
    ("en", "1.5 million", {"1500000"}),
    ("es", "3 mil", {"3000"}),
    ("en", "0012", {"12"}),
    ("en", "0.10", {"0.1", "0", "10"}),
    ("en", "9:00", {"9:00", "9"}),
]


@pytest.mark.parametrize(("lang", "text", "readings"), READ)
def test_a_number_has_every_value_it_may_stand_for(lang: str, text: str, readings: set[str]) -> None:
    (found,) = numbers(text, lang)
    expected = {str(int(one)) if one.isdecimal() else one for one in readings}
    assert {str(int(one)) if one.isdecimal() else one for one in found.readings} == expected


def test_the_parts_of_a_date_are_numbers_of_their_own() -> None:
    assert [one.written for one in numbers("12.10.2026", "de")] == ["12", "10", "2026"]


@pytest.mark.parametrize(
    "text", ["9" * 5000, f"1:{'9' * 5000}", "1:2.5,6", "9:30:15:7", "٩" * 4301, "1.2.3.4", "½²"]
)
def test_no_number_is_too_long_or_too_strange(text: str) -> None:
    assert differing(f"at 9 am {text}", f"a las 9:00 {text}", ("en", "es")) is None


SAME = [
    ("en", "from 9 am to 5 pm", "es", "de 9:00 a 17:00"),
    ("en", "until 8:30 pm", "ar", "حتى ٢٠:٣٠"),
    ("en", "by September 30", "zh", "9月30日之前"),
    ("en", "once in twelve months", "es", "una vez cada 12 meses"),
    ("en", "within 2 days", "ar", "خلال يومين"),
    ("en", "a ticket costs $1.75", "ar", "ثمن التذكرة دولار و75 سنتا"),
    ("en", "$1,200 a month", "de", "1.200 Dollar im Monat"),
    ("en", "09/30/2026", "es", "30/09/2026"),
    ("en", "3 of them", "vi", "ba cái"),
]


@pytest.mark.parametrize(("left", "ours", "right", "theirs"), SAME)
def test_the_same_number_in_another_form_is_no_difference(
    left: str, ours: str, right: str, theirs: str
) -> None:
    assert differing(ours, theirs, (left, right)) is None
    assert differing(theirs, ours, (right, left)) is None


OTHER = [
    ("en", "call 555-0142", "es", "llame al 555-0124", ("0142", "0124")),
    ("en", "up to $3,500", "ar", "حتى ٣٬٥٠٠٠ دولار", None),
    ("en", "by September 30", "ar", "قبل ٣١ سبتمبر", ("30", "٣١")),
    ("en", "until 5 pm", "es", "hasta las 18:00", ("5", "18:00")),
    ("en", "$1,500 a month", "de", "1,500 Dollar im Monat", ("1,500", "1,500")),
    ("en", "it costs $250", "zh", "要收费用", ("250", "")),
    ("en", "three days", "zh", "三天内，最多20天", ("", "20")),
    ("en", "120 of them", "vi", "nhiều cái", ("120", "")),
]


@pytest.mark.parametrize(("left", "ours", "right", "theirs", "expected"), OTHER)
def test_another_number_is_named_as_it_is_written(
    left: str, ours: str, right: str, theirs: str, expected: tuple[str, str] | None
) -> None:
    found = differing(ours, theirs, (left, right))
    assert found is not None
    assert expected in (None, found)
