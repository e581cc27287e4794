"""The settings of a site: `cairn.toml` read, every key checked, into a `Project` and the engine's `Config`.

A corpus without the file has a project of defaults. `SECTIONS` lists every key there is; documents are left
to `corpus`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from builder import languages
from builder.problems import nearest, shown
from cairn_core.config import Config
from cairn_core.errors import ConfigError

FILE_NAME = "cairn.toml"
LEDGER_NAME = "cairn.anchors.json"

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "site": ("title", "tagline", "languages", "examples"),
    "corpus": ("path", "exclude", "anchors", "raw_html", "unknown_schemes", "invisible"),
    "retrieval": ("threshold", "candidates", "max_passages"),
    "language": ("default", "cross_language_fallback"),
    "refusal": ("contact", "contact_by_language"),
    "fields": ("title", "family", "id", "lang", "reviewed", "source", "topic", "summary", "passage"),
}
"""Section -> its keys."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "raw_html": ("error", "text"),
    "unknown_schemes": ("error", "warn"),
    "invisible": ("error", "drop"),
}
"""Key of `[corpus]` -> its values, the default first."""

_CONFIG_KEYS = {
    ("retrieval", "threshold"): "threshold",
    ("retrieval", "candidates"): "candidates",
    ("retrieval", "max_passages"): "max_passages",
    ("language", "default"): "default_lang",
    ("language", "cross_language_fallback"): "cross_language_fallback",
    ("refusal", "contact"): "contact",
    ("refusal", "contact_by_language"): "contact_by_language",
}

type Table = Mapping[str, object]


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

    `languages` is empty when the corpus decides; `titles`, `taglines` and `examples` are by language;
    `field_names` maps a front-matter key to the field of the corpus that holds it; `anchors` is the ledger's
    path.
    """

    corpus_dir: Path
    config: Config
    anchors: Path
    titles: Mapping[str, str]
    taglines: Mapping[str, str]
    examples: Mapping[str, tuple[str, ...]]
    languages: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    raw_html: str = "error"
    unknown_schemes: str = "error"
    invisible: str = "error"
    field_names: Mapping[str, str] | None = None
    field_passages: tuple[FieldPassage, ...] = ()

    def title_for(self, lang: str) -> str:
        """Return the site's name for readers of `lang`."""
        return _for_language(self.titles, lang, self.config.default_lang, "Cairn")

    def tagline_for(self, lang: str) -> str:
        """Return the line under the site's name, "" when there is none."""
        return _for_language(self.taglines, lang, self.config.default_lang, "")

    def examples_for(self, lang: str) -> tuple[str, ...]:
        """Return the example questions of `lang`; never those of another language."""
        return self.examples.get(lang, ())


def load_project(corpus_dir: Path | None = None, config_file: Path | None = None) -> Project:
    """Return the project of a corpus, of a settings file, or of both; the corpus given wins over the path in
    the file.

    Raises ConfigError with the file and the key.
    """
    if config_file is None:
        beside = (corpus_dir or Path()) / FILE_NAME
        if not beside.is_file():
            if corpus_dir is None:
                raise ConfigError(f"There is no {shown(FILE_NAME)} here.", hint="name a corpus folder")
            return _project({}, corpus_dir, None)
        config_file = beside
    tables = _read(config_file)
    try:
        return _project(tables, corpus_dir, config_file)
    except ConfigError as error:
        raise ConfigError(
            error.message, hint=error.hint, location=_join(config_file, error.location)
        ) from error


def load_config(path: Path) -> Config:
    """Return the engine's settings of a `cairn.toml`; every other section is checked too. Raises
    ConfigError.
    """
    return load_project(None, path).config


