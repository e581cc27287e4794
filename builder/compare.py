"""Two states of a site compared: documents, passages, anchors, thresholds, answers.

A state is a built site or a corpus that was not built yet; both give an index, settings and the ids of their
pages. Nothing is written; words and markup are `differences`' concern.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from builder import calibrate, questions
from builder.corpus import contact_checked, read
from builder.passages import RESERVED_PREFIX
from builder.payload import MANIFEST_JSON
from builder.project import Project, load_project
from builder.readsite import read_site
from builder.rendering import render_all
from cairn_core.answer import Answer
from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.errors import CairnError
from cairn_core.index import DocumentRef, Index, Passage, build_shard

_ID = re.compile(r'\sid="([^"]*)"')
_PASSAGE = re.compile(
    r'<div class="passage" id="([^"]*)" data-passage="([^"]*)"[^>]*>'
    r'(?:<a [^>]*></a>)?((?:<span class="alias" id="[^"]*"></span>)*)'
)


@dataclass(frozen=True, slots=True)
class State:
    """One side of a comparison.

    ids: document id -> every id that leads into its page; names: passage id -> its anchor and the earlier
    ones that lead to it; asked: the operator's questions of a corpus, as (language or "", question).
    """

    label: str
    index: Index
    config: Config
    ids: Mapping[str, frozenset[str]]
    names: Mapping[str, tuple[str, ...]]
    asked: tuple[tuple[str, str], ...] = ()

    def documents(self) -> Mapping[str, DocumentRef]:
        """Return the documents that have a passage, by id."""
        return {passage.doc_id: passage.document for passage in self.index.passages}


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document "added", "removed", "moved" to another address or "changed"; None where it is not."""

    kind: str
    old: DocumentRef | None
    new: DocumentRef | None


@dataclass(frozen=True, slots=True)
class PassageChange:
    """A passage "added", "removed", "moved" to another document or heading, or "changed"."""

    kind: str
    old: Passage | None
    new: Passage | None


@dataclass(frozen=True, slots=True)
class DeadAnchor:
    """An address that worked and leads nowhere any more; without an anchor the page itself is gone."""

    url: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A threshold that moved; None where the language has none."""

    lang: str
    old: float | None
    new: float | None


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """A question of the operator with another answer than before."""

    lang: str
    question: str
    old: Answer
    new: Answer


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that differs between two states; `questions` is how many were asked of both."""

    old: str
    new: str
    documents: tuple[DocumentChange, ...]
    passages: tuple[PassageChange, ...]
    anchors: tuple[DeadAnchor, ...]
    thresholds: tuple[Moved, ...]
    answers: tuple[AnswerChange, ...]
    questions: int


def state(folder: Path) -> State:
    """Return the state of a site or a corpus. Raises DamagedSiteError, CorpusProblems, CairnError."""
    if (folder / MANIFEST_JSON).is_file():
        return _of_site(folder)
    if not folder.is_dir():
        raise CairnError("there is neither a site nor a corpus here", "name a folder", str(folder))
    return of_project(load_project(folder), str(folder))


def of_project(project: Project, label: str) -> State:
    """Return the state a build of the project would have."""
    rendering = render_all(contact_checked(read(project)))
    made = (build_shard(lang, passages) for lang, passages in rendering.passages.items() if passages)
    index = calibrate.with_lexicons(Index.of(made), project)
    names = {
        passage.passage_id: anchors
        for one in rendering.documents.values()
        for passage, anchors in zip(one.passages, one.entry.passages, strict=True)
    }
    ids = {doc_id: one.fragments for doc_id, one in rendering.documents.items()}
    config = calibrate.judged(index, project).config
    return State(label, index, config, ids, names, tuple(asked_by(project)))


def asked_by(project: Project) -> Iterator[tuple[str, str]]:
    """Yield the questions of a corpus: those of questions.toml, the probes, the examples of the Ask page."""
    found, _ = questions.load(project.corpus_dir)
    every = [(one.lang, one.ask) for one in found]
    for lang, probes in calibrate.operator_probes(project.corpus_dir).items():
        every += [(lang, question) for question in (*probes.answer, *probes.refuse)]
    every += [(lang, question) for lang, examples in project.examples.items() for question in examples]
    yield from dict.fromkeys(every)


