"""Numbers of a text as values, whatever digits and separators it is written with.

A number may be read in more than one way (`1.500`); two numbers agree when they share a reading. Digits are
those of Unicode's decimal property; which sign groups thousands and which is the decimal point follows the
Unicode CLDR's number formats of the language, where all its countries agree.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_DATA = json.loads(Path(__file__).with_name("numbers.json").read_text(encoding="utf-8"))
_SIGNS: Mapping[str, str] = dict.fromkeys(_DATA["point"], ".") | dict.fromkeys(_DATA["comma"], ",")
"""Language -> its decimal sign; languages that are not here use either, from country to country."""
_WORDS: Mapping[str, Mapping[str, list[str]]] = _DATA["words"]
"""Language -> value -> words that stand for it, matched within words: numbers, ordinals, months, noon."""

_THOUSANDS, _DECIMAL = "٬", "٫"
LEAST_WITHOUT_WORDS = 100
"""Smaller numbers of one side are no difference where no number words of the other side are known."""

_TOKEN = re.compile(
    r"\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’٬٫:：]\d+)*",
)
_CLOCK = re.compile(
    r"\d[:：]\d\d|\d\s?[ap]\.?\s?m\b|\d\s?(?:h|Uhr)\b|[点點时時]|صباح|مساء|ظهر", re.IGNORECASE
)
_SCALES: Mapping[str, int] = {
    **dict.fromkeys(("thousand", "mil", "mila", "mille", "tausend", "ألف", "آلاف", "тысяч", "千"), 10**3),
    **dict.fromkeys(("万", "萬", "만"), 10**4),
    **dict.fromkeys(("million", "millón", "millones", "milhões", "millionen", "millions"), 10**6),
    **dict.fromkeys(("مليون", "ملايين", "миллионов", "百万"), 10**6),
    **dict.fromkeys(("亿", "億", "억"), 10**8),
}
_SCALE = re.compile(
    rf"\s?({'|'.join(sorted(map(re.escape, _SCALES), key=len, reverse=True))})(?![^\W\d_]*[a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, with every value it may stand for."""

    written: str
    readings: frozenset[str]


def numbers(text: str, lang: str) -> list[Number]:
    """Return the numbers of a text in order."""
    found: list[Number] = []
    for match in _TOKEN.finditer(text):
        scale = _SCALE.match(text, match.end())
        factor = _SCALES[scale[1].lower()] if scale else 1
        found += _read(match[0], lang.partition("-")[0], factor)
    return found


def differing(ours: str, theirs: str, langs: tuple[str, str]) -> tuple[str, str] | None:
    """Return a number of each of two texts that say the same, "" for a number the other text lacks; None when
    they agree. A number the other text writes as a word is no difference.
    """
    left, right = numbers(ours, langs[0]), numbers(theirs, langs[1])
    clock = bool(_CLOCK.search(ours) or _CLOCK.search(theirs))
    only_left = [one for one in _without(left, right, clock) if not _in_words(one, theirs, langs[1])]
    only_right = [one for one in _without(right, left, clock) if not _in_words(one, ours, langs[0])]
    if not only_right:
        only_left = [one for one in only_left if not one.readings <= _doubtful(langs[1])]
    elif not only_left:
        only_right = [one for one in only_right if not one.readings <= _doubtful(langs[0])]
    if not only_left and not only_right:
        return None
    return (only_left[0].written if only_left else ""), (only_right[0].written if only_right else "")


def _read(token: str, lang: str, factor: int) -> list[Number]:
    plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in token)
    plain = re.sub(r"[\s'’](?=\d)", _THOUSANDS, plain.replace("：", ":"))
    signs = list(dict.fromkeys(char for char in plain if not char.isdigit()))
    parts = re.split(r"\D", plain)
    if signs == [":"] and all(len(part) <= 2 for part in parts):
        return [Number(token, _clock(parts))]
    if ":" in signs or (len(signs) == 1 and len(parts) > 2 and not _grouped(parts)):
        return [Number(part, frozenset({_value(part)})) for part in parts]  # a date, a version
    values = _values(plain, signs, _SIGNS.get(lang, ""))[: 1 if factor > 1 else None]
    return [Number(token, frozenset(_scaled(value, factor) for value in values))]


def _values(plain: str, signs: list[str], decimal_sign: str) -> list[str]:
    parts = re.split(r"\D", plain)
    together, decimal = "".join(parts), f"{''.join(parts[:-1])}.{parts[-1]}"
    if not signs:
        return [together]
    if len(signs) > 1 or signs[0] == _DECIMAL:
        return [decimal]
    if not _grouped(parts):
        return [decimal, parts[0], parts[1]]  # $2.20, said as two dollars and 20 cents
    if signs[0] == _THOUSANDS or len(parts) > 2:
        return [together]
    if not decimal_sign:
        return [together, decimal]
    return [decimal] if signs[0] == decimal_sign else [together]


def _grouped(parts: list[str]) -> bool:
    return 0 < len(parts[0]) <= 3 and parts[0][0] != "0" and all(len(part) == 3 for part in parts[1:])


def _clock(parts: list[str]) -> frozenset[str]:
    hour, minute, *more = map(int, parts)
    readings = {f"{hour % 12}:{minute:02}"}
    if minute == 0 and not more:
        readings |= {str(hour), str(hour % 12 or 12)}
    return frozenset(readings)


def _scaled(value: str, factor: int) -> str:
    whole, _, fraction = value.partition(".")
    zeros = len(str(factor)) - 1
    return _value(f"{whole}{fraction[:zeros].ljust(zeros, '0')}.{fraction[zeros:]}")


def _value(digits: str) -> str:
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _without(here: Iterable[Number], there: Iterable[Number], clock: bool) -> list[Number]:
    """The numbers that have no equal in the other text; where times are told, 5 and 17 are equal."""
    known = {reading for number in there for reading in number.readings}
    unmatched = (one for one in here if known.isdisjoint(one.readings))
    return [one for one in unmatched if not clock or known.isdisjoint(_other_half(one))]


def _other_half(number: Number) -> set[str]:
    hours = [int(one) for one in number.readings if one.isdecimal() and len(one) <= 2]
    return {str(hour + 12) for hour in hours} | {str(hour - 12) for hour in hours}


def _in_words(number: Number, text: str, lang: str) -> bool:
    """Tell whether a number may stand in a text as a word."""
    known = _WORDS.get(lang.partition("-")[0], {})
    lowered = text.lower()
    return any(word in lowered for value in number.readings for word in known.get(value, ()))


def _doubtful(lang: str) -> frozenset[str]:
    """The numbers a text may have without a digit or a known word: 1 and 2 are an article or a form of a noun
    in many languages; of some languages no words are known.
    """
    highest = 2 if lang.partition("-")[0] in _WORDS else LEAST_WITHOUT_WORDS - 1
    return frozenset(str(value) for value in range(highest + 1))
