"""Agreement between the judge and humans: confusion, precision and recall, kappa, intervals, corrected rates.

Everything is a pure function of counts or of paired labels. Draws come from SplitMix64 with a given seed, so
a report is the same on every machine.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.records import NOT_CORRECT

DRAWS = 5000
SEED = 20240229
CORRECT = "CORRECT_GROUNDED"
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Pair:
    """The human label and the judge's label of one answer; answers of one cluster share a question."""

    truth: str
    given: str
    cluster: str = ""
    lang: str = ""


def confusion(pairs: Sequence[Pair]) -> dict[tuple[str, str], int]:
    """Return (truth, given) -> count."""
    found: dict[tuple[str, str], int] = {}
    for pair in pairs:
        key = (pair.truth, pair.given)
        found[key] = found.get(key, 0) + 1
    return found


def share(part: float, whole: float) -> float:
    """Return part / whole, NaN for an empty whole."""
    return part / whole if whole else math.nan


def precision(pairs: Sequence[Pair], label: str) -> float:
    """Return the share of answers given `label` that have it."""
    given = [pair for pair in pairs if pair.given == label]
    return share(sum(pair.truth == label for pair in given), len(given))


def recall(pairs: Sequence[Pair], label: str) -> float:
    """Return the share of answers with `label` that are given it."""
    true = [pair for pair in pairs if pair.truth == label]
    return share(sum(pair.given == label for pair in true), len(true))


def f1(pairs: Sequence[Pair], label: str) -> float:
    """Return the harmonic mean of precision and recall of a label."""
    one, other = precision(pairs, label), recall(pairs, label)
    return 2 * one * other / (one + other) if one + other > 0 else math.nan


def accuracy(pairs: Sequence[Pair]) -> float:
    """Return the share of answers on which both agree whether they are correct."""
    return share(sum((pair.truth == CORRECT) == (pair.given == CORRECT) for pair in pairs), len(pairs))


def balanced_accuracy(pairs: Sequence[Pair]) -> float:
    """Return the mean of the recalls of "correct" and "not correct", or the one there is."""
    correct = [pair.given == CORRECT for pair in pairs if pair.truth == CORRECT]
    others = [pair.given != CORRECT for pair in pairs if pair.truth != CORRECT]
    rates = [share(sum(held), len(held)) for held in (correct, others) if held]
    return share(sum(rates), len(rates))


def kappa(pairs: Sequence[Pair]) -> float:
    """Return Cohen's kappa of "correct" against "not correct" (Cohen 1960)."""
    count = len(pairs)
    if not count:
        return math.nan
    truth = sum(pair.truth == CORRECT for pair in pairs) / count
    given = sum(pair.given == CORRECT for pair in pairs) / count
    chance = truth * given + (1 - truth) * (1 - given)
    return share(accuracy(pairs) - chance, 1 - chance)


def label_kappa(pairs: Sequence[Pair]) -> float:
    """Return Cohen's kappa over all labels; NaN where the truth only says NOT_CORRECT."""
    if not pairs or any(pair.truth == NOT_CORRECT for pair in pairs):
        return math.nan
    count = len(pairs)
    labels = sorted({label for pair in pairs for label in (pair.truth, pair.given)})
    agreed = sum(pair.truth == pair.given for pair in pairs) / count
    chance = sum(
        sum(pair.truth == label for pair in pairs) * sum(pair.given == label for pair in pairs)
        for label in labels
    )
    return share(agreed - chance / count**2, 1 - chance / count**2)


def random_words(seed: int) -> Iterator[int]:
    """Yield the 64-bit words of SplitMix64 (Steele, Lea and Flood 2014)."""
    state = seed & _MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        word = state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        yield word ^ (word >> 31)


type Counts = tuple[float, ...]


def interval(
    clusters: Sequence[Counts], measure: Callable[[Counts], float], draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float]:
    """Return the 95 % interval of a measure by drawing clusters with replacement.

    `clusters` holds the counts of each cluster, `measure` takes their sums.
    """
    if not clusters:
        return math.nan, math.nan
    words = random_words(seed)
    size, width = len(clusters), len(clusters[0])
    found: list[float] = []
    for _ in range(draws):
        drawn = [clusters[next(words) * size >> 64] for _ in range(size)]
        value = measure(tuple(sum(row[column] for row in drawn) for column in range(width)))
        if not math.isnan(value):
            found.append(value)
    if not found:
        return math.nan, math.nan
    found.sort()
    return found[int(0.025 * (len(found) - 1))], found[math.ceil(0.975 * (len(found) - 1))]


