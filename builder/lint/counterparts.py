"""Rules about the translations of one document: which are missing, and where they say different things."""

from collections.abc import Iterator, Mapping, Sequence

from builder.lint.facts import Facts, place_in
from builder.lint.numbers import differing, numbers
from builder.passages import Rendered
from builder.problems import Problem, shown
from builder.translations import read
from cairn_core import siblings
from cairn_core.index import Passage


def missing(facts: Facts) -> Iterator[Problem]:
    """Documents that some language of the site lacks; nothing while a file cannot be read."""
    wanted = facts.project.languages or facts.corpus.language_codes
    if not facts.all_read:
        return
    for family, by_lang in facts.families().items():
        lacking = [lang for lang in wanted if lang not in by_lang]
        if lacking:
            first = _source(by_lang, facts)
            message = f"The document {shown(family)} is missing in {', '.join(lacking)}."
            hint = f"translate it; until then readers are shown {first.document.lang}, marked as such"
            yield Problem(first.document.path, 1, 1, "W241", message, hint)


def unrecorded(facts: Facts) -> Iterator[Problem]:
    """Translations without a record, where others have one: nobody will be told when their source changes."""
    record, _ = read(facts.project.corpus_dir)
    for source, translation in _pairs(facts) if record.families else ():
        document = translation.document
        if document.lang not in record.families.get(document.family, {}):
            message = (
                f"There is no record of what the translation of {shown(source.document.path)} was made from."
            )
            hint = f"python -m builder translated {document.family} {document.lang}"
            yield Problem(document.path, 1, 1, "W247", message, hint)


def unlike_sections(facts: Facts) -> Iterator[Problem]:
    """Translations whose sections are not as many as the source's: their passages cannot be paired."""
    for source, translation in _pairs(facts):
        if not siblings.aligned(source.passages, translation.passages):
            ours, theirs = (len({one.section for one in doc.passages}) for doc in (translation, source))
            message = f"The sections are {ours}, those of {shown(source.document.path)} are {theirs}."
            hint = "divide both alike, so that one can be quoted for the other"
            line = translation.document.body_line
            yield Problem(translation.document.path, line, 1, "W246", message, hint)


def unlike_numbers(facts: Facts) -> Iterator[Problem]:
    """Numbers that a passage and its translation do not share; sections that seem to have changed places."""
    for source, translation in _pairs(facts):
        langs = source.document.lang, translation.document.lang
        both: frozenset[str] | None = None
        moved: list[int] = []
        for theirs, ours in siblings.aligned(source.passages, translation.passages):
            found = differing(_text(theirs), _text(ours), langs)
            if not found:
                continue
            both = _in_both(source, translation) if both is None else both
            line = translation.places[ours[0].ordinal - 1]
            wanted = [numbers(text, lang)[0] for text, lang in zip(found, langs, strict=True) if text]
            if all(not both.isdisjoint(number.readings) for number in wanted):
                moved.append(line)
                continue
            message = _difference(*found, source.document.path)
            place = place_in(translation, line, found[1]) if found[1] else (line, 1)
            hint = "correct the one that is wrong"
            yield Problem(translation.document.path, *place, "W245", message, hint)
        if moved:
            message = f"The sections seem to stand in another order than in {shown(source.document.path)}."
            hint = "put them into the same order, so that one can be quoted for the other"
            yield Problem(translation.document.path, moved[0], 1, "W246", message, hint)


def _in_both(source: Rendered, translation: Rendered) -> frozenset[str]:
    """The values both documents have: passages whose numbers are all among them were paired wrongly."""
    theirs, ours = (
        frozenset(value for one in numbers(_text(doc.passages), doc.document.lang) for value in one.readings)
        for doc in (source, translation)
    )
    return theirs & ours


def _difference(theirs: str, ours: str, path: str) -> str:
    if theirs and ours:
        return f"The number {shown(ours)} stands where {shown(path)} has {shown(theirs)}."
    if ours:
        return f"The number {shown(ours)} is not in the same passage of {shown(path)}."
    return f"The number {shown(theirs)} of {shown(path)} is not in this passage."


def _pairs(facts: Facts) -> Iterator[tuple[Rendered, Rendered]]:
    """Each document with its translations, one pair after the other."""
    for by_lang in facts.families().values():
        source = _source(by_lang, facts)
        for translation in by_lang.values():
            if translation is not source and source.passages and translation.passages:
                yield source, translation


def _source(by_lang: Mapping[str, Rendered], facts: Facts) -> Rendered:
    """The document of the site's language, else of the first language listed."""
    default = facts.project.config.default_lang
    order = [default, *facts.corpus.language_codes]
    return next(by_lang[lang] for lang in order if lang in by_lang)


def _text(passages: Sequence[Passage]) -> str:
    return "\n".join(one.text for one in passages)
