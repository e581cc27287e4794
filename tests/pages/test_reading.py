"""What a reader finds without the engine: lists in order, links to passages, versions, the printed sheet."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
import zxingcpp

from builder import published
from builder.collation import initial, order
from builder.corpus import read
from builder.drafts import pages
from builder.frame import PlacedDocument, SiteModel
from builder.pages import FIND_FROM, LETTERS_FROM
from builder.project import load_project
from builder.rendering import render_all
from builder.translations import Source, Translations
from builder.urls import document_urls
from cairn_core.language import catalogue

ADDRESS = "https://example.org/help"
TOML = '[refusal]\ncontact = "the desk, 555-0131"\n\n[site]\n'
FILES = {
    "market.en.md": "---\ntitle: Market\nreviewed: 2026-03-01\n---\n## Hours\n\nMonday.\n\n## Rent\n\nTen.\n",
    "market.es.md": "---\ntitle: Mercado\nreviewed: 2026-02-01\n---\nLunes.\n",
    "market.ar.md": "---\ntitle: السوق\n---\nالاثنين.\n",
    "water.en.md": "---\ntitle: Water\n---\nIn the yard.\n",
}

type Site = Callable[..., SiteModel]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return the site model of files and lines of [site]."""

    def make(files: dict[str, str], settings: str = "") -> SiteModel:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / "cairn.toml").write_text(TOML + settings, encoding="utf-8")
        corpus = read(load_project(tmp_path))
        rendering = render_all(corpus)
        urls = document_urls((one.doc_id, one.family, one.lang) for one in corpus.documents)
        placed = [
            PlacedDocument(one, rendering.documents[one.doc_id], urls[one.doc_id], "")
            for one in corpus.documents
        ]
        return SiteModel(corpus.project, "0" * 16, corpus.language_codes, tuple(placed), rendering.outdated)

    return make


def pages_of(model: SiteModel) -> dict[str, str]:
    return {page.url: page.html for page in pages(model)}


def test_each_passage_has_a_link_with_a_name_of_its_own_and_no_text(site: Site) -> None:
    html = pages_of(site(FILES))["en/market.html"]
    links = re.findall(r'<a class="passage-link" href="#([^"]*)" aria-label="([^"]*)"></a>', html)
    assert [anchor for anchor, _ in links] == re.findall(r'class="passage" id="([^"]*)"', html)
    assert [name for _, name in links] == ["Link to passage 1", "Link to passage 2"]


