"""Node and npm are found wherever they are installed, and only if they start."""

import os
import subprocess
from pathlib import Path

import pytest

from builder import node


@pytest.fixture
def empty_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A PATH with one empty folder in it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_node_on_the_path_the_one_playwright_carries_is_used(empty_path: Path) -> None:
    found = node.node_command()
    assert found
    assert not found.startswith(str(empty_path))
    assert subprocess.run([found, "--version"], check=True, capture_output=True).stdout.startswith(b"v")


def test_a_program_that_does_not_start_is_passed_over(empty_path: Path) -> None:
    for name in ("node", "npm"):
        (empty_path / name).write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
        (empty_path / name).chmod(0o755)
    assert node.node_command() != os.fspath(empty_path / "node")
    npm = node.npm_command()
    assert npm is None or npm[0] != os.fspath(empty_path / "npm")
