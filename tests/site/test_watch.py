"""What a preview builds again for."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from watchfiles import Change

from builder.statics import WEB
from builder.watch import changes, watched
from cairn_core.errors import CairnError


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def replace(path: Path, text: str) -> None:
    """Write as careful editors do: a new file in the place of the old one."""
    aside = path.with_name("aside.tmp")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def test_settings_name_the_folder_to_watch_and_what_is_written_there(corpus: Path, tmp_path: Path) -> None:
    settings, other = tmp_path / "kiosk.toml", tmp_path / "other"
    other.mkdir()
    write(settings, "[site]\n")
    assert watched(corpus, settings).paths == tuple(sorted((corpus, settings, WEB)))
    write(corpus / "cairn.toml", '[corpus]\npath = "../other"\nanchors = "ledger.json"\n')
    found = watched(corpus, None)
    assert found.paths == tuple(sorted((corpus, other, WEB)))
    assert found.ledger == "ledger.json"


def test_a_path_that_is_not_there_is_told(corpus: Path, tmp_path: Path) -> None:
    for words in ((tmp_path / "none", None), (corpus, tmp_path / "none.toml")):
        with pytest.raises(CairnError, match="there is no"):
            watched(*words)


def test_what_is_broken_is_watched_as_it_is_named(corpus: Path) -> None:
    write(corpus / "cairn.toml", "broken")
    assert watched(corpus, None).paths == tuple(sorted((corpus, WEB)))


@pytest.mark.parametrize(
    ("name", "matters"),
    [
        ("opening-hours.en.md", True),
        *((name, True) for name in ("cairn.toml", "glossary.en.toml", "probes.toml", "questions.toml")),
        ("cairn.translations.json", True),
        *((name, False) for name in ("cairn.anchors.json", ".cairn.anchors.json.new", "opening-hours.en.md~")),
        (".opening-hours.en.md.swp", False),
    ],
)
def test_what_builds_and_editors_write_beside_the_documents_does_not_matter(
    corpus: Path, name: str, matters: bool
) -> None:
    assert watched(corpus, None).matters(Change.modified, str(corpus / name)) is matters


@pytest.mark.parametrize("save", [write, replace])
def test_every_save_of_a_file_named_alone_is_noticed(
    corpus: Path, tmp_path: Path, save: Callable[[Path, str], None]
) -> None:
    settings = tmp_path / "kiosk.toml"
    write(settings, "[site]\n")
    found = changes(partial(watched, corpus, settings))
    next(found)
    for number in range(3):
        save(settings, f'[site]\ntitle = "{number}"\n')
        next(found)
    write(corpus / "new.en.md", "")
    next(found)
    found.close()


def test_a_folder_that_the_settings_name_from_now_on_is_watched(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    found = changes(partial(watched, corpus, None))
    next(found)
    write(corpus / "cairn.toml", '[corpus]\npath = "../other"\n')
    next(found)
    write(other / "new.en.md", "")
    next(found)
    found.close()
