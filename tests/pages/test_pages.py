"""Pages of a tiny site: four documents in four languages, one of which has no catalogue."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import html5lib
import pytest

from builder.corpus import read
from builder.drafts import pages
from builder.frame import PlacedDocument, SiteModel
from builder.pages import CSP
from builder.project import load_project
from builder.rendering import render_all
from builder.statics import ARRIVAL, FIND, FONT_STYLE, SCRIPTS, STATIC, VERIFY, WEB
from builder.urls import document_urls

TINY = Path(__file__).parent / "tiny"
HOOKS = [
    *("ask-form", "question", "ask-button", "question-count", "examples"),
    *("engine-state", "engine-text", "engine-progress", "status", "alert"),
    *("answer", "answer-heading", "answer-body", "contact", "browse", "cairn-page"),
]


def tiny_site() -> SiteModel:
    corpus = read(load_project(TINY))
    rendered = render_all(corpus).documents
    urls = document_urls((one.doc_id, one.family, one.lang) for one in corpus.documents)
    placed = [PlacedDocument(one, rendered[one.doc_id], urls[one.doc_id], "") for one in corpus.documents]
    return SiteModel(corpus.project, "0" * 16, corpus.language_codes, tuple(placed))


SITE = tiny_site()
PAGES = {page.url: page.html for page in pages(SITE)}
every_page = pytest.mark.parametrize("url", PAGES)


def attributes(html: str, name: str) -> list[str]:
    return [unescape(value) for value in re.findall(rf'\s{name}="([^"]*)"', html)]


def text(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


def part(html: str, start: str, end: str) -> str:
    return html[html.index(start) : html.index(end, html.index(start)) + len(end)]


@every_page
def test_a_page_is_the_golden_one(url: str, golden: Callable[[str, str], None]) -> None:
    golden(f"pages/{url}", PAGES[url])


@every_page
def test_a_page_is_html_a_strict_parser_accepts(url: str) -> None:
    html5lib.HTMLParser(strict=True).parse(PAGES[url])


def test_the_pages_of_the_demo_are_html_a_strict_parser_accepts(built_demo: Path) -> None:
    for path in sorted(built_demo.rglob("*.html")):
        html5lib.HTMLParser(strict=True).parse(path.read_text(encoding="utf-8"))


@every_page
def test_a_page_says_its_language_and_direction(url: str) -> None:
    lang = url.partition("/")[0] if "/" in url else "en"
    direction = "rtl" if lang == "ar" else "ltr"
    assert f'<html lang="{lang}" dir="{direction}" data-build="{"0" * 16}" data-root="' in PAGES[url]


@every_page
def test_a_page_carries_the_policy_one_heading_and_one_main_part(url: str) -> None:
    html = PAGES[url]
    assert html.count(f'<meta http-equiv="Content-Security-Policy" content="{CSP}">') == 1
    assert len(re.findall(r"<h1[ >]", html)) == len(re.findall(r"<main[ >]", html)) == 1
    assert html.endswith("</html>\n")


@every_page
def test_every_address_is_relative_and_leads_to_a_file_and_fragment_of_the_site(url: str) -> None:
    for address in attributes(PAGES[url], "(?:href|src)"):
        if address.startswith("https://market.example/"):
            continue
        assert not urlsplit(address).scheme
        assert not address.startswith("/")
        path, _, fragment = urljoin(f"https://site.example/a/{url}", address).partition("#")
        target = path.removeprefix("https://site.example/a/")
        assert target in PAGES or target in STATIC or target == FONT_STYLE
        assert not fragment or f'id="{fragment}"' in PAGES[target]


@every_page
def test_no_id_is_given_twice(url: str) -> None:
    ids = attributes(PAGES[url], "id")
    assert len(ids) == len(set(ids))


def test_every_static_file_exists() -> None:
    assert [path for path in STATIC.values() if not (WEB / path).is_file()] == []


def test_ids_around_a_document_cannot_be_those_of_its_headings() -> None:
    html = PAGES["en/market.html"]
    around = html.replace(part(html, '<div class="content">', '<footer class="document-end">'), "")
    assert {name[:6] for name in attributes(around, "id")} == {"cairn-"}


def test_a_language_link_goes_to_the_translation_or_else_to_the_contents() -> None:
    nav = part(PAGES["en/market.html"], '<nav class="languages"', "</nav>")
    assert attributes(nav, "href") == [
        "market.html",
        "../es/contents.html",
        "../ar/market.html",
        "../ko/contents.html",
    ]
    assert attributes(nav, "hreflang") == ["en", "es", "ar", "ko"]
    assert nav.count('aria-current="true"') == 1


def test_many_languages_fold() -> None:
    languages = ("en", "es", "ar", "ko", "fr", "de", "it", "pt")
    many = {page.url: page.html for page in pages(replace(SITE, languages=languages))}
    nav = part(many["en/index.html"], '<nav class="languages"', "</nav>")
    assert "<details>" in nav
    assert len(attributes(nav, "hreflang")) == len(languages)


def test_a_missing_translation_is_told_in_the_words_of_the_reader() -> None:
    assert "This document is not available in Spanish, 한국어." in PAGES["en/market.html"]
    assert "الإسبانية" in part(PAGES["ar/market.html"], '<section class="translations"', "</section>")


def test_documents_of_other_languages_are_listed_apart_with_their_language() -> None:
    elsewhere = part(PAGES["ar/contents.html"], '<section class="list-section"', "</section>")
    assert '<a href="../es/water.html" lang="es" dir="ltr" hreflang="es">' in elsewhere
    assert "market" not in elsewhere


def test_a_contact_is_unchanged_and_its_number_isolated() -> None:
    line = part(PAGES["ar/market.html"], '<p id="cairn-contact-lines"', "</p>")
    assert text(line) == SITE.project.config.contact_for("ar")
    assert '<bdi dir="ltr" class="phone">555-0131</bdi>' in line
    assert line.startswith('<p id="cairn-contact-lines" lang="ar" dir="rtl">')


def test_the_words_around_a_page_without_catalogue_are_marked_as_english() -> None:
    html = PAGES["ko/office.html"]
    assert '<html lang="ko" dir="ltr"' in html
    assert '<a class="skip" href="#cairn-main" lang="en" dir="ltr">' in html
    assert "<h1>시장 사무실</h1>" in html


def test_a_table_of_contents_needs_three_headings() -> None:
    assert 'class="toc"' in PAGES["en/market.html"]
    assert 'class="toc"' not in PAGES["ar/market.html"]


def test_operators_and_authors_texts_are_escaped() -> None:
    assert "Quarry Lane &lt;Market&gt;" in PAGES["en/market.html"]
    assert "<h1>Market &amp; stalls</h1>" in PAGES["en/market.html"]


@pytest.mark.parametrize("lang", SITE.languages)
def test_an_ask_page_works_without_script(lang: str) -> None:
    html = PAGES[f"{lang}/index.html"]
    assert '<form id="ask-form" hidden' in html
    assert attributes(part(html, "<noscript>", "</noscript>"), "href") == ["contents.html", "topics.html"]
    assert 'id="contact"' in html


def test_an_ask_page_has_every_hook_of_the_scripts() -> None:
    ids = attributes(PAGES["en/index.html"], "id")
    assert [hook for hook in HOOKS if hook not in ids] == []
    assert re.search(r'<div id="status"[^>]*role="status"[^>]*></div>', PAGES["en/index.html"])
    assert re.search(r'<div id="alert" role="alert"></div>', PAGES["en/index.html"])


def test_only_ask_pages_load_the_engine() -> None:
    asks = {f"{lang}/index.html" for lang in SITE.languages}
    loaded = {url: re.findall(r'<script defer src="(?:\.\./)*([^"]*)"', html) for url, html in PAGES.items()}
    assert {url for url, scripts in loaded.items() if "assets/js/engine.js" in scripts} == asks
    assert {tuple(scripts) for url, scripts in loaded.items() if url not in asks} <= {
        (ARRIVAL,),
        (ARRIVAL, FIND),
        (*SCRIPTS[:3], VERIFY),
    }


def test_a_document_page_does_not_grow_with_the_site() -> None:
    more = [
        replace(one, document=replace(one.document, doc_id=f"x-{n}", family=f"x-{n}"), url=f"en/x-{n}.html")
        for n in range(50)
        for one in SITE.documents[:1]
    ]
    bigger = {page.url: page.html for page in pages(replace(SITE, documents=(*SITE.documents, *more)))}
    assert bigger["en/market.html"] == PAGES["en/market.html"]


@pytest.mark.parametrize("path", sorted((WEB / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_a_template_holds_no_words(path: Path) -> None:
    source = re.sub(
        r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|<[^>]*>", "", path.read_text(encoding="utf-8"), flags=re.S
    )
    assert not re.search(r"\w", source)
