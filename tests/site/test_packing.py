"""Siblings for hosts that send packed files: what they unpack to, and what they weigh."""

import gzip
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest

from builder import packing
from builder.cli import main
from builder.payload import Asset
from builder.project import load_project
from builder.readsite import read_manifest
from builder.site import Options, build
from builder.verify import verify

ROOT = Path(__file__).resolve().parents[2]
UNPACK: dict[str, Callable[[bytes], bytes]] = {".br": brotli.decompress, ".gz": gzip.decompress}
SNAPSHOT_BYTES = 4_300_000
BYTECODE_BYTES = 3_400_000
SITE_BYTES = 22_000_000


@pytest.fixture
def packed_site(corpus: Path, tmp_path: Path) -> Path:
    assert main([str(corpus), "--out", str(tmp_path / "s"), "--no-engine", "--quiet", "--precompress"]) == 0
    return tmp_path / "s"


def sibling_files(site: Path) -> list[Path]:
    return sorted(path for path in site.rglob("*") if path.with_suffix("").is_file())


def whole(path: Path) -> bytes:
    """Return what a page has in the end of a file and of every sibling of it."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.parent.name == "parts" and path.suffix == ".gz" else data


def test_a_sibling_unpacks_to_the_file_beside_it_and_is_smaller(packed_site: Path) -> None:
    found = sibling_files(packed_site)
    assert {path.with_suffix("").suffix for path in found} >= {".html", ".css", ".js", ".gz"}
    for path in found:
        assert UNPACK[path.suffix](path.read_bytes()) == whole(path.with_suffix("")), path
        assert path.stat().st_size < path.with_suffix("").stat().st_size


def test_siblings_are_verified_and_copied_as_every_file_is(packed_site: Path, tmp_path: Path) -> None:
    assert verify(packed_site).faults == ()
    sibling = packed_site / "en" / "index.html.br"
    assert main(["publish", str(packed_site), str(tmp_path / "copy"), "--quiet"]) == 0
    assert (tmp_path / "copy" / "en" / "index.html.br").read_bytes() == sibling.read_bytes()
    sibling.write_bytes(b"")
    assert [fault.path for fault in verify(packed_site).faults] == ["en/index.html.br"]


def test_siblings_are_the_same_from_two_builds_and_only_made_when_asked_for(
    packed_site: Path, corpus: Path, tmp_path: Path
) -> None:
    words = ["--no-engine", "--quiet"]
    assert main([str(corpus), "--out", str(tmp_path / "again"), *words, "--precompress"]) == 0
    assert main([str(corpus), "--out", str(tmp_path / "plain"), *words]) == 0
    assert read_manifest(tmp_path / "again") == read_manifest(packed_site)
    assert sibling_files(tmp_path / "plain") == []


def test_what_only_a_folder_needs_has_no_sibling(tmp_path: Path) -> None:
    script = Asset("assets/parts/a.json.js", b"cairn.put()" * 100)
    assert list(packing.siblings(script, tmp_path)) == []


def test_a_damaged_entry_of_the_cache_is_made_anew(tmp_path: Path) -> None:
    data = b"one line of many\n" * 5_000
    made = packing.packed(data, "br", tmp_path)
    (kept,) = (tmp_path / "brotli").iterdir()
    kept.write_bytes(made[:-5])
    assert packing.packed(data, "br", tmp_path) == made == kept.read_bytes()


@pytest.mark.slow
def test_the_engine_and_the_demonstration_weigh_no_more_than_promised(tmp_path: Path) -> None:
    options = Options(ROOT / ".cache", precompress=True)
    report = build(load_project(ROOT / "corpus" / "demo"), tmp_path / "site", options)
    parts = tmp_path / "site" / "assets" / "parts"
    wire = {
        path.name.removesuffix(".gz.br"): path.stat().st_size
        for path in parts.glob("*.gz.br")
        if not path.name.startswith(("index.", "site."))
    }
    library = gzip.decompress((parts / "stdlib.zip.gz").read_bytes())
    bytecode = len(packing.packed(library, "br", ROOT / ".cache"))
    assert sum(wire.values()) <= SNAPSHOT_BYTES
    assert sum(wire.values()) - wire["snapshot.bin"] + bytecode <= BYTECODE_BYTES
    assert report.site_bytes <= SITE_BYTES
