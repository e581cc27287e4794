"""Whether a folder holds exactly the site that was built: needs the folder alone, no corpus.

Every file is read and compared with the manifest, and all that differs is reported together. `readsite` in
contrast stops at the first fault, because it is about to use the files.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from builder import payload, signing
from builder.readsite import extra_files, read_manifest
from builder.swap import DROPPED
from cairn_core.errors import CairnError

KINDS = ("missing", "changed", "line endings", "extra", "unsigned", "signature")
"""Ways in which a file can differ, in the order of a report."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """A file that is not as it was built: how (one of KINDS), and its path in the site."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found: the build, how many files it has, and every fault in the order of KINDS and paths."""

    folder: Path
    build: str
    files: int
    faults: tuple[Fault, ...]
    signed: bool | None = None
    """By the key that was given; None when none was."""


def verify(folder: Path, key: Path | None = None) -> Verification:
    """Compare every file below a folder with the manifest in it, and the manifest with its signature.

    Raises `DamagedSiteError` when there is no manifest that can be read, `KeyFileError`.
    """
    public = signing.public_key(key) if key else None
    manifest = read_manifest(folder)
    signed = signing.is_signed(folder, public) if public else None
    faults = [*_manifest_faults(folder, manifest), *_faults(folder, manifest)]
    if public and not signed:
        faults.append(Fault("unsigned" if signed is None else "signature", signing.SIGNATURE))
    faults.sort(key=lambda fault: (KINDS.index(fault.kind), fault.path))
    return Verification(folder, manifest.build, len(manifest.files) + 1, tuple(faults), signed)


def _faults(folder: Path, manifest: payload.Manifest) -> Iterator[Fault]:
    for path, sha256 in manifest.files.items():
        try:
            data = (folder / path).read_bytes()
        except FileNotFoundError:
            yield Fault("missing", path)
            continue
        except OSError as error:
            raise CairnError("the file cannot be read", "check the disk", str(folder / path)) from error
        if payload.digest(data) != sha256:
            yield Fault(_difference(data, sha256), path)
    for path in extra_files(folder, manifest):
        if not _from_a_file_browser(path.rpartition("/")[2]):
            yield Fault("extra", path)


def _manifest_faults(folder: Path, manifest: payload.Manifest) -> Iterator[Fault]:
    """The manifest has no hash of its own: it must be in the one form it is written in, and agree with its
    short copy, which has one.
    """
    data = (folder / payload.MANIFEST_JSON).read_bytes()
    short = payload.digest(manifest.script().data)
    if data != manifest.asset().data or manifest.files.get(payload.MANIFEST_JS) != short:
        expected = payload.digest(manifest.asset().data)
        yield Fault(_difference(data, expected), payload.MANIFEST_JSON)


def _difference(data: bytes, sha256: str) -> str:
    """Tell a copy whose line endings a program converted from one that holds other content."""
    plain = data.replace(b"\r\n", b"\n")
    forms = (plain, plain.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r\n"), data.replace(b"\r", b"\n"))
    return (
        "line endings" if any(payload.digest(form) == sha256 for form in forms if form != data) else "changed"
    )


def _from_a_file_browser(name: str) -> bool:
    return name in DROPPED or name.startswith("._")
