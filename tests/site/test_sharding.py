"""A language cut into files answers as one that is in memory, and damage to its files is damage."""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder import build_index, payload, sharding
from builder.calibrate import settled, with_lexicons
from builder.project import load_project
from builder.sharding import IndexFiles
from cairn_core import evidence, parts, retrieve
from cairn_core.bridge import Session, open_session
from cairn_core.config import Config
from cairn_core.errors import IndexFormatError
from cairn_core.index import Index, read_shard
from cairn_core.parts import packed, unpacked
from tests.core.small import SMALL

ROOT = Path(__file__).resolve().parents[2]
SHOWCASE = ROOT / "corpus" / "showcase"


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharding, "ABOVE", 0)
    monkeypatch.setattr(sharding, "TEXT", 300)
    monkeypatch.setattr(sharding, "POSTED", 20)


@pytest.fixture(scope="module")
def showcase() -> tuple[Index, Config]:
    project = load_project(SHOWCASE)
    index = with_lexicons(build_index(SHOWCASE), project)
    return index, settled(index, project).config


def questions() -> list[dict[str, str]]:
    lines = (ROOT / "tests" / "data" / "showcase-questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def opened(index: Index, config: Config, heads: Mapping[str, str]) -> Session:
    site = {"format": 1, "build": "b1", "config": config.to_json(), "languages": [*index.language_codes]}
    return open_session(json.dumps(site), list(heads.values()))


def whole(index: Index, config: Config) -> Session:
    heads = {lang: shard.to_json("b1") for lang, shard in index.whole.items()}
    return opened(index, config, heads)


def without_lexicons(index: Index, config: Config) -> tuple[Index, IndexFiles]:
    """Return the index as a builder makes it for large languages, and its files."""
    bare = Index.of(replace(shard, lexicons={}) for shard in index.whole.values())
    return bare, sharding.files(bare, config, "b1")


def answered(
    session: Session, files: IndexFiles, request: Mapping[str, object]
) -> tuple[str, list[list[str]]]:
    """Return the response once every file it needs is given, and what was needed each time."""
    needed: list[list[str]] = []
    while "need" in (found := json.loads(response := session.ask(json.dumps(request)))):
        needed.append(found["need"])
        for name in found["need"]:
            assert not session.give(name, files.brought[name]), session.give(name, files.brought[name])
    return response, needed


@pytest.mark.parametrize("large", [4_000, 10], ids=["every passage scored", "the best found scored"])
@pytest.mark.parametrize("scorer", ["contract", "evidence"])
def test_a_split_index_answers_the_same_to_the_bit(
    scorer: str, large: int, showcase: tuple[Index, Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieve, "LARGE", large)
    monkeypatch.setattr(retrieve, "READ", 60)
    monkeypatch.setattr(evidence, "READ", 300)
    config = replace(
        showcase[1], scorer=scorer, calibration=showcase[1].calibration if scorer == "evidence" else {}
    )
    index, files = without_lexicons(showcase[0], config)
    one, other = whole(index, config), opened(index, config, files.heads)
    languages, rounds = set(), []
    for row in questions()[::2]:
        request = {"question": row["question"], "lang": None, "interface": row["lang"]}
        response, needed = answered(other, files, request)
        assert response == one.ask(json.dumps(request))
        rounds.append(len(needed))
        languages.add(json.loads(response)["lang"])
    assert {"en", "es", "ar", "zh"} <= languages
    assert max(rounds) >= 1


def altered(data: bytes, **changes: Any) -> bytes:
    return json.dumps({**json.loads(data), **changes}).encode()


def first_bad(bad: Callable[[str, bytes], bytes], index: Index, config: Config) -> dict[str, Any]:
    """Return what is said when the first file of a question is not as it should be."""
    files = sharding.files(index, config, "b1")
    session = opened(index, config, files.heads)
    request = json.dumps({"question": "cracked meter charge", "lang": "en", "interface": None})
    needed = ""
    while "need" in (found := json.loads(session.ask(request))):
        for name in found["need"]:
            data = files.brought[name]
            if fault := session.give(name, bad(name, data)):
                return {"error": {"code": "damaged", "detail": fault}}
            needed = name
    assert needed
    answer: dict[str, Any] = found
    return answer


LARGE_POSTINGS: dict[str, Callable[[str, bytes], bytes]] = {
    "shards/en/p000/.*impacts": lambda name, data: altered(data, impacts=[]) if "/p" in name else data,
    "shards/en/p000/.*lang": lambda name, data: altered(data, lang="es") if "/p" in name else data,
    "shards/en/p000/.*format": lambda name, data: altered(data, format=1) if "/p" in name else data,
    "shards/en/p000/.*: the file is not JSON": lambda name, data: b"<html>" if "/p" in name else data,
    "shards/en/p000/.*another number of passages": lambda name, data: (
        altered(data, impacts=[["", ""] for _ in json.loads(data)["impacts"]]) if "/p" in name else data
    ),
    "shards/en/t000/.*sum": lambda name, data: (
        data.replace(b"two working", b"six working") if "/t" in name else data
    ),
    "shards/en/t000/.*passages": lambda name, data: altered(data, passages=[]) if "/t" in name else data,
    "shards/en/t000/.*document": lambda name, data: altered(data, document=-1) if "/t" in name else data,
}


@pytest.mark.parametrize("where", LARGE_POSTINGS)
def test_a_file_that_is_not_what_the_index_says_is_damage(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieve, "LARGE", 1)
    found = first_bad(
        LARGE_POSTINGS[where], SMALL, Config(contact="desk 3, 555-0199", contact_by_language={})
    )
    assert found["error"]["code"] == "damaged"
    assert re.search(where, found["error"]["detail"])


def test_a_question_in_one_language_waits_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieve, "LARGE", 1)
    for scorer in ("contract", "evidence"):
        config = Config(scorer=scorer, contact="desk 3, 555-0199", contact_by_language={})
        files = sharding.files(SMALL, config, "b1")
        request = {"question": "when is a cracked meter replaced", "lang": "en", "interface": None}
        response, needed = answered(opened(SMALL, config, files.heads), files, request)
        assert json.loads(response)["answer"]["grounded"]
        kinds = [{name.split("/")[2][0] for name in names} for names in needed]
        assert kinds == [{"p"}, {"t"}]


def test_a_name_that_is_not_of_the_site_is_not_taken() -> None:
    config = Config(contact="desk 3, 555-0199", contact_by_language={})
    session = opened(SMALL, config, sharding.files(SMALL, config, "b1").heads)
    for name in ("", "shards/en/p000/99", "shards/fr/p000/00", "../x", "shards/en/p0/0"):
        assert "not of this site" in session.give(name, b"{}")


def test_files_are_let_go_of_between_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "KEPT", 0)
    config = Config(contact="desk 3, 555-0199", contact_by_language={})
    files = sharding.files(SMALL, config, "b1")
    session = opened(SMALL, config, files.heads)
    request = {"question": "cracked meter charge", "lang": "en", "interface": None}
    first, needed = answered(session, files, request)
    again, more = answered(session, files, request)
    assert needed
    assert more
    assert again == first


