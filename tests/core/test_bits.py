"""Scores and index bytes are the same in every Python that builds or answers."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builder import build_index, near_miss
from builder.calibrate import with_lexicons
from builder.node import node_command
from builder.project import load_project
from builder.pyodide import PYODIDE_VERSION
from cairn_core.index import Index, build_shard
from tests.core.small import document

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("score_bits.py")
pytestmark = pytest.mark.slow
PYODIDE = ROOT / ".cache" / f"pyodide-{PYODIDE_VERSION}"
MORE = {
    "ru": (
        "Счётчик воды заменяют бесплатно.",
        "Показания снимают в апреле.",
        "когда снимают показания счетчика",
    ),
    "hi": ("पानी का मीटर हर साल पढ़ा जाता है।", "टूटा मीटर मुफ़्त बदलता है।", "टूटा मीटर कब बदलेगा"),
    "th": ("อ่านมาตรวัดน้ำทุกปีในเดือนเมษายน", "เปลี่ยนมาตรที่ชำรุดฟรี", "มาตรน้ำชำรุดเปลี่ยนที่ไหน"),
    "ko": (
        "수도 계량기는 매년 4월에 검침합니다",
        "고장 난 계량기는 무료로 교체됩니다",
        "고장 난 계량기 교체",
    ),
}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the task, the engine and the program."""
    folder = tmp_path_factory.mktemp("bits")
    project = load_project(ROOT / "corpus" / "showcase")
    index = with_lexicons(build_index(project.corpus_dir), project)
    shards = [
        *index.shards.values(),
        *(
            build_shard(lang, document("meter", lang, first, first, second))
            for lang, (first, second, _) in MORE.items()
        ),
    ]
    rows = (ROOT / "tests" / "data" / "showcase-questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [(row["lang"], row["question"]) for row in map(json.loads, rows)]
    asked += [(lang, question) for lang, (_, _, question) in MORE.items()]
    task = {
        "shards": [shard.to_json() for shard in Index.of(shards).shards.values()],
        "model": near_miss.shipped().to_json(),
        "questions": asked,
    }
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    shutil.copytree(ROOT / "cairn_core", folder / "cairn_core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROGRAM, folder / PROGRAM.name)
    return folder


def bits(command: list[str], work: Path) -> str:
    subprocess.run(command, cwd=work, check=True, timeout=300)
    written = work / "bits.txt"
    text = written.read_text(encoding="utf-8")
    written.unlink()
    return text


@pytest.fixture(scope="module")
def here(work: Path) -> str:
    return bits([sys.executable, PROGRAM.name], work)


def test_the_bits_are_of_many_questions_in_many_scripts(here: str, work: Path) -> None:
    task = json.loads((work / "task.json").read_text(encoding="utf-8"))
    assert len(task["questions"]) >= 60
    assert {"en", "ar", "zh", "ru", "hi", "th", "ko"} <= {lang for lang, _ in task["questions"]}
    assert here.count("evidence ") > 500
    assert all(here.count(f"across to {lang}") > 100 for lang in ("en", "es"))
    assert here.count("near miss ") > 100


def pythons(minor: int) -> list[str]:
    """Where a Python may be; a launcher on the path may start nothing."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return [f"python3.{minor}", *map(str, sorted(versions.glob(f"3.{minor}.*/bin/python")))]


def runs(python: str, folder: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return not subprocess.run([python, "-c", ""], cwd=folder, capture_output=True, check=False).returncode
    return False


@pytest.mark.parametrize("minor", [12, 13, 14])
def test_another_cpython_has_the_same_bits(minor: int, here: str, work: Path) -> None:
    python = next((one for one in pythons(minor) if runs(one, work)), None)
    if python is None:
        pytest.skip(f"there is no Python 3.{minor}")
    assert bits([python, PROGRAM.name], work) == here


def test_pyodide_has_the_same_bits(here: str, work: Path) -> None:
    node = node_command()
    if not node or not PYODIDE.is_dir():
        pytest.skip("there is no Node, or no Pyodide in the cache")
    script = ROOT / "builder" / "in_pyodide.cjs"
    assert bits([node, str(script), str(PYODIDE), str(work), PROGRAM.name], work) == here
