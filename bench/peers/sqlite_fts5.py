"""Peer: SQLite FTS5 with the tokenizer named on the command line, ranked by its own bm25().

unicode61 is asked for any word of the question, trigram for any three characters that follow each other.
"""

import re
import sqlite3
import sys
from collections.abc import Sequence

from tasks import Search, answer

TOKENIZER = sys.argv[1]
FIND = "SELECT rowid, -bm25(text) AS score FROM text WHERE text MATCH ? ORDER BY score DESC, rowid LIMIT ?"


def parts(question: str) -> list[str]:
    if TOKENIZER == "trigram":
        lowered = question.lower().replace('"', " ")
        return [lowered[place : place + 3] for place in range(len(lowered) - 2)]
    return re.findall(r"\w+", question)


def index(_: str, passages: Sequence[str]) -> Search:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE text USING fts5(passage, tokenize='{TOKENIZER}')")
    database.executemany("INSERT INTO text(rowid, passage) VALUES (?, ?)", enumerate(passages))

    def search(question: str, depth: int) -> list[tuple[int, float]]:
        wanted = " OR ".join(f'"{part}"' for part in dict.fromkeys(parts(question)))
        return database.execute(FIND, (wanted, depth)).fetchall() if wanted else []

    return search


answer(index)
