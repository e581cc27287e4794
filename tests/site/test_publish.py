"""`publish` puts a whole, verified copy in place or leaves what was there."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from builder import publish as publishing
from builder.cli import main
from builder.payload import MANIFEST_JSON
from builder.verify import verify


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A folder on a stick, where another build of a site already is."""
    (tmp_path / "stick ñ").mkdir()
    return tmp_path / "stick ñ" / "help"


@pytest.fixture
def older(site: Path, target: Path) -> dict[str, bytes]:
    """Put an older build on the stick and return its content."""
    shutil.copytree(site, target)
    page = target / "en" / "contents.html"
    manifest = (target / MANIFEST_JSON).read_bytes()
    page.write_bytes(page.read_bytes() + b"\n")
    (target / MANIFEST_JSON).write_bytes(manifest)
    return content(target)


def test_a_copy_is_the_site_and_nothing_is_left_beside_it(
    site: Path, target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["publish", str(site), str(target)]) == 0
    assert content(target) == content(site)
    assert list(target.parent.iterdir()) == [target]
    printed = capsys.readouterr().out
    assert "each read back from the disk and right" in printed
    assert "is in place" in printed


def test_an_older_copy_is_replaced_and_the_maintainers_own_files_stay(
    site: Path, target: Path, older: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    (target / ".nojekyll").write_bytes(b"")
    (target / "en" / "._contents.html").unlink(missing_ok=True)
    assert main(["publish", str(site), str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replaced"] is True
    assert content(target) == {**content(site), ".nojekyll": b""}
    assert older != content(target)
    assert list(target.parent.iterdir()) == [target]


def test_a_damaged_site_is_not_copied(
    site: Path, target: Path, older: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "es" / "index.html").unlink()
    assert main(["publish", str(site), str(target)]) == 1
    assert "es/index.html" in capsys.readouterr().err
    assert content(target) == older


def test_a_full_disk_is_told_before_anything_is_written(
    site: Path,
    target: Path,
    older: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=100_000))
    assert main(["publish", str(site), str(target)]) == 4
    assert "room for 0.1 MB" in capsys.readouterr().err
    assert content(target) == older
    assert list(target.parent.iterdir()) == [target]


def test_a_disk_that_gives_back_other_bytes_keeps_the_old_copy(
    site: Path,
    target: Path,
    older: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(publishing, "_copy", forgetful(publishing._copy))
    assert main(["publish", str(site), str(target)]) == 4
    assert 'other bytes than were written, in "en/index.html"' in capsys.readouterr().err
    assert content(target) == older
    assert list(target.parent.iterdir()) == [target]


def forgetful(copy: Callable[[Path, Path], int]) -> Callable[[Path, Path], int]:
    """Return a copy function of a disk that loses the last byte of one page."""

    def lossy(source: Path, to: Path) -> int:
        size = copy(source, to)
        if to.as_posix().endswith("en/index.html"):
            to.write_bytes(to.read_bytes()[:-1])
        return size

    return lossy


def test_a_disk_that_fails_half_way_keeps_the_old_copy(
    site: Path,
    target: Path,
    older: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def vanish(file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(publishing.os, "fsync", vanish)
    assert main(["publish", str(site), str(target)]) == 4
    assert "Input/output error" in capsys.readouterr().err
    assert content(target) == older


@pytest.mark.parametrize("place", ["site", "site/inside", "."])
def test_a_target_that_is_the_site_or_holds_it_or_lies_in_it_is_refused(site: Path, place: str) -> None:
    before = content(site)
    assert main(["publish", str(site), str(site.parent / place)]) == 2
    assert content(site) == before


def test_a_folder_with_other_files_is_refused(site: Path, target: Path) -> None:
    target.mkdir()
    (target / "photo.jpg").write_bytes(b"x")
    assert main(["publish", str(site), str(target)]) == 2
    assert content(target) == {"photo.jpg": b"x"}


def test_the_disk_itself_is_refused_with_a_folder_to_name(
    site: Path, target: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target.mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path == target)
    assert main(["publish", str(site), str(target)]) == 2
    assert "name a folder on it" in capsys.readouterr().err


def test_what_was_published_passes_the_check_of_a_copy(site: Path, target: Path) -> None:
    assert main(["publish", str(site), str(target), "--quiet"]) == 0
    assert verify(target).faults == ()
