"""Urgent help that an operator has written: shown to whoever types one of its words, whatever is searched.

A word or phrase is compared as in a glossary: whole words, their case and accents aside; anywhere in scripts
written without spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cairn_core.errors import ConfigError
from cairn_core.glossary import key


@dataclass(frozen=True, slots=True)
class Urgent:
    """Of one language: the words that call it up, what to do, and whom to call. None of them is empty."""

    words: tuple[str, ...]
    text: str
    contact: str

    def __post_init__(self) -> None:
        if not self.words or not all(key(word) for word in self.words):
            raise ConfigError("urgent help has no words", "list what people in need type", "words")
        if not self.text.strip():
            raise ConfigError("urgent help has no text", "say in a sentence what to do", "text")
        if not self.contact.strip():
            raise ConfigError("urgent help has no contact", "give a number that answers now", "contact")

    def called_by(self, question: str) -> bool:
        """Whether one of the words stands in a question."""
        asked = key(question)
        return any(_stands_in(key(word), asked) for word in self.words)

    def to_json(self) -> dict[str, object]:
        """The entry as plain JSON values."""
        return {"words": list(self.words), "text": self.text, "contact": self.contact}

    @classmethod
    def from_json(cls, plain: object) -> Urgent:
        """The entry `to_json` wrote. Raises ConfigError for anything else."""
        match plain:
            case {"words": [*words], "text": str(text), "contact": str(contact), **more} if not more:
                if all(isinstance(word, str) for word in words):
                    return cls(tuple(words), text, contact)
        raise ConfigError("urgent help is damaged", "build the site again", "urgent")


def called(question: str, table: Mapping[str, Urgent], first: Iterable[str]) -> str:
    """The language whose urgent help a question calls up, those of `first` before the others; "" for none."""
    order = dict.fromkeys([*(lang for lang in first if lang in table), *sorted(table)])
    return next((lang for lang in order if table[lang].called_by(question)), "")


def _stands_in(phrase: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    size = len(phrase)
    return any(asked[start : start + size] == phrase for start in range(len(asked) - size + 1))
