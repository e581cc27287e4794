"""Corpora written for one case: files given as text, bytes in hex, text repeated, links or pipes."""

import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from builder.lint import rules
from builder.lint.rules import Report

type Spec = str | Mapping[str, str | int]

TODAY = "2026-12-01"


def put(path: Path, spec: Spec) -> None:
    """Write one file of a case."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(spec, str):
        path.write_bytes(spec.encode())
    elif "hex" in spec:
        path.write_bytes(bytes.fromhex(str(spec["hex"])))
    elif "symlink" in spec:
        path.symlink_to(str(spec["symlink"]))
    elif "pipe" in spec:
        os.mkfifo(path)
    else:
        path.write_bytes((str(spec.get("front", "")) + str(spec["repeat"]) * int(spec["times"])).encode())


class Checker:
    """Writes corpora below a folder and checks them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, files: Mapping[str, Spec], toml: str = "", today: str = TODAY) -> Report:
        root = self.folder / "corpus"
        root.mkdir(parents=True, exist_ok=True)
        for path, spec in files.items():
            put(root / path, spec)
        if toml:
            (root / "cairn.toml").write_text(toml, encoding="utf-8")
        return rules.run(root, None, date.fromisoformat(today))

    def lines(self, report: Report) -> list[str]:
        """Return a report's problems as lines that are the same on every machine."""
        return [str(one).replace(str(self.folder / "corpus"), "FOLDER") for one in report.problems]
