"""The glossaries of the project's corpora: what residents say finds its paragraph, and only with them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from builder import build_index
from builder.calibrate import settled
from builder.glossary import load
from builder.project import load_project
from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.index import Index

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "corpus" / "demo"
ROWS = [
    json.loads(line)
    for line in (ROOT / "tests" / "data" / "colloquial.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def demo() -> Index:
    return build_index(DEMO)


@pytest.fixture(scope="module")
def config(demo: Index) -> Config:
    return settled(demo, load_project(DEMO)).config


@pytest.mark.parametrize("row", ROWS, ids=[row["question"] for row in ROWS])
def test_a_colloquial_question_is_answered_from_its_paragraph(
    row: dict[str, str], demo: Index, config: Config
) -> None:
    result = ask(row["question"], demo, config, lang=row["lang"])
    assert [source.source_id for source in result.answer.sources] == [row["passage"]]
    assert result.disclosures


@pytest.mark.parametrize("row", ROWS, ids=[row["question"] for row in ROWS])
def test_without_the_glossary_no_colloquial_question_gets_another_paragraph(
    row: dict[str, str], demo: Index, config: Config
) -> None:
    literal = ask(row["question"], demo, config, lang=row["lang"], literal=True).answer
    without = ask(row["question"], demo, replace(config, glossary={}), lang=row["lang"]).answer
    for answer in (literal, without):
        assert {source.source_id for source in answer.sources} <= {row["passage"]}


@pytest.mark.parametrize("corpus", ["demo", "showcase"])
def test_each_language_of_a_corpus_has_a_glossary(corpus: str) -> None:
    folder = ROOT / "corpus" / corpus
    languages = load_project(folder).languages
    assert sorted(load(folder, languages)) == sorted(languages)


def test_a_corpus_without_a_glossary_has_none(tmp_path: Path) -> None:
    assert load(tmp_path, ["en"]) == {}
