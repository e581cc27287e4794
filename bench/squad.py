"""Sets of questions in SQuAD format, read as documents of passages and questions that name their passage."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cairn_core.index import DocumentRef, Passage


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the place of the passage that answers it, and the number of that passage's document."""

    text: str
    gold: int
    document: int


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Passages of one language by place, the number of each one's document, and the questions to them."""

    lang: str
    passages: tuple[Passage, ...]
    documents: tuple[int, ...]
    questions: tuple[Question, ...]


def read(path: Path, lang: str) -> QuestionSet:
    """Read one file. Paragraphs of equal text are one passage; impossible questions are left out.

    Raises ValueError for a file of another format.
    """
    plain = json.loads(path.read_text(encoding="utf-8"))
    try:
        return _question_set(plain["data"], lang)
    except (KeyError, TypeError) as error:
        raise ValueError(f'"{path}" is not in SQuAD format') from error


def _question_set(articles: Sequence[Mapping[str, list[dict[str, object]]]], lang: str) -> QuestionSet:
    places: dict[str, int] = {}
    passages: list[Passage] = []
    documents: list[int] = []
    questions: list[Question] = []
    for number, article in enumerate(articles):
        reference = DocumentRef(f"article-{number:05}", ".", lang, f"article-{number}", f"{number}.html")
        ordinal = 0
        for paragraph in article["paragraphs"]:
            text = str(paragraph["context"]).strip()
            if text not in places:
                ordinal += 1
                places[text] = len(passages)
                layout = "p" * (text.count("\n") + 1)
                passages.append(Passage(reference, ordinal, "", "", text, layout))
                documents.append(number)
            gold = places[text]
            questions += [Question(asked, gold, documents[gold]) for asked in _asked(paragraph["qas"])]
    return QuestionSet(lang, tuple(passages), tuple(documents), tuple(questions))


def _asked(entries: object) -> Iterator[str]:
    if not isinstance(entries, list):
        raise TypeError("qas")
    for entry in entries:
        if not entry.get("is_impossible"):
            yield str(entry["question"])
