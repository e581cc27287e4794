"""The check a build makes of its own pages."""

import pytest

from builder.check import SiteCheck, examined, visible_text
from builder.shelf import Quotable

PASSAGE = ("rent-en#1", "due-abc", "When\nRent is due & paid.\nA\tB")
HTML = """<!doctype html>
<html lang="en"><body><main id="main">
<div class="passage" id="due-abc" data-passage="rent-en#1"><h2>When</h2>
<p>Rent is <em>due</em> &amp; paid.</p>
<div class="wide"><table><tr><th>A</th><th>B</th></tr></table></div></div>
</main></body></html>
"""


def faults(html: str, *passages: Quotable, files: tuple[str, ...] = ()) -> list[str]:
    check = SiteCheck()
    check.take("en/rent.html", examined("en/rent.html", html, passages))
    return check.finish(["en/rent.html", *files])


def page(body: str) -> str:
    return f'<!doctype html>\n<html lang="en"><body>{body}</body></html>\n'


def test_a_page_that_reads_as_the_index_says_has_no_faults() -> None:
    assert faults(HTML, PASSAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Rent is", "The rent is", "does not read as in the index"),
        ("due-abc", "due-xyz", "is not in the index"),
        ("rent-en#1", "rent-en#2", "passage 'rent-en#1' is not on the page"),
        ("</h2>", '</h2><span id="main"></span>', "id 'main' occurs twice"),
    ],
)
def test_a_page_that_does_not_is_reported(old: str, new: str, fault: str) -> None:
    assert [line for line in faults(HTML.replace(old, new), PASSAGE) if fault in line]


@pytest.mark.parametrize(
    "body",
    [
        "<p>a < b</p>",
        "<p>a > b</p><img src=x>",
        '<p title="a>b">c</p>',
        "<p title='x'>y</p>",
        "<!-- comment -->",
    ],
)
def test_markup_a_scan_could_misread_is_reported_instead(body: str) -> None:
    assert [line for line in faults(page(body)) if "plain form" in line]


@pytest.mark.parametrize(
    "body",
    [
        '<script type="application/json" id="cairn-page">{"a": "b", "c" : "> id="}</script>',
        '<p>He wrote <code>&lt;a id="main" href="gone.html">x</code> and "> id="main" so on</p>',
    ],
    ids=["data block", "text"],
)
def test_what_looks_like_an_attribute_in_text_is_none(body: str) -> None:
    assert faults(page(f'<p id="main"></p>{body}')) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="gone.html">x</a>', "link to 'en/gone.html'"),
        ('<a href="../index.html#top">x</a>', "link to 'index.html'"),
        ('<a href="#nowhere">x</a>', "#nowhere"),
        ('<a href="/index.html">x</a>', "outside the site"),
        ('<a href="//host.example/">x</a>', "outside the site"),
        ('<a href="javascript:x">x</a>', "outside the site"),
        ('<img src="https://host.example/x.png" alt="">', "outside the site"),
        ('<script src="https://host.example/x.js"></script>', "outside the site"),
        ('<link rel="stylesheet" href="https://host.example/x.css">', "outside the site"),
        ('<p title=" id=" lang="en"><a href="gone.html">x</a></p>', "link to 'en/gone.html'"),
    ],
)
def test_a_link_that_leads_nowhere_or_away_is_reported(body: str, fault: str) -> None:
    assert [line for line in faults(page(body)) if fault in line]


@pytest.mark.parametrize(
    "body",
    [
        '<a href="https://host.example/a?b=c#d">x</a>',
        '<a href="tel:555-0142">x</a>',
        '<a href="mailto:desk@host.example">x</a>',
        '<a href="../index.html">x</a><a href="rent.html">y</a><a href="">z</a>',
        '<p id="caf\u00e9"><a href="#caf%C3%A9">x</a><a href="rent.html#caf\u00e9">y</a></p>',
    ],
)
def test_a_link_that_leads_somewhere_is_not(body: str) -> None:
    assert faults(page(body), files=("index.html",)) == []


def test_settings_a_browser_would_refuse_are_reported() -> None:
    check = SiteCheck()
    check.settings(b'{"build":"1","format":1}')
    assert [line for line in check.finish([]) if line.startswith("index: ")]


def test_what_a_stylesheet_refers_to_must_be_in_the_site() -> None:
    check = SiteCheck()
    check.stylesheet(
        "assets/cairn.css", "a { background: url(data:image/png;base64,x) } b { src: url('fonts/x.woff2') }"
    )
    assert check.finish([]) == ["assets/cairn.css: link to 'assets/fonts/x.woff2', which is not in the site"]


def test_blocks_separate_words_and_inline_markup_does_not() -> None:
    assert visible_text("<p>one <b>t</b>wo</p><p>three<br>four&nbsp;</p>") == "one two three four"
