"""A large corpus made from the sentences of a question set, to measure sizes that no real one has.

Sentences are drawn at random, always the same; each document has a name of its own, made of parts of words,
so that the vocabulary grows with the corpus as in real ones. The set's licence holds for what is made of it.
"""

import random
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from bench import speed, squad
from bench.squad import QuestionSet
from cairn_core.index import Passage

SETTINGS = '[retrieval]\nscorer = "{scorer}"\n[language]\ndefault = "{lang}"\n'
_MARKS = re.compile(r"([!-/:-@\[-`{-~])")  # ASCII punctuation, any of which Markdown may read as a mark
_A_FOLDER = 500
"""Documents of a folder."""


def main(arguments: list[str]) -> int:
    """Write a corpus; 1 when the set cannot be read or the folder not be written."""
    options = _options(arguments)
    try:
        one = squad.read(options.squad, options.lang)
        settings = SETTINGS.format(scorer=options.scorer, lang=one.lang)
        write(named(one, options.passages), settings, options.folder)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def named(one: QuestionSet, size: int) -> Iterator[Passage]:
    """Yield passages as `speed.recombined` makes them, each document under a name that it begins with."""
    drawn = random.Random(size)  # noqa: S311  # names for measuring, no secrets
    pool = sorted({word for passage in one.passages for word in re.findall(r"[^\W\d_]{6,}", passage.text)})
    for _, passages in groupby(speed.recombined(one, size), key=lambda passage: passage.doc_id):
        first, second = drawn.choice(pool), drawn.choice(pool)
        name = f"{first[: len(first) // 2]}{second[len(second) // 2 :]}".capitalize()
        for passage in passages:
            document = replace(passage.document, title=name)
            yield replace(passage, document=document, text=f"{name}. {passage.text}")


def write(passages: Iterator[Passage] | Sequence[Passage], settings: str, folder: Path) -> None:
    """Write a corpus that the builder reads, in a new folder."""
    folder.mkdir(parents=True)
    (folder / "cairn.toml").write_text(settings, encoding="utf-8")
    for number, (doc_id, own) in enumerate(groupby(passages, key=lambda passage: passage.doc_id)):
        together = list(own)
        body = "\n\n".join(_MARKS.sub(r"\\\1", passage.text) for passage in together)
        title = together[0].title if together[0].title != "." else doc_id
        text = f"---\nid: {doc_id}\ntitle: {title}\nsynthetic: true\n---\n\n{body}\n"
        place = folder / f"{number // _A_FOLDER:03}"
        place.mkdir(exist_ok=True)
        (place / f"{doc_id}.{together[0].lang}.md").write_text(text, encoding="utf-8")


def _options(arguments: list[str]) -> Namespace:
    parser = ArgumentParser("python -m bench corpus", description="Make a large corpus from a question set.")
    parser.add_argument("folder", type=Path, help="where to write it; must not exist")
    parser.add_argument("--squad", type=Path, required=True, help="a file in SQuAD format")
    parser.add_argument("--lang", default="en", help="its language (default: en)")
    parser.add_argument("--passages", type=int, default=100_000, help="how many (default: 100000)")
    parser.add_argument("--scorer", default="evidence", choices=("contract", "evidence"))
    return parser.parse_args(arguments)
