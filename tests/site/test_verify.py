"""`verify` names every file that is not as it was built, and how it differs."""

import json
from pathlib import Path

import pytest

from builder.cli import main
from builder.verify import verify

PAGE = "en/opening-hours.html"


def faults(site: Path) -> list[tuple[str, str]]:
    return [(fault.kind, fault.path) for fault in verify(site).faults]


def all_files(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())


def test_a_site_as_it_was_built_has_no_faults(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(built)]) == 0
    files = len(all_files(built))
    assert f"is complete and unchanged: {files} files" in capsys.readouterr().out


def test_every_fault_is_named_with_its_kind_and_the_exit_code_is_1(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "ar" / "contents.html").unlink()
    page = (site / PAGE).read_bytes()
    (site / PAGE).write_bytes(page.replace(b"9:00", b"8:00"))
    styles = site / "assets" / "cairn.css"
    styles.write_bytes(styles.read_bytes().replace(b"\n", b"\r\n"))
    (site / "en" / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["verify", str(site)]) == 1
    assert capsys.readouterr().out.splitlines()[:-1] == [
        "missing       ar/contents.html",
        f"changed       {PAGE}",
        "line endings  assets/cairn.css",
        "extra         en/notes.txt",
    ]


def test_the_faults_in_json_are_those_in_words(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / PAGE).write_bytes(b"")
    assert main(["verify", str(site), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["faults"]) == (False, [{"kind": "changed", "path": PAGE}])


def test_one_bit_of_any_file_is_noticed(site: Path) -> None:
    for name in all_files(site):
        data = (site / name).read_bytes()
        changed = bytearray(data)
        changed[len(data) // 2] ^= 1
        (site / name).write_bytes(bytes(changed))
        if name != "assets/manifest.json":
            assert faults(site) == [("changed", name)]
        else:
            assert main(["verify", str(site), "--quiet"]) == 1
        (site / name).write_bytes(data)
    assert faults(site) == []


@pytest.mark.parametrize("old", [b'"size":', b'"build":"', b'"pyodide":"'])
def test_a_manifest_that_was_edited_is_noticed(old: bytes, site: Path) -> None:
    path = site / "assets" / "manifest.json"
    before, _, after = path.read_bytes().partition(old)
    digit = b"1" if after[:1] != b"1" else b"2"
    path.write_bytes(before + old + digit + after[1:])
    assert main(["verify", str(site), "--quiet"]) == 1


def test_a_manifest_with_other_line_endings_is_named_as_such(site: Path) -> None:
    path = site / "assets" / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert faults(site) == [("line endings", "assets/manifest.json")]


def test_without_a_manifest_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path)]) == 1
    assert "there is no built site here" in capsys.readouterr().err


@pytest.mark.parametrize("name", [".DS_Store", "Thumbs.db", "en/._index.html", "README.md", ".nojekyll"])
def test_what_file_browsers_and_maintainers_leave_is_no_fault(name: str, site: Path) -> None:
    (site / name).write_bytes(b"x")
    assert faults(site) == []
