"""Hostile Markdown ends in an answer within a second: a page, or an error that names the line."""

import time
from collections.abc import Callable

import pytest

from builder.problems import Problem

SECONDS = 1.0

HOSTILE = {
    "brackets": "[" * 19_990,
    "more brackets": "[" * 50_000,
    "open images": "![" * 6_000,
    "nested links": "[" * 9_000 + "a" + "](b)" * 9_000,
    "emphasis": "*a " * 6_000,
    "mixed emphasis": "*_" * 9_000,
    "words with underscores": "a_" * 9_900,
    "code spans of all lengths": " ".join("`" * length for length in range(1, 190)) + " <b",
    "angle brackets": "<" * 19_000,
    "open tags": "<a " * 6_000,
    "references": "&#x41;" * 9_000,
    "backslashes": "\\" * 19_000,
    "deep quotes": "> " * 300 + "x",
    "deep lists": "".join("  " * depth + "- x\n" for depth in range(300)),
    "lists on a line": "- " * 300 + "x",
    "lists and quotes": "> - " * 200 + "x",
    "empty quotes": ">\n" * 9_000,
    "wide table": "|" + "a|" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + "|a\n" * 100,
    "table of empty cells": "|" + "a|" * 49 + "\n|" + "-|" * 49 + "\n" + "|a\n" * 1_900,
    "definitions": "".join(f"[a{number}]: /u\n" for number in range(4_000)),
    "one word a line": "word\n" * 180_000,
    "one long line": "word " * 180_000,
    "equal headings": "# a\n\nb\n\n" * 4_000,
    "rules": "---\n\n" * 10_000,
    "fences": "```\nx\n```\n" * 3_000,
    "tabs": "\t" * 15_000 + "x",
    "open shortcodes": "{{< a " * 20_000,
    "shortcode of blanks": "{{<" + " " * 19_000,
    "shortcodes": "{{< a >}}" * 20_000,
    "unclosed code": "`" * 19_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_decided_in_a_second(body: str, problems: Callable[..., tuple[Problem, ...]]) -> None:
    started = time.process_time()
    problems({"a.en.md": f"---\ntitle: T\n---\n{body}\n"})
    assert time.process_time() - started < SECONDS
