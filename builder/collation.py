"""The order of titles in a language, and the letters of its A to Z.

The standard library has no collation tables. The letters of a language stand in its catalogue in their order;
letters that are not among them follow by Unicode code point, accents and case aside. A language without a
catalogue has no letters of its own. Articles count, and the syllables of Chinese are not known: its titles
stand by code point.
"""

import unicodedata
from functools import cache

from cairn_core.language import catalogue, has_own_catalogue

type Order = tuple[tuple[tuple[int, str], ...], str, str]


def order(text: str, lang: str) -> Order:
    """Return what titles of `lang` are sorted by: its letters, then accents, then the text itself.

    Of two titles that differ in white space and punctuation only, the full text decides.
    """
    ranks = _ranks(lang)
    letters = [_letter(char, ranks) for char in _composed(text)]
    kept = tuple(
        (ranks[letter], "") if letter in ranks else (len(ranks), letter) for letter in letters if letter
    )
    return kept, _composed(text), text


def initial(text: str, lang: str) -> str:
    """Return the letter of the alphabet of `lang` under which a title stands, "#" for every other."""
    ranks = _ranks(lang)
    first = next((letter for char in _composed(text) if (letter := _letter(char, ranks)).strip()), "")
    return first.upper() if first in ranks else "#"


@cache
def _ranks(lang: str) -> dict[str, int]:
    alphabet = catalogue(lang).alphabet if has_own_catalogue(lang) else ""
    letters: dict[str, int] = {" ": 0}
    for rank, group in enumerate(alphabet.split(), start=1):
        letters[group] = rank
    return letters


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())


def _letter(char: str, ranks: dict[str, int]) -> str:
    """Return the letter of the alphabet a character counts as, "" for a mark or sign."""
    if char in ranks:
        return char
    plain = "".join(one for one in unicodedata.normalize("NFKD", char) if one.isalnum())
    return plain[:1] if plain else (" " if char.isspace() else "")