HEAD: dict[str, Any] = {
    "passages": "",
    "postings": "0",
    "terms": "b a",
    "term frequencies": " ",
    "stems": 3,
    "evidence": [],
}


@pytest.mark.parametrize("name", HEAD)
def test_a_damaged_head_is_refused_with_the_field(name: str) -> None:
    config = Config(scorer="evidence", contact="desk 3, 555-0199", contact_by_language={})
    plain = json.loads(sharding.files(SMALL, config, "b1").heads["index.en.json"])
    plain["split"][name] = HEAD[name]
    with pytest.raises(IndexFormatError, match=r"index\.split\."):
        read_shard(json.dumps(plain))


@given(st.lists(st.integers(0, 1_000_000)))
def test_numbers_survive_their_packing(numbers: list[int]) -> None:
    assert unpacked(packed(numbers).encode().decode(), "x") == numbers


def test_listings_lead_from_one_hash_to_every_file() -> None:
    files = sharding.files(SMALL, Config(), "b1").brought
    made = {part.name: part for part in sharding.listed(files)}
    top = [name for name in made if not sharding.is_listed(name)]
    assert top == ["shards/ar", "shards/en", "shards/es"]
    found: dict[str, bytes] = {}
    waiting = [(name, made[name].entry.sha256) for name in top]
    while waiting:
        name, sha256 = waiting.pop()
        data = gzip.decompress(made[name].gz)
        assert payload.digest(data) == sha256
        if name in files:
            found[name] = data
        else:
            waiting += [(f"{name}/{leaf}", one["sha256"]) for leaf, one in json.loads(data).items()]
    assert found == files
