"""The engine of a site: everything the browser needs to answer that does not depend on the corpus.

Takes Pyodide from its pinned package, adds `cairn_core` and the standard library modules it imports as bytecode, and keeps the
result in a cache, so that a changed corpus is rebuilt with Python alone. Wrapping and hashing parts is `payload`'s work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The corpus-independent parts of a site.

    `parts`: part name -> bytes before compression (worker.js, loader.js, runtime.js, pyodide.wasm, stdlib.zip, lock.json).
    `licences`: site path ("licences/….txt") -> bytes. `version`: of Pyodide. `key`: names the cache entry.
    """

    parts: Mapping[str, bytes]
    licences: Mapping[str, bytes]
    version: str
    key: str


def engine_parts(cache: Path) -> EngineParts:
    """Return the parts, made once per (Pyodide, `cairn_core`, module list) and kept under `cache`; raises `CairnError`."""
    raise NotImplementedError(str(cache))
