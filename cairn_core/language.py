"""What differs between languages: direction, name, messages, plural forms, and what must run left to right.

All of it is data in `locales/`; a new interface language is one file there and one code in
INTERFACE_LANGUAGES. Messages are plain text; markup belongs to the templates.
"""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from cairn_core.errors import IndexFormatError
from cairn_core.text import terms, without_marks, words

INTERFACE_LANGUAGES = ("en", "es", "ar", "zh")
"""Those whose catalogue is complete; only they take part in telling the language of a question."""

BEGUN_LANGUAGES = ("fa", "fr", "ht", "ru", "so", "vi")
"""Those whose catalogue is begun: messages it lacks are shown in the fallback language, and it has no say in
how questions are read.
"""

ENGINE_MESSAGES = ("answer.", "language.", "list.", "notice.", "refusal.", "urgent.", "why.")
"""Groups of messages that answers are worded with; the rest is for pages."""

FALLBACK = "en"

OTHER = "other"
"""The plural form of every number no rule of a language holds for."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The messages of one interface language.

    plural: form -> rule of Unicode CLDR (supplemental/plurals.xml) for whole numbers, `n` being the number.
    state: "complete" or "begun"; reviewed: when the messages were last read, and by whom.
    alphabet: its letters in the order of an index, case and accents aside, separated by spaces.
    function_words: folded words without accents that carry grammar rather than content; `function_terms` are
    their index terms, also without accents.
    lacking: keys of the messages that are shown in the fallback language.
    """

    code: str
    endonym: str
    direction: str
    script: str
    plural: Mapping[str, str]
    state: str
    reviewed: str
    alphabet: str
    function_words: frozenset[str]
    function_terms: frozenset[str]
    messages: Mapping[str, str | Mapping[str, str]]
    lacking: tuple[str, ...] = ()

    def text(self, key: str, **placeholders: str | int) -> str:
        """The message with its placeholders filled. KeyError for an unknown key or a missing placeholder."""
        message = self.messages[key]
        if not isinstance(message, str):
            raise KeyError(f"{key} has plural forms")
        return message.format_map(placeholders)

    def count(self, key: str, number: int, **placeholders: str | int) -> str:
        """The message in the plural form `number` takes, with {count} filled by it."""
        forms = self.messages[key]
        if isinstance(forms, str):
            raise KeyError(f"{key} has no plural forms")
        return forms[self.form(number)].format_map({"count": number, **placeholders})

    def form(self, number: int) -> str:
        """The plural form a whole number takes."""
        return next((form for form, rule in self.plural.items() if _holds(rule, number)), OTHER)

    def date(self, iso: str) -> str:
        """A date written YYYY-MM-DD as this language writes it."""
        year, month, day = iso.split("-")
        return self.text("date.pattern", year=year, month=self.text(f"date.month.{int(month)}"), day=int(day))

    def language_name(self, lang: str) -> str:
        """The name of `lang` in this language where known, else its own name for itself."""
        name = self.messages.get(f"language.{lang}")
        return name if isinstance(name, str) else endonym(lang)


def primary(lang: str) -> str:
    """The primary subtag of a language code: "zh" of "zh-hans"."""
    return lang.partition("-")[0]


def has_catalogue(lang: str) -> bool:
    """Whether the language, its script and region aside, has a complete catalogue."""
    return primary(lang) in INTERFACE_LANGUAGES


def has_own_catalogue(lang: str) -> bool:
    """Whether the language, its script and region aside, has messages of its own, complete or begun."""
    return has_catalogue(lang) or primary(lang) in BEGUN_LANGUAGES


def catalogue(lang: str) -> Catalogue:
    """The catalogue of `lang`; the English one, which says so by its `code`, where there is none."""
    return _load(primary(lang) if has_own_catalogue(lang) else FALLBACK)


@cache
def _load(code: str) -> Catalogue:
    plain = _locale(code)
    if code in BEGUN_LANGUAGES:
        plain |= _filled(plain["messages"], [*plain["plural"], OTHER])
    profile = " ".join(plain.pop("function_words"))
    function_words = frozenset(without_marks(word) for word in words(profile))
    function_terms = frozenset(without_marks(term) for term in terms(profile))
    return Catalogue(function_words=function_words, function_terms=function_terms, **plain)


