"""What is drawn of a quotation: every word of the passage and no other, in elements that fit its lines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder import build_index
from cairn_core.index import Passage
from cairn_core.language import direction, runs
from tests.browser.asking import words
from tests.browser.browsers import Tab
from tests.browser.conftest import ROOT, Place

DRAW = """(sources) => sources.map((source) => {
  const page = JSON.parse(document.getElementById("cairn-page").textContent);
  const answer = { kind: "grounded", sources: [source] };
  const response = {
    answer, lines: [source.lines], marks: [source.marks], urgent: null, notice: null, translations: [],
    disclosures: [], why: { heading: "Why", reasons: [] }, lang: "en", dir: "ltr",
  };
  const box = document.createElement("div");
  box.append(cairn.view.answer(response, page));
  const quote = box.querySelector(".quote");
  return {
    text: quote.textContent, lang: quote.lang, dir: quote.dir,
    href: box.querySelector("a").getAttribute("href"),
    marked: Array.from(quote.querySelectorAll("mark"), (node) => node.textContent),
    carries: Array.from(quote.querySelectorAll(".carries"), (node) => node.textContent),
    tags: Array.from(quote.querySelectorAll("*"), (node) => node.localName).join(" "),
  };
})"""
LINES = [
    ("h", "Opening hours", "p strong"),
    ("pp", "One.\nTwo.", "p p"),
    ("pll", "Bring:\na card\na photo", "p ul li li"),
    ("oo", "first\nsecond", "ol li li"),
    ("loo", "a\n1\n2", "ul li ol li li"),
    ("trr", "Day\tHours\nMonday\t9–17\nFriday\t", "table tr th th tr td td bdi tr td td"),
    ("cc", "make site\n  make test", "pre code code"),
    ("q", "as they say", "p"),
    ("", "no layout at all", "p"),
    ("h?", "known\nunknown", "p strong p"),
    ("p", "اتصل بـ 555-0142", "p bdi"),
    ("r", "الهاتف\t+1 555-0142", "table tr td td bdi"),
    ("p", "<b>not bold</b> &amp; \u202edrawn", "p"),
]


def source(text: str, layout: str, lang: str = "en", url: str = "en/a.html#b") -> dict[str, object]:
    return {
        "lines": [[list(runs(cell)) for cell in line.split("\t")] for line in text.split("\n")],
        "id": "a#1",
        "title": "A title",
        "lang": lang,
        "dir": direction(lang),
        "text": text,
        "layout": layout,
        "section": "A section",
        "url": url,
        "reviewed": "2026-01-09",
        "marks": {"matched": [], "sentence": None},
    }


def source_of(passage: Passage) -> dict[str, object]:
    return source(passage.text, passage.layout, passage.lang, passage.url)


@pytest.fixture(scope="module")
def tab(site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]) -> Iterator[Tab]:
    page = new_tab("chromium")
    page.goto(places(site, "file").page("en/index.html"))
    yield page
    page.close()


@pytest.mark.parametrize(("layout", "text", "tags"), LINES, ids=[layout or "none" for layout, _, _ in LINES])
def test_lines_become_the_elements_their_letters_name(layout: str, text: str, tags: str, tab: Tab) -> None:
    (drawn,) = tab.evaluate(DRAW, [source(text, layout)])
    assert drawn["tags"] == tags
    assert words(drawn["text"]) == words(text)


MARKS = [
    # layout, text, matched spans, sentence, drawn as marks, drawn as the sentence
    ("p", "One fee. Call 555-0142 now.", [(9, 13)], (9, 27), ["Call"], ["Call 555-0142 now."]),
    ("p", "One fee. Call 555-0142 now.", [(14, 22)], None, ["555-0142"], []),
    ("p", "Call 555-0142 now.", [(5, 8)], None, ["555"], []),
    ("p", "🙂🙂 رسوم المياه 555-0142", [(3, 7)], (3, 14), ["رسوم"], ["رسوم المياه"]),
    ("rr", "Day\tHours\nMonday\t9–17", [(10, 16)], (10, 21), ["Monday"], ["Monday", "9–17"]),
    ("pl", "Bring:\na card", [(9, 13)], (7, 13), ["card"], ["a card"]),
    ("h", "Fee", [(0, 3)], None, ["Fee"], []),
]


@pytest.mark.parametrize(("layout", "text", "matched", "sentence", "marked", "carries"), MARKS)
def test_what_stands_out_is_drawn_where_the_spans_are_and_changes_no_word(
    layout: str,
    text: str,
    matched: list[tuple[int, int]],
    sentence: tuple[int, int] | None,
    marked: list[str],
    carries: list[str],
    tab: Tab,
) -> None:
    marks = {"matched": matched, "sentence": sentence}
    (drawn,) = tab.evaluate(DRAW, [{**source(text, layout), "marks": marks}])
    assert drawn["marked"] == marked
    assert drawn["carries"] == carries
    assert words(drawn["text"]) == words(text)


@pytest.mark.parametrize("corpus", ["demo", "showcase"])
def test_the_words_drawn_of_every_passage_are_those_of_the_passage(corpus: str, tab: Tab) -> None:
    passages = list(build_index(ROOT / "corpus" / corpus).passages)
    sources = [source_of(passage) for passage in passages]
    for drawn_source, passage in zip(sources, passages, strict=True):
        size = len(passage.text)
        matched = [(start, min(start + 4, size)) for start in range(0, size, 9)]
        drawn_source["marks"] = {"matched": matched, "sentence": (size // 3, size // 2)}
    drawn = tab.evaluate(DRAW, sources)
    for passage, quote in zip(passages, drawn, strict=True):
        assert words(quote["text"]) == words(passage.text), passage.passage_id
        assert (quote["lang"], quote["dir"]) == (passage.lang, direction(passage.lang))
        assert quote["href"] == f"../{passage.url}"
