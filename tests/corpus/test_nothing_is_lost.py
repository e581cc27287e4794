"""Words of a file are on its page, or a problem says that they are not; no input ends in a traceback."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builder.corpus import read
from builder.passages import Rendered
from builder.problems import CorpusProblems
from builder.project import load_project
from builder.rendering import render_all
from cairn_core.errors import ConfigError

SETTINGS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
OPENERS = st.sampled_from(
    [
        "",
        "",
        "# ",
        "## ",
        "- ",
        "  - ",
        "    - ",
        "1. ",
        "   ",
        "    ",
        "\t",
        "> ",
        "> > ",
        "> - ",
        "- > ",
        "| ",
        "|---|---|",
        "```",
        "~~~ ",
        "[",
        "[a]: ",
        "***",
        "---",
        "===",
        "\\",
        "+ ",
        "0) ",
    ]
)
ENDS = st.sampled_from(["", "", "", "  ", "\\", " | ", "|", "](#)", "`", "**", " #", ":", "*", "\n"])
LINES = st.lists(st.tuples(OPENERS, OPENERS, ENDS), max_size=20)


@SETTINGS
@given(lines=LINES)
def test_every_word_is_on_the_page_or_reported(
    write_document: Callable[[str, str], Rendered], lines: list[tuple[str, str, str]]
) -> None:
    body = "\n".join(f"{a}{b}w{number}w{end}" for number, (a, b, end) in enumerate(lines))
    rendered = write_document(body, "en")
    reported = {problem.code for problem in rendered.found.problems} & {
        "E406",
        "W415",
        "E403",
        "E503",
        "E501",
        "E505",
    }
    info = re.findall(r"^[\s>+\-\d.)|#]*(?:```+|~~~+).*$", body, re.MULTILINE)
    written = rendered.html + " ".join(info)
    missing = [f"w{number}w" for number in range(len(lines)) if f"w{number}w" not in written]
    assert not missing or reported


@SETTINGS
@given(data=st.binary(max_size=300))
def test_any_bytes_are_a_document_or_a_problem(tmp_path: Path, data: bytes) -> None:
    decide(tmp_path, data)


PARTS = st.sampled_from(
    [
        "---",
        "+++",
        "title: T",
        "title = 'T'",
        "lang: en",
        "id: \u202e",
        "reviewed: 2026-13-01",
        "synthetic: 1",
        "x = [1, 2",
        "y = 2026-01-01",
        "z = 1e400",
        "",
        "# h",
        "text",
        "- a",
        "[a](b.md#c)",
        "[a](javascript:b)",
        "![](x.png)",
        "<b>",
        "{{< a >}}",
        "| |\n|-|\n| |",
        "&nbsp;",
        "- &nbsp;",
        "> ![a](b)",
        "—",
        "\x00",
        "\ufeff",
        "&#0;",
        "&#xd800;",
        "&#x110000;",
        "|a|b|\n|-|-|\n|c|d|e|",
        "\r",
        "[a]: <b",
        "\ud7ff",
        "[\\]: x](y)",
    ]
)


@SETTINGS
@given(parts=st.lists(PARTS, max_size=14))
def test_any_lines_are_a_document_or_a_problem(tmp_path: Path, parts: list[str]) -> None:
    decide(tmp_path, "\n".join(parts).encode())


@SETTINGS
@given(text=st.text(max_size=200))
def test_any_settings_are_a_project_or_a_config_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "any.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(ConfigError):
        load_project(None, tmp_path / "any.toml")


def decide(folder: Path, data: bytes) -> None:
    root = folder / "corpus"
    root.mkdir(exist_ok=True)
    (root / "a.en.md").write_bytes(data)
    with suppress(CorpusProblems):
        render_all(read(load_project(root)))
