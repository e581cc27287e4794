"""A passage is what can be quoted: its text stands word for word under its anchor on the page."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builder.passages import Rendered
from builder.rendering import Rendering

type Render = Callable[..., Rendered]
type RenderAll = Callable[..., Rendering]

BLOCK_ENDS = {"p", "li", "tr", "h2", "h3", "h4", "h5", "h6", "pre", "thead"}


class PageText(HTMLParser):
    """The words of each passage of a page, lines at the ends of blocks, and every id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.ids: list[str] = []
        self.open: list[str] = []
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if values.get("class") == "passage":
            self.open.append(str(values["id"]))
            self.texts[self.open[-1]] = ""
        elif tag == "div":
            raise AssertionError("a passage inside a passage")
        if tag not in ("br", "img", "hr"):
            self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag
        if tag == "div":
            self.open.pop()
        elif self.open and tag in BLOCK_ENDS:
            self.texts[self.open[-1]] += "\n"
        elif self.open and tag in ("td", "th"):
            self.texts[self.open[-1]] += "\t"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]] += data


def words(text: str) -> str:
    return " ".join(text.split())


def assert_quoted(rendered: Rendered) -> None:
    page = PageText(rendered.html)
    assert not page.tags
    assert len(page.ids) == len(set(page.ids))
    assert list(page.texts) == [passage.anchor for passage in rendered.passages]
    for passage in rendered.passages:
        assert words(page.texts[passage.anchor]) == words(passage.text)
        assert f'id="{passage.anchor}" data-passage="{passage.passage_id}"' in rendered.html


def shape(rendered: Rendered) -> list[tuple[str, str]]:
    return [(passage.layout, passage.text) for passage in rendered.passages]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One.\n\nTwo.", [("p", "One."), ("p", "Two.")]),
        ("## A\n\nOne.\n\nTwo.", [("hp", "A\nOne."), ("p", "Two.")]),
        ("## A\n\n### B\n\nOne.", [("hhp", "A\nB\nOne.")]),
        ("A\n---\n\nOne.", [("hp", "A\nOne.")]),
        ("Bring:\n\n- a\n- b", [("pll", "Bring:\na\nb")]),
        ("Bring\n\n- a\n\n- b", [("pll", "Bring\na\nb")]),
        ("Bring:\n- a", [("pl", "Bring:\na")]),
        ("Steps\n\n3. a\n4. b", [("poo", "Steps\na\nb")]),
        ("- a\n  - b\n    1. c\n- d", [("llol", "a\nb\nc\nd")]),
        ("- a\n\n  more\n- b", [("lpl", "a\nmore\nb")]),
        ("Fees\n\n| a | b |\n|---|--:|\n| 1 | |\n| 2 | x |", [("ptrr", "Fees\na\tb\n1\t\n2\tx")]),
        ("Type:\n\n```sh\na\n\n# b\n```", [("pccc", "Type:\na\n\n# b")]),
        ("Type\n\n    a", [("p", "Type"), ("c", "a")]),
        ("She said:\n\n> One\n> two.\n>\n> Three.", [("pqq", "She said:\nOne two.\nThree.")]),
        ("他说：\n\n> 一", [("pq", "他说：\n一")]),
        ("> One.", [("q", "One.")]),
        ("One  \ntwo\\\nthree", [("ppp", "One\ntwo\nthree")]),
        ("One\ntwo", [("p", "One two")]),
        ("第一\n第二", [("p", "第一第二")]),
        ("第一\ntwo", [("p", "第一 two")]),
        ("*a* **b** `c` [d](https://x.example) \\*e\\*", [("p", "a b c d *e*")]),
        ("a&nbsp;b &amp; c", [("p", "a\u00a0b & c")]),
        ("a\tb", [("p", "a b")]),
        ("# Title\n\nOne.", [("p", "One.")]),
        ("# Other\n\nOne.", [("hp", "Other\nOne.")]),
        ("One.\n\n---\n\nTwo.", [("p", "One."), ("p", "Two.")]),
        ("## A\n\n***\n\nOne.", [("hp", "A\nOne.")]),
        ("One.\n \t\nTwo.", [("p", "One."), ("p", "Two.")]),
        ("One.\n\n## Call 555-0100 today", [("p", "One.")]),
        ("- # a\n- b", [("ll", "a\nb")]),
        ("- > a", [("q", "a")]),
        ("-\n- a", [("l", "a")]),
    ],
)
def test_blocks_become_passages(render: Render, body: str, expected: list[tuple[str, str]]) -> None:
    rendered = render(body)
    assert shape(rendered) == expected
    assert_quoted(rendered)


