"""A corpus of three short documents with its settings, built without the engine."""

import shutil
from pathlib import Path

import pytest

from builder.cli import main

DOCUMENTS = {
    "cairn.toml": """[refusal]
contact = "the desk, 555-0142"
""",
    "opening-hours.en.md": """---
title: Opening hours
topic: Visits
reviewed: 2026-03-01
---

## When the desk is open

The desk is open on weekdays from 9:00 to 17:00. Call 555-0142 to ask.

| Day | Hours |
|---|---|
| Saturday | 10:00 to 12:00 |

## Parking

Bring a ticket from the [parking garage](opening-hours.es.md) & show it.
""",
    "opening-hours.es.md": """---
title: Horario
topic: Visits
---

## Cuándo abre la ventanilla

La ventanilla abre de lunes a viernes, de 9:00 a 17:00.
""",
    "opening-hours.ar.md": """---
title: ساعات العمل
topic: Visits
---

## متى يفتح المكتب

يفتح المكتب من الساعة التاسعة صباحا. اتصل بالرقم 555-0142.
""",
}


def write_corpus(folder: Path) -> Path:
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the corpus, for tests that only look at it."""
    folder = tmp_path_factory.mktemp("built")
    corpus = write_corpus(folder / "corpus")
    assert main([str(corpus), "--out", str(folder / "site"), "--no-engine", "--quiet"]) == 0
    return folder / "site"


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    """The site of the corpus, for tests that change it."""
    return shutil.copytree(built, tmp_path / "site")
