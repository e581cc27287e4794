"""The commands in the documentation are run: every fence that begins with "```console run".

A line that starts with "$ " is a command, the lines after it are its whole output; "…" stands for any text.
The blocks of one page share a folder that holds a copy of corpus/, so the page reads as one session.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```console run\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a page with the output the page shows."""
    for block in BLOCK.findall(text):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            yield command, output.rstrip("\n")


def matches(shown: str, printed: str) -> bool:
    """Compare an output with the one shown on the page."""
    pattern = ".*".join(re.escape(part) for part in shown.split("…"))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def runnable() -> list[Path]:
    return [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", runnable(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "corpus", tmp_path / "corpus")
    paths = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    for command, shown in commands(page.read_text(encoding="utf-8")):
        run = subprocess.run(  # noqa: S602  the command is the project's own text
            command,
            shell=True,
            cwd=tmp_path,
            env=os.environ | paths,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert matches(shown, run.stdout.rstrip("\n")), f"$ {command}\n{run.stdout}"


def test_a_command_and_its_output_are_told_apart() -> None:
    page = "```console run\n$ one\nout\n$ two\n```\n```console\n$ never\n```\n"
    assert list(commands(page)) == [("one", "out"), ("two", "")]


def test_an_ellipsis_stands_for_any_text_and_nothing_else_does() -> None:
    assert matches("a … c", "a b\nb c")
    assert not matches("a.c", "abc")