def test_only_versions_that_exist_are_called_alternates(site: Site) -> None:
    html = pages_of(site(FILES))
    alternate = re.compile(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">')
    assert alternate.findall(html["en/market.html"]) == [
        ("ar", "../ar/market.html"),
        ("es", "../es/market.html"),
    ]
    assert alternate.findall(html["en/water.html"]) == []
    assert 'rel="alternate"' not in html["en/water.html"]
    assert len(alternate.findall(html["ar/contents.html"])) == 2


@pytest.mark.parametrize(("lang", "source"), [("en", "es"), ("es", "en"), ("ar", "en")])
def test_a_translation_older_than_its_source_says_so_in_its_language(
    lang: str, source: str, site: Site
) -> None:
    record = Translations().with_source("market", lang, Source(source, "0" * 64)).to_json()
    html = pages_of(site({**FILES, "cairn.translations.json": record}))
    banner = f"<p>{catalogue(lang).text('doc.outdated')} "
    assert banner in unescape(html[f"{lang}/market.html"])
    assert (
        f'href="../{source}/market.html" lang="{source}"' in html[f"{lang}/market.html"].partition(banner)[2]
    )
    assert [url for url, page in html.items() if 'class="notice"><p>' in page] == [f"{lang}/market.html"]


def test_a_site_without_a_public_address_has_no_code_and_no_absolute_link(site: Site) -> None:
    html = pages_of(site(FILES))
    assert all("<svg" not in page and "http" not in page.replace("http-equiv", "") for page in html.values())


def test_a_printed_document_says_its_day_and_address(site: Site) -> None:
    html = pages_of(site(FILES, f'public_url = "{ADDRESS}"\n'))
    assert f'<bdi dir="ltr">{ADDRESS}/ar/market.html</bdi>' in html["ar/market.html"]
    assert (
        '<li class="print-only">As of <time datetime="2026-03-01">1 March 2026</time></li>'
        in html["en/water.html"]
    )


def test_the_day_of_a_site_can_be_set(site: Site) -> None:
    assert '<time datetime="2026-05-31">' in pages_of(site(FILES, "dated = 2026-05-31\n"))["en/water.html"]


def test_a_site_without_any_date_names_none(site: Site) -> None:
    html = pages_of(site({"water.en.md": FILES["water.en.md"]}))
    assert all("<time" not in page for page in html.values())


def pixels(svg: str, scale: int = 4) -> memoryview:
    """Return the grey values of a code, drawn from its path of horizontal strokes."""
    side = int(re.search(r'viewBox="0 0 (\d+)', svg)[1])  # type: ignore[index]  # the test fails without it
    rows = [bytearray(b"\xff" * side) for _ in range(side)]
    x, y = 0, 0.0
    for step, dx, dy in re.findall(r"([Mmh])(-?\d+)(?: (-?[\d.]+))?", svg.partition(' d="')[2]):
        if step == "h":
            rows[int(y)][x : x + int(dx)] = bytes(int(dx))
            x += int(dx)
        else:
            x, y = (int(dx), float(dy)) if step == "M" else (x + int(dx), y + float(dy))
    wide = [b"".join(bytes([value]) * scale for value in row) for row in rows]
    return memoryview(b"".join(row * scale for row in wide)).cast("B", (side * scale, side * scale))


@pytest.mark.parametrize("url", ["en/market.html", "ar/market.html", "index.html"])
def test_a_code_read_from_its_pixels_is_the_address(url: str) -> None:
    found = zxingcpp.read_barcodes(pixels(published.code(f"{ADDRESS}/{url}")))
    assert [one.text for one in found] == [f"{ADDRESS}/{url}"]


def test_the_site_map_names_every_page_and_versions_name_one_another(site: Site) -> None:
    model = site(FILES, f'public_url = "{ADDRESS}"\n')
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    tree = ElementTree.fromstring(published.sitemap(model))  # noqa: S314 - made above
    located = {entry.findtext("s:loc", "", names): entry for entry in tree.findall("s:url", names)}
    for_readers = [url for url in pages_of(model) if not url.endswith("/verify.html")]
    assert set(located) == {f"{ADDRESS}/{url}" for url in for_readers}
    for address, entry in located.items():
        versions = [link.attrib["href"] for link in entry.findall("x:link", names)]
        assert not versions or address in versions
        for other in versions:
            assert address in [link.attrib["href"] for link in located[other].findall("x:link", names)]
    assert located[f"{ADDRESS}/en/market.html"].findtext("s:lastmod", "", names) == "2026-03-01"


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", ["Äpfel", "apple", "Apple tree", "Zoo", "5 rules", "بيت"]),
        ("es", ["árbol", "mano", "nube", "ñandú", "oro", "Zapato"]),
        ("ar", ["أسرة", "إيجار", "بيت", "ثوب", "سكن", "يوم"]),
        ("zh", ["住房", "水电", "食品"]),
        ("ko", ["가", "나", "다"]),
    ],
)
def test_titles_stand_in_the_order_of_their_language(lang: str, expected: list[str]) -> None:
    found = list(reversed(expected))
    found.sort(key=lambda title: order(title, lang))
    assert found == expected


def test_titles_that_differ_in_case_have_one_order() -> None:
    assert order("Apple", "en") != order("apple", "en")


@pytest.mark.parametrize(
    ("title", "lang", "letter"),
    [
        ("Übung", "en", "U"),
        ("ñandú", "es", "Ñ"),
        ("«Zapato»", "es", "Z"),
        ("أسرة", "ar", "ا"),
        ("5 rules", "en", "#"),
        ("水电", "zh", "#"),
        ("가", "ko", "#"),
    ],
)
def test_a_title_stands_under_a_letter_of_its_language(title: str, lang: str, letter: str) -> None:
    assert initial(title, lang) == letter


def many(number: int) -> dict[str, str]:
    titles = [f"{chr(ord('A') + at % 20)} {at}" for at in range(number)]
    return {f"d{at}.en.md": f"---\ntitle: {title}\n---\nText {at}.\n" for at, title in enumerate(titles)}


def test_a_long_list_stands_under_letters_that_can_be_reached(site: Site) -> None:
    html = pages_of(site(many(LETTERS_FROM)))["en/contents.html"]
    assert re.findall(r'<li><a href="#(letter-\d+)"', html) == re.findall(r'<h2 id="(letter-\d+)"', html)
    assert html.count('<li class="entry">') == LETTERS_FROM


def test_a_short_list_has_no_letters(site: Site) -> None:
    assert "letter-" not in pages_of(site(many(LETTERS_FROM - 1)))["en/contents.html"]


@pytest.mark.parametrize(("number", "there"), [(FIND_FROM - 1, False), (FIND_FROM, True)])
def test_a_list_worth_searching_has_a_field_that_waits_for_its_script(
    number: int, there: bool, site: Site
) -> None:
    html = pages_of(site(many(number)))
    for url in ("en/contents.html", "en/topics.html"):
        assert ('<form id="cairn-find" class="find" role="search" hidden>' in html[url]) is there
        assert ("find.js" in html[url]) is there
