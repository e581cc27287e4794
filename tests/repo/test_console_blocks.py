"""The commands in the documentation are run: every fence that begins with "```console run".

A line that starts with "$ " is a command, the lines after it are its whole output; "…" stands for any text.
A fence under "<!-- file: PATH -->" is written to that path. The steps of one page are taken in order, in a
folder that holds a copy of corpus/.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
STEP = re.compile(
    r"^<!-- file: (?P<path>\S+) -->\n```\w*\n(?P<content>.*?)^```$|^```console run\n(?P<block>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class File:
    """A file the reader is told to write."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the output the page shows."""

    line: str
    output: str


def steps(text: str) -> Iterator[File | Command]:
    """Yield what a page tells its reader to do, in order."""
    for found in STEP.finditer(text):
        if found["path"]:
            yield File(found["path"], found["content"])
            continue
        for command in re.split(r"^\$ ", found["block"], flags=re.MULTILINE)[1:]:
            line, _, output = command.partition("\n")
            yield Command(line, output.rstrip("\n"))


def matches(shown: str, printed: str) -> bool:
    """Compare an output with the one shown on the page."""
    pattern = ".*".join(re.escape(part) for part in shown.split("…"))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def runnable() -> list[Path]:
    return [page for page in PAGES if STEP.search(page.read_text(encoding="utf-8"))]


def printed_by(line: str, folder: Path) -> str:
    paths = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    run = subprocess.run(  # noqa: S602  the command is the project's own text
        line,
        shell=True,
        cwd=folder,
        env=os.environ | paths,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return run.stdout.rstrip("\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", runnable(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "corpus", tmp_path / "corpus")
    for step in steps(page.read_text(encoding="utf-8")):
        if isinstance(step, File):
            target = tmp_path / step.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step.content, encoding="utf-8")
        else:
            printed = printed_by(step.line, tmp_path)
            assert matches(step.output, printed), f"$ {step.line}\n{printed}"


def test_files_commands_and_outputs_are_told_apart() -> None:
    page = (
        "<!-- file: a.md -->\n```\ntext\n```\n"
        "```console run\n$ one\nout\n$ two\n```\n```console\n$ never\n```\n"
    )
    assert list(steps(page)) == [File("a.md", "text\n"), Command("one", "out"), Command("two", "")]


def test_an_ellipsis_stands_for_any_text_and_nothing_else_does() -> None:
    assert matches("a … c", "a b\nb c")
    assert not matches("a.c", "abc")
