"""What the pages are made from: style sheets that work in both directions, scripts that keep no trace."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
SIDE = r"(?:left|right)"
PHYSICAL = re.compile(
    rf"(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-{SIDE}(?:-\w+)?|{SIDE}"
    rf"|border-(?:top|bottom)-{SIDE}-radius)\s*:"
    rf"|(?<![\w-])(?:float|clear|text-align|caption-side|resize)\s*:\s*{SIDE}\b"
)
FORBIDDEN = {
    "HTML from text": r"\b(?:(?:inner|outer)HTML|insertAdjacentHTML|document\.write|createContextual\w+)\b",
    "code from text": r"\beval\s*\(|\bnew Function\b|\bset(?:Timeout|Interval)\s*\(\s*[\"'`]",
    "storage": r"\b(?:localStorage|sessionStorage|indexedDB|caches|cookie|cookieStore|serviceWorker)\b",
    "history": r"\b(?:pushState|replaceState)\b",
    "beacon": r"\b(?:sendBeacon|XMLHttpRequest|WebSocket|EventSource)\b",
    "module": r"^\s*(?:import\s|export\s)|\bimport\s*\(",
}


def without_comments(text: str) -> str:
    """Return the source with its comments blanked, so that prose may name what code may not use."""
    return re.sub(
        r"/\*.*?\*/|(?<![:\"'])//[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S
    )


def hits(pattern: str | re.Pattern[str], text: str) -> list[str]:
    lines = enumerate(without_comments(text).split("\n"), start=1)
    return [f"{number}: {line.strip()}" for number, line in lines if re.search(pattern, line)]


def sources(suffix: str) -> list[Path]:
    return sorted(path for path in WEB.rglob(f"*{suffix}") if not path.name.endswith(".d.ts"))


@pytest.mark.parametrize("path", sources(".css"), ids=lambda path: path.name)
def test_a_style_sheet_uses_logical_properties_only(path: Path) -> None:
    assert hits(PHYSICAL, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sources(".js"), ids=lambda path: path.name)
@pytest.mark.parametrize("kind", FORBIDDEN)
def test_a_script_uses_no(kind: str, path: Path) -> None:
    assert hits(FORBIDDEN[kind], path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sources(".js"), ids=lambda path: path.name)
def test_a_script_is_strict(path: Path) -> None:
    assert '"use strict";' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sources(".html"), ids=lambda path: path.name)
def test_a_template_holds_no_inline_script_style_or_handler(path: Path) -> None:
    script = r"<script(?![^>]*\b(?:src=|type=\"application/json\"))"
    assert (
        hits(rf"{script}|<style|\sstyle=|\son[a-z]+=|javascript:|\|\s*safe", path.read_text(encoding="utf-8"))
        == []
    )


@pytest.mark.parametrize(
    "line",
    ["margin-left: 1em", "  right:0", "text-align: left", "border-top-left-radius: 2px", "float:right"],
)
def test_a_planted_physical_property_is_caught(line: str) -> None:
    assert hits(PHYSICAL, f"a {{ {line}; }}")


@pytest.mark.parametrize("line", ["margin-inline-start: 1em", "inset-inline-end: 0", "text-align: start"])
def test_a_logical_property_passes(line: str) -> None:
    assert hits(PHYSICAL, f"a {{ {line}; }} /* left: */") == []
