"""Browsers and origins that lack something: they answer without it, or say what is missing."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route

from tests.browser.asking import ask, outcome
from tests.browser.browsers import PLAIN_HOST, ChromiumTab, Tab
from tests.browser.conftest import Place
from tests.browser.test_damage import assert_readable, one_bit_flipped

HASHES = """(sizes) => Promise.all(
  sizes.map((size) => cairn.sha256(Uint8Array.from({ length: size }, (_, index) => index).buffer)),
)"""
QUESTION = "How much is the monthly grocery allowance for one person?"


def on_plain_host(place: Place) -> str:
    return place.page("en/index.html").replace("127.0.0.1", PLAIN_HOST)


def test_an_origin_without_crypto_subtle_answers(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(on_plain_host(places(site, "http")))
    assert tab.evaluate("() => globalThis.crypto.subtle === undefined")
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    tab.close()


def test_an_origin_without_crypto_subtle_notices_one_bit(
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab("chromium")
    tab.goto(on_plain_host(places(variant(one_bit_flipped(site, "stdlib.zip")), "http")))
    found = outcome(tab)
    assert (found.code, found.part) == ("damaged", "stdlib.zip")
    tab.close()


def test_sha256_in_script_is_that_of_the_standard(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    tab.goto(on_plain_host(places(site, "http")))
    sizes = [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 600_000]
    found = tab.evaluate(HASHES, sizes)
    assert found == [hashlib.sha256(bytes(i % 256 for i in range(n))).hexdigest() for n in sizes]
    tab.close()


@pytest.mark.parametrize(
    ("missing", "code"), [("Worker", "browser"), ("DecompressionStream", "browser"), ("WebAssembly", "wasm")]
)
def test_a_browser_without_a_needed_part_says_so(
    missing: str,
    code: str,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], ChromiumTab],
) -> None:
    tab = new_tab("chromium")
    tab.page.add_init_script(f"delete globalThis.{missing}")
    tab.goto(places(site, "file").page("en/index.html"))
    assert outcome(tab).code == code
    assert_readable(tab)
    tab.close()


@pytest.mark.parametrize("missing", ["Intl.Segmenter", "Uint8Array.fromBase64", "requestIdleCallback"])
def test_a_browser_without_a_newer_function_answers(
    missing: str,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], ChromiumTab],
) -> None:
    tab = new_tab("chromium")
    tab.page.add_init_script(f"delete {missing}")
    tab.goto(places(site, "file").page("en/index.html"))
    assert ask(tab, QUESTION).answered
    tab.close()


def test_a_server_that_decodes_on_the_way_is_fine(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], ChromiumTab]
) -> None:
    tab = new_tab("chromium")
    decoded: list[str] = []

    def decode(route: Route) -> None:
        response = route.fetch()
        decoded.append(response.url)
        route.fulfill(response=response, body=gzip.decompress(response.body()))

    tab.page.route("**/parts/*.gz*", decode)
    tab.goto(places(site, "http").page("en/index.html"))
    assert ask(tab, QUESTION).answered
    assert len(decoded) == len(list((site / "assets" / "parts").glob("*.gz")))
    tab.close()


def test_a_server_that_fails_is_told_and_asking_again_works(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], ChromiumTab]
) -> None:
    tab = new_tab("chromium")
    tab.page.route("**/parts/index.en.json.gz*", lambda route: route.abort())
    tab.goto(places(site, "http").page("en/index.html"))
    assert outcome(tab).code == "unreachable"
    tab.page.unroute("**/parts/index.en.json.gz*")
    assert ask(tab, QUESTION).answered
    tab.close()
