"""Urgent help: called up by its words in any language, above an answer and above a refusal."""

import json

import pytest

from cairn_core.bridge import open_session
from cairn_core.config import Config
from cairn_core.errors import ConfigError
from cairn_core.urgent import Urgent, called
from tests.core.small import SMALL

TABLE = {
    "en": Urgent(("kill myself", "suicide"), "Talk to somebody now.", "crisis line, 555-0111"),
    "es": Urgent(("matarme", "violencia doméstica"), "Hable con alguien.", "línea de crisis, 555-0111"),
    "ar": Urgent(("الانتحار", "أقتل نفسي"), "تحدث إلى أحد الآن.", "خط الأزمات، 555-0111"),
    "zh": Urgent(("自杀", "不想活"), "请现在找人谈谈。", "危机热线，555-0111"),
}


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("I want to KILL MYSELF", "en"),
        ("who do I call, suicide?", "en"),
        ("Sufro VIOLENCIA domestica en casa", "es"),
        ("أريد أن أقتل نفسي", "ar"),
        ("أفكر في الاِنتحار", "ar"),
        ("我不想活了", "zh"),
        ("I will kill, myself", "en"),
        ("suicidal thoughts", ""),
        ("How do I kill weeds myself?", ""),
        ("", ""),
    ],
)
def test_help_is_called_up_by_whole_words_whatever_their_case_and_marks(question: str, lang: str) -> None:
    assert called(question, TABLE, ["en"]) == lang


def test_of_several_languages_that_of_the_reader_is_shown() -> None:
    table = {lang: Urgent(("sos",), "text", "555-0111") for lang in ("ar", "en", "es")}
    assert called("sos", table, ["es"]) == "es"
    assert called("sos", table, ["zh"]) == "ar"


@pytest.mark.parametrize("question", ["Is a cracked meter replaced? suicide", "suicide"])
def test_a_response_carries_the_help_beside_whatever_else_it_says(question: str) -> None:
    config = Config(contact="desk 3, 555-0199", urgent=TABLE)
    site = {"format": 1, "build": "b", "config": config.to_json(), "languages": [*SMALL.language_codes]}
    session = open_session(json.dumps(site), [shard.to_json("b") for shard in SMALL.shards.values()])
    request = json.dumps({"question": question, "lang": "en", "interface": "en"})
    found = json.loads(session.ask(request))
    assert found["urgent"]["heading"] == "Urgent help"
    assert found["urgent"]["contact"] == [["crisis line, ", False], ["555-0111", True]]
    assert found["status"].startswith("Urgent help is shown first. ")
    assert "Talk to somebody" not in found["answer"]["text"]


@pytest.mark.parametrize(
    ("words", "text", "contact"),
    [((), "t", "c"), (("…",), "t", "c"), (("a",), " ", "c"), (("a",), "t", "")],
)
def test_help_without_words_text_or_contact_cannot_exist(
    words: tuple[str, ...], text: str, contact: str
) -> None:
    with pytest.raises(ConfigError):
        Urgent(words, text, contact)


@pytest.mark.parametrize("plain", [None, {}, {"words": [1], "text": "t", "contact": "c"}, {"words": ["a"]}])
def test_damaged_help_is_told(plain: object) -> None:
    with pytest.raises(ConfigError):
        Urgent.from_json(plain)
