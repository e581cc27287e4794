"""Browsers and origins that lack something: they answer without it, or say what is missing."""

import base64
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


@pytest.mark.parametrize("part", ["pyodide.wasm", "snapshot.bin"])
def test_an_origin_without_crypto_subtle_notices_one_bit(
    part: str,
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab("chromium")
    tab.goto(on_plain_host(places(variant(one_bit_flipped(site, part)), "http")))
    found = outcome(tab)
    assert (found.code, found.part) == ("damaged", part)
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


def test_a_browser_without_webassembly_says_so(
    site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], ChromiumTab]
) -> None:
    tab = new_tab("chromium")
    tab.page.add_init_script("delete globalThis.WebAssembly")
    tab.goto(places(site, "file").page("en/index.html"))
    assert outcome(tab).code == "wasm"
    assert_readable(tab)
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize("missing", ["Worker", "DecompressionStream"])
def test_a_browser_without_workers_or_without_unpacking_answers(
    missing: str,
    kind: str,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], ChromiumTab],
) -> None:
    tab = new_tab("chromium")
    tab.page.add_init_script(f"delete globalThis.{missing}")
    tab.goto(places(site, kind).page("en/index.html"))
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    assert ask(tab, "Who won the game?").refused
    assert (tab.errors(), tab.evaluate("() => violations")) == ([], [])
    tab.close()


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("kind", ["file", "http"])
def test_where_a_policy_forbids_workers_the_page_answers(
    browser: str,
    kind: str,
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    page = (site / "en" / "index.html").read_bytes()
    folder = variant(
        {
            "en/index.html": page.replace(
                b"worker-src &#39;self&#39; blob:", b"worker-src &#39;none&#39;"
            ).replace(b"worker-src 'self' blob:", b"worker-src 'none'")
        }
    )
    tab = new_tab(browser)
    tab.goto(places(folder, kind).page("en/index.html"))
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    tab.close()


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize("script", ["loader.js", "runtime.js", "worker.js"])
def test_a_script_that_would_run_in_the_page_is_checked_first(
    script: str,
    kind: str,
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], ChromiumTab],
) -> None:
    source = (site / "assets" / "run" / script).read_bytes()
    folder = variant({f"assets/run/{script}": source.replace(b"use strict", b"use stricT", 1)})
    tab = new_tab("chromium")
    tab.page.add_init_script("delete globalThis.Worker")
    tab.goto(places(folder, kind).page("en/index.html"))
    found = outcome(tab)
    assert (found.code, found.part) == ("damaged", script)
    tab.close()


UNPACK = """async ([cases, missing]) => {
  if (missing) delete globalThis[missing];
  const unpack = async ([base64, size]) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const unpacking = cairn.unpacking(size);
    for (let at = 0; at < bytes.length; at += 100) unpacking.take(bytes.slice(at, at + 100));
    try {
      return Array.from(new Uint8Array(await unpacking.end())).join();
    } catch (error) {
      return error.name;
    }
  };
  const found = [];
  for (const one of cases) found.push(await unpack(one));
  return found;
}"""
WAYS = pytest.mark.parametrize("without", ["", "DecompressionStream"], ids=["by the browser", "in script"])


@WAYS
def test_gzip_is_unpacked_while_it_arrives_as_it_was_packed(
    without: str, site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    noise = bytes((i * i * 31 + i // 7) % 251 for i in range(3000))
    texts = [b"", b"a", b"ab" * 5000, noise, (QUESTION * 40).encode(), bytes(70_000), bytes(range(256)) * 9]
    cases = [(gzip.compress(text, level, mtime=0), text) for text in texts for level in (0, 1, 6, 9)]
    tab = new_tab("chromium")
    tab.goto(places(site, "file").page("en/index.html"))
    given = [(base64.b64encode(packed).decode(), len(text)) for packed, text in cases]
    assert tab.evaluate(UNPACK, [given, without]) == [",".join(map(str, text)) for _, text in cases]
    tab.close()


@WAYS
def test_gzip_that_is_cut_changed_or_of_another_length_is_no_result_and_no_endless_loop(
    without: str, site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]
) -> None:
    text = (QUESTION * 40).encode()
    packed = gzip.compress(text, 9, mtime=0)
    broken = [packed[:cut] for cut in range(0, len(packed) - 12, 7)]
    flipped = [
        bytes([*packed[:at], packed[at] ^ 4, *packed[at + 1 :]]) for at in range(10, len(packed) - 8, 5)
    ]
    cases = [
        *((one, len(text)) for one in broken + flipped),
        (packed, len(text) - 1),
        (packed, len(text) + 1),
    ]
    tab = new_tab("chromium")
    tab.goto(places(site, "file").page("en/index.html"))
    given = [(base64.b64encode(one).decode(), size) for one, size in cases]
    found = tab.evaluate(UNPACK, [given, without])
    refused = {"RangeError"} if without else {"RangeError", "TypeError"}
    assert set(found[: len(broken)]) <= refused
    assert set(found[-2:]) == {"RangeError"}
    assert all(one in refused or len(one.split(",")) == len(text) for one in found)
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
    needed = {path.name for path in (site / "assets" / "parts").glob("*.gz")}
    needed -= {"stdlib.zip.gz"}  # the snapshot is there instead
    while not needed <= {url.rpartition("/")[2].partition("?")[0] for url in decoded}:
        tab.page.wait_for_timeout(20)  # other languages come after the answer
    tab.page.unroute_all(behavior="wait")
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
