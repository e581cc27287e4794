"""The operator's questions put to the corpus as the site would answer them, and what came back instead."""

from collections.abc import Iterator, Mapping

from builder.lint.facts import Engine, Facts
from builder.passages import Rendered
from builder.problems import Problem, nearest, shown
from builder.questions import Question, load
from cairn_core.answer import Answer
from cairn_core.engine import ask
from cairn_core.errors import ConfigError


def questions(facts: Facts) -> Iterator[Problem]:
    """Questions that are not answered as `questions.toml` says, and what is wrong with that file."""
    found, problems = load(facts.project.corpus_dir)
    yield from problems
    documents = facts.examined.documents
    for one in found:
        target = "" if one.expected == "refusal" else resolved(one, documents)
        if target is None and facts.all_read:
            yield _nowhere(one, documents)
        elif target is not None and facts.engine is not None:
            yield from _outcome(one, target, facts.engine)


def resolved(one: Question, documents: Mapping[str, Rendered]) -> str | None:
    """Return the id of the document or passage a question expects, None when the corpus has none.

    An earlier anchor leads to the passage that took its place.
    """
    if one.expected == "document":
        return one.target if one.target in documents else None
    doc_id, _, place = one.target.partition("#")
    rendered = documents.get(doc_id)
    if rendered is None:
        return None
    for passage, anchors in zip(rendered.passages, rendered.entry.passages, strict=True):
        if place in anchors or place == str(passage.ordinal):
            return passage.passage_id
    return None


def _nowhere(one: Question, documents: Mapping[str, Rendered]) -> Problem:
    message = f"The corpus has no {one.expected} {shown(one.target)}."
    doc_id, _, place = one.target.partition("#")
    anchors = [names[0] for names in documents[doc_id].entry.passages] if doc_id in documents else []
    near = nearest(place, anchors) if anchors else nearest(doc_id, sorted(documents))
    return one.problem("E722", message, near or "name one that exists, or take the question out")


def _outcome(one: Question, target: str, engine: Engine) -> Iterator[Problem]:
    try:
        answer = ask(one.ask, engine.index, engine.calibrated.config, lang=one.lang or None).answer
    except ConfigError as error:
        yield one.problem("E721", f"{shown(one.lang)} is not a language of this site.", error.hint)
        return
    if answer.kind == "refusal":
        if one.expected != "refusal":
            message = f"The question {shown(one.ask)} is refused."
            hint = f"expected {shown(one.target)}; add its words to the document or to a glossary"
            yield one.problem("E724", message, hint)
    elif one.expected == "refusal":
        yield one.problem(
            "E725", f"The question {shown(one.ask)} is answered from {_where(answer)}.", _quote(answer)
        )
    elif not any(target in (source.source_id, _document(source.source_id)) for source in answer.sources):
        message = f"The question {shown(one.ask)} is answered from {_where(answer)}."
        yield one.problem("E723", message, f"expected {shown(one.target)}; {_quote(answer)}")


def _where(answer: Answer) -> str:
    return shown(answer.sources[0].source_id)


def _quote(answer: Answer) -> str:
    return f"what came back: {shown(' '.join(answer.sources[0].text.split()), 120)}"


def _document(passage_id: str) -> str:
    return passage_id.rpartition("#")[0]
