"""The library zip: reproducible bytecode of exactly the pinned runtime, and enough of it for every path."""

import importlib.util
import io
import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from builder import bundle, bytecode
from builder.node import node_command
from builder.pyodide import PYODIDE_VERSION, PYTHON_MAGIC, pyodide_folder
from cairn_core.errors import CairnError
from tests.bundle.derive_stdlib import CACHE, exercised, given, listing, run_in_pyodide

SOURCES = {
    "package/__init__.py": b'"""Docstring."""\nNAMES = {"b", "a", "c"}\n',
    "package/part.py": b'def f(x):\n    "Doc."\n    assert x, "never"\n    return x in {"one", "two"}\n',
    "package/words.json": b'{"a": 1}',
}
needs_node = pytest.mark.skipif(node_command() is None, reason="no Node to run Pyodide outside a browser")


@pytest.fixture(scope="session")
def runtime() -> Path:
    return pyodide_folder(CACHE)


@pytest.fixture(params=["host", pytest.param("node", marks=needs_node)])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to compile, on any host that can."""
    if request.param == "host" and bytecode.compiler() != "host":
        pytest.skip("this Python's bytecode is not the runtime's")
    monkeypatch.setattr(bytecode, "compiler", lambda: request.param)
    chosen: str = request.param
    return chosen


@pytest.mark.slow
def test_two_runs_give_the_same_bytes(compiler: str, runtime: Path) -> None:
    assert bytecode.compile_library(SOURCES, runtime) == bytecode.compile_library(SOURCES, runtime)


def test_the_zip_is_stored_sorted_dated_alike_and_marked_as_unchecked(compiler: str, runtime: Path) -> None:
    library = bytecode.compile_library(SOURCES, runtime)
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        entries = archive.infolist()
        assert [entry.filename for entry in entries] == [
            "package/__init__.pyc",
            "package/part.pyc",
            "package/words.json",
        ]
        assert {(entry.compress_type, entry.date_time) for entry in entries} == {
            (zipfile.ZIP_STORED, bytecode.ZIP_DATE)
        }
        for entry in entries[:2]:
            assert archive.read(entry)[:8] == PYTHON_MAGIC + b"\1\0\0\0"
        assert archive.read("package/words.json") == SOURCES["package/words.json"]
        assert b"Doc" not in archive.read("package/part.pyc")
        assert b"never" not in archive.read("package/part.pyc")


def test_bytecode_of_another_python_is_an_error(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "PYTHON_MAGIC", b"\0\0\r\n")
    monkeypatch.setattr(bytecode, "compiler", lambda: "host")
    with pytest.raises(CairnError, match=r'"package/__init__\.pyc" was compiled for another Python'):
        bytecode.compile_library(SOURCES, runtime)


def test_where_nothing_can_compile_the_error_says_what_to_do(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytecode, "compiler", lambda: "node")
    monkeypatch.setattr(bytecode, "node_command", lambda: None)
    with pytest.raises(CairnError) as caught:
        bytecode.compile_library(SOURCES, runtime)
    assert "3.13" in caught.value.hint


def test_the_pinned_magic_number_is_that_of_a_host_with_the_runtimes_minor() -> None:
    assert (importlib.util.MAGIC_NUMBER == PYTHON_MAGIC) == (sys.version_info[:2] == (3, 13))


def test_the_engine_is_complete_and_points_nowhere() -> None:
    engine = bundle.engine_parts(CACHE)
    assert sorted(engine.parts) == [
        "loader.js",
        "lock.json",
        "pyodide.wasm",
        "runtime.js",
        "stdlib.zip",
        "worker.js",
    ]
    names = ("cpython-psf-2.0.txt", "notice.txt", "pyodide-mpl-2.0.txt")
    assert sorted(engine.licences) == [f"licences/{name}" for name in names]
    assert all(b"sourceMappingURL" not in engine.parts[name] for name in ("loader.js", "runtime.js"))
    assert json.loads(engine.parts["lock.json"])["packages"] == {}
    assert engine.version == PYODIDE_VERSION


def test_the_library_is_made_once_and_made_anew_when_its_copy_is_damaged(tmp_path: Path) -> None:
    shutil.copytree(pyodide_folder(CACHE), tmp_path / pyodide_folder(CACHE).name)
    first = bundle.engine_parts(tmp_path)
    kept = tmp_path / f"engine-{first.key}" / "stdlib.zip"
    made = kept.stat().st_mtime_ns
    assert bundle.engine_parts(tmp_path) == first
    assert kept.stat().st_mtime_ns == made
    kept.write_bytes(kept.read_bytes()[:-1])
    assert bundle.engine_parts(tmp_path) == first


def test_a_module_the_runtime_does_not_have_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(pyodide_folder(CACHE), tmp_path / pyodide_folder(CACHE).name)
    wrong = tmp_path / "modules.txt"
    wrong.write_text("json\nno_such_module\n", encoding="utf-8")
    monkeypatch.setattr(bundle, "STDLIB_MODULES", wrong)
    with pytest.raises(CairnError, match='no module "no_such_module"'):
        bundle.engine_parts(tmp_path)


@needs_node
@pytest.mark.slow
def test_the_list_of_library_modules_is_what_is_imported_on_every_path() -> None:
    run = run_in_pyodide(given(), pyodide_folder(CACHE))
    assert listing(run["imported"]) == bundle.STDLIB_MODULES.read_text(encoding="utf-8")


@needs_node
@pytest.mark.slow
def test_the_trimmed_library_answers_every_question_as_cpython_does(tmp_path: Path) -> None:
    shutil.copytree(pyodide_folder(CACHE), tmp_path / "runtime")
    (tmp_path / "runtime" / "python_stdlib.zip").write_bytes(bundle.engine_parts(CACHE).parts["stdlib.zip"])
    run = run_in_pyodide(given(), tmp_path / "runtime", with_core=False)
    assert run["answers"] == exercised(given())