def test_a_long_list_is_cut_between_items_and_goes_on_counting(render: Render) -> None:
    rendered = render("## Steps\n\nDo:\n\n" + "\n".join(f"{n}. {'word ' * 50}" for n in range(1, 20)))
    first, second, *_ = rendered.passages
    assert first.layout == "hp" + "o" * 5
    assert second.layout == "o" * 6
    assert '<ol start="6">' in rendered.html
    assert all(len(passage.text) <= 1500 for passage in rendered.passages)
    assert {passage.section for passage in rendered.passages} == {"Steps"}
    assert_quoted(rendered)


def test_a_long_table_is_cut_between_rows_with_its_header_again(render: Render) -> None:
    rendered = render("| a | b |\n|---|---|\n" + "\n".join(f"| {n} | {'word ' * 50} |" for n in range(20)))
    assert len(rendered.passages) > 2
    assert all(passage.text.startswith("a\tb\n") for passage in rendered.passages)
    assert all(re.fullmatch("tr+", passage.layout) for passage in rendered.passages)
    assert_quoted(rendered)


def test_every_item_of_a_cut_list_is_in_one_passage(render: Render) -> None:
    rendered = render("\n".join(f"- item{n} {'word ' * (n % 90)}" for n in range(100)))
    items = [line.split()[0] for passage in rendered.passages for line in passage.text.split("\n")]
    assert items == [f"item{n}" for n in range(100)]


def test_headings_start_at_two_and_skip_no_level(render: Render) -> None:
    rendered = render("#### A\n\na\n\n###### B\n\nb\n\n## C\n\nc\n\n# D\n\nd")
    assert [(heading.level, heading.text) for heading in rendered.headings] == [
        (2, "A"),
        (3, "B"),
        (2, "C"),
        (2, "D"),
    ]


def test_heading_fragments_are_those_of_github(render: Render) -> None:
    rendered = render("## What's new?\n\na\n\n## نموذج 1-أ\n\nb\n\n## 費用 & Fees\n\nc\n\n## What’s new\n\nd")
    anchors = [heading.anchor for heading in rendered.headings]
    assert anchors == ["whats-new", "نموذج-1-أ", "費用--fees", "whats-new-1"]
    assert rendered.fragments.issuperset(anchors)


def test_a_dropped_title_heading_keeps_its_fragment(render: Render) -> None:
    rendered = render("# Title\n\n## Title\n\nOne.")
    assert rendered.html.startswith('<span class="alias" id="title"></span>')
    assert [heading.anchor for heading in rendered.headings] == ["title-1"]


def test_no_heading_takes_an_id_of_the_page_around_it(render: Render) -> None:
    rendered = render("## Cairn main\n\nOne.")
    assert 'id="cairn-main"' not in rendered.html


def test_a_heading_without_text_stays_on_the_page_and_is_not_quoted(render: Render) -> None:
    rendered = render("One.\n\n## Call 555-0100 today")
    assert '<h2 id="call-555-0100-today">Call 555-0100 today</h2>' in rendered.html
    assert [passage.text for passage in rendered.passages] == ["One."]


def test_numbers_an_arabic_line_would_turn_round_are_isolated(render: Render) -> None:
    rendered = render("اتصل على 555-0142 أو a@b.example", lang="ar")
    assert '<bdi dir="ltr">555-0142</bdi>' in rendered.html
    assert '<bdi dir="ltr">a@b.example</bdi>' in rendered.html
    assert_quoted(rendered)
    assert "<bdi" not in render("Call 555-0142").html


def test_code_in_an_arabic_document_reads_left_to_right(render: Render) -> None:
    rendered = render("اكتب `a-1 b`\n\n```\nx = 1\n```", lang="ar")
    assert '<code dir="ltr">a-1 b</code>' in rendered.html
    assert '<pre dir="ltr">' in rendered.html


def test_text_is_never_markup(render: Render) -> None:
    rendered = render("a & b \\<script> `<i>` &lt;b&gt;\n\n```\n</code></pre><script>\n```")
    assert "<script" not in rendered.html
    assert_quoted(rendered)


