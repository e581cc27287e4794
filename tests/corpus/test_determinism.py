"""The same corpus gives the same bytes, whatever the hash seed, folder, time zone or order of files."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import hashlib, sys
from pathlib import Path
from builder.corpus import read
from builder.rendering import render_all
from builder.project import load_project
found = render_all(read(load_project(Path(sys.argv[1]))))
parts = [one.html for one in found.documents.values()] + [found.ledger.to_json()]
parts += [str(problem) for problem in found.warnings]
for passages in found.passages.values():
    parts += [f"{one.passage_id} {one.url} {one.text} {one.layout}" for one in passages]
print(hashlib.sha256("".join(parts).encode()).hexdigest())
"""


def digest(corpus: Path, **environment: str) -> str:
    command = [sys.executable, "-c", PROGRAM, str(corpus)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_same_corpus_gives_the_same_bytes(write: Callable[..., Path], tmp_path: Path) -> None:
    showcase = {
        path.relative_to(ROOT / "corpus/showcase").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "corpus/showcase").iterdir())
        if path.name != "cairn.anchors.json"
    }
    first = write(showcase)
    second = tmp_path / "other place"
    second.mkdir()
    for name in sorted(showcase, reverse=True):
        (second / name).write_text(showcase[name], encoding="utf-8")
    assert digest(first, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C") == digest(
        second, PYTHONHASHSEED="2", TZ="Asia/Kolkata", LC_ALL="C.UTF-8"
    )
