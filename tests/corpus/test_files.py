"""Files of a corpus are looked for in a fixed order, and nothing outside it is opened."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from builder import files
from builder.problems import Problem
from builder.project import load_project

OK = "---\ntitle: T\n---\nText.\n"

type Problems = Callable[..., tuple[Problem, ...]]
type Write = Callable[..., Path]


def codes(found: tuple[Problem, ...]) -> list[str]:
    return [f"{problem.path} {problem.code}" for problem in found]


def test_a_link_out_of_the_corpus_is_not_read(write: Write, problems: Problems, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(OK)
    (write({"a.en.md": OK}) / "b.en.md").symlink_to(tmp_path / "secret.md")
    assert codes(problems({})) == ["b.en.md E103"]


def test_a_link_inside_the_corpus_is_a_file_like_any_other(write: Write, problems: Problems) -> None:
    root = write({"a.en.md": "---\ntitle: T\nid: a\nfamily: a\n---\nText.\n"})
    (root / "b.en.md").symlink_to("a.en.md")
    assert codes(problems({})) == ["b.en.md E214"]


def test_a_dangling_link_is_an_error(write: Write, problems: Problems) -> None:
    (write({"a.en.md": OK}) / "b.en.md").symlink_to("nothing.md")
    assert codes(problems({})) == ["b.en.md E101"]


def test_a_link_loop_is_an_error(write: Write, problems: Problems) -> None:
    (write({"a.en.md": OK}) / "b.en.md").symlink_to("b.en.md")
    assert codes(problems({})) == ["b.en.md E101"]


def test_a_linked_folder_is_not_entered(write: Write, problems: Problems) -> None:
    (write({"a.en.md": OK}) / "again").symlink_to(".")
    assert codes(problems({})) == ["again W114"]


def test_a_pipe_does_not_hold_the_build(write: Write, problems: Problems) -> None:
    os.mkfifo(write({"a.en.md": OK}) / "b.en.md")
    assert codes(problems({})) == ["b.en.md E104"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file_is_an_error(write: Write, problems: Problems) -> None:
    (write({"a.en.md": OK}) / "a.en.md").chmod(0)
    assert codes(problems({})) == ["a.en.md E101"]


def test_a_file_swapped_for_a_folder_between_finding_and_reading_is_an_error(tmp_path: Path) -> None:
    data, problems = files.read(files.Found("a.md", tmp_path))
    assert data is None
    assert codes(tuple(problems)) == ["a.md E104"]


def test_folders_nested_without_end_are_an_error(write: Write, problems: Problems) -> None:
    assert codes(problems({"a.en.md": OK, "/".join("d" * 40) + "/b.en.md": OK}))[0].endswith("E101")


def test_a_name_that_is_not_utf_8_is_a_name(write: Write, problems: Problems) -> None:
    root = write({"a.en.md": OK})
    (root / "a.en.md").rename(root / os.fsdecode(b"caf\xe9.en.md"))
    assert codes(problems({})) == []


def test_a_missing_corpus_is_an_error(tmp_path: Path) -> None:
    found, problems = files.find(tmp_path / "none", ())
    assert not found
    assert [problem.code for problem in problems] == ["E101"]


def test_documents_are_found_in_folders_sorted_by_path(write: Write) -> None:
    root = write({"b.en.md": OK, "a/z.en.md": OK, "a/b/c.en.md": OK, "a-b.en.md": OK})
    found, _ = files.find(root, ())
    assert [file.path for file in found] == ["a-b.en.md", "a/b/c.en.md", "a/z.en.md", "b.en.md"]


@pytest.mark.parametrize(
    ("globs", "left"),
    [
        (["**/index.md"], ["a/b.md", "c.md"]),
        (["a/**"], ["c.md", "index.md"]),
        (["*.md"], ["a/b.md", "a/index.md"]),
        (["a/?.md", "c.md"], ["a/index.md", "index.md"]),
    ],
)
def test_excluded_files_are_not_documents(write: Write, globs: list[str], left: list[str]) -> None:
    root = write({"a/b.md": OK, "a/index.md": OK, "c.md": OK, "index.md": OK})
    found, problems = files.find(root, tuple(globs))
    assert [file.path for file in found] == left
    assert not problems


def test_reading_a_corpus_writes_nothing(write: Write, problems: Problems) -> None:
    root = write({"a.en.md": OK})
    before = sorted(root.rglob("*"))
    problems({})
    assert sorted(root.rglob("*")) == before
    assert load_project(root).anchors == root / "cairn.anchors.json"
