"""html-validate over every page of the demonstration: it finds no error.

The rules that are off, and why: `empty-heading` and `unique-landmark` object to hidden sections of
the Ask page whose headings the scripts write; `long-title` counts the site's name, which is the
operator's; `tel-non-breaking` wants characters of quoted text changed. axe-core checks the names of
landmarks as shown.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"


def complaints(*pages: Path) -> list[str]:
    """Return what the validator says of pages, each as path, line, rule and message."""
    node = shutil.which("node")
    assert node, "node is missing"
    assert PROGRAM.is_file(), "html-validate is missing: type `npm ci` in the repository"
    command = [node, PROGRAM, "--config", ROOT / ".htmlvalidate.json", "--formatter", "json", *pages]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return [
        f"{Path(page['filePath']).name}:{found['line']} {found['ruleId']} {found['message']}"
        for page in json.loads(run.stdout)
        for found in page["messages"]
    ]


@pytest.mark.slow
def test_every_page_is_valid(built_demo: Path) -> None:
    pages = sorted(built_demo.rglob("*.html"))
    assert len(pages) > 15
    assert complaints(*pages) == []


@pytest.mark.slow
def test_a_page_that_is_not_valid_is_found_out(tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text("<!doctype html><html lang=en><title>x</title><p id=a><p id=a></html>", encoding="utf-8")
    assert [each for each in complaints(page) if "no-dup-id" in each]