def test_table_columns_keep_their_alignment_without_inline_style(render: Render) -> None:
    rendered = render("| a | b | c |\n|--:|:-:|---|\n| 1 | 2 | 3 |")
    assert '<td class="align-end">1</td><td class="align-center">2</td><td>3</td>' in rendered.html
    assert "style=" not in rendered.html


def test_a_picture_stands_in_its_passage_and_adds_no_text(rendering: RenderAll) -> None:
    png = {"hex": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (8).to_bytes(4) + (9).to_bytes(4) + b"\1").hex()}
    body = "---\ntitle: T\n---\n## Map\n\n![A <map>](../img/my%20map.png)\n\nThe way.\n"
    result = rendering({"en/a.md": body, "img/my map.png": png})
    rendered = result.documents["a-en"]
    assert shape(rendered) == [("hp", "Map\nThe way.")]
    (picture,) = result.pictures
    assert re.fullmatch(r"media/my-map-[0-9a-f]{8}\.png", picture.url)
    image = f'<img src="../{picture.url}" alt="A &lt;map&gt;" width="8" height="9">'
    assert image in rendered.html


def test_field_sections_come_first_and_are_not_markdown(rendering: RenderAll) -> None:
    toml = (
        '[[fields.passage]]\nfield = "due"\nheading.en = "Due"\n'
        '[[fields.passage]]\nfield = "site"\nheading.en = "Site"\n'
    )
    page = "+++\ntitle = 'T'\ndue = '*Ten* days\\\n\n<b>'\nsite = 'https://a.example/?a&b'\n+++\nBody.\n"
    page = page.replace("'*Ten* days\\\n\n<b>'", "'''*Ten*  days\n\n<b>'''")
    rendered = rendering({"a.en.md": page, "a.ar.md": page}, toml).documents["a-en"]
    assert shape(rendered) == [
        ("hp", "Due\n*Ten* days"),
        ("p", "<b>"),
        ("hp", "Site\nhttps://a.example/?a&b"),
        ("p", "Body."),
    ]
    assert '<a href="https://a.example/?a&amp;b" rel="noreferrer">' in rendered.html
    assert_quoted(rendered)


def test_a_heading_in_another_language_carries_that_language(rendering: RenderAll) -> None:
    toml = '[[fields.passage]]\nfield = "due"\nheading.en = "Due"\n'
    page = "+++\ntitle = 'T'\ndue = 'غدًا'\n+++\n"
    rendered = rendering({"a.ar.md": page}, toml).documents["a-ar"]
    assert '<h2 id="due" lang="en" dir="ltr">Due</h2>' in rendered.html


def test_shortcodes_leave_their_inner_words(render: Render) -> None:
    rendered = render("One {{< note >}}inner{{< /note >}} {{% x y=1 %}}two.")
    assert rendered.passages[0].text == "One inner two."


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# a",
            "## b",
            "text *and* more:",
            "- item",
            "  - inner",
            "3. third",
            "> quote",
            "| a | b |",
            "|---|---|",
            "```",
            "    code",
            "---",
            "",
            "",
            "line `code` \\",
            "مرحبا 555-0142",
            "漢字：",
            "[x](#nowhere)",
            "**bold",
            "1) one",
            "\\# not",
            "&amp; &lt;",
            "* * *",
            "+ plus",
            "===",
        ]
    ),
    max_size=25,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=MARKDOWN, lang=st.sampled_from(["en", "ar", "zh"]))
def test_every_passage_stands_word_for_word_under_its_anchor(
    write_document: Callable[[str, str], Rendered], lines: list[str], lang: str
) -> None:
    assert_quoted(write_document("\n".join(lines), lang))


@pytest.mark.parametrize(
    ("lang", "body"),
    [
        ("en", "## Hours\n\nOpen at nine.\n\nClosed on Sunday."),
        ("es", "## Horario\n\nAbre a las nueve.\n\nCierra el domingo."),
        ("ar", "## المواعيد\n\nيفتح في التاسعة.\n\nمغلق يوم الأحد."),
    ],
)
def test_each_passage_knows_the_line_of_its_file_it_starts_on(
    render: Callable[..., Rendered], lang: str, body: str
) -> None:
    assert render(body, lang).places == (4, 8)
