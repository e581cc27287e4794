"""Files of a corpus: found in a fixed order, opened without following a link out, read up to a limit.

Nothing here looks into a document. Hidden files, README.md and the project's own files are passed over in
silence; other files that are no documents are named in one warning a kind.
"""

import errno
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from builder.problems import Problem, shown
from builder.project import (
    FILE_NAME,
    GLOSSARY_NAME,
    LEDGER_NAME,
    PROBES_NAME,
    QUESTIONS_NAME,
    TRANSLATIONS_NAME,
)

MAX_BYTES = 1_000_000
MAX_DEPTH = 32
IMAGES = (".png", ".jpg", ".jpeg", ".svg", ".webp")
_OWN = frozenset({FILE_NAME, LEDGER_NAME, PROBES_NAME, QUESTIONS_NAME, TRANSLATIONS_NAME, "readme.md"})


@dataclass(frozen=True, slots=True)
class Found:
    """A document file: `path` relative to the corpus with slashes, in normal form C; `location` on this
    machine.
    """

    path: str
    location: Path


def find(folder: Path, exclude: tuple[str, ...]) -> tuple[list[Found], list[Problem]]:
    """Return the document files below `folder`, sorted by path, and what stands between them that cannot be
    one.
    """
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        problem = Problem(
            str(folder), 1, 1, "E101", "The corpus folder cannot be read.", "name a folder that exists"
        )
        return [], [problem]
    excluded = [_pattern(glob) for glob in exclude]
    found: list[Found] = []
    problems: list[Problem] = []
    skipped: dict[str, list[str]] = defaultdict(list)
    for path, entry in _walk(root, "", problems):
        if any(pattern.fullmatch(path) for pattern in excluded):
            continue
        if not path.endswith(".md"):
            if not path.lower().endswith(IMAGES):
                skipped[Path(path).suffix].append(path)
        elif unusable := _unusable(root, path, entry):
            problems.append(unusable)
        else:
            found.append(Found(path, Path(entry.path)))
    return sorted(found, key=lambda file: file.path), [*problems, *_skipped(skipped)]


def read(file: Found, limit: int = MAX_BYTES) -> tuple[bytes | None, list[Problem]]:
    """Return the bytes of a file, or None and why not."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = _opened(file.location, flags)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None, [_special(file.path)]
            if status.st_size > limit:
                message = f'The file has "{status.st_size}" bytes, more than {limit}.'
                return None, [Problem(file.path, 1, 1, "E105", message, "split the document")]
            with os.fdopen(os.dup(descriptor), "rb") as stream:
                return stream.read(limit + 1), []
        finally:
            os.close(descriptor)
    except OSError as error:
        message = f"The file cannot be read: {shown(error.strerror or 'unknown')}."
        return None, [Problem(file.path, 1, 1, "E101", message, "check its permissions")]


def _opened(location: Path, flags: int) -> int:
    """Open a file, or what a link leads to."""
    try:
        return os.open(location, flags)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EMLINK):
            raise
    return os.open(os.path.realpath(location), flags)


def _walk(folder: Path, prefix: str, problems: list[Problem]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    if prefix.count("/") > MAX_DEPTH:
        message = f"Folders stand deeper than {MAX_DEPTH} in one another."
        problems.append(Problem(prefix.rstrip("/"), 1, 1, "E101", message, "move the folder up"))
        return
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        message = f"The folder cannot be read: {shown(error.strerror or 'unknown')}."
        problems.append(Problem(prefix or ".", 1, 1, "E101", message, "check its permissions"))
        return
    for entry in listed:
        if entry.name.startswith(".") or entry.name.lower() in _OWN or GLOSSARY_NAME.fullmatch(entry.name):
            continue
        path = normalize("NFC", prefix + entry.name.encode("utf-8", "backslashreplace").decode())
        if entry.is_dir(follow_symlinks=False):
            if path.endswith(".md"):
                message = f"The folder {shown(entry.name)} has the name of a document."
                problems.append(Problem(path, 1, 1, "E102", message, "rename it"))
            else:
                yield from _walk(Path(entry.path), f"{path}/", problems)
        elif entry.is_symlink() and Path(entry.path).is_dir():
            message = f"The folder {shown(entry.name)} is a link and is not read."
            problems.append(Problem(path, 1, 1, "W114", message, "copy the folder"))
        else:
            yield path, entry


def _unusable(root: Path, path: str, entry: os.DirEntry[str]) -> Problem | None:
    if entry.is_symlink():
        target = Path(os.path.realpath(entry.path))
        if not target.is_relative_to(root):
            hint = "copy the file into the corpus"
            return Problem(path, 1, 1, "E103", "The link leads out of the corpus.", hint)
        if not target.exists():
            return Problem(path, 1, 1, "E101", "The link leads to no file.", "delete the link")
    return None if entry.is_file() else _special(path)


def _special(path: str) -> Problem:
    return Problem(path, 1, 1, "E104", "This is not a regular file.", "replace it by a text file")


def _skipped(skipped: Mapping[str, list[str]]) -> Iterator[Problem]:
    for suffix, paths in sorted(skipped.items()):
        first = min(paths)
        kind = f'Files "{suffix}"' if suffix else "Files without a suffix"
        hint = "name a document <name>.md" if suffix.lower() in (".md", ".markdown") else "nothing to do"
        message = f"{kind} are not documents; files: {len(paths)}, this is the first."
        yield Problem(first, 1, 1, "W112", message, hint)


def _pattern(glob: str) -> re.Pattern[str]:
    """Return the pattern of a glob in which `**/` stands for any folders and `*` stays inside one."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(wild.get(part, re.escape(part)) for part in parts))
