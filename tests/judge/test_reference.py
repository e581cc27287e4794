"""The reference of the judge names every label, rule, trace key, command and option."""

import json
import re
from argparse import _SubParsersAction
from dataclasses import fields
from pathlib import Path

import pytest

from bench.judge import COMMANDS, parser
from bench.judge_code import CASE_RULES, FINDINGS_RULES, GATE_RULES, LABELS, READING_RULES
from bench.judging.answerkey import RULES
from bench.judging.lexicon import LANGUAGES
from bench.judging.support import Measures

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "judge.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "bench" / "judging" / "trace.schema.json").read_text(encoding="utf-8"))
ALL_RULES = [*CASE_RULES, *READING_RULES, *GATE_RULES, *FINDINGS_RULES]


def options() -> list[tuple[str, str]]:
    found = []
    for action in parser()._actions:
        if isinstance(action, _SubParsersAction):
            for name, command in action.choices.items():
                strings = [o for a in command._actions for o in a.option_strings if o.startswith("--")]
                found += [(name, option) for option in strings if option != "--help"]
    return found


def names_of(schema: object) -> set[str]:
    """Return the property names and values of a schema at any depth."""
    if isinstance(schema, list):
        return {name for inner in schema for name in names_of(inner)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {})) | {str(value) for value in schema.get("enum", [])}
    return own | {name for inner in schema.values() for name in names_of(inner)}


@pytest.mark.parametrize("name", [*LABELS, *ALL_RULES, *(name for name, _ in RULES), *LANGUAGES])
def test_a_label_rule_or_language_is_in_the_reference(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("name", sorted(names_of(SCHEMA) | {field.name for field in fields(Measures)}))
def test_a_trace_key_or_value_is_in_the_reference(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_the_rules_stand_in_the_order_of_asking() -> None:
    table = re.findall(r"^\| `([\w+]+)` \| `[A-Z_]+` \|", PAGE, re.MULTILINE)
    assert table == ALL_RULES


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_section(name: str) -> None:
    assert f"## python -m bench judge {name}" in PAGE


@pytest.mark.parametrize(("command", "option"), options())
def test_an_option_is_in_the_reference(command: str, option: str) -> None:
    assert f"{option}`" in PAGE or f"{option} " in PAGE
