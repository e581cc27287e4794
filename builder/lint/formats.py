"""What a check found, as text for people, as JSON, and as annotations of a pull request.

The JSON form is described by `docs/reference/check.schema.json`.
"""

from collections.abc import Callable, Iterator, Mapping

from builder.lint.rules import Report
from builder.payload import canonical
from builder.problems import CODES
from builder.report import counted, located

FORMAT = 1


def text(report: Report) -> Iterator[str]:
    """Yield errors, then warnings, each with its hint below it, and how many there are."""
    for title, problems in (("Errors", report.errors), ("Warnings", report.warnings)):
        if problems:
            yield title
            for problem in problems:
                yield from located(problem)
            yield ""
    if not report.asked:
        yield "No question was asked: text is missing until the errors are gone."
    corpus = f"{counted(report.documents, 'document')}, {counted(report.passages, 'passage')}"
    found = f"{counted(len(report.errors), 'error')}, {counted(len(report.warnings), 'warning')}"
    yield f"{corpus}: {found}"


def as_json(report: Report) -> Iterator[str]:
    """Yield the report as one JSON object, in one line."""
    value = {
        "format": FORMAT,
        "ok": not report.errors,
        "corpus": report.corpus.as_posix(),
        "documents": report.documents,
        "passages": report.passages,
        "asked": report.asked,
        "errors": len(report.errors),
        "warnings": len(report.warnings),
        "problems": [one.to_json() | {"meaning": CODES[one.code]} for one in report.problems],
    }
    yield canonical(value)


def github(report: Report) -> Iterator[str]:
    """Yield one workflow command a problem, with the path from where the check was started."""
    for one in (*report.errors, *report.warnings):
        inside = report.corpus / one.path
        path = inside.as_posix() if inside.exists() else one.path
        title = f"{one.code} {CODES[one.code]}"
        place = f"file={_property(path)},line={one.line},col={one.column},title={_property(title)}"
        said = f"{one.message}\n{one.hint}" if one.hint else one.message
        yield f"::{one.severity} {place}::{_data(said)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


FORMATS: Mapping[str, Callable[[Report], Iterator[str]]] = {"text": text, "json": as_json, "github": github}
"""Value of --format -> what writes it."""