def _of_site(folder: Path) -> State:
    session = read_site(folder).session()
    ids: dict[str, frozenset[str]] = {}
    names: dict[str, tuple[str, ...]] = {}
    for document in {passage.doc_id: passage.document for passage in session.index.passages}.values():
        html = (folder / document.url).read_text(encoding="utf-8")
        found = frozenset(unescape(one) for one in _ID.findall(html))
        ids[document.doc_id] = frozenset(one for one in found if not one.startswith(RESERVED_PREFIX))
        for anchor, passage_id, aliases in _PASSAGE.findall(html):
            names[unescape(passage_id)] = (unescape(anchor), *map(unescape, _ID.findall(aliases)))
    return State(str(folder), session.index, session.config, ids, names)


def compare(old: State, new: State, asked: Iterable[tuple[str, str]] = ()) -> Comparison:
    """Return what differs, with the questions of both sides and of `asked` put to both."""
    every = tuple(dict.fromkeys((*new.asked, *old.asked, *asked)))
    passages = tuple(_passages(old, new))
    return Comparison(
        old.label,
        new.label,
        tuple(_documents(old, new, passages)),
        passages,
        tuple(_dead(old, new)),
        tuple(_thresholds(old, new)),
        tuple(_answers(old, new, every)),
        len(every),
    )


def _passages(old: State, new: State) -> Iterator[PassageChange]:
    heirs = {(one.doc_id, name): one for one in new.index.passages for name in new.names[one.passage_id]}
    same_words = {(one.lang, one.text): one for one in reversed(new.index.passages)}
    taken: set[str] = set()
    for passage in old.index.passages:
        heir = heirs.get((passage.doc_id, passage.anchor)) or same_words.get((passage.lang, passage.text))
        if heir is None or heir.passage_id in taken:
            yield PassageChange("removed", passage, None)
            continue
        taken.add(heir.passage_id)
        if heir.text != passage.text:
            yield PassageChange("changed", passage, heir)
        elif (heir.doc_id, heir.section) != (passage.doc_id, passage.section):
            yield PassageChange("moved", passage, heir)
    for passage in new.index.passages:
        if passage.passage_id not in taken:
            yield PassageChange("added", None, passage)


def _documents(old: State, new: State, passages: Iterable[PassageChange]) -> Iterator[DocumentChange]:
    touched = {side.doc_id for change in passages for side in (change.old, change.new) if side}
    before, after = old.documents(), new.documents()
    for doc_id in sorted(before.keys() | after.keys()):
        was, now = before.get(doc_id), after.get(doc_id)
        if was is None or now is None:
            yield DocumentChange("removed" if now is None else "added", was, now)
        elif was.url != now.url:
            yield DocumentChange("moved", was, now)
        elif doc_id in touched or was != now:
            yield DocumentChange("changed", was, now)


def _dead(old: State, new: State) -> Iterator[DeadAnchor]:
    after = {document.url: doc_id for doc_id, document in new.documents().items()}
    for doc_id, document in sorted(old.documents().items()):
        heir = after.get(document.url)
        if heir is None:
            yield DeadAnchor(document.url, "")
        else:
            yield from (DeadAnchor(document.url, one) for one in sorted(old.ids[doc_id] - new.ids[heir]))


def _thresholds(old: State, new: State) -> Iterator[Moved]:
    before, after = (
        {lang: side.config.threshold_for(lang) for lang in side.index.language_codes} for side in (old, new)
    )
    for lang in sorted(before.keys() | after.keys()):
        if before.get(lang) != after.get(lang):
            yield Moved(lang, before.get(lang), after.get(lang))


def _answers(old: State, new: State, asked: Sequence[tuple[str, str]]) -> Iterator[AnswerChange]:
    for lang, question in asked:
        was, now = _answer(question, lang, old), _answer(question, lang, new)
        if _said(was) != _said(now):
            yield AnswerChange(lang or now.lang, question, was, now)


def _answer(question: str, lang: str, side: State) -> Answer:
    known = lang if lang in side.index.language_codes else None
    return ask(question, side.index, side.config, lang=known).answer


def _said(answer: Answer) -> list[tuple[str, str]]:
    """What a reader gets: the quotations with their documents; a passage's number is none of that."""
    return [(one.source_id.rpartition("#")[0], one.text) for one in answer.sources]
