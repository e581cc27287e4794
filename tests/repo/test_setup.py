"""The set-up on machines that lack something: which Python is taken, what is said, what is not done twice."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.install import TARGETS, SetupError, once, run_target

ROOT = Path(__file__).resolve().parents[2]
BASE_PYTHON = Path(sys.base_prefix) / "bin" / "python3"


def find_python(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the finder on a machine whose only commands are those in `folder`."""
    command = ["/bin/sh", str(ROOT / "scripts" / "find-python")]
    machine = {"PATH": str(folder), "HOME": str(folder), **environment}
    return subprocess.run(command, env=machine, capture_output=True, text=True, check=False)


def put_command(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_launcher_that_starts_nothing_is_passed_over(tmp_path: Path) -> None:
    put_command(tmp_path, "python3.13", "echo 'command not found' >&2; exit 127")
    put_command(tmp_path, "python3", f'exec "{BASE_PYTHON}" "$@"')
    assert find_python(tmp_path).stdout == "python3\n"


def test_a_python_of_a_version_manager_is_found_without_its_launchers(tmp_path: Path) -> None:
    minor = sys.version_info[1]
    folder = tmp_path / ".pyenv" / "versions" / f"3.{minor}.0" / "bin"
    folder.mkdir(parents=True)
    put_command(folder, "python3", f'exec "{BASE_PYTHON}" "$@"')
    assert find_python(tmp_path).stdout == f"{folder / 'python3'}\n"


def test_an_old_python_is_passed_over_and_the_reader_told_what_to_type(tmp_path: Path) -> None:
    put_command(tmp_path, "python3", "exit 1")
    found = find_python(tmp_path)
    assert (found.returncode, found.stdout) == (1, "")
    assert "sudo apt-get install python3 python3-venv" in found.stderr


def test_a_named_python_that_does_not_start_is_named_in_the_message(tmp_path: Path) -> None:
    found = find_python(tmp_path, CAIRN_PYTHON="python9")
    assert found.returncode == 1
    assert 'CAIRN_PYTHON is "python9"' in found.stderr


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="the tests run outside a virtual environment")
def test_a_virtual_environment_is_not_taken(tmp_path: Path) -> None:
    assert find_python(tmp_path, CAIRN_PYTHON=sys.executable).returncode == 1


def test_a_step_is_done_again_only_when_its_lock_file_changes(tmp_path: Path) -> None:
    lock, stamp, done = tmp_path / "lock.txt", tmp_path / "stamp", []
    for text in ("one", "one", "two", "two"):
        lock.write_text(text, encoding="utf-8")
        once(lock, stamp, lambda: done.append(lock.read_text(encoding="utf-8")))
    assert done == ["one", "two"]


def test_a_step_that_fails_leaves_no_stamp(tmp_path: Path) -> None:
    lock, stamp = tmp_path / "lock.txt", tmp_path / "stamp"
    lock.write_text("one", encoding="utf-8")

    def fail() -> None:
        raise SetupError("no network")

    with pytest.raises(SetupError):
        once(lock, stamp, fail)
    assert not stamp.exists()


def test_a_step_that_fails_ends_the_run_with_its_message(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise SetupError("what is missing, and what to type")

    assert run_target((fail, lambda: pytest.fail("a later step ran"))) == 1
    assert capsys.readouterr().err == "setup: what is missing, and what to type\n"


def test_every_set_up_that_make_asks_for_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    asked = set(re.findall(r"sh scripts/setup (\w+)", makefile))
    assert asked
    assert asked <= set(TARGETS)
