"""Whole builds: what is written, that it is always the same, and what happens when it cannot be written."""

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builder.cli import main
from builder.payload import URL, Manifest
from builder.readsite import extra_files, verify

ROOT = Path(__file__).resolve().parents[2]


def snapshot(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


def build(corpus: Path, out: Path, *words: str) -> int:
    return main([str(corpus), "--out", str(out), "--no-engine", *words])


def command(corpus: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "builder", str(corpus), "--out", str(out), "--no-engine"]


def test_every_file_is_in_the_manifest_with_its_hash_and_has_a_portable_name(site: Path) -> None:
    manifest = verify(site)
    assert extra_files(site, manifest) == []
    assert all(URL.fullmatch(url) for url in snapshot(site))


@pytest.mark.parametrize("name", ["x" * 62, "y" * 200, "Ünïcode Name (2)", "مستند", "CON"], ids=ascii)
def test_a_document_of_any_name_gets_a_portable_one(corpus: Path, tmp_path: Path, name: str) -> None:
    (corpus / f"{name}.en.md").write_text("---\ntitle: Any\n---\n\nSome words.\n", encoding="utf-8")
    assert build(corpus, tmp_path / "site", "--quiet") == 0
    assert all(URL.fullmatch(url) for url in snapshot(tmp_path / "site"))


def test_two_documents_whose_names_differ_in_case_only_are_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "Opening-Hours.en.md").write_text("---\ntitle: Any\n---\n\nSome words.\n", encoding="utf-8")
    assert build(corpus, tmp_path / "site") == 1
    assert "Opening-Hours.en.md" in capsys.readouterr().err


def test_real_documents_are_not_published_with_the_contact_of_the_demonstration(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "cairn.toml").unlink()
    assert build(corpus, tmp_path / "site") == 1
    assert "cairn.toml:1:1 E109" in capsys.readouterr().err
    for document in corpus.iterdir():
        text = document.read_text(encoding="utf-8")
        document.write_text(text.replace("---\n", "---\nsynthetic: true\n", 1), encoding="utf-8")
    assert build(corpus, tmp_path / "site", "--quiet") == 0


def test_every_page_and_every_part_carries_the_build_id(site: Path) -> None:
    manifest = verify(site)
    pages = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    assert len(pages) == 16
    assert all(page.count(f'data-build="{manifest.build}"') == 1 for page in pages)
    assert f'"build":"{manifest.build}"' in (site / "assets" / "manifest.js").read_text(encoding="utf-8")


def test_modes_of_files_do_not_depend_on_the_umask(corpus: Path, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert build(corpus, tmp_path / "site", "--quiet") == 0
    finally:
        os.umask(before)
    modes = {
        (path.is_dir(), path.stat().st_mode & 0o777)
        for path in [tmp_path / "site", *(tmp_path / "site").rglob("*")]
    }
    assert modes == {(True, 0o755), (False, 0o644)}


@pytest.mark.slow
def test_two_builds_give_the_same_bytes_wherever_and_by_whomever(corpus: Path, tmp_path: Path) -> None:
    surroundings = [
        {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "LC_ALL": "C"},
        {"TZ": "America/Los_Angeles", "PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1"},
    ]
    sites = []
    for number, surrounding in enumerate(surroundings):
        home = tmp_path / f"home {number}"
        shutil.copytree(corpus, home / "texts")
        subprocess.run(
            command(home / "texts", home / "out"), env=os.environ | surrounding, check=True, cwd=ROOT
        )
        sites.append(snapshot(home / "out"))
    assert sites[0] == sites[1]


def test_output_grows_with_the_documents_and_not_faster(corpus: Path, tmp_path: Path) -> None:
    sizes = []
    for first in (0, 40, 80):
        for number in range(first, first + 40):
            text = f"---\ntitle: Sheet {number}\n---\n\nSheet {number} says a few words.\n"
            (corpus / f"sheet-{number:02}.en.md").write_text(text, encoding="utf-8")
        assert build(corpus, tmp_path / "site", "--quiet") == 0
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "site").rglob("*.html")))
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.02)


