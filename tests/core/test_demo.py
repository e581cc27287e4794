"""The demonstration corpus: what both scorers answer and refuse, and what a reader meets there.

The contract's scorer runs as `Config()` has it, the evidence scorer as the site has it, calibrated by the
build.
"""

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from builder import build_index
from builder.calibrate import Calibrated, settled
from builder.project import load_project
from cairn_core.config import SCORERS, Config
from cairn_core.engine import Result, ask
from cairn_core.index import Index
from cairn_core.retrieve import retrieve
from tests.probes import IN_CORPUS, MEASURED_BEST_OFF_TOPIC, MEASURED_WORST_IN_CORPUS, OFF_TOPIC

DEMO = Path(__file__).resolve().parents[2] / "corpus" / "demo"
CONFIG = Config()
COLLOQUIAL = "who can get the discount bus pass"


@pytest.fixture(scope="module")
def demo() -> Index:
    return build_index(DEMO)


@pytest.fixture(scope="module")
def calibrated(demo: Index) -> Calibrated:
    return settled(demo, load_project(DEMO))


@pytest.fixture(scope="module", params=SCORERS)
def config(request: pytest.FixtureRequest, calibrated: Calibrated) -> Config:
    return {"contract": CONFIG, "evidence": calibrated.config}[request.param]


def top(result: Result) -> float:
    """The highest score of all searches, the one in other languages included."""
    return max((one.score for trace in result.attempts for one in trace.candidates), default=0.0)


@pytest.mark.parametrize(("question", "passage_id", "fact"), IN_CORPUS)
def test_a_question_of_the_corpus_is_answered_by_the_passage_with_the_fact(
    demo: Index, config: Config, question: str, passage_id: str, fact: str
) -> None:
    answer = ask(question, demo, config).answer
    assert answer.trace.candidates[0].passage.passage_id == passage_id
    assert [source.source_id for source in answer.sources] == [passage_id]
    assert fact in answer.text
    assert answer.notice is None


@pytest.mark.parametrize("question", OFF_TOPIC)
def test_a_question_off_the_topics_is_refused_with_the_demo_line(
    demo: Index, config: Config, question: str
) -> None:
    answer = ask(question, demo, config).answer
    assert answer.kind == "refusal"
    assert "555-0142" in answer.text


def test_the_written_bounds_are_the_measured_ones_at_three_decimals(demo: Index) -> None:
    worst = min(top(ask(question, demo, CONFIG)) for question, _, _ in IN_CORPUS)
    best = max(top(ask(question, demo, CONFIG)) for question in OFF_TOPIC)
    assert math.floor(worst * 1000) / 1000 == MEASURED_WORST_IN_CORPUS
    assert math.ceil(best * 1000) / 1000 == MEASURED_BEST_OFF_TOPIC
    assert best + 0.01 < CONFIG.threshold < worst - 0.01


def test_the_lowest_right_answer_stands_well_above_the_highest_question_off_the_topics(
    demo: Index, config: Config
) -> None:
    worst = min(top(ask(question, demo, config)) for question, _, _ in IN_CORPUS)
    best = max(top(ask(question, demo, config)) for question in OFF_TOPIC)
    assert worst >= 1.6 * best


def test_the_fact_leads_the_next_passage_by_a_clear_margin(demo: Index) -> None:
    for question, _, _ in IN_CORPUS:
        first, second = ask(question, demo, CONFIG).answer.trace.candidates[:2]
        assert first.score - second.score > 0.1


def test_the_colloquial_question_is_refused_without_a_glossary(demo: Index, config: Config) -> None:
    assert ask(COLLOQUIAL, demo, config).answer.kind == "refusal"


def test_the_colloquial_question_is_refused_for_the_pinned_reason(demo: Index) -> None:
    trace = retrieve(COLLOQUIAL, demo, threshold=CONFIG.threshold, candidates=99)
    matched = {candidate.passage.passage_id: candidate.matched for candidate in trace.candidates}
    assert next(iter(matched)) == "transit-pass-en#2"
    assert matched["transit-pass-en#2"] == ("disco", "pass")
    assert matched["transit-pass-en#3"] == ("who",)
    assert matched["grocery-allowance-en#3"] == matched["housing-relief-en#3"] == ("can", "who")
    assert trace.unmatched == ("bus", "get")
    assert len(matched) <= CONFIG.candidates - 2
    assert trace.candidates[0].score < CONFIG.threshold - 0.02


def test_each_document_has_four_passages_of_a_readable_length(demo: Index) -> None:
    assert Counter(passage.lang for passage in demo.passages) == {"en": 16, "es": 12, "ar": 12}
    assert set(Counter(passage.doc_id for passage in demo.passages).values()) == {4}
    assert all(103 <= len(passage.text) <= 335 for passage in demo.passages)


def test_no_line_of_the_corpus_occurs_in_a_refusal(demo: Index) -> None:
    refusals = [ask(question, demo, CONFIG).answer.text for question in OFF_TOPIC]
    lines = [line for passage in demo.passages for line in passage.text.split("\n")]
    assert all(line.strip() for line in lines)
    assert not [line for line in lines for text in refusals if line in text]


def test_the_settings_file_of_the_demo_states_the_defaults_but_for_the_scorer() -> None:
    assert load_project(DEMO).config == replace(CONFIG, scorer="evidence")


def test_every_language_of_the_demo_has_a_threshold_with_its_rate(calibrated: Calibrated) -> None:
    assert sorted(calibrated.config.calibration) == ["ar", "en", "es"]
    for found in calibrated.config.calibration.values():
        assert (found.alpha, found.set_aside) == (0.01, 0)
        assert found.probes >= 199
        assert found.realised <= found.alpha


def test_every_demo_document_says_that_it_is_synthetic() -> None:
    documents = sorted(DEMO.glob("*.md"))
    assert len(documents) == 10
    assert all("\nsynthetic: true\n" in path.read_text(encoding="utf-8") for path in documents)


@pytest.mark.parametrize(
    ("question", "lang", "source", "notice"),
    [
        (
            "GoPass reduced fare eligible",
            "es",
            "transit-pass-en#3",
            "Aquí no existe ese documento en español",
        ),
        ("unpaid rent covers grant", "es", "housing-relief-en#2", "El mismo documento existe en español"),
    ],
)
def test_a_gap_in_the_translations_is_told_in_the_readers_language(
    demo: Index, question: str, lang: str, source: str, notice: str
) -> None:
    answer = ask(question, demo, CONFIG, lang=lang).answer
    assert [one.source_id for one in answer.sources] == [source]
    assert answer.notice is not None
    assert notice in answer.notice
