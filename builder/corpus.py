"""The corpus: a folder of Markdown files read into documents, with everything that is wrong with them.

Files are hostile: only regular files inside the folder are opened, sizes are capped. What one file gives is
`document`'s concern.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from builder import files, identity
from builder.document import Document, Loaded, Section, read_file
from builder.problems import CorpusProblems, Problem, has_errors, shown
from builder.project import FILE_NAME, Project

__all__ = ["Corpus", "Document", "Section", "contact_checked", "gathered", "load", "read"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a folder holds: documents in the order of their paths, and the problems found while reading them.

    `paths` names every document file but those without text, also those that could not be read, so that a
    link to one is not called dead.
    """

    project: Project
    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    paths: frozenset[str]

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Return the problems that do not stop a build."""
        return tuple(problem for problem in self.problems if problem.severity == "warning")

    @property
    def language_codes(self) -> tuple[str, ...]:
        """Return the languages that have a document, in the order the site lists them, else sorted."""
        present = {document.lang for document in self.documents}
        listed = [code for code in self.project.languages if code in present]
        return (*listed, *sorted(present.difference(listed)))


def contact_checked(corpus: Corpus) -> Corpus:
    """Return `corpus`, with an error when its readers would be sent to the demonstration's contact.

    Nobody answers there; only a corpus that is invented from end to end may name it.
    """
    if not corpus.project.config.contact_is_demo or all(one.synthetic for one in corpus.documents):
        return corpus
    message = "No contact is set: refusals would name the demonstration's."
    problem = Problem(FILE_NAME, 1, 1, "E109", message, 'write `contact = "…"` under [refusal]')
    return replace(corpus, problems=tuple(sorted((*corpus.problems, problem))))


def load(project: Project) -> Corpus:
    """Return the corpus of a project. Raises CorpusProblems with every problem when one of them is an
    error.
    """
    corpus = read(project)
    if has_errors(corpus.problems):
        raise CorpusProblems(corpus.problems)
    return corpus


def read(project: Project) -> Corpus:
    """Return what can be read of a corpus; its `problems` may hold errors, which `passages.render_all`
    reports with its own.
    """
    found, problems = files.find(project.corpus_dir, project.exclude)
    return gathered(project, [read_file(file, project) for file in found], problems)


def gathered(project: Project, loaded: Sequence[Loaded], problems: Iterable[Problem]) -> Corpus:
    """Return the corpus of what each file gave, in the order of their paths, with what only shows together.

    `problems`: those found while looking for the files.
    """
    documents = [one.document for one in loaded if one.document is not None]
    found = [*problems, *(problem for one in loaded for problem in one.problems), *_summary(loaded)]
    found += [*_collisions(documents), *_placeholders(project, documents)]
    found += _without_urgent_help(project, [document.lang for document in documents])
    if not documents and not has_errors(found):
        hint = "add a file such as opening-hours.en.md"
        found.append(Problem(str(project.corpus_dir), 1, 1, "E107", "The corpus holds no document.", hint))
    paths = frozenset(one.path for one in loaded if not one.empty)
    return Corpus(project, tuple(documents), tuple(sorted(found)), paths)


def _summary(loaded: Iterable[Loaded]) -> Iterable[Problem]:
    """Yield the warnings that stand for many places."""
    shortcodes: dict[str, list[tuple[str, int, int]]] = {}
    foreign: set[tuple[str, str, int]] = set()
    unused: dict[str, list[tuple[str, int]]] = {}
    composed: list[str] = []
    for one in loaded:
        for name, line, column in one.shortcodes:
            shortcodes.setdefault(name, []).append((one.path, line, column))
        foreign.update((lang, one.path, line) for lang, line in one.foreign)
        for key, line in one.unused:
            unused.setdefault(key, []).append((one.path, line))
        composed += [one.path] if one.composed else []
    for name, places in sorted(shortcodes.items()):
        message = f'The shortcode "{name}" is stripped; places: {len(places)}, this is the first.'
        yield Problem(*places[0], "W413", message, "their inner words are kept")
    if foreign:
        languages = ", ".join(sorted({lang for lang, _, _ in foreign}))
        message = (
            f"Headings of mapped fields are not written in {shown(languages)}; another language is shown."
        )
        _, path, line = min(foreign)
        yield Problem(path, line, 1, "W226", message, "add them to [[fields.passage]]")
    if composed:
        message = f"The text is not in normal form C; files: {len(composed)}, this is the first."
        yield Problem(composed[0], 1, 1, "W113", message, "nothing to do: pages and index are composed")
    if unused:
        names = ", ".join(sorted(unused))
        path, line = min(places[0] for places in unused.values())
        message = f"Front-matter fields are not used: {shown(names)}; fields: {len(unused)}."
        yield Problem(path, line, 1, "W222", message, "map them in [fields], or leave them")


def _placeholders(project: Project, documents: Iterable[Document]) -> Iterable[Problem]:
    """A contact in square brackets stands for none: only invented documents may refer to it."""
    config = project.config
    lines = [config.contact, *config.contact_by_language.values()]
    line = next((line for line in lines if line.startswith("[") and line.endswith("]")), None)
    real = next((document for document in documents if not document.synthetic), None)
    if line and real:
        message = f"The contact {shown(line)} is a placeholder, and {shown(real.path)} is not synthetic."
        yield Problem(FILE_NAME, 1, 1, "E108", message, "name whom to call in [refusal]")


def _without_urgent_help(project: Project, languages: Iterable[str]) -> Iterable[Problem]:
    """Help that exists for some readers exists for all of them."""
    urgent = project.config.urgent
    missing = sorted({lang for lang in languages if lang not in urgent}) if urgent else []
    if missing:
        message = f"There is no urgent help in {', '.join(map(shown, missing))}."
        hint = f"give words, text and contact for {missing[0]} in [urgent]"
        yield Problem(FILE_NAME, 1, 1, "E110", message, hint)


def _collisions(documents: Iterable[Document]) -> Iterable[Problem]:
    ids: dict[str, Document] = {}
    families: dict[tuple[str, str], Document] = {}
    for document in documents:
        other = ids.setdefault(identity.same_key(document.doc_id), document)
        if other is not document:
            message = f"The id {shown(document.doc_id)} is that of {shown(other.path)} too."
            yield Problem(
                document.path, _line(document, "id"), 1, "E214", message, "give one of them another id"
            )
            continue
        other = families.setdefault((document.family, document.lang), document)
        if other is not document:
            message = (
                f'The family {shown(document.family)} has {shown(other.path)} in "{document.lang}" already.'
            )
            hint = "give one of them another family or language"
            yield Problem(document.path, _line(document, "family"), 1, "E216", message, hint)


def _line(document: Document, key: str) -> int:
    return document.fields[key].line if key in document.fields else 1
