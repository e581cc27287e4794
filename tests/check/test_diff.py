"""What differs between two states of a site: documents, passages, anchors, thresholds, answers."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import html5lib
import jsonschema
import pytest

from builder.cli import main
from builder.compare import Comparison, State, compare, state
from builder.differences import page

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/diff.schema.json").read_text(encoding="utf-8"))
FILES = {
    "cairn.toml": '[retrieval]\nscorer = "evidence"\n\n[refusal]\ncontact = "the desk, 555-0142"\n',
    "pool.en.md": "---\ntitle: Pool\n---\n\nThe pool opens at nine in summer.\n\n"
    "## Prices\n\nA ticket costs $4.\n",
    "tools.en.md": "---\ntitle: Tools\n---\n\nThe library lends garden tools for two weeks.\n",
    "pool.es.md": "---\ntitle: Piscina\n---\n\nLa piscina abre a las nueve en verano.\n",
    "pool.ar.md": "---\ntitle: المسبح\n---\n\nيفتح المسبح في الساعة التاسعة صيفا.\n",
    "questions.toml": '[[question]]\nask = "does the pool open at nine"\nlang = "en"\n'
    'document = "pool-en"\n\n'
    '[[question]]\nask = "هل يفتح المسبح في التاسعة"\nlang = "ar"\ndocument = "pool-ar"\n',
}


def write(folder: Path) -> Path:
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def build(corpus: Path, out: Path) -> Path:
    assert main([str(corpus), "--out", str(out), "--no-engine", "--quiet"]) == 0
    return out


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the corpus as it stands in FILES, only for reading."""
    folder = tmp_path_factory.mktemp("built")
    return build(write(folder / "corpus"), folder / "old")


@pytest.fixture(scope="module")
def before(built: Path) -> State:
    return state(built)


@pytest.fixture
def corpus(tmp_path: Path, built: Path) -> Path:
    """The same corpus, with its ledger, to be edited."""
    return shutil.copytree(built.parent / "corpus", tmp_path / "corpus")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def passages(found: Comparison) -> list[tuple[str, str, str]]:
    return [
        (one.kind, one.old.passage_id if one.old else "", one.new.passage_id if one.new else "")
        for one in found.passages
    ]


def test_a_site_and_the_corpus_it_was_built_from_do_not_differ(corpus: Path, before: State) -> None:
    found = compare(before, state(corpus))
    assert found.questions == 2
    assert not any((found.documents, found.passages, found.anchors, found.thresholds, found.answers))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pool.en.md", "nine in", "ten in"),
        ("pool.es.md", "nueve", "diez"),
        ("pool.ar.md", "التاسعة", "العاشرة"),
    ],
    ids=["en", "es", "ar"],
)
def test_an_edited_passage_is_changed_and_its_anchor_lives(
    corpus: Path, before: State, name: str, old: str, new: str
) -> None:
    edit(corpus / name, old, new)
    doc_id = name.removesuffix(".md").replace(".", "-")
    for after in (corpus, build(corpus, corpus.parent / "new")):
        found = compare(before, state(after))
        assert passages(found) == [("changed", f"{doc_id}#1", f"{doc_id}#1")]
        assert [(one.kind, one.new and one.new.doc_id) for one in found.documents] == [("changed", doc_id)]
        assert found.anchors == ()


def test_inserted_text_adds_one_passage_and_moves_none(corpus: Path, before: State) -> None:
    edit(corpus / "pool.en.md", "The pool opens", "Bring a towel.\n\nThe pool opens")
    assert passages(compare(before, state(corpus))) == [("added", "", "pool-en#1")]


def test_text_put_into_another_document_is_moved(corpus: Path, before: State) -> None:
    edit(corpus / "pool.en.md", "\n## Prices\n\nA ticket costs $4.\n", "")
    with (corpus / "tools.en.md").open("a", encoding="utf-8") as file:
        file.write("\n## Prices\n\nA ticket costs $4.\n")
    found = compare(before, state(corpus))
    assert passages(found) == [("moved", "pool-en#2", "tools-en#2")]
    assert {one.anchor.partition("-")[0] for one in found.anchors} == {"prices"}
    assert {one.url for one in found.anchors} == {"en/pool.html"}


def test_a_removed_document_takes_its_address_with_it(corpus: Path, before: State) -> None:
    (corpus / "tools.en.md").unlink()
    found = compare(before, state(corpus))
    assert [(one.kind, one.old and one.old.doc_id) for one in found.documents] == [("removed", "tools-en")]
    assert [(one.url, one.anchor) for one in found.anchors] == [("en/tools.html", "")]
    assert passages(found) == [("removed", "tools-en#1", "")]


