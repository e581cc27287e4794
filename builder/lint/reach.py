"""Rules about what questions find: passages nothing leads to, and the operator's probes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from builder.calibrate import operator_probes
from builder.lint.facts import Engine, Facts, numbered, source, word_place
from builder.problems import Problem, shown
from builder.project import PROBES_NAME
from cairn_core.analysis import words
from cairn_core.answer import quoted
from cairn_core.engine import MAX_QUESTION
from cairn_core.evidence import grammar
from cairn_core.index import Passage
from cairn_core.retrieve import retrieve
from cairn_core.text import without_marks

OWN_WORDS = 12
"""Of a passage's rarest words, as many as a long question has."""


def unreachable(facts: Facts) -> Iterator[Problem]:
    """Passages that are not quoted even for a question made of their own rarest words, nor for their text."""
    if facts.engine is None:
        return
    frequency = {
        lang: Counter(word for one in shard.passages for word in set(words(one.text)))
        for lang, shard in facts.engine.index.shards.items()
    }
    known: dict[tuple[str, str], list[Passage]] = {}
    for one in facts.documents:
        for passage, line in numbered(one):
            own = [word for word in words(passage.text) if without_marks(word) not in grammar(passage.lang)]
            if not own:
                if any(map(str.isalnum, passage.text)):
                    message = f"The passage {shown(passage.text)} has no word that carries weight."
                    hint = "write words residents would ask with"
                    yield Problem(one.document.path, line, 1, "W423", message, hint)
                continue
            instead = _quoted_instead(passage, _rarest(own, frequency[passage.lang]), facts.engine, known)
            if instead is not None:
                yield Problem(one.document.path, line, 1, "W422", *_unreached(passage, instead))


def probes(facts: Facts) -> Iterator[Problem]:
    """Probes that come out otherwise, stand twice, contradict each other or have no word."""
    if facts.engine is None:
        return
    text = source(facts.project.corpus_dir / PROBES_NAME)
    for failure in facts.engine.calibrated.failures:
        code, became, hint = _OUTCOMES[failure.wanted]
        message = f"The probe {shown(failure.question)} is {became}."
        yield Problem(PROBES_NAME, *word_place(text, failure.question), code, message, hint)
    for lang, given in operator_probes(facts.project.corpus_dir).items():
        every = [*given.answer, *given.refuse]
        if lang not in facts.engine.index.language_codes:
            message = f'There are probes in "{lang}" and no document.'
            hint = "name a language of the documents"
            yield Problem(PROBES_NAME, *word_place(text, f"[{lang}]"), "W706", message, hint)
        for question, times in Counter(every).items():
            if times > 1:
                message = f"The probe {shown(question)} stands {times} times."
                hint = "keep one, under answer or under refuse"
                yield Problem(PROBES_NAME, *word_place(text, question), "W705", message, hint)
            if not words(question):
                message = f"The probe {shown(question)} has no word."
                yield Problem(PROBES_NAME, *word_place(text, question), "W707", message, "write a question")


_OUTCOMES: Mapping[str, tuple[str, str, str]] = {
    "grounded": ("E702", "refused", "write a document that answers it, or a glossary entry that leads there"),
    "refusal": ("E703", "answered", "change the document it is answered from, or move the probe to answer"),
}
"""What was wanted -> code, what became of it, what to do."""


def _rarest(own: Iterable[str], frequency: Mapping[str, int]) -> str:
    distinct = list(dict.fromkeys(own))
    kept = set(sorted(distinct, key=lambda word: (frequency[word], word))[:OWN_WORDS])
    return " ".join(word for word in distinct if word in kept)


def _quoted_instead(
    passage: Passage, rarest: str, engine: Engine, known: dict[tuple[str, str], list[Passage]]
) -> Sequence[Passage] | None:
    """The passages quoted for questions that can only mean `passage`, None when it is quoted for one.

    known: what each question was answered with, for passages that say the same.
    """
    found: list[Passage] = []
    for question in (rarest, passage.text[:MAX_QUESTION]):
        key = passage.lang, question
        if key not in known:
            known[key] = _quoted(question, passage.lang, engine)
        found = known[key] or found
        if passage in found:
            return None
        if any(one.text == passage.text for one in found):
            break
    return found


def _quoted(question: str, lang: str, engine: Engine) -> list[Passage]:
    config = engine.calibrated.config
    trace = retrieve(
        question,
        engine.index,
        threshold=config.threshold_for(lang),
        candidates=config.candidates,
        lang=lang,
        scorer=config.scorer,
    )
    return [one.passage for one in quoted(trace, config.max_passages)] if trace.grounded else []


def _unreached(passage: Passage, instead: Sequence[Passage]) -> tuple[str, str]:
    if not instead:
        return (
            "No question reaches this passage: its own words are refused.",
            "write what it is about into it or its heading",
        )
    other = instead[0]
    same = "the same words" if other.text == passage.text else "its own words"
    message = f"No question reaches this passage: {same} lead to {shown(other.passage_id)}."
    return message, "join the two, or say in each what it alone is about"
