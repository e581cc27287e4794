"""What stands out in a quotation: exact spans of the words that match, and the sentence with most of them."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from builder import build_index
from builder.calibrate import settled, with_lexicons
from builder.project import load_project
from cairn_core.bridge import Session, open_session
from cairn_core.emphasis import emphasis
from cairn_core.passage import DocumentRef, Passage
from cairn_core.retrieve import retrieve
from tests.core.small import index_of
from tests.probes import IN_CORPUS

CASES = [
    # language, text, layout, question, what is marked, the sentence
    (
        "en",
        "The office opens at nine o'clock. A cracked meter is replaced without charge.",
        "p",
        "Is the cracked meter replaced?",
        ["cracked meter", "replaced"],
        "A cracked meter is replaced without charge.",
    ),
    (
        "es",
        "La oficina abre a las nueve de la mañana. El contador roto se sustituye gratis.",
        "p",
        "¿Se sustituye un contador roto?",
        ["contador roto", "sustituye"],
        "El contador roto se sustituye gratis.",
    ),
    (
        "ar",
        "يفتح المكتب أبوابه في الساعة التاسعة صباحًا. يُستبدل العداد المكسور مجانًا في أسبوعين.",
        "p",
        "هل يستبدل العداد المكسور؟",
        ["يُستبدل العداد المكسور"],
        "يُستبدل العداد المكسور مجانًا في أسبوعين.",
    ),
    (
        "zh",
        "我们的办公室每天早上九点开门，请您务必带上身份证件和所有的账单再来办理。水表坏了可以免费更换，请在两个星期之内打电话通知我们的工作人员。",
        "p",
        "水表坏了怎么更换",
        ["水表坏了", "更换"],
        "水表坏了可以免费更换，请在两个星期之内打电话通知我们的工作人员。",
    ),
    (
        "en",
        "Fees\nThing\tFee\nColour page\t$0.40\nGrey page\t$0.10",
        "htrr",
        "What does a colour page cost?",
        ["Colour page", "page"],
        "Colour page\t$0.40",
    ),
    (
        "en",
        "Bring to the hall desk:\nyour hall key\na photograph",
        "pll",
        "Do I bring the hall key?",
        ["Bring", "hall", "hall key"],
        "your hall key",
    ),
    ("en", "One sentence about the bridge and no other.", "p", "the bridge", ["bridge"], None),
]


def passage_of(lang: str, text: str, layout: str) -> Passage:
    document = DocumentRef(f"it-{lang}", "Itself", lang, "it", f"{lang}/it.html")
    return Passage(document, 1, "p1", "", text, layout)


@pytest.mark.parametrize(("lang", "text", "layout", "question", "marked", "sentence"), CASES)
def test_matched_words_and_the_sentence_that_has_most_of_them_are_spans_of_the_text(
    lang: str, text: str, layout: str, question: str, marked: list[str], sentence: str | None
) -> None:
    trace = retrieve(question, index_of([passage_of(lang, text, layout)]), threshold=0.01, candidates=3)
    found = emphasis(trace.candidates[0], trace)
    assert [text[start:end] for start, end in found.matched] == marked
    assert (found.sentence and text[slice(*found.sentence)]) == sentence


def demo_session(demo_corpus: Path) -> Session:
    project = load_project(demo_corpus)
    index = with_lexicons(build_index(demo_corpus), project)
    config, languages = settled(index, project).config, list(index.language_codes)
    site = {"format": 1, "build": "", "config": config.to_json(), "languages": languages}
    return open_session(json.dumps(site), [index.shards[lang].to_json() for lang in languages])


def test_the_fact_of_every_probe_stands_in_the_sentence_that_is_emphasised(demo_corpus: Path) -> None:
    session, told = demo_session(demo_corpus), 0
    for question, _, fact in IN_CORPUS:
        found = json.loads(session.ask(json.dumps({"question": question, "lang": None, "interface": None})))
        text, marks = found["answer"]["sources"][0]["text"], found["marks"][0]
        spans = [tuple(span) for span in marks["matched"]]
        assert spans
        assert spans == sorted(spans)
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        if marks["sentence"]:
            told += 1
            assert fact in text[slice(*marks["sentence"])], question
    assert told >= 10
