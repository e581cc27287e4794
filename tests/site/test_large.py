"""A corpus of several megabytes: its language is cut into files, and it is answered from the built site."""

import json
from pathlib import Path

import pytest

from bench import corpus
from bench.squad import QuestionSet
from builder import build_index
from builder.project import load_project
from builder.readsite import read_site
from builder.site import Options, build
from cairn_core.split import SplitShard

ROOT = Path(__file__).resolve().parents[2]
PASSAGES = 5_200
SETTINGS = corpus.SETTINGS.format(scorer="evidence", lang="en")


@pytest.mark.slow
def test_four_megabytes_of_documents_build_and_answer_from_the_right_one(tmp_path: Path) -> None:
    english = build_index(ROOT / "corpus" / "showcase").whole["en"].passages
    one = QuestionSet("en", english, (0,) * len(english), ())
    passages = list(corpus.named(one, PASSAGES))
    assert sum(len(passage.text) for passage in passages) > 4_000_000
    corpus.write(passages, SETTINGS, tmp_path / "corpus")
    options = Options(ROOT / ".cache", engine=False)
    report = build(load_project(tmp_path / "corpus"), tmp_path / "site", options)
    assert report.passages == {"en": PASSAGES}
    session = read_site(tmp_path / "site").session()
    assert isinstance(session.index.shards["en"], SplitShard)
    for passage in passages[7 :: PASSAGES // 5]:
        request = {"question": passage.text[:200], "lang": "en", "interface": None}
        found = json.loads(session.ask(json.dumps(request)))
        assert found["answer"]["sources"][0]["id"] == passage.passage_id
