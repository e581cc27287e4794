"""The labels, rules and trace keys that callers of the judge rely on, beyond the contract tests."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench import judge_code
from bench.judge_code import FIXTURES, LABELS, judge, self_test
from bench.judging.examination import Policy
from bench.judging.nli import ShadowResult

GOLD = "Laptops may be borrowed for 7 days with a valid card. The fee is $5 a month."
SCHEMA = json.loads((Path(judge_code.__file__).parent / "judging" / "trace.schema.json").read_text("utf-8"))


@pytest.mark.parametrize(("question", "answer", "gold", "label"), FIXTURES, ids=[row[3] for row in FIXTURES])
def test_a_fixture_has_its_label(question: str, answer: str, gold: str, label: str) -> None:
    assert judge(question, answer, gold).label == label


def test_the_self_test_counts_the_labels_that_differ() -> None:
    assert self_test() == 0


def test_an_empty_answer_abstains_even_without_gold() -> None:
    assert judge("Q?", " \n", "").label == "ABSTAINED"


def test_a_rule_before_the_model_keeps_the_model_out_of_the_trace() -> None:
    assert "nli_available" not in judge("Q?", "I do not know.", GOLD).decision


def test_an_invented_name_is_fabricated_before_the_model_is_asked() -> None:
    verdict = judge("Who lends laptops?", "Napoleon Bonaparte lends them since 1066.", GOLD)
    assert (verdict.label, verdict.decision["rules_fired"]) == ("FABRICATED", ["unsourced_specific"])
    assert "nli_available" not in verdict.decision


def test_a_sure_contradiction_of_the_model_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    opinion = ShadowResult(True, 0.05, 0.05, 0.9, "m", "0" * 64, 1)
    monkeypatch.setattr(judge_code, "_nli_check", lambda answer, gold: opinion)
    verdict = judge("How long?", "Laptops may be borrowed for 7 days.", GOLD)
    assert (verdict.label, verdict.decision["nli_available"]) == ("WRONG", True)


def test_sure_entailment_of_the_model_rescues_an_unsupported_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = "Laptops with a valid card, a month of days, for the fee of borrowed laptops."
    assert judge("How long?", claim, GOLD).decision["rules_fired"] != ["nli_entailment"]
    opinion = ShadowResult(True, 0.95, 0.03, 0.02, "m", "0" * 64, 1)
    monkeypatch.setattr(judge_code, "_nli_check", lambda answer, gold: opinion)
    assert judge("How long?", claim, GOLD).label == "CORRECT_GROUNDED"


def test_a_quotation_of_another_source_is_wrong_and_names_it() -> None:
    answer = "“Tools are lent for three weeks against a deposit.”"
    sources = {"tools.md": "Tools are lent for three weeks against a deposit."}
    verdict = judge("How long are laptops lent?", answer, GOLD, sources=sources)
    assert (verdict.label, "tools.md" in verdict.rationale) == ("WRONG", True)


def test_an_invented_quotation_beside_a_true_one_is_recorded_and_fails_strictly() -> None:
    answer = 'The page says "Laptops may be borrowed for 7 days" and "lovely people work here every day".'
    verdict = judge("How long may laptops be borrowed?", answer, GOLD, policy=Policy(strict_quotes=True))
    assert verdict.decision["unverified_quotes"] == ["lovely people work here every day"]
    assert verdict.decision["strict_quotes_failed"] is True


def test_gold_can_be_declared_a_text_or_a_list_of_answers() -> None:
    assert (
        judge("Fee?", "It is five dollars.", "$5", policy=Policy(gold="answers")).label == "CORRECT_GROUNDED"
    )
    assert judge("Fee?", "$5", "five dollars", policy=Policy(gold="text")).decision["mode"] == "text"


def test_a_fenced_envelope_is_unwrapped_and_recorded() -> None:
    answer = 'Here it is:\n```json\n{"claims": [{"text": "The fee is $5 a month"}]}\n```'
    verdict = judge("What is the fee?", answer, GOLD)
    assert (verdict.label, verdict.decision["lattice_unwrapped"]) == ("CORRECT_GROUNDED", True)


def test_raw_is_the_canonical_dump_of_the_decision() -> None:
    verdict = judge("What is the fee?", "The fee is $5 a month.", GOLD)
    assert json.loads(verdict.raw) == verdict.decision
    assert verdict.raw == judge("What is the fee?", "The fee is $5 a month.", GOLD).raw


def faults(value: object, schema: Mapping[str, object], path: str = "$") -> list[str]:
    """Check the part of JSON Schema that the published file uses."""
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][str(schema["$ref"]).rpartition("/")[2]], path)
    found = []
    kinds: Mapping[str, type | tuple[type, ...]] = {
        "object": dict,
        "array": list,
        "string": str,
        "number": (int, float),
        "boolean": bool,
        "integer": int,
    }
    kind = schema.get("type")
    if isinstance(kind, str) and not isinstance(value, kinds[kind]):
        return [f"{path} is not {kind}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{path} is not {schema['const']}")
    allowed = schema.get("enum")
    if isinstance(allowed, list) and value not in allowed:
        found.append(f"{path} has {value}")
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        assert isinstance(parts, dict)
        required = schema.get("required", [])
        assert isinstance(required, list)
        found += [f"{path}.{name} is missing" for name in required if name not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{path}.{name} is not in the schema" for name in value if name not in parts]
        for name, inner in value.items():
            found += faults(inner, parts.get(name, {}), f"{path}.{name}")
    items = schema.get("items")
    if isinstance(value, list) and isinstance(items, dict):
        for number, inner in enumerate(value):
            found += faults(inner, items, f"{path}[{number}]")
    return found


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("The fee is $9 a month.", GOLD),
        ("I do not know.", GOLD),
        ("", GOLD),
        ("Anything", ""),
        ("\x00", GOLD),
        ("$5", "$5 | five dollars"),
        ("- Laptops: 7 days [1]\n- Fee: $5 a month\n\nIt says “The fee is $5 a year.”", GOLD),
        ("تعير المكتبة 25 حاسوبا", "تعير المكتبة ٢٥ حاسوبا في السنة."),
    ],
)
def test_every_decision_keeps_to_the_published_schema(answer: str, gold: str) -> None:
    verdict = judge("What is the fee?", answer, gold)
    assert faults(json.loads(verdict.raw), SCHEMA) == []
    assert verdict.label in LABELS


def test_the_schema_check_finds_a_planted_fault() -> None:
    assert faults({"schema": "other"}, SCHEMA)[:1] == ["$.ruleset is missing"]