def counts_by_cluster(pairs: Sequence[Pair]) -> list[Counts]:
    """Return (both correct, truth alone, judge alone, neither) of each cluster, in order of appearance."""
    found: dict[str, list[float]] = {}
    for place, pair in enumerate(pairs):
        row = found.setdefault(pair.cluster or f"\0{place}", [0.0, 0.0, 0.0, 0.0])
        row[_cell(pair)] += 1
    return [tuple(row) for row in found.values()]


def _cell(pair: Pair) -> int:
    if pair.truth == CORRECT:
        return 0 if pair.given == CORRECT else 1
    return 2 if pair.given == CORRECT else 3


def accuracy_of(counts: Counts) -> float:
    """Return accuracy from (both, truth alone, judge alone, neither)."""
    return share(counts[0] + counts[3], sum(counts))


def balanced_of(counts: Counts) -> float:
    """Return balanced accuracy from (both, truth alone, judge alone, neither)."""
    rates = [share(counts[0], counts[0] + counts[1]), share(counts[3], counts[2] + counts[3])]
    known = [rate for rate in rates if not math.isnan(rate)]
    return share(sum(known), len(known))


def kappa_of(counts: Counts) -> float:
    """Return kappa from (both, truth alone, judge alone, neither)."""
    total = sum(counts)
    if not total:
        return math.nan
    truth, given = (counts[0] + counts[1]) / total, (counts[0] + counts[2]) / total
    chance = truth * given + (1 - truth) * (1 - given)
    return share(accuracy_of(counts) - chance, 1 - chance)


MEASURES: Mapping[str, Callable[[Counts], float]] = {
    "accuracy": accuracy_of,
    "balanced accuracy": balanced_of,
    "kappa": kappa_of,
}
"""Name -> the measure over the four counts, in the order of reports."""


def wilson(hits: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson 1927)."""
    if not total:
        return math.nan, math.nan
    rate = hits / total
    centre = rate + z * z / (2 * total)
    spread = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A rate as flagged by the judge, and corrected for its measured errors, with a 95 % interval."""

    flagged: float
    rate: float
    low: float
    high: float
    labelled: int


LEAST_LABELS = 100


def corrected_rate(
    pairs: Sequence[Pair], flagged: int, total: int, label: str = "FABRICATED"
) -> Corrected | None:
    """Return the rate of `label` among `total` answers of which the judge flagged `flagged`.

    Rogan and Gladen (1978): (flagged rate + specificity - 1) / (sensitivity + specificity - 1), with errors
    measured on labelled pairs and the interval of Lang and Reiczigel (2014) by the delta method. None with
    fewer than 100 labels, without both classes, or when the judge tells nothing apart.
    """
    true = [pair.given == label for pair in pairs if pair.truth == label]
    others = [pair.given != label for pair in pairs if pair.truth not in {label, NOT_CORRECT}]
    if len(true) + len(others) < LEAST_LABELS or not true or not others or not total:
        return None
    sensitivity, specificity = share(sum(true), len(true)), share(sum(others), len(others))
    power = sensitivity + specificity - 1
    if power <= 0.05:
        return None
    observed = flagged / total
    rate = min(1.0, max(0.0, (observed + specificity - 1) / power))
    variance = (
        observed * (1 - observed) / total
        + rate**2 * sensitivity * (1 - sensitivity) / len(true)
        + (1 - rate) ** 2 * specificity * (1 - specificity) / len(others)
    ) / power**2
    spread = 1.96 * math.sqrt(variance)
    return Corrected(
        observed, rate, max(0.0, rate - spread), min(1.0, rate + spread), len(true) + len(others)
    )


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the two-sided exact p-value that two judges differ, from the pairs one alone has right."""
    total = first_only + second_only
    if not total:
        return 1.0
    tail = sum(math.comb(total, k) for k in range(min(first_only, second_only) + 1))
    return float(min(1.0, 2 * tail / 2**total))
