"""The settings of a site: `cairn.toml` read, every key checked, into a `Project` and the engine's `Config`.

A corpus without the file has a project of defaults. `SECTIONS` lists every key there is; documents are left
to `corpus`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder import kiosk, near_miss, settings
from builder.kiosk import Kiosk
from builder.problems import shown
from cairn_core.config import Config
from cairn_core.errors import ConfigError
from cairn_core.urgent import Urgent

FILE_NAME = "cairn.toml"
LEDGER_NAME = "cairn.anchors.json"
TRANSLATIONS_NAME = "cairn.translations.json"
PROBES_NAME = "probes.toml"
QUESTIONS_NAME = "questions.toml"
GLOSSARY_NAME = re.compile(r"glossary\.([^.]+)\.toml", re.IGNORECASE)
"""File name of a glossary; its group is the language."""

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "site": ("title", "tagline", "languages", "examples", "public_url", "dated", "fonts"),
    "corpus": ("path", "exclude", "anchors", "raw_html", "unknown_schemes", "invisible", "max_age_days"),
    "retrieval": ("scorer", "threshold", "candidates", "max_passages", "strict"),
    "language": ("default", "cross_language_fallback"),
    "refusal": ("contact", "contact_by_language"),
    "urgent": ("words", "text", "contact"),
    "kiosk": ("screen_mm", "resolution", "distance_mm", "idle_seconds", "reach", "export_refused"),
    "delivery": ("boot",),
    "fields": ("title", "family", "id", "lang", "reviewed", "source", "topic", "summary", "passage"),
}
"""Section -> its keys."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "raw_html": ("error", "text"),
    "unknown_schemes": ("error", "warn"),
    "invisible": ("error", "drop"),
    "boot": ("snapshot", "bytecode"),
    "fonts": ("bundled", "system"),
}
"""Key of `[corpus]`, `[delivery]` or `[site]` -> its values, the default first."""

_CONFIG_KEYS = {
    ("retrieval", "scorer"): "scorer",
    ("retrieval", "threshold"): "threshold",
    ("retrieval", "candidates"): "candidates",
    ("retrieval", "max_passages"): "max_passages",
    ("language", "default"): "default_lang",
    ("language", "cross_language_fallback"): "cross_language_fallback",
    ("refusal", "contact"): "contact",
    ("refusal", "contact_by_language"): "contact_by_language",
}


@dataclass(frozen=True, slots=True)
class FieldPassage:
    """A front-matter field that becomes a section: `headings` by language, "en" for the others where
    given.
    """

    field: str
    headings: Mapping[str, str]

    def heading_for(self, lang: str, default: str) -> tuple[str, str]:
        """Return the heading for `lang` and the language it is written in."""
        for code in (lang, lang.partition("-")[0], default, "en", *sorted(self.headings)):
            if code in self.headings:
                return self.headings[code], code
        return "", lang


@dataclass(frozen=True, slots=True)
class Project:
    """One site: where its corpus is and what its operator decided.

    `languages` is empty when the corpus decides; `public_url` ends in a slash, or is "" where the site has no
    public address; `dated` is YYYY-MM-DD, or "" when the newest review date stands for it; `titles`,
    `taglines` and `examples` are by language; `field_names` maps a front-matter key to the field that holds
    it; `anchors` is the ledger's path; `boot` is what the engine in the pages starts from; `fonts` is whose
    typefaces pages are set in, "bundled" or "system"; `max_age_days` is 0 when reviews never grow old.
    """

    corpus_dir: Path
    config: Config
    anchors: Path
    titles: Mapping[str, str]
    taglines: Mapping[str, str]
    examples: Mapping[str, tuple[str, ...]]
    languages: tuple[str, ...] = ()
    public_url: str = ""
    dated: str = ""
    fonts: str = "bundled"
    exclude: tuple[str, ...] = ()
    raw_html: str = "error"
    unknown_schemes: str = "error"
    invisible: str = "error"
    max_age_days: int = 0
    boot: str = "snapshot"
    field_names: Mapping[str, str] | None = None
    field_passages: tuple[FieldPassage, ...] = ()
    kiosk: Kiosk | None = None

    def title_for(self, lang: str) -> str:
        """Return the site's name for readers of `lang`."""
        return _for_language(self.titles, lang, self.config.default_lang, "Cairn")

    def tagline_for(self, lang: str) -> str:
        """Return the line under the site's name, "" when there is none."""
        return _for_language(self.taglines, lang, self.config.default_lang, "")

    def public(self, url: str) -> str:
        """Return the public address of a URL of the site, "" when the site has none."""
        return self.public_url and self.public_url + url

    def examples_for(self, lang: str) -> tuple[str, ...]:
        """Return the example questions of `lang`; never those of another language."""
        return self.examples.get(lang, ())


