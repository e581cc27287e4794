"""Strict mode: what the near-miss model refuses, and what a refusal of it keeps."""

import json
from dataclasses import replace

import pytest

from builder.near_miss import shipped
from cairn_core.bridge import Session
from cairn_core.config import Config
from cairn_core.engine import Result, ask
from cairn_core.errors import ConfigError
from cairn_core.evidence import ENOUGH
from cairn_core.index import Index
from cairn_core.nearmiss import TRAITS, Judgement, NearMiss
from cairn_core.retrieve import retrieve
from cairn_core.strictness import DEPTH, traits
from tests.core.small import document, index_of

NONE = dict.fromkeys(TRAITS, 0.0)
ALL_REFUSED = NearMiss(NONE, 3.0, 0.5, "a test", "")
ALL_PASS = NearMiss(NONE, -3.0, 0.5, "a test", "")
ASKED = {
    "en": ("Fallen branches are collected after a storm.", "when are fallen branches collected"),
    "es": ("Las ramas caídas se recogen tras la tormenta.", "cuándo se recogen las ramas caídas"),
    "ar": ("تُجمع الأغصان المكسورة بعد العاصفة.", "متى تُجمع الأغصان المكسورة"),
}


def corpus(size: int = ENOUGH) -> Index:
    """Return `size` passages a language, one of which answers."""
    return index_of(
        *(
            document(f"d{at}", lang, f"T{at}", text if at == 0 else f"{'heron ' * (at % 7 + 1)}nest {at}")
            for lang, (text, _) in ASKED.items()
            for at in range(size)
        )
    )


def answered(lang: str, model: NearMiss | None, index: Index | None = None) -> Result:
    config = Config(scorer="evidence", near_miss=model, candidates=3)
    return ask(ASKED[lang][1], index or corpus(), config, lang=lang)


@pytest.mark.parametrize("lang", sorted(ASKED))
def test_a_near_miss_is_refused_and_the_trace_says_why(lang: str) -> None:
    result = answered(lang, ALL_REFUSED)
    assert answered(lang, None).answer.grounded
    assert result.answer.kind == "refusal"
    assert result.answer.sources == ()
    assert ASKED[lang][0] not in json.dumps(result.answer.to_payload(), ensure_ascii=False)
    own = result.attempts[0]
    assert own.near_miss == Judgement(ALL_REFUSED.probability(NONE), 0.5)
    assert own.threshold > own.candidates[0].score
    assert [one.accepted for one in own.candidates] == [one.score >= own.threshold for one in own.candidates]


@pytest.mark.parametrize("lang", sorted(ASKED))
def test_what_the_model_lets_through_is_answered_as_without_it(lang: str) -> None:
    strict, plain = answered(lang, ALL_PASS), answered(lang, None)
    assert strict.answer.to_payload() == plain.answer.to_payload()
    assert strict.answer.trace.threshold == plain.answer.trace.threshold
    assert strict.answer.trace.near_miss is not None


def test_another_language_is_judged_too() -> None:
    result = answered("en", ALL_REFUSED)
    assert [trace.lang for trace in result.attempts] != ["en"]
    assert all(trace.near_miss for trace in result.attempts if trace.candidates)


def test_few_passages_are_not_judged() -> None:
    result = answered("en", ALL_REFUSED, corpus(ENOUGH - 1))
    assert result.answer.grounded
    assert result.answer.trace.near_miss is None


def test_the_trace_keeps_as_many_candidates_as_the_site_asks_for() -> None:
    texts = [f"{'Fallen branches' if at < 9 else 'Herons'} are kept in street {at}." for at in range(ENOUGH)]
    index = index_of(*(document(f"d{at}", "en", "T", text) for at, text in enumerate(texts)))
    config = Config(scorer="evidence", near_miss=ALL_PASS, candidates=2, cross_language_fallback=False)
    assert len(ask("where are fallen branches", index, config).attempts[0].candidates) == 2


def test_the_contract_scorer_has_no_strict_mode() -> None:
    with pytest.raises(ConfigError) as caught:
        Config(near_miss=ALL_PASS)
    assert caught.value.hint == 'write scorer = "evidence"'


def test_a_near_miss_cannot_be_accepted() -> None:
    trace = retrieve(ASKED["en"][1], corpus(), threshold=0.01, candidates=3, lang="en", scorer="evidence")
    with pytest.raises(ValueError, match="near miss"):
        replace(trace, near_miss=Judgement(0.9, 0.5))


def test_the_traits_tell_an_answering_passage_from_one_that_shares_a_word() -> None:
    index = corpus()
    rows = []
    for question in (ASKED["en"][1], "when are storms announced on television"):
        trace = retrieve(question, index, threshold=0.1, candidates=DEPTH, lang="en", scorer="evidence")
        rows.append(traits(trace, index.shards["en"]))
    whole, part = rows
    assert set(whole) == set(TRAITS)
    assert (whole["held"], whole["unseen"]) == (1.0, 0.0)
    assert whole["held"] > part["held"]
    assert part["unseen"] > 0
    assert shipped().probability(whole) < shipped().probability(part)


def test_the_bridge_tells_the_judgement_and_takes_the_model_as_json() -> None:
    config = Config.from_json(
        json.loads(json.dumps(Config(scorer="evidence", near_miss=ALL_REFUSED).to_json()))
    )
    assert config.near_miss == ALL_REFUSED
    request = json.dumps({"question": ASKED["en"][1], "lang": "en", "interface": None})
    response = json.loads(Session(corpus(), config, "").ask(request))
    assert response["answer"]["kind"] == "refusal"
    near = response["trace"]["near_miss"]
    assert near is None or near["probability"] > near["limit"]


@pytest.mark.parametrize(
    "damage",
    [
        {"format": 2},
        {"coefficients": []},
        {"coefficients": {}},
        {"intercept": float("nan")},
        {"intercept": "3"},
        {"limit": 0.0},
        {"limit": True},
        {"source": 7},
        {"more": 1},
    ],
)
def test_a_damaged_model_is_a_located_error(damage: dict[str, object]) -> None:
    with pytest.raises(ConfigError) as caught:
        NearMiss.from_json({**ALL_PASS.to_json(), **damage})
    assert caught.value.location.startswith("near_miss")
