"""One written form for what counts as the same letters: width, case, digits, accents, Arabic variants."""

import re
import unicodedata
from functools import lru_cache

from cairn_core.text import without_marks

INVISIBLE = "\u00ad\u200b-\u200f\u2060\ufeff\u0640"
"""Characters that are no part of a word, as the inside of a character class."""

_DROPPED = re.compile(f"[{INVISIBLE}]")
_FOREIGN = re.compile("[^\x00-\x7f]{1,64}")
_ARABIC = re.compile("[\u0600-\u06ff]")
_FOREIGN_DIGITS = re.compile("(?:(?![0-9])\\d)+")
_ARABIC_VOWELS = dict.fromkeys([*range(0x064B, 0x0660), 0x0670, 0x0640])
_ARABIC_LETTERS = str.maketrans("أإآٱىةکیؤئ", "اااايهكيوي")


def fold(text: str, tones: bool = False) -> str:
    """Unify compatibility forms, case, digits and apostrophes; drop the invisible, and accents unless they
    are `tones` that tell words apart, as in Vietnamese."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    bare = _bare_with_tones if tones else _bare
    return _FOREIGN.sub(lambda match: bare(match.group()), folded)


@lru_cache(maxsize=16384)
def _bare(run: str) -> str:
    return _bare_with_tones(without_marks(run))


def _bare_with_tones(run: str) -> str:
    bare = _DROPPED.sub("", run).replace("’", "'").replace("ʼ", "'")
    if _ARABIC.search(bare):
        bare = bare.translate(_ARABIC_VOWELS).translate(_ARABIC_LETTERS)
    return _FOREIGN_DIGITS.sub(_ascii, bare)


def _ascii(match: re.Match[str]) -> str:
    return "".join(str(unicodedata.digit(char)) for char in match.group())


@lru_cache(maxsize=65536)
def fold_word(word: str, tones: bool = False) -> str:
    """Return `fold(word)`, remembered."""
    return fold(word, tones)
