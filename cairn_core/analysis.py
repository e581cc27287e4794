"""How text becomes evidence: its words, and the stems and in-word grams that follow from a word alone.

Nothing here knows a language, only scripts. Runs of scripts written without spaces are cut into overlapping
n-grams that count as words. What a term weighs is the concern of `statistics` and `evidence`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from cairn_core import text as plain_text
from cairn_core.text import PAIR, UNSPACED, without_marks

STEM = 5  # code points of a folded word that make its stem, 3 in scripts written without spaces
GRAM = 4  # code points of an in-word gram; 4 is best of 3, 4 and 5 over 12 languages (ADR 6)
SHORTEST_ROOT = 3  # letters that must stay when an Arabic affix is taken off
SHORTEST_SENTENCE = 25  # code points; shorter ones are mostly abbreviations and numbering

_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff]")
_ARABIC_POINTS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]")
_ARABIC_LETTERS = str.maketrans("أإآٱىةؤئکی", "اااايهويكي")
# Light10: Larkey, Ballesteros and Connell, Light Stemming for Arabic Information Retrieval, 2007.
_ARABIC_PREFIXES = ("وال", "بال", "كال", "فال", "لل", "ال", "و", "ل", "ب", "ف", "ك")
_ARABIC_SUFFIXES = ("هما", "كما", "ها", "ان", "ات", "ون", "ين", "يه", "هم", "هن", "كم", "نا", "ه", "ي")
# Hebrew joins and, the, in, to, from, that and as to the word; at least three letters stay.
_HEBREW_PREFIXES = re.compile("[והבלמשכ]+(?=[\u05d0-\u05ea]{3})")
_LETTER_VARIANTS = str.maketrans({"ı": "i", "đ": "d", "ł": "l", "ø": "o", "ß": "ss", "ς": "σ"})
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？؟।၊။…])\s*")


def words(text: str) -> list[str]:
    """The words of `text` in order, accents kept, Arabic letters without points and spelling variants."""
    found: list[str] = []
    for word in plain_text.words(text):
        if word.isascii():
            found.append(word)
        else:
            found.extend(_pieces(word))
    return found


@lru_cache(maxsize=16384)
def _pieces(word: str) -> tuple[str, ...]:
    if _ARABIC.search(word):
        bare = _ARABIC_POINTS.sub("", word).translate(_ARABIC_LETTERS)
        return (bare,) if bare else ()
    pieces: list[str] = []
    end = 0
    for run in UNSPACED.finditer(word):
        pieces.append(word[end : run.start()])
        pieces.extend(_ngrams(run.group(), _run_size(run.group())))
        end = run.end()
    pieces.append(word[end:])
    return tuple(filter(None, pieces))


def _run_size(run: str) -> int:
    return 2 if PAIR.match(run) else GRAM


def _ngrams(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(max(1, len(text) - size + 1))]


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The opening of `word` without accents, of an Arabic or Hebrew one without its light affixes."""
    if word.isascii():
        return word[:STEM]
    if UNSPACED.match(word):
        return word[: STEM - 2]
    if _ARABIC.search(word):
        return _without_affixes(word)[:STEM]
    bare = without_marks(word).translate(_LETTER_VARIANTS)
    prefixes = _HEBREW_PREFIXES.match(bare)
    return bare[prefixes.end() if prefixes else 0 :][:STEM]


def _without_affixes(word: str) -> str:
    for prefix in _ARABIC_PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= SHORTEST_ROOT:
            word = word[len(prefix) :]
            break
    for _ in range(2):
        suffixes = (s for s in _ARABIC_SUFFIXES if word.endswith(s) and len(word) - len(s) >= SHORTEST_ROOT)
        word = word.removesuffix(next(suffixes, ""))
    return word


def grams(word: str) -> list[str]:
    """The overlapping grams of `word` between marked ends; a piece of an unspaced script is its only gram."""
    if not word.isascii() and UNSPACED.match(word):
        return [word]
    return _ngrams(f"_{word}_", GRAM)


def gram_count(word: str) -> int:
    """How many grams `word` has."""
    if not word.isascii() and UNSPACED.match(word):
        return 1
    return max(1, len(word) + 3 - GRAM)


def sentences(line: str) -> list[str]:
    """The sentences of one line in order, one shorter than SHORTEST_SENTENCE joined to the one before."""
    return [line[start:end] for start, end in sentence_spans(line)]


def sentence_spans(line: str) -> list[tuple[int, int]]:
    """Where the `sentences` of one line begin and end, in code points."""
    cuts = [(0, 0), *((cut.start(), cut.end()) for cut in _SENTENCE_END.finditer(line))]
    ends = [*(start for start, _ in cuts[1:]), len(line)]
    found: list[tuple[int, int]] = []
    for (_, start), end in zip(cuts, ends, strict=True):
        if found and end - start < SHORTEST_SENTENCE:
            found[-1] = found[-1][0], end
        elif line[start:end].strip():
            found.append((start, end))
    return found


def forget() -> None:
    """Drop the words this module remembers."""
    _pieces.cache_clear()
    stem.cache_clear()
