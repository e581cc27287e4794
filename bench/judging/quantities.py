"""Quantities of a text: numbers with unit, currency or period, dates and clock times, in every digit system.

A mention holds every reading its separators allow ("1.234" is two numbers). Two mentions are compared as
value and dimension, never as bare digits. Dates and times are in `calendar`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bench.judging.folding import fold_word
from bench.judging.lexicon import Lexicon
from bench.judging.moments import Date, Moment, moments, same_date
from bench.judging.numerals import ascii_digits, digit_runs, han_value, readings, words_value
from bench.judging.tokens import Token
from bench.judging.units import PERIODS, SYMBOLS, Unit, unit_named

_SIGN = re.compile(r"(?<![\w)\]])[-−‐]")
_FOOTNOTED = re.compile(r"((?:1[5-9]|20)\d\d)\d{1,2}")
_DIGITS = re.compile(r"(?<![A-Za-z\d])\d+(?:[.,٫٬’' \u00a0\u202f]\d{3}(?!\d))*(?:[.,٫]\d+)*")
_HAN = "[〇零一二三四五六七八九十百千万萬亿億两兩]"
_HAN_DIGIT = re.compile(_HAN)
_HAN_NUMBER = re.compile(rf"{_HAN}{{2,16}}|{_HAN}(?=[个個名人次回天周週块元円岁歳才分秒%％층])")
_SYMBOLS = "|".join(sorted(map(re.escape, SYMBOLS), key=lambda name: (-len(name), name)))
_SYMBOL_AFTER = re.compile(rf"[ \t\u00a0\u202f]?({_SYMBOLS})(?![^\W\d_])")
_CODES = "|".join(sorted({name for name in SYMBOLS.values() if name.isupper()}))
_SYMBOL_BEFORE = re.compile(rf"(?<!\w)({_CODES})[ \u00a0\u202f]?$|(US\$|[$€£¥￥₹₽₩₺₫])[ \u00a0\u202f]?$")
_SCALE_AFTER = re.compile(r"[ \u00a0]?(?:(k|m|bn|mn|b)(?!\w)|([万萬亿億만억]))", re.IGNORECASE)
_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "万": 1e4, "萬": 1e4, "만": 1e4}
_SCALES |= {"亿": 1e8, "億": 1e8, "억": 1e8}
_COUNTERS = {"岁": "year", "歳": "year", "세": "year", "天": "day", "일": "day", "周": "week", "週": "week"}
_COUNTERS |= {
    "小时": "hour",
    "小時": "hour",
    "時間": "hour",
    "시간": "hour",
    "分钟": "minute",
    "分": "minute",
}
_COUNTERS |= {
    "分間": "minute",
    "분": "minute",
    "个月": "month",
    "個月": "month",
    "か月": "month",
    "개월": "month",
}
_COUNTERS |= {
    "年": "year",
    "年間": "year",
    "년": "year",
    "日間": "day",
    "元": "CNY",
    "块": "CNY",
    "円": "JPY",
}
_COUNTERS |= {
    "원": "KRW",
    "美元": "USD",
    "欧元": "EUR",
    "公里": "kilometer",
    "米": "meter",
    "公斤": "kilogram",
}
_COUNTER_AFTER = re.compile("|".join(sorted(_COUNTERS, key=lambda name: (-len(name), name))))
_NEXT_WORD = re.compile(r"[ \t\u00a0-]{0,2}([^\W\d_][^\W\d_.'’]*)")
_NEXT_TWO = re.compile(r"[ \t\u00a0\u200c-]?(?:de |of )?([^\W\d_]+(?:[ \t][^\W\d_]+)?)")
_PERIOD_WORD = re.compile(r"\s?([^\W\d_]+)")
NEAR = 48  # characters around a number in which its unit and period are looked for


@dataclass(frozen=True, slots=True)
class Quantity:
    """One mention: `kind` is number, date or time; `values` are its readings in the unit it is written in.

    A weak mention ("one", "first") is a number that is often only a word: it can conflict, not be invented.
    """

    kind: str
    values: frozenset[float]
    start: int
    end: int
    unit: Unit | None = None
    per: str = ""
    approximate: bool = False
    weak: bool = False
    date: Date = (None, None, None)


def quantities(text: str, words: Sequence[Token], lexicon: Lexicon) -> list[Quantity]:
    """Return the mentions of `text`, whose tokens are `words`, in order of their place."""
    found = [_of_moment(moment) for moment in moments(text, words, lexicon)]
    taken = {place for mention in found for place in range(mention.start, mention.end)}
    for quantity in (*_written_in_digits(text), *_written_in_words(text, words, lexicon)):
        if quantity.start not in taken and quantity.end - 1 not in taken:
            found.append(_measured(quantity, text, lexicon))
            taken.update(range(quantity.start, found[-1].end))
    return sorted(found, key=lambda mention: (mention.start, mention.end))


@lru_cache(maxsize=64)
def spelling(lexicon: Lexicon) -> frozenset[str]:
    """Return the forms that spell a number, a scale or a month: all that is looked for among tokens."""
    return frozenset({*lexicon.numbers, *lexicon.scales, *lexicon.times, *lexicon.months})


def _of_moment(moment: Moment) -> Quantity:
    return Quantity(moment.kind, moment.minutes, moment.start, moment.end, date=moment.date)


def _written_in_digits(text: str) -> Iterator[Quantity]:
    end = 0
    for run, _ in digit_runs(text):
        match = _DIGITS.match(text, run) if run >= end else None
        if not match:
            continue
        start, end = match.span()
        start -= bool(_SIGN.match(text, start - 1)) if start else 0
        written = text[start:end]
        values = readings(written)
        footnoted = _FOOTNOTED.fullmatch(ascii_digits(written))
        if footnoted:
            values |= {float(footnoted[1])}
        if values:
            yield Quantity("number", values, start, end)


def _written_in_words(text: str, words: Sequence[Token], lexicon: Lexicon) -> Iterator[Quantity]:
    place = 0
    known = lexicon.numbers.keys() | lexicon.scales.keys() | lexicon.times.keys()
    while place < len(words):
        if words[place].form not in known:
            place += 1
            continue
        last = place
        while last < len(words) and _continues(words, place, last, text, lexicon):
            last += 1
        if last > place:
            run = words[place:last]
            value = words_value([token.form for token in run], lexicon)
            if value is not None:
                weak = value <= 2 and len(run) == 1
                yield Quantity("number", frozenset({value}), run[0].start, run[-1].end, weak=weak)
        elif words[place].form in lexicon.times:
            value = lexicon.times[words[place].form]
            token = words[place]
            yield Quantity("number", frozenset({value}), token.start, token.end, Unit("times"), weak=True)
        place = max(last, place + 1)
    for match in _HAN_NUMBER.finditer(text) if _HAN_DIGIT.search(text) else ():
        value = han_value(match.group())
        if value is not None:
            yield Quantity("number", frozenset({value}), match.start(), match.end(), weak=value <= 2)


JOINTS = frozenset({"and", "y", "e", "et", "und", "و", "iyo"})
"""Words between the parts of a number: "two hundred and five"."""


def _continues(words: Sequence[Token], first: int, place: int, text: str, lexicon: Lexicon) -> bool:
    """Whether the token at `place` goes on with the number word begun at `first`."""
    token = words[place]
    if place > first and text[words[place - 1].end : token.start].strip(" \t-\u200c"):
        return False
    form = token.form
    if form in lexicon.numbers or form in lexicon.scales:
        return place == first or not _small(words[place - 1].form, form, lexicon)
    following = words[place + 1].form if place + 1 < len(words) else ""
    return place > first and form in JOINTS and (following in lexicon.numbers or following in lexicon.scales)


def _small(previous: str, form: str, lexicon: Lexicon) -> bool:
    """Whether two neighbours are separate numbers: "five six", "2 2"."""
    one, other = lexicon.numbers.get(previous), lexicon.numbers.get(form)
    return one is not None and other is not None and (one < 20 or other >= 10)


def _measured(quantity: Quantity, text: str, lexicon: Lexicon) -> Quantity:
    """Add scale, unit, period and approximator from the words around a number."""
    end = quantity.end
    before = text[max(0, quantity.start - NEAR) : quantity.start]
    values, end = _scaled(quantity.values, text, end, lexicon)
    unit, end = (quantity.unit, end) if quantity.unit else _unit_after(text, end, lexicon)
    sign = _SYMBOL_BEFORE.search(before[-6:])
    if sign:
        unit = unit_named(sign[1] or SYMBOLS[sign[2]])
    return replace(
        quantity,
        values=values,
        end=end,
        unit=unit,
        per=_period(text[end : end + NEAR], unit, lexicon),
        approximate=_ends_with(before[-24:], lexicon.approximate),
        weak=quantity.weak and (unit is None or unit.dimension == "times"),
    )


def _scaled(values: frozenset[float], text: str, end: int, lexicon: Lexicon) -> tuple[frozenset[float], int]:
    match = _SCALE_AFTER.match(text, end)
    if match and (match[2] or match[1].lower() != "m" or match[1] == "M"):
        scale = _SCALES[(match[1] or match[2]).lower()]
        return frozenset(value * scale for value in values), match.end()
    word = _word_after(text, end, lexicon)
    if word and word[0] in lexicon.scales:
        return frozenset(value * lexicon.scales[word[0]] for value in values), word[1]
    return values, end


def _word_after(text: str, end: int, lexicon: Lexicon) -> tuple[str, int] | None:
    match = _NEXT_WORD.match(text, end, end + NEAR)
    return (fold_word(match[1], lexicon.tones), match.end()) if match else None


def _unit_after(text: str, end: int, lexicon: Lexicon) -> tuple[Unit | None, int]:
    match = _SYMBOL_AFTER.match(text, end)
    if match and not (match[1] == "in" and match.group()[0] == " "):
        return unit_named(SYMBOLS[match[1]]), match.end()
    joint = _NEXT_TWO.match(text, end, end + NEAR)
    if joint:
        words = fold_word(joint[1], lexicon.tones)
        for name in (words, words.split()[0]):
            if name in lexicon.units:
                return unit_named(lexicon.units[name]), joint.start(1) + len(name)
    counter = _COUNTER_AFTER.match(text, end)
    return (unit_named(_COUNTERS[counter.group()]), counter.end()) if counter else (None, end)


@lru_cache(maxsize=64)
def _per_pattern(lexicon: Lexicon) -> re.Pattern[str]:
    per = "|".join(sorted(map(re.escape, lexicon.per), key=lambda name: (-len(name), name)))
    return re.compile(
        rf"[^.;!?\n\d]{{0,12}}?(?:(?<!\w)(?:{per}){' ?' if per else ''}|/ ?)([^\W\d_]+)", re.IGNORECASE
    )


def _period(after: str, unit: Unit | None, lexicon: Lexicon) -> str:
    if unit and unit.dimension in {"time", "months", "percent"}:
        return ""
    match = _per_pattern(lexicon).match(after)
    name = lexicon.units.get(fold_word(match[1], lexicon.tones), "") if match else ""
    if not name:
        word = _PERIOD_WORD.match(after)
        name = lexicon.units.get(f"{fold_word(word[1], lexicon.tones)}+", "") if word else ""
    return name if name in PERIODS else ""


def _ends_with(before: str, phrases: Sequence[str]) -> bool:
    return before.casefold().rstrip().endswith(tuple(phrases)) if phrases else False


def agrees(claim: Quantity, source: Quantity) -> bool:
    """Whether `source` supports `claim`: same value in the same dimension, and no other period."""
    if "date" in (claim.kind, source.kind):
        return _dates_agree(claim, source)
    if claim.kind != source.kind or (claim.per and source.per and claim.per != source.per):
        return False
    left, right = set(claim.values), set(source.values)
    if claim.unit and source.unit:
        if claim.unit.dimension != source.unit.dimension:
            return False
        left = {claim.unit.base(value) for value in left}
        right = {source.unit.base(value) for value in right}
    tolerance = 0.05 if claim.approximate else 0.0005
    return any(abs(a - b) <= tolerance * max(abs(a), abs(b)) for a in left for b in right)


def _dates_agree(claim: Quantity, source: Quantity) -> bool:
    if claim.kind == source.kind:
        return same_date(claim.date, source.date)
    dated, bare = (claim, source) if claim.kind == "date" else (source, claim)
    if bare.kind != "number" or bare.unit or (claim is dated and None not in dated.date[:2]):
        return False
    return any(part is not None and float(part) in bare.values for part in (dated.date[0], dated.date[2]))


def comparable(claim: Quantity, source: Quantity) -> bool:
    """Whether both could fill the same slot, so that a difference is a conflict."""
    if claim.kind != source.kind or (source.weak and not claim.weak):
        return False
    if claim.kind != "number":
        return True
    if claim.unit and source.unit:
        return claim.unit.dimension == source.unit.dimension or not claim.values.isdisjoint(source.values)
    return bool(claim.unit) == bool(source.unit) and _yearlike(claim) == _yearlike(source)


def _yearlike(quantity: Quantity) -> bool:
    return not quantity.unit and any(1000 <= value < 2200 for value in quantity.values)
