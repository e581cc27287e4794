"""Anchors of passages: made from what a passage says, kept alive after it is edited, moved or put under
another heading.

The ledger beside the corpus remembers, for each document, the anchors in page order with the earlier ones
that lead to the same passage. Rendering reads it; only the site writer calls `save`.
"""

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeGuard

from builder.problems import Problem, shown

FORMAT = 1
SLUG_LENGTH = 40
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_NAMED = re.compile(r"(?P<slug>[^\s\"'<>&]+)-(?P<hash>[a-z2-7]{6})(?:-[0-9]+)?")
_ASCII_DROPPED = re.compile(r"[^a-z0-9_ -]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: for each passage its anchor and the earlier ones that lead to it; `retired` lead nowhere
    any more.
    """

    passages: tuple[tuple[str, ...], ...] = ()
    retired: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the canonical text."""
        return _dump({"passages": self.passages, "retired": self.retired})

    @classmethod
    def from_json(cls, text: str) -> "Entry":
        """Return the entry `to_json` wrote."""
        return _entry("", json.loads(text))


class Lines(Mapping[str, Entry]):
    """Entries by document id, held as the texts they are in the file: a fifth of their size as objects."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def __getitem__(self, doc_id: str) -> Entry:
        return Entry.from_json(self.texts[doc_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of a corpus by document id."""

    documents: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def texts(self) -> Mapping[str, str]:
        """Return the entries as their canonical texts."""
        documents = self.documents
        if isinstance(documents, Lines):
            return documents.texts
        return {doc_id: entry.to_json() for doc_id, entry in documents.items()}

    def to_json(self) -> str:
        """Return the canonical text: keys sorted, one line a document."""
        lines = [f"{_dump(doc_id)}:{text}" for doc_id, text in sorted(self.texts.items())]
        return f'{{"documents":{{\n{",\n".join(lines)}\n}},"format":{FORMAT}}}\n'

    @classmethod
    def from_json(cls, text: str) -> "Ledger":
        """Return the ledger of a text. Raises ValueError naming the field it could not read."""
        value = json.loads(text)
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise ValueError("format")
        documents = value.get("documents")
        if not isinstance(documents, dict):
            raise ValueError("documents")
        return cls(Lines({doc_id: _entry(doc_id, one).to_json() for doc_id, one in documents.items()}))


def slug(text: str) -> str:
    """Return the fragment GitHub gives a heading: lower case, letters, marks, digits, `_` and `-`, blanks as
    hyphens.
    """
    lowered = text.strip().lower()
    if lowered.isascii():
        kept = _ASCII_DROPPED.sub("", lowered)
    else:
        kept = "".join(char for char in lowered if char in "-_ " or _is_word(char))
    return kept.replace(" ", "-")


def unique_slug(text: str, taken: dict[str, int]) -> str:
    """Return the slug of a heading, with -1, -2 … when an earlier heading of the page has it; "" when nothing
    is left of it. `taken` counts, for each slug in use, the headings that asked for it.
    """
    plain = slug(text)
    if not plain:
        return ""
    candidate = plain
    while candidate in taken:
        taken[plain] += 1
        candidate = f"{plain}-{taken[plain]}"
    taken[candidate] = 0
    return candidate


def names(passages: Iterable[tuple[str, str]]) -> list[str]:
    """Return one anchor for each (heading, own text) of a page, in order.

    An anchor is the slug of the heading, at most 40 characters, or `p`, then six base32 characters of the
    SHA-256 of the text without its headings; the second passage of equal text under equal headings gets `-2`.
    """
    found: dict[str, int] = defaultdict(int)
    anchors: list[str] = []
    for heading, text in passages:
        stem = slug(heading)[:SLUG_LENGTH].strip("-") or "p"
        anchor = f"{stem}-{_digest(text)}"
        found[anchor] += 1
        anchors.append(anchor if found[anchor] == 1 else f"{anchor}-{found[anchor]}")
    return anchors


def reconcile(before: Entry, anchors: Sequence[str]) -> Entry:
    """Return the entry of a page that now has `anchors`, every earlier anchor leading to its text or
    successor.

    An anchor leads to the passage that is named by it; else to one of the text it was made of, under whatever
    heading; else to the successor of its passage: the one that stands in its gap, between the same surviving
    neighbours. What has no successor is retired; text that comes back revives its anchors.
    """
    current = frozenset(anchors)
    homes: dict[str, int] = {}
    for place, anchor in enumerate(anchors):
        homes.setdefault(_hash(anchor), place)
    aliases: list[set[str]] = [set() for _ in anchors]
    retired: set[str] = set()
    successors = _successors([passage[0] for passage in before.passages], anchors)
    known = [*zip(before.passages, successors, strict=True), (before.retired, None)]
    for names_of_passage, successor in known:
        for name in names_of_passage:
            same = successor is not None and _hash(anchors[successor]) == _hash(name)
            home = successor if same else homes.get(_hash(name), successor)
            if home is None:
                retired.add(name)
            elif name not in current:
                aliases[home].add(name)
    return Entry(
        tuple((anchor, *sorted(aliases[place])) for place, anchor in enumerate(anchors)),
        tuple(sorted(retired)),
    )


def load(path: Path) -> tuple[Ledger, list[Problem]]:
    """Return the ledger at `path`, an empty one when there is none or it cannot be read."""
    try:
        return Ledger.from_json(path.read_bytes().decode("utf-8")), []
    except FileNotFoundError:
        return Ledger(), []
    except OSError as error:
        what = error.strerror or "unknown"
    except (ValueError, RecursionError) as error:
        what = str(error)
    hint = "restore the file; deleting it breaks links to earlier anchors"
    return Ledger(), [
        Problem(path.name, 1, 1, "E603", f"The anchor ledger is not readable: {shown(what)}.", hint)
    ]


def save(ledger: Ledger, path: Path) -> list[Problem]:
    """Write the ledger when it changed; a folder that cannot be written gives a warning."""
    text = ledger.to_json().encode()
    aside = path.with_name(f".{path.name}.new")
    try:
        if path.is_file() and path.read_bytes() == text:
            return []
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(text)
        aside.replace(path)
    except OSError as error:
        what = error.strerror or "unknown"
        message = f"The anchor ledger cannot be written: {shown(what)}."
        hint = "later edits will break links to the anchors of this build"
        return [Problem(path.name, 1, 1, "W602", message, hint)]
    return []


def _digest(text: str) -> str:
    """Return the first six characters of the lower-case base32 (RFC 4648) of the text's SHA-256."""
    bits = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 2
    return "".join(_BASE32[bits >> shift & 31] for shift in (25, 20, 15, 10, 5, 0))


def _successors(before: Sequence[str], anchors: Sequence[str]) -> list[int | None]:
    places = {anchor: place for place, anchor in enumerate(anchors)}
    found: list[int | None] = [places.get(anchor) for anchor in before]
    _follow_texts(before, anchors, found)
    for sides in ((True, True), (True, False), (False, True)):
        _follow_gaps(found, len(anchors), sides)
    return found


def _follow_texts(before: Sequence[str], anchors: Sequence[str], found: list[int | None]) -> None:
    """Pair passages without partner that have the same text under another heading, in order."""
    taken = frozenset(found)
    free: dict[str, list[int]] = defaultdict(list)
    for place, anchor in enumerate(anchors):
        if place not in taken:
            free[_hash(anchor)].append(place)
    for old, anchor in enumerate(before):
        if found[old] is None and free[_hash(anchor)]:
            found[old] = free[_hash(anchor)].pop(0)


def _follow_gaps(found: list[int | None], length: int, sides: tuple[bool, bool]) -> None:
    """Pair old and new runs without partner whose left and right neighbours (as `sides` asks) are the same
    passages.
    """
    taken = {place for place in found if place is not None}
    gaps: dict[tuple[int | None, int | None], list[int]] = {}
    for run in _runs([place in taken for place in range(length)]):
        gaps.setdefault(_edges(run[0] - 1, run[-1] + 1, sides), run)
    for run in _runs([place is not None for place in found]):
        left = found[run[0] - 1] if run[0] else -1
        right = found[run[-1] + 1] if run[-1] + 1 < len(found) else length
        new = gaps.pop(_edges(left, right, sides), None)
        if new is not None:
            for number, old in enumerate(run):
                found[old] = new[min(number, len(new) - 1)]


def _edges(left: int | None, right: int | None, sides: tuple[bool, bool]) -> tuple[int | None, int | None]:
    return left if sides[0] else None, right if sides[1] else None


def _runs(done: Sequence[bool]) -> Iterator[list[int]]:
    """Yield the runs of consecutive positions that are not done."""
    run: list[int] = []
    for place, is_done in enumerate(done):
        if is_done and run:
            yield run
            run = []
        elif not is_done:
            run.append(place)
    if run:
        yield run


def _hash(anchor: str) -> str:
    match = _NAMED.fullmatch(anchor)
    return match["hash"] if match else anchor


def _is_word(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] in "LM" or category in ("Nd", "Pc")


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _entry(doc_id: str, value: object) -> Entry:
    if isinstance(value, dict):
        passages, retired = value.get("passages"), value.get("retired")
        if (
            _anchors(retired)
            and isinstance(passages, list)
            and all(_anchors(one) and one for one in passages)
        ):
            known = [anchor for one in passages for anchor in one]
            if len(known) == len(set(known)):
                return Entry(tuple(tuple(one) for one in passages), tuple(retired))
    raise ValueError(f"documents.{doc_id}")


def _anchors(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) and _NAMED.fullmatch(item) for item in value)
