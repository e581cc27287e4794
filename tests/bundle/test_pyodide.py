"""Pyodide comes from the pinned package, whole and unchanged, or the build stops and says what to do."""

import shutil
import sys
from pathlib import Path

import pytest

from builder import pyodide
from cairn_core.errors import CairnError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of Pyodide's files in the repository's cache."""
    return pyodide.pyodide_folder(ROOT / ".cache")


@pytest.fixture
def cache(package: Path, tmp_path: Path) -> Path:
    """A cache of its own with Pyodide's files in it."""
    shutil.copytree(package, tmp_path / package.name)
    return tmp_path


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pyodide, "npm_command", lambda: None)


@pytest.mark.parametrize("name", pyodide.FILES)
def test_a_changed_byte_of_a_file_stops_the_build_with_its_name(name: str, cache: Path) -> None:
    path = pyodide.pyodide_folder(cache) / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(CairnError, match=name) as caught:
        pyodide.pyodide_files(cache)
    assert caught.value.location == str(path)


def test_a_changed_package_stops_the_build_with_its_name(tmp_path: Path) -> None:
    (tmp_path / f"pyodide-{pyodide.PYODIDE_VERSION}.tgz").write_bytes(b"another package")
    with pytest.raises(CairnError, match=r"pyodide-0\.29\.5\.tgz"):
        pyodide.pyodide_files(tmp_path)


def test_without_npm_and_package_the_error_says_what_to_type(tmp_path: Path, without_tools: None) -> None:
    with pytest.raises(CairnError) as caught:
        pyodide.pyodide_files(tmp_path)
    assert "npm pack pyodide@0.29.5" in caught.value.hint
    assert pyodide.TARBALL_VARIABLE in caught.value.hint


def test_the_package_may_be_a_file_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_tools: None
) -> None:
    tarball = tmp_path / "carried here.tgz"
    tarball.write_bytes(b"another package")
    monkeypatch.setenv(pyodide.TARBALL_VARIABLE, str(tarball))
    with pytest.raises(CairnError, match="carried here"):
        pyodide.pyodide_files(tmp_path)
    monkeypatch.setenv(pyodide.TARBALL_VARIABLE, str(tmp_path / "nowhere.tgz"))
    with pytest.raises(CairnError, match="nowhere"):
        pyodide.pyodide_files(tmp_path)


def test_what_npm_says_is_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyodide, "npm_command", failing_npm)
    with pytest.raises(CairnError, match="no such registry"):
        pyodide.pyodide_files(tmp_path)


def failing_npm() -> list[str]:
    return [sys.executable, "-c", "import sys; sys.exit('no such registry')"]


def test_a_half_unpacked_package_is_unpacked_again(cache: Path) -> None:
    tarball = ROOT / ".cache" / f"pyodide-{pyodide.PYODIDE_VERSION}.tgz"
    if not tarball.is_file():
        pytest.skip("the package itself was not kept in the cache")
    shutil.copy(tarball, cache)
    (pyodide.pyodide_folder(cache) / "pyodide.asm.wasm").unlink()
    assert set(pyodide.pyodide_files(cache)) == set(pyodide.FILES)
