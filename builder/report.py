"""Reports in words and in JSON: what a build made, and what is wrong with a corpus.

Returns lines; `cli` prints them.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from builder.problems import CODES, Problem
from builder.publish import Publication
from builder.site import BuildReport
from builder.verify import Verification
from cairn_core.errors import CairnError
from cairn_core.language import catalogue, has_own_catalogue

FORMAT = 1
SHOWN = 3
"""Warnings of one code that are written out; the rest are counted."""


def build_lines(report: BuildReport, seconds: float, serve: str) -> Iterator[str]:
    """Describe a build that succeeded; `serve` is the command that previews it."""
    passages = ", ".join(f"{lang} {count:,}" for lang, count in report.passages.items())
    total = counted(sum(report.passages.values()), "passage")
    yield f"{counted(report.documents, 'document')}, {total} ({passages})"
    engine, index = megabytes(report.engine_bytes), megabytes(report.index_bytes)
    pages = counted(len(report.contents), "page")
    yield f"{pages}, {megabytes(report.site_bytes)} in all (engine {engine}, index {index})"
    yield from _interface_lines(report.passages)
    if report.note:
        yield f"note    {report.note}"
    yield f"build {report.build}, {seconds:.1f} s"
    yield f"open    {report.out / 'index.html'}"
    yield f"preview {serve}"


def _interface_lines(languages: Iterable[str]) -> Iterator[str]:
    """Name the languages in which the sentences of the pages are not complete."""
    for lang in languages:
        match interface(lang):
            case {"state": "begun", "reviewed": reviewed}:
                yield f"note    the sentences of the pages in {lang} are begun, last read {reviewed}"
            case {"state": "none"}:
                yield f"note    the sentences of the pages are not written in {lang}: they are in English"


def interface(lang: str) -> dict[str, str]:
    """Return the state of the sentences of the pages in a language, "complete", "begun" or "none", and when
    and by whom they were last read.
    """
    if not has_own_catalogue(lang):
        return {"state": "none", "reviewed": ""}
    own = catalogue(lang)
    return {"state": own.state, "reviewed": own.reviewed}


def build_json(report: BuildReport, seconds: float) -> dict[str, object]:
    """Return a build's report as plain JSON."""
    return {
        "format": FORMAT,
        "ok": True,
        "build": report.build,
        "out": str(report.out),
        "documents": report.documents,
        "pages": len(report.contents),
        "boot": report.boot,
        "note": report.note,
        "reused": report.reused,
        "passages": dict(report.passages),
        "interface": {lang: interface(lang) for lang in report.passages},
        "bytes": {"site": report.site_bytes, "engine": report.engine_bytes, "index": report.index_bytes},
        "seconds": round(seconds, 3),
        "problems": [problem.to_json() for problem in report.warnings],
    }


def verification_lines(found: Verification) -> Iterator[str]:
    """Say that a site is as it was built, or name every file that is not."""
    for fault in found.faults:
        yield f"{fault.kind:14}{fault.path}"
    if found.faults:
        yield f"build {found.build} is damaged: {counted(len(found.faults), 'fault')}, {found.files:,} files"
    else:
        yield f"build {found.build} is complete and unchanged: {found.files:,} files"
    if found.signed:
        yield "the list of its files is signed by the key that was given"


def verification_json(found: Verification) -> dict[str, object]:
    """Return the same as plain JSON."""
    return {
        "format": FORMAT,
        "ok": not found.faults,
        "build": found.build,
        "files": found.files,
        "signed": found.signed,
        "faults": [{"kind": fault.kind, "path": fault.path} for fault in found.faults],
    }


def import_lines(path: Path, title: str, notes: int) -> Iterator[str]:
    """Say where a document was written and how much of it is to be reviewed."""
    yield f"{path}  {title}"
    yield f"        {counted(notes, 'note')} to compare with the original" if notes else "        no note"


def publication_lines(done: Publication) -> Iterator[str]:
    """Say what was copied, and how to see it."""
    yield f"{counted(done.files, 'file')}, {megabytes(done.bytes)}, each read back from the disk and right"
    yield f"build {done.build} {'replaces the site that was there' if done.replaced else 'is in place'}"
    yield f"open  {done.target / 'index.html'}"


def publication_json(done: Publication) -> dict[str, object]:
    """Return the same as plain JSON."""
    return {
        "format": FORMAT,
        "ok": True,
        "build": done.build,
        "target": str(done.target),
        "files": done.files,
        "bytes": done.bytes,
        "replaced": done.replaced,
    }


def failure_json(message: str, problems: Iterable[Problem]) -> dict[str, object]:
    """Return what stopped a command as plain JSON."""
    return {
        "format": FORMAT,
        "ok": False,
        "error": message,
        "problems": [problem.to_json() for problem in problems],
    }


def problem_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """List every error by place, then warnings by code, then how many there are."""
    errors = sorted(problem for problem in problems if problem.severity == "error")
    warnings = sorted(
        (problem for problem in problems if problem.severity != "error"), key=lambda one: (one.code, one)
    )
    for problem in errors:
        yield from located(problem)
    for code, group in groupby(warnings, key=lambda one: one.code):
        same = list(group)
        for problem in same[:SHOWN]:
            yield from located(problem)
        if len(same) > SHOWN:
            yield f"    … and {len(same) - SHOWN:,} more {code}, {CODES[code]}"
    if problems:
        counts = Counter(problem.severity for problem in problems)
        yield ", ".join(
            counted(counts[severity], severity) for severity in ("error", "warning") if counts[severity]
        )


def error_lines(error: CairnError) -> Iterator[str]:
    """Say what is wrong, where, and below it what to do."""
    yield f"{error.location}: {error.message}" if error.location else error.message
    if error.hint:
        yield f"    {error.hint}"


def printable(line: str) -> str:
    """Return a line with control characters as escapes, so that no text or path steers the terminal."""
    if line.isprintable():
        return line
    return "".join(
        one if unicodedata.category(one) != "Cc" or one == "\t" else f"\\x{ord(one):02x}" for one in line
    )


def located(problem: Problem) -> Iterator[str]:
    """Yield a problem with its place, and its hint below it."""
    yield f"{problem.path}:{problem.line}:{problem.column} {problem.code} {problem.message}"
    if problem.hint:
        yield f"    {problem.hint}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the right form."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def megabytes(size: int) -> str:
    """Return a number of bytes as people read it."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"
