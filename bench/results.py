"""Figures kept in a file, so that a long measurement is neither lost nor made twice.

A figure belongs to a system, a set, and a digest of both: our scorers' code or the engine's program and
versions, the set's passages and questions. When the digest differs the figure is measured again.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import metrics
from bench.grading import COLUMNS, Figures, Folds
from bench.squad import QuestionSet

FORMAT = 1
OWN = "Cairn, "
"""What the names of our scorers begin with."""
RATES = tuple(step / 400 for step in range(81))
"""Shares of unanswerable questions let pass at which the curve is read: 0 to 20 % in steps of a quarter."""
CORE = Path(__file__).resolve().parent.parent / "cairn_core"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a system reached on a set: its figures, and its coverage at each of `RATES`."""

    system: str
    set_name: str
    digest: str
    figures: Figures
    curve: tuple[float, ...]


def curve(folds: Folds) -> tuple[float, ...]:
    """Coverage at each of `RATES`."""
    refused = [score for score, _ in folds.unanswerable]
    thresholds = [metrics.threshold_for(refused, rate) for rate in RATES]
    return tuple(metrics.coverage(folds.answerable, threshold) for threshold in thresholds)


def read(path: Path) -> list[Measurement]:
    """Return what a file holds, nothing without a file. Raises ValueError for a file of another format."""
    if not path.is_file():
        return []
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        if plain["format"] == FORMAT:
            return [_measurement(entry) for entry in plain["measurements"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f'"{path}" does not hold figures of this bench') from error
    raise ValueError(f'"{path}" has format {plain["format"]}, not {FORMAT}')


def write(path: Path, measurements: Sequence[Measurement]) -> None:
    """Write measurements, one a line."""
    lines = [json.dumps(asdict(one), ensure_ascii=False) for one in measurements]
    inner = ",\n".join(lines)
    path.write_text(f'{{"format": {FORMAT}, "measurements": [\n{inner}\n]}}\n', encoding="utf-8")


def _measurement(entry: Mapping[str, object]) -> Measurement:
    figures, points = entry["figures"], entry["curve"]
    if not isinstance(figures, dict) or not isinstance(points, list) or len(points) != len(RATES):
        raise TypeError("figures, curve")
    return Measurement(
        str(entry["system"]),
        str(entry["set_name"]),
        str(entry["digest"]),
        Figures(**{name: float(figures[name]) for name in COLUMNS}),
        tuple(float(point) for point in points),
    )


def core_code() -> bytes:
    """Return the code of our scorers, as bytes to take a digest of."""
    return b"\0".join(path.read_bytes() for path in sorted(CORE.rglob("*.py")))


def digest(*parts: bytes) -> str:
    """Return twelve hexadecimal digits that stand for the parts."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def digest_on(system: str, one: QuestionSet) -> str:
    """Return what stands for a system, given by its own digest, on one set."""
    texts = [system, one.lang, *(passage.text for passage in one.passages)]
    texts += [f"{question.gold} {question.text}" for question in one.questions]
    return digest(*(text.encode() for text in texts))
