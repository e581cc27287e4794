"""The judge on the sets that ship with the bench: adversarial cases one by one, abstentions by language."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.judge_code import _is_abstention, judge

SETS = Path(__file__).resolve().parents[2] / "bench" / "sets"
LANGUAGES = ("en", "es", "ar", "fr", "de", "it", "pt", "ru", "tr", "fa", "hi", "zh", "ja", "ko", "vi", "so")


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows("adversarial"), ids=lambda row: row["id"])
def test_an_adversarial_case_has_its_label(row: Mapping[str, object]) -> None:
    sources = row.get("sources")
    verdict = judge(
        str(row["question"]),
        str(row["answer"]),
        str(row["gold"]),
        sources=sources if isinstance(sources, dict) else None,
    )
    assert verdict.label == row["label"], f"{row['why']} {verdict.rationale}"


def test_every_kind_of_adversarial_case_that_the_notes_list_stands_in_three_more_cases() -> None:
    kinds: dict[str, int] = {}
    for row in rows("adversarial"):
        kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
    single = {"quote-gap", "mixed-script", "elsewhere", "sources"}
    assert {kind for kind, count in kinds.items() if count < 4} <= single | {"negation-added"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_abstentions_of_a_language_are_found_and_its_negations_are_not(lang: str) -> None:
    own = [row for row in rows("abstention") if row["lang"] == lang]
    declining = [row["answer"] for row in own if row["label"] == "ABSTAINED"]
    stating = [row["answer"] for row in own if row["label"] != "ABSTAINED"]
    assert min(len(declining), len(stating)) >= 20
    missed = [text for text in declining if not _is_abstention(text)[0]]
    wrongly = [text for text in stating if _is_abstention(text)[0]]
    assert len(missed) <= 0.05 * len(declining), missed
    assert wrongly == []


def test_every_set_of_others_has_its_licence_beside_it() -> None:
    own = {"abstention", "adversarial", "blind"}
    others = {path.stem for path in SETS.glob("*.jsonl")} - own
    assert {f"LICENSE.{name.upper()}" for name in others} == {path.name for path in SETS.glob("LICENSE.*")}


def test_ids_of_a_set_are_unique() -> None:
    for path in SETS.glob("*.jsonl"):
        ids = [row["id"] for row in rows(path.stem)]
        assert len(ids) == len(set(ids)), path.name


@pytest.mark.parametrize("row", rows("blind"), ids=lambda row: row["id"])
def test_a_case_said_to_be_out_of_sight_is_so(row: Mapping[str, str]) -> None:
    assert judge(row["question"], row["answer"], row["gold"]).label != row["label"]
