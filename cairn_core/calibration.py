"""Thresholds with a stated rate: what a gate lets through of questions like the ones it was calibrated on.

Split-conformal (Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005): nothing is assumed
about the scores, only that later questions are drawn as the calibrating ones were. Where probes come from and
where thresholds are kept is the builder's and `config`'s concern.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

from cairn_core.errors import ConfigError

STEP = 1e-9  # scores are rounded to nine digits, so this is just above one
ORIGINS = ("probes", "floor", "borrowed")


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold of one language and how it was found.

    probes: questions that must be refused. alpha: the share of further such questions that may be accepted,
    in (0, 1). realised: the share of the probes that was. set_aside: those of the probes that did not move
    the threshold because they seem to be about the documents; with any, alpha is not promised.
    origin: one of ORIGINS; probes set the threshold, or no threshold is lower, or it is another language's.
    """

    threshold: float
    probes: int
    alpha: float
    realised: float
    set_aside: int = 0
    origin: str = ORIGINS[0]

    def __post_init__(self) -> None:
        for name, low, high in (("threshold", 0.0, 1.0), ("alpha", 0.0, 1.0), ("realised", 0.0, 1.0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
                raise ConfigError(f'{name} "{value}" is not in [0, 1]', "build the site again", name)
        for name, count in (("probes", self.probes), ("set_aside", self.set_aside)):
            if type(count) is not int or count < 0:
                raise ConfigError(f'{name} "{count}" is not a count', "build the site again", name)
        if self.set_aside > self.probes:
            raise ConfigError("more probes are set aside than there are", "build the site again", "set_aside")
        if self.origin not in ORIGINS:
            raise ConfigError(f'origin "{self.origin}" is unknown', "build the site again", "origin")
        if not self.threshold:
            raise ConfigError("a threshold of 0 accepts everything", "build the site again", "threshold")

    def to_json(self) -> dict[str, object]:
        """The fields as plain JSON values."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, plain: object) -> Calibration:
        """The calibration `to_json` wrote. Raises ConfigError."""
        if not isinstance(plain, dict) or plain.keys() != {one.name for one in fields(cls)}:
            raise ConfigError("it is not a calibration", "build the site again", "calibration")
        return cls(**plain)


def conformal_threshold(scores: Sequence[float], alpha: float) -> float:
    """The lowest threshold that accepts a further such score with a probability of at most `alpha`.

    scores: of questions that must be refused. 1 / alpha - 1 of them are needed; with fewer the threshold is
    just above the highest, and the rate that can be stated is 1 / (n + 1).
    """
    if not scores:
        raise ValueError("there are no scores to calibrate on")
    rising = sorted(scores)
    rank = min(len(rising), math.ceil((len(rising) + 1) * (1 - alpha)))
    return round(rising[rank - 1] + STEP, 9)