def test_a_document_with_another_address_is_moved(corpus: Path) -> None:
    edit(corpus / "tools.en.md", "title: Tools", "title: Tools\nid: tools")
    earlier = state(corpus)
    (corpus / "tools.en.md").rename(corpus / "tool-shed.en.md")
    found = compare(earlier, state(corpus))
    (moved,) = found.documents
    urls = moved.old and moved.old.url, moved.new and moved.new.url
    assert (moved.kind, *urls) == ("moved", "en/tools.html", "en/tool-shed.html")
    assert [(one.url, one.anchor) for one in found.anchors] == [("en/tools.html", "")]


def test_questions_answered_otherwise_show_both_quotations(corpus: Path, before: State) -> None:
    edit(corpus / "pool.en.md", "The pool opens at nine in summer.", "The pool opens at nine, all year.")
    edit(corpus / "pool.ar.md", FILES["pool.ar.md"].split("\n\n")[1], "مغلق حتى الربيع.\n")
    found = compare(before, state(corpus))
    assert [(one.lang, one.old.kind, one.new.kind) for one in found.answers] == [
        ("en", "grounded", "grounded"),
        ("ar", "grounded", "refusal"),
    ]
    assert found.answers[0].new.sources[0].text == "The pool opens at nine, all year."


def test_a_threshold_that_moved_is_told_with_both_values(corpus: Path, before: State) -> None:
    (corpus / "cairn.toml").write_text(
        '[retrieval]\nthreshold = 0.9\n\n[refusal]\ncontact = "the desk, 555-0142"\n', encoding="utf-8"
    )
    moved = {one.lang: (one.old, one.new) for one in compare(before, state(corpus)).thresholds}
    assert moved == {lang: (before.config.threshold_for(lang), 0.9) for lang in ("ar", "en", "es")}


@pytest.fixture
def differing(corpus: Path, built: Path) -> tuple[Path, Path]:
    """A site, and a corpus that differs from it in every way."""
    edit(corpus / "pool.en.md", "The pool opens at nine in", "The \\<desk> & pool open at ten in")
    edit(corpus / "pool.ar.md", FILES["pool.ar.md"].split("\n\n")[1], "مغلق حتى الربيع.\n")
    (corpus / "tools.en.md").unlink()
    new = "---\ntitle: Mercado\n---\n\nEl mercado abre el sábado.\n"
    (corpus / "market.es.md").write_text(new, encoding="utf-8")
    return built, corpus


def test_the_differences_are_told_in_words(
    differing: tuple[Path, Path], capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    built, corpus = differing
    capsys.readouterr()
    assert main(["diff", str(built), str(corpus)]) == 0
    text = capsys.readouterr().out.replace(str(built.parent), "FOLDER").replace(str(corpus.parent), "FOLDER")
    golden("check/diff.txt", re.sub(r"\b[01]\.[0-9]{4}", "NUMBER", text))


def test_the_json_is_what_the_published_schema_says(
    differing: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    built, corpus = differing
    capsys.readouterr()
    assert main(["diff", str(built), str(corpus), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA, jsonschema.Draft202012Validator)
    assert {one["change"] for one in found["documents"]} == {"added", "changed", "removed"}
    assert found["anchors"]
    assert len(found["answers"]) == 2


def test_the_page_is_well_formed_needs_nothing_else_and_marks_every_quotation(
    differing: tuple[Path, Path], tmp_path: Path
) -> None:
    built, corpus = differing
    target = tmp_path / "diff.html"
    assert main(["diff", str(built), str(corpus), "--html", str(target)]) == 0
    html = target.read_text(encoding="utf-8")
    html5lib.HTMLParser(strict=True).parse(html)
    assert not re.search(r"<(?:script|link|img|iframe|a)\b|url\(|https?:", html)
    assert "The &lt;desk&gt; &amp; pool open at ten in summer." in html
    assert re.search(r'<blockquote lang="ar" dir="rtl">\s*<p>يفتح المسبح', html)
    assert all("lang=" in one and "dir=" in one for one in re.findall(r"<blockquote[^>]*>", html))
    assert html.count("<h1>") == 1


def test_a_page_without_differences_says_so(corpus: Path, before: State) -> None:
    html = page(compare(before, state(corpus)))
    html5lib.HTMLParser(strict=True).parse(html)
    assert "0 documents, 0 passages" in html
    assert "<table" not in html


def test_two_sites_are_asked_the_questions_of_a_corpus_that_is_named(
    corpus: Path, built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["diff", str(built), str(built), "--json"])
    assert json.loads(capsys.readouterr().out)["asked"] == 0
    main(["diff", str(built), str(built), "--json", "--questions", str(corpus)])
    assert json.loads(capsys.readouterr().out)["asked"] == 2


def test_what_is_neither_site_nor_corpus_and_a_damaged_site_are_told(
    corpus: Path, built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", str(tmp_path / "nowhere"), str(corpus)]) == 1
    assert "neither a site nor a corpus" in capsys.readouterr().err
    damaged = shutil.copytree(built, tmp_path / "damaged")
    (damaged / "en" / "pool.html").write_text("x", encoding="utf-8")
    assert main(["diff", str(damaged), str(corpus)]) == 1
    assert "pool.html" in capsys.readouterr().err
