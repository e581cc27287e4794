"""Parts, the manifest and the build id: what travels is exactly what was named."""

import base64
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder import payload
from builder.payload import Manifest, Part, build_id, seal_json, seal_page

BUILD = "0123456789abcdef"


@given(st.binary(max_size=300))
def test_both_forms_of_a_part_hold_the_same_gzip_bytes(data: bytes) -> None:
    gz, script = Part.of("x.bin", data).assets()
    name, text = json.loads("[" + script.data.decode().removeprefix("cairn.put(").removesuffix(");\n") + "]")
    assert (name, base64.b64decode(text)) == ("x.bin", gz.data)
    assert gzip.decompress(gz.data) == data


def test_a_gzip_header_holds_neither_a_name_nor_a_time() -> None:
    assert payload.compress(b"x")[:8] == b"\x1f\x8b\x08\0\0\0\0\0"


def test_the_manifest_reads_back_as_it_was() -> None:
    manifest = Manifest(BUILD, "0.29.5", {"a.js": Part.of("a.js", b"x").entry}, {"en/index.html": "0" * 64})
    assert Manifest.from_json(manifest.asset().data) == manifest


def test_pages_load_a_manifest_without_the_list_of_files() -> None:
    script = Manifest(BUILD, "", {}, {"en/index.html": "0" * 64}).script().data.decode()
    assert script.startswith("(self.cairn=self.cairn||{}).manifest={")
    assert "en/index.html" not in script


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"format": 2}, "format 2"),
        ({"files": {"../x": "0" * 64}}, "../x"),
        ({"files": {"x.html": "0"}}, "x.html"),
        ({"parts": {"a": {"sha256": "0" * 64, "size": -1, "gz": 1}}}, '"a"'),
        ({"scripts": {"a.js": "0"}}, "a.js"),
        ({"parts": None}, '"parts"'),
    ],
    ids=[
        *("other format", "path out of the site", "no hash", "negative size"),
        *("no hash of a script", "no parts"),
    ],
)
def test_a_manifest_that_cannot_be_used_says_where(change: dict[str, object], named: str) -> None:
    value = {"format": 1, "build": BUILD, "pyodide": "", "parts": {}, "files": {}, "scripts": {}, **change}
    with pytest.raises(ValueError, match=named.replace("(", r"\(")):
        Manifest.from_json(json.dumps(value).encode())


@pytest.mark.parametrize(
    "text", [b"", b"\xff", b"[" * 200_000, b"[]"], ids=["empty", "bytes", "deep", "list"]
)
def test_a_manifest_that_is_no_manifest_is_one_kind_of_error(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"it is not JSON|is missing"):
        Manifest.from_json(text)


def test_the_build_id_changes_with_any_name_and_any_content() -> None:
    ids = {build_id(items) for items in ([("a", "1")], [("a", "2")], [("b", "1")], [("a", "1"), ("b", "1")])}
    assert len(ids) == 4


def test_the_build_id_does_not_depend_on_the_order_of_writing() -> None:
    assert build_id([("a", "1"), ("b", "2")]) == build_id([("b", "2"), ("a", "1")])


def test_sealing_a_page_reaches_the_build_id_it_shows() -> None:
    page = '<html data-build="{0}"><bdi class="build" dir="ltr">{0}</bdi>'
    assert seal_page(page.format(payload.PLACEHOLDER).encode(), BUILD) == page.format(BUILD).encode()


def test_zeros_in_a_document_are_not_taken_for_the_place_of_the_build_id() -> None:
    page = f'<html data-build="{payload.PLACEHOLDER}"><p>{payload.PLACEHOLDER}</p>'.encode()
    assert seal_page(page, BUILD) == f'<html data-build="{BUILD}"><p>{payload.PLACEHOLDER}</p>'.encode()
    text = payload.canonical({"build": payload.PLACEHOLDER, "text": payload.PLACEHOLDER}).encode()
    assert json.loads(seal_json(text, BUILD)) == {"build": BUILD, "text": payload.PLACEHOLDER}


def test_a_page_without_a_place_for_the_build_id_is_an_error() -> None:
    with pytest.raises(ValueError, match="data-build"):
        seal_page(b"<html>", BUILD)


@pytest.mark.parametrize(
    "url", ["/x", "../x", "a//b", "A.html", "a b", ".x", "a/.x", "x" * 68, "c\u00f4te.html"]
)
def test_paths_that_are_not_portable_do_not_count_as_paths_of_a_site(url: str) -> None:
    assert not payload.URL.fullmatch(url)


@pytest.mark.parametrize(
    "url", ["index.html", "en/grocery-allowance.html", "assets/parts/index.zh-hans.json.gz"]
)
def test_portable_paths_do(url: str) -> None:
    assert payload.URL.fullmatch(url)
