"""Thresholds a build sets, what is said about them, and where they travel."""

import json
from pathlib import Path

import pytest

from builder import near_miss
from builder.calibrate import LOWEST, LOWEST_IN_FEW, calibrate, shipped
from builder.cli import main
from builder.readsite import read_site
from builder.thresholds import lines
from cairn_core.calibration import Calibration
from cairn_core.config import Config
from cairn_core.evidence import ENOUGH
from cairn_core.index import Index, build_shard
from cairn_core.passage import DocumentRef, Passage

EVIDENCE = Config(scorer="evidence")
OWN = ("Where may a heron nest?", "Who feeds the heron?", "When does the heron leave?")
ABOUT = "where can I buy a trout license for the weekend"
SETTINGS = '[retrieval]\nscorer = "evidence"\n[refusal]\ncontact = "desk 3, 555-0199"\n'
ANSWERS_A_PROBE = f"---\ntitle: Trout\n---\n\n## {ABOUT}\n\nBuy a trout license for the weekend here.\n"


def index(lang: str, *texts: str) -> Index:
    document = DocumentRef(f"d-{lang}", "-", lang, "d", "d.html")
    passages = [Passage(document, at, "", "", text, "p") for at, text in enumerate(texts, start=1)]
    return Index.of([build_shard(lang, passages)])


def of(site: Path) -> dict[str, Calibration]:
    return dict(read_site(site).session().config.calibration)


@pytest.fixture
def trout(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "cairn.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "trout.en.md").write_text(ANSWERS_A_PROBE, encoding="utf-8")
    return folder


def test_few_passages_have_a_higher_floor_than_many() -> None:
    few, many = (
        calibrate(index("en", *[f"{'heron ' * (at + 1)}." for at in range(count)]), EVIDENCE, {})
        for count in (3, ENOUGH)
    )
    assert few.config.calibration["en"].threshold == LOWEST_IN_FEW
    assert many.config.calibration["en"].threshold == LOWEST
    assert {one.config.calibration["en"].origin for one in (few, many)} == {"floor"}


def test_every_shipped_probe_counts() -> None:
    calibration = calibrate(index("en", "The heron nests in reeds."), EVIDENCE, {}).config.calibration["en"]
    assert calibration.probes == len(shipped("en"))


def test_a_probe_set_aside_counts_as_passed_and_no_rate_is_promised() -> None:
    calibrated = calibrate(index("en", ABOUT, "The heron nests in reeds."), EVIDENCE, {})
    found = calibrated.config.calibration["en"]
    assert found.set_aside == 1
    assert found.probes == len(shipped("en"))
    assert found.realised * found.probes >= 1
    said = "\n".join(lines(calibrated, {}))
    assert ABOUT in said
    assert "no rate is promised" in said
    assert "at most" not in said


def test_the_build_warns_of_a_probe_set_aside_until_the_operator_decides(
    trout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(trout), "--out", str(tmp_path / "site"), "--no-engine"]
    assert main(words) == 0
    assert f'W701 The documents in en seem to answer "{ABOUT}".' in capsys.readouterr().err
    (trout / "probes.toml").write_text(f'[en]\nanswer = ["{ABOUT}"]\n', encoding="utf-8")
    assert main(words) == 0
    assert "W701" not in capsys.readouterr().err
    assert of(tmp_path / "site")["en"].set_aside == 0


def test_a_language_without_probes_borrows_and_promises_nothing() -> None:
    both = Index.of([*index("en", OWN[0]).shards.values(), *index("fi", "Haikara pesii.").shards.values()])
    calibrated = calibrate(both, EVIDENCE, {})
    assert calibrated.config.calibration["fi"] == Calibration(LOWEST_IN_FEW, 0, 0.01, 0.0, origin="borrowed")
    assert "no rate is known" in "\n".join(lines(calibrated, {}))


def test_thresholds_travel_with_the_site_and_into_the_trace(
    trout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    assert main([str(trout), "--out", str(site), "--no-engine", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["ask", ABOUT, "--site", str(site), "--json"]) == 0
    trace = json.loads(capsys.readouterr().out)["trace"]
    assert trace["calibration"] == of(site)["en"].to_json()
    assert trace["threshold"] == trace["calibration"]["threshold"]
    best = trace["candidates"][0]
    assert abs(sum(share for _, share in best["shares"]) - best["score"]) < 1e-6


def test_an_explanation_shows_the_shares_and_where_the_threshold_comes_from(
    trout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    (trout / "probes.toml").write_text(f'[en]\nanswer = ["{ABOUT}"]\n', encoding="utf-8")
    assert main([str(trout), "--out", str(site), "--no-engine", "--quiet"]) == 0
    assert main(["ask", ABOUT, "--site", str(site), "--explain"]) == 0
    said = capsys.readouterr().out
    probes = len(shipped("en")) - 1
    assert (
        "gate       the lowest there is; at most 1% of questions unrelated to your documents; "
        f"of {probes} probes 0.0% pass" in said
    )
    assert "word +0." in said
    assert "document +0." in said


def strict_corpus(folder: Path, more: str = "") -> Path:
    """Write a corpus of ENOUGH passages with strict mode on."""
    folder.mkdir()
    retrieval = f'[retrieval]\nscorer = "evidence"\nstrict = true\n{more}'
    (folder / "cairn.toml").write_text(
        f'{retrieval}[refusal]\ncontact = "desk 3, 555-0199"\n', encoding="utf-8"
    )
    birds = "".join(f"Bird {at} nests {'high ' * (at % 5 + 1)}in tree {at}.\n\n" for at in range(ENOUGH))
    text = f"---\ntitle: Birds\n---\n\n{birds}The heron nests in the reeds beside the harbour.\n"
    (folder / "birds.en.md").write_text(text, encoding="utf-8")
    return folder


def test_strict_mode_travels_with_the_site_and_is_shown_by_calibrate_and_explain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, site = strict_corpus(tmp_path / "corpus"), tmp_path / "site"
    question = "Where does the heron nest beside the harbour?"
    (corpus / "probes.toml").write_text(f'[en]\nanswer = ["{question}"]\n', encoding="utf-8")
    assert main([str(corpus), "--out", str(site), "--no-engine"]) == 0
    assert read_site(site).session().config.near_miss == near_miss.shipped()
    capsys.readouterr()
    assert main(["calibrate", str(corpus), "--out", str(site)]) == 0
    shown = capsys.readouterr().out
    assert "strict  refuses above a near-miss probability of" in shown
    assert [line for line in shown.splitlines() if question in line and "near miss" in line]
    assert main(["ask", question, "--site", str(site), "--explain"]) == 0
    assert "likely that the best passage does not hold the answer" in capsys.readouterr().out


def test_without_strict_mode_no_probability_is_shown(
    trout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(trout), "--out", str(tmp_path / "site")]) == 0
    shown = capsys.readouterr().out
    assert "near miss" not in shown
    assert "strict" not in shown


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ('[retrieval]\nscorer = "evidence"\nstrict = "yes"\n', "retrieval.strict"),
        ("[retrieval]\nstrict = true\n", "strict"),
    ],
)
def test_a_strict_setting_that_cannot_be_is_a_located_error(
    settings: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cairn.toml").write_text(settings, encoding="utf-8")
    assert main(["calibrate", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "cairn.toml" in said
    assert named in said
