"""The corrector against a search of the whole vocabulary, and what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.analysis import stem, words
from cairn_core.fields import PassageStatistics
from cairn_core.index import build_shard
from cairn_core.rewording import reword
from cairn_core.spelling import SHORTEST, Corrector, is_one_edit
from cairn_core.text import without_marks
from tests.core.small import document

short = st.text("abé", max_size=6)
several = st.lists(st.text("abcdé", min_size=3, max_size=7), min_size=1, max_size=12)


def distance(one: str, other: str) -> int:
    """Edits between two words, swaps of neighbours among them, by the whole table."""
    rows = [list(range(len(other) + 1))]
    for i, left in enumerate(one, start=1):
        row = [i]
        for j, right in enumerate(other, start=1):
            cost = [rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right)]
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost.append(rows[-2][j - 2] + 1)
            row.append(min(cost))
        rows.append(row)
    return rows[-1][-1]


def corrector(*texts: str) -> Corrector:
    return Corrector(PassageStatistics(document("d", "en", "T", *texts)))


@given(short, short)
def test_one_edit_is_a_distance_of_at_most_one(one: str, other: str) -> None:
    assert is_one_edit(one, other) == (distance(one, other) <= 1)


@given(st.text("abcdé", min_size=3, max_size=8), several)
def test_a_correction_is_the_commonest_word_one_edit_away(typed: str, passages: list[str]) -> None:
    statistics = PassageStatistics(document("d", "en", "T", *passages))
    near = [
        word
        for word in statistics.vocabulary
        if min(len(word), len(typed)) >= SHORTEST
        and without_marks(word)[0] == without_marks(typed)[0]
        and distance(without_marks(word), without_marks(typed)) <= 1
    ]
    found = Corrector(statistics).corrected(typed)
    if any(stem(word) == stem(typed) for word in statistics.vocabulary) or not near:
        assert found is None
    else:
        most = max(statistics.frequency("word", word) for word in near)
        assert found in near
        assert statistics.frequency("word", found) == most


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("grocry", "grocery"),
        ("grcoery", "grocery"),
        ("grrocery", "grocery"),
        ("gracery", "grocery"),
        ("padrn", "padrón"),
        ("البطافة", "البطاقه"),
    ],
)
def test_a_word_one_edit_away_is_corrected(typed: str, searched: str) -> None:
    found = corrector("the grocery", "el padrón", "البطاقة")
    (word,) = words(typed)
    assert found.corrected(word) == searched


@pytest.mark.parametrize("word", ["groceries", "grocerry", "bus", "a2345", "图书馆", "รถเมล์"])
def test_known_stems_short_words_codes_and_unspaced_scripts_are_left_alone(word: str) -> None:
    assert corrector("grocery tasks busy a2346", "图书店 รถเมล").corrected(word) is None


def test_ties_go_to_the_word_in_more_passages_and_then_to_the_first_in_order() -> None:
    assert corrector("black", "bland bland").corrected("blank") == "black"
    assert corrector("black", "bland", "bland").corrected("blank") == "bland"


@pytest.mark.parametrize(
    ("question", "text", "searched"),
    [
        ("a novel by Stephen King", "Kind readers wait. Be kind.", "a novel by Stephen King"),
        ("un pasaje a México", "Un médico atiende.", "un pasaje a México"),
        ("clases en Harbr", "Las clases son en Harbor.", "clases en Harbor"),
        ("Grocry near me", "The grocery is open.", "grocery near me"),
        ("where is it? Grocry shop", "The grocery is open.", "where is it? grocery shop"),
        ("a GROCRY shop", "The grocery is open.", "a grocery shop"),
        ("فتح البطافة", "فتح البطاقة", "فتح البطاقة"),
    ],
)
def test_a_word_written_as_a_name_within_a_sentence_is_corrected_only_to_a_name(
    question: str, text: str, searched: str
) -> None:
    shard = build_shard("en", document("d", "en", "T", text))
    assert reword(question, shard, None, spelling=True).text == searched
