"""A built site read back from disk: nothing is used before every file has the hash the manifest gives it.

Knows the layout `site` writes. The shape of shards is `cairn_core.index`'s to check.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from builder import payload, swap
from builder.signing import SIGNATURE
from builder.swap import KEPT
from cairn_core.bridge import Session, open_session
from cairn_core.errors import CairnError

_HINT = "build the site again, or copy it again from where it came"
_GZIP = 31  # window bits of zlib for a gzip wrapper


class DamagedSiteError(CairnError):
    """A file of a built site is missing or differs from the manifest; `location` names it."""


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """What answering needs from a built site, in the form the bridge takes: `shards` by language code."""

    build: str
    settings: bytes
    shards: Mapping[str, bytes]
    folder: Path
    manifest: payload.Manifest

    def session(self) -> Session:
        """Open the site as a page does; raises `IndexFormatError`, when answering `DamagedSiteError`."""
        session = open_session(self.settings, list(self.shards.values()))
        session.read_from(lambda name: _part(self.folder, name, self.manifest))
        return session


def read_site(folder: Path) -> BuiltSite:
    """Read a site's settings and index after `verify`; raises `DamagedSiteError` naming the faulty file."""
    manifest = verify(folder)
    names = sorted(manifest.parts)
    shards = {
        name.split(".")[1]: _part(folder, name, manifest) for name in names if name.startswith("index.")
    }
    return BuiltSite(manifest.build, _part(folder, "site.json", manifest), shards, folder, manifest)


def verify(folder: Path) -> payload.Manifest:
    """Return the manifest once every file it lists is there and has its hash; raises `DamagedSiteError`."""
    manifest = read_manifest(folder)
    for url, sha256 in sorted(manifest.files.items()):
        if payload.digest(_read(folder, url)) != sha256:
            raise DamagedSiteError("the file is not the one that was built", _HINT, str(folder / url))
    return manifest


def extra_files(folder: Path, manifest: payload.Manifest) -> list[str]:
    """Return the paths of files in the folder that no build put there."""
    known = {*manifest.files, payload.MANIFEST_JSON, SIGNATURE, *KEPT}
    return sorted(url for url in swap.files_in(folder) if url not in known)


def _read(folder: Path, url: str) -> bytes:
    try:
        return (folder / url).read_bytes()
    except OSError as error:
        raise DamagedSiteError("the file cannot be read", _HINT, str(folder / url)) from error


def read_manifest(folder: Path) -> payload.Manifest:
    """Return the manifest of a site, nothing else checked; raises `DamagedSiteError`."""
    where = str(folder / payload.MANIFEST_JSON)
    if not (folder / payload.MANIFEST_JSON).is_file():
        raise DamagedSiteError(
            "there is no built site here", "run python -m builder, or name the folder of a site", where
        )
    try:
        return payload.Manifest.from_json(_read(folder, payload.MANIFEST_JSON))
    except ValueError as error:
        raise DamagedSiteError(f"the manifest cannot be used: {error}", _HINT, where) from error


def _part(folder: Path, name: str, manifest: payload.Manifest) -> bytes:
    url = f"assets/parts/{name}.gz"
    entry = _entry(folder, name, manifest)
    if entry is None or url not in manifest.files:
        raise DamagedSiteError(f'the site has no part "{name}"', _HINT, str(folder / payload.MANIFEST_JSON))
    reader = zlib.decompressobj(_GZIP)
    try:
        data = reader.decompress(_read(folder, url), entry.size + 1)
    except zlib.error as error:
        raise DamagedSiteError("the file cannot be unpacked", _HINT, str(folder / url)) from error
    if len(data) != entry.size or payload.digest(data) != entry.sha256:
        raise DamagedSiteError("the file does not hold the part the manifest names", _HINT, str(folder / url))
    return data


def _entry(folder: Path, name: str, manifest: payload.Manifest) -> payload.PartEntry | None:
    """Return a part's line in the manifest, or in the listing that all before its last slash names."""
    if name in manifest.parts or "/" not in name:
        return manifest.parts.get(name)
    listing, _, leaf = name.rpartition("/")
    listed = json.loads(_part(folder, listing, manifest))
    return payload.PartEntry.from_json(name, listed[leaf]) if leaf in listed else None
