"""Reference mode: gold is a list of short accepted answers, not a text, and absence from it proves nothing.

An accepted answer is met when its informative words (not function words, not given by the question) stand
close together in the answer, in another order, spelling or notation, or when a short answer names its head.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bench.judging.evidence import akin
from bench.judging.lexicon import Lexicon
from bench.judging.quantities import Quantity, agrees, quantities
from bench.judging.tokens import Token, tokens

LONGEST = 12  # words of an accepted answer
LONGEST_LIST = 6000  # characters of all accepted answers
SHORT = 5  # informative words up to which a whole answer can be a part of an accepted one
SLACK = 5  # other words allowed among those of an accepted answer
_SEPARATOR = re.compile(r"[|/\n]")
_MARKUP = re.compile(r"\{\{|\[\[|=")
_STOPPED = re.compile(r"[.!?。！？؟।](?:\s|$)")


def accepted(gold: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the accepted answers, or nothing when gold is a text."""
    if len(gold) > LONGEST_LIST or _MARKUP.search(gold):
        return ()
    parts = tuple(part.strip() for part in _SEPARATOR.split(gold) if part.strip())
    several = len(parts) > 1
    for part in parts:
        words = tokens(part, lexicon)
        stops = [m for m in _STOPPED.finditer(part) if not _abbreviated(part, m)]
        if len(words) > LONGEST * (2 if several else 1) or (stops and len(words) > 3 and not several):
            return ()
    bare = [re.sub(r"\s*\([^()]{1,80}\)", "", part) for part in parts]
    either = [half for part in parts for half in part.split(" or ") if " or " in part]
    return tuple(
        dict.fromkeys(
            filter(None, ((gold.strip(), *parts, *bare, *either) if several else (*parts, *bare, *either)))
        )
    )


def _abbreviated(part: str, match: re.Match[str]) -> bool:
    before = part[max(0, match.start() - 4) : match.start()]
    return bool(re.search(r"(?:^|[\s.])(?:[^\W\d]{1,2}|Inc|Ltd|Mrs|Esq)$", before))


@dataclass(frozen=True, slots=True)
class Words:
    """The informative words of a text, and its quantities."""

    all: tuple[Token, ...]
    words: tuple[Token, ...]
    quantities: tuple[Quantity, ...]
    text: str


@lru_cache(maxsize=256)
def _read(text: str, lexicon: Lexicon) -> Words:
    found = tokens(text, lexicon)
    mentions = tuple(quantities(text, found, lexicon))
    inside = [
        token
        for token in found
        if token.form not in lexicon.function
        and not any(m.start <= token.start < m.end for m in mentions if not m.weak)
    ]
    return Words(tuple(found), tuple(inside), mentions, text)


def met(question: str, answer: str, alternative: str, lexicon: Lexicon) -> str:
    """Return the rule by which `answer` gives the accepted answer, "" when none does."""
    asked, said, wanted = (_read(text, lexicon) for text in (question, answer, alternative))
    for name, rule in RULES:
        if rule(asked, said, wanted):
            return name
    return ""


def _same(one: Token, other: Token) -> bool:
    if one.key == other.key or akin(one.key, other.key):
        return True
    short, long = sorted((one.form, other.form), key=len)
    if len(short) >= 5 and not short[0].isdigit() and len(long) - len(short) <= 1:
        return _one_edit(short, long)
    return False


def _one_edit(short: str, long: str) -> bool:
    place = 0
    while place < len(short) and short[place] == long[place]:
        place += 1
    if len(short) == len(long):
        return short[place + 1 :] == long[place + 1 :] or (
            short[place : place + 2] == long[place : place + 2][::-1]
            and short[place + 2 :] == long[place + 2 :]
        )
    return short[place:] == long[place + 1 :]


def _informative(wanted: Words, asked: Words) -> list[Token]:
    """Return the words of an accepted answer that the question does not give; all when it gives all."""
    new = [token for token in wanted.words if not any(_same(token, other) for other in asked.all)]
    return new or list(wanted.words) or list(wanted.all)


def _close(places: Sequence[Sequence[int]], slack: int) -> bool:
    """Whether one place of each list can be taken within a stretch of their number plus `slack`."""
    if not all(places):
        return False
    span = len(places) + slack
    return any(all(any(abs(at - start) <= span for at in held) for held in places[1:]) for start in places[0])


def _numbers_met(said: Words, wanted: Words) -> bool:
    firm = [mention for mention in wanted.quantities if not mention.weak]
    return all(any(agrees(mention, other) for other in said.quantities) for mention in firm)


