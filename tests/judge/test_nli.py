"""The optional model: a tiny ONNX entailment model built here, and what happens without one."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bench.judge import main
from bench.judge_code import FIXTURES, judge, self_test
from bench.judging import nli

GOLD = "The office opens at nine. Dogs are welcome."


def built(folder: Path, labels: dict[str, str]) -> Path:
    """Write a model whose logits are sums over the ids of both texts: "not" speaks for a contradiction."""
    onnx, tokenizers, numpy = map(import_module, ("onnx", "tokenizers", "numpy"))
    unknown = "[UNK]"
    vocabulary = {unknown: 0, "[SEP]": 1, "the": 2, "office": 3, "opens": 4, "at": 5, "nine": 6, "not": 7}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token=unknown))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    weights = numpy.zeros((len(vocabulary), 3), dtype=numpy.float32)
    weights[3] = weights[4] = weights[6] = (1.0, 0.0, 0.0)
    weights[7] = (-9.0, 0.0, 9.0)
    helper: Any = onnx.helper
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            helper.make_node("ReduceSum", ["rows", "axes"], ["logits"], keepdims=0),
        ],
        "bag",
        [helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, [1, None])],
        [helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, [1, 3])],
        [
            onnx.numpy_helper.from_array(weights, "table"),
            onnx.numpy_helper.from_array(numpy.asarray([1], dtype=numpy.int64), "axes"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=9)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    return folder


LABELS = {"0": "entailment", "1": "neutral", "2": "contradiction"}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    nli.load.cache_clear()
    return built(tmp_path / "tiny", LABELS)


def test_the_model_in_a_named_folder_is_asked(model: Path) -> None:
    result = nli.shadow_check("The office opens not at nine.", GOLD, str(model))
    assert (result.available, result.contradiction > 0.9, result.model_id) == (True, True, "tiny")
    assert len(result.sha256) == 64


def test_the_model_named_by_the_environment_decides_contradictions(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(nli.FOLDER, str(model))
    verdict = judge("When does the office open?", "The office opens at nine and not later.", GOLD)
    assert (verdict.label, verdict.decision["nli_available"]) == ("WRONG", True)
    assert self_test() == 0


def test_the_order_of_the_labels_is_that_of_the_file(tmp_path: Path) -> None:
    turned = {"0": "contradiction", "1": "neutral", "2": "entailment"}
    nli.load.cache_clear()
    result = nli.shadow_check("The office opens.", GOLD, str(built(tmp_path / "turned", turned)))
    assert result.contradiction > result.entailment


def test_a_long_gold_is_read_in_windows(model: Path) -> None:
    result = nli.shadow_check("The office opens.", GOLD * 100, str(model))
    assert 1 < result.windows <= nli.MOST_WINDOWS


def test_a_corrupt_model_is_a_reason_and_no_crash(model: Path) -> None:
    (model / "model.onnx").write_bytes(b"no model")
    nli.load.cache_clear()
    result = nli.shadow_check("The office opens.", GOLD, str(model))
    assert (result.available, "cannot be loaded" in result.reason) == (False, True)


def test_without_a_folder_there_is_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(nli.FOLDER, raising=False)
    assert nli.shadow_check("a", "b").reason == f"{nli.FOLDER} is not set"


@pytest.mark.parametrize("missing", nli.FILES)
def test_a_folder_without_one_of_its_files_names_it(missing: str, tmp_path: Path) -> None:
    nli.load.cache_clear()
    for name in nli.FILES:
        if name != missing:
            (tmp_path / name).write_text("{}", encoding="utf-8")
    assert missing in nli.shadow_check("a", "b", str(tmp_path)).reason


def test_a_label_map_that_leaves_a_class_out_is_refused(tmp_path: Path) -> None:
    nli.load.cache_clear()
    for name in nli.FILES:
        (tmp_path / name).write_text('{"0": "entailment"}', encoding="utf-8")
    assert "labels.json" in nli.shadow_check("a", "b", str(tmp_path)).reason


@pytest.fixture(params=["onnxruntime", "tokenizers"])
def hidden(request: pytest.FixtureRequest, model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A whole model, and one of the libraries of the extra not installed."""
    monkeypatch.setitem(sys.modules, request.param, None)
    monkeypatch.setenv(nli.FOLDER, str(model))
    nli.load.cache_clear()
    return model


def test_without_the_libraries_the_reason_names_the_extra(hidden: Path) -> None:
    result = nli.shadow_check("a", "b")
    assert (result.available, "cairn[nli]" in result.reason) == (False, True)


def test_without_the_libraries_the_rules_decide_alone(hidden: Path) -> None:
    assert self_test() == 0
    for question, answer, gold, label in FIXTURES:
        verdict = judge(question, answer, gold)
        assert (verdict.label, verdict.decision.get("nli_available", False)) == (label, False)


def test_a_folder_named_to_the_command_that_cannot_be_used_is_an_error(
    hidden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text('{"question": "q", "answer": "a", "gold": "g"}\n', encoding="utf-8")
    assert main(["run", str(items), "--nli-dir", str(hidden)]) == 2
    assert "cairn[nli]" in capsys.readouterr().err


def test_a_model_decides_from_the_command_and_is_forgotten_after_it(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(nli.FOLDER, raising=False)
    row = {
        "question": "When does it open?",
        "answer": "The office opens at nine and not later.",
        "gold": GOLD,
    }
    items = tmp_path / "items.jsonl"
    items.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["run", str(items), "--nli-dir", str(model)]) == 0
    asked = json.loads(capsys.readouterr().out)
    assert main(["run", str(items)]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert (asked["decision"]["nli_available"], alone["decision"]["nli_available"]) == (True, False)


def test_probabilities_add_up_to_one() -> None:
    assert sum(nli.softmax([1000.0, -3.0, 0.5])) == pytest.approx(1.0)
