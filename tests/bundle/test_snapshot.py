"""The memory snapshot: the same bytes from every run and every Node, and nothing of this machine in them."""

import getpass
import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder import bundle, node, snapshot
from builder.node import node_command
from builder.pyodide import pyodide_folder
from builder.snapshot import NoSnapshotError, make_snapshot
from tests.bundle.derive_stdlib import CACHE, CORPUS, ROOT, exercised, given, run_in_pyodide

needs_node = pytest.mark.skipif(node_command() is None, reason="no Node to make a snapshot")
SECRET = "correct-horse-battery-staple"  # noqa: S105  no password, only words found nowhere else
RESTORED = Path(__file__).with_name("restored.cjs")
MAGIC, END, JSON_LENGTH, COMBINED = range(4)
PAGE = 4096


@pytest.fixture(scope="module")
def parts() -> dict[str, bytes]:
    return dict(bundle.engine_parts(CACHE, "bytecode").parts)


@pytest.fixture(scope="module")
def made(parts: dict[str, bytes]) -> Iterator[bytes]:
    """A snapshot made while the environment holds a secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAIRN_TEST_SECRET", SECRET)
        yield make_snapshot(parts)


def word(data: bytes, index: int) -> int:
    return int.from_bytes(data[4 * index : 4 * index + 4], "little")


def memory_of(made: bytes) -> bytes:
    """Return the memory with its pages of zeros."""
    end = word(made, END)
    count = word(made, end // 4)
    there = [word(made, end // 4 + 1 + page) for page in range(count)]
    pages = iter(range(end + 4 + 4 * count, len(made), PAGE))
    found = b"".join(made[at : at + PAGE] if one and (at := next(pages)) else bytes(PAGE) for one in there)
    assert next(pages, None) is None
    return found


@needs_node
@pytest.mark.slow
def test_pages_of_zeros_are_left_out(made: bytes) -> None:
    memory = memory_of(made)
    assert len(memory) % (1 << 16) == 0
    assert len(made) < len(memory) / 2
    pages = range(word(made, END) + 4 + 4 * word(made, word(made, END) // 4), len(made), PAGE)
    assert all(any(made[at : at + PAGE]) for at in pages)


@needs_node
@pytest.mark.slow
def test_two_runs_give_the_same_bytes(parts: dict[str, bytes], made: bytes) -> None:
    assert make_snapshot(parts) == made


@needs_node
@pytest.mark.slow
def test_another_node_gives_the_same_bytes(
    parts: dict[str, bytes], made: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = node._package_file("playwright", "driver/node")
    if other is None or shutil.which("node") is None:
        pytest.skip("there are no two versions of Node here")
    monkeypatch.setattr(snapshot, "node_command", lambda: other)
    assert hashlib.sha256(make_snapshot(parts)).digest() == hashlib.sha256(made).digest()


@needs_node
@pytest.mark.slow
def test_what_starts_from_it_answers_every_question_as_cpython_does(
    parts: dict[str, bytes], made: bytes, tmp_path: Path
) -> None:
    for name, data in {**parts, "snapshot.bin": made}.items():
        (tmp_path / snapshot.PYODIDE_NAMES.get(name, name)).write_bytes(data)
    run = run_in_pyodide(given(), tmp_path, with_core=False, runner=RESTORED)
    assert run["answers"] == exercised(given())


@needs_node
@pytest.mark.slow
def test_it_holds_no_secret_no_path_and_no_name_of_this_machine(made: bytes, tmp_path: Path) -> None:
    texts = [SECRET, str(ROOT), str(Path.home()), str(tmp_path.parent), getpass.getuser() + "@"]
    found = [text for text in texts if text.encode() in made or text.encode("utf-32-le") in made]
    assert found == []


@needs_node
@pytest.mark.slow
def test_it_holds_nothing_of_a_corpus(made: bytes) -> None:
    documents = [path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob("*.md"))]
    longest = [max(text.splitlines(), key=len)[:60] for text in documents]
    assert [line for line in longest if line.encode() in made] == []


@needs_node
@pytest.mark.slow
def test_what_the_module_itself_puts_into_memory_is_left_out(parts: dict[str, bytes], made: bytes) -> None:
    length = word(made, COMBINED)
    assert length > 1_000_000
    memory = memory_of(made)[:length]
    assert memory.count(0) > 0.9 * length
    phrase = b"Python runtime state"  # a message in CPython's read-only data
    in_module = next(text for text in (phrase, b"unsupported operand type") if text in parts["pyodide.wasm"])
    assert in_module not in memory


def test_without_node_a_site_gets_the_bytecode_and_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(pyodide_folder(CACHE), tmp_path / pyodide_folder(CACHE).name)
    engine = bundle.engine_parts(CACHE, "bytecode")
    shutil.copytree(CACHE / f"engine-{engine.key}", tmp_path / f"engine-{engine.key}", ignore=only_library)
    monkeypatch.setattr(snapshot, "node_command", lambda: None)
    without = bundle.engine_parts(tmp_path)
    assert without.parts == engine.parts
    assert without.note == "there is no Node to make a snapshot; pages start from the bytecode"


def only_library(_: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("stdlib")]


def test_a_node_that_fails_is_told_with_its_reason(
    parts: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, failing: Callable[[str], str]
) -> None:
    monkeypatch.setattr(snapshot, "node_command", lambda: failing("no memory left"))
    with pytest.raises(NoSnapshotError, match="no memory left"):
        make_snapshot(parts)


@pytest.fixture
def failing(tmp_path: Path) -> Callable[[str], str]:
    """Return a program that fails with a message."""

    def make(message: str) -> str:
        path = tmp_path / "node"
        path.write_text(f'#!/bin/sh\necho "{message}" >&2\nexit 1\n', encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    return make


@needs_node
@pytest.mark.slow
def test_the_snapshot_is_kept_and_made_anew_when_its_copy_is_damaged(tmp_path: Path) -> None:
    shutil.copytree(pyodide_folder(CACHE), tmp_path / pyodide_folder(CACHE).name)
    first = bundle.engine_parts(tmp_path)
    kept = tmp_path / f"engine-{first.key}" / snapshot.NAME
    made = kept.stat().st_mtime_ns
    assert bundle.engine_parts(tmp_path) == first
    assert kept.stat().st_mtime_ns == made
    kept.write_bytes(kept.read_bytes()[:-1])
    assert bundle.engine_parts(tmp_path) == first
