"""Peer: bm25s with the Snowball stemmer of the language, and its own stop words in English."""

from collections.abc import Iterator, Sequence

import bm25s
import numpy
import Stemmer
from tasks import Search, answer

SNOWBALL = {
    "ar": "arabic",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "hi": "hindi",
    "no": "norwegian",
    "ro": "romanian",
    "ru": "russian",
    "tr": "turkish",
}


def index(lang: str, passages: Sequence[str]) -> Search:
    stemmer = Stemmer.Stemmer(SNOWBALL[lang]) if lang in SNOWBALL else None
    stop = "en" if lang == "en" else []

    def tokens(texts: list[str]) -> list[list[str]]:
        return bm25s.tokenize(texts, stopwords=stop, stemmer=stemmer, return_ids=False, show_progress=False)

    retriever = bm25s.BM25()
    retriever.index(tokens(list(passages)), show_progress=False)

    def search(question: str, depth: int) -> Iterator[tuple[int, float]]:
        asked = [token for token in tokens([question])[0] if token in retriever.vocab_dict]
        if asked:
            scores = retriever.get_scores(asked)
            for position in numpy.argsort(-scores, kind="stable")[:depth]:
                if scores[position] > 0:
                    yield int(position), scores[position]

    return search


answer(index)
