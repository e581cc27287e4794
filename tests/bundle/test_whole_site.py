"""A site with its engine as a whole: the same bytes wherever it is built, none from a changed package."""

import hashlib
import shutil
from pathlib import Path

import pytest

from builder import cli, pyodide, snapshot
from builder.cli import main
from builder.node import node_command
from builder.project import load_project
from builder.site import Options, build
from tests.bundle.derive_stdlib import CACHE


def home(folder: Path, corpus: Path) -> Path:
    """Return a folder with a copy of the corpus and a cache that holds Pyodide and nothing made of it."""
    shutil.copytree(corpus, folder / "corpus")
    package = pyodide.pyodide_folder(CACHE)
    shutil.copytree(package, folder / "cache" / package.name)
    return folder


@pytest.mark.slow
@pytest.mark.skipif(node_command() is None, reason="no Node to make a snapshot")
def test_two_builds_from_nothing_in_different_folders_give_the_same_bytes(
    demo_corpus: Path, tmp_path: Path
) -> None:
    sites = []
    for name in ("one", "another home ñ"):
        place = home(tmp_path / name, demo_corpus)
        build(load_project(place / "corpus"), place / "site", Options(place / "cache"))
        files = sorted(path for path in (place / "site").rglob("*") if path.is_file())
        sites.append(
            {
                path.relative_to(place / "site").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in files
            }
        )
    assert sites[0] == sites[1]
    assert {f"assets/parts/{part}.gz" for part in (snapshot.NAME, "stdlib.zip", "site.json")} <= set(sites[0])


def test_one_changed_byte_of_a_package_stops_the_command_with_its_name(
    demo_corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = home(tmp_path, demo_corpus)
    name = "pyodide.asm.wasm"
    path = pyodide.pyodide_folder(place / "cache") / name
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    monkeypatch.setattr(cli, "default_cache", lambda: place / "cache")
    assert main([str(place / "corpus"), "--out", str(place / "site"), "--quiet"]) == 1
    assert f'"{name}" is not the file of Pyodide' in capsys.readouterr().err
    assert not (place / "site").exists()
