"""Passages, shards and their JSON: round trips, and what a damaged or hostile file gets."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.errors import IndexFormatError, MixedBuildsError
from cairn_core.index import Index, Shard, build_shard
from cairn_core.jsontext import read_object
from cairn_core.passage import DocumentRef, Passage
from cairn_core.retrieve import retrieve
from tests.core.small import SMALL, WATER_AR, WATER_EN, WATER_ES, document

EN = SMALL.shards["en"]

lines = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=30)
texts = st.lists(lines, min_size=1, max_size=3).map("\n".join).filter(str.strip)


@st.composite
def shards(draw: st.DrawFn) -> Shard:
    lang = draw(st.sampled_from(["en", "ar", "zh", "pt-br"]))
    passages = [
        passage
        for name in draw(st.sets(st.sampled_from("abc"), min_size=1))
        for passage in document(name, lang, draw(texts), *draw(st.lists(texts, min_size=1, max_size=4)))
    ]
    return build_shard(lang, passages)


@given(shards())
def test_a_shard_survives_the_journey_through_json(shard: Shard) -> None:
    text = shard.to_json("b1")
    again = Shard.from_json(text.encode("utf-8"))
    assert again.build == "b1"
    assert again.to_json() == text
    assert (again.passages, again.postings) == (shard.passages, shard.postings)
    assert (again.weights, again.norms, again.sizes) == (shard.weights, shard.norms, shard.sizes)


@given(shards())
def test_every_passage_of_a_fresh_shard_has_the_words_it_is_indexed_by(shard: Shard) -> None:
    for passage in shard.passages:
        shard.verify(passage)


def test_the_order_in_which_passages_arrive_does_not_matter() -> None:
    assert build_shard("en", reversed(EN.passages)) == EN


def test_canonical_json_has_sorted_keys_no_spaces_and_no_needless_escapes() -> None:
    text = SMALL.shards["ar"].to_json("b1")
    assert text.startswith('{"build":"b1","documents":[{"family":"water","id":"water-ar",')
    assert "\\u" not in text
    assert json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, separators=(",", ":")) == text


Change = Callable[[dict[str, Any]], object]


def _set(*path: Any) -> Change:
    """A change that sets the field at the path's keys to its last member."""

    def change(plain: dict[str, Any]) -> None:
        *keys, last, value = path
        target: Any = plain
        for key in keys:
            target = target[key]
        target[last] = value

    return change


def _drop(name: str) -> Change:
    return lambda plain: plain.pop(name)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param(_set("format", 1), "index.format", id="another format"),
        pytest.param(_drop("format"), "index.format", id="no format"),
        pytest.param(_drop("build"), "index.build", id="no build"),
        pytest.param(_set("build", 3), "index.build", id="build of another type"),
        pytest.param(_set("lang", None), "index.lang", id="no language"),
        pytest.param(_set("lang", "../x"), "documents[0].lang", id="hostile language"),
        pytest.param(_set("documents", {}), "index.documents", id="documents no list"),
        pytest.param(_set("documents", []), "passages[0].d", id="no documents"),
        pytest.param(_set("documents", 0, "id", "a b"), "documents[0].id", id="document id"),
        pytest.param(_set("documents", 0, "id", "zz-en"), "passages[0].sum", id="another document"),
        pytest.param(lambda plain: plain["passages"].reverse(), "passages", id="passages out of order"),
        pytest.param(_set("documents", 0, "title", " "), "documents[0].title", id="no title"),
        pytest.param(_set("documents", 0, "reviewed", "yesterday"), "documents[0].reviewed", id="date"),
        pytest.param(_set("documents", 0, "url", "javascript:a.html"), "documents[0].url", id="script url"),
        pytest.param(_set("documents", 0, "url", "//evil.example/a.html"), "documents[0].url", id="host"),
        pytest.param(_set("documents", 0, "url", "../a.html"), "documents[0].url", id="outside the site"),
        pytest.param(_set("passages", []), "passages", id="no passages"),
        pytest.param(_set("passages", 1, "d", -1), "passages[1].d", id="negative document"),
        pytest.param(_set("passages", 1, "d", True), "passages[1].d", id="bool for a number"),
        pytest.param(_set("passages", 1, "n", 0), "passages[1].n", id="ordinal below 1"),
        pytest.param(_set("passages", 1, "n", 1), "passages[1].sum", id="another ordinal"),
        pytest.param(lambda plain: plain["passages"].insert(0, plain["passages"][0]), "passages", id="twice"),
        pytest.param(_set("passages", 1, "n", "2"), "passages[1].n", id="ordinal as text"),
        pytest.param(_set("passages", 1, "anchor", 'a" b'), "passages[1].anchor", id="space in an anchor"),
        pytest.param(_set("passages", 1, "text", ""), "passages[1].text", id="empty text"),
        pytest.param(_set("passages", 1, "text", ["x"]), "passages[1].text", id="text as list"),
        pytest.param(_set("passages", 1, "text", "\ud800x"), "passages[1].text", id="lone surrogate"),
        pytest.param(_set("passages", 1, "text", "a\nb"), "passages[1].layout", id="layout too short"),
        pytest.param(_set("passages", 1, "layout", "z"), "passages[1].layout", id="unknown layout"),
        pytest.param(_set("passages", 1, None), "passages[1].d", id="passage null"),
        pytest.param(_set("passages", 1, "sum", 0), "passages[1].sum", id="another sum"),
        pytest.param(_set("passages", 1, "sum", float("nan")), "index", id="sum not a number"),
        pytest.param(_set("passages", 1, "sum", 1.0), "passages[1].sum", id="sum a fraction"),
        pytest.param(lambda plain: plain["passages"][1].pop("sum"), "passages[1].sum", id="no sum"),
        pytest.param(_drop("lexicons"), "index.lexicons", id="no lexicons"),
    ],
)
def test_a_damaged_shard_is_refused_with_the_field_that_could_not_be_read(change: Change, named: str) -> None:
    plain = json.loads(EN.to_json("b1"))
    change(plain)
    with pytest.raises(IndexFormatError) as caught:
        Shard.from_json(json.dumps(plain))
    assert caught.value.location.endswith(named)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"\x00\x01\x02",
        b"null",
        b"[]",
        b"3",
        b'{"format":1',
        b'{"format":NaN}',
        b'{"format":1}}',
        b'{"a":' * 100_000,
        b"[" * 1_000_000,
        b'{"a":' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"format":' + b"1" * 10_000 + b"}",
        b'"' + b"\\" * 1_000_001,
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_shard_at_all_is_refused_without_a_traceback(data: bytes) -> None:
    with pytest.raises(IndexFormatError):
        Shard.from_json(data)


