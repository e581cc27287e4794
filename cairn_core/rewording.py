"""A question in the words of the documents: with the glossary's words, and misspelled ones set right.

What was changed is kept, since the reader is told and can take it back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cairn_core.analysis import stem, words
from cairn_core.evidence import grammar
from cairn_core.glossary import Expansion, Glossary
from cairn_core.index import AnyShard
from cairn_core.text import is_word, pieces, without_marks

Correction = tuple[str, str]  # a word as typed, and as it is searched


@dataclass(frozen=True, slots=True)
class Reworded:
    """The text to search, and how it differs from the question."""

    text: str
    corrections: tuple[Correction, ...] = ()
    expansions: tuple[Expansion, ...] = ()


def reword(question: str, shard: AnyShard, glossary: Glossary | None, *, spelling: bool) -> Reworded:
    """`question` as it is searched in `shard`.

    Words of a glossary's phrase that no passage has give way to the glossary's words; the others stay beside
    them. spelling: correct misspelled words elsewhere; function words of the language are never corrected,
    and a word written as a name within a sentence only to a name.
    """
    parts: list[str | Expansion] = glossary.split(question) if glossary else [question]
    corrections: dict[str, str] = {}
    text: list[str] = []
    for part in parts:
        if isinstance(part, Expansion):
            text.append(f" {' '.join((*_held(part.phrase, shard), *part.words))} ")
        elif spelling:
            text.append(_corrected(part, shard, grammar(shard.lang), corrections))
        else:
            text.append(part)
    expansions = tuple(part for part in parts if isinstance(part, Expansion))
    return Reworded("".join(text), tuple(corrections.items()), expansions)


def _held(phrase: str, shard: AnyShard) -> list[str]:
    return [word for word in words(phrase) if shard.has_stem(stem(word))]


def _corrected(text: str, shard: AnyShard, function_words: Collection[str], found: dict[str, str]) -> str:
    """`text` with misspelled words set right; `found` gets each once."""
    result: list[str] = []
    started = False
    for piece in pieces(text):
        word = words(piece) if is_word(piece) else []
        meant = (
            shard.corrector.corrected(word[0])
            if len(word) == 1 and without_marks(word[0]) not in function_words
            else None
        )
        if meant and started and _is_name_like(piece) and not _is_name_like(shard.written(meant)):
            meant = None
        started = _within_sentence(piece, started)
        if meant:
            found[piece] = shard.written(meant)
        result.append(found[piece] if meant else piece)
    return "".join(result)


def _is_name_like(piece: str) -> bool:
    """Whether a word is written as names are in scripts with capital letters."""
    return piece[0].isupper() and piece[1:].islower()


def _within_sentence(piece: str, started: bool) -> bool:
    """Whether a word after `piece` continues a sentence."""
    return is_word(piece) or (started and not any(mark in piece for mark in ".?!\n\t:"))
