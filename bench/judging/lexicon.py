"""The words of a language that carry the judge's rules: function words, negators, bounds, numbers, units.

One JSON file a language under `lexicons/`; a language without a file is judged by the rules that need no
words. Sentences and tokens are left to the modules that read them.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from bench.judging.folding import fold, fold_word
from cairn_core.text import script_of

FOLDER = Path(__file__).with_name("lexicons")
LANGUAGES: tuple[str, ...] = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
_EMPTY: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, eq=False, slots=True)
class Lexicon:
    """The word tables of one language; empty ones for a language the judge has no file for."""

    code: str
    function: frozenset[str] = frozenset()
    negators: frozenset[str] = frozenset()
    negation: tuple[str, ...] = ()
    first_person: frozenset[str] = frozenset()
    exclusive: tuple[str, ...] = ()
    at_least: tuple[str, ...] = ()
    at_most: tuple[str, ...] = ()
    approximate: tuple[str, ...] = ()
    exception: tuple[str, ...] = ()
    contrast: tuple[str, ...] = ()
    trivial: tuple[str, ...] = ()
    numbers: Mapping[str, float] = _EMPTY
    scales: Mapping[str, float] = _EMPTY
    times: Mapping[str, float] = _EMPTY
    months: Mapping[str, float] = _EMPTY
    units: Mapping[str, str] = MappingProxyType({})
    per: tuple[str, ...] = ()
    lemmas: Mapping[str, str] = MappingProxyType({})
    opposites: Mapping[str, frozenset[str]] = MappingProxyType({})
    tones: bool = False
    abstention: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


class _Reader:
    """Reads the tables of one file, folding every word as the words of texts are."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self._data = data
        self.tones = bool(data.get("tones"))

    def _pairs(self, name: str) -> Iterable[tuple[str, object]]:
        value = self._data.get(name)
        return value.items() if isinstance(value, dict) else ()

    def _fold(self, word: str) -> str:
        return fold(word.replace("_", " "), self.tones)

    def words(self, name: str) -> frozenset[str]:
        """Return the words of a space-separated string, apostrophised ones with both halves joined."""
        return frozenset(map(self._fold, str(self._data.get(name) or "").split()))

    def words_of(self, name: str) -> frozenset[str]:
        """Return the phrases of a list that are one word."""
        return frozenset(self._fold(phrase) for phrase in self.phrases(name) if " " not in phrase)

    def phrases(self, name: str) -> tuple[str, ...]:
        """Return a list of phrases or patterns as it is written."""
        value = self._data.get(name)
        return tuple(map(str, value)) if isinstance(value, list) else ()

    def table(self, name: str) -> Mapping[str, float]:
        """Return word -> number for a table "word/word" -> number."""
        pairs = self._pairs(name)
        return MappingProxyType(
            {self._fold(word): float(str(number)) for words, number in pairs for word in words.split("/")}
        )

    def groups(self, name: str) -> Mapping[str, str]:
        """Return surface -> name for a table name -> "surface surface"; "_" in a surface is a space."""
        return MappingProxyType(
            {self._fold(word): key for key, words in self._pairs(name) for word in str(words).split()}
        )

    def opposites(self, name: str) -> Mapping[str, frozenset[str]]:
        """Return word -> its opposites for a list of "word/word word/word"."""
        found: dict[str, set[str]] = {}
        for pair in self.phrases(name):
            left, _, right = pair.partition(" ")
            for one in map(self._fold, left.split("/")):
                for other in map(self._fold, right.split("/")):
                    found.setdefault(one, set()).add(other)
                    found.setdefault(other, set()).add(one)
        return MappingProxyType({word: frozenset(others) for word, others in found.items()})

    def months(self, name: str) -> Mapping[str, float]:
        """Return word -> number of the month for twelve strings of words."""
        names = enumerate(self.phrases(name), start=1)
        return MappingProxyType(
            {self._fold(word): float(number) for number, words in names for word in words.split()}
        )

    def slots(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Return slot -> patterns."""
        return MappingProxyType(
            {slot: tuple(map(str, items)) for slot, items in self._pairs(name) if isinstance(items, list)}
        )


@lru_cache(maxsize=64)
def lexicon(code: str) -> Lexicon:
    """Return the tables of a language; the empty ones where there is no file."""
    code = code.partition("-")[0]
    if code not in LANGUAGES:
        return Lexicon(code)
    data: dict[str, object] = json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8"))
    read = _Reader(data)
    return Lexicon(
        code,
        tones=read.tones,
        function=read.words("function") | read.words_of("exclusive"),
        negators=read.words("negators"),
        negation=read.phrases("negation"),
        first_person=read.words("first_person"),
        exclusive=read.phrases("exclusive"),
        at_least=read.phrases("at_least"),
        at_most=read.phrases("at_most"),
        approximate=read.phrases("approximate"),
        exception=read.phrases("exception"),
        contrast=read.phrases("contrast"),
        trivial=read.phrases("trivial"),
        numbers=read.table("numbers"),
        scales=read.table("scales"),
        times=read.table("times"),
        months=read.months("months"),
        units=read.groups("units"),
        per=read.phrases("per"),
        lemmas=read.groups("lemmas"),
        opposites=read.opposites("opposites"),
        abstention=read.slots("abstention"),
    )


_SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "LATIN": ("en", "es", "fr", "de", "it", "pt", "tr", "vi", "so", "nl", "sv", "fi", "cs", "ro", "pl"),
    "ARABIC": ("ar", "fa"),
    "CYRILLIC": ("ru", "uk"),
    "DEVANAGARI": ("hi",),
    "CJK": ("zh", "ja"),
    "KANA": ("ja",),
    "HANGUL": ("ko",),
    "THAI": ("th",),
    "GREEK": ("el",),
    "HEBREW": ("he",),
}
"""Script -> the languages told apart inside it, the first of them the one taken without evidence."""

_PERSIAN_LETTERS = frozenset("پچژگکی")
BRIEF = 8  # words of a text whose language one function word may tell
SAMPLE = 500  # characters of a text that its language is told from
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def main_script(text: str) -> str:
    """Return the script most letters of the beginning of `text` are of; kana make Han text Japanese."""
    sample = text[:SAMPLE]
    if sample.isascii():
        return "LATIN" if any(map(str.isalpha, sample)) else ""
    counts: dict[str, int] = {}
    for char in sample:
        script = script_of(char)
        if script:
            counts[script] = counts.get(script, 0) + 1
    if not counts:
        return ""
    kana = counts.get("KANA", 0)
    if kana and kana * 10 >= counts.get("CJK", 0):
        counts["KANA"] = kana + counts.pop("CJK", 0)
    return max(counts, key=lambda name: (counts[name], name))


def script_languages(text: str) -> tuple[str, ...]:
    """Return the languages of the script of `text` that are told apart."""
    return _SCRIPTS.get(main_script(text), ())


def detect(text: str) -> str:
    """Return the language of `text` by script, then by its function words; "" when nothing tells."""
    script = main_script(text)
    known = script_languages(text)
    candidates = [code for code in known if code in LANGUAGES]
    if len(candidates) < 2 or script == "CJK":
        return known[0] if known else ""
    return _by_function_words(_WORD.findall(text[:SAMPLE].casefold()), candidates)


def _by_function_words(words: Iterable[str], candidates: list[str]) -> str:
    written = list(words)
    plain, toned = ([fold_word(word, tones) for word in written] for tones in (False, True))
    scores = {
        code: sum(map(lexicon(code).function.__contains__, toned if lexicon(code).tones else plain))
        for code in candidates
    }
    if "fa" in scores:
        scores["fa"] += sum(not _PERSIAN_LETTERS.isdisjoint(word) for word in written)
    best = max(candidates, key=lambda code: (scores[code], -candidates.index(code)))
    return best if scores[best] or candidates[0] not in _SCRIPTS["LATIN"] else ""


def surely_differ(one: str, lang: str, other: str, other_lang: str) -> bool:
    """Whether two texts are surely in different languages: other scripts, or clearly other small words."""
    if not lang or not other_lang or lang == other_lang:
        return False
    scripts = main_script(one), main_script(other)
    if scripts[0] != scripts[1]:
        return all(scripts) and not set(scripts) <= {"CJK", "KANA"}
    return _surely(one, lang, other_lang, 2) and _surely(other, other_lang, lang, 1)


def _surely(text: str, lang: str, rival: str, least: int) -> bool:
    words = _WORD.findall(text[:SAMPLE].casefold())
    own, theirs = (
        sum(fold_word(word, known.tones) in known.function for word in words)
        for known in (lexicon(lang), lexicon(rival))
    )
    return own >= (least if len(words) <= BRIEF else 2) and own >= 2 * theirs
