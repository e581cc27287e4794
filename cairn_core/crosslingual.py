"""A question in one language against the passages of another: names, numbers, cognates, learnt translations.

Three fields of BM25, each divided by the score of a passage that saturates every term of the question, as in
`evidence`: translations of its stems, in-word grams of its words without accents, and skeletons, the
consonants that a name keeps from script to script. Which passages are quoted is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cairn_core.analysis import grams, stem, words
from cairn_core.evidence import ENOUGH, MARGIN, grammar, idf
from cairn_core.fields import K1, B, PassageStatistics
from cairn_core.lexicon import Entries
from cairn_core.text import without_marks

WEIGHTS: Mapping[str, float] = {"translation": 0.4, "gram": 0.3, "skeleton": 0.3}
UNTRANSLATED = 0.5  # weight of a stem the lexicon lacks; the shares of one it has add up to at most 1
SHORTEST_SKELETON = 3  # consonants; fewer are shared by chance

_NOT_LATIN = re.compile("[\u0370-\u06ff]")
_ARABIC_ARTICLE = re.compile("^(?:[وفب]?ال|لل)(?=.{3})")
# Consonants of a script, each with the Latin one that names have in its place; vowels have none. Latin p and
# v fall together with b and f, because Arabic writes neither.
_CONSONANTS = {
    ord(letter): latin
    for script, letters in (
        ("بتثجحخدذرزسشصضطظغفقكلمنه", "b t t j h k d d r z s s s d t z g f k k l m n h"),
        ("בגדהוזחטכךלמםנןסצץפףקרשת", "b g d h f z h t k k l m m n n s ts ts b b k r s t"),
        ("бвгджзклмнпрстфхцчшщ", "b f g d j z k l m n b r s t f h ts k s s"),
        ("βγδζθκλμνξπρσςτφχψ", "f g d z t k l m n ks b r s s t f h bs"),
    )
    for letter, latin in zip(script, letters.split(), strict=True)
}
_LATIN = {"ph": "f", "sh": "s", "ch": "k", "th": "t", "x": "ks", "q": "k", "c": "k", "v": "f", "p": "b"}
_NO_CONSONANTS = re.compile("[aeiouyw]|[^\x00-\x7f]")
_TWICE = re.compile(r"(.)\1+")


@lru_cache(maxsize=16384)
def skeleton(word: str) -> str:
    """The consonants of a word in Latin letters, "" when they are too few to be a name's; digits stay."""
    bare = without_marks(word)
    if _NOT_LATIN.search(bare):
        latin = _ARABIC_ARTICLE.sub("", bare).translate(_CONSONANTS)
    else:
        latin = bare
        for letters, sound in _LATIN.items():
            latin = latin.replace(letters, sound)
    found = _TWICE.sub(r"\1", _NO_CONSONANTS.sub("", latin))
    return found if len(found) >= SHORTEST_SKELETON else ""


def forget() -> None:
    """Drop the words this module remembers."""
    skeleton.cache_clear()


