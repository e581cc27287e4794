"""A built site copied to a stick or a mirror, whole or not at all.

The copy is written beside the target, read back from the disk and compared, and only then takes the target's
place; until then the old copy stays. How folders are exchanged is `swap`'s business.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from builder import payload
from builder.readsite import DamagedSiteError
from builder.signing import SIGNATURE
from builder.swap import Target, TargetError, WriteError, check_replaceable, exclusive, swap, write_errors
from builder.verify import verify

BLOCK = 32 * 1024
"""Bytes a file takes at least: the allocation unit of FAT32 on large sticks."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What was copied where: `bytes` of content, `replaced` whether a site was there before."""

    target: Path
    build: str
    files: int
    bytes: int
    replaced: bool


def publish(site: Path, target_folder: Path) -> Publication:
    """Copy a site and return what was done.

    Raises `DamagedSiteError` when the site is not as it was built, `TargetError` for a folder that may not be
    replaced, `BusyError`, and `WriteError` when the disk is full, fails or gives back other bytes.
    """
    found = verify(site)
    if found.faults:
        fault = found.faults[0]
        raise DamagedSiteError(f"the site is damaged: {fault.kind}", "build it again", str(site / fault.path))
    target = Target.of(target_folder)
    _check(site.resolve(), target)
    names = [*_manifest_names(site), payload.MANIFEST_JSON]
    names += [SIGNATURE] if (site / SIGNATURE).is_file() else []
    replaced = (target.out / payload.MANIFEST_JSON).is_file()
    with write_errors(target):
        _check_room(site, names, target.out)
        with exclusive(target) as aside:
            size = sum(_copy(site / name, aside / name) for name in names)
            _check_copy(site, aside)
            swap(target)
    return Publication(target_folder, found.build, len(names), size, replaced)


def _check(site: Path, target: Target) -> None:
    if site == target.out or site in target.out.parents or target.out in site.parents:
        raise TargetError(f'"{target.out}" and the site lie inside one another', "name a folder elsewhere")
    if target.out.is_mount():
        raise TargetError(
            f'"{target.out}" is the disk itself, which cannot be exchanged for another folder',
            f'name a folder on it, for example "{target.out / "help"}"',
        )
    check_replaceable(target.out)


def _manifest_names(site: Path) -> list[str]:
    """Return the paths of the files, each in the portable form that `Manifest` requires."""
    return sorted(payload.Manifest.from_json((site / payload.MANIFEST_JSON).read_bytes()).files)


def _check_room(site: Path, names: list[str], out: Path) -> None:
    place = next(folder for folder in (out, *out.parents) if folder.exists())
    needed = sum(-(-(site / name).stat().st_size // BLOCK) * BLOCK for name in names)
    free = shutil.disk_usage(place).free
    if free < needed:
        raise WriteError(
            f"the disk has room for {free / 1e6:.1f} MB and the copy takes up to {needed / 1e6:.1f} MB",
            "make room, or use a larger disk; the old copy is untouched",
            str(place),
        )


def _copy(source: Path, copy: Path) -> int:
    """Copy one file down to the disk, and have the disk read again when it is asked for; return its size."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    data = source.read_bytes()
    with copy.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return len(data)


def _check_copy(site: Path, aside: Path) -> None:
    wrong = [fault.path for fault in verify(aside).faults]
    wrong += [name for name in (SIGNATURE,) if _bytes(site / name) != _bytes(aside / name)]
    if wrong:
        raise WriteError(
            f'the disk gives back other bytes than were written, in "{wrong[0]}"',
            "try another disk; the old copy is untouched",
            str(aside),
        )


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
