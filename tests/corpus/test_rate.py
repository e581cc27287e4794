"""The stated rate holds for a whole question, in however many languages it is searched."""

from pathlib import Path

import pytest

from builder import build_index, lexicon
from builder.calibrate import ALPHA, OperatorProbes, calibrate, shipped
from builder.project import load_project
from cairn_core.engine import ask

SHOWCASE = Path(__file__).parents[2] / "corpus" / "showcase"
SLACK = 3
"""Times the rate: with some 100 probes to calibrate and to ask, one more or less is a percent."""
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("half", [0, 1])
def test_searching_other_languages_lets_hardly_more_unrelated_questions_pass(half: int) -> None:
    project = load_project(SHOWCASE)
    index = build_index(SHOWCASE)
    asked = {lang: shipped(lang)[half::2] for lang in index.language_codes}
    refused = {lang: shipped(lang)[1 - half :: 2] for lang in index.language_codes}
    index = lexicon.with_lexicons(index, project.config.default_lang, refused)
    assert any(shard.lexicons for shard in index.shards.values())
    kept_out = {lang: OperatorProbes(answer=probes) for lang, probes in asked.items()}
    config = calibrate(index, project.config, kept_out).config
    assert all(own.probes == len(refused[lang]) for lang, own in config.calibration.items())
    results = [ask(question, index, config, lang=lang) for lang, own in asked.items() for question in own]
    assert max(len(result.attempts) for result in results) > len(index.shards)
    passed = [result for result in results if result.answer.grounded]
    across = [result for result in passed if len(result.attempts) > 1]
    assert len(across) <= ALPHA * len(results)
    assert len(passed) <= SLACK * ALPHA * len(results)
