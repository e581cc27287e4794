"""An operator's glossary: what residents say, and the words of the documents for it.

A phrase matches whole words, whatever their case and accents; in scripts written without spaces it matches
anywhere. Reading and checking the files is the builder's work, searching the engine's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cairn_core.analysis import words
from cairn_core.errors import ConfigError
from cairn_core.text import UNSPACED, is_word, pieces, without_marks


class Expansion(NamedTuple):
    """A phrase as it stands in a question, and what is searched for it."""

    phrase: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glossary:
    """Phrase -> words of the documents, for one language. A phrase without a word is a ConfigError."""

    entries: Mapping[str, tuple[str, ...]]
    _by_key: Mapping[tuple[str, ...], tuple[str, ...]] = field(init=False, repr=False, compare=False)
    _longest: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        entries = {phrase: tuple(found) for phrase, found in sorted(self.entries.items())}
        by_key = {key(phrase): found for phrase, found in entries.items()}
        if () in by_key or not all(by_key.values()):
            raise ConfigError("a glossary entry is empty", "give a phrase and words", "glossary")
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "_by_key", by_key)
        object.__setattr__(self, "_longest", max(map(len, by_key), default=0))

    def split(self, text: str) -> list[str | Expansion]:
        """`text` in order: what the glossary leaves as it is, and the phrases it knows, the longest first."""
        units = _units(text)
        places = [at for at, (unit, _) in enumerate(units) if unit]
        found: list[str | Expansion] = []
        done = at = 0
        while at < len(places):
            size = self._match([units[place][0] for place in places[at : at + self._longest]])
            if not size:
                at += 1
                continue
            first, last = places[at], places[at + size - 1] + 1
            targets = self._by_key[tuple(units[place][0] for place in places[at : at + size])]
            found += [_written(units[done:first]), Expansion(_written(units[first:last]), targets)]
            done, at = last, at + size
        found.append(_written(units[done:]))
        return [part for part in found if part]

    def _match(self, ahead: Sequence[str]) -> int:
        """How many of the next units make a phrase, 0 for none."""
        return next((n for n in range(len(ahead), 0, -1) if tuple(ahead[:n]) in self._by_key), 0)

    def to_json(self) -> dict[str, list[str]]:
        """The entries as plain JSON values."""
        return {phrase: list(found) for phrase, found in self.entries.items()}

    @classmethod
    def from_json(cls, plain: object) -> Glossary:
        """The glossary `to_json` wrote. Raises ConfigError for anything else."""
        if not isinstance(plain, dict) or not all(
            isinstance(found, list) and all(isinstance(word, str) for word in found)
            for found in plain.values()
        ):
            raise ConfigError("a glossary is no table of words", "build the site again", "glossary")
        return cls({str(phrase): tuple(found) for phrase, found in plain.items()})


def key(phrase: str) -> tuple[str, ...]:
    """What a phrase is compared by; two phrases with one key are the same."""
    return tuple(unit for unit, _ in _units(phrase) if unit)


def _units(text: str) -> list[tuple[str, str]]:
    """What is compared and what is written, in order; nothing is compared between words."""
    found: list[tuple[str, str]] = []
    for piece in pieces(text):
        parts = _parts(piece) if is_word(piece) else [piece]
        found += [(without_marks("".join(words(part))), part) for part in parts]
    return found


def _parts(word: str) -> list[str]:
    """The letters of runs written without spaces one by one, and what stands between such runs."""
    parts: list[str] = []
    end = 0
    for run in UNSPACED.finditer(word):
        parts += [word[end : run.start()], *run.group()]
        end = run.end()
    return [part for part in (*parts, word[end:]) if part]


def _written(units: Sequence[tuple[str, str]]) -> str:
    return "".join(written for _, written in units)
