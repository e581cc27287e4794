"""Scripts and style sheets as sites have them: without remarks, otherwise as they are written."""

import re

import pytest

from builder.statics import STATIC, WEB
from builder.sums import without_remarks

SOURCES = sorted(source for source in STATIC.values() if source.endswith((".js", ".css")))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a();\n  // says why\n  b();\n", "a();\n  b();\n"),
        ("/**\n * What it is. @param {X} y\n */\nfunction f(y) {}\n", "function f(y) {}\n"),
        ("/* one */\n/* two\n   lines */\n.a {}\n", ".a {}\n"),
        ("  /** @type {X} */ (it).go();\n", "  /** @type {X} */ (it).go();\n"),
        ("  /** @type {X} */\n  let y;\n", "  let y;\n"),
        ('f("// no remark");\ng(); // why\n', 'f("// no remark");\ng(); // why\n'),
        ("/** @type {X} */ (a) /* b\n */\nc();\n", "/** @type {X} */ (a) /* b\n */\nc();\n"),
    ],
)
def test_lines_that_are_remarks_alone_are_left_out(source: str, expected: str) -> None:
    assert without_remarks(source) == expected


@pytest.mark.parametrize("source", SOURCES)
def test_no_text_over_several_lines_holds_what_looks_like_a_remark(source: str) -> None:
    text = (WEB / source).read_text(encoding="utf-8")
    quoted = re.findall(r"`[^`]*`", without_remarks(text))
    assert all(one in text for one in quoted), "a template literal has lost a line"


def by_lines(source: str) -> str:
    """Leave out remarks line by line, as one would by hand."""
    kept: list[str] = []
    remark: list[str] = []
    for line in source.splitlines(keepends=True):
        bare = line.strip()
        if remark or bare.startswith("/*"):
            remark.append(line)
            if "*/" in bare:
                kept += [] if bare.endswith("*/") else remark
                remark = []
        elif not bare.startswith("//"):
            kept.append(line)
    return "".join(kept)


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_loses_what_it_would_lose_by_hand(source: str) -> None:
    text = (WEB / source).read_text(encoding="utf-8")
    assert without_remarks(text) == by_lines(text)
    assert without_remarks(text) != text
