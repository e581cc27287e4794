"""How hard a text is to read, by a published formula of its language; languages without one are not judged.

Each formula counts sentences, words and syllables or letters of the text, and is read on the scale its
authors give. A formula sees neither meaning nor layout: what it says is advice.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

LEAST_WORDS = 100
"""Flesch's samples had 100 words; a shorter text is not judged."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?…]+(?=\s|$)|\n+")


@dataclass(frozen=True, slots=True)
class Counts:
    """What formulas count in a text."""

    sentences: int
    words: int
    syllables: int
    letters: int

    @property
    def per_sentence(self) -> float:
        """Return words a sentence."""
        return self.words / self.sentences

    @property
    def per_word(self) -> float:
        """Return syllables a word."""
        return self.syllables / self.words


@dataclass(frozen=True, slots=True)
class Formula:
    """A published formula: a lower score is harder, and below `hard` its authors call a text difficult."""

    name: str
    source: str
    hard: float
    score: Callable[[Counts], float]


FORMULAS: Mapping[str, Formula] = {
    "en": Formula(
        "Flesch Reading Ease",
        "Flesch, A new readability yardstick, 1948",
        50,
        lambda one: 206.835 - 1.015 * one.per_sentence - 84.6 * one.per_word,
    ),
    "es": Formula(
        "Szigriszt-Pazos on the INFLESZ scale",
        "Szigriszt Pazos 1993; Barrio-Cantalejo et al. 2008",
        40,
        lambda one: 206.835 - 62.3 * one.per_word - one.per_sentence,
    ),
    "de": Formula(
        "Amstad",
        "Amstad, Wie verständlich sind unsere Zeitungen?, 1978",
        40,
        lambda one: 180 - one.per_sentence - 58.5 * one.per_word,
    ),
    "fr": Formula(
        "Kandel and Moles",
        "Kandel and Moles, Application de l'indice de Flesch à la langue française, 1958",
        50,
        lambda one: 207 - 1.015 * one.per_sentence - 73.6 * one.per_word,
    ),
    "it": Formula(
        "Gulpease",
        "Lucisano and Piemontese 1988",
        40,
        lambda one: 89 + (300 * one.sentences - 10 * one.letters) / one.words,
    ),
    "pt": Formula(
        "Flesch for Portuguese",
        "Martins et al. 1996",
        50,
        lambda one: 248.835 - 1.015 * one.per_sentence - 84.6 * one.per_word,
    ),
    "nl": Formula(
        "Flesch-Douma",
        "Douma 1960",
        45,
        lambda one: 206.84 - 0.93 * one.per_sentence - 77 * one.per_word,
    ),
    "ru": Formula(
        "Oborneva",
        "Oborneva 2006",
        30,
        lambda one: 206.835 - 1.3 * one.per_sentence - 60.1 * one.per_word,
    ),
}
"""Primary language subtag -> its formula."""

_VOWELS: Mapping[str, re.Pattern[str]] = {
    "es": re.compile(r"[aeoáéíóú]|[iuü]+(?![aeoáéó])|[iuü]+$"),
    "de": re.compile("[aeiouyäöü]+"),
    "fr": re.compile("[aeiouyàâæéèêëîïôœùûü]+(?!s?$)|[aiouyàâæéèêëîïôœùûü]+s?$"),
    "pt": re.compile("[aeiouáâãàéêíóôõú]+"),
    "nl": re.compile("[aeiouyëïéè]+"),
    "ru": re.compile("[аеёиоуыэюя]"),
}
"""Language -> what makes one syllable of a word in small letters. In Spanish a weak vowel beside a strong one
makes none of its own."""
_ENGLISH = re.compile("[aeiouy]+")
_SILENT_E = re.compile("(?<![aeiouyl])e(?:s|d)?$|(?<=[aeiouy]l)es?$")
_SPOKEN_E = re.compile("[td]ed$|[sxz]es$|[cs]hes$")


def score(texts: Iterable[str], lang: str) -> tuple[Formula, float] | None:
    """Return the formula of a language and the score of the texts together; None without a formula or with
    fewer than LEAST_WORDS.
    """
    code = lang.partition("-")[0]
    formula = FORMULAS.get(code)
    found = counts("\n".join(texts), code) if formula else None
    if formula is None or found is None or found.words < LEAST_WORDS:
        return None
    return formula, formula.score(found)


def counts(text: str, lang: str) -> Counts:
    """Return what formulas count; lines that end without a full stop are sentences too."""
    parts = [words for part in _SENTENCE.split(text) if (words := _WORD.findall(part))]
    words = [word.lower() for part in parts for word in part]
    return Counts(
        max(1, len(parts)),
        len(words),
        sum(syllables(word, lang) for word in words),
        sum(map(len, words)),
    )


def syllables(word: str, lang: str) -> int:
    """Return the syllables of a word in small letters, at least one; in English estimated from its vowels."""
    if lang == "en":
        found = len(_ENGLISH.findall(word))
        ends_silently = (
            found > 1 and _SILENT_E.search(word) and not re.search("[td]ed$|[sxz]es$|[cs]hes$", word)
        )
        return max(1, found - bool(ends_silently))
    pattern = _VOWELS.get(lang)
    return max(1, len(pattern.findall(word)) if pattern else 1)