def test_building_again_gives_the_same_bytes(corpus: Path, site: Path) -> None:
    before = snapshot(site)
    assert build(corpus, site, "--quiet") == 0
    assert snapshot(site) == before


def test_a_changed_word_changes_the_build_id_and_only_the_files_that_hold_it(
    corpus: Path, site: Path
) -> None:
    before = verify(site)
    document = corpus / "opening-hours.en.md"
    document.write_text(document.read_text(encoding="utf-8").replace("17:00", "18:00"), encoding="utf-8")
    assert build(corpus, site, "--quiet") == 0
    after = verify(site)
    assert after.build != before.build
    assert after.parts.keys() == before.parts.keys()


def test_a_corpus_with_errors_leaves_the_old_site(corpus: Path, site: Path) -> None:
    before = snapshot(site)
    (corpus / "broken.en.md").write_text("no front matter", encoding="utf-8")
    assert build(corpus, site) == 1
    assert snapshot(site) == before
    assert {path.name for path in site.parent.iterdir()} == {"corpus", "site"}


@pytest.mark.slow
def test_of_many_builds_at_once_one_wins_and_the_others_say_so(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    running = [subprocess.Popen(command(corpus, out), stderr=subprocess.PIPE, cwd=ROOT) for _ in range(6)]
    ended = [(process.communicate()[1], process.returncode) for process in running]
    assert {code for _, code in ended} <= {0, 3}
    assert 0 in {code for _, code in ended}
    assert all(b"another build" in error for error, code in ended if code == 3)
    assert extra_files(out, verify(out)) == []
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", "site"}


@pytest.mark.parametrize("kind", ["file", "foreign folder"])
def test_what_no_build_wrote_is_not_replaced(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    else:
        out.mkdir()
        (out / "thesis.txt").write_text("mine")
    assert build(corpus, out) == 2
    assert (out if kind == "file" else out / "thesis.txt").read_text() == "mine"
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_without_permission_is_one_sentence(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o555)
    run = subprocess.run(
        command(corpus, tmp_path / "locked" / "site"), capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (run.returncode, run.stderr.count("\n")) == (4, 2)
    assert "no permission" in run.stderr


def test_a_disk_that_takes_no_more_is_one_sentence_and_leaves_the_old_site(corpus: Path, site: Path) -> None:
    before = snapshot(site)

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    run = subprocess.run(
        command(corpus, site), capture_output=True, text=True, check=False, cwd=ROOT, preexec_fn=small_disk
    )
    assert run.returncode == 4
    assert run.stderr.count("\n") == 2
    assert "Traceback" not in run.stderr
    assert snapshot(site) == before
    assert {path.name for path in site.parent.iterdir()} == {"corpus", "site"}


def test_the_json_report_is_one_line_of_canonical_json(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(corpus, tmp_path / "site", "--json") == 0
    out = capsys.readouterr().out
    report = json.loads(out)
    assert out == json.dumps(report, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"
    assert {key: type(value).__name__ for key, value in report.items()} == {
        "boot": "str",
        "build": "str",
        "bytes": "dict",
        "documents": "int",
        "format": "int",
        "interface": "dict",
        "note": "str",
        "ok": "bool",
        "out": "str",
        "pages": "int",
        "passages": "dict",
        "problems": "list",
        "reused": "int",
        "seconds": "float",
    }
    assert report["passages"] == {"ar": 1, "en": 2, "es": 1}
    files = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert report["bytes"]["site"] == sum(path.stat().st_size for path in files)


def test_a_failed_build_reports_its_problems_in_json(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "broken.en.md").write_text("no front matter", encoding="utf-8")
    assert build(corpus, corpus.parent / "site", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert [problem["code"] for problem in report["problems"]] == ["E201"]


def test_a_manifest_in_the_site_reads_back(site: Path) -> None:
    manifest = Manifest.from_json((site / "assets" / "manifest.json").read_bytes())
    assert set(manifest.parts) == {"site.json", "index.ar.json", "index.en.json", "index.es.json"}
