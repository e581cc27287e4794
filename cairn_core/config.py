"""The settings of one site: the gate, the search, the language rules and the human contacts.

A `Config` that exists is usable. Reading a file is the builder's work; the page receives `to_json()`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from cairn_core.calibration import Calibration
from cairn_core.errors import ConfigError
from cairn_core.glossary import Glossary
from cairn_core.nearmiss import NearMiss
from cairn_core.urgent import Urgent

DEMO_CONTACT = "the Harbor County demo help line (synthetic), 555-0142, weekdays 8:00 to 17:00"
DEMO_CONTACTS: Mapping[str, str] = MappingProxyType(
    {
        "ar": "خط المساعدة التجريبي لمقاطعة هاربر (غير حقيقي)، 555-0142، أيام العمل من 8:00 إلى 17:00",
        "en": DEMO_CONTACT,
        "es": "la línea de ayuda de demostración del condado de Harbor (ficticia), 555-0142, "
        "de lunes a viernes, de 8:00 a 17:00",
    }
)
LANGUAGE_CODE = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{2,8})*\Z")
MAX_CONTACT = 500
SCORERS = ("contract", "evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings with bounds; a value outside them raises `ConfigError`.

    scorer: one of SCORERS. threshold: lowest score that counts as evidence, in (0, 1]; calibration: the same
    for single languages, as the builder found it. glossary: the operator's, by language. candidates: ranked
    passages kept in the trace, >= 1. max_passages: passages quoted at most, >= 1. near_miss: the model of
    strict mode, for the evidence scorer alone. default_lang: primary language subtag for questions that show
    none. cross_language_fallback: search the whole corpus when the asker's language has no answer.
    urgent: help by language that its words call up, whatever the documents say.
    contact: whom to call; contact_by_language: the same in other languages. A demo line never stands beside a
    line of the operator: giving either of the two replaces both.
    """

    scorer: str = SCORERS[0]
    threshold: float = 0.165
    calibration: Mapping[str, Calibration] = MappingProxyType({})
    glossary: Mapping[str, Glossary] = MappingProxyType({})
    candidates: int = 8
    max_passages: int = 1
    near_miss: NearMiss | None = None
    default_lang: str = "en"
    cross_language_fallback: bool = True
    urgent: Mapping[str, Urgent] = MappingProxyType({})
    contact: str = DEMO_CONTACT
    contact_by_language: Mapping[str, str] = DEMO_CONTACTS

    def __post_init__(self) -> None:
        if self.scorer not in SCORERS:
            hint = f"choose one of {', '.join(SCORERS)}"
            raise ConfigError(f'scorer "{self.scorer}" is unknown', hint, "scorer")
        _require_number(self.threshold, "threshold")
        if not 0.0 < self.threshold <= 1.0:
            raise ConfigError(
                f'threshold "{self.threshold}" is not in (0, 1]', "give a number such as 0.165", "threshold"
            )
        _require_count(self.candidates, "candidates")
        _require_count(self.max_passages, "max_passages")
        _require_model(self.near_miss, self.scorer)
        _require_code(self.default_lang, "default_lang")
        if not isinstance(self.cross_language_fallback, bool):
            raise ConfigError(
                f'cross_language_fallback "{self.cross_language_fallback}" is not true or false',
                "write true or false",
                "cross_language_fallback",
            )
        _require_tables(self.calibration, "calibration", Calibration)
        _require_tables(self.glossary, "glossary", Glossary)
        _require_tables(self.urgent, "urgent", Urgent)
        object.__setattr__(self, "calibration", MappingProxyType(dict(sorted(self.calibration.items()))))
        object.__setattr__(self, "glossary", MappingProxyType(dict(sorted(self.glossary.items()))))
        object.__setattr__(self, "urgent", MappingProxyType(dict(sorted(self.urgent.items()))))
        object.__setattr__(self, "threshold", float(self.threshold))
        self._settle_contacts()

    def _settle_contacts(self) -> None:
        table = self.contact_by_language
        if not isinstance(table, Mapping):
            raise ConfigError(
                "contact_by_language is not a table", "write one line a language", "contact_by_language"
            )
        for lang, line in table.items():
            _require_code(lang, "contact_by_language")
            _require_contact(line, f"contact_by_language.{lang}")
        _require_contact(self.contact, "contact")
        contact = self.contact
        own_line, own_table = contact != DEMO_CONTACT, dict(table) != dict(DEMO_CONTACTS)
        if own_line and not own_table:
            table = {}
        elif own_table and table and not own_line:
            contact = table.get(self.default_lang) or table[min(table)]
        _require_one_origin(contact, table)
        object.__setattr__(self, "contact", contact)
        object.__setattr__(self, "contact_by_language", MappingProxyType(dict(sorted(table.items()))))

    @property
    def contact_is_demo(self) -> bool:
        """Whether readers would be sent to the synthetic demo line."""
        return self.contact == DEMO_CONTACT

    def threshold_for(self, lang: str) -> float:
        """The lowest score that counts as evidence in `lang`."""
        own = self.calibration_of(lang)
        return own.threshold if own else self.threshold

    def calibration_of(self, lang: str | None) -> Calibration | None:
        """How the threshold of `lang` was found; None where the general one holds."""
        return self.calibration.get(lang) if lang else None

    def contact_for(self, lang: str) -> str:
        """The contact line for readers of `lang`; the general one where that language has none of its own."""
        own = self.contact_by_language.get(lang) or self.contact_by_language.get(lang.partition("-")[0])
        return own or self.contact

    def to_json(self) -> dict[str, object]:
        """All settings as plain JSON values."""
        plain: dict[str, object] = {field.name: getattr(self, field.name) for field in fields(self)}
        plain["contact_by_language"] = dict(self.contact_by_language)
        plain["calibration"] = {lang: own.to_json() for lang, own in self.calibration.items()}
        plain["near_miss"] = self.near_miss.to_json() if self.near_miss else None
        plain["glossary"] = {lang: own.to_json() for lang, own in self.glossary.items()}
        plain["urgent"] = {lang: own.to_json() for lang, own in self.urgent.items()}
        return plain

    @classmethod
    def from_json(cls, plain: object) -> Config:
        """The settings `to_json` wrote. Raises ConfigError for a missing, unknown or unusable one."""
        if not isinstance(plain, dict):
            raise ConfigError("the settings are not a table", location="config")
        names = {field.name for field in fields(cls)}
        for name in sorted(names.symmetric_difference(plain)):
            state = "missing" if name in names else "unknown"
            raise ConfigError(f'setting "{name}" is {state}', location="config")
        calibration = {lang: Calibration.from_json(own) for lang, own in _table(plain, "calibration").items()}
        glossary = {lang: Glossary.from_json(own) for lang, own in _table(plain, "glossary").items()}
        near_miss = NearMiss.from_json(plain["near_miss"]) if plain["near_miss"] is not None else None
        urgent = {lang: Urgent.from_json(own) for lang, own in _table(plain, "urgent").items()}
        read = {"calibration": calibration, "glossary": glossary, "near_miss": near_miss, "urgent": urgent}
        return cls(**{**plain, **read})


