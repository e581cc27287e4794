"""What residents say, as data: the glossaries, the colloquial questions, and the one-sentence documents that
try the cutting of text into words."""

import json
import re
import tomllib
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from builder import build_index
from cairn_core.text import words

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
GLOSSARIES = sorted((DATA / "glossary").glob("*/glossary.*.toml"))
FOUND = {
    "English": 7,
    "accents and compounds": 15,
    "Arabic and Persian": 9,
    "Hebrew": 2,
    "Chinese, Japanese, Korean": 7,
    "Thai and Khmer": 2,
    "Hindi": 2,
    "English questions": 6,
}
SILENT = {"en": 6, "es": 1, "zh": 1}
SCRIPTS = {"LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "CJK", "HIRAGANA", "KATAKANA", "HANGUL"}
SCRIPTS |= {"THAI", "KHMER", "DEVANAGARI"}


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def folded(text: str) -> str:
    return f" {' '.join(words(text))} "


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.name.split('.')[1]}"


def held(corpus: str, lang: str) -> str:
    """The words of one language of a corpus, headings and titles included."""
    found = []
    for passage in build_index(ROOT / "corpus" / corpus).passages:
        if passage.document.lang == lang:
            found += [passage.document.title, passage.section, passage.text]
    return folded("\n".join(found))


def test_the_tokenising_file_has_its_groups_scripts_and_languages() -> None:
    data = rows("tokenising.jsonl")
    assert Counter(row["group"] for row in data if row["expect"] == "found") == FOUND
    assert Counter(row["lang"] for row in data if row["expect"] == "silent") == SILENT
    assert len({row["lang"] for row in data}) == 18
    letters = {char for row in data for char in row["document"] or "" if char.isalpha()}
    assert {unicodedata.name(char).split()[0] for char in letters} >= SCRIPTS


def test_a_tokenising_row_says_why_and_names_a_document_exactly_when_it_has_to_be_found() -> None:
    for row in rows("tokenising.jsonl"):
        assert list(row) == ["lang", "group", "document", "query", "expect", "why"]
        assert row["query"]
        assert row["why"]
        assert (row["expect"] == "found") == bool(row["document"]), row


def test_no_two_tokenising_documents_share_two_long_words_with_one_question() -> None:
    documents = {(row["lang"], row["document"]) for row in rows("tokenising.jsonl") if row["document"]}
    for row in rows("tokenising.jsonl"):
        asked = {word[:5] for word in words(row["query"]) if len(word) > 4}
        sharing = [
            text
            for lang, text in documents
            if lang == row["lang"]
            and text != row["document"]
            and len(asked & {word[:5] for word in words(text)}) > 1
        ]
        assert sharing == [], row["query"]


@pytest.mark.parametrize("path", GLOSSARIES, ids=named)
def test_every_word_a_glossary_leads_to_is_in_the_documents(path: Path) -> None:
    corpus, lang = named(path).split("-")
    text = held(corpus, lang)
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    leads = {word for targets in entries.values() for target in targets for word in words(target)}
    spaced = set(text.split())
    assert [word for word in sorted(leads) if word not in (text if lang == "zh" else spaced)] == []


@pytest.mark.parametrize("path", GLOSSARIES, ids=named)
def test_a_glossary_leads_from_a_phrase_to_other_words(path: Path) -> None:
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    assert [
        said for said in entries if said != said.casefold() or said != unicodedata.normalize("NFC", said)
    ] == []
    assert [said for said, found in entries.items() if not found or said in found] == []


def test_each_colloquial_question_has_one_passage_of_its_language() -> None:
    passages = {p.passage_id: p.document.lang for p in build_index(ROOT / "corpus" / "demo").passages}
    data = rows("colloquial.jsonl")
    assert [row for row in data if passages.get(row["passage"]) != row["lang"]] == []
    assert Counter(row["lang"] for row in data) == {"en": 10, "es": 4, "ar": 4}


def test_each_colloquial_question_says_something_its_passage_does_not() -> None:
    passages = {p.passage_id: folded(p.text) for p in build_index(ROOT / "corpus" / "demo").passages}
    for row in rows("colloquial.jsonl"):
        said = [word for word in words(row["question"]) if len(re.sub(r"\W", "", word)) > 3]
        assert any(f" {word} " not in passages[row["passage"]] for word in said), row["question"]
