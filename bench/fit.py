"""Fits the coefficients of the support score on labelled answers and writes them as JSON.

Logistic regression by Newton's method with a ridge; classes and sets weigh the same. An answer is as well
supported as its worst claim, so the worst claim under the last coefficients stands for it in the next round.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields

from bench.judging.examination import Case, examine, read_answer
from bench.judging.support import Measures, weights
from bench.records import Item

NAMES = tuple(field.name for field in fields(Measures))
HELD: Mapping[str, float] = {"ordered": 0.3}
"""Coefficients that are given, not fitted: order tells little in these sets and must not harm a claim."""

RIDGE = 1.0
ROUNDS = 6
STEPS = 12

type Rows = list[list[float]]


def measured(items: Sequence[Item]) -> tuple[list[Rows], list[bool]]:
    """Return the measures of the claims of every answer judged against a text, and whether it is correct."""
    claims: list[Rows] = []
    labels: list[bool] = []
    for item in items:
        findings = examine(read_answer(Case(item.question, item.answer, item.gold, lang=item.lang)))
        rows = [[*astuple(found.measures), 1.0] for found in findings.assessments if found.measures]
        if rows:
            claims.append(rows)
            labels.append(item.label == "CORRECT_GROUNDED")
    return claims, labels


def fit(sets: Sequence[tuple[list[Rows], list[bool]]]) -> dict[str, float]:
    """Return the coefficients that tell supported claims from others best over all sets."""
    table = weights()
    current = [*(table[name] for name in NAMES), table["intercept"]]
    for _ in range(ROUNDS):
        rows: Rows = []
        labels: list[bool] = []
        shares: list[float] = []
        for claims, truths in sets:
            rows += [min(claim, key=lambda row: dot(current, row)) for claim in claims]
            labels += truths
            shares += balanced(truths)
        current = newton(rows, labels, shares)
    return {name: round(value, 3) for name, value in zip((*NAMES, "intercept"), current, strict=True)}


def balanced(truths: Sequence[bool]) -> list[float]:
    """Return weights under which both classes count 500 together."""
    correct = sum(truths) or 1
    return [500 / correct if truth else 500 / max(1, len(truths) - correct) for truth in truths]


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the inner product."""
    return sum(a * b for a, b in zip(left, right, strict=True))


def newton(rows: Rows, labels: Sequence[bool], shares: Sequence[float]) -> list[float]:
    """Return the coefficients of a ridge logistic regression; the last column is the intercept."""
    size = len(rows[0])
    held = {NAMES.index(name): value for name, value in HELD.items()}
    found = [held.get(column, 0.0) for column in range(size)]
    for _ in range(STEPS):
        gradient = [RIDGE * value for value in found[:-1]] + [0.0]
        curvature = [[RIDGE if a == b < size - 1 else 0.0 for b in range(size)] for a in range(size)]
        for row, label, share in zip(rows, labels, shares, strict=True):
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, dot(found, row)))))
            error = (chance - label) * share
            bend = max(chance * (1 - chance), 1e-6) * share
            for a in range(size):
                gradient[a] += error * row[a]
                for b in range(size):
                    curvature[a][b] += bend * row[a] * row[b]
        for column in held:
            gradient[column] = 0.0
            for other in range(size):
                curvature[column][other] = curvature[other][column] = float(column == other)
        step = solved(curvature, gradient)
        found = [value - change for value, change in zip(found, step, strict=True)]
    return found


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a linear system by elimination with pivots."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda line: abs(rows[line][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for line in range(column + 1, size):
            factor = rows[line][column] / rows[column][column]
            rows[line] = [a - factor * b for a, b in zip(rows[line], rows[column], strict=True)]
    found = [0.0] * size
    for line in reversed(range(size)):
        rest = sum(rows[line][column] * found[column] for column in range(line + 1, size))
        found[line] = (rows[line][size] - rest) / rows[line][line]
    return found


def to_json(coefficients: Mapping[str, float], names: Sequence[str]) -> str:
    """Return the coefficients as the file the judge reads."""
    data = {"format": 1, "fitted_on": list(names), "coefficients": dict(coefficients)}
    return json.dumps(data, indent=2) + "\n"