# Field -> the terms of one word of the passages in it.
FIELDS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "translation": lambda word: (stem(word),),
    "gram": lambda word: grams(without_marks(word)),
    "skeleton": lambda word: tuple(filter(None, (skeleton(word),))),
}


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A passage by its place and its score in [0, 1].

    shares: what the score adds up from, unless it is 0. matched: those of the question's translations it has.
    """

    place: int
    score: float
    shares: tuple[tuple[str, float], ...]
    matched: tuple[str, ...]


class Crosswalk:
    """The passages of one language as questions in others meet them."""

    def __init__(self, statistics: PassageStatistics) -> None:
        self.size = statistics.size
        self.documents = statistics.documents
        self.postings = statistics.postings
        self.holders: dict[str, dict[str, list[str]]] = {name: {} for name in FIELDS}
        lengths = {name: [0] * self.size for name in FIELDS}
        for word in statistics.vocabulary:
            places, counts = statistics.postings(word)
            for name, analyse in FIELDS.items():
                found = analyse(word)
                for term in dict.fromkeys(found):
                    self.holders[name].setdefault(term, []).append(word)
                for place, count in zip(places, counts, strict=True) if found else ():
                    lengths[name][place] += count * len(found)
        self.norms = {name: _norms(own) for name, own in lengths.items()}

    def counts(self, field: str, term: str) -> Mapping[int, int]:
        """Place -> how often the passage has `term`."""
        found: dict[int, int] = {}
        for word in self.holders[field].get(term, ()):
            times = FIELDS[field](word).count(term)
            for place, count in zip(*self.postings(word), strict=True):
                found[place] = found.get(place, 0) + times * count
        return found


@lru_cache(maxsize=32)
def crosswalk(statistics: PassageStatistics) -> Crosswalk:
    """The crosswalk of some statistics, made once."""
    return Crosswalk(statistics)


def _norms(lengths: Sequence[int]) -> list[float]:
    mean = sum(lengths) / len(lengths) or 1.0
    return [K1 * (1 - B + B * length / mean) for length in lengths]


def score(question: str, lang: str, lexicon: Entries, passages: Crosswalk) -> list[Correspondence]:
    """The passages that share something with a question in `lang`, best first, ties by place.

    lexicon: from `lang` to the passages' language. A function word finds nothing and counts as a word that no
    passage has.
    """
    asked = content_words(question, lang)
    diluted = (len(words(question)) - len(asked)) * idf(passages.size, 0)
    scores: dict[int, dict[str, float]] = {}
    matched: dict[int, set[str]] = {}
    for name, weights in _asked(asked, lexicon).items():
        ideal = diluted
        for term, weight in weights.items():
            counts = passages.counts(name, term)
            rarity = weight * idf(passages.size, len(counts))
            ideal += rarity
            for place, count in counts.items():
                shares = scores.setdefault(place, dict.fromkeys(FIELDS, 0.0))
                shares[name] += rarity * count / (count + passages.norms[name][place])
                if name == "translation":
                    matched.setdefault(place, set()).add(term)
        for shares in scores.values():
            shares[name] *= WEIGHTS[name] / ideal if ideal else 0.0
    return _ranked(scores, matched, passages)


def _ranked(
    scores: Mapping[int, Mapping[str, float]], matched: Mapping[int, Collection[str]], passages: Crosswalk
) -> list[Correspondence]:
    """With the lead over other documents instead of the bare score, where there are passages enough."""
    totals = {place: sum(shares.values()) for place, shares in scores.items()}
    best: dict[int, float] = {}
    for place, total in totals.items():
        number = passages.documents[place]
        best[number] = max(best.get(number, 0.0), total)
    leaders = sorted(best, key=lambda number: (-best[number], number))[:2]
    found: list[Correspondence] = []
    for place, total in totals.items():
        other = next((number for number in leaders if number != passages.documents[place]), None)
        taken = MARGIN * best[other] if other is not None and passages.size >= ENOUGH else 0.0
        shares = (*scores[place].items(), *((("margin", -taken),) if taken else ()))
        found.append(
            Correspondence(place, max(0.0, total - taken), shares, tuple(sorted(matched.get(place, ()))))
        )
    return sorted(found, key=lambda one: (-one.score, -totals[one.place], one.place))


def content_words(question: str, lang: str) -> list[str]:
    """The words of a question in `lang` without its function words."""
    return [word for word in words(question) if without_marks(word) not in grammar(lang)]


def meant(word: str, lexicon: Entries) -> Mapping[str, float]:
    """The stems a word stands for with their weights: its translations, else its own stem."""
    own = stem(word)
    return lexicon.get(own) or {own: UNTRANSLATED}


def _asked(asked: Iterable[str], lexicon: Entries) -> dict[str, dict[str, float]]:
    """Field -> term -> weight."""
    weights: dict[str, dict[str, float]] = {name: {} for name in FIELDS}
    for word in asked:
        for target, share in meant(word, lexicon).items():
            weights["translation"][target] = weights["translation"].get(target, 0.0) + share
        for name in ("gram", "skeleton"):
            for term in FIELDS[name](word):
                weights[name][term] = weights[name].get(term, 0.0) + 1.0
    return weights
