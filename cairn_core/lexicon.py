"""Which stems of one language stand for which of another, and how high their score must be to be evidence.

A lexicon is part of the shard of the asker's language. The builder learns and calibrates it; how it scores is
`crosslingual`'s concern.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cairn_core.calibration import Calibration
from cairn_core.errors import ConfigError, IndexFormatError
from cairn_core.jsontext import HINT, require

MOST = 5  # translations of one stem
WHOLE = 1000  # shares are written in thousandths

type Entries = Mapping[str, Mapping[str, float]]
"""Stem -> its likeliest translations with their shares in (0, 1], at most MOST."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What was learnt from one language's translations into another, and the gate of what it finds."""

    entries: Entries
    calibration: Calibration

    def to_json(self) -> dict[str, object]:
        """Entries as stem -> [translation, thousandths, translation, thousandths …], the likeliest first."""
        entries = {
            stem: [
                part
                for target, share in sorted(targets.items(), key=lambda one: (-one[1], one[0]))
                for part in (target, round(share * WHOLE))
            ]
            for stem, targets in self.entries.items()
        }
        return {"entries": entries, "calibration": self.calibration.to_json()}

    @classmethod
    def from_json(cls, plain: object, where: str) -> Lexicon:
        """What `to_json` wrote. Raises IndexFormatError naming the field."""
        fields = _table(plain, where)
        entries = _table(fields.get("entries"), f"{where}.entries")
        targets = {stem: _targets(flat, f"{where}.entries.{stem}") for stem, flat in entries.items()}
        try:
            return cls(targets, Calibration.from_json(fields.get("calibration")))
        except ConfigError as error:
            raise IndexFormatError(error.message, HINT, f"{where}.{error.location}") from error


def lexicons_from_json(plain: object, where: str) -> dict[str, Lexicon]:
    """Language of the translations -> lexicon. Raises IndexFormatError naming the field."""
    table = _table(plain, where)
    return {lang: Lexicon.from_json(table[lang], f"{where}.{lang}") for lang in sorted(table)}


def _table(plain: object, where: str) -> dict[str, object]:
    if not isinstance(plain, dict):
        raise IndexFormatError("it is not a table", HINT, where)
    return plain


def _targets(flat: object, where: str) -> dict[str, float]:
    pairs = flat if isinstance(flat, list) else []
    require(2 <= len(pairs) <= 2 * MOST and len(pairs) % 2 == 0, "it is not a list of pairs", where)
    for target, share in zip(pairs[::2], pairs[1::2], strict=True):
        require(isinstance(target, str) and target != "", "a translation is not text", where)
        require(type(share) is int and 0 < share <= WHOLE, "a share is not in 1 to 1000", where)
    return {target: share / WHOLE for target, share in zip(pairs[::2], pairs[1::2], strict=True)}
