"""One settings file: TOML read, its values taken as the types they must have, each fault named with its key.

What the sections mean is left to `project`.
"""

import datetime
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from builder import characters, glyphs, languages
from builder.problems import nearest, shown
from cairn_core.errors import ConfigError

type Table = Mapping[str, object]

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~%-]+)*/?")


def read(path: Path) -> Table:
    """Return the tables of a TOML file. Raises ConfigError with the path."""
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


def sections(tables: Table, known: Mapping[str, tuple[str, ...]]) -> dict[str, Table]:
    """Return every known section, empty when it is not given; unknown sections and keys are faults."""
    for name in tables:
        if name not in known:
            hint = nearest(name, known) or f"known sections: {', '.join(known)}"
            raise ConfigError(f"The section {shown(name)} is unknown.", hint=hint, location=name)
    return {name: _section(tables, name, keys) for name, keys in known.items()}


def _section(tables: Table, name: str, known: tuple[str, ...]) -> Table:
    section = tables.get(name, {})
    if not isinstance(section, dict):
        message = f"The value {shown(str(section))} is not a section."
        raise ConfigError(message, hint=f"write [{name}]", location=name)
    only(section, known, name)
    return section


def only(table: Table, known: tuple[str, ...], where: str) -> None:
    """Refuse a table with a key that is not known."""
    for key in table:
        if key not in known:
            hint = nearest(key, known) or f"known keys: {', '.join(known)}"
            raise ConfigError(f"The key {shown(key)} is unknown.", hint=hint, location=f"{where}.{key}")


def text(table: Table, where: str, key: str, default: str = "") -> str:
    """Return a line of text, `default` when the key is not there."""
    value = table.get(key, default)
    if not isinstance(value, str) or (key in table and not value.strip()):
        message = f"The value {shown(str(value))} is not a line of text."
        raise ConfigError(message, hint='write it in quotes, as in "text"', location=f"{where}.{key}")
    suspect = characters.first_suspect(value)
    if suspect is not None:
        message = f'The value holds "{characters.code_point(suspect[1])}".'
        raise ConfigError(message, hint="delete the character", location=f"{where}.{key}")
    for char in glyphs.unshown(value):
        message = f'No typeface shows "{characters.code_point(char)}".'
        raise ConfigError(message, hint="write it with other characters", location=f"{where}.{key}")
    return value


def texts(table: Table, where: str, key: str) -> tuple[str, ...]:
    """Return a list of texts, empty when the key is not there."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        message = f"The value {shown(str(value))} is not a list of texts."
        raise ConfigError(message, hint='write ["one", "two"]', location=f"{where}.{key}")
    return tuple(text({key: item}, where, key) for item in value)


def count(table: Table, where: str, key: str) -> int:
    """Return a whole number of 1 or more, 0 when the key is not there."""
    value = table.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or (key in table and value < 1):
        message = f"The value {shown(str(value))} is not a whole number of 1 or more."
        raise ConfigError(message, hint="write it without quotes, as in 365", location=f"{where}.{key}")
    return value


def flag(table: Table, where: str, key: str) -> bool:
    """Return true or false, false when the key is not there."""
    value = table.get(key, False)
    if not isinstance(value, bool):
        message = f"The value {shown(str(value))} is neither true nor false."
        raise ConfigError(message, hint=f"write {key} = true", location=f"{where}.{key}")
    return value


def code(value: str, where: str) -> str:
    """Return a language code in its normal form."""
    normal = languages.normal(value)
    if normal is None:
        message = f"{shown(value)} is not a language code."
        raise ConfigError(message, hint=languages.hint(value), location=where)
    return normal


def address(table: Table, where: str, key: str) -> str:
    """Return a web address of a folder, with its last slash; "" when the key is not there."""
    value = text(table, where, key)
    if value and not _ADDRESS.fullmatch(value):
        message = f"The value {shown(value)} is not the address of a site."
        raise ConfigError(message, hint='write it as in "https://example.org/"', location=f"{where}.{key}")
    return value if value.endswith("/") or not value else f"{value}/"


def day(table: Table, where: str, key: str) -> str:
    """Return a day as YYYY-MM-DD; "" when the key is not there."""
    value = table.get(key, "")
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    with suppress(ValueError, TypeError):
        if value == "" and key not in table:
            return ""
        return datetime.date.fromisoformat(value).isoformat()  # type: ignore[arg-type]  # TypeError is taken
    message = f"The value {shown(str(value))} is not a day."
    raise ConfigError(message, hint='write it as in "2026-05-31"', location=f"{where}.{key}")


def by_language(table: Table, where: str, key: str, default: str) -> dict[str, str]:
    """Return texts by language; one text alone is that of the default language."""
    value = table.get(key, {})
    if isinstance(value, str):
        return {default: text(table, where, key)}
    inner = f"{where}.{key}"
    return {code(name, inner): text(found, inner, name) for found in [_table(value, inner)] for name in found}


def lists_by_language(table: Table, where: str, key: str) -> dict[str, tuple[str, ...]]:
    """Return lists of texts by language."""
    inner = f"{where}.{key}"
    found = _table(table.get(key, {}), inner)
    return {code(name, inner): texts(found, inner, name) for name in found}


def choice(table: Table, where: str, key: str, choices: tuple[str, ...]) -> str:
    """Return one of `choices`, the first when the key is not there."""
    value = text(table, where, key, choices[0])
    if value not in choices:
        hint = "write " + " or ".join(f'"{one}"' for one in choices)
        raise ConfigError(f"The value {shown(value)} is not allowed.", hint=hint, location=f"{where}.{key}")
    return value


def _table(value: object, where: str) -> Table:
    if not isinstance(value, dict):
        message = f"The value {shown(str(value))} is not given by language."
        raise ConfigError(message, hint=f"write {where.rpartition('.')[2]}.en = …", location=where)
    return value
