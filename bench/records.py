"""Items to judge and verdicts, as JSON lines or CSV: read one at a time, each fault with its line.

Text that is not UTF-8, JSON or the expected columns ends the reading; odd characters inside a text do not,
since the judge has a verdict for them.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cairn_core.errors import CairnError

LABELS = ("CORRECT_GROUNDED", "WRONG", "FABRICATED", "ABSTAINED", "JUDGE_ERROR")
NOT_CORRECT = "NOT_CORRECT"
"""The human label of an answer that is anything but CORRECT_GROUNDED."""

LONGEST_LINE = 64_000_000  # bytes


class RecordError(CairnError):
    """A line of an input file cannot be read."""


@dataclass(frozen=True, slots=True)
class Item:
    """One answer to judge; `label` is a human's, where there is one."""

    id: str
    question: str
    answer: str
    gold: str
    lang: str = ""
    label: str = ""
    cluster: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label given to an item, by the judge or by a human; items of one cluster share a question."""

    id: str
    label: str
    lang: str = ""
    cluster: str = ""


def read_items(path: Path) -> Iterator[Item]:
    """Yield the items of a .jsonl or .csv file; raises `RecordError` with the line of the first fault."""
    for number, row in _rows(path):
        yield _item(row, f"{path.name}:{number}", number)


def read_labels(path: Path) -> Iterator[Labelled]:
    """Yield the labels of a file of verdicts or items; raises `RecordError`."""
    for number, row in _rows(path):
        place = f"{path.name}:{number}"
        label = _text(row, "label", place)
        if label not in {*LABELS, NOT_CORRECT}:
            raise RecordError(f"no label is called “{label[:40]}”", f"use {', '.join(LABELS)}", place)
        question = str(row.get("cluster") or row.get("question") or "")
        yield Labelled(str(row.get("id") or number), label, str(row.get("lang") or ""), question)


def _item(row: Mapping[str, object], place: str, number: int) -> Item:
    sources = row.get("sources") or {}
    if not isinstance(sources, dict):
        raise RecordError("sources is not an object of name and text", 'write {"name": "text"}', place)
    return Item(
        str(row.get("id") or number),
        _text(row, "question", place),
        _text(row, "answer", place),
        _text(row, "gold", place),
        str(row.get("lang") or ""),
        str(row.get("label") or ""),
        str(row.get("cluster") or row.get("question") or ""),
        {str(name): str(text) for name, text in sources.items()},
    )


def _text(row: Mapping[str, object], name: str, place: str) -> str:
    value = row.get(name)
    if isinstance(value, str):
        return value
    fault = f"{name} is {type(value).__name__}, not text" if name in row else f"{name} is missing"
    raise RecordError(fault, "give question, answer and gold as text", place)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    try:
        with path.open("rb") as stream:
            yield from (_csv(stream, path.name) if path.suffix == ".csv" else _jsonl(stream, path.name))
    except OSError as error:
        raise RecordError(f"the file cannot be read: {error.strerror}", location=path.name) from error


def _jsonl(stream: BinaryIO, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        place = f"{name}:{number}"
        if len(line) >= LONGEST_LINE:
            raise RecordError(f"the line is longer than {LONGEST_LINE} bytes", location=place)
        text = _decoded(line, place)
        if not text.strip():
            continue
        try:
            row = json.loads(text, parse_constant=_constant)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"the line is not JSON: {error}"[:160], location=place) from error
        if not isinstance(row, dict):
            raise RecordError("the line is not a JSON object", location=place)
        yield number, row


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON value")


def _decoded(line: bytes, place: str) -> str:
    try:
        return line.decode("utf-8-sig" if line.startswith(b"\xef\xbb\xbf") else "utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start + 1} of the line is not UTF-8", "save as UTF-8", place
        ) from error


def _csv(stream: BinaryIO, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    csv.field_size_limit(LONGEST_LINE)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    number = 1
    try:
        reader = csv.DictReader(text, strict=True)
        for row in reader:
            number = reader.line_num
            if None in row or None in row.values():
                raise RecordError(
                    "the row has not as many columns as the first line", location=f"{name}:{number}"
                )
            yield number, dict(row)
    except UnicodeDecodeError as error:
        raise RecordError("the text is not UTF-8", "save as UTF-8", f"{name}:{number + 1}") from error
    except csv.Error as error:
        raise RecordError(f"the row is not CSV: {error}", location=f"{name}:{number + 1}") from error
    finally:
        text.detach()  # the file is closed by who opened it