def _filled(
    own: Mapping[str, str | Mapping[str, str]], forms: list[str]
) -> dict[str, Mapping[str, str | Mapping[str, str]] | tuple[str, ...]]:
    """Every message there is, from the fallback catalogue where `own` lacks it; and which those are."""
    messages = dict(catalogue(FALLBACK).messages)
    for key, message in messages.items():
        if not isinstance(message, str):
            messages[key] = {form: message.get(form, message[OTHER]) for form in forms}
    return {"messages": messages | dict(own), "lacking": tuple(key for key in messages if key not in own)}


_RELATION = re.compile(r"n(?: % ([0-9]+))? (!?=) ([0-9.,]+)")


def _holds(rule: str, number: int) -> bool:
    """Whether a plural rule holds: relations joined by "and", those joined by "or"."""
    return any(
        all(_related(relation, number) for relation in part.split(" and ")) for part in rule.split(" or ")
    )


def _related(relation: str, number: int) -> bool:
    match = _RELATION.fullmatch(relation)
    if match is None:
        raise ValueError(f"{relation!r} is no plural rule")
    modulus, sign, ranges = match.groups()
    value = number % int(modulus) if modulus else number
    ends = [(one.partition("..")[0], one.rpartition("..")[2]) for one in ranges.split(",")]
    return (sign == "=") == any(int(first) <= value <= int(last) for first, last in ends)


def _locale(name: str) -> dict[str, Any]:  # the shape of these files is held by a test
    data = pkgutil.get_data("cairn_core", f"locales/{name}.json")
    if data is None:
        raise IndexFormatError("a message file is missing", "build the site again", f"locales/{name}.json")
    plain: dict[str, Any] = json.loads(data.decode("utf-8"))
    return plain


@cache
def _other_languages() -> Mapping[str, tuple[str, str]]:
    return {code: (name, way) for code, (name, way) in _locale("languages").items()}


def direction(lang: str) -> str:
    """ "rtl" or "ltr"; "ltr" for a language no file of `locales/` names."""
    return _name_and_direction(lang)[1]


def endonym(lang: str) -> str:
    """The language's own name for itself; its code where no file of `locales/` names it."""
    return _name_and_direction(lang)[0]


def _name_and_direction(lang: str) -> tuple[str, str]:
    others = _other_languages()
    if lang in others:
        return others[lang]
    if has_own_catalogue(lang):
        return catalogue(lang).endonym, catalogue(lang).direction
    return others.get(primary(lang), (lang, "ltr"))


class Run(NamedTuple):
    """A stretch of text; `ltr` when it must be isolated left to right inside a right-to-left paragraph."""

    text: str
    ltr: bool


_LTR = re.compile(
    r"""
      (?:https?://|www\.)[A-Za-z0-9][^\s<>"'،؛؟。，]*[A-Za-z0-9/#]     # addresses
    | [A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+               # e-mail
    | (?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?:/[A-Za-z0-9_./#?=&%-]*[A-Za-z0-9/])?  # host names
    | [$€£¥]\ ?[0-9](?:[0-9.,]*[0-9])?                                 # amounts
    | [0-9](?:[0-9.,]*[0-9])?\ ?[%€£¥]
    | \(?\+?\(?[0-9](?:[ \u00a0().:/\u2010-\u2013-]{0,2}[0-9])+        # numbers in groups
    | [A-Za-z0-9]+(?:[-_#:./][A-Za-z0-9]+)+                            # identifiers
    """,
    re.VERBOSE,
)


def runs(text: str) -> tuple[Run, ...]:
    """`text` cut so that numbers in groups, amounts, addresses and identifiers stand alone.

    Unicode Annex 9 reorders the parts of such a run after an Arabic letter: 555-0142 would read 0142-555.
    """
    found: list[Run] = []
    end = 0
    for match in _LTR.finditer(text):
        found.append(Run(text[end : match.start()], ltr=False))
        found.append(Run(match.group(), ltr=True))
        end = match.end()
    found.append(Run(text[end:], ltr=False))
    return tuple(run for run in found if run.text)
