"""DOCX, PDF and plain text brought in, and what happens to files that cannot be."""

from pathlib import Path

import pytest

from builder.cli import main
from builder.intake import files, lines
from builder.intake.source import UnreadableError
from builder.swap import WriteError
from tests.importing.making import Placed, docx, paragraph, pdf

COMMENTS = "<w:p><w:r><w:t>Is this still so?</w:t></w:r></w:p>"


def written(tmp_path: Path, name: str, data: bytes, lang: str = "en") -> str:
    """Return the text of the document a file becomes, without the front matter."""
    (tmp_path / name).write_bytes(data)
    made = files.bring_in(tmp_path / name, files.Wanted(tmp_path / "corpus", lang))
    return made.path.read_text(encoding="utf-8").split("---\n", 2)[2].strip()


def test_a_word_file_keeps_headings_paragraphs_and_tables(tmp_path: Path) -> None:
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Day", "Hours"))
    row = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Lunes", "9–5"))
    body = (
        paragraph("La tarjeta", "Heading1")
        + paragraph("Quién puede", "Heading2")
        + paragraph("Todos.")
        + f"<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>{cells}</w:tr><w:tr>{row}</w:tr></w:tbl>"
    )
    text = written(tmp_path, "card.docx", docx(body, "es-ES"), lang="")
    assert text == "## Quién puede\n\nTodos.\n\n| Day | Hours |\n| --- | --- |\n| Lunes | 9–5 |"
    assert [path.name for path in (tmp_path / "corpus").iterdir()] == ["la-tarjeta.es.md"]


def test_what_a_word_file_says_beside_its_text_is_noted(tmp_path: Path) -> None:
    body = (
        paragraph("Card", "Heading1")
        + paragraph("Who may 3", "Contents")
        + "<w:p><w:r><w:t>Free.</w:t></w:r><w:del><w:r><w:delText>$5.</w:delText></w:r></w:del></w:p>"
    )
    parts = {"word/comments.xml": COMMENTS, "word/header1.xml": paragraph("Draft, do not hand out")}
    text = written(tmp_path, "card.docx", docx(body, parts=parts))
    assert text.endswith("\n\nFree.")
    for said in ("Is this still so?", "Draft, do not hand out", "$5."):
        assert f'"{said}"' in text.removesuffix("Free.")
    assert "Who may 3" not in text


TEXT = "Cards are free for everybody who lives in town and can be had at the front"


def page(number: int, *own: Placed) -> list[Placed]:
    """Return a page with a running head, a page number and three lines of text."""
    return [
        (72, 40, 9, "Town library rules"),
        *own,
        (72, 200, 11, TEXT),
        (72, 214, 11, "desk."),
        (300, 760, 9, str(number)),
    ]


def test_a_pdf_keeps_headings_by_size_and_joins_its_lines(tmp_path: Path) -> None:
    data = pdf([page(1, (72, 100, 24, "Library card"), (72, 150, 16, "Who may")), page(2)])
    text = written(tmp_path, "rules.pdf", data)
    assert text.endswith(f"## Who may\n\n{TEXT} desk.\n\n{TEXT} desk.")
    assert '<!-- review: left out at the edge of the pages: "1", "2", "Town library rules" -->' in text
    assert (tmp_path / "corpus" / "library-card.en.md").is_file()


def test_a_pdf_keeps_its_lists(tmp_path: Path) -> None:
    placed = [
        (72, 100, 11, "Bring:"),
        (80, 120, 11, "\xb7 a passport or any"),
        (90, 134, 11, "other card"),
        (80, 150, 11, "\xb7 a bill"),
    ]
    assert written(tmp_path, "list.pdf", pdf([placed])).endswith(
        "Bring:\n\n- a passport or any other card\n- a bill"
    )


def test_bullets_and_signs_of_private_use_are_no_text_of_a_document(tmp_path: Path) -> None:
    text = written(tmp_path, "list.txt", "Bring\n\n\uf0b7 a \uf04apassport\n\uf0a7 a bill\n".encode())
    assert text.endswith("- a passport\n- a bill")
    assert "no typeface shows left out: U+F04A" in text


