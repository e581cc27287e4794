"""One site folder replaced by another as a whole: a reader finds the old site or the new one.

Holds the lock of an output folder, mends what an interrupted build left, refuses folders that no build wrote,
and exchanges the two folders. What goes into the new folder is `writer`'s business.
"""

import contextlib
import ctypes
import errno
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from builder.problems import UsageError
from builder.signing import SIGNATURE
from cairn_core.errors import CairnError

MANIFEST = "assets/manifest.json"
KEPT = (
    ".gitignore",
    ".gitkeep",
    ".nojekyll",
    "CNAME",
    "README.md",
)  # a maintainer's own files, carried from build to build
DROPPED = (".DS_Store", "Thumbs.db", "desktop.ini")  # left by file browsers
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_LOCK_BYTE = 1 << 20  # beyond the pid, which other processes must be able to read on Windows

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "there is no permission to write here",
    errno.EPERM: "there is no permission to write here",
    errno.EFBIG: "the disk takes no file of this size",
    errno.EBUSY: "the folder is in use and cannot be replaced",
    errno.EXDEV: "the folder is a mounted disk and cannot be replaced; name a folder on it",
}


class TargetError(UsageError):
    """The output folder is not one a build may replace; another has to be named."""


class BusyError(CairnError):
    """Another build of the same output folder is running."""


class WriteError(CairnError):
    """The output could not be written; the site that was there is untouched."""


@dataclass(frozen=True, slots=True)
class Target:
    """An output folder and its neighbours: the folder written aside, the old site moving out, the lock."""

    out: Path

    @classmethod
    def of(cls, out: Path) -> "Target":
        """Follow links first, so that a link to a site stays a link."""
        return cls(out.resolve())

    def _beside(self, role: str) -> Path:
        return self.out.with_name(f".{self.out.name}.cairn-{role}")

    @property
    def aside(self) -> Path:
        return self._beside("new")

    @property
    def old(self) -> Path:
        return self._beside("old")

    @property
    def lock(self) -> Path:
        return self._beside("lock")


def check_target(target: Target, corpus: Path) -> None:
    """Raise `TargetError` unless the folder may be replaced and lies outside the corpus."""
    out = target.out
    if out == corpus.resolve() or corpus.resolve() in out.parents:
        raise TargetError(
            f'the output folder "{out}" lies inside the corpus', "name a folder outside it with --out"
        )
    check_replaceable(out)


def check_replaceable(out: Path) -> None:
    """Raise `TargetError` unless the folder is absent, empty or a site that holds only what a build wrote."""
    if not out.name:
        raise TargetError(f'"{out}" cannot be an output folder', "name a folder, for example --out site")
    if not out.exists():
        return
    if not out.is_dir():
        raise TargetError(f'"{out}" is a file, not a folder', "name a folder with --out")
    extra = _not_written_by_a_build(out)
    if extra:
        raise TargetError(
            f'"{out}" holds files that no build wrote, such as "{extra[0]}"',
            "move them away, or name an empty folder with --out",
        )


def _not_written_by_a_build(out: Path) -> list[str]:
    known = {*KEPT, *DROPPED, MANIFEST, SIGNATURE, *_manifest_files(out)}
    extra = (url for url in files_in(out) if url not in known)
    return sorted(url for url in extra if url.rpartition("/")[2] not in DROPPED)


def files_in(folder: Path) -> Iterator[str]:
    """Yield the path of every file in a folder, from the folder on, with slashes."""
    for name, _, files in os.walk(folder):
        below = os.path.relpath(name, folder).replace(os.sep, "/")
        yield from (file if below == "." else f"{below}/{file}" for file in files)


def _manifest_files(out: Path) -> list[str]:
    try:
        manifest = json.loads((out / MANIFEST).read_bytes())
        return list(manifest["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


@contextlib.contextmanager
def write_errors(target: Target) -> Iterator[None]:
    """Say in one sentence why the output cannot be written."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, f"it cannot be written: {error.strerror or error}")
        raise WriteError(
            reason, "the site that was there is untouched", str(error.filename or target.out)
        ) from error


@contextlib.contextmanager
def exclusive(target: Target) -> Iterator[Path]:
    """Hold the target's lock and give an empty folder to write into, gone afterwards unless swapped in.

    Raises `BusyError` naming the process that holds the lock. A process that died holds none.
    """
    target.out.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target.lock):
        mend(target)
        try:
            yield emptied(target)
        finally:
            shutil.rmtree(target.aside, ignore_errors=True)  # what stays is removed by the next build


def emptied(target: Target) -> Path:
    """Return the folder aside, with nothing in it; only for the holder of the lock."""
    _remove(target.aside)
    target.aside.mkdir(mode=0o755)
    return target.aside


def mend(target: Target) -> None:
    """Put the old site back if a build died after moving it out; remove what else it left."""
    if target.old.exists() and not target.out.exists():
        target.old.rename(target.out)
    _remove(target.old)
    _remove(target.aside)


def swap(target: Target) -> None:
    """Put the folder written aside in place of the old site, on Linux in one step."""
    for name in KEPT:
        if (target.out / name).is_file():
            shutil.copyfile(target.out / name, target.aside / name)
    target.aside.chmod(0o755)
    _flush_tree(target.aside)
    if not target.out.exists():
        target.aside.rename(target.out)
    elif not _exchange(target.aside, target.out):
        _rename_aside(target)
    _flush_folder(target.out.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders at once (renameat2(2), Linux 3.15); False where system or file system cannot."""
    if sys.platform != "linux":
        return False
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(code, os.strerror(code), os.fspath(other))


def _rename_aside(target: Target) -> None:
    target.out.rename(target.old)
    try:
        target.aside.rename(target.out)
    except OSError:
        target.old.rename(target.out)
        raise
    _flush_folder(target.out.parent)
    shutil.rmtree(target.old, ignore_errors=True)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _flush_tree(folder: Path) -> None:
    """Have the disk hold the folder before it is moved in: one call for the file system, not one a file."""
    if sys.platform == "linux":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            ctypes.CDLL(None, use_errno=True).syncfs(descriptor)
        finally:
            os.close(descriptor)
    elif hasattr(os, "sync"):
        os.sync()


def _flush_folder(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    while True:
        file = path.open("a+b")
        if not _try_lock(file):
            with file:
                raise BusyError(
                    f"another build of this site is running, process {_holder(file)}",
                    "wait until it has ended",
                )
        if _is_same_file(file, path):
            break
        file.close()  # its holder removed it between open and lock
    with file:
        file.truncate(0)
        file.write(str(os.getpid()).encode())
        file.flush()
        try:
            yield
        finally:
            if os.name == "posix":
                with contextlib.suppress(OSError):
                    path.unlink()


def _holder(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(20).decode("ascii", "replace").strip() or "unknown"


def _is_same_file(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _try_lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(_LOCK_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
