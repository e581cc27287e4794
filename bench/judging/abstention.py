"""Sentences that decline to answer, found by slots of each language rather than by fixed phrases.

Slots: `source` (a word for the sources) followed by `silent` (does not mention); `speaker` (first person)
followed by `unknowing` (does not know); `impersonal` (not stated here). An apology is a lead-in and declines
nothing, words inside quotation marks are not the speaker's, and a claim after a contrast is
left to be judged.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bench.judging.folding import fold
from bench.judging.lexicon import LANGUAGES, Lexicon, lexicon, script_languages
from bench.judging.polarity import find
from bench.judging.quotations import QUOTED

GAP = 60  # characters between the two halves of a slot
PAIRS = (("source", "silent"), ("speaker", "unknowing"))


class Abstention(NamedTuple):
    """What in a sentence declines to answer: slot, folded words, and the language of the slot."""

    slot: str
    words: str
    lang: str


@lru_cache(maxsize=64)
def _patterns(lang: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    slots = lexicon(lang).abstention
    joined = {name: "|".join(map(_folded, patterns)) for name, patterns in slots.items()}
    found: list[tuple[str, re.Pattern[str]]] = []
    spaced = "" if lang in {"zh", "ja"} else r"(?<!\w)"
    if joined.get("impersonal"):
        found.append(("impersonal", re.compile(rf"{spaced}(?:{joined['impersonal']})", re.IGNORECASE)))
    for first, second in PAIRS:
        if joined.get(first) and joined.get(second):
            gap = rf"[^.;!?。！？؟।]{{0,{GAP}}}?"
            found.append(
                (
                    first,
                    re.compile(
                        rf"{spaced}(?:{joined[first]}){gap}{spaced}(?:{joined[second]})", re.IGNORECASE
                    ),
                )
            )
    return tuple(found)


def _folded(pattern: str) -> str:
    # Folding lowers letters, so the upper-case classes are spelled out first.
    return fold(pattern.replace(r"\W", r"[^\w]").replace(r"\S", r"[^\s]"))


def _straight(text: str) -> str:
    return " ".join(QUOTED.sub(" ", fold(text).replace("‘", "'")).split())


def abstains(sentence: str, langs: Iterable[str]) -> Abstention | None:
    """Return what in a sentence declines to answer, looking with the slots of these languages in order."""
    text = _straight(sentence)
    for lang in langs:
        for slot, pattern in _patterns(lang):
            match = pattern.search(text)
            if match:
                return Abstention(slot, match.group(), lang)
    return None


def languages_for(text: str, detected: str) -> tuple[str, ...]:
    """Return the languages whose slots are tried: the detected one, then the others of its script."""
    same = [code for code in script_languages(text) if code in LANGUAGES]
    first = [detected] if detected in LANGUAGES else []
    return tuple(dict.fromkeys([*first, *same, "en"]))


@lru_cache(maxsize=64)
def _lead_in(lang: str) -> re.Pattern[str] | None:
    words = lexicon(lang)
    openings = words.abstention.get("lead_in")
    if not openings:
        return None
    contrast = "|".join(map(re.escape, words.contrast)) or r"(?!)"
    return re.compile(
        rf"(?:{'|'.join(openings)})[ ,.،，、:;]*(?:(?:{contrast})(?!\w)[ ,،，、]*)?", re.IGNORECASE
    )


def lead_in(sentence: str, lang: str) -> int:
    """Return how many characters of a sentence are an apology or "according to the text"; 0 without one."""
    pattern = _lead_in(lang)
    match = pattern.match(sentence) if pattern else None
    rest = sentence[match.end() :] if match else ""
    return match.end() if match and any(char.isalnum() for char in rest) else 0


def tail(sentence: str, words: Lexicon) -> tuple[str, int] | None:
    """Return what follows a contrast ("I do not know, but …") and where it begins; None without one."""
    match = find(words.contrast, sentence)
    if not match or match.start() < 4:
        return None
    rest = sentence[match.end() :]
    start = match.end() + len(rest) - len(rest.lstrip(" ,،、，"))
    return (sentence[start:], start) if len(sentence) - start > 3 else None
