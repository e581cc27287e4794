"""The near-miss model of strict mode: fits its coefficients, measures what it refuses and what that costs.

Every fifth paragraph of each article is hidden in turn, within one half of the articles at a time. A question
whose paragraph is hidden is a near miss; one whose paragraph is found first is answered. Logistic regression
by Newton's method with a ridge, both classes weighing the same; the limit loses LOST of the answered ones.
"""

import hashlib
import json
import math
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bench import squad
from bench.fit import solved
from bench.grading import halves
from bench.retrieval import print_row
from bench.squad import QuestionSet
from cairn_core.calibration import conformal_threshold
from cairn_core.index import Index, Shard, build_shard
from cairn_core.nearmiss import TRAITS, NearMiss
from cairn_core.retrieve import Trace, retrieve
from cairn_core.strictness import DEPTH, traits

FOLDS = 5
"""Every fifth paragraph of an article is hidden in turn."""
WEAKEST = 0.12
"""Rows that score less are refused by every gate and are not fitted on."""
LOST = 0.08
"""Share of the answered questions, fitted on, that the limit refuses."""
ALPHA = 0.01
RIDGE = 1.0
STEPS = 15
DIGITS = 6
SOURCE = "XQuAD (google-deepmind/xquad, CC BY-SA 4.0)"
COLUMNS = ("accepted before", "accepted strict", "covered before", "covered strict")


class Row(NamedTuple):
    """One asking: score and traits of the best passage, whether its own was hidden, whether it is its own."""

    score: float
    traits: tuple[float, ...]
    hidden: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Half:
    """The rows of one half of the articles of a set, and the scores of the questions to the other half."""

    lang: str
    half: int
    rows: tuple[Row, ...]
    unrelated: tuple[float, ...]


def main(arguments: list[str]) -> int:
    """Fit or measure; 0, or 2 for wrong usage."""
    parser = ArgumentParser("python -m bench near-miss", description="Fit the model of strict mode.")
    parser.add_argument("--data", type=Path, required=True, help="folder of xquad.LANG.json files")
    parser.add_argument(
        "--source", default=SOURCE, help="what the data are, with their licence (%(default)s)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the coefficients there")
    options = parser.parse_args(arguments)
    paths = sorted(options.data.glob("xquad.*.json"))
    if not paths:
        parser.error(f'"{options.data}" has no xquad.LANG.json')
    found = [half for path in paths for half in asked(squad.read(path, path.suffixes[0][1:]))]
    model = fit(found, options.source, digest(paths))
    if options.out:
        options.out.write_text(to_json(model), encoding="utf-8")
    print_row(("language, model without it", *COLUMNS))
    for cells in _compared(found):
        print_row(cells)
    return 0


