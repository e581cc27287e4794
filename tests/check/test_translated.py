"""A translation is recorded by one command, and is old from the first change of its source."""

import json
from pathlib import Path

import pytest

from builder.cli import main

FILES = {
    "cairn.toml": '[refusal]\ncontact = "the desk, 555-0142"\n',
    "pool.en.md": "---\ntitle: Pool\n---\n\nThe pool opens at nine in summer.\n",
    "pool.es.md": "---\ntitle: Piscina\n---\n\nLa piscina abre a las nueve en verano.\n",
    "pool.ar.md": "---\ntitle: المسبح\n---\n\nيفتح المسبح في التاسعة صيفا.\n",
    "market.es.md": "---\ntitle: Mercado\n---\n\nEl mercado abre el sábado.\n",
    "market.ar.md": "---\ntitle: السوق\n---\n\nيفتح السوق يوم السبت.\n",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def stale(corpus: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    main(["check", str(corpus), "--today", "2026-12-01", "--json"])
    return [one["path"] for one in json.loads(capsys.readouterr().out)["problems"] if one["code"] == "W605"]


@pytest.mark.parametrize("lang", ["es", "ar"])
@pytest.mark.parametrize("name", ["pool", "pool-en", "pool.es.md"])
def test_a_recorded_translation_is_old_once_its_source_changes(
    corpus: Path, capsys: pytest.CaptureFixture[str], name: str, lang: str
) -> None:
    assert main(["translated", name, lang, str(corpus)]) == 0
    assert capsys.readouterr().out == f"pool.{lang}.md is recorded as made from pool.en.md\n"
    assert stale(corpus, capsys) == []
    english = FILES["pool.en.md"].replace("nine", "ten")
    (corpus / "pool.en.md").write_text(english, encoding="utf-8")
    assert stale(corpus, capsys) == [f"pool.{lang}.md"]
    assert main(["translated", name, lang, str(corpus)]) == 0
    assert stale(corpus, capsys) == []


def test_recording_again_changes_nothing(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["translated", "pool", "es", str(corpus)])
    record = corpus / "cairn.translations.json"
    before = record.read_bytes()
    main(["translated", "pool", "es", str(corpus)])
    assert capsys.readouterr().out.endswith("pool.en.md, as before\n")
    assert record.read_bytes() == before


def test_the_other_translations_keep_their_records(corpus: Path) -> None:
    main(["translated", "pool", "es", str(corpus)])
    main(["translated", "market", "ar", str(corpus), "--from", "es"])
    families = json.loads((corpus / "cairn.translations.json").read_text(encoding="utf-8"))["families"]
    assert {name: list(made) for name, made in families.items()} == {"pool": ["es"], "market": ["ar"]}
    assert families["market"]["ar"]["source"] == "es"


WRONG = {
    "no such document": (["pol", "es"], "did you mean 'pool'?"),
    "no such language": (["pool", "fr"], "its languages are ar, en, es"),
    "the source itself": (["pool", "en"], "name the language it was translated into"),
    "no document in the site's language": (["market", "ar"], "--from es"),
}


@pytest.mark.parametrize(("words", "hint"), WRONG.values(), ids=list(WRONG))
def test_what_cannot_be_recorded_is_told_with_what_to_do(
    corpus: Path, capsys: pytest.CaptureFixture[str], words: list[str], hint: str
) -> None:
    assert main(["translated", *words, str(corpus)]) == 1
    assert hint in capsys.readouterr().err
    assert not (corpus / "cairn.translations.json").exists()


def test_a_damaged_record_is_not_written_over(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "cairn.translations.json").write_text("{", encoding="utf-8")
    assert main(["translated", "pool", "es", str(corpus)]) == 1
    assert "E604" in capsys.readouterr().err
    assert (corpus / "cairn.translations.json").read_text(encoding="utf-8") == "{"
