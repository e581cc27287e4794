"""Every problem code has a corpus that shows it, with its line as the command prints it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builder.lint.rules import Report
from builder.problems import CODES
from tests.check.checker import TODAY, Checker

ROOT = Path(__file__).parents[2]

type Case = dict[str, Any]
type Found = tuple[Report, list[str]]
"""A report, and its problems as lines that are the same on every machine."""


def cases(name: str) -> list[Case]:
    text = (ROOT / "tests" / "corpora" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


CASES = cases("check.jsonl")
OTHERS = cases("problems.jsonl")
BUILD_ONLY = {"W602"}
"""Codes only a build can find, since only a build writes the ledger."""
CONTACT = '\n[refusal]\ncontact = "the desk, 555-0142"\n'


def toml_of(case: Case) -> str:
    """Return the settings of a case; those for a build alone name no contact."""
    toml = str(case.get("toml", ""))
    given = case in CASES or "[refusal" in toml or "cairn.toml" in case["files"]
    return toml if given else toml + CONTACT


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Found]:
    """Return a function that checks the corpus of a case, each once."""
    known: dict[str, Found] = {}

    def check_once(case: Case) -> Found:
        if case["name"] not in known:
            check = Checker(tmp_path_factory.mktemp("case"))
            report = check(case["files"], toml_of(case), case.get("today", TODAY))
            known[case["name"]] = report, check.lines(report)
        return known[case["name"]]

    return check_once


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_each_piece_of_advice_is_given_at_its_place(case: Case, found: Callable[[Case], Found]) -> None:
    places = [f"{one.path}:{one.line}:{one.column} {one.code}" for one in found(case)[0].problems]
    assert places == case["expect"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_message_is_one_short_sentence_with_a_hint(case: Case, found: Callable[[Case], Found]) -> None:
    for problem in found(case)[0].problems:
        assert problem.message.endswith((".", '".')), problem
        assert len(problem.message.split()) <= 25, problem.message
        assert problem.hint


@pytest.mark.parametrize("case", OTHERS, ids=[case["name"] for case in OTHERS])
def test_a_check_finds_what_stops_a_build(case: Case, found: Callable[[Case], Found]) -> None:
    codes = {one.code for one in found(case)[0].problems}
    assert {line.split()[-1] for line in case["expect"]} <= codes


def test_every_code_has_a_line_as_it_is_printed(
    found: Callable[[Case], Found], golden: Callable[[str, str], None]
) -> None:
    text = ""
    for case in [*OTHERS, *CASES]:
        text += f"{case['name']}\n" + "".join(f"  {line}\n" for line in found(case)[1])
    golden("check/lines.txt", text)
    assert set(re.findall(r" ([EW]\d{3}) ", text)) == set(CODES) - BUILD_ONLY