def test_brackets_in_a_text_are_no_nesting() -> None:
    assert read_object(json.dumps({"text": '[[[[[[[[[[[["{{{{{{{{{{\\"'}), "test")


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_a_format_error(data: bytes) -> None:
    with pytest.raises(IndexFormatError):
        Shard.from_json(data)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_a_field_of_any_other_value_is_refused_or_gives_a_shard_that_answers(data: st.DataObject) -> None:
    plain: Any = json.loads(EN.to_json("b1"))
    holder, key = plain, data.draw(st.sampled_from(sorted(plain)))
    while isinstance(holder[key], list | dict) and holder[key] and data.draw(st.booleans()):
        holder = holder[key]
        key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
    holder[key] = data.draw(anything)
    with suppress(IndexFormatError):
        shard = Shard.from_json(json.dumps(plain))
        trace = retrieve("cracked meter storm", Index.of([shard]), threshold=0.1, candidates=8)
        for candidate in trace.candidates:
            shard.verify(candidate.passage)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("within two", "within nine", id="a word replaced"),
        pytest.param("without charge ", "", id="words removed"),
        pytest.param("weeks", "weeks weeks", id="a word repeated"),
        pytest.param("Water Meters", "Gas Meters", id="the title replaced"),
        pytest.param("en/water.html", "en/trees.html", id="the page replaced"),
    ],
)
def test_an_edited_passage_is_refused_with_its_place(old: str, new: str) -> None:
    with pytest.raises(IndexFormatError) as caught:
        Shard.from_json(EN.to_json().replace(old, new))
    assert re.fullmatch(r"index\.passages\[\d\]\.sum", caught.value.location)


@pytest.mark.parametrize("name", ["text", "layout", "anchor", "section"])
def test_every_field_of_a_passage_is_in_its_sum(name: str) -> None:
    passage = EN.passages[0]
    assert replace(passage, **{name: {"layout": "h"}.get(name, "other")}).sum != passage.sum


def test_a_passage_with_other_words_than_it_was_indexed_by_is_not_quoted() -> None:
    passage = next(one for one in EN.passages if one.passage_id == "water-en#1")
    with pytest.raises(IndexFormatError, match="water-en#1"):
        EN.verify(replace(passage, text=passage.text.replace("two", "nine")))


def test_a_term_in_more_than_half_of_the_passages_has_no_weight() -> None:
    shard = build_shard("en", document("a", "en", "Xx", "moss common", "fern common", "clay lime"))
    assert shard.weights[shard.rows["commo"]] == 0.0
    assert shard.weights[shard.rows["moss"]] > 0.0


def test_a_language_of_one_passage_stays_reachable() -> None:
    shard = build_shard("en", document("a", "en", "Moss", "green cushions"))
    assert all(shard.weights)


def test_a_language_a_document_or_a_build_given_twice_is_refused() -> None:
    water = build_shard("en", WATER_EN)
    with pytest.raises(IndexFormatError, match="two shards"):
        Index.of([water, water])
    ref = DocumentRef("water-en", "Water", "es", "water", "es/water.html")
    with pytest.raises(IndexFormatError, match="water-en"):
        Index.of([water, build_shard("es", [Passage(ref, 1, "p1", "", "agua", "p")])])
    mixed = [Shard.from_json(water.to_json("b1")), Shard.from_json(build_shard("es", WATER_ES).to_json("b2"))]
    with pytest.raises(MixedBuildsError):
        Index.of(mixed)


def test_a_passage_of_another_language_has_no_place_in_a_shard() -> None:
    with pytest.raises(IndexFormatError, match="water-ar#1"):
        build_shard("en", [*WATER_EN, *WATER_AR])


def test_translations_are_the_rest_of_the_family_by_language() -> None:
    found = SMALL.translations(WATER_EN[0].document)
    assert [(other.lang, other.doc_id) for other in found] == [("ar", "water-ar"), ("es", "water-es")]


def test_a_passage_links_to_its_anchor() -> None:
    passage = WATER_EN[1]
    assert (passage.passage_id, passage.url) == ("water-en#2", "en/water.html#p2")


@pytest.mark.parametrize(
    ("term", "reading"),
    [("sotan", "sótan"), ("sótan", "sótan"), ("ábril", "abril"), ("perro", "perro")],
)
def test_a_term_is_read_as_the_one_that_differs_only_in_accents(term: str, reading: str) -> None:
    assert SMALL.shards["es"].reading(term) == reading
