"""Figures of agreement against naive counts, known values and their own properties."""

import math
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.agreement import (
    Pair,
    accuracy,
    accuracy_of,
    balanced_accuracy,
    balanced_of,
    corrected_rate,
    counts_by_cluster,
    interval,
    kappa,
    kappa_of,
    label_kappa,
    mcnemar,
    precision,
    random_words,
    recall,
    wilson,
)
from bench.fit import newton, solved
from bench.lexical import PEERS
from bench.records import LABELS

PAIRS = st.lists(
    st.builds(Pair, st.sampled_from(LABELS), st.sampled_from(LABELS), st.sampled_from("abc")), min_size=1
)


@given(PAIRS)
def test_measures_of_pairs_are_those_of_their_four_counts(pairs: list[Pair]) -> None:
    rows = counts_by_cluster(pairs)
    total = tuple(sum(row[place] for row in rows) for place in range(4))
    for one, other in ((accuracy, accuracy_of), (balanced_accuracy, balanced_of), (kappa, kappa_of)):
        assert one(pairs) == pytest.approx(other(total), nan_ok=True)


@given(PAIRS)
def test_precision_and_recall_are_shares_of_the_same_hits(pairs: list[Pair]) -> None:
    for label in LABELS:
        hits = sum(pair.truth == pair.given == label for pair in pairs)
        given_, true = sum(p.given == label for p in pairs), sum(p.truth == label for p in pairs)
        if given_:
            assert precision(pairs, label) == hits / given_
        if true:
            assert recall(pairs, label) == hits / true


def test_kappa_is_the_textbook_value() -> None:
    counts = [(20, "CORRECT_GROUNDED", "CORRECT_GROUNDED"), (5, "CORRECT_GROUNDED", "WRONG")]
    counts += [(10, "WRONG", "CORRECT_GROUNDED"), (15, "WRONG", "WRONG")]
    pairs = [Pair(truth, given_) for count, truth, given_ in counts for _ in range(count)]
    assert kappa(pairs) == pytest.approx(0.4)
    assert label_kappa(pairs) == pytest.approx(0.4)


def test_random_words_are_those_of_the_published_generator() -> None:
    words = list(islice(random_words(1234567), 3))
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_an_interval_holds_the_value_and_is_the_same_each_time() -> None:
    rows = [(1.0, 0.0, 0.0, 1.0)] * 30 + [(0.0, 1.0, 1.0, 0.0)] * 10
    low, high = interval(rows, accuracy_of, draws=500)
    assert low < 0.75 < high
    assert (low, high) == interval(rows, accuracy_of, draws=500)


def test_wilson_stays_between_zero_and_one() -> None:
    assert wilson(0, 20)[0] == 0.0
    assert wilson(0, 20)[1] == pytest.approx(0.161, abs=0.001)
    assert math.isnan(wilson(0, 0)[0])


def test_a_rate_is_corrected_for_measured_errors() -> None:
    pairs = [Pair("FABRICATED", "FABRICATED")] * 40 + [Pair("FABRICATED", "WRONG")] * 10
    pairs += [Pair("WRONG", "WRONG")] * 90 + [Pair("WRONG", "FABRICATED")] * 10
    found = corrected_rate(pairs, 240, 1000)
    assert found is not None
    assert found.rate == pytest.approx(0.2)
    assert found.low < 0.2 < found.high


def test_no_rate_is_told_without_enough_labels_or_of_a_judge_that_guesses() -> None:
    assert corrected_rate([Pair("FABRICATED", "FABRICATED"), Pair("WRONG", "WRONG")], 1, 2) is None
    guess = [
        Pair(truth, given_) for truth in ("FABRICATED", "WRONG") for given_ in ("FABRICATED", "WRONG")
    ] * 50
    assert corrected_rate(guess, 10, 20) is None


def test_mcnemar_is_exact() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(1, 9) == pytest.approx(0.0215, abs=0.0001)


def test_a_linear_system_is_solved() -> None:
    assert solved([[0.0, 2.0], [1.0, 1.0]], [4.0, 5.0]) == pytest.approx([3.0, 2.0])


def test_a_fit_tells_the_classes_apart() -> None:
    rows = [[float(place == 0) for place in range(8)] + [1.0], [0.0] * 8 + [1.0]]
    found = newton([rows[0]] * 20 + [rows[1]] * 20, [True] * 20 + [False] * 20, [1.0] * 40)
    assert found[0] > 1.0


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_tells_a_copy_from_a_foreign_sentence(peer: str) -> None:
    gold = "The office opens at nine and closes at five."
    assert PEERS[peer]("When?", gold, gold)
    assert not PEERS[peer]("When?", "Penguins live in Antarctica with Napoleon.", gold)
