"""The output folder: which may be replaced, by whom, and what an interrupted build leaves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from builder import swap
from builder.payload import Asset, Manifest
from builder.swap import BusyError, Target, TargetError, check_target, exclusive

HOLDER = """
import sys
from pathlib import Path
from builder.swap import Target, exclusive
with exclusive(Target.of(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    return folder


def site(folder: Path, text: str) -> Path:
    """Make the smallest folder that counts as a site: one page and the manifest that lists it."""
    for asset in (
        Asset("index.html", text.encode()),
        Manifest("0" * 16, "", {}, {"index.html": "0" * 64}).asset(),
    ):
        (folder / asset.url).parent.mkdir(parents=True, exist_ok=True)
        (folder / asset.url).write_bytes(asset.data)
    return folder


def put_in_place(target: Target, text: str) -> None:
    with exclusive(target) as aside:
        site(aside, text)
        swap.swap(target)


def test_a_first_build_moves_the_folder_in(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "deep" / "site")
    put_in_place(target, "new")
    assert (target.out / "index.html").read_text() == "new"
    assert [path.name for path in target.out.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("atomic", [True, False], ids=["exchange", "rename-aside"])
def test_a_later_build_replaces_the_site_and_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, atomic: bool
) -> None:
    target = Target.of(tmp_path / "site")
    site(target.out, "old")
    if not atomic:
        monkeypatch.setattr(sys, "platform", "plan9")
    put_in_place(target, "new")
    assert (target.out / "index.html").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_maintainers_own_readme_is_carried_into_the_new_site(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "site")
    site(target.out, "old")
    (target.out / "README.md").write_text("mine")
    put_in_place(target, "new")
    assert (target.out / "README.md").read_text() == "mine"


def test_a_link_to_a_site_stays_a_link(tmp_path: Path) -> None:
    site(tmp_path / "real", "old")
    (tmp_path / "site").symlink_to("real")
    put_in_place(Target.of(tmp_path / "site"), "new")
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "real" / "index.html").read_text() == "new"


def test_a_failure_while_writing_aside_leaves_the_old_site_alone(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "site")
    site(target.out, "old")

    def fail() -> None:
        with exclusive(target) as aside:
            site(aside, "half")
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        fail()
    assert (target.out / "index.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize(
    ("old", "new"), [(True, True), (True, False), (False, True)], ids=["both", "moved out", "written aside"]
)
def test_the_next_build_mends_what_an_interrupted_one_left(tmp_path: Path, old: bool, new: bool) -> None:
    target = Target.of(tmp_path / "site")
    if old:
        site(target.old, "old")
    else:
        site(target.out, "old")
    if new:
        site(target.aside, "half")
    with exclusive(target) as aside:
        assert list(aside.iterdir()) == []
    assert (target.out / "index.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_empty_folder_and_one_with_a_readme_may_be_replaced(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "site"
    out.mkdir()
    check_target(Target.of(out), corpus)
    (out / "README.md").write_text("mine")
    check_target(Target.of(out), corpus)


def test_a_folder_no_build_wrote_is_refused(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "photos"
    out.mkdir()
    (out / "holiday.jpg").write_bytes(b"")
    with pytest.raises(TargetError, match=r"holiday\.jpg"):
        check_target(Target.of(out), corpus)


def test_a_site_with_a_file_no_build_wrote_is_refused(tmp_path: Path, corpus: Path) -> None:
    out = site(tmp_path / "site", "old")
    (out / "notes.txt").write_text("mine")
    with pytest.raises(TargetError, match=r"notes\.txt"):
        check_target(Target.of(out), corpus)


def test_what_file_browsers_leave_does_not_count(tmp_path: Path, corpus: Path) -> None:
    out = site(tmp_path / "site", "old")
    (out / "assets" / ".DS_Store").write_bytes(b"")
    check_target(Target.of(out), corpus)


def test_a_file_is_refused(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "site").write_text("")
    with pytest.raises(TargetError, match="is a file"):
        check_target(Target.of(tmp_path / "site"), corpus)


@pytest.mark.parametrize("out", ["corpus", "corpus/site"])
def test_the_corpus_and_what_lies_in_it_are_refused(tmp_path: Path, corpus: Path, out: str) -> None:
    with pytest.raises(TargetError, match="inside the corpus"):
        check_target(Target.of(tmp_path / out), corpus)


def test_the_root_of_the_file_system_is_refused(corpus: Path) -> None:
    with pytest.raises(TargetError, match="cannot be an output folder"):
        check_target(Target.of(Path("/")), corpus)


def test_a_second_build_is_told_which_process_holds_the_folder(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "site")
    command = [sys.executable, "-c", HOLDER, str(target.out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match=str(holder.pid)), exclusive(target):
            pass
        holder.communicate("")
    with exclusive(target):
        pass


def test_the_lock_of_a_process_that_died_is_taken_over(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "site")
    command = [sys.executable, "-c", HOLDER, str(target.out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.kill()
    assert target.lock.exists()
    with exclusive(target):
        assert target.lock.read_text() == str(os.getpid())
    assert not target.lock.exists()
