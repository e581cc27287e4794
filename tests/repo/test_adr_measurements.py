"""The measurements that decisions in docs/adr rest on, repeated on corpus/showcase; -s prints them."""

import gzip
import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from builder import build_index
from cairn_core.index import Index, to_canonical_json

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


def with_terms_in_each_passage(shard_json: str) -> str:
    """Return the shard in its obvious form: a map of terms and counts in each passage."""
    plain = json.loads(shard_json)
    maps: list[dict[str, int]] = [{} for _ in plain["passages"]]
    for term, posting in zip(plain.pop("terms"), plain.pop("postings"), strict=True):
        place = -1
        for gap, count in zip(posting[::2], posting[1::2], strict=True):
            place += gap
            maps[place][term] = count
    for passage, terms in zip(plain["passages"], maps, strict=True):
        passage["terms"] = terms
    return to_canonical_json(plain)


def test_postings_take_fewer_bytes_than_a_map_in_each_passage(index: Index) -> None:
    ours = [shard.to_json().encode() for shard in index.shards.values()]
    obvious = [with_terms_in_each_passage(text.decode()).encode() for text in ours]
    for name, texts in (("postings", ours), ("maps", obvious)):
        zipped = sum(len(gzip.compress(text, 9, mtime=0)) for text in texts)
        print(f"{name}: {sum(map(len, texts)):,} bytes, {zipped:,} as gzip")
    assert sum(map(len, ours)) < sum(map(len, obvious))
