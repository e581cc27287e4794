"""Lexicons learnt from a corpus's translations."""

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from builder import build_index, calibrate
from builder.lexicon import LEAST_PROBES, LEAST_SHARE, LEAST_TOGETHER, LOWEST, ROUNDS, aligned_texts, learn
from builder.lexicon import with_lexicons as learnt
from builder.project import load_project
from cairn_core.analysis import stem, words
from cairn_core.lexicon import MOST, Entries

SHOWCASE = Path(__file__).resolve().parents[2] / "corpus" / "showcase"
PAIRS = [
    ("casa blanca", "house white"),
    ("casa verde", "house green"),
    ("perro blanco", "dog white"),
    ("perro verde", "dog green"),
    ("gato negro", "cat black"),
    ("gato rojo", "cat red"),
    ("río largo", "long river"),
]


def naive(pairs: list[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """Model 1 as in the paper, over pairs of stems that stand together often enough."""
    sentences = [
        ([one[:5].replace("í", "i") for one in ours.split()], [other[:5] for other in theirs.split()])
        for ours, theirs in pairs
    ]
    together = Counter(pair for ours, theirs in sentences for pair in product(ours, theirs))
    t = {pair: 1.0 for pair, times in together.items() if times >= LEAST_TOGETHER}
    for _ in range(ROUNDS):
        count: Counter[tuple[str, str]] = Counter()
        for ours, theirs in sentences:
            for pair in filter(t.__contains__, product(ours, theirs)):
                count[pair] += t[pair] / sum(t.get((one, pair[1]), 0.0) for one in ours)  # type: ignore[assignment]
        total = {one: sum(value for pair, value in count.items() if pair[0] == one) for one, _ in count}
        t = {pair: value / total[pair[0]] for pair, value in count.items()}
    found: dict[str, dict[str, float]] = {}
    for (one, other), share in sorted(t.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        if share >= LEAST_SHARE and len(found.get(one, ())) < MOST:
            found.setdefault(one, {})[other] = round(share, 3)
    return found


def test_a_lexicon_is_that_of_the_model() -> None:
    assert learn(PAIRS, "es", "en") == naive(PAIRS)
    assert learn(PAIRS, "es", "en")["casa"] == {"house": 1.0}


def test_stems_that_stand_together_once_are_not_learnt() -> None:
    assert "largo" not in learn(PAIRS, "es", "en")


def test_function_words_and_words_of_most_pairs_are_not_learnt() -> None:
    pairs = [(f"la oficina {ours}", f"the office {theirs}") for ours, theirs in PAIRS]
    assert not {"la", "ofici"} & learn(pairs, "es", "en").keys()


@pytest.fixture(scope="module")
def entries() -> Entries:
    index = calibrate.with_lexicons(build_index(SHOWCASE), load_project(SHOWCASE))
    return index.shards["ar"].lexicons["en"].entries


@pytest.mark.parametrize(
    ("arabic", "english"), [("هاتف", "phone"), ("مدرسة", "school"), ("الحديقة", "garden"), ("بطاقة", "card")]
)
def test_the_showcase_teaches_what_an_arabic_word_means(entries: Entries, arabic: str, english: str) -> None:
    targets = entries[stem(words(arabic)[0])]
    assert max(targets, key=lambda one: targets[one]) == stem(english)


def test_every_lexicon_has_the_rate_of_its_probes() -> None:
    index = calibrate.with_lexicons(build_index(SHOWCASE), load_project(SHOWCASE))
    gates = [one.calibration for shard in index.shards.values() for one in shard.lexicons.values()]
    assert gates
    assert all(gate.probes >= LEAST_PROBES and gate.realised <= gate.alpha for gate in gates)
    assert all(gate.threshold >= LOWEST for gate in gates)


def test_nothing_is_learnt_for_languages_that_lack_no_document_or_have_no_probes() -> None:
    index = build_index(SHOWCASE)
    probes = {lang: calibrate.shipped(lang) for lang in index.language_codes}
    assert "zh" not in learnt(index, "en", probes).shards["en"].lexicons
    assert not any(shard.lexicons for shard in learnt(index, "en", {}).shards.values())


def test_titles_headings_and_passages_of_translations_teach() -> None:
    pairs = list(aligned_texts(build_index(SHOWCASE), "en", "es"))
    assert ("Getting a library card", "Tarjeta de la biblioteca") in pairs
    assert len(pairs) > 150


def test_with_the_contracts_scorer_nothing_is_learnt() -> None:
    project = load_project(SHOWCASE)
    index = build_index(SHOWCASE)
    contract = replace(project, config=replace(project.config, scorer="contract"))
    assert calibrate.with_lexicons(index, contract) is index
