"""Dates and clock times of a text, written with month names, digits or Han numerals.

A date is (year, month, day) with None for what is not said; a time is minutes since midnight, both halves of
the day where the text does not tell them apart.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bench.judging.lexicon import Lexicon
from bench.judging.numerals import ascii_digits, digit_runs, han_value
from bench.judging.tokens import Token

type Date = tuple[int | None, int | None, int | None]

_HAN = "[〇零一二三四五六七八九十]"
_ISO = re.compile(r"(?<![\d.])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_SLASH = re.compile(r"(?<![\d/.])(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?![\d/])")
_EASTERN = re.compile("[年月日号號년월]")
_EAST = re.compile(
    rf"(?:(\d{{4}}|{_HAN}{{4}}) ?[年년] ?)?(\d{{1,2}}|{_HAN}{{1,3}}) ?[月월]"
    rf"(?: ?(\d{{1,2}}|{_HAN}{{1,3}}) ?[日号號일])?"
)
_EAST_YEAR = re.compile(r"(\d{4}|[〇零一二三四五六七八九]{4}) ?[年년]")
_EAST_DAY = re.compile(rf"(\d{{1,2}}|{_HAN}{{1,3}}) ?[日号號](?![間间本])")
_VIETNAMESE = re.compile(r"(?:ngày (\d{1,2}) )?tháng (\d{1,2})(?: năm (\d{4}))?", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\w:.])(\d{1,2})[:：](\d\d)(?![\d:])(?: ?([aApP])\.?[mM]\b)?")
_HOUR = re.compile(r"(?<![\w:.,])(\d{1,2})(?: ?([aApP])\.?[mM]\b| ?(Uhr|[hH](?=\d\d|\W|$))(\d\d)?)")
_DAY_BEFORE = re.compile(r"(?<![\w.,])(\d{1,2})(?:st|nd|rd|th|er|º|ª)?\.?[ \u00a0](?:de |of |di |do )?$")
_DAY_AFTER = re.compile(r"\.?[ \u00a0](?:the )?(\d{1,2})(?:st|nd|rd|th)?(?!\w|[.,:]\d)")
_YEAR_AFTER = re.compile(r"\.?(?:,| de| del| of| год)?[ \u00a0](\d{4})(?!\d)")


class Moment(NamedTuple):
    """A date or a time (`minutes`) and where it stands."""

    kind: str
    start: int
    end: int
    date: Date = (None, None, None)
    minutes: frozenset[float] = frozenset()


def same_date(one: Date, other: Date) -> bool:
    """Whether both dates name a part, and none that both name differs."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return bool(pairs) and all(a == b for a, b in pairs)


def moments(text: str, words: Sequence[Token], lexicon: Lexicon) -> list[Moment]:
    """Return the dates and times of `text`, whose tokens are `words`; none overlaps another."""
    found: list[Moment] = []
    taken: set[int] = set()
    for moment in (*_named(text, words, lexicon), *_in_digits(text), *_eastern(text), *_times(text)):
        if moment.start not in taken and moment.end - 1 not in taken:
            found.append(moment)
            taken.update(range(moment.start, moment.end))
    return found


def _named(text: str, words: Sequence[Token], lexicon: Lexicon) -> Iterator[Moment]:
    for token in words:
        month = lexicon.months.get(token.form)
        if month is None:
            continue
        before = _DAY_BEFORE.search(text, max(0, token.start - 14), token.start)
        after = None if before else _DAY_AFTER.match(text, token.end)
        place = after.end() if after else token.end
        year = _YEAR_AFTER.match(text, place)
        if before or after or year:
            day = before or after
            date = (_number(year[1]) if year else None, int(month), _number(day[1]) if day else None)
            start = before.start() if before else token.start
            yield Moment("date", start, year.end() if year else place, date)


def _at_digits(pattern: re.Pattern[str], text: str, after: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begins with digits, one of the characters `after` behind them."""
    for start, end in digit_runs(text):
        match = pattern.match(text, start) if text[end : end + 1] in after else None
        if match:
            yield match


def _in_digits(text: str) -> Iterator[Moment]:
    for match in _at_digits(_ISO, text, "-/."):
        yield Moment("date", match.start(), match.end(), _date(match[1], match[2], match[3]))
    for match in _at_digits(_SLASH, text, "/."):
        first, second = _number(match[1]), _number(match[2])
        year = _number(match[3])
        if first > 12 or second > 12:
            day, month = (first, second) if first > 12 else (second, first)
            yield Moment("date", match.start(), match.end(), (year, month, day))
        else:
            yield Moment("date", match.start(), match.end(), (year, None, None))


def _eastern(text: str) -> Iterator[Moment]:
    for match in _VIETNAMESE.finditer(text) if "áng" in text else ():
        if match[1] or match[3]:
            yield Moment("date", match.start(), match.end(), _date(match[3], match[2], match[1]))
    if not _EASTERN.search(text):
        return
    for match in _EAST.finditer(text):
        if match[1] or match[3] or match.group()[-1] in "月월":
            yield Moment("date", match.start(), match.end(), _date(match[1], match[2], match[3]))
    for match in _EAST_YEAR.finditer(text):
        yield Moment("date", match.start(), match.end(), _date(match[1], None, None))
    for match in _EAST_DAY.finditer(text):
        yield Moment("date", match.start(), match.end(), _date(None, None, match[1]))


def _times(text: str) -> Iterator[Moment]:
    for match in _at_digits(_CLOCK, text, ":："):
        yield _time(match, match[1], match[2], match[3] or "")
    for match in _at_digits(_HOUR, text, " aApPUhH"):
        if match[2] or match[3] == "Uhr" or match[4]:
            yield _time(match, match[1], match[4] or "0", match[2] or "")


def _time(match: re.Match[str], hour: str, minute: str, half: str) -> Moment:
    hours = _number(hour)
    minutes = hours % 12 * 60 if half else hours * 60
    minutes += _number(minute)
    if half.lower() == "p":
        minutes += 720
    either = {minutes, minutes + 720} if not half and 0 < hours < 12 and hours >= 1 else {minutes}
    return Moment("time", match.start(), match.end(), minutes=frozenset(map(float, either)))


def _date(year: str | None, month: str | None, day: str | None) -> Date:
    return (
        _number(year) if year else None,
        _number(month) if month else None,
        _number(day) if day else None,
    )


def _number(text: str) -> int:
    plain = ascii_digits(text)
    return int(plain) if plain.isascii() and plain.isdigit() else int(han_value(text) or 0)
