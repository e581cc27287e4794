"""The corpus: a folder of Markdown files read into documents, with everything that is wrong with them.

Files are hostile: only regular files inside the folder are opened, sizes are capped, text is decoded
strictly. Markdown is parsed by `passages`; what a file is called is decided by `identity`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from builder import characters, files, frontmatter, identity, markdown
from builder.files import Found
from builder.frontmatter import Field, FrontMatter
from builder.identity import Identity
from builder.problems import CorpusProblems, Problem, has_errors, shown
from builder.project import FILE_NAME, Project

MAX_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Section:
    """Text of a document that stands in its front matter: a heading by the operator, the field's text as
    written.

    `heading_lang` is the language the heading is written in, for the page to mark.
    """

    heading: str
    heading_lang: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One corpus file. `path` is relative to the corpus, with slashes; `body` starts on line `body_line` of
    it.

    `reviewed` is YYYY-MM-DD; texts are "" where nothing is known; `fields` holds the front matter as written.
    """

    doc_id: str
    title: str
    lang: str
    family: str
    path: str
    body: str
    body_line: int
    synthetic: bool = False
    reviewed: str = ""
    source: str = ""
    topic: str = ""
    summary: str = ""
    sections: tuple[Section, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)


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
    loader = _Loader(project)
    documents = [document for file in found if (document := loader.load(file)) is not None]
    problems += [*loader.problems, *loader.summary(), *_collisions(documents)]
    problems += _placeholders(project, documents)
    problems += _without_urgent_help(project, [document.lang for document in documents])
    if not documents and not has_errors(problems):
        hint = "add a file such as opening-hours.en.md"
        problems.append(Problem(str(project.corpus_dir), 1, 1, "E107", "The corpus holds no document.", hint))
    paths = frozenset(file.path for file in found).difference(loader.left_out)
    return Corpus(project, tuple(documents), tuple(sorted(problems)), paths)


@dataclass(slots=True)
class _Loader:
    """Loads one file after the other and remembers what is reported once for all of them."""

    project: Project
    problems: list[Problem] = field(default_factory=list)
    shortcodes: dict[str, list[tuple[str, int, int]]] = field(default_factory=lambda: defaultdict(list))
    composed: list[str] = field(default_factory=list)
    foreign: set[tuple[str, str, int]] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)
    unused: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))

    def load(self, file: Found) -> Document | None:
        """Return the document of a file, or None when it is left out; problems are remembered."""
        data, unreadable = files.read(file)
        if data is None:
            self.problems += unreadable
            return None
        decoded, problems = characters.decode(data, file.path)
        self.problems += problems
        if decoded is None:
            return None
        if decoded.text.count("\n") > MAX_LINES:
            message = f"The file has more than {MAX_LINES} lines."
            self.problems.append(Problem(file.path, 1, 1, "E105", message, "split the document"))
            return None
        if decoded.composed:
            self.composed.append(file.path)
        text, problems = characters.inspect(decoded.text, file.path, drop=self.project.invisible == "drop")
        self.problems += problems
        front, problems = frontmatter.read(text, file.path)
        self.problems += problems
        if front is None or has_errors(problems):
            return None
        known, problems = identity.identify(file.path, front, self.project)
        self.problems += problems
        return self._document(file.path, known, front) if known else None

    def _document(self, path: str, known: Identity, front: FrontMatter) -> Document | None:
        sections = tuple(self._sections(path, known.lang, front))
        body = self._strip(path, front.body, front.body_line)
        self._note_unused(path, front)
        if not body.strip() and not sections:
            mapped = bool(self.project.field_passages)
            message = f"The document {shown(known.title)} has no text and is left out."
            hint = "write a body or fill a mapped field" if mapped else "write a body"
            self.problems.append(Problem(path, front.body_line, 1, "W224", message, hint))
            self.left_out.append(path)
            return None
        return Document(
            doc_id=known.doc_id,
            title=known.title,
            lang=known.lang,
            family=known.family,
            path=path,
            body=body,
            body_line=front.body_line,
            synthetic=known.synthetic,
            reviewed=known.reviewed,
            source=known.source,
            topic=known.topic,
            summary=known.summary,
            sections=sections,
            fields=front.fields,
        )

    def _sections(self, path: str, lang: str, front: FrontMatter) -> Iterable[Section]:
        for passage in self.project.field_passages:
            value = front.fields.get(passage.field)
            if value is not None:
                heading, heading_lang = passage.heading_for(lang, self.project.config.default_lang)
                if heading_lang != lang:
                    self.foreign.add((lang, path, value.line))
                yield Section(heading, heading_lang, self._strip(path, value.text, value.line), value.line)

    def _strip(self, path: str, text: str, first_line: int) -> str:
        stripped, found = markdown.strip_shortcodes(text)
        lines = characters.Lines(text) if found else None
        for shortcode in found:
            line, column = lines.place(shortcode.offset) if lines else (1, 1)
            self.shortcodes[shortcode.name].append((path, first_line + line - 1, column))
        return stripped

    def _note_unused(self, path: str, front: FrontMatter) -> None:
        used = {passage.field for passage in self.project.field_passages}.union(frontmatter.KEYS)
        used.update((self.project.field_names or {}).values())
        for key, value in front.fields.items():
            if key not in used:
                self.unused[key].append((path, value.line))

    def summary(self) -> Iterable[Problem]:
        """Yield the warnings that stand for many places."""
        for name, places in sorted(self.shortcodes.items()):
            message = f'The shortcode "{name}" is stripped; places: {len(places)}, this is the first.'
            yield Problem(*places[0], "W413", message, "their inner words are kept")
        if self.foreign:
            languages = ", ".join(sorted({lang for lang, _, _ in self.foreign}))
            message = (
                f"Headings of mapped fields are not written in {shown(languages)}; another language is shown."
            )
            _, path, line = min(self.foreign)
            yield Problem(path, line, 1, "W226", message, "add them to [[fields.passage]]")
        if self.composed:
            message = f"The text is not in normal form C; files: {len(self.composed)}, this is the first."
            yield Problem(
                self.composed[0], 1, 1, "W113", message, "nothing to do: pages and index are composed"
            )
        if self.unused:
            names = ", ".join(sorted(self.unused))
            path, line = min(places[0] for places in self.unused.values())
            message = f"Front-matter fields are not used: {shown(names)}; fields: {len(self.unused)}."
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
