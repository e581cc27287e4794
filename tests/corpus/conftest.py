"""Corpora written for one test: files given as text, bytes in hex, or text repeated."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from builder.anchors import Ledger
from builder.corpus import Corpus, Document, read
from builder.links import Links
from builder.passages import Rendered, render
from builder.problems import CorpusProblems, Problem
from builder.project import load_project
from builder.rendering import Rendering, render_all

type Files = Mapping[str, str | Mapping[str, str | int]]


def content(spec: str | Mapping[str, str | int]) -> bytes:
    """Return the bytes of a file of a case."""
    if isinstance(spec, str):
        return spec.encode()
    if "hex" in spec:
        return bytes.fromhex(str(spec["hex"]))
    return (str(spec.get("front", "")) + str(spec["repeat"]) * int(spec["times"])).encode()


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a corpus and returns its folder."""

    def write_files(files: Files, toml: str = "") -> Path:
        root = tmp_path / "corpus"
        for path, spec in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content(spec))
        root.mkdir(exist_ok=True)
        if toml:
            (root / "cairn.toml").write_text(toml, encoding="utf-8")
        return root

    return write_files


@pytest.fixture
def rendering(write: Callable[..., Path]) -> Callable[..., Rendering]:
    """Return a function that renders a corpus."""
    return lambda files, toml="": render_all(read(load_project(write(files, toml))))


@pytest.fixture(name="render")
def _render(rendering: Callable[..., Rendering]) -> Callable[..., Rendered]:
    """Return a function that renders one body as the document `doc-<lang>` with the title "Title"."""

    def render_body(body: str, lang: str = "en", title: str = "Title") -> Rendered:
        files = {f"doc.{lang}.md": f"---\ntitle: {title}\n---\n{body}\n"}
        return rendering(files).documents[f"doc-{lang}"]

    return render_body


@pytest.fixture
def problems(write: Callable[..., Path]) -> Callable[..., tuple[Problem, ...]]:
    """Return a function that gives every problem of a corpus, errors or not."""

    def found(files: Files, toml: str = "") -> tuple[Problem, ...]:
        project = load_project(write(files, toml))
        try:
            return render_all(read(project)).warnings
        except CorpusProblems as error:
            return error.problems

    return found


@pytest.fixture
def write_document(tmp_path: Path) -> Callable[[str, str], Rendered]:
    """Return a function that renders a body alone, whatever problems it has."""

    def render_alone(body: str, lang: str, ledger: Ledger | None = None) -> Rendered:
        document = Document("doc", "Title", lang, "doc", "doc.md", body, 4)
        project = load_project(tmp_path)
        links = Links.of(Corpus(project, (document,), (), frozenset(["doc.md"])))
        return render(document, links, ledger or Ledger())

    return render_alone
