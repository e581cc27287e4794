"""What a visitor waits for in Chromium, on sites of a given size: the start of the engine and each question.

A site is built by the builder, a process of its own, from passages that `speed` makes; Chromium is driven by
`peers/chromium.py`, which needs Playwright.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from bench import speed
from bench.squad import QuestionSet

DRIVER = Path(__file__).with_name("peers") / "chromium.py"
ROOT = Path(__file__).resolve().parent.parent
SETTINGS = '[retrieval]\nscorer = "evidence"\n[language]\ndefault = "{lang}"\n'
_MARKS = re.compile(r"([!-/:-@\[-`{-~])")  # ASCII punctuation, any of which Markdown may read as a mark


def lines(named: tuple[str, QuestionSet], sizes: Sequence[int]) -> Iterator[str]:
    """The wait at each size: the start, the first question, the median and 95th percentile of the others.

    Raises OSError when the builder or the browser fails.
    """
    name, one = named
    asked = speed.questions(one)
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            site = _site(one, size, Path(folder))
            start, first, *others = _run(
                [sys.executable, str(DRIVER), str(site), one.lang], json.dumps(asked)
            )
        others.sort()
        yield (
            f"{name} {size} passages, Chromium: median {statistics.median(others):.1f} ms, "
            f"95 % {others[int(0.95 * len(others))]:.1f} ms, first {first:.0f} ms, start {start:.0f} ms"
        )


def _site(one: QuestionSet, size: int, folder: Path) -> Path:
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "cairn.toml").write_text(SETTINGS.format(lang=one.lang), encoding="utf-8")
    for doc_id, passages in groupby(speed.recombined(one, size), key=lambda passage: passage.doc_id):
        body = "\n\n".join(_MARKS.sub(r"\\\1", passage.text) for passage in passages)
        text = f"---\ntitle: {doc_id}\nsynthetic: true\n---\n\n{body}\n"
        (corpus / f"{doc_id}.{one.lang}.md").write_text(text, encoding="utf-8")
    site = folder / "site"
    build = [sys.executable, "-m", "builder", str(corpus), "--out", str(site), "--quiet"]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)  # noqa: S603  # this project's builder
    return site


def _run(command: Sequence[str], asked: str) -> list[float]:
    run = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603  # a program of this folder
    if run.returncode:
        raise OSError(f"Chromium failed: {(run.stderr.strip().splitlines() or ['without a word'])[-1]}")
    return [float(each) for each in json.loads(run.stdout)]
