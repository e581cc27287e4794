"""The engine of a site: everything the browser needs to answer that does not depend on the corpus.

Takes Pyodide from its pinned package, adds `cairn_core` and the standard library modules it imports as
bytecode, and keeps the result in a cache, so that a changed corpus is rebuilt with Python alone. Wrapping and
hashing parts is `payload`'s work.
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import cairn_core
from builder import bytecode, pyodide, snapshot
from builder.kept import kept_file
from builder.statics import WEB
from cairn_core.errors import CairnError
from cairn_core.language import ENGINE_MESSAGES

HERE = Path(__file__).parent
LICENCES = ("cpython-psf-2.0.txt", "notice.txt", "pyodide-mpl-2.0.txt")
RECIPE = ("bytecode.py", "pyodide.py", "snapshot.py", snapshot.MAKER.name)
"""What makes the parts, so that a change of it makes them anew."""

STDLIB_MODULES = HERE / "stdlib_modules.txt"


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The corpus-independent parts of a site.

    `parts`: part name -> bytes before compression: worker.js, loader.js, runtime.js, pyodide.wasm,
    stdlib.zip, lock.json, and snapshot.bin where pages start from one. `licences`: site path
    ("licences/….txt") -> bytes. `version`: of Pyodide. `key`: names the cache entry. `note`: why there is no
    snapshot although one was asked for, else "".
    """

    parts: Mapping[str, bytes]
    licences: Mapping[str, bytes]
    version: str
    key: str
    note: str = ""


def engine_parts(cache: Path, boot: str = "snapshot") -> EngineParts:
    """Return the parts, made once per (Pyodide, `cairn_core`, module list) and kept under `cache`.

    `boot`: what pages start from, "snapshot" or "bytecode"; the bytecode is always among the parts, for
    browsers that refuse the snapshot. Raises `CairnError` when Pyodide cannot be had, differs from what is
    pinned, or nothing can compile for it.
    """
    files = pyodide.pyodide_files(cache)
    key = _key()
    folder = cache / f"engine-{key}"
    parts = {
        "worker.js": (WEB / "js" / "worker.js").read_bytes(),
        "loader.js": _without_source_map(files["pyodide.js"]),
        "runtime.js": _without_source_map(files["pyodide.asm.js"]),
        "pyodide.wasm": files["pyodide.asm.wasm"],
        "stdlib.zip": kept_file(folder / "stdlib.zip", lambda: _library(cache, files["python_stdlib.zip"])),
        "lock.json": kept_file(folder / "lock.json", lambda: lock(files["pyodide-lock.json"])),
    }
    note = ""
    if boot == "snapshot":
        try:
            made = kept_file(folder / snapshot.NAME, lambda: snapshot.make_snapshot(parts))
            parts = {**parts, snapshot.NAME: made}
        except snapshot.NoSnapshotError as error:
            note = f"{error.message}; pages start from the bytecode"
    licences = {f"licences/{name}": (HERE / "licences" / name).read_bytes() for name in LICENCES}
    return EngineParts(parts, licences, pyodide.PYODIDE_VERSION, key, note)


def stdlib_modules() -> tuple[str, ...]:
    """Return the listed modules, sorted as in the file; lines that start with "#" are remarks."""
    lines = STDLIB_MODULES.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def core_sources() -> Mapping[str, bytes]:
    """Return `cairn_core` as it goes into the zip, path -> bytes: modules, and locales without the messages
    of pages.
    """
    root = Path(cairn_core.__path__[0])
    found = sorted([*root.rglob("*.py"), *root.glob("locales/*.json")])
    return {f"cairn_core/{path.relative_to(root).as_posix()}": _of_engine(path) for path in found}


def _of_engine(path: Path) -> bytes:
    data = path.read_bytes()
    plain = json.loads(data) if path.suffix == ".json" else {}
    if "messages" not in plain:
        return data
    said = {key: text for key, text in plain["messages"].items() if key.startswith(ENGINE_MESSAGES)}
    return json.dumps({**plain, "messages": said}, ensure_ascii=False, separators=(",", ":")).encode()


def lock(original: bytes) -> bytes:
    """Return the lock file reduced to what the runtime checks: its platform, and no packages."""
    from pyodide_lock import PyodideLockSpec  # only where the engine is made

    spec = PyodideLockSpec.from_dict(json.loads(original))
    spec.packages = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lock.json"
        spec.to_json(path)
        return path.read_bytes()


def _key() -> str:
    digest = hashlib.sha256()
    recipe = (*(HERE / name for name in RECIPE), STDLIB_MODULES)
    for name, data in [*core_sources().items(), *((path.name, path.read_bytes()) for path in recipe)]:
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return f"{pyodide.PYODIDE_VERSION}-{bytecode.compiler()}-{digest.hexdigest()[:16]}"


def _library(cache: Path, stdlib: bytes) -> bytes:
    sources = {**dict(_stdlib_sources(stdlib)), **core_sources()}
    return bytecode.compile_library(sources, pyodide.pyodide_folder(cache))


def _stdlib_sources(stdlib: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(BytesIO(stdlib)) as archive:
        names = set(archive.namelist())
        for module in stdlib_modules():
            path = module.replace(".", "/")
            found = next((name for name in (f"{path}/__init__.py", f"{path}.py") if name in names), None)
            if found is None:
                raise CairnError(
                    f'the standard library of Pyodide {pyodide.PYODIDE_VERSION} has no module "{module}"',
                    hint="derive the list again, as its first lines say",
                    location=str(STDLIB_MODULES),
                )
            yield found, archive.read(found)


def _without_source_map(script: bytes) -> bytes:
    return re.sub(rb"(?m)^//# sourceMappingURL=.*\n?", b"", script)