def _read(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"The file cannot be read: {error.strerror}.", location=str(path)) from error
    except UnicodeDecodeError as error:
        message = f"The byte at offset {error.start} is not UTF-8."
        raise ConfigError(message, hint="save the file as UTF-8", location=str(path)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"The file is not TOML: {error}."
        raise ConfigError(message, hint="correct the line", location=str(path)) from error


def _project(tables: Table, corpus_dir: Path | None, file: Path | None) -> Project:
    sections = {name: _section(tables, name) for name in SECTIONS}
    for name in tables:
        if name not in SECTIONS:
            hint = nearest(name, SECTIONS) or f"known sections: {', '.join(SECTIONS)}"
            raise ConfigError(f"The section {shown(name)} is unknown.", hint=hint, location=name)
    site, corpus, fields = sections["site"], sections["corpus"], sections["fields"]
    base = file.parent if file else Path()
    folder = corpus_dir or base / _text(corpus, "corpus", "path", ".")
    anchors = base / _text(corpus, "corpus", "anchors") if "anchors" in corpus else folder / LEDGER_NAME
    default = _text(sections["language"], "language", "default", "en")
    listed = tuple(_code(code, "site.languages") for code in _texts(site, "site", "languages"))
    return Project(
        corpus_dir=folder,
        config=_config(sections),
        anchors=anchors,
        titles=_by_language(site, "site", "title", default),
        taglines=_by_language(site, "site", "tagline", default),
        examples=_examples(site),
        languages=listed,
        exclude=_texts(corpus, "corpus", "exclude"),
        raw_html=_choice(corpus, "raw_html"),
        unknown_schemes=_choice(corpus, "unknown_schemes"),
        invisible=_choice(corpus, "invisible"),
        field_names={key: _text(fields, "fields", key) for key in fields if key != "passage"},
        field_passages=_field_passages(fields, default),
    )


def _section(tables: Table, name: str) -> Table:
    section = tables.get(name, {})
    if not isinstance(section, dict):
        raise ConfigError(
            f"The value {shown(str(section))} is not a section.", hint=f"write [{name}]", location=name
        )
    for key in section:
        if key not in SECTIONS[name]:
            hint = nearest(key, SECTIONS[name]) or f"known keys: {', '.join(SECTIONS[name])}"
            raise ConfigError(f"The key {shown(key)} is unknown.", hint=hint, location=f"{name}.{key}")
    return section


def _config(sections: Mapping[str, Table]) -> Config:
    given: dict[str, object] = {}
    for (section, key), name in _CONFIG_KEYS.items():
        if key in sections[section]:
            given[name] = sections[section][key]
    contacts = given.get("contact_by_language")
    if isinstance(contacts, dict):
        where = "refusal.contact_by_language"
        given["contact_by_language"] = {_code(code, where): line for code, line in contacts.items()}
    return Config(**given)  # type: ignore[arg-type]  # Config checks every type itself


def _text(table: Table, section: str, key: str, default: str = "") -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or (key in table and not value.strip()):
        message = f"The value {shown(str(value))} is not a line of text."
        raise ConfigError(message, hint='write it in quotes, as in "text"', location=f"{section}.{key}")
    return value


def _texts(table: Table, section: str, key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        message = f"The value {shown(str(value))} is not a list of texts."
        raise ConfigError(message, hint='write ["one", "two"]', location=f"{section}.{key}")
    return tuple(value)


def _code(code: str, location: str) -> str:
    normal = languages.normal(code)
    if normal is None:
        raise ConfigError(
            f"{shown(code)} is not a language code.", hint=languages.hint(code), location=location
        )
    return normal


def _by_language(table: Table, section: str, key: str, default: str) -> dict[str, str]:
    value = table.get(key, {})
    if isinstance(value, str):
        return {default: _text(table, section, key)}
    if not isinstance(value, dict):
        message = f"The value {shown(str(value))} is no text by language."
        raise ConfigError(message, hint=f'write {key}.en = "text"', location=f"{section}.{key}")
    where = f"{section}.{key}"
    return {_code(code, where): _text(value, where, code) for code in value}


def _examples(site: Table) -> dict[str, tuple[str, ...]]:
    value = site.get("examples", {})
    if not isinstance(value, dict):
        message = f"The value {shown(str(value))} is no list by language."
        raise ConfigError(message, hint='write examples.en = ["question"]', location="site.examples")
    return {_code(code, "site.examples"): _texts(value, "site.examples", code) for code in value}


def _choice(corpus: Table, key: str) -> str:
    value = _text(corpus, "corpus", key, CHOICES[key][0])
    if value not in CHOICES[key]:
        hint = "write " + " or ".join(f'"{choice}"' for choice in CHOICES[key])
        raise ConfigError(f"The value {shown(value)} is not allowed.", hint=hint, location=f"corpus.{key}")
    return value


def _field_passages(fields: Table, default: str) -> tuple[FieldPassage, ...]:
    entries = fields.get("passage", [])
    where = "fields.passage"
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError(
            "The passages are not a list of tables.", hint="write [[fields.passage]]", location=where
        )
    passages: list[FieldPassage] = []
    for entry in entries:
        for key in entry:
            if key not in ("field", "heading"):
                hint = nearest(key, ("field", "heading"))
                raise ConfigError(f"The key {shown(key)} is unknown.", hint=hint, location=f"{where}.{key}")
        if "field" not in entry:
            raise ConfigError("A passage names no field.", hint='add field = "name"', location=where)
        headings = _by_language(entry, where, "heading", default)
        passages.append(FieldPassage(_text(entry, where, "field"), headings))
    return tuple(passages)


def _for_language(table: Mapping[str, str], lang: str, default: str, missing: str) -> str:
    for code in (lang, lang.partition("-")[0], default, *sorted(table)):
        if code in table:
            return table[code]
    return missing


def _join(path: Path, location: str) -> str:
    return f"{path}: {location}" if location else str(path)
