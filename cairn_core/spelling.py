"""Misspelled words set right: one edit behind the first letter, to a word of the passages.

Only words they have nothing like are corrected. Candidates come from the vocabulary with single characters
deleted (Garbe's symmetric delete), one table for each length, made when a question first needs it. What was
corrected is told to the reader: `rewording`.
"""

from __future__ import annotations

from collections.abc import Mapping

from cairn_core.analysis import stem, words
from cairn_core.fields import Statistics
from cairn_core.passage import Passage
from cairn_core.text import UNSPACED, is_word, pieces, without_marks

SHORTEST = 4  # code points of a word that is corrected and of one it is corrected to


class Corrector:
    """The vocabulary of one language, looked up with an edit."""

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self._spellings: dict[str, str] = {}
        for word in statistics.vocabulary:
            bare = without_marks(word)
            if _is_correctable(bare):
                before = self._spellings.get(bare)
                self._spellings[bare] = word if before is None else min(before, word, key=self._rank)
        self._by_length: dict[int, list[str]] = {}
        for bare in self._spellings:
            self._by_length.setdefault(len(bare), []).append(bare)
        self._tables: dict[int, Mapping[str, list[str]]] = {}

    def corrected(self, word: str) -> str | None:
        """The word of the vocabulary meant by `word`, a word of `analysis.words`, or None.

        None for a word that is held, or whose stem is; the commonest of several, the first in order among
        equals. A distance of one is an insertion, deletion, substitution or the swap of two neighbours
        (Damerau, 1964), the first letter kept; accents do not count.
        """
        bare = without_marks(word)
        if not _is_correctable(bare) or self._statistics.holders("stem", stem(word)):
            return None
        shorter = deletions(bare)
        near = {
            found
            for length in range(len(bare) - 1, len(bare) + 2)
            for cut in shorter
            for found in self._table(length).get(cut, ())
            if found[0] == bare[0] and is_one_edit(bare, found)
        }
        return min((self._spellings[found] for found in near), key=self._rank, default=None)

    def _rank(self, word: str) -> tuple[int, str]:
        return -self._statistics.frequency("word", word), word

    def _table(self, length: int) -> Mapping[str, list[str]]:
        """The words of a length by themselves and by what is left of them without one character."""
        if length not in self._tables:
            table: dict[str, list[str]] = {}
            for word in self._by_length.get(length, ()):
                for cut in deletions(word):
                    table.setdefault(cut, []).append(word)
            self._tables[length] = table
        return self._tables[length]


def as_written(word: str, passage: Passage) -> str:
    """A word of the vocabulary as a passage writes it: with a small letter where it ever does, else as it
    does first; itself where it is only part of a word there.
    """
    text = "\n".join((passage.text, passage.section, passage.title))
    forms = [piece for piece in pieces(text) if is_word(piece) and words(piece) == [word]]
    return next((form for form in forms if form[0].islower()), forms[0] if forms else word)


def deletions(word: str) -> list[str]:
    """`word` itself and `word` without one of its characters, each once."""
    return list(dict.fromkeys([word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]))


def is_one_edit(one: str, other: str) -> bool:
    """Whether at most one edit makes one word of the other."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    if len(one) != len(other):
        return one[1:] == other or one == other[1:]
    return one[1:] == other[1:] or (one[:2] == other[1::-1] and one[2:] == other[2:])


def _is_correctable(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha() and not UNSPACED.search(word)
