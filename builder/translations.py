"""What translations were made from: the record beside the corpus, and which translations are older than their
source.

The record keeps, for each translation, the language of its source and a hash of the source's passages as
they were then. A build only reads it; writing is left to the command that records a translation.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from builder import languages
from builder.corpus import Document
from builder.problems import Problem, nearest, shown
from builder.project import TRANSLATIONS_NAME
from cairn_core.index import Passage

FORMAT = 1
_HASH = re.compile(r"[0-9a-f]{64}\Z")

type Digest = Callable[[Document], str]
"""Document -> `passages_hash` of its passages."""


@dataclass(frozen=True, slots=True)
class Source:
    """What one translation was made from: a language, and `passages_hash` of the source in it."""

    lang: str
    digest: str

    def to_json(self) -> dict[str, str]:
        """Return the fields as plain JSON."""
        return {"source": self.lang, "hash": self.digest}


@dataclass(frozen=True, slots=True)
class Translations:
    """The record: family -> language of the translation -> what it was made from."""

    families: Mapping[str, Mapping[str, Source]] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the canonical text: keys sorted, one line a family."""
        lines = [
            f"{_dump(family)}:{_dump({lang: source.to_json() for lang, source in made.items()})}"
            for family, made in sorted(self.families.items())
        ]
        return f'{{"families":{{\n{",\n".join(lines)}\n}},"format":{FORMAT}}}\n'

    @classmethod
    def from_json(cls, text: str) -> "Translations":
        """Return the record of a text. Raises ValueError naming the field it could not read."""
        value = json.loads(text)
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise ValueError("format")
        families = value.get("families")
        if not isinstance(families, dict):
            raise ValueError("families")
        return cls({family: _family(f"families.{family}", made) for family, made in families.items()})

    def with_source(self, family: str, lang: str, source: Source) -> "Translations":
        """Return the record with the translation of `family` in `lang` made from `source`."""
        return Translations({**self.families, family: {**self.families.get(family, {}), lang: source}})


def read(corpus_dir: Path) -> tuple[Translations, list[Problem]]:
    """Return the record of a corpus folder, an empty one when there is none or it cannot be read."""
    path = corpus_dir / TRANSLATIONS_NAME
    try:
        return Translations.from_json(path.read_bytes().decode("utf-8")), []
    except FileNotFoundError:
        return Translations(), []
    except OSError as error:
        what = error.strerror or "unknown"
    except (ValueError, RecursionError) as error:
        what = str(error)
    message = f"The record of translations is not readable: {shown(what)}."
    return Translations(), [Problem(path.name, 1, 1, "E604", message, "restore the file, or delete it")]


def passages_hash(passages: Iterable[Passage]) -> str:
    """Return the SHA-256, as 64 hexadecimal digits, of what passages say: layout and text, in page order.

    Anchors and ordinals are left out: a heading renamed elsewhere does not make a translation old.
    """
    said = [[one.layout, one.text] for one in passages]
    return hashlib.sha256(_dump(said).encode()).hexdigest()


def stale(record: Translations, documents: Iterable[Document], digest: Digest) -> Mapping[str, str]:
    """Return, for each translation older than its source, its document id -> the id of the source.

    What was not recorded, or made from a document that is gone, is not judged.
    """
    made = {(one.family, one.lang): one for one in documents} if record.families else {}
    found: dict[str, str] = {}
    for family, lang, source in _entries(record):
        translation, origin = made.get((family, lang)), made.get((family, source.lang))
        if translation and origin and digest(origin) != source.digest:
            found[translation.doc_id] = origin.doc_id
    return found


def problems(
    record: Translations, documents: Sequence[Document], outdated: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield a warning for each translation older than its source, and for what the record names in vain."""
    by_id = {one.doc_id: one for one in documents} if record.families else {}
    for translation, origin in outdated.items():
        message = f"The translation is older than {shown(by_id[origin].path)}."
        hint = "compare the two, then record the translation anew"
        yield Problem(by_id[translation].path, 1, 1, "W605", message, hint)
    present = {(one.family, one.lang) for one in by_id.values()}
    for family, lang, source in _entries(record):
        missing = next((code for code in (lang, source.lang) if (family, code) not in present), None)
        if missing:
            message = f'The record names {shown(family)} in "{missing}", which the corpus does not hold.'
            hint = nearest(family, sorted({one.family for one in documents})) or "delete the entry"
            yield Problem(TRANSLATIONS_NAME, 1, 1, "W606", message, hint)


def _entries(record: Translations) -> Iterator[tuple[str, str, Source]]:
    for family, made in sorted(record.families.items()):
        for lang, source in sorted(made.items()):
            yield family, lang, source


def _family(where: str, value: object) -> dict[str, Source]:
    if not isinstance(value, dict):
        raise ValueError(where)
    return {_code(where, lang): _source(f"{where}.{lang}", one) for lang, one in value.items()}


def _source(where: str, value: object) -> Source:
    if not isinstance(value, dict):
        raise ValueError(where)
    lang, digest = value.get("source"), value.get("hash")
    if not isinstance(digest, str) or not _HASH.match(digest):
        raise ValueError(f"{where}.hash")
    return Source(_code(f"{where}.source", lang), digest)


def _code(where: str, value: object) -> str:
    if not isinstance(value, str) or languages.normal(value) != value:
        raise ValueError(where)
    return value


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
