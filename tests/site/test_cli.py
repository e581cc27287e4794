"""What a build says: its report, the problems of a corpus, one sentence for what else goes wrong."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.cli import main
from builder.problems import Problem
from builder.report import printable, problem_lines

ROOT = Path(__file__).resolve().parents[2]

Golden = Callable[[str, str], None]


def build(corpus: Path, *words: str) -> int:
    return main([str(corpus), "--out", str(corpus.parent / "site"), "--no-engine", *words])


def plain(text: str, corpus: Path) -> str:
    """Take out of a report what differs from machine to machine and from one stylesheet to the next."""
    text = text.replace(str(corpus.parent), "FOLDER")
    return re.sub(r"build [0-9a-f]{16}, [0-9.]+ s", "build ID, TIME", re.sub(r"[0-9.,]+ [kM]B", "SIZE", text))


def test_a_build_reports_what_it_made_and_how_to_open_it(
    corpus: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    assert build(corpus) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    golden("site/build.txt", plain(captured.out, corpus))


def test_problems_are_listed_by_place_with_hints_and_counted(
    corpus: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    english = corpus / "opening-hours.en.md"
    english.write_text(english.read_text(encoding="utf-8").replace("topic:", "topik:"), encoding="utf-8")
    with (corpus / "opening-hours.es.md").open("a", encoding="utf-8") as spanish:
        spanish.write("\nVea [la otra hoja](gone.md) y <b>lea</b>.\n")
    (corpus / "map.pdf").write_bytes(b"")
    assert build(corpus) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    golden("site/problems.txt", plain(captured.err, corpus))


def test_warnings_of_one_code_are_shown_three_times_and_counted() -> None:
    warnings = [Problem("a.md", line, 1, "W412", f"Block {line} is long.") for line in range(1, 9)]
    lines = list(problem_lines([*warnings, Problem("b.md", 1, 1, "W223", "The title mixes scripts.")]))
    assert lines == [
        "b.md:1:1 W223 The title mixes scripts.",
        "a.md:1:1 W412 Block 1 is long.",
        "a.md:2:1 W412 Block 2 is long.",
        "a.md:3:1 W412 Block 3 is long.",
        "    … and 5 more W412, long block",
        "9 warnings",
    ]


@pytest.mark.parametrize("words", [("--quiet",), ("--json",)])
def test_quiet_and_json_leave_standard_error_alone(
    corpus: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert build(corpus, *words) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.count("\n") == (words == ("--json",))


@pytest.mark.parametrize(
    "words",
    [["no-such-folder"], ["no-such-folder", "--config", "no-such-file"], ["serve", "no-such-folder"]],
    ids=" ".join,
)
def test_a_corpus_or_config_that_does_not_exist_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    assert "no-such-f" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_a_corpus_at_hand_one_must_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2


def test_a_settings_file_with_a_mistake_names_the_key(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "cairn.toml").write_text("[retrieval]\ntreshold = 0.5\n", encoding="utf-8")
    assert build(corpus) == 1
    error = capsys.readouterr().err
    assert "cairn.toml: retrieval.treshold: " in error
    assert "threshold" in error


def test_control_characters_reach_no_terminal() -> None:
    assert printable("a\x1b[31m\x07b\tc\u2068d") == "a\\x1b[31m\\x07b\tc\u2068d"


def test_a_second_build_of_a_folder_ends_with_3_and_names_the_first(corpus: Path) -> None:
    holder = f"""
import sys
from pathlib import Path
from builder.swap import Target, exclusive
with exclusive(Target.of(Path({str(corpus.parent / "site")!r}))):
    print("held", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as first:
        assert first.stdout is not None
        first.stdout.readline()
        command = [
            sys.executable,
            "-m",
            "builder",
            str(corpus),
            "--out",
            str(corpus.parent / "site"),
            "--no-engine",
        ]
        second = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        first.communicate("")
    assert second.returncode == 3
    assert str(first.pid) in second.stderr


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_progress_is_shown_on_a_terminal_only_and_only_when_a_build_takes_long(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def reconfigure(self, errors: str) -> None:
            """Take any text."""

    for after, shown in ((60.0, False), (0.0, True)):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr("builder.cli.PROGRESS_AFTER", after)
        assert build(corpus) == 0
        assert ("documents" in terminal.getvalue()) == shown
