"""Phrases of a glossary in a question, and the question in the words of the documents."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.bridge import open_session
from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.errors import ConfigError
from cairn_core.glossary import Expansion, Glossary
from cairn_core.rewording import reword
from tests.core.small import SMALL, document, index_of

GLOSSARY = Glossary({"sub meter": ("water meter",), "fix": ("replaced",), "sub": ("lower rate",)})
CONFIG = Config(scorer="evidence", glossary={"en": GLOSSARY}, contact="the desk")
words_of_phrases = st.sampled_from(["sub", "meter", "fix", "é", "水", "表"])
phrases = st.lists(words_of_phrases, min_size=1, max_size=3).map(" ".join)


@pytest.mark.parametrize(
    ("phrase", "question", "found"),
    [
        ("bus pass", "who gets the Bus-Pass?", "Bus-Pass"),
        ("bus pass", "the bus passes", None),
        ("cafe", "un café, por favor", "café"),
        ("تذكرة", "كم ثمن التذكرة", None),
        ("تذكره", "كم ثمن تذكرة الحافلة", "تذكرة"),
        ("借书证", "哪里办借书证？", "借书证"),
        ("รถเมล์", "ขึ้นรถเมล์ฟรีไหม", "รถเมล์"),
    ],
)
def test_a_phrase_matches_whole_words_or_anywhere_in_unspaced_scripts(
    phrase: str, question: str, found: str | None
) -> None:
    parts = Glossary({phrase: ("x",)}).split(question)
    assert [part.phrase for part in parts if isinstance(part, Expansion)] == ([found] if found else [])


def test_the_longest_phrase_wins_and_no_word_is_used_twice() -> None:
    assert GLOSSARY.split("fix my sub meter, sub") == [
        Expansion("fix", ("replaced",)),
        " my ",
        Expansion("sub meter", ("water meter",)),
        ", ",
        Expansion("sub", ("lower rate",)),
    ]


@given(st.dictionaries(phrases, st.just(("x",)), max_size=4), st.text("submeterfix é水表?- ", max_size=40))
def test_the_parts_of_a_question_are_the_question(entries: dict[str, tuple[str, ...]], question: str) -> None:
    parts = Glossary(entries).split(question)
    assert "".join(part.phrase if isinstance(part, Expansion) else part for part in parts) == question


@given(st.dictionaries(phrases, st.lists(phrases, min_size=1).map(tuple), max_size=4))
def test_a_glossary_survives_json(entries: dict[str, tuple[str, ...]]) -> None:
    glossary = Glossary(entries)
    assert Glossary.from_json(json.loads(json.dumps(glossary.to_json()))) == glossary


@pytest.mark.parametrize("plain", [[], {"a": "b"}, {"a": [1]}, {"a": []}, {"?": ["b"]}])
def test_what_is_no_glossary_is_refused(plain: object) -> None:
    with pytest.raises(ConfigError):
        Glossary.from_json(plain)


def test_words_of_a_phrase_that_no_passage_has_give_way_and_the_others_stay() -> None:
    reworded = reword("who can fix my sub meter", SMALL.shards["en"], GLOSSARY, spelling=False)
    assert reworded.text.split() == ["who", "can", "replaced", "my", "meter", "water", "meter"]
    assert reworded.expansions == (
        Expansion("fix", ("replaced",)),
        Expansion("sub meter", ("water meter",)),
    )


def test_a_correction_is_given_as_typed_and_as_a_passage_writes_it() -> None:
    index = index_of(document("d", "en", "Passes", "The GoPass costs $20 a year."))
    reworded = reword("what is the GaPass?", index.shards["en"], None, spelling=True)
    assert reworded.corrections == (("GaPass", "GoPass"),)
    assert reworded.text == "what is the GoPass?"


def test_function_words_are_never_corrected() -> None:
    index = index_of(document("d", "en", "T", "A whale and a wharf."))
    assert reword("where whale", index.shards["en"], None, spelling=True).corrections == ()


def test_the_answer_says_what_was_searched_and_the_asker_can_take_it_back() -> None:
    result = ask("Who can fix my sub meter when it is crcked?", SMALL, CONFIG)
    assert result.answer.sources[0].source_id == "water-en#1"
    assert result.disclosures == (
        "Also searched: replaced, water meter.",
        "Searched for “cracked” instead of “crcked”.",
    )
    literal = ask("Who can fix my sub meter when it is crcked?", SMALL, CONFIG, literal=True)
    assert literal.disclosures == ()
    assert literal.attempts[0].query == "Who can fix my sub meter when it is crcked?"


def test_the_contracts_scorer_corrects_nothing_and_config_has_no_glossary() -> None:
    assert Config().glossary == {}
    assert ask("crcked meters", SMALL, Config()).disclosures == ()


def test_an_answer_of_another_language_discloses_nothing() -> None:
    config = Config(scorer="evidence", glossary={"es": Glossary({"cracked": ("roto",)})}, contact="the desk")
    result = ask("cracked meter replaced without charge", SMALL, config, lang="es")
    assert result.answer.sources[0].lang == "en"
    assert result.disclosures == ()


def test_the_bridge_carries_corrections_expansions_and_literal() -> None:
    site = {"format": 1, "build": "", "config": CONFIG.to_json(), "languages": list(SMALL.language_codes)}
    session = open_session(json.dumps(site), [shard.to_json() for shard in SMALL.shards.values()])
    request = {"question": "fix a crcked meter", "lang": "en", "interface": "en"}
    found = json.loads(session.ask(json.dumps(request)))
    assert found["corrections"] == [["crcked", "cracked"]]
    assert found["expansions"] == [["fix", ["replaced"]]]
    assert [run[0] for run in found["disclosures"][0]] == ["Also searched: replaced."]
    assert found["status"].startswith("Also searched: replaced.")
    literal = json.loads(session.ask(json.dumps({**request, "literal": True})))
    assert literal["corrections"] == literal["expansions"] == literal["disclosures"] == []
    refused = json.loads(session.ask(json.dumps({**request, "literal": "yes"})))
    assert refused["error"]["code"] == "request"
