"""The scorer against a naive one, and what a trace promises."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.index import Index
from cairn_core.passage import Passage
from cairn_core.retrieve import Candidate, Trace, retrieve
from cairn_core.text import terms
from tests.core.small import SMALL, WATER_EN, document, index_of

VOCABULARY = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "the",
    "año",
    "ano",
    "212",
    "中文",
    "مياه",
]

sentences = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=9).map(" ".join)
questions = st.lists(st.sampled_from([*VOCABULARY, "unknown", "ámber"]), max_size=9).map(" ".join)


@st.composite
def indexes(draw: st.DrawFn) -> Index:
    documents = [
        document(name, lang, draw(sentences), *draw(st.lists(sentences, min_size=1, max_size=4)))
        for lang in draw(st.sampled_from([["en"], ["en", "es"]]))
        for name in draw(st.sets(st.sampled_from("pqr"), min_size=1))
    ]
    return index_of(*documents)


def _bare(term: str) -> str:
    return term.translate(str.maketrans("áéñ", "aen"))


def naive_scores(query: str, passages: list[Passage]) -> dict[str, float]:
    """Passage id -> cosine of TF-IDF vectors over one language's passages, straight from the definition."""
    bags = {p.passage_id: Counter(terms(p.text)) + Counter(terms(p.title) * 5) for p in passages}
    frequency = Counter(term for bag in bags.values() for term in bag)
    size = len(passages)
    none_left = all(count > size / 2 for count in frequency.values())

    def weight(term: str) -> float:
        if frequency[term] > size / 2 and not none_left:
            return 0.0
        return math.log((size + 1) / (frequency[term] + 1)) + 1

    def vector(bag: Counter[str]) -> dict[str, float]:
        return {term: (1 + math.log(count)) * weight(term) for term, count in bag.items()}

    def unaccented(term: str) -> str:
        known = sorted(other for other in frequency if _bare(other) == _bare(term))
        return term if term in frequency or not known else max(known, key=frequency.__getitem__)

    asked = vector(Counter(unaccented(term) for term in terms(query)))
    scores: dict[str, float] = {}
    for passage_id, bag in bags.items():
        held = vector(bag)
        product = sum(asked[term] * held.get(term, 0.0) for term in asked)
        if product:
            scores[passage_id] = product / math.hypot(*asked.values()) / math.hypot(*held.values())
    return scores


@given(indexes(), questions)
def test_scores_are_those_of_the_definition(index: Index, query: str) -> None:
    for lang in index.language_codes:
        trace = retrieve(query, index, threshold=0.165, candidates=99, lang=lang)
        expected = naive_scores(query, [p for p in index.passages if p.lang == lang])
        assert {c.passage.passage_id: c.score for c in trace.candidates} == pytest.approx(expected, abs=2e-9)


@given(indexes(), questions, st.floats(min_value=0.01, max_value=1), st.integers(min_value=1, max_value=5))
def test_candidates_are_ranked_capped_and_accepted_by_the_threshold(
    index: Index, query: str, threshold: float, candidates: int
) -> None:
    trace = retrieve(query, index, threshold=threshold, candidates=candidates)
    everything = retrieve(query, index, threshold=threshold, candidates=99)
    assert trace.candidates == everything.candidates[:candidates]
    ranks = [(-c.score, c.passage.passage_id) for c in everything.candidates]
    assert ranks == sorted(ranks)
    assert all(c.accepted == (c.score >= threshold) for c in trace.candidates)
    assert all(0.0 < c.score <= 1.0 for c in trace.candidates)
    assert trace.grounded == bool(trace.accepted)


@given(indexes(), questions)
def test_the_terms_of_a_question_are_partitioned(index: Index, query: str) -> None:
    trace = retrieve(query, index, threshold=0.165, candidates=99)
    parts = [*trace.matched, *trace.ignored, *trace.unmatched]
    assert len(parts) == len(set(parts))
    readings = {shard.reading(term) for term in terms(query) for shard in index.shards.values()}
    assert set(parts) <= readings | set(terms(query))
    for term in terms(query):
        assert any(shard.reading(term) in parts for shard in index.shards.values())
    assert {term for c in trace.candidates for term in c.matched} == set(trace.matched)


@given(indexes(), questions)
def test_what_matched_stands_in_the_passage_or_its_title(index: Index, query: str) -> None:
    for candidate in retrieve(query, index, threshold=0.165, candidates=99).candidates:
        held = {*terms(candidate.passage.text), *terms(candidate.passage.title)}
        assert candidate.matched == tuple(sorted(candidate.matched))
        assert set(candidate.matched) <= held
        assert candidate.matched


def test_without_a_language_the_whole_corpus_is_searched() -> None:
    trace = retrieve("Abril 212", SMALL, threshold=0.165, candidates=8)
    assert trace.lang is None
    assert [c.passage.passage_id for c in trace.candidates] == ["water-es#2"]
    assert retrieve("Abril", SMALL, threshold=0.165, candidates=8, lang="en").candidates == ()


def test_equal_scores_are_ordered_by_passage_id() -> None:
    index = index_of(document("b", "en", "Xx", "moss"), document("a", "en", "Xx", "moss"), WATER_EN)
    trace = retrieve("moss", index, threshold=0.165, candidates=8)
    assert [c.passage.passage_id for c in trace.candidates] == ["a-en#1", "b-en#1"]
    assert trace.candidates[0].score == trace.candidates[1].score


def test_an_unknown_word_lowers_the_score_without_changing_the_order() -> None:
    alone = retrieve("cracked meter", SMALL, threshold=0.165, candidates=8)
    beside = retrieve("cracked meter elephant", SMALL, threshold=0.165, candidates=8)
    assert [c.passage for c in alone.candidates] == [c.passage for c in beside.candidates]
    assert all(b.score < a.score for a, b in zip(alone.candidates, beside.candidates, strict=True))
    assert beside.unmatched == ("eleph",)


def test_spanish_typed_without_accents_scores_as_with_them() -> None:
    with_accents = retrieve("sótano abierto", SMALL, threshold=0.165, candidates=8, lang="es")
    without = retrieve("sotano abierto", SMALL, threshold=0.165, candidates=8, lang="es")
    assert without.candidates == with_accents.candidates
    assert without.matched == ("abier", "sótan")


def test_digits_of_another_script_find_the_same_number() -> None:
    index = index_of(WATER_EN, document("fee", "en", "Fees", "The fee is 212 a year."))
    asked = [retrieve(q, index, threshold=0.165, candidates=8) for q in ("fee 212", "fee ٢١٢", "fee ２１２")]
    assert asked[0].candidates == asked[1].candidates == asked[2].candidates


@pytest.mark.parametrize("query", ["", "   ", "?!", "zzzzqqqq wwwwxxxx"])
def test_a_question_without_a_known_word_has_no_candidates(query: str) -> None:
    trace = retrieve(query, SMALL, threshold=0.165, candidates=8)
    assert (trace.candidates, trace.accepted, trace.grounded) == ((), (), False)


def test_no_candidates_at_all_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="candidates"):
        retrieve("meter", SMALL, threshold=0.165, candidates=0)


def test_a_trace_that_contradicts_itself_cannot_exist() -> None:
    low, high = (Candidate(WATER_EN[at], score, score >= 0.5, ("x",)) for at, score in ((0, 0.2), (1, 0.7)))
    with pytest.raises(ValueError, match="ranked"):
        Trace("q", "en", 0.5, (low, high), ("x",), (), ())
    with pytest.raises(ValueError, match="threshold"):
        Trace("q", "en", 0.1, (high, low), ("x",), (), ())
