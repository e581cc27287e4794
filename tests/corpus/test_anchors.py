"""An anchor lives as long as the text it leads to, whatever is written around it."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder import anchors
from builder.anchors import Entry, Ledger, names, reconcile, slug, unique_slug
from builder.corpus import read
from builder.passages import Rendered
from builder.project import load_project
from builder.rendering import Rendering, render_all

type Render = Callable[..., Rendered]
type Write = Callable[..., Path]
type Page = list[tuple[str, str]]


def leads_to(entry: Entry, page: Page, anchor: str) -> str | None:
    """Return the text an anchor leads to, as the page would show it."""
    for (_, text), known in zip(page, entry.passages, strict=True):
        if anchor in known:
            return text
    return None


def next_entry(entry: Entry, page: Page) -> Entry:
    return reconcile(entry, names(page))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's new?", "whats-new"),
        ("  Fees & rents ", "fees--rents"),
        ("snake_case - dash", "snake_case---dash"),
        ("الموعد النهائي", "الموعد-النهائي"),
        ("申请 2.0：费用", "申请-20费用"),
        ("हिन्दी में", "हिन्दी-में"),
        ("ÉTÉ", "été"),
        ("½ price", "-price"),
        ("???", ""),
    ],
)
def test_a_slug_is_the_fragment_github_makes(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_repeated_headings_are_numbered_as_on_github() -> None:
    taken: dict[str, int] = {}
    found = [unique_slug(text, taken) for text in ("Foo", "foo", "foo-1", "Foo", "foo 1", "bar")]
    assert found == ["foo", "foo-1", "foo-1-1", "foo-2", "foo-1-2", "bar"]


def test_an_anchor_is_the_heading_and_a_hash_of_the_text() -> None:
    found = names([("How to apply", "Text."), ("", "Text."), ("x" * 50, "Text."), ("How to apply", "Text.")])
    assert found[0] == "how-to-apply-" + found[1].removeprefix("p-")
    assert found[2].startswith("x" * 40 + "-")
    assert found[3] == found[0] + "-2"
    assert found[1] == "p-6bw44j"  # printed links depend on it


def test_inserting_deleting_and_moving_passages_changes_no_other_anchor() -> None:
    page = [("A", "one"), ("A", "two"), ("B", "three")]
    one, two, three = names(page)
    assert names([("B", "three"), ("A", "new"), ("A", "two")])[0::2] == [three, two]
    assert names([("A", "new"), *page])[1:] == [one, two, three]


def test_an_edited_passage_keeps_its_earlier_anchors() -> None:
    first = next_entry(Entry(), [("A", "one"), ("A", "costs $212"), ("A", "three")])
    second = next_entry(first, [("A", "one"), ("A", "costs $310"), ("A", "three")])
    third = next_entry(second, [("A", "one"), ("A", "costs $311"), ("A", "three")])
    assert set(third.passages[1][1:]) == {first.passages[1][0], second.passages[1][0]}
    assert third.retired == ()


def test_a_renamed_heading_keeps_the_anchors_below_it() -> None:
    before = [("Fees", "one"), ("Fees", "two")]
    after = [("Prices", "two"), ("Prices", "new"), ("Prices", "one")]
    first = next_entry(Entry(), before)
    second = next_entry(first, after)
    assert leads_to(second, after, first.passages[0][0]) == "one"
    assert leads_to(second, after, first.passages[1][0]) == "two"


def test_a_passage_that_was_cut_in_two_or_merged_leads_to_what_took_its_place() -> None:
    first = next_entry(Entry(), [("", "a"), ("", "long"), ("", "z")])
    cut = [("", "a"), ("", "lo"), ("", "ng"), ("", "z")]
    second = next_entry(first, cut)
    assert leads_to(second, cut, first.passages[1][0]) == "lo"
    merged = [("", "a"), ("", "long again"), ("", "z")]
    third = next_entry(second, merged)
    for old in (first.passages[1][0], second.passages[1][0], second.passages[2][0]):
        assert leads_to(third, merged, old) == "long again"


def test_deleted_text_retires_its_anchor_and_text_that_comes_back_revives_it() -> None:
    page = [("", "a"), ("", "b"), ("", "c")]
    first = next_entry(Entry(), page)
    second = next_entry(first, [page[0], page[2]])
    assert second.retired == (first.passages[1][0],)
    third = next_entry(second, page)
    assert third == first


def test_an_anchor_goes_back_to_its_text_when_that_is_written_again_elsewhere() -> None:
    first = next_entry(Entry(), [("", "a"), ("", "b")])
    second = next_entry(first, [("", "a"), ("", "edited")])
    assert first.passages[1][0] in second.passages[1]
    page = [("", "b"), ("", "a"), ("", "edited")]
    third = next_entry(second, page)
    assert leads_to(third, page, first.passages[1][0]) == "b"


def test_an_anchor_of_one_of_two_equal_texts_leads_to_the_other_when_it_is_deleted() -> None:
    page = [("A", "same"), ("B", "same"), ("B", "end")]
    first = next_entry(Entry(), page)
    second = next_entry(first, page[1:])
    assert leads_to(second, page[1:], first.passages[0][0]) == "same"


EDITS = st.lists(
    st.tuples(st.sampled_from(["insert", "delete", "edit", "move", "rename"]), st.integers(0, 999)),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(edits=EDITS, texts=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8))
def test_every_anchor_of_surviving_text_leads_to_it_after_any_edits(
    edits: list[tuple[str, int]], texts: list[str]
) -> None:
    page: Page = [("H", text) for text in texts]
    entry = next_entry(Entry(), page)
    made_of = {anchor: text for (_, text), anchor in zip(page, names(page), strict=True)}
    follows = dict(made_of)
    for number, (edit, place) in enumerate(edits):
        edited = change(page, edit, place, number)
        successor = {earlier: text for _, text, earlier in edited if earlier}
        page = [(heading, text) for heading, text, _ in edited]
        entry = next_entry(entry, page)
        standing = {text for _, text in page}
        for anchor, text in list(follows.items()):
            follows[anchor] = made_of[anchor] if made_of[anchor] in standing else successor.get(text, text)
            if follows[anchor] in standing:
                assert leads_to(entry, page, anchor) == follows[anchor]
            else:
                del follows[anchor]
        for (_, text), known in zip(page, entry.passages, strict=True):
            made_of[known[0]] = follows[known[0]] = text
        ids = [anchor for known in entry.passages for anchor in known]
        assert len(ids) == len(set(ids))
        assert not set(ids) & set(entry.retired)
    assert next_entry(entry, page) == entry
    assert Ledger.from_json(Ledger({"d": entry}).to_json()) == Ledger({"d": entry})


def change(page: Page, edit: str, place: int, number: int) -> list[tuple[str, str, str]]:
    """Return the page after one edit, as (heading, text, earlier text of the edited passage)."""
    marked = [(heading, text, "") for heading, text in page]
    at = place % len(page)
    if edit == "insert":
        marked.insert(
            place % (len(page) + 1), ("H", f"new {number}" if place % 3 else "abcdef"[place % 6], "")
        )
    elif edit == "delete" and len(page) > 1:
        del marked[at]
    elif edit == "move":
        marked.insert(place // 7 % len(page), marked.pop(at))
    elif edit == "rename":
        marked = [
            ("Renamed" if index >= at else heading, text, "")
            for index, (heading, text, _) in enumerate(marked)
        ]
    elif edit == "edit" and sum(text == page[at][1] for _, text in page) == 1:
        marked[at] = (page[at][0], f"edited {number}", page[at][1])
    return marked


def test_a_page_carries_earlier_anchors_before_the_text_they_lead_to(write: Write) -> None:
    root = write({"a.en.md": "---\ntitle: T\n---\n## A\n\nCosts $212.\n"})
    first = build(root)
    old = first.documents["a-en"].passages[0].anchor
    (root / "a.en.md").write_text("---\ntitle: T\n---\n## A\n\nCosts $310.\n")
    second = build(root).documents["a-en"]
    new = second.passages[0].anchor
    assert new != old
    assert f'id="{new}" data-passage="a-en#1"><span class="alias" id="{old}"></span><h2' in second.html
    assert {old, new, "a"} <= second.fragments


def build(root: Path) -> Rendering:
    project = load_project(root)
    rendering = render_all(read(project))
    assert anchors.save(rendering.ledger, project.anchors) == []
    return rendering


def test_a_link_to_an_earlier_anchor_is_not_dead(write: Write) -> None:
    root = write({"a.en.md": "---\ntitle: T\n---\nOld text.\n", "b.en.md": "---\ntitle: U\n---\nText.\n"})
    old = build(root).documents["a-en"].passages[0].anchor
    (root / "a.en.md").write_text("---\ntitle: T\n---\nNew text.\n")
    (root / "b.en.md").write_text(f"---\ntitle: U\n---\n[x](a.en.md#{old})\n")
    assert f'href="a.html#{old}"' in build(root).documents["b-en"].html


def test_a_retired_anchor_is_reported_once(write: Write) -> None:
    root = write({"a.en.md": "---\ntitle: T\n---\nOne.\n\nTwo.\n\nThree.\n"})
    build(root)
    (root / "a.en.md").write_text("---\ntitle: T\n---\nOne.\n\nThree.\n")
    assert [problem.code for problem in build(root).warnings] == ["W601"]
    assert build(root).warnings == ()


def test_the_ledger_is_canonical_with_one_line_a_document() -> None:
    ledger = Ledger(
        {"b-en": Entry((("p-aaaaaa",), ("p-bbbbbb", "p-cccccc"))), "a-en": Entry((), ("p-dddddd",))}
    )
    assert ledger.to_json().split("\n") == [
        '{"documents":{',
        '"a-en":{"passages":[],"retired":["p-dddddd"]},',
        '"b-en":{"passages":[["p-aaaaaa"],["p-bbbbbb","p-cccccc"]],"retired":[]}',
        '},"format":1}',
        "",
    ]
    json.loads(ledger.to_json())


def test_a_document_that_is_gone_keeps_its_line(write: Write) -> None:
    root = write({"a.en.md": "---\ntitle: T\n---\nOne.\n", "b.en.md": "---\ntitle: U\n---\nTwo.\n"})
    build(root)
    (root / "b.en.md").unlink()
    assert set(build(root).ledger.documents) == {"a-en", "b-en"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format":2,"documents":{}}',
        '{"format":1}',
        '{"format":1,"documents":{"a":3}}',
        '{"format":1,"documents":{"a":{"passages":[[]],"retired":[]}}}',
        '{"format":1,"documents":{"a":{"passages":[["\\" onclick=x"]],"retired":[]}}}',
        '{"format":1,"documents":{"a":{"passages":[["p-aaaaaa"],["p-aaaaaa"]],"retired":[]}}}',
        '{"format":1,"documents":{"a":{"passages":[["p-aaaaaa"]],"retired":[3]}}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_ledger_is_an_error_and_never_a_traceback(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cairn.anchors.json"
    path.write_text(text)
    ledger, problems = anchors.load(path)
    assert ledger == Ledger()
    assert [problem.code for problem in problems] == ["E603"]


def test_a_ledger_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    problems = anchors.save(Ledger(), tmp_path / "file" / "cairn.anchors.json")
    assert [problem.code for problem in problems] == ["W602"]


def test_an_unchanged_ledger_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "cairn.anchors.json"
    anchors.save(Ledger(), path)
    os.utime(path, (1, 1))
    anchors.save(Ledger(), path)
    assert path.stat().st_mtime == 1
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_of_thousands_of_passages_is_followed_in_a_moment() -> None:
    page = [("H", f"text {number}") for number in range(5000)]
    entry = next_entry(Entry(), page)
    page.sort(key=lambda passage: passage[1][::-1])
    moved = next_entry(entry, page)
    assert sorted(known[0] for known in moved.passages) == sorted(known[0] for known in entry.passages)