def _table(plain: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = plain[name]
    if not isinstance(table, dict):
        raise ConfigError(f"the {name} is not a table", location=f"config.{name}")
    return table


def _require_tables(table: object, name: str, kind: type) -> None:
    if not isinstance(table, Mapping):
        raise ConfigError(f"the {name} is not a table", "give one a language", name)
    for lang, own in table.items():
        _require_code(lang, name)
        if not isinstance(own, kind):
            raise ConfigError(f'"{own}" is not a {name}', "build the site again", f"{name}.{lang}")


def _require_model(model: object, scorer: str) -> None:
    if model is not None and not isinstance(model, NearMiss):
        raise ConfigError(f'"{model}" is not a near-miss model', "build the site again", "near_miss")
    if model is not None and scorer != "evidence":
        raise ConfigError(f'the scorer "{scorer}" has no strict mode', 'write scorer = "evidence"', "strict")


def _require_one_origin(contact: str, table: Mapping[str, str]) -> None:
    demo = set(DEMO_CONTACTS.values())
    if contact in demo and demo.issuperset(table.values()):
        return
    for name, line in [
        ("contact", contact),
        *((f"contact_by_language.{lang}", table[lang]) for lang in table),
    ]:
        if line in demo:
            raise ConfigError(
                f'"{line}" is the line of the demonstration', "give your own or leave it out", name
            )


def _require_number(value: object, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ConfigError(f'{name} "{value}" is not a number', "write it without quotes", name)


def _require_count(value: object, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(
            f'{name} "{value}" is not a whole number', "give a whole number of at least 1", name
        )
    if value < 1:
        raise ConfigError(f'{name} "{value}" is below 1', "give a whole number of at least 1", name)


def _require_code(value: object, name: str) -> None:
    if not isinstance(value, str) or not LANGUAGE_CODE.match(value):
        raise ConfigError(f'"{value}" is not a language code', 'use a primary subtag such as "en"', name)


def _require_contact(value: object, name: str) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ConfigError("the contact is empty", "say whom to call, with a number or an address", name)
    if len(value) > MAX_CONTACT:
        raise ConfigError(f"the contact has {len(value)} characters", f"use at most {MAX_CONTACT}", name)
    if any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in value):
        raise ConfigError("the contact holds a control or invisible character", "type the line again", name)