def _whole(asked: Words, said: Words, wanted: Words) -> bool:
    """All informative words, near each other, and all numbers."""
    if not _numbers_met(said, wanted):
        return False
    needed = _informative(wanted, asked) if wanted.words else []
    if not needed:
        return bool(wanted.quantities) or _literal(said, wanted)
    places = [[at for at, token in enumerate(said.all) if _same(token, word)] for word in needed]
    return _close(places, SLACK + len(needed))


def _literal(said: Words, wanted: Words) -> bool:
    forms = [token.form for token in wanted.all]
    held = [token.form for token in said.all]
    return bool(forms) and any(held[at : at + len(forms)] == forms for at in range(len(held)))


def _squeezed(asked: Words, said: Words, wanted: Words) -> bool:
    """The same letters, whatever the spaces, hyphens and stops: "e coli", "E.coli"."""
    goal = "".join(token.form for token in wanted.all)
    held = "".join(token.form for token in said.all)
    return len(goal) >= 4 and goal in held


def _middle_left_out(asked: Words, said: Words, wanted: Words) -> bool:
    """First and last word of a name of three or more words, next to each other."""
    names = [token for token in wanted.words if wanted.text[token.start].isupper()]
    if len(names) < 3 or len(names) != len(wanted.words) or len(names) > 5:
        return False
    firsts = [at for at, token in enumerate(said.all) if _same(token, names[0])]
    lasts = {at for at, token in enumerate(said.all) if _same(token, names[-1])}
    return any(at + step in lasts for at in firsts for step in (1, 2))


def _most(asked: Words, said: Words, wanted: Words) -> bool:
    """Two thirds of three or more informative words, the first or the last of them, near each other."""
    needed = _informative(wanted, asked) if wanted.words else []
    if len(needed) < 3 or not _numbers_met(said, wanted):
        return False
    places = [[at for at, token in enumerate(said.all) if _same(token, word)] for word in needed]
    held = [found for found in places if found]
    ends = bool(places[0] or places[-1])
    return ends and len(held) * 3 >= len(needed) * 2 and _close(held, SLACK)


def _initials(asked: Words, said: Words, wanted: Words) -> bool:
    """The last word of a name, with the other words cut to their first letters: "B. R. Ambedkar"."""
    names = wanted.words
    if not 2 <= len(names) <= 4 or not all(wanted.text[token.start].isupper() for token in wanted.all):
        return False
    for at, token in enumerate(said.all):
        if at and _same(token, names[-1]) and said.text[token.start].isupper():
            before = said.all[max(0, at - len(names) + 1) : at]
            letters = {name.form[0] for name in names[:-1]}
            if any(t.form[0] in letters and (len(t.form) <= 2 or len(names[0].form) == 1) for t in before):
                return True
    return False


def _coarser_date(asked: Words, said: Words, wanted: Words) -> bool:
    """A year, or month and year, of an accepted date, when the answer gives no other date."""
    dates = [mention for mention in wanted.quantities if mention.kind == "date"]
    given = [m for m in said.quantities if m.kind == "date" or _is_year(m)]
    new = [m for m in given if not any(agrees(m, other) for other in asked.quantities)]
    return bool(dates) and len(new) == 1 and not wanted.words and any(_within(new[0], date) for date in dates)


def _is_year(mention: Quantity) -> bool:
    return (
        mention.kind == "number"
        and not mention.unit
        and any(1000 <= value < 2100 for value in mention.values)
    )


def _within(mention: Quantity, date: Quantity) -> bool:
    if mention.kind == "date":
        return agrees(mention, date)
    return date.date[0] is not None and float(date.date[0]) in mention.values


def _part(asked: Words, said: Words, wanted: Words) -> bool:
    """A short answer all of whose informative words the accepted answer holds, its head among them."""
    own = [t for t in said.words if not any(_same(t, o) for o in asked.all)] or list(said.words)
    needed = _informative(wanted, asked) if wanted.words else []
    if not own or not needed or len(own) > SHORT or not _numbers_met(said, wanted):
        return False
    held = [any(_same(word, other) for other in wanted.words) for word in own]
    covered = sum(any(_same(word, other) for other in own) for word in needed)
    return all(held) and (covered * 2 >= len(needed))


RULES = (
    ("whole", _whole),
    ("squeezed", _squeezed),
    ("middle_left_out", _middle_left_out),
    ("most", _most),
    ("initials", _initials),
    ("coarser_date", _coarser_date),
    ("part", _part),
)
