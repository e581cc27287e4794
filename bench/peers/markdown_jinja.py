"""The floor of any Python site generator: each Markdown file parsed, put in a page and written. No index, no
checks, no links.

A program of its own (corpus and output folder as arguments), not a module of the package.
"""

import re
import sys
from pathlib import Path

from jinja2 import Environment
from markdown_it import MarkdownIt

FRONT_MATTER = re.compile(r"\A\ufeff?(---|\+\+\+)\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
PAGE = """<!doctype html>
<html lang="{{ lang }}">
<head><meta charset="utf-8"><title>{{ title }}</title></head>
<body><main>{{ body | safe }}</main></body>
</html>
"""


def main(corpus: Path, out: Path) -> None:
    """Write a page for every Markdown file below `corpus`."""
    page = Environment(autoescape=True).from_string(PAGE)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for source in sorted(corpus.rglob("*.md")):
        if source.name.lower() != "readme.md":
            text = source.read_text(encoding="utf-8")
            front = FRONT_MATTER.match(text)
            body = parser.render(text[front.end() :] if front else text)
            target = out / source.relative_to(corpus).with_suffix(".html")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(page.render(lang="en", title=source.stem, body=body), encoding="utf-8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
