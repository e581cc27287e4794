"""One translation recorded: what its source says now, so that a later change of the source is noticed.

What the record looks like and what makes a translation old is `translations`' concern.
"""

from dataclasses import dataclass
from pathlib import Path

from builder import translations
from builder.corpus import read
from builder.languages import normal
from builder.passages import Rendered
from builder.problems import nearest, shown
from builder.project import TRANSLATIONS_NAME, Project
from builder.rendering import render_all
from builder.swap import WriteError
from builder.translations import Source
from cairn_core.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was recorded: the files of a translation and of its source, relative to the corpus."""

    translation: str
    source: str
    changed: bool


def record(project: Project, named: str, lang: str, source_lang: str = "") -> Recorded:
    """Record that the translation into `lang` of a document says what its source says now.

    named: a family, a document id or a file name of any of its languages. source_lang: what it was made from,
    by default the language of the site. Raises CorpusProblems, CorpusError, WriteError.
    """
    documents = render_all(read(project)).documents.values()
    by_lang = _family(named, list(documents))
    translation = _in(lang, by_lang, named)
    source = _in(source_lang, by_lang, named) if source_lang else _default_source(project, by_lang, lang)
    if source is translation:
        raise CorpusError(
            f'"{lang}" is the language of the source itself', "name the language it was translated into"
        )
    known, unreadable = translations.read(project.corpus_dir)
    if unreadable:
        raise CorpusError(unreadable[0].message, unreadable[0].hint, unreadable[0].path)
    made = Source(source.document.lang, translations.passages_hash(source.passages))
    changed = known.families.get(translation.document.family, {}).get(translation.document.lang) != made
    if changed:
        text = known.with_source(translation.document.family, translation.document.lang, made).to_json()
        _write(project.corpus_dir / TRANSLATIONS_NAME, text)
    return Recorded(translation.document.path, source.document.path, changed)


def _family(named: str, documents: list[Rendered]) -> dict[str, Rendered]:
    family = next(
        (
            one.document.family
            for one in documents
            if named in (one.document.family, one.document.doc_id, one.document.path)
        ),
        None,
    )
    if family is None:
        families = sorted({one.document.family for one in documents})
        hint = nearest(named, families) or "name a document, as in library-card"
        raise CorpusError(f"there is no document {shown(named)}", hint)
    return {one.document.lang: one for one in documents if one.document.family == family}


def _in(lang: str, by_lang: dict[str, Rendered], named: str) -> Rendered:
    found = by_lang.get(normal(lang) or lang)
    if found is None:
        message = f"the document {shown(named)} has no translation in {shown(lang)}"
        raise CorpusError(message, f"its languages are {', '.join(sorted(by_lang))}")
    return found


def _default_source(project: Project, by_lang: dict[str, Rendered], lang: str) -> Rendered:
    default = project.config.default_lang
    if default in by_lang:
        return by_lang[default]
    others = [code for code in sorted(by_lang) if code != lang]
    raise CorpusError(
        f'the document does not exist in "{default}", the language of the site',
        f"name what it was translated from: --from {others[0] if others else 'LANG'}",
    )


def _write(path: Path, text: str) -> None:
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.write_text(text, encoding="utf-8", newline="\n")
        aside.replace(path)
    except OSError as error:
        what = error.strerror or "unknown"
        raise WriteError(
            f"the record cannot be written: {what}", "make the folder writable", str(path)
        ) from error
