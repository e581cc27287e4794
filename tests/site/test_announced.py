"""Shards that are brought when a question needs them: the same answers, no file too many, damage told."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builder import build_index, sharding
from builder.calibrate import settled, with_lexicons
from builder.project import load_project
from builder.sharding import IndexFiles
from cairn_core.bridge import Session, open_session
from cairn_core.config import Config
from cairn_core.errors import IndexFormatError
from cairn_core.index import Index, file_name
from tests.core.small import SMALL

ROOT = Path(__file__).resolve().parents[2]
SHOWCASE = ROOT / "corpus" / "showcase"
CONFIG = Config(contact="desk 3, 555-0199", contact_by_language={})
FILES = sharding.files(SMALL, CONFIG, "b1")


@pytest.fixture(scope="module")
def showcase() -> tuple[Index, Config]:
    project = load_project(SHOWCASE)
    index = with_lexicons(build_index(SHOWCASE), project)
    return index, settled(index, project).config


def site(files: IndexFiles, config: Config = CONFIG, **changes: object) -> str:
    languages = [name.split(".")[1] for name in files.heads]
    described = {"format": 1, "build": "b1", "config": config.to_json(), "languages": languages}
    return json.dumps({**described, "known": files.announced, **changes})


def opened(files: IndexFiles, config: Config, *langs: str) -> Session:
    return open_session(site(files, config), [files.heads[file_name(lang)] for lang in langs])


def answered(session: Session, files: IndexFiles, request: dict[str, object]) -> tuple[str, list[list[str]]]:
    """Return the response once every file it needs is given, and what was needed each time."""
    needed: list[list[str]] = []
    while "need" in (found := json.loads(response := session.ask(json.dumps(request)))):
        needed.append(found["need"])
        for name in found["need"]:
            data = files.brought[name] if name in files.brought else files.heads[name].encode()
            assert not session.give(name, data), session.give(name, data)
    return response, needed


def showcase_requests() -> list[dict[str, object]]:
    lines = (ROOT / "tests" / "data" / "showcase-questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    requests: list[dict[str, object]] = [
        {"question": row["question"], "lang": None, "interface": row["lang"]} for row in rows
    ]
    return [*requests[::8], *({**one, "interface": "en"} for one in requests[::20])]


@pytest.mark.parametrize("above", [4_000, 0], ids=["whole", "cut"])
@pytest.mark.parametrize("scorer", ["contract", "evidence"])
def test_what_is_brought_when_needed_answers_the_same_to_the_bit(
    scorer: str, above: int, showcase: tuple[Index, Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharding, "ABOVE", above)
    index, config = showcase
    if scorer == "contract":
        config = replace(config, scorer=scorer, calibration={})
    if above == 0:
        index = Index.of(replace(shard, lexicons={}) for shard in index.whole.values())
    files = sharding.files(index, config, "b1")
    everything = opened(files, config, *index.language_codes)
    growing = opened(files, config, "en")
    for number, request in enumerate(showcase_requests()):
        response, _ = answered(everything, files, request)
        assert answered(growing, files, request)[0] == response
        if number % 9 == 0:  # what a page opened anew says
            assert answered(opened(files, config, "es"), files, request)[0] == response


def test_an_answer_in_the_language_of_the_page_needs_no_other_shard() -> None:
    for lang, question in (("en", "Is a cracked meter replaced?"), ("es", "¿Cuándo es la lectura anual?")):
        request: dict[str, object] = {"question": question, "lang": None, "interface": lang}
        response, needed = answered(opened(FILES, CONFIG, lang), FILES, request)
        assert needed == []
        assert json.loads(response)["answer"]["grounded"]


def test_a_question_in_another_language_waits_once_for_its_shard() -> None:
    request: dict[str, object] = {
        "question": "¿Cuándo es la lectura anual?",
        "lang": None,
        "interface": "en",
    }
    assert answered(opened(FILES, CONFIG, "en"), FILES, request)[1] == [["index.es.json"]]


def test_a_question_nothing_is_found_for_waits_once_for_all_others() -> None:
    request: dict[str, object] = {"question": "Do elephants sleep?", "lang": "en", "interface": None}
    assert answered(opened(FILES, CONFIG, "en"), FILES, request)[1] == [["index.ar.json", "index.es.json"]]


def test_translations_are_linked_before_their_shards_are_there() -> None:
    request: dict[str, object] = {"question": "cracked meter charge", "lang": "en", "interface": None}
    response, needed = answered(opened(FILES, CONFIG, "en"), FILES, request)
    assert needed == []
    assert [link["lang"] for link in json.loads(response)["translations"][0]["links"]] == ["ar", "es"]


def test_a_shard_given_twice_is_taken_once() -> None:
    session = opened(FILES, CONFIG, "en")
    data = FILES.heads["index.es.json"].encode()
    assert [session.give("index.es.json", data), session.give("index.es.json", data)] == ["", ""]
    assert [*session.index.shards.held] == ["en", "es"]


def head(lang: str, **changes: Any) -> bytes:
    return json.dumps({**json.loads(FILES.heads[file_name(lang)]), **changes}).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<html>", "not JSON"),
        (head("es", build="b0"), "another build"),
        (head("ar"), 'index.es.json: it is of "ar"'),
        (head("es", passages=[]), "there are no passages"),
        (head("es", documents=[]), "passages[0]"),
    ],
)
def test_a_shard_that_cannot_be_used_is_told_when_it_is_given(data: bytes, said: str) -> None:
    session = opened(FILES, CONFIG, "en")
    assert said in session.give("index.es.json", data)
    assert [*session.index.shards.held] == ["en"]


@pytest.mark.parametrize("field", ["terms", "script", "documents"])
def test_a_shard_that_was_announced_otherwise_is_damage(field: str) -> None:
    other = {"terms": "zzz", "script": "GREEK", "documents": []}[field]
    known = {**FILES.announced, "es": {**FILES.announced["es"], field: other}}
    session = open_session(site(FILES, known=known), [FILES.heads["index.en.json"]])
    assert "site.known.es" in session.give("index.es.json", FILES.heads["index.es.json"].encode())
    with pytest.raises(IndexFormatError, match=r"site\.known\.es"):
        open_session(site(FILES, known=known), list(FILES.heads.values()))


@pytest.mark.parametrize(
    "known",
    [
        [],
        {"es": None},
        {"es": {}},
        {"es": {"terms": "a", "script": 3, "documents": []}},
        {"es": {"terms": "a", "script": "LATIN", "documents": {}}},
        {"E S": FILES.announced["es"], **FILES.announced},
        {lang: one for lang, one in FILES.announced.items() if lang != "ar"},
    ],
)
def test_a_damaged_announcement_is_refused(known: object) -> None:
    with pytest.raises(IndexFormatError, match=r"site"):
        open_session(site(FILES, known=known), [FILES.heads["index.en.json"]])


def test_a_damaged_document_that_was_announced_is_told_as_damage() -> None:
    spanish = json.loads(json.dumps(FILES.announced["es"]))
    spanish["documents"] = [{**one, "url": "javascript:"} for one in spanish["documents"]]
    known = {**FILES.announced, "es": spanish}
    session = open_session(site(FILES, known=known), [FILES.heads["index.en.json"]])
    request = json.dumps({"question": "cracked meter charge", "lang": "en", "interface": None})
    found = json.loads(session.ask(request))
    assert found["error"]["code"] == "damaged"
    assert "site.known.es.documents[0].url" in found["error"]["detail"]


def test_one_language_announces_nothing() -> None:
    alone = Index.of([SMALL.whole["en"]])
    assert sharding.files(alone, CONFIG, "b1").announced == {}
