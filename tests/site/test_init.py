"""`python -m builder init`: an example that builds, answers and calibrates before anything is changed."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from builder import scaffold
from builder.cli import main
from builder.project import FILE_NAME, PROBES_NAME, SECTIONS

PORTABLE = re.compile(r"[a-z0-9-]+(\.[a-z]{2})?\.(md|toml)|README\.md")
QUESTIONS = {
    "en": ("who can hire the hall", "Anyone who lives in the district can hire the hall."),
    "es": ("¿Cuánto cuesta la sala por un día entero?", "por medio día y por un día entero"),
}


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "mine"
    assert main(["init", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the example, for tests that only ask it."""
    folder = tmp_path_factory.mktemp("init")
    scaffold.init(folder / "mine")
    assert main([str(folder / "mine"), "--out", str(folder / "site"), "--no-engine", "--quiet"]) == 0
    return folder / "site"


def test_the_files_are_listed_with_the_command_that_builds_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    assert main(["init", str(folder)]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed[:-1] == [str(path) for path in sorted(folder.iterdir())]
    assert listed[-1].endswith(f"python -m builder {folder}")


def test_the_names_of_its_files_are_portable(fresh: Path) -> None:
    assert [path.name for path in fresh.iterdir() if not PORTABLE.fullmatch(path.name)] == []


@pytest.mark.parametrize("lang", QUESTIONS)
def test_it_builds_at_once_and_answers(site: Path, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    question, answer = QUESTIONS[lang]
    assert main(["ask", question, "--site", str(site)]) == 0
    assert answer in capsys.readouterr().out


@pytest.mark.parametrize(
    "question",
    ["Where do I get a fishing licence?", "¿Dónde saco una licencia de pesca?", "أين أستخرج رخصة صيد؟"],
)
def test_it_refuses_with_a_contact_that_nobody_could_call(
    site: Path, question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", question, "--site", str(site)]) == 0
    contact = capsys.readouterr().out.rpartition("[")[2]
    assert contact.rstrip().endswith("]")
    assert not re.search(r"\d", contact)


def test_it_builds_without_a_warning_and_calibrates(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(fresh.parent / "site")
    assert main([str(fresh), "--out", out, "--no-engine", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["calibrate", str(fresh), "--out", out]) == 0
    shown = capsys.readouterr().out
    assert re.findall(r"(?m)^(\w\w)  threshold", shown) == ["en", "es"]


def test_a_folder_that_is_not_empty_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".hidden").write_text("mine", encoding="utf-8")
    assert main(["init", str(tmp_path)]) == 2
    assert "is not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path)]) == 0
    assert (tmp_path / FILE_NAME).is_file()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["init", str(tmp_path / "file" / "mine")]) == 4
    assert "cannot be written" in capsys.readouterr().err


def test_a_real_document_stops_the_build_until_the_contact_is_real(
    fresh: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rent = "---\ntitle: Rent\n---\n\nThe rent is due on May 3, 2027.\n"
    (fresh / "rent.en.md").write_text(rent, encoding="utf-8")
    words = [str(fresh), "--out", str(fresh.parent / "site"), "--no-engine", "--quiet"]
    assert main(words) == 1
    assert "cairn.toml:1:1 E108" in capsys.readouterr().err
    config = fresh / FILE_NAME
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub(r'(?m)"\[(.*)\]"$', '"the rent desk, 555-0142"', text), encoding="utf-8")
    assert main(words) == 0


def keys(table: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        yield f"{prefix}{key}"
        if isinstance(value, dict):
            yield from keys(value, f"{prefix}{key}.")


def test_every_setting_stands_in_its_settings_file_and_is_taken_when_uncommented() -> None:
    text = (scaffold.EXAMPLE / FILE_NAME).read_text(encoding="utf-8")
    active = re.sub(r"(?m)^# (?=\[|\w[\w.]* = )", "", text)
    found = set(keys(tomllib.loads(active)))
    assert {f"{name}.{key}" for name, names in SECTIONS.items() for key in names} <= found


def test_its_probes_are_by_language_and_of_both_kinds() -> None:
    probes = tomllib.loads((scaffold.EXAMPLE / PROBES_NAME).read_text(encoding="utf-8"))
    assert set(probes) == {"en", "es"}
    assert all(table["answer"] and table["refuse"] for table in probes.values())
