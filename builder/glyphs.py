"""Which characters pages have a typeface for: signs, and letters of a script one is bundled or declared for.

A script is named by the first word of the Unicode names of its letters. For those listed here that none is
bundled for (`typefaces`) the style sheet declares the generic families of the reader's system.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache

_SCRIPTS = """
ARABIC ARMENIAN BENGALI BOPOMOFO CJK CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI GURMUKHI HANGUL
HEBREW HIRAGANA KANNADA KATAKANA KATAKANA-HIRAGANA KHMER LAO LATIN MALAYALAM MYANMAR ORIYA SINHALA TAMIL
TELUGU THAANA THAI TIBETAN
ADLAM BALINESE BAMUM BATAK CANADIAN CHAKMA CHAM CHEROKEE HANIFI JAVANESE KAYAH LEPCHA LIMBU LISU MANDAIC
MEETEI MIAO MONGOLIAN NEW NEWA NKO NYIAKENG OL OSAGE SAURASHTRA SUNDANESE SYLOTI SYRIAC TAI TIFINAGH VAI
WANCHO YI
"""
_SIGNS = """
ALEF ANGSTROM BET BLACK-LETTER CARON CIRCLED COMBINING DALET DOUBLE-STRUCK ENCLOSING EULER FEMININE FULLWIDTH
GIMEL HALFWIDTH IDEOGRAPHIC INFORMATION KELVIN MASCULINE MASU MATHEMATICAL MICRO MODIFIER OHM PLANCK ROMAN
SCRIPT SUBSCRIPT SUPERSCRIPT TURNED VARIATION VEDIC VERTICAL VIETNAMESE
"""

SCRIPTS = frozenset(_SCRIPTS.split())
"""Scripts in use: those of Unicode Standard Annex 31, tables 5 and 7, and the Mongolian one."""

SIGNS = frozenset(_SIGNS.split())
"""First words of the names of letters and marks that belong to no script, or to several."""

_NO_CHARACTER = frozenset({"Co", "Cn"})
"""Categories for private use, which every typeface fills as it likes, and of what Unicode does not know."""


@cache
def shown(char: str) -> bool:
    """Tell whether pages have a typeface for a character; what cannot be seen is judged by `characters`."""
    category = unicodedata.category(char)
    if category[0] not in "LM":
        return category not in _NO_CHARACTER
    script = unicodedata.name(char, "").partition(" ")[0]
    return script in SCRIPTS or script in SIGNS


def unshown(text: str) -> Mapping[str, int]:
    """Return the characters of a text that no typeface shows, each with the offset of its first place."""
    if text.isascii():
        return {}
    return {char: text.index(char) for char in sorted(set(text)) if not shown(char)}
