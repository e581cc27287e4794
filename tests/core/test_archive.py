"""The engine as the browser gets it: out of a zip archive, with few modules of the standard library."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import cairn_core
from cairn_core.bridge import open_session
from cairn_core.config import Config
from tests.core.small import SMALL

PACKAGE = Path(cairn_core.__file__).parent
SLOW_TO_IMPORT = {
    "hashlib",
    "importlib.resources",
    "tomllib",
    "logging",
    "urllib.parse",
    "tempfile",
    "subprocess",
}

PROGRAM = """
import json, sys
sys.path[:] = [sys.argv[1]] + [path for path in sys.path if path and "site-packages" not in path]
from cairn_core.bridge import open_session
case = json.load(sys.stdin)
session = open_session(case["site"], case["shards"])
print(json.dumps([[session.ask(request) for request in case["requests"]], sorted(sys.modules)]))
"""


def test_out_of_an_archive_the_engine_gives_the_same_bytes_and_imports_little(tmp_path: Path) -> None:
    archive = tmp_path / "core.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for path in sorted(PACKAGE.rglob("*")):
            if path.suffix in {".py", ".json"}:
                zipped.write(path, path.relative_to(PACKAGE.parent))
    site = json.dumps(
        {
            "format": 1,
            "build": "b1",
            "config": Config().to_json(),
            "languages": list(SMALL.language_codes),
        }
    )
    shards = [shard.to_json("b1") for shard in SMALL.shards.values()]
    questions = ("Is a cracked meter replaced?", "هل يُستبدل العداد؟", "¿Duermen?", "大象睡觉吗？")
    requests = [json.dumps({"question": question}, ensure_ascii=False) for question in questions]
    run = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(archive)],
        input=json.dumps({"site": site, "shards": shards, "requests": requests}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    responses, modules = json.loads(run.stdout)
    session = open_session(site, shards)
    assert responses == [session.ask(request) for request in requests]
    assert SLOW_TO_IMPORT.isdisjoint(modules)
