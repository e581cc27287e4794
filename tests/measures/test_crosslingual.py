"""`python -m bench crosslingual` over sets that are each other's translation word by word."""

from pathlib import Path

import pytest

from bench import crosslingual
from tests.measures import tiny


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for lang in ("en", "fr"):
        tiny.write(tmp_path / f"xquad.{lang}.json")
    return tmp_path


def test_words_that_are_the_same_in_both_languages_find_the_passage(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crosslingual.main(["--data", str(folder), "--pairs", "fr-en"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[:2] for row in rows[1:]] == [["fr-en,", name] for name in (*crosslingual.WEIGHTS, "all")]
    assert rows[-1][2:4] == ["100.0", "100.0"]


def test_sets_that_are_no_translations_are_refused(folder: Path) -> None:
    (folder / "xquad.en.json").write_text('{"data": []}', encoding="utf-8")
    with pytest.raises(SystemExit):
        crosslingual.main(["--data", str(folder), "--pairs", "fr-en"])
