"""A corpus of any number of pages in three languages, to measure builds at sizes that no corpus at hand has.

Sentences are those of a corpus in this repository, drawn at random, always the same; every document has
headings, paragraphs, a list, a link to another one, and a name of its own, so that the vocabulary grows with
the pages.
"""

import random
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from cairn_core.analysis import sentences

SOURCE = Path(__file__).parents[1] / "corpus" / "showcase"
LANGUAGES = ("en", "es", "ar")
SETTINGS = '[retrieval]\nscorer = "{scorer}"\n[refusal]\ncontact = "the desk, 555-0142"\n'
A_FOLDER = 600
"""Documents of a folder: a translation stands beside its source."""

_MARKUP = re.compile(r"[\[\]*_`<>|&\\#!{}]|^[-+>]|^[0-9]+[.)]", re.MULTILINE)
_TOPICS = 12


def main(arguments: list[str]) -> int:
    """Write a corpus; 1 when the folder cannot be written."""
    parser = ArgumentParser("python -m bench pages", description="Make a corpus of many pages.")
    parser.add_argument("folder", type=Path, help="where to write it; must not exist")
    parser.add_argument("--pages", type=int, default=10_000, help="how many documents (default: 10000)")
    parser.add_argument("--bytes", type=int, default=2_000, help="of each document, about (default: 2000)")
    parser.add_argument("--scorer", default="evidence", choices=("contract", "evidence"))
    options = parser.parse_args(arguments)
    try:
        write(options.folder, options.pages, options.bytes, options.scorer)
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def write(folder: Path, pages: int, size: int, scorer: str = "evidence") -> None:
    """Write a corpus that the builder reads, in a new folder."""
    folder.mkdir(parents=True)
    (folder / "cairn.toml").write_text(SETTINGS.format(scorer=scorer), encoding="utf-8")
    for number, (name, text) in enumerate(documents(pages, size)):
        place = folder / f"part-{number // A_FOLDER:04}"
        place.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")


def documents(pages: int, size: int) -> Iterator[tuple[str, str]]:
    """Yield file names and texts; three languages take turns."""
    drawn = random.Random(pages)  # noqa: S311  # text for measuring, no secrets
    pools = {lang: _sentences(lang) for lang in LANGUAGES}
    words = {lang: sorted({word for one in pool for word in _long(one)}) for lang, pool in pools.items()}
    for number in range(pages):
        lang, family = LANGUAGES[number % len(LANGUAGES)], number // len(LANGUAGES)
        first, second = drawn.choice(words[lang]), drawn.choice(words[lang])
        title = f"{first[: len(first) // 2 + 1]}{second[len(second) // 2 :]} {family}".capitalize()
        head = f"---\ntitle: {title}\ntopic: {words[lang][family % _TOPICS]}\nsynthetic: true\n---\n"
        body = _body(title, size, drawn, pools[lang])
        before = f"page-{max(0, family - 1):06}.{lang}.md"
        beside = family * len(LANGUAGES) // A_FOLDER == max(0, family - 1) * len(LANGUAGES) // A_FOLDER
        link = f"\n[{title}]({before})\n" if beside else ""
        yield f"page-{family:06}.{lang}.md", f"{head}{body}{link}"


def _body(title: str, size: int, drawn: random.Random, pool: list[str]) -> str:
    """Return sections until the next one would lead further from the size, in bytes, than it is."""
    parts: list[str] = []
    left, last = size, 0
    while left > last // 2:
        section = [f"\n## {drawn.choice(pool)[:40].strip()}\n", f"{title}: {drawn.choice(pool)}\n"]
        section += [" ".join(drawn.choices(pool, k=drawn.randint(1, 3))) + "\n" for _ in range(2)]
        section += [f"{drawn.choice(pool)}:\n", *(f"- {one}" for one in drawn.choices(pool, k=3)), ""]
        last = sum(len(part.encode()) for part in section)
        left -= last
        parts += section
    return "\n".join(parts)


def _sentences(lang: str) -> list[str]:
    """Return the sentences of the documents in a language that no Markdown is in."""
    found: dict[str, None] = {}
    for path in sorted(SOURCE.rglob(f"*.{lang}.md")):
        body = path.read_text(encoding="utf-8").split("---\n", 2)[-1]
        lines = (line for line in body.split("\n") if line and not _MARKUP.search(line))
        found |= dict.fromkeys(one for line in lines for one in sentences(line) if len(one) < 300)
    return list(found)


def _long(sentence: str) -> list[str]:
    return re.findall(r"[^\W\d_]{6,}", sentence)
