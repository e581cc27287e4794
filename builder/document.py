"""One file of a corpus as a document, with everything that is wrong with it.

Files are hostile: text is decoded strictly. Markdown is parsed by `passages`; what a file is called is
decided by `identity`; what only shows of all files together is left to `corpus`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from builder import characters, files, frontmatter, identity, markdown
from builder.files import Found
from builder.frontmatter import Field, FrontMatter
from builder.identity import Identity
from builder.problems import Problem, has_errors, shown
from builder.project import Project

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
class Loaded:
    """What one file gives: a document, or None, and its problems.

    What is reported once for all files: `shortcodes` stripped as (name, line, column), headings of mapped
    fields that are not in their language as (language, line) in `foreign`, front-matter fields nobody uses as
    (key, line), whether the text had to be `composed`. `empty`: it was left out since it has no text.
    """

    path: str
    document: Document | None = None
    problems: tuple[Problem, ...] = ()
    shortcodes: tuple[tuple[str, int, int], ...] = ()
    foreign: tuple[tuple[str, int], ...] = ()
    unused: tuple[tuple[str, int], ...] = ()
    composed: bool = False
    empty: bool = False


def read_file(file: Found, project: Project) -> Loaded:
    """Return what a file of the corpus gives."""
    data, unreadable = files.read(file)
    return (
        Loaded(file.path, problems=tuple(unreadable)) if data is None else load_file(file.path, data, project)
    )


def load_file(path: str, data: bytes, project: Project) -> Loaded:
    """Return what the bytes of a file give."""
    return _Loader(path, project).load(data)


@dataclass(slots=True)
class _Loader:
    """One file being loaded, and what is found on the way."""

    path: str
    project: Project
    problems: list[Problem] = field(default_factory=list)
    shortcodes: list[tuple[str, int, int]] = field(default_factory=list)
    foreign: list[tuple[str, int]] = field(default_factory=list)
    unused: list[tuple[str, int]] = field(default_factory=list)
    composed: bool = False
    empty: bool = False

    def load(self, data: bytes) -> Loaded:
        document = self._load(data)
        return Loaded(
            self.path,
            document,
            tuple(self.problems),
            tuple(self.shortcodes),
            tuple(self.foreign),
            tuple(self.unused),
            self.composed,
            self.empty,
        )

    def _load(self, data: bytes) -> Document | None:
        decoded, problems = characters.decode(data, self.path)
        self.problems += problems
        if decoded is None:
            return None
        if decoded.text.count("\n") > MAX_LINES:
            message = f"The file has more than {MAX_LINES} lines."
            self.problems.append(Problem(self.path, 1, 1, "E105", message, "split the document"))
            return None
        self.composed = decoded.composed
        text, problems = characters.inspect(decoded.text, self.path, drop=self.project.invisible == "drop")
        self.problems += problems
        front, problems = frontmatter.read(text, self.path)
        self.problems += problems
        if front is None or has_errors(problems):
            return None
        known, problems = identity.identify(self.path, front, self.project)
        self.problems += problems
        return self._document(known, front) if known else None

    def _document(self, known: Identity, front: FrontMatter) -> Document | None:
        sections = tuple(self._sections(known.lang, front))
        body = self._strip(front.body, front.body_line)
        self._note_unused(front)
        if not body.strip() and not sections:
            mapped = bool(self.project.field_passages)
            message = f"The document {shown(known.title)} has no text and is left out."
            hint = "write a body or fill a mapped field" if mapped else "write a body"
            self.problems.append(Problem(self.path, front.body_line, 1, "W224", message, hint))
            self.empty = True
            return None
        return Document(
            doc_id=known.doc_id,
            title=known.title,
            lang=known.lang,
            family=known.family,
            path=self.path,
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

    def _sections(self, lang: str, front: FrontMatter) -> Iterable[Section]:
        for passage in self.project.field_passages:
            value = front.fields.get(passage.field)
            if value is not None:
                heading, heading_lang = passage.heading_for(lang, self.project.config.default_lang)
                if heading_lang != lang:
                    self.foreign.append((lang, value.line))
                yield Section(heading, heading_lang, self._strip(value.text, value.line), value.line)

    def _strip(self, text: str, first_line: int) -> str:
        stripped, found = markdown.strip_shortcodes(text)
        lines = characters.Lines(text) if found else None
        for shortcode in found:
            line, column = lines.place(shortcode.offset) if lines else (1, 1)
            self.shortcodes.append((shortcode.name, first_line + line - 1, column))
        return stripped

    def _note_unused(self, front: FrontMatter) -> None:
        used = {passage.field for passage in self.project.field_passages}.union(frontmatter.KEYS)
        used.update((self.project.field_names or {}).values())
        self.unused += [(key, value.line) for key, value in front.fields.items() if key not in used]
