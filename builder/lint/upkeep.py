"""Rules about what an operator has to keep up: review dates, contacts, the example questions."""

from collections.abc import Iterator
from datetime import date

from builder.lint.facts import Facts, key_place, source, word_place
from builder.problems import Problem, shown
from builder.project import FILE_NAME
from cairn_core.engine import ask
from cairn_core.language import catalogue, has_catalogue, has_own_catalogue, primary


def reviews(facts: Facts) -> Iterator[Problem]:
    """Documents not reviewed for longer than `max_age_days`, and dates that have not come yet."""
    limit = facts.project.max_age_days
    for one in facts.documents:
        document = one.document
        fact = document.fields.get((facts.project.field_names or {}).get("reviewed", "reviewed"))
        place = (document.path, fact.line if fact else 1, 1)
        age = (facts.today - date.fromisoformat(document.reviewed)).days if document.reviewed else None
        if age is not None and age < 0:
            message = f"The review date {shown(document.reviewed)} has not come yet."
            yield Problem(*place, "W232", message, "write the day of the last review")
        elif limit and age is None:
            message = "The document has no review date."
            yield Problem(*place, "W231", message, "review it and add reviewed: YYYY-MM-DD")
        elif limit and age is not None and age > limit:
            message = f"The last review, {document.reviewed}, is {age} days ago, more than {limit}."
            yield Problem(*place, "W231", message, "review the document and set the date anew")


def contacts(facts: Facts) -> Iterator[Problem]:
    """Languages of documents whose readers are sent to a contact in another language."""
    config = facts.project.config
    given = {*config.contact_by_language} | {primary(code) for code in config.contact_by_language}
    if config.contact_is_demo:
        return
    alone = {config.default_lang} if not given else set()
    for lang in facts.corpus.language_codes:
        if not {lang, primary(lang)} & (given | alone):
            text = source(facts.project.corpus_dir / FILE_NAME)
            line = max(key_place(text, "refusal.contact_by_language"), key_place(text, "refusal.contact"))
            message = f'There is no contact in "{lang}"; its readers are shown {shown(config.contact)}.'
            hint = f'write {lang} = "…" under [refusal.contact_by_language]'
            yield Problem(FILE_NAME, line, 1, "W802", message, hint)


def interface(facts: Facts) -> Iterator[Problem]:
    """Languages of documents in which the sentences of the pages are begun, or not written at all."""
    line = key_place(source(facts.project.corpus_dir / FILE_NAME), "site.languages")
    for lang in facts.corpus.language_codes:
        if has_catalogue(lang):
            continue
        if has_own_catalogue(lang):
            message = (
                f'The sentences of the pages in "{lang}" are begun, last read {catalogue(lang).reviewed}.'
            )
            hint = "let a speaker of the language read the pages before they are published"
        else:
            message = f'The sentences of the pages are not written in "{lang}"; they are shown in English.'
            hint = f'begin a catalogue of "{lang}", or tell its readers'
        yield Problem(FILE_NAME, line, 1, "W804", message, hint)


def examples(facts: Facts) -> Iterator[Problem]:
    """Example questions of the Ask page that the site refuses."""
    if facts.engine is None:
        return
    text = source(facts.project.corpus_dir / FILE_NAME)
    index, config = facts.engine.index, facts.engine.calibrated.config
    for lang, questions in facts.project.examples.items():
        for question in questions if lang in index.language_codes else ():
            if ask(question, index, config, lang=lang).answer.kind == "refusal":
                message = f"The example {shown(question)} is refused."
                place = word_place(text, question)
                yield Problem(FILE_NAME, *place, "W803", message, "show a question a document answers")
