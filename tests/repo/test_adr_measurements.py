"""The measurements that decisions in docs/adr rest on, repeated on corpus/showcase; -s prints them."""

import gzip
import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from builder import build_index
from cairn_core.index import Index, Shard, to_canonical_json
from cairn_core.shard import term_counts

ROOT = Path(__file__).resolve().parents[2]
SHOWCASE = ROOT / "corpus" / "showcase"


@pytest.fixture(scope="module")
def index() -> Index:
    return build_index(SHOWCASE)


def names_by_text(index: Index) -> Mapping[tuple[str, str], tuple[str, str]]:
    """Return id and anchor of each passage by document and text, without texts a document has twice."""
    texts = [(passage.doc_id, passage.text) for passage in index.passages]
    once = {text for text, count in Counter(texts).items() if count == 1}
    named = zip(texts, index.passages, strict=True)
    return {text: (passage.passage_id, passage.anchor) for text, passage in named if text in once}


def with_a_new_first_paragraph(folder: Path) -> Path:
    corpus = Path(shutil.copytree(SHOWCASE, folder / "corpus"))
    for path in sorted(corpus.rglob("*.*.md")):
        head, _, body = path.read_text(encoding="utf-8")[4:].partition("\n---\n")
        path.write_text(
            f"---\n{head}\n---\n\nA paragraph that was not here.\n\n{body.lstrip()}", encoding="utf-8"
        )
    return corpus


def test_an_inserted_paragraph_moves_ids_and_no_anchor(index: Index, tmp_path: Path) -> None:
    before = names_by_text(index)
    after = names_by_text(build_index(with_a_new_first_paragraph(tmp_path)))
    kept = [text for text in before if text in after]
    moved = sum(before[text][0] != after[text][0] for text in kept)
    lost = sum(before[text][1] != after[text][1] for text in kept)
    print(f"{len(kept)} passages: {moved} ids and {lost} anchors changed")
    assert moved > len(kept) * 0.9
    assert lost == 0


def with_postings(shard: Shard) -> str:
    """Return the shard with its terms and their postings: gap, count, gap, count …"""
    postings = []
    for posting in shard.postings:
        gaps = map(int.__sub__, posting.places, (-1, *posting.places))
        postings.append([part for pair in zip(gaps, posting.counts, strict=True) for part in pair])
    return to_canonical_json({**json.loads(shard.to_json()), "terms": shard.terms, "postings": postings})


def with_maps(shard: Shard) -> str:
    """Return the shard with a map of terms and counts in each passage."""
    plain = json.loads(shard.to_json())
    for item, passage in zip(plain["passages"], shard.passages, strict=True):
        item["terms"] = term_counts(passage)
    return to_canonical_json(plain)


def test_what_follows_from_the_passages_takes_bytes(index: Index) -> None:
    sizes = {}
    for name, form in (("passages", Shard.to_json), ("postings", with_postings), ("maps", with_maps)):
        texts = [form(shard).encode() for shard in index.shards.values()]
        sizes[name] = sum(len(gzip.compress(text, 9, mtime=0)) for text in texts)
        print(f"{name}: {sum(map(len, texts)):,} bytes, {sizes[name]:,} as gzip")
    assert sizes["passages"] < sizes["postings"] < sizes["maps"]
