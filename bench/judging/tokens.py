"""Tokens with offsets, and when two of them are the same word.

A token is a word, a number or, in scripts written without spaces, an n-gram of a run. Its key is folded and
stripped of the commonest endings, so that inflected forms meet; what a token means is left to others.
"""

import re
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bench.judging.folding import INVISIBLE, fold_word
from bench.judging.lexicon import Lexicon

# Letters, digits and the combining marks that Python's \w leaves out, by block.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u17b4-\u17d3"
)
_LETTER = f"\\w{_MARKS}{INVISIBLE}"
WORD = re.compile(
    rf"[A-Za-z]++(?![{_LETTER}'’ʼ])"
    rf"|\d+(?:[.,٫٬]\d+)*[^\W\d_]?(?![{_LETTER}])|[^\W_][{_LETTER}]*(?:['’ʼ][^\W\d_]+)*"
)
_PAIRS = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7ff"
_PAIRS += "\U00020000-\U000323af"
_TRIPLES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
UNSPACED = _PAIRS + _TRIPLES
"""Letters of scripts written without spaces, and Hangul, as the inside of a character class."""

_UNSPACED = re.compile(f"[{_PAIRS}]+|[{_TRIPLES}]+|[^{_PAIRS}{_TRIPLES}]+")
_PAIR = re.compile(f"[{_PAIRS}]")
_TRIPLE = re.compile(f"[{_TRIPLES}]")
_HANGUL = re.compile("[\uac00-\ud7ff]")

_ARABIC = re.compile("[\u0600-\u06ff]")
# Arabic joins the article, conjunctions and prepositions to the word; Persian joins endings.
_ARABIC_PREFIX = re.compile("^(?:[وف]?(?:ال|بال|كال|لل)|وب|ول)(?=.{3})")
_ARABIC_SUFFIX = re.compile(r"(?<=.{3})(?:هايي|هاي|ها|ات|ان|ين|ون|هم|هن|ها|تر|ترين|ه|ي|ش|ت)$")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ies|ied|ing|edly|ed|es|s|ly|e|y)$")
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")
REMEMBERED = 200_000  # words of a language whose forms are kept
STEM = 12  # code points of a key


class Token(NamedTuple):
    """A token of a text: its folded form, the key that is compared, and where it stands."""

    form: str
    key: str
    start: int
    end: int
    gram: bool = False

    @property
    def number(self) -> bool:
        """Whether the token is written with digits."""
        return self.form[:1].isdigit()


@lru_cache(maxsize=65536)
def _key(form: str, lexicon: Lexicon) -> str:
    """Return what is compared of a folded word."""
    form = lexicon.lemmas.get(form, form)
    if form.endswith(("'s", "'")):
        form = form.rpartition("'")[0]
    if form[:1].isdigit() or form in lexicon.function:
        return form
    if lexicon.code == "en" and form.isascii():
        return _DOUBLED.sub(r"\1", _ENDING.sub("", form)) if len(form) > 3 else form
    if _ARABIC.match(form):
        bare = _ARABIC_PREFIX.sub("", form)
        return _ARABIC_SUFFIX.sub("", bare)[:STEM]
    return form[:STEM]


def tokens(text: str, lexicon: Lexicon, start: int = 0, end: int = sys.maxsize) -> list[Token]:
    """Return the tokens of `text` between two offsets in order, with offsets into the whole."""
    found: list[Token] = []
    known = _known(lexicon)
    new = tuple.__new__
    for match in WORD.finditer(text, start, end):
        word = match[0]
        place = match.start()
        forms = known.get(word)
        if forms is None and not word.isascii() and (_PAIR.search(word) or _TRIPLE.search(word)):
            found.extend(_grams(word, place, lexicon))
            continue
        if forms is None:
            form = fold_word(word, lexicon.tones)
            forms = (form, _key(form, lexicon))
            if len(known) < REMEMBERED:
                known[word] = forms
        found.append(new(Token, (*forms, place, place + len(word), False)))
    return found


def forms_and_keys(text: str, lexicon: Lexicon) -> Sequence[tuple[str, str]] | Sequence[Token]:
    """Return the form and key of each token of `text`: whole tokens where a word is new or an n-gram."""
    known = _known(lexicon)
    try:
        return [known[word] for word in WORD.findall(text)]
    except KeyError:
        return tokens(text, lexicon)


@lru_cache(maxsize=64)
def _known(lexicon: Lexicon) -> dict[str, tuple[str, str]]:
    """Return the memory of a language: written word, no n-gram -> form and key."""
    return {}


def _grams(word: str, offset: int, lexicon: Lexicon) -> list[Token]:
    found: list[Token] = []
    for run in _UNSPACED.finditer(word):
        part, start = run.group(), offset + run.start()
        form = fold_word(part, lexicon.tones)
        if len(form) != len(part) or not (_PAIR.match(part) or _TRIPLE.match(part)):
            found.append(Token(form, _key(form, lexicon), start, start + len(part)))
            continue
        size = 2 if _PAIR.match(part) else 3
        if _HANGUL.match(part) and len(part) <= size:
            found.append(Token(form, form, start, start + len(part), True))
            continue
        for place in range(max(1, len(part) - size + 1)):
            gram = form[place : place + size]
            found.append(Token(gram, gram, start + place, start + place + len(gram), True))
    return found
