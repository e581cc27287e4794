"""URLs of pages: portable names, one a family, relative from anywhere."""

from urllib.parse import urljoin

from hypothesis import given
from hypothesis import strategies as st

from builder.urls import NAME_LENGTH, RESERVED, document_urls, relative, root

families = st.lists(st.text(min_size=1, max_size=90), unique=True, max_size=8)
paths = st.from_regex(r"\A([a-z]{1,3}/){0,2}[a-z]{1,3}\.html\Z")


@given(families)
def test_names_are_portable_unique_and_unreserved(names: list[str]) -> None:
    urls = document_urls((f"d{number}", name, "en") for number, name in enumerate(names))
    stems = [url.removeprefix("en/").removesuffix(".html") for url in urls.values()]
    assert len(set(stems)) == len(names)
    for stem in stems:
        assert stem not in RESERVED
        assert 0 < len(stem) <= NAME_LENGTH
        assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


@given(families)
def test_names_do_not_depend_on_the_order_of_documents(names: list[str]) -> None:
    triples = [(f"d{number}", name, "en") for number, name in enumerate(names)]
    assert document_urls(triples) == document_urls(reversed(triples))


def test_a_family_has_one_name_in_every_language() -> None:
    urls = document_urls([("a", "rent-help", "en"), ("b", "rent-help", "zh-hans"), ("c", "房租", "zh-hans")])
    assert urls["a"] == "en/rent-help.html"
    assert urls["b"] == "zh-hans/rent-help.html"
    assert len(urls["c"]) > len("zh-hans/.html")


def test_a_name_that_says_less_than_its_family_carries_a_hash() -> None:
    urls = document_urls(
        [("a", "contents", "en"), ("b", "año", "es"), ("c", "ano", "es"), ("d", "register/ma", "en")]
    )
    assert urls["a"].startswith("en/contents-")
    assert urls["c"] == "es/ano.html"
    assert urls["b"].startswith("es/ano-")
    assert urls["d"] == "en/register-ma.html"


@given(paths, paths, st.sampled_from(["", "#here"]))
def test_a_relative_address_leads_to_its_target(target: str, page: str, fragment: str) -> None:
    base = "https://site.example/a/b/"
    assert urljoin(base + page, relative(target + fragment, page)) == base + target + fragment


@given(paths)
def test_the_root_is_where_every_page_starts_from(page: str) -> None:
    base = "https://site.example/a/b/"
    assert urljoin(base + page, root(page) + "assets/cairn.css") == base + "assets/cairn.css"
