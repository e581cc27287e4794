"""Words and terms in every script."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.text import script_of, terms, without_marks, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Who can get the discount bus pass?",
            ["who", "can", "get", "the", "disco", "bus", "pass"],
            id="latin words are cut to five letters, not stemmed",
        ),
        pytest.param("a to the 3 of 12", ["the", "3", "12"], id="short words go, numbers stay"),
        pytest.param("$2,430 on 15.10.", ["2", "430", "15", "10"], id="numbers split at punctuation"),
        pytest.param("snake_case", ["snake"], id="the underscore is part of a word"),
        pytest.param("¿Cuánto cuesta?", ["cuánt", "cuest"], id="accents stay"),
        pytest.param("Stra\u00dfe", ["stras"], id="case folding, not lower case"),
        pytest.param("\uff26\uff35\uff2c\uff2c width", ["full", "width"], id="full-width letters"),
        pytest.param("so\u00adft hy\u200bphen", ["soft", "hyphe"], id="invisible characters go"),
        pytest.param("cafe\u0301s", ["cafés"], id="decomposed accents are composed"),
        pytest.param("1\ufe0f\u20e3 2\u20e3", ["1", "2"], id="keycaps are their digits"),
        pytest.param("٢١٢ ۲۱۲ २१२ ２１２", ["212"] * 4, id="digits of every script are one"),
        pytest.param("والمنحة للأسرة", ["منحه", "اسره"], id="arabic clitics and letters fold"),
        pytest.param("شَهْرِيًّا شـهريا", ["شهريا", "شهريا"], id="arabic vowels and tatweel go"),
        pytest.param("الى لله", ["الي", "لله"], id="no clitic goes when too little would remain"),
        pytest.param("ماہی کتاب", ["ماہي", "كتاب"], id="persian kaf and yeh are the arabic ones"),
        pytest.param("如何申请", ["如何", "何申", "申请"], id="han in pairs"),
        pytest.param("我", ["我"], id="a single han character stays"),
        pytest.param("GoPass费用", ["gopas", "费用"], id="latin beside han"),
        pytest.param("カード代", ["カー", "ード", "ド代"], id="kana and han run together"),
        pytest.param("서울 시청", ["서울", "시청"], id="hangul in pairs"),
        pytest.param("ค่ารถ", ["ค่า", "่าร", "ารถ"], id="thai in threes, marks included"),
        pytest.param("हिन्दी", ["हिन्द"], id="vowel signs stay in their word"),
        pytest.param("!!! — …", [], id="punctuation alone"),
    ],
)
def test_terms_of(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


texts = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("aéñ ßİ 12٣२\u0301\u0640\u064b\u200dالوىةكي中文字カなกำ서 ّ"),
    ),
    max_size=40,
)


@given(texts)
def test_folding_is_idempotent(text: str) -> None:
    folded = words(text)
    assert words(" ".join(folded)) == folded


@given(texts)
def test_terms_do_not_depend_on_the_normal_form_of_a_text(text: str) -> None:
    assert terms(unicodedata.normalize("NFD", text)) == terms(unicodedata.normalize("NFC", text))


@given(texts, texts)
def test_terms_of_two_texts_are_those_of_both(first: str, second: str) -> None:
    assert terms(f"{first} \n {second}") == terms(first) + terms(second)


@given(texts)
def test_no_term_is_empty_long_or_holds_a_space(text: str) -> None:
    for term in terms(text):
        assert term
        assert term.isdigit() or len(term) <= 5
        assert not any(char.isspace() for char in term)


@pytest.mark.parametrize(
    ("word", "bare"),
    [("cuánto", "cuanto"), ("señal", "senal"), ("ёлка", "елка"), ("हिन्दी", "हिन्दी"), ("plain", "plain")],
)
def test_accents_of_latin_greek_and_cyrillic_can_be_left_out(word: str, bare: str) -> None:
    assert without_marks(word) == bare


@pytest.mark.parametrize(
    ("char", "script"),
    [
        ("a", "LATIN"),
        ("ñ", "LATIN"),
        ("ع", "ARABIC"),
        ("中", "CJK"),
        ("な", "KANA"),
        ("カ", "KANA"),
        ("5", ""),
    ],
)
def test_the_script_of_a_letter(char: str, script: str) -> None:
    assert script_of(char) == script
