"""Derives builder/stdlib_modules.txt: what Pyodide and `cairn_core` import from the standard library.

python tests/bundle/derive_stdlib.py            print the list
python tests/bundle/derive_stdlib.py --write    write the file
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from builder import build_index, load_config  # noqa: E402
from builder.bundle import STDLIB_MODULES, core_sources  # noqa: E402
from builder.bytecode import RUNNER, stored_zip  # noqa: E402
from builder.node import node_command  # noqa: E402
from builder.pyodide import pyodide_folder  # noqa: E402

CORPUS = ROOT / "corpus" / "demo"
CACHE = ROOT / ".cache"
REMARK = """\
# Modules of Pyodide's standard library that the site's engine imports, on every path of cairn_core.
# Derived: python tests/bundle/derive_stdlib.py --write
"""
ALWAYS = ("encodings.ascii", "encodings.latin_1")
"""Looked up by name when bytes that are not UTF-8 are described; the exercise need not reach them."""


QUESTIONS = (
    "How much is the monthly grocery allowance for one person?",
    "Cuanto cubre la subvencion de alivio de vivienda?",
    "ما هو الموعد النهائي لتقديم طلب منحة السكن؟",
    "什么时候开门？",
    "สวัสดี ร้านเปิดกี่โมง",
    "Call +1 555-0142 or write to a.person@example.org, see https://example.org/a?b=c",
    "What is the capital of France?",
    "e\u0301te\u0301 \u0663\u0664 \u200b\u202e\x00",
    "zzzzqqqq wwwwxxxx",
    "",
    "word " * 3000,
)


def given():
    """Return the input of the exercise: the demo corpus and questions of every kind."""
    index, config = build_index(CORPUS), load_config(CORPUS / "cairn.toml")
    languages = list(index.language_codes)
    site = {"format": 1, "build": "", "config": config.to_json(), "languages": languages}
    return {
        "site": json.dumps(site, sort_keys=True, ensure_ascii=False, separators=(",", ":")),
        "shards": [index.shards[lang].to_json() for lang in languages],
        "questions": QUESTIONS,
        "languages": languages,
    }


def exercised(input_of_exercise):
    """Return the answers of the exercise in this Python."""
    program = {"__name__": "exercise"}
    exec(compile(exercise_text(), "exercise.py", "exec"), program)  # noqa: S102 - the program beside this file
    return program["exercise"](input_of_exercise)


def run_in_pyodide(input_of_exercise, runtime, with_core=True):
    """Return what exercise.py prints inside the Pyodide in a folder: answers and imported modules.

    `with_core`: put `cairn_core` on the path; not needed where the library already holds it.
    """
    with TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "exercise.json").write_text(json.dumps(input_of_exercise), encoding="utf-8")
        (work / "core.zip").write_bytes(stored_zip(core_sources() if with_core else {}))
        program = "import sys\nsys.path.insert(0, '/task/core.zip')\n__name__ = '__main__'\n"
        (work / "exercise.py").write_text(program + exercise_text(), encoding="utf-8")
        command = [node_command(), str(RUNNER), str(runtime.resolve()), folder, "exercise.py"]
        run = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
        return json.loads(run.stdout.splitlines()[-1])


def exercise_text():
    return (Path(__file__).with_name("exercise.py")).read_text(encoding="utf-8")


def listing(imported):
    """Return the text of the data file for the modules that were imported."""
    with zipfile.ZipFile(pyodide_folder(CACHE) / "python_stdlib.zip") as archive:
        names = {
            name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for name in archive.namelist()
        }
    modules = sorted({*imported, *ALWAYS} & names)
    return REMARK + "\n".join(modules) + "\n"


if __name__ == "__main__":
    text = listing(run_in_pyodide(given(), pyodide_folder(CACHE))["imported"])
    if "--write" in sys.argv:
        STDLIB_MODULES.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
