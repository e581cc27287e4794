"""Questions as tests: kept in the operator's own file, asked as the site would, only added to."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder import candidates
from builder.cli import main
from builder.questions import load, toml_string

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/refused-questions.schema.json").read_text(encoding="utf-8"))
SETTINGS = '[retrieval]\nscorer = "evidence"\n\n[refusal]\ncontact = "the desk, 555-0142"\n'
POOL = "---\ntitle: Pool\n---\n\nThe pool opens at nine in summer.\n\nA ticket costs $4.\n"
TEXTS = {
    "pool.en.md": POOL,
    "huerto.es.md": "---\ntitle: Huerto\n---\n\nEl huerto cuesta $45 al año.\n",
    "tools.ar.md": "---\ntitle: أدوات\n---\n\nتعير المكتبة أدوات الحديقة لمدة أسبوعين.\n",
}
ASKED = [
    ("does the pool open at nine", "en", "pool-en"),
    ("¿Cuánto cuesta el huerto al año?", "es", "huerto-es"),
    ("هل تعير المكتبة أدوات الحديقة", "ar", "tools-ar"),
]
MINE = (
    "# My own words.\n[[question]]  # the first\nask = 'does the pool open at nine'\ndocument = \"pool-en\"\n"
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "cairn.toml").write_text(SETTINGS, encoding="utf-8")
    return folder


@pytest.fixture
def site(corpus: Path, tmp_path: Path) -> Path:
    assert main([str(corpus), "--out", str(tmp_path / "site"), "--no-engine", "--quiet"]) == 0
    return tmp_path / "site"


def codes(corpus: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    main(["check", str(corpus), "--today", "2026-12-01", "--json"])
    found = json.loads(capsys.readouterr().out)["problems"]
    return [one["code"] for one in found if one["path"] == "questions.toml"]


@pytest.mark.parametrize(("question", "lang", "document"), ASKED, ids=["en", "es", "ar"])
def test_a_saved_question_expects_the_passage_that_came_back(
    corpus: Path, site: Path, capsys: pytest.CaptureFixture[str], question: str, lang: str, document: str
) -> None:
    assert main(["ask", question, "--lang", lang, "--site", str(site), "--save", str(corpus)]) == 0
    (saved,), problems = load(corpus)
    assert problems == []
    assert (saved.ask, saved.lang, saved.expected) == (question, lang, "passage")
    assert saved.target.startswith(f"{document}#")
    assert codes(corpus, capsys) == []


def test_a_saved_refusal_expects_a_refusal(corpus: Path, site: Path) -> None:
    assert (
        main(["ask", "where is the airport", "--lang", "en", "--site", str(site), "--save", str(corpus)]) == 0
    )
    assert load(corpus)[0][0].expected == "refusal"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_stands_in_the_file_is_kept_byte_for_byte(corpus: Path, site: Path, end: str) -> None:
    before = MINE.rstrip().replace("\n", end).encode()
    (corpus / "questions.toml").write_bytes(before)
    main(["ask", "is there a pool ticket", "--lang", "en", "--site", str(site), "--save", str(corpus)])
    after = (corpus / "questions.toml").read_bytes()
    assert after.startswith(before + end.encode() * 2 + b"[[question]]")
    assert after.count(b"\n") == after.count(end.encode())
    assert len(load(corpus)[0]) == 2


def test_a_question_is_saved_once(corpus: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ask", "where is the airport", "--lang", "en", "--site", str(site), "--save", str(corpus)]
    main(words)
    before = (corpus / "questions.toml").read_bytes()
    main(words)
    assert (corpus / "questions.toml").read_bytes() == before
    assert "already" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_not_added_to(
    corpus: Path, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "questions.toml").write_text("[[question]\n", encoding="utf-8")
    words = ["ask", "where is the airport", "--site", str(site), "--save", str(corpus)]
    assert main(words) == 1
    assert "questions.toml:1:" in capsys.readouterr().err
    assert (corpus / "questions.toml").read_text(encoding="utf-8") == "[[question]\n"


def test_an_earlier_anchor_still_names_its_passage(
    corpus: Path, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["ask", "does the pool open at nine", "--lang", "en", "--site", str(site), "--save", str(corpus)])
    (corpus / "pool.en.md").write_text(POOL.replace("nine in", "nine o'clock in"), encoding="utf-8")
    assert codes(corpus, capsys) == []


def test_a_question_that_comes_out_otherwise_fails_the_check(
    corpus: Path, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["ask", "does the pool open at nine", "--lang", "en", "--site", str(site), "--save", str(corpus)])
    text = "---\ntitle: Pool\n---\n\nClosed for good.\n\nA ticket costs $4.\n"
    (corpus / "pool.en.md").write_text(text, encoding="utf-8")
    assert codes(corpus, capsys) in (["E723"], ["E724"], ["E722"])


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read_back_from_the_string_it_is_written_as(text: str) -> None:
    assert tomllib.loads(f"x = {toml_string(text)}")["x"] == text


def export(folder: Path, *questions: Any, **fields: Any) -> Path:
    path = folder / "refused.json"
    value = {"format": 1, "kind": "refused questions", "questions": list(questions)} | fields
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


SWIM = {"words": "can my dog swim", "lang": "en", "count": 3}
MARKET = {"words": "¿Hay mercado?", "lang": "es", "count": 12}
FERRY = {"words": "متى العبّارة", "lang": "ar", "count": 1}


def test_refused_questions_come_in_as_comments_the_most_frequent_first(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "questions.toml").write_text(MINE, encoding="utf-8")
    path = export(tmp_path, SWIM, FERRY, MARKET)
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), SCHEMA)
    assert main(["questions", "import", str(path), str(corpus)]) == 0
    assert "3 candidates added" in capsys.readouterr().out
    text = (corpus / "questions.toml").read_text(encoding="utf-8")
    assert text.startswith(MINE)
    assert [line for line in text.split("\n") if line.startswith("# Refused")] == [
        f"# Refused {times}. Say what is expected, then take the signs # away."
        for times in ("12 times", "3 times", "once")
    ]
    assert len(load(corpus)[0]) == 1
    opened = text[: len(MINE)] + "\n".join(
        line.removeprefix("# ") for line in text[len(MINE) :].split("\n") if not line.startswith("# Refused")
    )
    (corpus / "questions.toml").write_text(opened, encoding="utf-8")
    found, problems = load(corpus)
    assert problems == []
    assert [one.ask for one in found[1:]] == [MARKET["words"], SWIM["words"], FERRY["words"]]


def test_a_candidate_is_added_once_and_never_beside_its_question(corpus: Path, tmp_path: Path) -> None:
    known = {"words": "does the pool open at nine", "lang": "en", "count": 2}
    (corpus / "questions.toml").write_text(
        MINE.replace("document", 'lang = "en"\ndocument'), encoding="utf-8"
    )
    refused = candidates.load(export(tmp_path, SWIM, known, SWIM))
    assert candidates.add(corpus, refused) == 1
    before = (corpus / "questions.toml").read_bytes()
    assert candidates.add(corpus, refused) == 0
    assert (corpus / "questions.toml").read_bytes() == before


WRONG = {
    "another format": ((), {"format": 2}),
    "another kind": ((), {"kind": "visits"}),
    "no list": ((), {"questions": {}}),
    "a time of day": ((SWIM | {"at": "2026-12-01T10:00"},), {}),
    "no count": (({"words": "x", "lang": "en"},), {}),
    "a count of none": ((SWIM | {"count": 0},), {}),
    "a count that is no number": ((SWIM | {"count": True},), {}),
    "words of two lines": ((SWIM | {"words": "a\n[[question]]"},), {}),
    "a hidden direction": ((SWIM | {"words": "a\u202eb"},), {}),
    "no words": ((SWIM | {"words": " "},), {}),
    "no language": ((SWIM | {"lang": "english"},), {}),
}


@pytest.mark.parametrize(("questions", "fields"), WRONG.values(), ids=list(WRONG))
def test_an_export_with_anything_else_in_it_is_refused(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    questions: tuple[Any, ...],
    fields: dict[str, Any],
) -> None:
    path = export(tmp_path, *questions, **fields)
    assert main(["questions", "import", str(path), str(corpus)]) == 1
    assert "refused.json" in capsys.readouterr().err
    assert not (corpus / "questions.toml").exists()


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"null"])
def test_a_file_that_is_no_export_is_told(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    (tmp_path / "refused.json").write_bytes(data)
    assert main(["questions", "import", str(tmp_path / "refused.json"), str(corpus)]) == 1
    assert "refused.json" in capsys.readouterr().err