def digest(paths: Sequence[Path]) -> str:
    """Return the SHA-256 of files, in the order of their names."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def to_json(model: NearMiss) -> str:
    """Return the model as the file that the builder reads."""
    return json.dumps(model.to_json(), indent=2) + "\n"


def asked(one: QuestionSet) -> Iterator[Half]:
    """Yield the rows of both halves of the articles; deterministic."""
    for number, kept in enumerate(halves(one.documents, halvings=1)):
        places = [place for place, document in enumerate(one.documents) if document in kept]
        rows: list[Row] = []
        for fold in range(FOLDS):
            rows += _fold(one, [at for at in places if at % FOLDS != fold], fold, kept)
        shard = build_shard(one.lang, [one.passages[place] for place in places])
        unrelated = [
            _trace(question.text, shard) for question in one.questions if question.document not in kept
        ]
        yield Half(one.lang, number, tuple(rows), tuple(map(_score, unrelated)))


def _fold(one: QuestionSet, places: Sequence[int], fold: int, kept: frozenset[int]) -> Iterator[Row]:
    """The near misses of a fold, and as many questions that can be answered."""
    shard = build_shard(one.lang, [one.passages[place] for place in places])
    for question in one.questions:
        hidden = question.gold % FOLDS == fold
        if question.document in kept and (hidden or (question.gold + 1) % FOLDS == fold):
            trace = _trace(question.text, shard)
            if trace.candidates:
                gold = one.passages[question.gold].passage_id
                right = trace.candidates[0].passage.passage_id == gold
                found = traits(trace, shard)
                yield Row(_score(trace), tuple(found[name] for name in TRAITS), hidden, right)


def _trace(question: str, shard: Shard) -> Trace:
    return retrieve(question, Index.of([shard]), threshold=1.0, candidates=DEPTH, scorer="evidence")


def _score(trace: Trace) -> float:
    return trace.candidates[0].score if trace.candidates else 0.0


def fit(found: Sequence[Half], source: str, digest_of_files: str) -> NearMiss:
    """Return the model of some halves, with the limit that loses LOST of what it was fitted on."""
    rows = [row for half in found for row in half.rows if row.score >= WEAKEST]
    columns = [1.0] * len(rows)
    weights = _newton([[*row.traits, one] for row, one in zip(rows, columns, strict=True)], rows)
    rounded = [round(weight, DIGITS) + 0.0 for weight in weights]  # no -0.0
    coefficients = dict(zip(TRAITS, rounded, strict=False))
    open_model = NearMiss(coefficients, rounded[-1], 0.5, source, digest_of_files)
    right = sorted(_probability(open_model, row) for row in rows if row.right)
    limit = right[min(len(right) - 1, math.ceil((1 - LOST) * len(right)) - 1)] if right else 0.5
    limit = min(1 - 10**-DIGITS, max(10**-DIGITS, round(limit, DIGITS)))
    return NearMiss(coefficients, rounded[-1], limit, source, digest_of_files)


def _probability(model: NearMiss, row: Row) -> float:
    return model.probability(dict(zip(TRAITS, row.traits, strict=True)))


def _newton(table: Sequence[Sequence[float]], rows: Sequence[Row]) -> list[float]:
    """The coefficients of whether a row is not right; the last column is the intercept."""
    size = len(table[0])
    counts = {right: sum(row.right == right for row in rows) or 1 for right in (False, True)}
    shares = {right: len(rows) / 2 / count for right, count in counts.items()}
    found = [0.0] * size
    for _ in range(STEPS):
        gradient = [RIDGE * value for value in found[:-1]] + [0.0]
        curvature = [[RIDGE if a == b < size - 1 else 0.0 for b in range(size)] for a in range(size)]
        for line, row in zip(table, rows, strict=True):
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, _dot(found, line)))))
            error = (chance - (not row.right)) * shares[row.right]
            bend = max(chance * (1 - chance), 1e-6) * shares[row.right]
            for a, value in enumerate(line):
                gradient[a] += error * value
                bent, into = bend * value, curvature[a]
                for b in range(a + 1):
                    into[b] += bent * line[b]
        for a in range(size):
            for b in range(a):
                curvature[b][a] = curvature[a][b]
        found = [value - step for value, step in zip(found, solved(curvature, gradient), strict=True)]
    return found


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    total = 0.0
    for a, b in zip(left, right, strict=True):
        total += a * b
    return total


def _compared(found: Sequence[Half]) -> Iterator[tuple[str, ...]]:
    """Each language by models of the others' other half of the articles, the gate calibrated on that half."""
    langs = list(dict.fromkeys(half.lang for half in found))
    table: list[list[float]] = []
    for lang in langs:
        by_half = [_compare(half, found) for half in found if half.lang == lang]
        table.append([sum(column) / len(by_half) for column in zip(*by_half, strict=True)])
        yield lang, *_cells(table[-1])
    yield "mean", *_cells([sum(column) / len(table) for column in zip(*table, strict=True)])


def _compare(tested: Half, found: Sequence[Half]) -> list[float]:
    others = [half for half in found if half.half != tested.half and half.lang != tested.lang]
    gate = next(half for half in found if half.half != tested.half and half.lang == tested.lang)
    model = fit(others or [gate], "", "")
    threshold = conformal_threshold(gate.unrelated, ALPHA)
    passed = [row for row in tested.rows if row.score >= threshold]
    strict = [row for row in passed if _probability(model, row) <= model.limit]
    near = sum(row.hidden for row in tested.rows)
    asked_for = len(tested.rows) - near
    return [
        sum(row.hidden for row in passed) / near,
        sum(row.hidden for row in strict) / near,
        sum(row.right for row in passed) / asked_for,
        sum(row.right for row in strict) / asked_for,
    ]


def _cells(figures: Sequence[float]) -> list[str]:
    return [f"{100 * figure:.1f}" for figure in figures]
