"""Answers from a built site on the command line: the words, the reasons, and damage found first."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.cli import main
from builder.readsite import read_site

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "When is the desk open on Saturday?"
OFF_TOPIC = "How do I train a parrot?"
ARABIC = "متى يفتح المكتب؟"

Golden = Callable[[str, str], None]


def asked(capsys: pytest.CaptureFixture[str], site: Path, *words: str) -> str:
    assert main(["ask", "--site", str(site), *words]) == 0
    return capsys.readouterr().out


def test_an_answer_is_the_passage_with_its_source(
    site: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    golden("site/ask.txt", asked(capsys, site, QUESTION))


def test_an_explanation_follows_the_same_answer(
    site: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    plain = asked(capsys, site, QUESTION)
    explained = asked(capsys, site, QUESTION, "--explain")
    assert explained.startswith(plain)
    golden("site/explain.txt", explained)


def test_a_refusal_names_the_contact_and_every_attempt(
    site: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    golden("site/explain-refusal.txt", asked(capsys, site, OFF_TOPIC, "--explain"))


def test_ids_stay_in_order_beside_arabic(
    site: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    out = asked(capsys, site, ARABIC, "--explain")
    assert "\u2068[opening-hours-ar#1]\u2069" in out
    golden("site/explain-arabic.txt", out)


def test_json_is_what_the_page_receives(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = read_site(site).session()
    request = json.dumps({"question": QUESTION, "lang": None, "interface": None})
    assert asked(capsys, site, QUESTION, "--json") == session.ask(request) + "\n"


def test_requests_are_answered_line_by_line(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = [{"question": text, "lang": None, "interface": "es"} for text in (QUESTION, OFF_TOPIC)]
    (tmp_path / "requests").write_text(
        "".join(f"{json.dumps(one)}\n\n" for one in requests), encoding="utf-8"
    )
    lines = asked(capsys, site, "--requests", str(tmp_path / "requests")).splitlines()
    assert [json.loads(line)["answer"]["kind"] for line in lines] == ["grounded", "refusal"]


def test_a_language_the_site_does_not_know_is_an_error(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", QUESTION, "--site", str(site), "--lang", "xx"]) == 1
    assert '"xx"' in capsys.readouterr().err
    assert main(["ask", QUESTION, "--site", str(site), "--lang", "xx", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "language"


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


DAMAGES: dict[str, Callable[[Path], None]] = {
    "a flipped bit": flip,
    "a cut": cut,
    "an empty file": lambda path: path.write_bytes(b""),  # type: ignore[dict-item, return-value]
    "a missing file": Path.unlink,
    "a folder": lambda path: (path.unlink(), path.mkdir())[1],
}


@pytest.mark.parametrize(
    "name", ["assets/parts/index.en.json.gz", "assets/parts/site.json.gz", "en/opening-hours.html"]
)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_damaged_file_is_named_and_nothing_is_answered(
    site: Path, capsys: pytest.CaptureFixture[str], name: str, damage: Callable[[Path], None]
) -> None:
    damage(site / name)
    assert main(["ask", QUESTION, "--site", str(site)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{site / name}: ")


def test_shards_that_changed_places_are_noticed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (site / "assets" / "parts" / f"index.{lang}.json.gz" for lang in ("en", "es"))
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert main(["ask", QUESTION, "--site", str(site)]) == 1
    assert "index.en.json.gz" in capsys.readouterr().err


def test_a_part_the_manifest_was_edited_for_is_noticed(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = site / "assets" / "manifest.json"
    value = json.loads(manifest.read_bytes())
    value["parts"]["index.en.json"]["size"] -= 1
    manifest.write_text(json.dumps(value), encoding="utf-8")
    assert main(["ask", QUESTION, "--site", str(site)]) == 1
    assert "index.en.json.gz" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, '{"format":2}', "{}"])
def test_a_damaged_manifest_is_one_sentence(
    site: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (site / "assets" / "manifest.json").write_text(text)
    assert main(["ask", QUESTION, "--site", str(site)]) == 1
    assert "manifest.json: " in capsys.readouterr().err


def test_a_folder_without_a_site_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", QUESTION, "--site", str(tmp_path)]) == 1
    assert "there is no built site here" in capsys.readouterr().err


def test_a_question_or_a_file_of_requests_is_needed(site: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["ask", "--site", str(site)])
    assert stopped.value.code == 2


@pytest.mark.parametrize("question", ["", "   ", "\0\x1b[31m", "\ud800", "?" * 100_000], ids=ascii)
def test_any_question_gets_an_answer_or_a_refusal(
    site: Path, capsys: pytest.CaptureFixture[str], question: str
) -> None:
    assert "\x1b" not in asked(capsys, site, question, "--explain")


def run(site: Path, *words: str, **surroundings: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "builder", "ask", ARABIC, "--site", str(site), *words]
    return subprocess.run(command, capture_output=True, check=False, cwd=ROOT, env=os.environ | surroundings)


def test_a_terminal_that_knows_ascii_only_gets_escapes(site: Path) -> None:
    ended = run(site, "--explain", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert rb"\u0645" in ended.stdout


def test_a_reader_that_stops_reading_is_no_error(site: Path) -> None:
    command = [sys.executable, "-m", "builder", "ask", ARABIC, "--site", str(site), "--explain"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_literal_question_is_searched_as_it_was_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "cairn.toml").write_text(
        '[retrieval]\nscorer = "evidence"\n[refusal]\ncontact = "desk 3, 555-0199"\n', encoding="utf-8"
    )
    text = "---\ntitle: Herons\n---\n\nThe heron nests in the reeds beside the harbour.\n"
    (corpus / "herons.en.md").write_text(text, encoding="utf-8")
    assert main([str(corpus), "--out", str(tmp_path / "site"), "--no-engine"]) == 0
    capsys.readouterr()
    typo = "what nests in the reeds beside the habrour"
    assert "habrour" in asked(capsys, tmp_path / "site", typo)
    assert "habrour" not in asked(capsys, tmp_path / "site", typo, "--literal")
    as_json = [
        json.loads(asked(capsys, tmp_path / "site", typo, "--json", *word)) for word in ((), ("--literal",))
    ]
    assert [bool(one["corrections"]) for one in as_json] == [True, False]
