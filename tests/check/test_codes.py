"""Every problem code has a corpus that shows it, with its line as the command prints it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builder.problems import CODES

ROOT = Path(__file__).parents[2]

type Case = dict[str, Any]


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


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_each_piece_of_advice_is_given_at_its_place(case: Case, check: Any) -> None:
    found = check(case["files"], case["toml"], case["today"])
    assert [f"{one.path}:{one.line}:{one.column} {one.code}" for one in found.problems] == case["expect"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_message_is_one_short_sentence_with_a_hint(case: Case, check: Any) -> None:
    for problem in check(case["files"], case["toml"], case["today"]).problems:
        assert problem.message.endswith((".", '".')), problem
        assert len(problem.message.split()) <= 25, problem.message
        assert problem.hint


def test_every_code_has_a_line_as_it_is_printed(
    tmp_path_factory: pytest.TempPathFactory, check: Any, golden: Callable[[str, str], None]
) -> None:
    text = ""
    for case in [*OTHERS, *CASES]:
        check.folder = tmp_path_factory.mktemp("case")
        found = check(case["files"], toml_of(case), case.get("today", "2026-12-01"))
        text += f"{case['name']}\n" + "".join(f"  {line}\n" for line in check.lines(found))
    golden("check/lines.txt", text)
    assert set(re.findall(r" ([EW]\d{3}) ", text)) == set(CODES) - BUILD_ONLY


@pytest.mark.parametrize("case", OTHERS, ids=[case["name"] for case in OTHERS])
def test_a_check_finds_what_stops_a_build(case: Case, check: Any) -> None:
    found = {one.code for one in check(case["files"], toml_of(case)).problems}
    assert {line.split()[-1] for line in case["expect"]} <= found
