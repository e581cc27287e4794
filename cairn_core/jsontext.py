"""JSON text: the one way it is written, and the wary way it is read.

What is read may be damaged or hostile: every reader names the field it could not read, and nesting is bounded
before the parser recurses, because deep nesting ends a Python that runs in WebAssembly.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cairn_core.errors import IndexFormatError

MAX_DEPTH = 8  # nesting of any JSON this package reads
HINT = "build the site again, or copy it again"

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_NO_BRACKETS = re.compile(r"[^\[\]{}]+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def to_canonical_json(plain: object) -> str:
    """Sorted keys, no spaces, no escapes beyond what JSON requires."""
    return json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def read_object(data: str | bytes, where: str) -> dict[str, Any]:  # values are checked one by one
    """The JSON object in `data`; `where` names the file in the IndexFormatError."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        require(_depth_is_bounded(text), "the JSON is unbalanced or nested too deeply", where)
        plain = json.loads(text, parse_constant=_refuse_constant)
    except ValueError as error:
        raise IndexFormatError("the file is not JSON", HINT, where) from error
    if not isinstance(plain, dict):
        raise IndexFormatError("the JSON is not an object", HINT, where)
    return plain


def _depth_is_bounded(text: str) -> bool:
    brackets = _NO_BRACKETS.sub("", _STRING.sub("", text))
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace("[]", "").replace("{}", "")
    return not brackets


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def require(holds: bool, message: str, where: str) -> None:
    """Raise IndexFormatError at `where` unless it holds."""
    if not holds:
        raise IndexFormatError(message, HINT, where)


def read_list(item: object, name: str, where: str) -> list[Any]:  # values are checked one by one
    """The list in field `name`."""
    value = item.get(name) if isinstance(item, dict) else None
    if not isinstance(value, list):
        raise IndexFormatError("it is not a list", HINT, f"{where}.{name}")
    return value


def read_text(item: object, name: str, where: str) -> str:
    """The text in field `name`, which can be encoded."""
    value = item.get(name) if isinstance(item, dict) else None
    if not isinstance(value, str) or (not value.isascii() and _LONE_SURROGATE.search(value)):
        raise IndexFormatError("it is not text", HINT, f"{where}.{name}")
    return value


def read_number(item: object, name: str, where: str) -> int:
    """The whole number in field `name`."""
    value = item.get(name) if isinstance(item, dict) else None
    if not isinstance(value, int) or isinstance(value, bool):
        raise IndexFormatError("it is not a whole number", HINT, f"{where}.{name}")
    return value
