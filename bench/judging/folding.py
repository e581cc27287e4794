"""One written form for what counts as the same letters: width, case, digits, accents, Arabic variants."""

import re
import unicodedata
from functools import lru_cache

from cairn_core.text import without_marks

INVISIBLE = "\u00ad\u200b-\u200f\u2060\ufeff\u0640"
"""Characters that are no part of a word, as the inside of a character class."""

_DROPPED = re.compile(f"[{INVISIBLE}]")
_ARABIC_VOWELS = dict.fromkeys([*range(0x064B, 0x0660), 0x0670, 0x0640])
_ARABIC_LETTERS = str.maketrans("أإآٱىةکیؤئ", "اااايهكيوي")


def fold(text: str, tones: bool = False) -> str:
    """Unify compatibility forms, case, digits and apostrophes; drop the invisible, and accents unless they
    are `tones` that tell words apart, as in Vietnamese."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    bare = _DROPPED.sub("", folded).replace("’", "'").replace("ʼ", "'")
    bare = bare if tones else without_marks(bare)
    if not bare.isascii():
        bare = bare.translate(_ARABIC_VOWELS).translate(_ARABIC_LETTERS)
        bare = "".join(str(unicodedata.digit(char)) if char.isdecimal() else char for char in bare)
    return bare


@lru_cache(maxsize=65536)
def fold_word(word: str, tones: bool = False) -> str:
    """Return `fold(word)`, remembered."""
    return fold(word, tones)
