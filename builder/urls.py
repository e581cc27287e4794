"""Where each page of a site lives: portable, relative URLs with explicit file names.

A name holds only `[a-z0-9-]`, so that every file system and every server keeps it as it is.
"""

import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping

NAME_LENGTH = 64
RESERVED = frozenset(
    ["index", "contents", "topics", "con", "prn", "aux", "nul"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in range(10)]
)
"""Names of a language's own pages, and the device names Windows keeps for itself."""


def folder(lang: str) -> str:
    """Return the folder of a language's pages."""
    return _portable(lang)


def ask_url(lang: str) -> str:
    """Return the URL of the page where questions in `lang` are asked."""
    return f"{folder(lang)}/index.html"


def contents_url(lang: str) -> str:
    """Return the URL of the list of every document of `lang`."""
    return f"{folder(lang)}/contents.html"


def topics_url(lang: str) -> str:
    """Return the URL of the documents of `lang` by topic."""
    return f"{folder(lang)}/topics.html"


def document_urls(families: Iterable[tuple[str, str, str]]) -> Mapping[str, str]:
    """Return document id -> URL for `(doc_id, family, lang)` triples.

    A family keeps one name in every language. A name that is empty, reserved, cut or already taken by another family gets
    a short hash of the family, never a counter: another document coming or going moves no URL.
    """
    names: dict[str, str] = {}
    owners: dict[str, str] = {}
    triples = sorted(families)
    for family in sorted({family for _, family, _ in triples}):
        name = _portable(family)
        if name in RESERVED or name in owners or not _faithful(name, family):
            digest = hashlib.sha256(family.encode()).hexdigest()[:8]
            name = f"{name[: NAME_LENGTH - 9]}-{digest}".strip("-")
        owners[name] = names[family] = name
    return {doc_id: f"{folder(lang)}/{names[family]}.html" for doc_id, family, lang in triples}


def relative(target: str, page: str) -> str:
    """Return `target` (a URL from the site's root, fragment allowed) as seen from `page`."""
    path, mark, fragment = target.partition("#")
    if path == page and mark:
        return f"#{fragment}"
    return posixpath.relpath(path, posixpath.dirname(page) or ".") + mark + fragment


def root(page: str) -> str:
    """Return the way from `page` to the site's root: "" or "../" as often as needed."""
    return "../" * page.count("/")


def _portable(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _faithful(name: str, family: str) -> bool:
    letters = sum(1 for char in unicodedata.normalize("NFKD", family) if char.isalnum())
    return bool(name) and len(name) <= NAME_LENGTH and len(name.replace("-", "")) >= letters
