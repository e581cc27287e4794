"""Questions nobody means: each has a defined answer from either scorer, with strict mode and without."""

import pytest

from builder.near_miss import shipped
from cairn_core.config import Config
from cairn_core.engine import MAX_QUESTION, ask
from tests.core.small import SMALL, WATER_EN

CRACKED = "Is a cracked meter replaced without charge"
ANSWERED = WATER_EN[0].passage_id
SETTINGS = {
    "contract": Config(),
    "evidence": Config(scorer="evidence"),
    "strict": Config(scorer="evidence", near_miss=shipped()),
}
REFUSED = {
    "empty": "",
    "a megabyte of one letter": "x" * 1_000_000,
    "a megabyte of words": "zebra quartz " * 80_000,
    "200,000 words": " ".join(f"w{at}" for at in range(200_000)),
    "200,000 numbers": "7 " * 200_000,
    "lone surrogates": "\ud800\udfff\ud83d zebra \udc00",
    "control characters": "\x00\x07\x1b[31m\x7f\x9f",
    "only function words en": "what is the of and to when does it",
    "only function words es": "qué es la de los y cuándo",
    "only function words ar": "ما هو في من على متى",
    "only digits": "555 0142 2027 ٤٢ ४२",
    "mixed scripts": "zebra كركدن 斑馬 зебра ม้าลาย",
    "marks without letters": "\u0301\u0651\u094d\u200d\u202e",
}
ANSWERED_STILL = {
    "a megabyte behind the question": f"{CRACKED} {' ' * MAX_QUESTION}{'zebra ' * 200_000}",
    "lone surrogates between": f"{CRACKED.replace(' ', ' \ud800', 1)}?",
    "control characters between words": CRACKED.replace(" ", "\x00\x1f"),
    "capitals": CRACKED.upper(),
    "full width": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in CRACKED),
}


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("kind", REFUSED)
def test_a_question_without_a_question_is_refused(kind: str, settings: str) -> None:
    result = ask(REFUSED[kind], SMALL, SETTINGS[settings], interface="en")
    assert result.answer.kind == "refusal"
    assert result.answer.sources == ()
    assert result.cut == (len(REFUSED[kind]) > MAX_QUESTION)
    assert all(len(trace.query) <= MAX_QUESTION for trace in result.attempts)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("kind", ANSWERED_STILL)
def test_what_stands_around_a_question_does_not_keep_it_from_its_answer(kind: str, settings: str) -> None:
    result = ask(ANSWERED_STILL[kind], SMALL, SETTINGS[settings], lang="en")
    assert [source.source_id for source in result.answer.sources] == [ANSWERED]
