"""A translation is older than its source when the source no longer says what was recorded of it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.rendering import Rendering
from builder.translations import Source, Translations, passages_hash, read, stale

ENGLISH = "---\ntitle: Market\n---\n# Hours\n\nOpen on Monday.\n\nClosed on Sunday.\n"
SPANISH = "---\ntitle: Mercado\n---\n# Horario\n\nAbierto el lunes.\n"
ARABIC = "---\ntitle: السوق\n---\nيفتح يوم الاثنين.\n"
FILES = {"market.en.md": ENGLISH, "market.es.md": SPANISH, "market.ar.md": ARABIC}

type Render = Callable[..., Rendering]


def record(rendering: Render, *langs: str) -> str:
    """Return the record of translations of the English market as it stands in FILES."""
    digest = passages_hash(rendering(FILES).documents["market-en"].passages)
    made = Translations()
    for lang in langs:
        made = made.with_source("market", lang, Source("en", digest))
    return made.to_json()


def test_a_translation_of_the_source_as_it_stands_is_up_to_date(rendering: Render) -> None:
    found = rendering({**FILES, "cairn.translations.json": record(rendering, "es", "ar")})
    assert found.outdated == {}
    assert found.warnings == ()


@pytest.mark.parametrize(
    "edited",
    [ENGLISH.replace("Monday", "Tuesday"), ENGLISH + "\nNew.\n", ENGLISH.replace("Open", "- Open")],
    ids=["word", "passage", "list"],
)
def test_a_source_that_says_something_else_makes_its_translations_old(edited: str, rendering: Render) -> None:
    files = {**FILES, "cairn.translations.json": record(rendering, "es", "ar"), "market.en.md": edited}
    found = rendering(files)
    assert found.outdated == {"market-es": "market-en", "market-ar": "market-en"}
    assert [(one.path, one.code) for one in found.warnings] == [
        ("market.ar.md", "W605"),
        ("market.es.md", "W605"),
    ]


def test_what_was_never_recorded_is_not_called_old(rendering: Render) -> None:
    edited = ENGLISH.replace("Monday", "Tuesday")
    files = {**FILES, "cairn.translations.json": record(rendering, "es"), "market.en.md": edited}
    assert rendering(files).outdated == {"market-es": "market-en"}


def test_white_space_and_front_matter_of_the_source_do_not_count(rendering: Render) -> None:
    edited = ENGLISH.replace("title: Market", "title: Market\nreviewed: 2026-01-01").replace("\n\n", "\n\n\n")
    files = {**FILES, "cairn.translations.json": record(rendering, "es"), "market.en.md": edited}
    assert rendering(files).outdated == {}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[]", "format"),
        ('{"format":2,"families":{}}', "format"),
        ('{"format":1}', "families"),
        ('{"format":1,"families":{"market":[]}}', "families.market"),
        ('{"format":1,"families":{"market":{"es":"en"}}}', "families.market.es"),
        ('{"format":1,"families":{"market":{"ES!":{"source":"en","hash":"0"}}}}', "families.market"),
        ('{"format":1,"families":{"market":{"es":{"source":"en","hash":"0"}}}}', "families.market.es.hash"),
        (
            '{"format":1,"families":{"market":{"es":{"hash":"' + "0" * 64 + '"}}}}',
            "families.market.es.source",
        ),
    ],
)
def test_a_damaged_record_is_named_by_its_field(text: str, field: str, tmp_path: Path) -> None:
    (tmp_path / "cairn.translations.json").write_text(text, encoding="utf-8")
    found, problems = read(tmp_path)
    assert found == Translations()
    assert [problem.code for problem in problems] == ["E604"]
    assert f'"{field}"' in problems[0].message


def test_a_folder_without_a_record_has_no_problem(tmp_path: Path) -> None:
    assert read(tmp_path) == (Translations(), [])


CODES = st.sampled_from(["en", "es", "ar", "zh-hans"])
SOURCES = st.builds(Source, CODES, st.text("0123456789abcdef", min_size=64, max_size=64))


@given(st.builds(Translations, st.dictionaries(st.text(min_size=1), st.dictionaries(CODES, SOURCES))))
def test_a_record_comes_back_as_it_was_written(made: Translations) -> None:
    assert Translations.from_json(made.to_json()) == made
    assert json.loads(made.to_json())["format"] == 1


def test_a_record_of_a_document_that_is_gone_judges_nothing() -> None:
    made = Translations({"market": {"es": Source("en", "0" * 64)}})
    assert stale(made, [], lambda one: one.doc_id) == {}
