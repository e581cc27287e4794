"""How far a source supports a claim: measures between 0 and 1 or counts, and one fitted score over them.

The score is a logistic regression whose few coefficients stand in `weights.json`; `python -m bench judge fit`
repeats the fit. Above zero a claim counts as supported, unless a rule finds a conflict or a number is absent.
"""

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

from bench.judging.evidence import Source, Window, aligned, best_window, within
from bench.judging.specifics import Content, weight

WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of a claim; every field has one coefficient."""

    covered: float  # weighted share of the content words that gold holds; given ones count half
    window: float  # the same for the best window alone
    ordered: float  # mean of two shares: words on a common subsequence with the window, pairs gold has too
    names: float  # names that neither gold nor question holds, at most 3
    numbers: float  # numbers that neither holds, at most 2
    novel: float  # other content words that neither holds, at most 6
    first_person: float  # words of the first person that gold has not, at most 2
    question: float  # 1 when the claim is a question
    length: float  # natural logarithm of 1 + content words


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """Return the coefficients by name of the measure, and the `intercept`."""
    data: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))["coefficients"]
    expected = {field.name for field in fields(Measures)} | {"intercept"}
    if set(data) != expected:
        raise ValueError(f"{WEIGHTS.name} has coefficients for {sorted(data)}, not for {sorted(expected)}")
    return data


def score(measures: Measures) -> float:
    """Return the log-odds that a claim with these measures is supported."""
    table = weights()
    names = (field.name for field in fields(Measures))
    values: tuple[float, ...] = astuple(measures)
    return table["intercept"] + sum(table[name] * value for name, value in zip(names, values, strict=True))


def coverage(found: Content) -> float:
    """Return the weighted share of content words that gold holds; those the question gives count half."""
    total = sum(found.weights)
    held = sum(
        value * (1.0 if own else 0.5 if given else 0.0)
        for value, own, given in zip(found.weights, found.held, found.given, strict=True)
    )
    return held / total if total else 0.0


def new_coverage(found: Content) -> float:
    """Return the weighted share held by gold among the words that the question does not give; 1 when none."""
    new = [
        (value, own)
        for value, own, given in zip(found.weights, found.held, found.given, strict=True)
        if not given
    ]
    total = sum(value for value, _ in new)
    return sum(value for value, own in new if own) / total if total else 1.0


def ordered_share(found: Content, window: Window, gold: Source) -> float:
    """Return the weighted share of the words that stand in the window in the order of the claim."""
    total = sum(found.weights)
    return sum(found.weights[place] for place in aligned(found.words, window, gold)) / total if total else 0.0


def paired_share(found: Content, window: Window, gold: Source) -> float:
    """Return the share of neighbouring content words that are neighbours in the window too."""
    keys = [token.key for token in within(window, gold) if weight(token, gold.lexicon)]
    pairs = frozenset(pairwise(keys))
    couples = list(pairwise(found.words))
    if not couples:
        return coverage(found)
    held = sum(
        any((left, right) in pairs for left in gold.keys_of(one.key) for right in gold.keys_of(other.key))
        for one, other in couples
    )
    return held / len(couples)


def window_of(found: Content, gold: Source) -> Window:
    """Return the window of gold that covers the claim best."""
    return best_window(zip(found.words, found.weights, strict=True), gold)


def length(found: Content) -> float:
    """Return the `length` measure."""
    return log(1 + len(found.words))
