"""Every way a corpus can be wrong has its own message, place and hint."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.problems import CODES, CorpusProblems, Problem

ROOT = Path(__file__).parents[2]
CASES = [json.loads(line) for line in (ROOT / "tests/corpora/problems.jsonl").read_text().splitlines()]
BY_OTHER_TESTS = {"W602"}
"""Codes that need a folder nobody may write."""

type Problems = Callable[..., tuple[Problem, ...]]


def place(problem: Problem) -> str:
    path = "*" if problem.code == "E107" else problem.path
    return f"{path}:{problem.line}:{problem.column} {problem.code}"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_each_fault_is_named_at_its_place(case: dict[str, str], problems: Problems) -> None:
    found = problems(case["files"], case.get("toml", ""))
    assert [place(problem) for problem in found] == case["expect"], [str(problem) for problem in found]
    assert case.get("hint", "") in {"", *(problem.hint for problem in found)}
    assert case.get("message", "") in " ".join(problem.message for problem in found)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_message_is_one_short_sentence_and_errors_have_a_hint(
    case: dict[str, str], problems: Problems
) -> None:
    for problem in problems(case["files"], case.get("toml", "")):
        assert problem.message.endswith((".", "”")) or problem.message.endswith('".')
        assert len(problem.message.split()) <= 25, problem.message
        assert problem.hint or problem.severity == "warning"


def test_every_code_has_a_case() -> None:
    lines = (ROOT / "tests/corpora/check.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {line.split()[-1] for case in [*CASES, *map(json.loads, lines)] for line in case["expect"]}
    assert set(CODES) == expected | BY_OTHER_TESTS


def test_the_reference_explains_every_code_and_no_other() -> None:
    text = (ROOT / "docs/reference/problems.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([EW][0-9]{3})`", text, re.MULTILINE)) == set(CODES)


def test_an_error_of_many_says_how_many_there_are() -> None:
    wrong = [Problem("b.md", 1, 1, "E201", "Second.", "do"), Problem("a.md", 2, 1, "E201", "First.", "do")]
    error = CorpusProblems([*wrong, Problem("a.md", 1, 1, "W111", "Zeroth.", "do")])
    assert [problem.message for problem in error.problems] == ["Zeroth.", "First.", "Second."]
    assert str(error) == "a.md:2:1: E201 First. and 1 more (do)"


def test_a_problem_of_an_unlisted_code_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="E999"):
        Problem("a.md", 1, 1, "E999", "x", "y")
