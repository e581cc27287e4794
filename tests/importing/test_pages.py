"""HTML brought in: what becomes of each element, and that no word is lost or made up."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.corpus import read
from builder.intake import files, webpage, writing
from builder.intake.notes import unmarked
from builder.problems import CorpusProblems
from builder.project import load_project
from builder.rendering import render_all

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("pages.jsonl").read_text(encoding="utf-8").splitlines()
]


def bring_in(tmp_path: Path, name: str, data: bytes, lang: str = "en") -> str:
    """Return the text of the document a file becomes."""
    given_file = tmp_path / name
    given_file.write_bytes(data)
    made = files.bring_in(given_file, files.Wanted(tmp_path / "corpus", lang))
    return made.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_an_element_becomes_what_the_case_says(case: dict[str, Any], tmp_path: Path) -> None:
    written = bring_in(tmp_path, "page.html", case["html"].encode())
    title = case.get("title", "page")
    notes = "".join(f"<!-- review: {note} -->\n\n" for note in case.get("notes", []))
    head = re.match(r"---\ntitle: (.*)\nlang: en\nsource: .*\n---\n\n", written)
    assert head is not None
    assert head[1] == title
    assert written[head.end() :] == notes + case["body"], case["why"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_without_its_notes_a_document_is_one_the_corpus_takes(case: dict[str, Any], tmp_path: Path) -> None:
    written = bring_in(tmp_path, "page.html", case["html"].encode())
    document = next((tmp_path / "corpus").glob("*.md"))
    document.write_text(re.sub(r"<!-- review: .*? -->\n", "", written), encoding="utf-8")
    rendering = render_all(read(load_project(tmp_path / "corpus")))
    assert [passage.text for passages in rendering.passages.values() for passage in passages]


def test_a_note_stops_the_build_at_its_line_until_it_is_deleted(tmp_path: Path) -> None:
    written = bring_in(tmp_path, "page.html", b"<p>Costs <s>$5</s> $6.</p>")
    line = written.split("\n").index('<!-- review: struck-out text left out: "$5" -->') + 1
    with pytest.raises(CorpusProblems) as caught:
        render_all(read(load_project(tmp_path / "corpus")))
    assert [(problem.code, problem.line) for problem in caught.value.problems] == [("E418", line)]


def test_tags_shown_as_text_do_not_let_a_note_through(tmp_path: Path) -> None:
    bring_in(tmp_path, "page.html", b"<p>Costs <s>$5</s> $6.</p>")
    (tmp_path / "corpus" / "cairn.toml").write_text('[corpus]\nraw_html = "text"\n', encoding="utf-8")
    with pytest.raises(CorpusProblems) as caught:
        render_all(read(load_project(tmp_path / "corpus")))
    assert caught.value.problems[0].code == "E418"


def test_the_page_says_its_language_and_address(tmp_path: Path) -> None:
    page = (
        '<html lang="es-MX"><head><link rel="canonical" href="https://pueblo.example/tarjeta"></head>'
        "<body><h1>Tarjeta</h1><p>Gratis.</p></body></html>"
    )
    written = bring_in(tmp_path, "page.html", page.encode(), lang="")
    assert written.startswith("---\ntitle: Tarjeta\nlang: es\nsource: https://pueblo.example/tarjeta\n---\n")


def test_a_page_in_another_encoding_is_read_as_it_says(tmp_path: Path) -> None:
    page = '<meta charset="windows-1252"><h1>Año</h1><p>Mañana.</p>'.encode("cp1252")
    assert bring_in(tmp_path, "page.html", page, lang="es").endswith("Mañana.\n")


MARKUP = st.sampled_from(
    ["", "*", "_", "`", "[", "]", "<", ">", "&", "&amp;", "#", "1. ", "- ", "+", "|", "\\", "~", "="]
)
WORD = st.text(alphabet="abcñ中ع1", min_size=1, max_size=4)
LINE = st.lists(st.tuples(MARKUP, WORD, MARKUP).map("".join), min_size=1, max_size=6).map(" ".join)


@given(
    st.lists(LINE, min_size=1, max_size=4), st.sampled_from(["p", "li", "td", "h3", "div", "blockquote", "b"])
)
def test_any_text_in_any_element_comes_through_sign_for_sign(lines: list[str], element: str) -> None:
    escaped = [line.replace("&", "&amp;").replace("<", "&lt;") for line in lines]
    inner = "".join(f"<{element}>{line}</{element}>" for line in escaped)
    around = {
        "li": ("<ul>", "</ul>"),
        "td": ("<table><tr><th>h</th></tr><tr>", "</tr></table>"),
        "b": ("<p>", "</p>"),
    }
    before, after = around.get(element, ("", ""))
    source = webpage.read(f"<main>{before}{inner}{after}</main>".encode(), "page.html", "")
    body = writing.markdown(source.root, source.notes)
    shown = "".join(writing.shown_text(unmarked(body)).split())
    expected = "".join("".join(lines).split())
    assert shown.removeprefix("h") == expected
