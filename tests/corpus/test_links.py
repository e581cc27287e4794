"""Links between documents become links between pages; nothing else is let through."""

from collections.abc import Callable

import pytest

from builder.passages import Rendered
from builder.rendering import Rendering

type Render = Callable[..., Rendered]
type RenderAll = Callable[..., Rendering]


def doc(body: str) -> str:
    return f"---\ntitle: T\n---\n{body}\n"


FILES = {
    "en/fees.md": doc("## What's new\n\nText.\n\n## What's new\n\nMore."),
    "en/sub/deep page.md": doc("Text."),
    "es/tarifas.md": doc("## Qué hay\n\nTexto."),
    "ar/رسوم.md": doc("نص."),
}


@pytest.mark.parametrize(
    ("link", "href"),
    [
        ("fees.md", "fees.html"),
        ("./fees.md", "fees.html"),
        ("../en/fees.md", "fees.html"),
        ("fees.md#whats-new", "fees.html#whats-new"),
        ("fees.md#whats-new-1", "fees.html#whats-new-1"),
        ("sub/deep%20page.md", "sub-deep-page.html"),
        ("<sub/deep page.md>", "sub-deep-page.html"),
        ("../es/tarifas.md#qu%C3%A9-hay", "../es/tarifas.html#qu%C3%A9-hay"),
        ("../es/tarifas.md#qué-hay", "../es/tarifas.html#qu%C3%A9-hay"),
        ("../es/tarifas.md#que\u0301-hay", "../es/tarifas.html#qu%C3%A9-hay"),
        ("#here", "#here"),
        ("#", "#"),
        ("https://a.example/b?c=d&e#f", "https://a.example/b?c=d&amp;e#f"),
        ("HTTPS://a.example/", "HTTPS://a.example/"),
        ("https://a.example/é", "https://a.example/%C3%A9"),
        ("https://a.example/%C3%A9", "https://a.example/%C3%A9"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("tel:+15550142", "tel:+15550142"),
        ('https://a.example/"onclick="x', "https://a.example/%22onclick=%22x"),
    ],
)
def test_a_link_leads_to_the_page_of_its_document(rendering: RenderAll, link: str, href: str) -> None:
    rendered = rendering({**FILES, "en/a.md": doc(f"## Here\n\n[x]({link})")}).documents["a-en"]
    assert f'<a href="{href}"' in rendered.html


def test_only_links_to_other_hosts_hide_where_they_come_from(rendering: RenderAll) -> None:
    rendered = rendering({**FILES, "en/a.md": doc("[x](https://a.example) [y](fees.md)")}).documents["a-en"]
    assert rendered.html.count('rel="noreferrer"') == 1


def test_an_address_in_angle_brackets_is_a_link(render: Render) -> None:
    html = render("<https://a.example/x> <me@a.example>").html
    assert '<a href="https://a.example/x" rel="noreferrer">https://a.example/x</a>' in html
    assert '<a href="mailto:me@a.example" rel="noreferrer">me@a.example</a>' in html


def test_a_bare_address_is_text(render: Render) -> None:
    assert "<a" not in render("See https://a.example/x now.").html


def test_a_refused_link_keeps_its_words_and_loses_its_target(rendering: RenderAll) -> None:
    toml = '[corpus]\nunknown_schemes = "warn"\n'
    rendered = rendering({"a.en.md": doc("See [the *lesson*](umbrella://x).")}, toml).documents["a-en"]
    assert "<p>See the <em>lesson</em>.</p>" in rendered.html


def test_a_document_that_could_not_be_read_is_not_called_missing(
    problems: Callable[..., tuple[object, ...]],
) -> None:
    found = problems({"a.en.md": doc("[x](b.en.md)"), "b.en.md": "no front matter"})
    assert [getattr(problem, "code", "") for problem in found] == ["E201"]


def test_many_dead_links_cost_little_and_are_all_reported(
    problems: Callable[..., tuple[object, ...]],
) -> None:
    body = "\n\n".join(f"[x](missing-{number}.md)" for number in range(3000))
    assert len(problems({"a.en.md": doc(body)})) == 3000
