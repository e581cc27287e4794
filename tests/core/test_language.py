"""Left-to-right runs, and how the language of a question is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.detection import Vocabulary, detect, script_of_terms
from cairn_core.language import runs
from cairn_core.text import terms
from tests.core.small import SMALL


@pytest.mark.parametrize(
    ("text", "isolated"),
    [
        ("اتصل على 555-0142 الآن", ["555-0142"]),
        ("هاتف: ‏(415) 555 0142، مكتب 3", ["(415) 555 0142"]),
        ("اتصل بـ +1 415.555.0142.", ["+1 415.555.0142"]),
        ("من 8:00 إلى 17:00", ["8:00", "17:00"]),
        ("راسل help@harbor.example اليوم", ["help@harbor.example"]),
        ("زر https://harbor.example/a?b=1#c، ثم", ["https://harbor.example/a?b=1#c"]),
        ("زر vote.example/register/.", ["vote.example/register/"]),
        ("المبلغ $3,500 أو 5%", ["$3,500", "5%"]),
        ("الوثيقة transit-pass-en#2", ["transit-pass-en#2"]),
        ("في 2026-09-30 فقط", ["2026-09-30"]),
        ("ثلاثة أسابيع و3 أيام", []),
        ("GoPass وحده", []),
        ("", []),
    ],
)
def test_what_a_right_to_left_paragraph_would_reorder_is_isolated(text: str, isolated: list[str]) -> None:
    assert [run.text for run in runs(text) if run.ltr] == isolated


@given(st.text(max_size=60) | st.text("5-()+. :/@$%aبع#", max_size=40))
def test_runs_joined_are_the_text(text: str) -> None:
    found = runs(text)
    assert "".join(run.text for run in found) == text
    assert all(run.text for run in found)


@pytest.mark.parametrize(
    ("question", "interface", "expected"),
    [
        pytest.param("When is the yearly reading?", None, ("en", "function-words"), id="english"),
        pytest.param("¿Cuándo es la lectura anual?", None, ("es", "function-words"), id="spanish"),
        pytest.param("متى تجري القراءة؟", None, ("ar", "script"), id="arabic"),
        pytest.param(
            "水表坏了怎么办？", None, ("zh", "script"), id="a language with messages, not documents"
        ),
        pytest.param(
            "¿Qué vacunas necesita mi perro?", None, ("es", "function-words"), id="no word is known"
        ),
        pytest.param("Hola", None, ("es", "function-words"), id="a greeting"),
        pytest.param(
            "¿Cuánto cuesta el GoPass?", "en", ("es", "function-words"), id="spanish on english page"
        ),
        pytest.param("cracked meter charge", None, ("en", "vocabulary"), id="no function word, english"),
        pytest.param("contador roto gratis", None, ("es", "vocabulary"), id="no function word, spanish"),
        pytest.param("sapling", "es", ("es", "interface"), id="one known word does not leave the page"),
        pytest.param("cracked meter charge", "es", ("en", "vocabulary"), id="several known words do"),
        pytest.param("GoPass", "es", ("es", "interface"), id="an unknown name stays on the page"),
        pytest.param("GoPass", None, ("en", "default"), id="an unknown name and no page"),
        pytest.param("GoPass", "ar", ("ar", "interface"), id="a name in latin letters on an arabic page"),
        pytest.param("When is it?", "ar", ("en", "function-words"), id="english on an arabic page"),
        pytest.param("212", "ar", ("ar", "interface"), id="a number belongs to the page"),
        pytest.param("212", None, ("en", "default"), id="a number and no page"),
        pytest.param("", None, ("en", "default"), id="nothing"),
        pytest.param("GoPass كم سعرها؟", "en", ("ar", "script"), id="a latin name in an arabic question"),
        pytest.param("GoPass多少钱", "en", ("zh", "script"), id="a latin name in a chinese question"),
        pytest.param("متى يفتح Tool Shed؟", "en", ("ar", "script"), id="a longer latin name in arabic"),
        pytest.param("tool shed drill 多少钱", "en", ("zh", "script"), id="several latin words in chinese"),
        pytest.param(
            "What is زكاة in the credit?", None, ("en", "function-words"), id="an arabic word in english"
        ),
        pytest.param("когда чтение", "es", ("es", "interface"), id="a script of no language here"),
    ],
)
def test_the_language_of_a_question(question: str, interface: str | None, expected: tuple[str, str]) -> None:
    found = detect(question, SMALL.vocabularies, "en", interface=interface)
    assert (found.lang, found.basis) == expected


def test_a_requested_language_is_not_questioned() -> None:
    found = detect("When is the reading?", SMALL.vocabularies, "en", requested="ar", interface="es")
    assert (found.lang, found.basis) == ("ar", "requested")


def test_coverage_is_the_share_of_terms_the_language_knows_numbers_aside() -> None:
    assert detect("cracked meter elephant 7", SMALL.vocabularies, "en").coverage == round(2 / 3, 9)


def _vocabulary(text: str, script: str) -> Vocabulary:
    return Vocabulary(frozenset(terms(text)), script)


def test_a_corpus_language_without_function_words_is_told_by_its_vocabulary() -> None:
    vocabularies = {
        "fr": _vocabulary("quelle est la date limite pour voter dans la ville", "LATIN"),
        "es": _vocabulary("cuál es la fecha límite para votar en la ciudad", "LATIN"),
    }
    assert detect("Quelle est la date limite pour voter", vocabularies, "es").lang == "fr"


def test_short_words_of_a_profile_do_not_count_against_a_language_without_one() -> None:
    vocabularies = {
        "fr": _vocabulary("quelle est la procédure de vote", "LATIN"),
        "es": _vocabulary("el procedimiento de voto", "LATIN"),
    }
    assert detect("Quelle est la capitale de la France", vocabularies, "es").lang == "fr"


def test_names_in_latin_letters_do_not_make_a_corpus_latin() -> None:
    names = dict.fromkeys(terms("Texas Ohio Maine Utah Iowa Guam Idaho Nevada 투표 등록 마감"))
    assert script_of_terms(names) == "HANGUL"
    assert script_of_terms(dict.fromkeys(terms("Texas Ohio Maine 212"))) == "LATIN"
    assert script_of_terms(dict.fromkeys(terms("212"))) == ""
    many = dict.fromkeys(f"w{number}" for number in range(40))
    assert script_of_terms({**many, "投票": None}) == "LATIN"


def test_kana_make_a_question_japanese_and_han_alone_leaves_it_open() -> None:
    vocabularies = {
        "ja": _vocabulary("ゴミの収集日はいつですか 収集日", "KANA"),
        "zh": _vocabulary("垃圾收集日期", "CJK"),
    }
    assert detect("収集日はいつ", vocabularies, "zh").lang == "ja"
    assert detect("垃圾收集", vocabularies, "ja").lang == "zh"


def test_simplified_and_traditional_chinese_are_told_apart_by_their_pairs() -> None:
    vocabularies = {
        "zh": _vocabulary("選民登記的截止日期與投票地點", "CJK"),
        "zh-hans": _vocabulary("选民登记的截止日期与投票地点", "CJK"),
    }
    assert detect("选民登记的截止日期是什么时候？", vocabularies, "zh").lang == "zh-hans"
    assert detect("選民登記的截止日期是什麼時候？", vocabularies, "zh-hans").lang == "zh"


def test_a_corpus_in_simplified_chinese_answers_chinese_questions() -> None:
    vocabularies = {"zh-hans": _vocabulary("垃圾收集日期", "CJK")}
    assert detect("垃圾收集", vocabularies, "en").lang == "zh-hans"


@given(st.text(max_size=60), st.sampled_from([None, "en", "es", "ar", "zh"]))
def test_every_question_has_a_language(question: str, interface: str | None) -> None:
    found = detect(question, SMALL.vocabularies, "en", interface=interface)
    assert found.lang in {"en", "es", "ar", "zh"}
    assert 0.0 <= found.coverage <= 1.0
