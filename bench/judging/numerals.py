"""What a written number can mean: digits with separators, Han numerals, number words.

Digits in every script are read; an ambiguous separator gives every reading it allows.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from bench.judging.lexicon import Lexicon

_RUN = re.compile(r"\d+")
LONGEST = 40  # characters of a number that are read
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}


def ascii_digits(text: str) -> str:
    """Return `text` with the digits and separators of every script as ASCII."""
    if text.isascii():
        return text
    plain = "".join(str(unicodedata.digit(char)) if char.isdecimal() else char for char in text)
    return plain.replace("٫", ".").replace("٬", ",").replace("’", "'")


@lru_cache(maxsize=8)
def digit_runs(text: str) -> tuple[tuple[int, int], ...]:
    """Return start and end of each run of digits; the last texts are remembered, several modules ask."""
    return tuple(match.span() for match in _RUN.finditer(text))


@lru_cache(maxsize=4096)
def readings(written: str) -> frozenset[float]:
    """Return every value the digits and separators of `written` can stand for."""
    text = re.sub(r"[\s']", "", ascii_digits(written)[:LONGEST]).replace("−", "-").replace("‐", "-")
    sign = -1.0 if text.startswith("-") else 1.0
    text = text.lstrip("-")
    marks = re.sub(r"\d", "", text)
    if not marks:
        return frozenset({sign * float(text)}) if text else frozenset()
    last = marks[-1]
    if len(set(marks)) > 1:
        whole, _, part = text.rpartition(last)
        return frozenset({sign * float(re.sub(r"\D", "", whole) + "." + part)})
    groups = text.split(last)
    found = set()
    if _grouped(groups):
        found.add(sign * float("".join(groups)))
    if len(groups) == 2:
        found.add(sign * float(".".join(groups)))
    return frozenset(found) or frozenset(sign * float(group) for group in groups if group)


def _grouped(groups: Sequence[str]) -> bool:
    """Whether the groups are thousands, or lakh and crore: 1,00,000."""
    sizes = {len(group) for group in groups[1:-1]}
    return len(groups[-1]) == 3 and 1 <= len(groups[0]) <= 3 and groups[0] != "0" and sizes <= {2, 3}


def han_value(text: str) -> float | None:
    """Return the value of a Han numeral, positional ("二〇〇七") or with ranks ("三百五十"), or None."""
    if all(char in _HAN_DIGITS for char in text):
        return float("".join(str(_HAN_DIGITS[char]) for char in text))
    total = section = 0
    digit: int | None = None
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_TENS:
            section += (1 if digit is None else digit) * _HAN_TENS[char]
            digit = None
        elif char in _HAN_MYRIADS:
            total += max(1, section + (digit or 0)) * _HAN_MYRIADS[char]
            section, digit = 0, None
        else:
            return None
    return float(total + section + (digit or 0))


def words_value(forms: Sequence[str], lexicon: Lexicon) -> float | None:
    """Return the value of consecutive number words: "two hundred and five", "veinte y tres"."""
    total = section = 0.0
    seen = False
    for form in forms:
        if form in lexicon.scales:
            scale = lexicon.scales[form]
            if scale == 100:
                section = max(1.0, section) * scale
            else:
                total, section = total + max(1.0, section) * scale, 0.0
            seen = True
        elif form in lexicon.numbers:
            section += lexicon.numbers[form]
            seen = True
    return total + section if seen else None
