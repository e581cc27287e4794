"""The near-miss model: how likely a passage that scores well does not hold the answer.

A logistic regression with its coefficients as data. What it is asked of, and what follows, is `strictness`'s
concern; `python -m bench near-miss` fits the coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cairn_core.errors import ConfigError

FORMAT = 1
TRAITS = (
    "own",
    "lead",
    "document lead",
    "neighbours",
    "document",
    "held",
    "sentence held",
    "rarest held",
    "unseen",
    "length",
)
"""What the model is asked by, as `strictness.traits` works it out."""

_DIGITS = 9
_STEEPEST = 50.0
_HINT = "build the site again"


@dataclass(frozen=True, slots=True)
class Judgement:
    """How likely the best passage of a search does not hold the answer, and up to where it is let through."""

    probability: float
    limit: float

    @property
    def is_near_miss(self) -> bool:
        return self.probability > self.limit


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The model. coefficients: one for each of TRAITS. limit: the highest probability that is let through.

    source: what the coefficients were fitted on, digest: the SHA-256 of those files, in hexadecimal.
    """

    coefficients: Mapping[str, float]
    intercept: float
    limit: float
    source: str
    digest: str

    def __post_init__(self) -> None:
        if set(self.coefficients) != set(TRAITS):
            raise ConfigError("the near-miss model has other traits", _HINT, "near_miss.coefficients")
        numbers = {**self.coefficients, "intercept": self.intercept, "limit": self.limit}
        for name, value in numbers.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ConfigError(f'"{value}" is not a number', _HINT, f"near_miss.{name}")
        if not 0.0 < self.limit < 1.0:
            raise ConfigError(f'limit "{self.limit}" is not in (0, 1)', _HINT, "near_miss.limit")
        for name, text in (("source", self.source), ("digest", self.digest)):
            if not isinstance(text, str):
                raise ConfigError(f'{name} "{text}" is not text', _HINT, f"near_miss.{name}")
        object.__setattr__(self, "coefficients", MappingProxyType(dict(self.coefficients)))

    def probability(self, traits: Mapping[str, float]) -> float:
        """How likely a passage with these traits does not hold the answer, in [0, 1], to nine digits."""
        total = self.intercept
        for name in TRAITS:
            total += self.coefficients[name] * traits[name]
        return round(1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, total)))), _DIGITS)

    def to_json(self) -> dict[str, object]:
        """The model as plain JSON values."""
        return {
            "format": FORMAT,
            "source": self.source,
            "digest": self.digest,
            "limit": self.limit,
            "intercept": self.intercept,
            "coefficients": {name: self.coefficients[name] for name in TRAITS},
        }

    @classmethod
    def from_json(cls, plain: object) -> NearMiss:
        """The model `to_json` wrote. Raises ConfigError."""
        names = {"format", "source", "digest", "limit", "intercept", "coefficients"}
        if not isinstance(plain, dict) or plain.keys() != names or plain["format"] != FORMAT:
            raise ConfigError("it is not a near-miss model", _HINT, "near_miss")
        if not isinstance(plain["coefficients"], dict):
            raise ConfigError("the coefficients are not a table", _HINT, "near_miss.coefficients")
        return cls(**{name: plain[name] for name in names - {"format"}})
