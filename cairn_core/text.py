"""What counts as a word and as a term, in every script.

A word is a folded run of letters, digits and marks. A term is what the index holds: the first five code
points of a word, or an n-gram of a run in a script written without spaces. Which terms carry weight is the
index's concern.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

STEM = 5  # code points of a word that are kept
SHORTEST = 3  # code points a term needs, unless it is a number

# Han, kana and Hangul are indexed by pairs, as in Lucene's CJKBigramFilter.
_PAIRS = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_PAIRS += "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff\U00020000-\U000323af"
# Thai, Lao, Myanmar and Khmer write vowels and tones as code points of their own, so a syllable needs three.
_TRIPLES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f\ua9e0-\ua9ff"
UNSPACED = re.compile(f"[{_PAIRS}]+|[{_TRIPLES}]+")
PAIR = re.compile(f"[{_PAIRS}]")

_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff]")
_ARABIC_VOWELS = dict.fromkeys([*range(0x064B, 0x0660), 0x0670])
_ARABIC_LETTERS = str.maketrans("أإآٱىةکی", "اااايهكي")
# Arabic writes the article, and some prepositions with it, joined to the word.
_ARABIC_CLITICS = ("وال", "بال", "كال", "فال", "لل", "ال", "ل")

_LATIN_MARKS = dict.fromkeys(range(0x0300, 0x0370))


class _Folding(dict[int, int | str | None]):
    """Code point -> itself in a word, a space between words, nothing for the invisible; filled on demand."""

    def __missing__(self, code: int) -> int | str | None:
        self[code] = folded = _folded(code)
        return folded


def _folded(code: int) -> int | str | None:
    char = chr(code)
    category = unicodedata.category(char)
    if category in {"Cf", "Me"} or char == "\u0640" or "VARIATION SELECTOR" in unicodedata.name(char, ""):
        return None
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if char.isalnum() or char == "_" or category in {"Mn", "Mc"}:
        return code
    return " "


_FOLDING = _Folding()


def words(text: str) -> list[str]:
    """The folded words of `text`: compatibility forms unified, case and digits folded, marks kept."""
    unified = unicodedata.normalize("NFKC", text)
    return unicodedata.normalize("NFKC", unified.casefold()).translate(_FOLDING).split()


def pieces(text: str) -> list[str]:
    """`text` cut where words begin and end: words as they are written and what stands between them."""
    found: list[str] = []
    before: bool | None = None
    for char in text:
        inside = is_word(char)
        if inside == before:
            found[-1] += char
        else:
            found.append(char)
        before = inside
    return found


def is_word(piece: str) -> bool:
    """Whether a piece is a word and not what stands between two."""
    return _FOLDING[ord(piece[0])] != " "


def terms(text: str) -> list[str]:
    """The index terms of `text` in order, repeated as often as they occur."""
    found: list[str] = []
    for word in words(text):
        found.extend(_terms_of(word))
    return found


@lru_cache(maxsize=16384)
def _terms_of(word: str) -> tuple[str, ...]:
    if word.isascii() or not UNSPACED.search(word):
        term = _stem(word)
        return (term,) if term else ()
    found: list[str] = []
    end = 0
    for run in UNSPACED.finditer(word):
        found.extend((_stem(word[end : run.start()]), *_ngrams(run.group())))
        end = run.end()
    found.append(_stem(word[end:]))
    return tuple(filter(None, found))


def _ngrams(run: str) -> list[str]:
    size = 2 if PAIR.match(run) else 3
    return [run[start : start + size] for start in range(max(1, len(run) - size + 1))]


def _stem(word: str) -> str:
    if not word.isascii() and _ARABIC.search(word):
        word = _arabic(word)
    term = word[:STEM]
    return term if len(term) >= SHORTEST or term.isdigit() else ""


def _arabic(word: str) -> str:
    word = word.translate(_ARABIC_VOWELS).translate(_ARABIC_LETTERS)
    for clitic in _ARABIC_CLITICS:
        if word.startswith(clitic) and len(word) - len(clitic) >= SHORTEST:
            return word[len(clitic) :]
    return word


def without_marks(word: str) -> str:
    """`word` without the accents of Latin, Greek and Cyrillic letters; marks of other scripts stay."""
    if word.isascii():
        return word
    bare = unicodedata.normalize("NFD", word).translate(_LATIN_MARKS)
    return unicodedata.normalize("NFC", bare)


@lru_cache(maxsize=4096)
def script_of(char: str) -> str:
    """The script of a letter, by the first word of its Unicode name ("LATIN", "CJK"); kana are "KANA", the
    rest ""."""
    if not char.isalpha():
        return ""
    script = unicodedata.name(char, "").partition(" ")[0]
    return "KANA" if script in {"HIRAGANA", "KATAKANA"} else script


def forget() -> None:
    """Drop the words this module remembers."""
    _terms_of.cache_clear()
