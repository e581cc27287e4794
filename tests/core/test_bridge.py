"""JSON text in, JSON text out."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.bridge import Session, open_session
from cairn_core.calibration import Calibration
from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.errors import IndexFormatError, MixedBuildsError
from cairn_core.index import Index
from tests.core.small import SMALL, document, index_of

CONFIG = Config(contact="desk 3, 555-0199", contact_by_language={"ar": "شباك 3، 555-0199"})
FOUND = Calibration(0.2, 200, 0.01, 0.005)
DAMAGED: list[object] = [
    None,
    [],
    {"en": None},
    {"en": 0.2},
    {"ENGLISH": FOUND.to_json()},
    *(
        {"en": {**FOUND.to_json(), **change}}
        for change in (
            {"threshold": "0.2"},
            {"threshold": True},
            {"threshold": 0},
            {"threshold": 1.5},
            {"threshold": float("nan")},
            {"probes": 1.5},
            {"probes": -1},
            {"alpha": None},
            {"realised": 2},
            {"set_aside": 201},
            {"origin": "guess"},
            {"origin": None},
            {"more": 1},
        )
    ),
    {"en": {name: value for name, value in FOUND.to_json().items() if name != "alpha"}},
]
SHARDS = [shard.to_json("b1") for shard in SMALL.shards.values()]
LANGUAGES = list(SMALL.language_codes)


def site(**changes: object) -> str:
    return json.dumps(
        {"format": 1, "build": "b1", "config": CONFIG.to_json(), "languages": LANGUAGES, **changes}
    )


SESSION = open_session(site(), SHARDS)


def response(question: str, session: Session = SESSION, **changes: object) -> dict[str, Any]:
    request = json.dumps({"question": question, "lang": None, "interface": None, **changes})
    found: dict[str, Any] = json.loads(session.ask(request))
    return found


def test_every_language_is_counted_before_a_question_the_default_one_first() -> None:
    config = Config(scorer="evidence", default_lang="es")
    session = open_session(site(config=config.to_json()), SHARDS)
    shards = session.index.shards
    assert session.prepare()
    assert [lang for lang, shard in shards.items() if shard.counted] == ["es"]
    assert session.prepare()
    assert not session.prepare()
    assert all(shard.counted for shard in shards.values())
    assert not session.prepare()


def test_the_contracts_scorer_needs_nothing_prepared() -> None:
    session = open_session(site(), SHARDS)
    assert not session.prepare()
    assert not any(shard.counted for shard in session.index.shards.values())


def test_a_grounded_response_carries_everything_a_page_shows() -> None:
    found = response("cracked meter replaced charge", lang="es")
    assert found["format"] == 1
    assert (found["lang"], found["dir"], found["cut"]) == ("es", "ltr", False)
    assert found["answer"]["sources"][0]["url"] == "en/water.html#p1"
    assert found["heading"] == "Lo que dicen los documentos: 1 fragmento"
    assert found["status"] == "Respuesta encontrada en «Water Meters»."
    assert found["notice"] == found["answer"]["notice"]
    assert found["runs"] == []
    assert found["detection"] == {"lang": "es", "basis": "requested", "coverage": 0.0}
    assert found["trace"]["candidates"][0]["id"] == "water-en#1"
    assert found["trace"]["candidates"][0]["accepted"] is True


def test_translations_of_a_quoted_document_are_linked_the_askers_language_first() -> None:
    (found,) = response("cracked meter replaced charge", lang="es")["translations"]
    assert found["source"] == "water-en#1"
    assert [link["lang"] for link in found["links"]] == ["es", "ar"]
    assert found["links"][1] == {
        "lang": "ar",
        "dir": "rtl",
        "endonym": "العربية",
        "title": "عدادات المياه",
        "url": "ar/water.html",
    }


def test_a_refusal_in_arabic_isolates_the_number_to_call() -> None:
    found = response("هل تنام الفيلة؟")
    assert found["dir"] == "rtl"
    assert "".join(text for text, _ in found["runs"]) == found["answer"]["text"]
    assert ["555-0199", True] in found["runs"]
    assert found["contact"] == [["شباك 3، ", False], ["555-0199", True]]
    assert found["translations"] == []


def test_every_line_of_a_quotation_is_cut_into_cells_and_runs() -> None:
    index = index_of(document("fees", "ar", "الرسوم", "الرسم\t$20\nالهاتف\t555-0199"))
    shards = [shard.to_json("b1") for shard in index.shards.values()]
    session = open_session(site(languages=["ar"]), shards)
    (lines,) = response("الرسم الهاتف", session)["lines"]
    assert lines == [
        [[["الرسم", False]], [["$20", True]]],
        [[["الهاتف", False]], [["555-0199", True]]],
    ]


def test_the_response_is_canonical_json() -> None:
    text = SESSION.ask('{"question": "¿Cuándo es la lectura anual?"}')
    assert text == json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def test_the_payload_is_the_one_of_every_other_caller() -> None:
    expected = ask("Is a cracked meter replaced?", SMALL, CONFIG).answer.to_payload()
    assert response("Is a cracked meter replaced?")["answer"] == expected


@pytest.mark.parametrize(
    ("request_json", "code"),
    [
        ("", "request"),
        ("null", "request"),
        ("[]", "request"),
        ("{", "request"),
        ("{}", "request"),
        ('{"question":null}', "request"),
        ('{"question":["meter"]}', "request"),
        ('{"question":"meter","lang":3}', "request"),
        ('{"question":"meter","interface":{}}', "request"),
        ('{"question":NaN}', "request"),
        ('{"question":' + "[" * 100_000 + "}", "request"),
        ('{"question":"meter","lang":"fr"}', "language"),
        ('{"question":"meter","lang":""}', "language"),
    ],
)
def test_a_bad_request_gets_an_error_with_a_code(request_json: str, code: str) -> None:
    found = json.loads(SESSION.ask(request_json))
    assert found["error"]["code"] == code
    assert found["error"]["detail"]


@given(st.text(max_size=80) | st.dictionaries(st.text(max_size=9), st.integers() | st.text()).map(json.dumps))
def test_no_request_raises(request_json: str) -> None:
    assert json.loads(SESSION.ask(request_json))["format"] == 1


@given(st.text(st.characters(), max_size=40))
def test_a_question_of_any_characters_gets_a_response_that_can_be_encoded(question: str) -> None:
    text = SESSION.ask(json.dumps({"question": question}))
    assert json.loads(text.encode("utf-8"))["answer"]["kind"] in {"grounded", "refusal"}


def test_an_edited_index_is_damage_not_a_refusal() -> None:
    edited = [text.replace("two working weeks", "nine working weeks") for text in SHARDS]
    with pytest.raises(IndexFormatError) as caught:
        open_session(site(), edited)
    assert caught.value.location == "index.passages[3].sum"


def test_a_passage_that_is_not_as_it_was_indexed_is_damage_not_a_refusal() -> None:
    session = open_session(site(), SHARDS)
    english = session.index.shards["en"]
    passages = [
        replace(one, text=one.text.replace("two working", "nine working")) for one in english.passages
    ]
    others = [shard for lang, shard in session.index.shards.items() if lang != "en"]
    index = Index.of([*others, replace(english, passages=tuple(passages))])
    found = response("cracked meter charge", replace(session, index=index))
    assert found["error"]["code"] == "damaged"
    assert "water-en#1" in found["error"]["detail"]


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"build": None},
        {"languages": ["en"]},
        {"languages": [1, "en", "es"]},
        {"languages": "en"},
        {"config": None},
        {"config": {**CONFIG.to_json(), "threshold": 7}},
        *({"config": {**CONFIG.to_json(), "calibration": one}} for one in DAMAGED),
    ],
)
def test_a_damaged_site_description_is_refused(changes: Mapping[str, object]) -> None:
    with pytest.raises(IndexFormatError):
        open_session(site(**changes), SHARDS)


def test_parts_of_different_builds_are_told_apart_from_damage() -> None:
    with pytest.raises(MixedBuildsError):
        open_session(site(build="b2"), SHARDS)
    with pytest.raises(MixedBuildsError):
        open_session(site(), [*SHARDS[:-1], SMALL.shards["es"].to_json("b0")])


def test_parts_may_arrive_as_bytes() -> None:
    session = open_session(site().encode(), [text.encode() for text in SHARDS])
    assert response("Is a cracked meter replaced?", session) == response("Is a cracked meter replaced?")
