"""A build after an edit gives the bytes a build from nothing gives, whatever happened to what was kept."""

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from builder import kept, site
from builder.project import load_project
from builder.site import BuildReport, Options, build


SEQUENCES = int(os.environ.get("CAIRN_SEQUENCES", "24"))
EDITS = 4
WORDS = ("desk", "ventanilla", "المكتب", "窗口", "permit", "Tuesday", "9:30", "555-0142", "<b>", "&")


@pytest.fixture(autouse=True)
def kept_in_its_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each build here has a cache of its own."""
    monkeypatch.delenv(kept.FOLDER_VARIABLE)


def built(corpus: Path, out: Path, cache: Path) -> BuildReport:
    return build(load_project(corpus), out, Options(cache, engine=False))


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def documents(corpus: Path) -> list[Path]:
    return sorted(corpus.glob("*.md"))


def edit(corpus: Path, chance: random.Random) -> None:
    path = chance.choice(documents(corpus))
    said = " ".join(chance.choices(WORDS, k=6)).replace("<b>", "\\<b>")
    path.write_text(path.read_text(encoding="utf-8") + f"\n{said}\n", encoding="utf-8")


def retitle(corpus: Path, chance: random.Random) -> None:
    path = chance.choice(documents(corpus))
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^title: .*$", f"title: Title {chance.random()}", text), encoding="utf-8")


def head(corpus: Path, chance: random.Random) -> None:
    path = chance.choice(documents(corpus))
    path.write_text(
        path.read_text(encoding="utf-8") + f"\n## Heading {chance.random()}\n\nBelow it.\n", encoding="utf-8"
    )


def add(corpus: Path, chance: random.Random) -> None:
    name, lang = f"added-{chance.randrange(10**6)}", chance.choice(["en", "es", "ar", "ko"])
    text = (
        f"---\ntitle: {name}\ntopic: Visits\nreviewed: 2026-0{chance.randint(1, 9)}-01\n---\n\nAdded text.\n"
    )
    (corpus / f"{name}.{lang}.md").write_text(text, encoding="utf-8")


def rename(corpus: Path, chance: random.Random) -> None:
    free = [path for path in documents(corpus) if "opening-hours.es" not in path.name]
    path = chance.choice(free)
    path.rename(corpus / f"renamed-{chance.randrange(10**6)}.{path.name.split('.')[1]}.md")


def delete(corpus: Path, chance: random.Random) -> None:
    free = [path for path in documents(corpus) if not path.name.startswith("opening-hours")]
    if free:
        chance.choice(free).unlink()


def configure(corpus: Path, chance: random.Random) -> None:
    scorer = chance.choice(["contract", "evidence"])
    text = f'[refusal]\ncontact = "desk {chance.randrange(99)}"\n[retrieval]\nscorer = "{scorer}"\n'
    text += f'[site]\ntitle.en = "Site {chance.randrange(9)}"\n' * chance.randint(0, 1)
    (corpus / "cairn.toml").write_text(text, encoding="utf-8")


def explain(corpus: Path, chance: random.Random) -> None:
    (corpus / "glossary.es.toml").write_text(
        f'"mostrador {chance.randrange(9)}" = ["ventanilla"]\n', encoding="utf-8"
    )


def probe(corpus: Path, chance: random.Random) -> None:
    (corpus / "probes.toml").write_text(
        f'[es]\nrefuse = ["Pregunta ajena {chance.randrange(9)} xyz"]\n', encoding="utf-8"
    )


def forget_anchors(corpus: Path, chance: random.Random) -> None:
    (corpus / "cairn.anchors.json").unlink(missing_ok=True)


KINDS: tuple[Callable[[Path, random.Random], None], ...] = (
    edit,
    edit,
    edit,
    retitle,
    head,
    add,
    rename,
    delete,
    configure,
    explain,
    probe,
    forget_anchors,
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_any_sequence_of_edits_gives_the_bytes_of_a_full_build(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311  not a secret
    built(corpus, tmp_path / "site", tmp_path / "kept")
    for number in range(EDITS):
        chance.choice(KINDS)(corpus, chance)
        if chance.random() < 0.1:
            monkeypatch.setattr(site, "tool", lambda _, number=number: f"another version {number}")
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(corpus, copy)
        built(corpus, tmp_path / "site", tmp_path / "kept")
        built(copy, tmp_path / "full", tmp_path / f"nothing-{number}")
        assert files(tmp_path / "site") == files(tmp_path / "full")


def test_a_changed_document_makes_one_page_anew(corpus: Path, tmp_path: Path) -> None:
    pages = len(built(corpus, tmp_path / "site", tmp_path / "kept").contents)
    document = corpus / "opening-hours.ar.md"
    document.write_text(document.read_text(encoding="utf-8") + "\nسطر جديد.\n", encoding="utf-8")
    assert built(corpus, tmp_path / "site", tmp_path / "kept").reused == pages - 1


def test_another_version_of_cairn_makes_every_page_anew(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(corpus, tmp_path / "site", tmp_path / "kept")
    monkeypatch.setattr(site, "tool", lambda _: "another version")
    assert built(corpus, tmp_path / "site", tmp_path / "kept").reused == 0


def test_fresh_makes_every_page_anew(corpus: Path, tmp_path: Path) -> None:
    options = Options(tmp_path / "kept", engine=False, fresh=True)
    build(load_project(corpus), tmp_path / "site", options)
    assert build(load_project(corpus), tmp_path / "site", options).reused == 0


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def flip_first(path: Path) -> None:
    path.write_bytes(b"C" + path.read_bytes()[1:])


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def truncate_at_a_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES = (flip, flip_first, truncate, truncate_at_a_line, empty)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
def test_what_was_kept_and_is_damaged_is_made_anew_and_told(
    corpus: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    built(corpus, tmp_path / "site", tmp_path / "kept")
    before = files(tmp_path / "site")
    stores = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    assert stores
    for store in stores:
        damage(store)
        assert built(corpus, tmp_path / "site", tmp_path / "kept").note == site.DAMAGED
        assert files(tmp_path / "site") == before
    assert built(corpus, tmp_path / "site", tmp_path / "kept").note == ""


def test_what_was_kept_and_is_gone_or_a_folder_stops_no_build(corpus: Path, tmp_path: Path) -> None:
    built(corpus, tmp_path / "site", tmp_path / "kept")
    before = files(tmp_path / "site")
    for store in [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]:
        store.unlink()
        store.mkdir()
        assert built(corpus, tmp_path / "site", tmp_path / "kept").reused == 0
        assert files(tmp_path / "site") == before


def test_the_sites_built_longest_ago_are_forgotten(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    for name in ("one", "two", "three"):
        built(corpus, tmp_path / name, tmp_path / "kept")
    assert len([*(tmp_path / "kept" / "sites").iterdir()]) == 2
