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
    decimal_comma: bool = False
    abstention: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


def _words(value: object) -> frozenset[str]:
    return frozenset(str(value or "").split())


def _phrases(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _table(value: object) -> Mapping[str, float]:
    pairs = value.items() if isinstance(value, dict) else ()
    return MappingProxyType({word: float(number) for words, number in pairs for word in words.split("/")})


def _groups(value: object) -> Mapping[str, str]:
    """Return surface -> name for a table name -> "surface surface"; "_" in a surface is a space."""
    pairs = value.items() if isinstance(value, dict) else ()
    return MappingProxyType(
        {surface.replace("_", " "): name for name, surfaces in pairs for surface in surfaces.split()}
    )


def _opposites(value: object) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _phrases(value):
        left, _, right = pair.partition(" ")
        for one in left.split("/"):
            for other in right.split("/"):
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return MappingProxyType({word: frozenset(others) for word, others in found.items()})


def _months(value: object) -> Mapping[str, float]:
    names = enumerate(_phrases(value), start=1)
    return MappingProxyType({word: float(number) for number, words in names for word in words.split()})


@lru_cache(maxsize=64)
def lexicon(code: str) -> Lexicon:
    """Return the tables of a language; the empty ones where there is no file."""
    code = code.partition("-")[0]
    if code not in LANGUAGES:
        return Lexicon(code)
    data: dict[str, object] = json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8"))
    slots = data.get("abstention")
    return Lexicon(
        code,
        function=_words(data.get("function")),
        negators=_words(data.get("negators")),
        negation=_phrases(data.get("negation")),
        first_person=_words(data.get("first_person")),
        exclusive=_phrases(data.get("exclusive")),
        at_least=_phrases(data.get("at_least")),
        at_most=_phrases(data.get("at_most")),
        approximate=_phrases(data.get("approximate")),
        exception=_phrases(data.get("exception")),
        contrast=_phrases(data.get("contrast")),
        trivial=_phrases(data.get("trivial")),
        numbers=_table(data.get("numbers")),
        scales=_table(data.get("scales")),
        times=_table(data.get("times")),
        months=_months(data.get("months")),
        units=_groups(data.get("units")),
        per=_phrases(data.get("per")),
        lemmas=_groups(data.get("lemmas")),
        opposites=_opposites(data.get("opposites")),
        decimal_comma=bool(data.get("decimal_comma")),
        abstention=MappingProxyType(
            {name: _phrases(items) for name, items in slots.items()} if isinstance(slots, dict) else {}
        ),
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

SAMPLE = 2000  # characters of a text that its language is told from
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def main_script(text: str) -> str:
    """Return the script most letters of the beginning of `text` are of; kana make Han text Japanese."""
    counts: dict[str, int] = {}
    for char in text[:SAMPLE]:
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
    known = _SCRIPTS.get(script, ())
    candidates = [code for code in known if code in LANGUAGES]
    if len(candidates) < 2 or script == "CJK":
        return candidates[0] if candidates else (known[0] if known else "")
    return _by_function_words(_WORD.findall(text[:SAMPLE].casefold()), candidates)


def _by_function_words(words: Iterable[str], candidates: list[str]) -> str:
    scores = dict.fromkeys(candidates, 0)
    for word in words:
        for code in candidates:
            scores[code] += word in lexicon(code).function
    return max(candidates, key=lambda code: (scores[code], -candidates.index(code)))


def surely_differ(one: str, lang: str, other: str, other_lang: str) -> bool:
    """Whether two texts are in different languages beyond doubt: other scripts, or clearly other small words."""
    if not lang or not other_lang or lang == other_lang:
        return False
    scripts = main_script(one), main_script(other)
    if scripts[0] != scripts[1]:
        return all(scripts) and not set(scripts) <= {"CJK", "KANA"}
    return _surely(one, lang, other_lang) and _surely(other, other_lang, lang)


def _surely(text: str, lang: str, rival: str) -> bool:
    words = _WORD.findall(text[:SAMPLE].casefold())
    own = sum(word in lexicon(lang).function for word in words)
    theirs = sum(word in lexicon(rival).function for word in words)
    return own >= 2 and own >= 2 * theirs
