"""The near-miss model is fitted the same way twice, and the shipped file says what it was fitted on."""

import json
import re
from pathlib import Path

import pytest

from bench import near_miss, retrieval
from builder import near_miss as of_builder
from cairn_core.nearmiss import FORMAT, TRAITS, NearMiss

ROOT = Path(__file__).resolve().parents[2]


TOPICS = ("ferry", "chapel", "orchard", "quarry", "lighthouse", "tannery")
ASPECTS = ("nine decks", "two bells", "an old keeper", "a copper roof", "green doors")


def write(path: Path, town: str) -> None:
    """Write articles whose paragraphs differ in one thing, so that a neighbour looks like the answer."""
    data = [
        {
            "paragraphs": [
                {
                    "context": f"The {topic} of {town} has {aspect}, number {at}.",
                    "qas": [{"id": "1", "question": f"Does the {topic} of {town} have {aspect}?"}],
                }
                for at, aspect in enumerate(ASPECTS)
            ]
        }
        for topic in TOPICS
    ]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder / "xquad.en.json", "Marrow")
    write(folder / "xquad.es.json", "Olmo")
    return folder


def test_two_runs_write_the_same_bytes_with_format_source_and_digest_of_the_data(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = [tmp_path / "first.json", tmp_path / "second.json"]
    for path in written:
        words = ["--data", str(data), "--source", "a test", "--out", str(path)]
        assert near_miss.main(words) == 0
    assert written[0].read_bytes() == written[1].read_bytes()
    plain = json.loads(written[0].read_text(encoding="utf-8"))
    assert (plain["format"], plain["source"]) == (FORMAT, "a test")
    assert plain["digest"] == near_miss.digest(list(data.iterdir()))
    assert any(plain["coefficients"].values())
    assert "covered strict" in capsys.readouterr().out


def test_other_data_have_another_digest_and_other_coefficients(data: Path, tmp_path: Path) -> None:
    models = []
    for _ in range(2):
        out = tmp_path / "model.json"
        assert near_miss.main(["--data", str(data), "--out", str(out)]) == 0
        models.append(NearMiss.from_json(json.loads(out.read_text(encoding="utf-8"))))
        (data / "xquad.es.json").unlink(missing_ok=True)
    assert models[0].digest != models[1].digest
    assert models[0].coefficients != models[1].coefficients


def test_a_folder_without_sets_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        near_miss.main(["--data", str(tmp_path)])
    assert caught.value.code == 2


def test_the_shipped_model_names_its_licensed_source_and_what_the_bench_measures() -> None:
    model = of_builder.shipped()
    assert model.source == near_miss.SOURCE
    assert "CC BY-SA 4.0" in model.source
    assert re.fullmatch("[0-9a-f]{64}", model.digest)
    assert set(model.coefficients) == set(TRAITS)
    assert near_miss.to_json(model) == of_builder.FILE.read_text(encoding="utf-8")
    assert of_builder.FILE == retrieval.MODEL


def test_the_shipped_model_takes_a_lead_for_an_answer_and_close_neighbours_for_none() -> None:
    coefficients = of_builder.shipped().coefficients
    assert coefficients["lead"] < 0
    assert coefficients["document lead"] < 0
    assert coefficients["held"] < 0