def test_a_pdf_keeps_its_ruled_tables(tmp_path: Path) -> None:
    ruled = [(72, y, 300, y) for y in (100, 120, 140)] + [(x, 100, x, 140) for x in (72, 180, 300)]
    placed = [
        (80, 114, 11, "Day"),
        (190, 114, 11, "Hours"),
        (80, 134, 11, "Monday"),
        (190, 134, 11, "9 to 5"),
    ]
    text = written(tmp_path, "hours.pdf", pdf([placed], ruled))
    assert text.endswith("| Day | Hours |\n| --- | --- |\n| Monday | 9 to 5 |")


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [(72, 100 + 14 * row, 11, f"left column, line {row}") for row in range(8)]
    right = [(330, 100 + 14 * row, 11, f"right column, line {row}") for row in range(8)]
    text = written(tmp_path, "two.pdf", pdf([[*left, *right]]))
    assert "<!-- review: page 1 was read as two columns: compare the order of its lines -->" in text
    assert text.index("left column, line 7") < text.index("right column, line 0")


def test_a_word_divided_at_a_lines_end_is_joined_and_told(tmp_path: Path) -> None:
    text = written(
        tmp_path, "word.pdf", pdf([[(72, 100, 11, "Show an identi-"), (72, 114, 11, "fication card.")]])
    )
    assert text.endswith("Show an identification card.")
    assert "identification -->" in text


def test_pages_that_are_pictures_are_told_apart_from_text(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="pictures and hold no text"):
        written(tmp_path, "scan.pdf", pdf([[]]))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["555-0142", "مقرلاب", "لصتا"], "اتصل بالرقم 555-0142"),
        (["day", "one"], "day one"),
        (["לש", "Town", "Hall", "םולש"], "שלום Town Hall של"),
        (["The", "word", "םולש", "means", "peace"], "The word שלום means peace"),
    ],
    ids=["arabic", "english", "hebrew-around-latin", "latin-around-hebrew"],
)
def test_words_of_a_right_to_left_line_are_put_in_reading_order(words: list[str], expected: str) -> None:
    assert lines.in_reading_order(words) == expected


def test_plain_text_has_a_title_paragraphs_and_lists(tmp_path: Path) -> None:
    data = "البطاقة\n\nالبطاقة\nمجانية.\n\n• جواز سفر\n• فاتورة\n\n1) أولا\n2) ثانيا\n".encode()
    assert (
        written(tmp_path, "card.txt", data, "ar")
        == "البطاقة مجانية.\n\n- جواز سفر\n- فاتورة\n\n1. أولا\n2. ثانيا"
    )
    assert (
        (tmp_path / "corpus" / "card.ar.md").read_text(encoding="utf-8").startswith("---\ntitle: البطاقة\n")
    )


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.rtf", b"{\\rtf1}", "this kind of file cannot be brought in"),
        ("a.docx", b"no zip", "not a DOCX that can be read"),
        ("b.docx", docx("</w:body>"), "not a DOCX that can be read"),
        ("a.pdf", b"%PDF-1.4\nnothing", "not a PDF that can be read"),
        ("a.txt", b"caf\xe9", "is not UTF-8"),
        ("a.html", b"<p>caf\xe9</p>", "the encoding of the file is not known"),
        ("b.html", b"<nav>Menu</nav>", "no text was found"),
        ("empty.txt", b"", "no text was found"),
        ("empty.pdf", b"", "not a PDF that can be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_what_to_do(
    name: str, data: bytes, said: str, tmp_path: Path
) -> None:
    with pytest.raises(UnreadableError, match=said) as caught:
        written(tmp_path, name, data)
    assert name in caught.value.location
    assert caught.value.hint
    assert not (tmp_path / "corpus").exists()


def test_a_file_without_a_language_asks_for_one(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="does not say its language"):
        written(tmp_path, "a.txt", b"Title\n\nText.", lang="")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    first = written(tmp_path, "a.txt", b"Card\n\nFree.")
    with pytest.raises(WriteError, match="exists already"):
        written(tmp_path, "a.txt", b"Card\n\nIt costs $5.")
    assert (tmp_path / "corpus" / "card.en.md").read_text(encoding="utf-8").endswith(f"{first}\n")


def test_the_command_goes_on_after_a_file_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.rtf").write_bytes(b"")
    (tmp_path / "b.txt").write_bytes(b"Card\n\nFree.")
    corpus = tmp_path / "corpus"
    words = [
        "import",
        str(tmp_path / "a.rtf"),
        str(tmp_path / "b.txt"),
        "--into",
        str(corpus),
        "--lang",
        "en",
    ]
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert f"{corpus / 'card.en.md'}  Card" in out
    assert "a.rtf" in err


def test_the_same_file_becomes_the_same_bytes(tmp_path: Path) -> None:
    data = pdf([page(1), page(2)])
    other = tmp_path / "other"
    other.mkdir()
    assert written(tmp_path, "a.pdf", data) == written(other, "a.pdf", data)
