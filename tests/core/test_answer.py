"""The two outcomes and what neither can be."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.answer import Answer, compose
from cairn_core.retrieve import retrieve
from tests.core.small import SMALL, document, index_of

QUESTION = "Is a cracked meter replaced without charge?"
TRACE = retrieve(QUESTION, SMALL, threshold=0.165, candidates=8, lang="en")
NOTHING = retrieve("elephant", SMALL, threshold=0.165, candidates=8, lang="en")
GROUNDED = compose(TRACE, max_passages=1, refusal_text="no", lang="en")
REFUSAL = compose(NOTHING, max_passages=1, refusal_text="no", lang="en")
OTHER = retrieve("fallen branches storm", SMALL, threshold=0.165, candidates=8, lang="en")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"kind": "partial"}, id="another kind"),
        pytest.param({"kind": "refusal"}, id="a refusal with sources"),
        pytest.param({"sources": ()}, id="grounded without sources"),
        pytest.param({"text": "  "}, id="blank text"),
        pytest.param({"text": GROUNDED.text + " Really."}, id="text beyond the quotation"),
        pytest.param({"text": "A cracked meter costs $90."}, id="text of its own"),
        pytest.param({"trace": OTHER}, id="a source the trace does not accept"),
        pytest.param({"trace": NOTHING}, id="a trace that found nothing"),
        pytest.param(
            {"text": "invented", "sources": (replace(GROUNDED.sources[0], text="invented"),)},
            id="a source whose text is not its passage",
        ),
        pytest.param(
            {"sources": (replace(GROUNDED.sources[0], source_id="water-en#9"),)}, id="a source nobody found"
        ),
    ],
)
def test_a_grounded_answer_is_a_quotation_of_accepted_passages_or_does_not_exist(
    change: dict[str, object],
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        replace(GROUNDED, **change)  # type: ignore[arg-type]  # the point of the test


@pytest.mark.parametrize(
    "change", [{"text": ""}, {"notice": "in another language"}, {"sources": GROUNDED.sources}]
)
def test_a_refusal_is_a_text_and_nothing_else(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        replace(REFUSAL, **change)  # type: ignore[arg-type]  # the point of the test


@pytest.mark.parametrize("max_passages", [0, -1])
def test_at_least_one_passage_is_quoted(max_passages: int) -> None:
    with pytest.raises(ValueError, match="max_passages"):
        compose(TRACE, max_passages=max_passages, refusal_text="no", lang="en")


def test_a_source_carries_what_a_page_needs_to_link_it() -> None:
    index = index_of(document("water", "ar", "عدادات المياه", "يُستبدل العداد مجانًا.", reviewed="2026-01-31"))
    trace = retrieve("العداد", index, threshold=0.1, candidates=8)
    (source,) = compose(trace, max_passages=1, refusal_text="no", lang="ar").sources
    assert source.to_payload() == {
        "id": "water-ar#1",
        "title": "عدادات المياه",
        "lang": "ar",
        "dir": "rtl",
        "text": "يُستبدل العداد مجانًا.",
        "url": "ar/water.html#p1",
        "section": "عدادات المياه",
        "layout": "p",
        "reviewed": "2026-01-31",
    }


def test_the_cited_form_puts_the_notice_before_and_the_markers_after_the_text() -> None:
    noted = replace(GROUNDED, notice="This passage is in English.")
    assert GROUNDED.cited_text == f"{GROUNDED.text}\n[water-en.1]"
    assert noted.cited_text == f"This passage is in English.\n\n{GROUNDED.text}\n[water-en.1]"
    assert noted.text == GROUNDED.text


def test_a_refusal_is_cited_as_it_stands_even_when_a_notice_was_ready() -> None:
    refusal = compose(NOTHING, max_passages=1, refusal_text="no", lang="en", notice="in English")
    assert (refusal.cited_text, refusal.notice, refusal.sources) == ("no", None, ())


@given(st.sampled_from(["meter cracked", "yearly reading april", "weeks", ""]), st.integers(1, 9))
def test_an_answer_is_grounded_exactly_when_something_is_cited(query: str, max_passages: int) -> None:
    trace = retrieve(query, SMALL, threshold=0.1, candidates=8)
    answer = compose(trace, max_passages=max_passages, refusal_text="no", lang="en")
    payload = answer.to_payload()
    assert answer.grounded == bool(answer.sources) == bool(payload["sources"]) == payload["grounded"]
    assert len(answer.sources) == min(max_passages, len(trace.accepted))
    assert answer.grounded == (answer.kind == "grounded")


def test_an_answer_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        GROUNDED.text = "other"  # type: ignore[misc]  # the point of the test


def test_equal_answers_are_equal() -> None:
    assert compose(TRACE, max_passages=1, refusal_text="no", lang="en") == GROUNDED
    assert Answer("refusal", "no", (), NOTHING, "en") == REFUSAL
