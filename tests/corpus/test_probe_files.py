"""The off-topic questions that come with the builder: what a probe file may hold, and that its questions are
neither asked twice nor known to the corpora of the project."""

import re
import unicodedata
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from cairn_core.text import terms, words
from tests.probes import OFF_TOPIC

ROOT = Path(__file__).parents[2]
PROBES = ROOT / "builder" / "probes"
LANGUAGES = ("ar", "en", "es", "fr", "ru", "vi", "zh")
GROUPS = (
    "licences and permits",
    "voting",
    "taxes",
    "pets",
    "libraries",
    "courts and police",
    "schools",
    "transport",
    "weather and environment",
    "health insurance",
    "passports and visas",
    "work and pensions",
    "births, marriages and deaths",
    "parks and sport",
    "businesses",
    "waste",
    "utilities",
    "general knowledge",
    "small talk",
)
LEAST, LEAST_IN_GROUP = 199, 9
NEAR = 0.7
"""Jaccard similarity of the words of two questions that counts as asking the same."""

SCRIPTS = {"ar": "ARABIC", "ru": "CYRILLIC", "zh": "CJK"}
OWN_NAMES = {
    "demo": r"gopass|go pass|harbor county|condado de harbor|هاربر|555-",
    "showcase": r"tidewell|تايدويل|泰德韦尔|driftread|warm homes|hogares cálidos",
}


def lines(lang: str) -> list[str]:
    return (PROBES / f"{lang}.txt").read_text(encoding="utf-8").splitlines()


@cache
def groups(lang: str) -> dict[str, list[str]]:
    """Group -> its questions, in the order of the file."""
    found: dict[str, list[str]] = {}
    questions: list[str] = []
    for line in lines(lang):
        if line.startswith("#"):
            questions = found.setdefault(line.removeprefix("#").strip(), [])
        elif line:
            questions.append(line)
    return {name: asked for name, asked in found.items() if asked}


def questions(lang: str) -> list[str]:
    return [question for asked in groups(lang).values() for question in asked]


def units(question: str, lang: str) -> list[str]:
    """What the length of a question is counted in: words, and pairs of characters where none are written."""
    return terms(question) if lang == "zh" else words(question)


def overlap(one: str, other: str, lang: str) -> float:
    left, right = set(units(one, lang)), set(units(other, lang))
    return len(left & right) / len(left | right)


def alphabet(lang: str, char: str) -> bool:
    name = unicodedata.name(char, "")
    return name.startswith(SCRIPTS.get(lang, "LATIN"))


def titles(corpus: str) -> set[str]:
    found = set()
    for path in (ROOT / "corpus" / corpus).glob("*.md"):
        title = re.search(r"^title: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert title
        found.add(title.group(1).casefold())
    return found


def test_there_is_one_probe_file_for_each_language() -> None:
    assert sorted(path.name for path in PROBES.iterdir()) == sorted(f"{lang}.txt" for lang in LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_probe_file_has_every_group_in_the_same_order_and_enough_questions(lang: str) -> None:
    assert tuple(groups(lang)) == GROUPS
    assert min(len(asked) for asked in groups(lang).values()) >= LEAST_IN_GROUP
    assert len(questions(lang)) >= LEAST


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_probe_is_one_plain_line_of_composed_text(lang: str) -> None:
    text = (PROBES / f"{lang}.txt").read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert unicodedata.normalize("NFC", text) == text
    assert {unicodedata.category(char) for char in text} & {"Cc", "Cf", "Co", "Cn"} == {"Cc"}
    assert set(re.findall(r"[^\S ]", text)) <= {"\n", "\N{NO-BREAK SPACE}"}
    assert [line for line in lines(lang) if line != " ".join(line.split(" ")).strip()] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_probe_has_three_to_twenty_words(lang: str) -> None:
    assert [asked for asked in questions(lang) if not 3 <= len(units(asked, lang)) <= 20] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_probe_is_written_in_the_script_of_its_language(lang: str) -> None:
    for asked in questions(lang):
        letters = [char for char in asked if char.isalpha()]
        assert sum(alphabet(lang, char) for char in letters) >= 0.6 * len(letters), asked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_probes_of_a_language_ask_nearly_the_same(lang: str) -> None:
    pairs = combinations(questions(lang), 2)
    assert [pair for pair in pairs if overlap(*pair, lang) >= NEAR] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_probe_is_none_of_the_questions_that_tests_keep_back(lang: str) -> None:
    pairs = ((asked, kept) for asked in questions(lang) for kept in OFF_TOPIC)
    assert [pair for pair in pairs if overlap(*pair, lang) >= NEAR] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("corpus", OWN_NAMES)
def test_no_probe_names_what_a_corpus_of_the_project_is_about(lang: str, corpus: str) -> None:
    text = "\n".join(questions(lang)).casefold()
    assert re.search(OWN_NAMES[corpus], text) is None
    assert [title for title in titles(corpus) if title in text] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_some_probes_are_written_as_people_type(lang: str) -> None:
    unmarked = [asked for asked in questions(lang) if asked[-1] not in "?؟？.。"]
    assert 0.1 <= len(unmarked) / len(questions(lang)) <= 0.5
