"""The one-sentence documents in many scripts: each is found by its question, and by no other."""

import json
from functools import cache
from pathlib import Path

import pytest

from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.index import Index
from tests.core.small import document, index_of

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "tokenising.jsonl").read_text("utf-8").splitlines()
]
CONFIG = Config(scorer="evidence", contact="the desk")


@cache
def library() -> Index:
    """Every document of the probes, one passage each."""
    return index_of(
        *(
            document(f"d{at}", row["lang"], f"{row['lang']} {at}", row["document"])
            for at, row in enumerate(ROWS)
            if row["document"]
        )
    )


@pytest.mark.parametrize("at", range(len(ROWS)), ids=[f"{row['lang']}-{row['query']}" for row in ROWS])
def test_a_document_is_found_by_its_question_and_off_topic_questions_are_refused(at: int) -> None:
    row = ROWS[at]
    answer = ask(row["query"], library(), CONFIG, lang=row["lang"]).answer
    found = answer.sources[0].source_id.partition("#")[0] if answer.sources else None
    assert found == (f"d{at}-{row['lang']}" if row["expect"] == "found" else None)
