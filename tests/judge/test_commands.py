"""The commands of the judge from outside: exit codes, located errors, equal bytes, pages."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.judge import main

ROOT = Path(__file__).resolve().parents[2]
SETS = ROOT / "bench" / "sets"
GOOD = {
    "id": "a",
    "lang": "en",
    "question": "What is the fee?",
    "answer": "The fee is $5.",
    "gold": "The fee is $5.",
}


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*arguments: str, seed: str = "0") -> "subprocess.CompletedProcess[bytes]":
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "bench", "judge", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)


def test_the_same_bytes_come_out_for_any_number_of_processes_and_hash_seed() -> None:
    items = str(SETS / "adversarial.jsonl")
    outputs = {
        run("run", items, "--jobs", jobs, seed=seed).stdout
        for jobs, seed in (("1", "0"), ("2", "1"), ("3", "77"))
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(
        (SETS / "adversarial.jsonl").read_text("utf-8").splitlines()
    )


BAD = {
    "a broken JSON line": (b'{"question": "q"\n', "items.jsonl:1"),
    "a line that is no object": (b"[1]\n", "items.jsonl:1"),
    "a missing column": (b'{"question": "q", "answer": "a"}\n', "gold is missing"),
    "NaN for text": (b'{"question": "q", "answer": "a", "gold": NaN}\n', "NaN is no JSON value"),
    "a number for text": (b'{"question": "q", "answer": 3, "gold": "g"}\n', "answer is int"),
    "bytes that are not UTF-8": (b'{"question": "q", "answer": "\xff", "gold": "g"}\n', "not UTF-8"),
    "nesting without end": (b"[" * 100_000 + b"\n", "items.jsonl:1"),
}


@pytest.mark.parametrize(("content", "named"), BAD.values(), ids=list(BAD))
def test_bad_input_is_a_located_error(
    content: bytes, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(content)
    assert main(["run", str(path)]) == 2
    error = capsys.readouterr().err
    assert named in error
    assert "items.jsonl:1" in error


def test_the_line_of_a_fault_after_good_lines_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "items.jsonl", GOOD)
    path.write_bytes(path.read_bytes() + b"\n{broken\n")
    assert main(["run", str(path)]) == 2
    captured = capsys.readouterr()
    assert "items.jsonl:3" in captured.err
    assert json.loads(captured.out)["label"] == "CORRECT_GROUNDED"


BAD_TABLES = {
    "wrong columns": ("question,answer\nq,a\n", "gold is missing"),
    "a short row": ("question,answer,gold\nq,a\n", "items.csv:2"),
    "a long row": ("question,answer,gold\nq,a,g,x\n", "items.csv:2"),
}


@pytest.mark.parametrize(("content", "named"), BAD_TABLES.values(), ids=list(BAD_TABLES))
def test_a_bad_table_is_a_located_error(
    content: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.csv"
    path.write_text(content, encoding="utf-8")
    assert main(["run", str(path)]) == 2
    assert named in capsys.readouterr().err


def test_a_table_of_commas_is_judged_like_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "items.csv"
    path.write_text("id,question,answer,gold\nx,Fee?,The fee is $9.,The fee is $5.\n", encoding="utf-8")
    assert main(["run", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["label"] == "WRONG"


ODD = {
    "ten megabytes": "word " * 2_000_000,
    "a lone surrogate": "fee \ud800",
    "a control character": "fee \x07",
    "a zero byte": "\x00",
}


@pytest.mark.parametrize("answer", ODD.values(), ids=list(ODD))
def test_an_answer_that_is_no_text_gets_a_verdict_with_its_reason(
    answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "items.jsonl", {**GOOD, "answer": answer})
    assert main(["run", str(path)]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["label"], verdict["decision"]["rules_fired"]) == ("JUDGE_ERROR", ["unreadable_input"])
    assert "cannot be read" in verdict["rationale"]


def test_a_gate_on_labels_fails_with_one(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", {**GOOD, "answer": "The fee is $9."})
    out = str(tmp_path / "out.jsonl")
    assert main(["run", str(path), "-o", out, "--fail-on", "WRONG,FABRICATED"]) == 1
    assert main(["run", str(path), "-o", out, "--fail-on", "FABRICATED"]) == 0
    assert main(["run", str(path), "-o", out, "--fail-on", "WRONGLY"]) == 2


def test_strict_quotes_fail_on_an_invented_quotation(tmp_path: Path) -> None:
    answer = 'It says "The fee is $5" and "lovely people work here every day".'
    path = written(tmp_path / "items.jsonl", {**GOOD, "answer": answer})
    out = str(tmp_path / "out.jsonl")
    assert main(["run", str(path), "-o", out, "--strict-quotes"]) == 1
    assert main(["run", str(path), "-o", out]) == 0


def test_a_folder_of_sources_makes_a_foreign_claim_wrong_and_not_invented(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "tools.md").write_text("Tools are lent for three weeks against a deposit.", encoding="utf-8")
    row = {**GOOD, "answer": "Tools are lent for three weeks against a deposit."}
    path, out = written(tmp_path / "items.jsonl", row), tmp_path / "out.jsonl"
    assert main(["run", str(path), "-o", str(out), "--sources", str(folder)]) == 0
    assert json.loads(out.read_text("utf-8"))["label"] == "WRONG"
    assert main(["run", str(path), "-o", str(out)]) == 0
    assert json.loads(out.read_text("utf-8"))["label"] == "FABRICATED"


def test_explain_marks_what_is_in_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(
        tmp_path / "items.jsonl", {**GOOD, "answer": "The **fee** was set by Napoleon Bonaparte in 1066."}
    )
    assert main(["explain", str(path), "--id", "a"]) == 0
    told = capsys.readouterr().out
    assert "[!Napoleon]" in told
    assert "[!1066]" in told


def test_an_explained_page_is_safe_for_markup_and_right_to_left_text(tmp_path: Path) -> None:
    row = {
        "id": "<b>",
        "lang": "ar",
        "question": "كم؟",
        "answer": "الرسوم 30 <i> ريالا",
        "gold": "الرسوم 25 ريالا.",
    }
    path, page = written(tmp_path / "items.jsonl", row), tmp_path / "page.html"
    assert main(["explain", str(path), "--html", str(page)]) == 0
    text = page.read_text("utf-8")
    assert 'dir="auto" lang="ar"' in text
    assert "<b>" not in text
    assert "<mark" in text


def test_compare_tells_which_labels_flip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = written(tmp_path / "one.jsonl", {"id": "a", "label": "WRONG"}, {"id": "b", "label": "WRONG"})
    second = written(
        tmp_path / "two.jsonl", {"id": "a", "label": "WRONG"}, {"id": "b", "label": "FABRICATED"}
    )
    assert main(["compare", str(first), str(second), "--max-flips", "0"]) == 1
    assert "WRONG -> FABRICATED: 1 (b)" in capsys.readouterr().out


def test_agree_reports_and_writes_figures_and_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items, out = SETS / "adversarial.jsonl", tmp_path / "verdicts.jsonl"
    assert main(["run", str(items), "-o", str(out)]) == 0
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    wanted = [
        "agree",
        str(out),
        str(items),
        "--html",
        str(page),
        "--json",
        str(figures),
        "--min-kappa",
        "0.9",
    ]
    assert main(wanted) == 0
    assert "kappa: 1.000" in capsys.readouterr().out
    assert json.loads(figures.read_text("utf-8"))["measures"]["kappa"][0] == 1.0
    assert "<svg role" in page.read_text("utf-8")


def test_agree_below_the_least_kappa_fails(tmp_path: Path) -> None:
    labels = written(tmp_path / "l.jsonl", *({"id": str(n), "label": "WRONG"} for n in range(4)))
    given = [{"id": str(n), "label": "WRONG" if n % 2 else "CORRECT_GROUNDED"} for n in range(4)]
    verdicts = written(tmp_path / "v.jsonl", *given)
    assert main(["agree", str(verdicts), str(labels), "--min-kappa", "0.5"]) == 1


def test_eval_prints_the_judge_beside_its_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    assert (
        main(["eval", "--only", "adversarial", "--html", str(page), "--json", str(figures), "--check"]) == 0
    )
    told = capsys.readouterr().out
    assert all(
        name in told for name in ("code judge", "lexical match", "plain reading", "every target is met")
    )
    assert "<svg" in page.read_text("utf-8")
    assert json.loads(figures.read_text("utf-8"))["schema"] == "judge-eval/1"


def test_eval_swaps_spans_of_squad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = [
        ("Ada Lovelace", "wrote the notes"),
        ("Grace Hopper", "wrote a compiler"),
        ("Alan Turing", "broke a code"),
    ]
    data = [
        {
            "paragraphs": [
                {
                    "context": f"{name} {deed}.",
                    "qas": [{"question": f"Who {deed}?", "answers": [{"text": name}]}],
                }
            ]
        }
        for name, deed in facts
    ]
    (tmp_path / "xquad.en.json").write_text(json.dumps({"data": data}), encoding="utf-8")
    assert main(["eval", "--data", str(tmp_path), "--check"]) == 0
    assert "xquad swap, en: 6 answers" in capsys.readouterr().out


def test_the_selftest_exits_with_zero() -> None:
    assert main(["selftest"]) == 0


def test_time_fails_exactly_when_a_figure_is_over_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["time", "--count", "20"])
    figures = re.findall(r"([0-9.]+) m?s \(bound ([0-9.]+)\)", capsys.readouterr().out)
    assert len(figures) == 3
    assert code == int(any(float(found) > float(bound) for found, bound in figures))


def test_a_missing_file_and_a_wrong_option_are_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "nowhere.jsonl"]) == 2
    assert "nowhere.jsonl" in capsys.readouterr().err
    assert main(["run", "nowhere.jsonl", "--wrong"]) == 2
    assert main(["judges"]) == 2
