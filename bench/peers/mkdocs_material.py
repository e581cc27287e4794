"""MkDocs with the Material theme, its search, and navigation that does not stand in every page in full.

A program of its own (corpus and output folder as arguments), not a module of the package.
"""

import logging
import sys
import tempfile
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

SETTINGS = """site_name: Measured
theme:
  name: material
  font: false
  features: [navigation.prune]
plugins: [search]
"""


def main(corpus: Path, out: Path) -> None:
    """Build a site of every Markdown file below `corpus`."""
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mkdocs.yml"
        file.write_text(SETTINGS, encoding="utf-8")
        build(load_config(str(file), docs_dir=str(corpus.resolve()), site_dir=str(out.resolve())))


main(Path(sys.argv[1]), Path(sys.argv[2]))
