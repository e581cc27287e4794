"""The command `check`: what it prints in each format, what it returns, and that it writes nothing."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from builder.cli import main
from builder.lint.formats import github
from builder.lint.rules import Report
from builder.problems import CODES, Problem

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/check.schema.json").read_text(encoding="utf-8"))
FILES = {
    "cairn.toml": '[refusal.contact_by_language]\nen = "the desk, 555-0142"\nes = "la mesa, 555-0142"\n'
    'ar = "المكتب، 555-0142"\n',
    "hours.en.md": "---\ntitle: When do we open?\nreviewed: 2026-03-01\n---\n\nThe desk opens at 9:30.\n",
    "hours.es.md": "---\ntitle: Horario\nreviewed: 2026-03-01\n---\n\nAbre a las 8:30 de lunes a viernes.\n",
    "hours.ar.md": "---\ntitle: ساعات العمل\n---\n\nيفتح المكتب في الساعة ٩:٣٠ أيام العمل.\n",
}
BROKEN = "---\ntitle: Parking\ncolour: red\n---\n\nSee [the map](map.md).\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def run(corpus: Path, *words: str) -> int:
    return main(["check", str(corpus), "--today", "2026-12-01", *words])


def test_errors_stand_apart_from_warnings_each_with_its_hint(
    corpus: Path, capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    (corpus / "parking.en.md").write_text(BROKEN, encoding="utf-8")
    (corpus / "link.en.md").write_text(BROKEN.replace("colour: red\n", ""), encoding="utf-8")
    assert run(corpus) == 1
    golden("check/text.txt", capsys.readouterr().out.replace(str(corpus), "CORPUS"))


def test_warnings_alone_are_no_failure_unless_asked_for(corpus: Path) -> None:
    assert run(corpus) == 0
    assert run(corpus, "--strict") == 1


def test_a_corpus_without_a_fault_is_told_in_one_line(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(corpus / "hours.en.md", "When do we open?", "Opening hours")
    edit(corpus / "hours.es.md", "8:30", "9:30")
    assert run(corpus, "--strict") == 0
    assert capsys.readouterr().out == "3 documents, 3 passages: 0 errors, 0 warnings\n"


@pytest.mark.parametrize("broken", [False, True])
def test_the_json_report_is_what_the_published_schema_says(
    corpus: Path, capsys: pytest.CaptureFixture[str], broken: bool
) -> None:
    if broken:
        (corpus / "parking.en.md").write_text(BROKEN, encoding="utf-8")
    assert run(corpus, "--json") == int(broken)
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    assert report["ok"] is not broken
    assert report["asked"] is not broken
    assert report["warnings"] == sum(one["severity"] == "warning" for one in report["problems"]) > 0


def test_the_schema_refuses_a_report_without_a_line() -> None:
    wrong = Problem("a.md", 1, 1, "E201", "x", "y").to_json() | {"meaning": "z"}
    del wrong["line"]
    report = {"format": 1, "ok": False, "corpus": "c", "documents": 1, "passages": 1, "asked": False}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report | {"errors": 1, "warnings": 0, "problems": [wrong]}, SCHEMA)


def test_json_and_the_json_format_are_the_same(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(corpus, "--json")
    first = capsys.readouterr().out
    run(corpus, "--format", "json")
    assert capsys.readouterr().out == first


def test_annotations_name_the_file_from_where_the_check_was_started(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus.parent)
    assert main(["check", corpus.name, "--today", "2026-12-01", "--format", "github"]) == 0
    first = capsys.readouterr().out.split("\n")[0]
    assert first.startswith(
        f"::warning file={corpus.name}/hours.en.md,line=2,col=1,title=W233 {CODES['W233']}::The title"
    )


def test_an_annotation_is_one_line_whatever_it_says() -> None:
    problem = Problem("a,b:c.md", 2, 3, "E501", 'The link "50%\n" leads\r nowhere.', "do")
    (line,) = github(Report(Path("corpus"), 1, 1, True, (problem,)))
    assert line == (
        "::error file=a%2Cb%3Ac.md,line=2,col=3,title=E501 link to nowhere::"
        'The link "50%25%0A" leads%0D nowhere.%0Ado'
    )


def test_a_review_is_as_old_as_the_day_given_says(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(corpus / "cairn.toml", "[refusal", "[corpus]\nmax_age_days = 30\n\n[refusal")
    edit(corpus / "hours.ar.md", "---\n\n", "reviewed: 2026-03-01\n---\n\n")
    main(["check", str(corpus), "--today", "2026-03-31"])
    assert "W231" not in capsys.readouterr().out
    main(["check", str(corpus), "--today", "2026-04-01"])
    out = capsys.readouterr().out
    assert out.count("W231") == 3
    assert "is 31 days ago, more than 30" in out


def test_a_check_writes_nothing(corpus: Path) -> None:
    def files() -> dict[str, tuple[bytes, int]]:
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in corpus.iterdir()}

    before = files()
    run(corpus)
    assert files() == before


WRONG = [["--today", "2026-02-30"], ["--format", "xml"], ["--json", "--format", "github"]]


@pytest.mark.parametrize("words", WRONG)
def test_wrong_usage_gives_exit_code_2(corpus: Path, words: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["check", str(corpus), *words])
    assert left.value.code == 2


CORPORA = ["demo", pytest.param("showcase", marks=pytest.mark.slow)]


@pytest.mark.parametrize("name", CORPORA)
def test_the_corpora_of_the_project_have_no_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(ROOT / "corpus" / name), "--today", "2026-12-01"]) == 0, capsys.readouterr().out
