"""The demo corpus among hundreds of unrelated passages: calibration keeps its answers and its refusals."""

import ast
import sysconfig
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from builder import build_index
from builder.calibrate import Calibrated, calibrate
from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.index import DocumentRef, Index, Passage, build_shard
from tests.probes import IN_CORPUS, OFF_TOPIC

DEMO = Path(__file__).parents[2] / "corpus" / "demo"
ADDED = 600


def docstrings() -> Iterator[str]:
    """Yield paragraphs of English prose that no county writes: the docstrings of Python's own library."""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
                    if 150 <= len(paragraph) <= 800:
                        yield " ".join(paragraph.split())


def unrelated() -> Iterator[Passage]:
    for place, text in enumerate(islice(docstrings(), ADDED)):
        number, ordinal = divmod(place, 5)
        document = DocumentRef(f"zz-{number:03}", f"Chapter {number}", "en", f"zz-{number}", f"{number}.html")
        yield Passage(document, ordinal + 1, "", "", text, "p")


@pytest.fixture(scope="module")
def grown() -> tuple[Index, Calibrated]:
    demo = build_index(DEMO)
    english = build_shard("en", [*demo.shards["en"].passages, *unrelated()])
    index = Index.of({**demo.shards, "en": english}.values())
    return index, calibrate(index, Config(scorer="evidence"), {})


def test_there_are_as_many_passages_as_the_test_says(grown: tuple[Index, Calibrated]) -> None:
    assert len(grown[0].shards["en"].passages) == 16 + ADDED


def test_no_off_topic_question_is_answered(grown: tuple[Index, Calibrated]) -> None:
    index, calibrated = grown
    assert [
        question for question in OFF_TOPIC if ask(question, index, calibrated.config).answer.grounded
    ] == []


def test_at_most_one_question_of_the_corpus_is_lost(grown: tuple[Index, Calibrated]) -> None:
    index, calibrated = grown
    answers = [(ask(question, index, calibrated.config).answer, fact) for question, _, fact in IN_CORPUS]
    assert sum(fact not in answer.text for answer, fact in answers) <= 1
