"""The shapes web/js/types.d.ts declares are those Python writes."""

import json
import re
from pathlib import Path

from builder import build_index, load_config
from builder.payload import Manifest, PartEntry
from cairn_core.bridge import Session, open_session

ROOT = Path(__file__).resolve().parents[2]
TYPES = (ROOT / "web" / "js" / "types.d.ts").read_text(encoding="utf-8")
CORPUS = ROOT / "corpus" / "showcase"


def declared(name: str) -> set[str]:
    """Return the property names of an interface."""
    body = re.findall(rf"interface {name} {{\n(.*?)\n}}", TYPES, flags=re.DOTALL)[0]
    return set(re.findall(r"^  (?:readonly )?(\w+)\??:", body, flags=re.MULTILINE))


def opened() -> Session:
    index, config = build_index(CORPUS), load_config(CORPUS / "cairn.toml")
    languages = list(index.language_codes)
    site = {"format": 1, "build": "", "config": config.to_json(), "languages": languages}
    return open_session(json.dumps(site), [index.shards[lang].to_json() for lang in languages])


def responses() -> list[dict[str, object]]:
    session = opened()
    questions = [passage.text for passage in session.index.passages[:40]] + ["zzzzqqqq wwwwxxxx"]
    requests = [{"question": question, "lang": None, "interface": "en"} for question in questions]
    return [json.loads(session.ask(json.dumps(request))) for request in requests]


def test_a_response_of_the_bridge_has_the_declared_keys() -> None:
    found = responses()
    sources = [source for response in found for source in response["answer"]["sources"]]  # type: ignore[index]
    links = [
        link
        for response in found
        for each in response["translations"]  # type: ignore[attr-defined]
        for link in each["links"]
    ]
    assert {response["answer"]["kind"] for response in found} == {"grounded", "refusal"}  # type: ignore[index]
    assert sources
    assert links
    for response in found:
        assert set(response) == declared("AskResponse")
        assert set(response["answer"]) == declared("AnswerPayload")  # type: ignore[call-overload]
    assert {frozenset(source) for source in sources} == {frozenset(declared("AnswerSource"))}
    assert {frozenset(link) for link in links} == {frozenset(declared("TranslationLink"))}


def test_an_error_of_the_bridge_has_the_declared_keys() -> None:
    assert set(json.loads(opened().ask("{"))["error"]) == declared("BridgeError")


def test_the_manifest_a_page_loads_has_the_declared_keys() -> None:
    manifest = Manifest("0" * 16, "0.29.5", {"a.json": PartEntry("0" * 64, 1, 1)}, {})
    text = manifest.script().data.decode().partition("manifest=")[2].strip().rstrip(";")
    assert set(json.loads(text)) == declared("Manifest")
    assert set(json.loads(text)["parts"]["a.json"]) == declared("ManifestPart")
