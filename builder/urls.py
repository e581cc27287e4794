"""Where each page of a site lives: portable, relative URLs with explicit file names.

A name holds only `[a-z0-9-]`, so that every file system and every server keeps it as it is.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping

NAME_LENGTH = 64 - len(".html")
"""So that a file's whole name has at most 64 characters."""

RESERVED = frozenset(
    ["index", "contents", "topics", "verify", "con", "prn", "aux", "nul"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in range(10)]
)
"""Names of a language's own pages, and the device names Windows keeps for itself."""


def folder(lang: str) -> str:
    """Return the folder of a language's pages."""
    return portable(lang)


def ask_url(lang: str) -> str:
    """Return the URL of the page where questions in `lang` are asked."""
    return f"{folder(lang)}/index.html"


def contents_url(lang: str) -> str:
    """Return the URL of the list of every document of `lang`."""
    return f"{folder(lang)}/contents.html"


def topics_url(lang: str) -> str:
    """Return the URL of the documents of `lang` by topic."""
    return f"{folder(lang)}/topics.html"


def verify_url(lang: str) -> str:
    """Return the URL of the page on which a copy is checked."""
    return f"{folder(lang)}/verify.html"


def document_urls(families: Iterable[tuple[str, str, str]]) -> Mapping[str, str]:
    """Return document id -> URL for `(doc_id, family, lang)` triples.

    A family keeps one name in every language. A name that is empty, reserved, shortened or already taken
    gets a short hash of the family, never a counter; families that are portable names already keep theirs.
    """
    triples = sorted(families)
    names: dict[str, str] = {}
    taken = set(RESERVED)
    for family in sorted(
        {family for _, family, _ in triples}, key=lambda name: (portable(name) != name, name)
    ):
        name = portable(family)
        if name in taken or not _faithful(name, family):
            name = f"{name[: NAME_LENGTH - 9]}-{_digest(family)}".strip("-")
        names[family] = name
        taken.add(name)
    return {doc_id: f"{folder(lang)}/{names[family]}.html" for doc_id, family, lang in triples}


def relative(target: str, page: str) -> str:
    """Return `target` (a URL from the site's root, fragment allowed) as seen from `page`."""
    path, mark, fragment = target.partition("#")
    folder = page[: page.rfind("/") + 1]
    if path == page and mark:
        return mark + fragment
    if folder and path.startswith(folder):
        return target.removeprefix(folder)
    return root(page) + target


def root(page: str) -> str:
    """Return the way from `page` to the site's root: "" or "../" as often as needed."""
    return "../" * page.count("/")


def topic_fragment(topic: str) -> str:
    """Return the id under which a topic stands on its language's topics page."""
    return f"topic-{_digest(topic)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def portable(name: str) -> str:
    """Return the Latin letters and digits of a name, small, with a hyphen for everything between them."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _faithful(name: str, family: str) -> bool:
    letters = sum(1 for char in unicodedata.normalize("NFKD", family) if char.isalnum())
    return bool(name) and len(name) <= NAME_LENGTH and len(name.replace("-", "")) >= letters