def load_project(corpus_dir: Path | None = None, config_file: Path | None = None) -> Project:
    """Return the project of a corpus with the settings in it, of a settings file, or of both.

    A corpus named together with a settings file wins over the path in the file. Raises ConfigError with the
    file and the key.
    """
    if config_file is None:
        beside = (corpus_dir or Path()) / FILE_NAME
        if not beside.is_file():
            if corpus_dir is None:
                raise ConfigError(f"There is no {shown(FILE_NAME)} here.", hint="name a corpus folder")
            return _project({}, corpus_dir, None)
        corpus_dir, config_file = None, beside
    tables = settings.read(config_file)
    try:
        return _project(tables, corpus_dir, config_file)
    except ConfigError as error:
        where = f"{config_file}: {error.location}" if error.location else str(config_file)
        raise ConfigError(error.message, hint=error.hint, location=where) from error


def load_config(path: Path) -> Config:
    """Return the engine's settings of a `cairn.toml`; every other section is checked too. Raises
    ConfigError.
    """
    return load_project(None, path).config


def _project(tables: settings.Table, corpus_dir: Path | None, file: Path | None) -> Project:
    sections = settings.sections(tables, SECTIONS)
    site, corpus, fields = sections["site"], sections["corpus"], sections["fields"]
    base = file.parent if file else Path()
    folder = corpus_dir or base / settings.text(corpus, "corpus", "path", ".")
    ledger = settings.text(corpus, "corpus", "anchors") if "anchors" in corpus else ""
    default = _default_language(sections["language"])
    listed = tuple(
        settings.code(code, "site.languages") for code in settings.texts(site, "site", "languages")
    )
    return Project(
        corpus_dir=folder,
        config=_config(sections),
        anchors=base / ledger if ledger else folder / LEDGER_NAME,
        titles=settings.by_language(site, "site", "title", default),
        taglines=settings.by_language(site, "site", "tagline", default),
        examples=settings.lists_by_language(site, "site", "examples"),
        languages=listed,
        public_url=settings.address(site, "site", "public_url"),
        dated=settings.day(site, "site", "dated"),
        fonts=settings.choice(site, "site", "fonts", CHOICES["fonts"]),
        exclude=settings.texts(corpus, "corpus", "exclude"),
        raw_html=settings.choice(corpus, "corpus", "raw_html", CHOICES["raw_html"]),
        unknown_schemes=settings.choice(corpus, "corpus", "unknown_schemes", CHOICES["unknown_schemes"]),
        invisible=settings.choice(corpus, "corpus", "invisible", CHOICES["invisible"]),
        max_age_days=settings.count(corpus, "corpus", "max_age_days"),
        boot=settings.choice(sections["delivery"], "delivery", "boot", CHOICES["boot"]),
        field_names={key: settings.text(fields, "fields", key) for key in fields if key != "passage"},
        field_passages=tuple(_field_passages(fields, default)),
        kiosk=kiosk.read(sections["kiosk"]),
    )


def _config(sections: Mapping[str, settings.Table]) -> Config:
    given: dict[str, object] = {}
    for (section, key), name in _CONFIG_KEYS.items():
        if key in sections[section]:
            given[name] = sections[section][key]
    contacts = given.get("contact_by_language")
    if isinstance(contacts, dict):
        where = "refusal.contact_by_language"
        given["contact_by_language"] = {settings.code(name, where): line for name, line in contacts.items()}
    default = _default_language(sections["language"])
    if "default_lang" in given:
        given["default_lang"] = default
    given["urgent"] = _urgent(sections["urgent"], default)
    if settings.flag(sections["retrieval"], "retrieval", "strict"):
        given["near_miss"] = near_miss.shipped()
    return Config(**given)  # type: ignore[arg-type]  # Config checks every type itself


def _urgent(section: settings.Table, default: str) -> dict[str, Urgent]:
    """Return the urgent help by language: each language has all of it or none."""
    words = settings.lists_by_language(section, "urgent", "words")
    texts = settings.by_language(section, "urgent", "text", default)
    contacts = settings.by_language(section, "urgent", "contact", default)
    given: dict[str, Mapping[str, object]] = {"words": words, "text": texts, "contact": contacts}
    languages = sorted({*words, *texts, *contacts})
    for lang, key in ((lang, key) for lang in languages for key in given):
        if lang not in given[key]:
            message = f"Urgent help in {shown(lang)} has no {key}."
            raise ConfigError(message, hint=f"add [urgent.{key}] {lang} = …", location=f"urgent.{key}.{lang}")
    return {lang: Urgent(words[lang], texts[lang], contacts[lang]) for lang in languages}


def _default_language(section: settings.Table) -> str:
    return settings.code(settings.text(section, "language", "default", "en"), "language.default")


def _field_passages(fields: settings.Table, default: str) -> Iterator[FieldPassage]:
    entries = fields.get("passage", [])
    where = "fields.passage"
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        message = "The passages are not a list of tables."
        raise ConfigError(message, hint="write [[fields.passage]]", location=where)
    for entry in entries:
        settings.only(entry, ("field", "heading"), where)
        if "field" not in entry:
            raise ConfigError("A passage names no field.", hint='add field = "name"', location=where)
        headings = settings.by_language(entry, where, "heading", default)
        yield FieldPassage(settings.text(entry, where, "field"), headings)


def _for_language(table: Mapping[str, str], lang: str, default: str, missing: str) -> str:
    for code in (lang, lang.partition("-")[0], default, *sorted(table)):
        if code in table:
            return table[code]
    return missing
