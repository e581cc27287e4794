"""A build after an edit gives the bytes a build from nothing gives, whatever happened to what was kept."""

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from builder import kept, sharding, site
from builder.calibrate import ProbeError
from builder.problems import CorpusProblems
from builder.project import load_project
from builder.site import BuildReport, Options, build
from builder.translations import Source, Translations

SEQUENCES = int(os.environ.get("CAIRN_SEQUENCES", "16"))
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


def outcome(corpus: Path, out: Path, cache: Path) -> tuple[list[str], dict[str, bytes]]:
    """Build, and return what it warned of, and its files; of a build that failed why, and none."""
    before = files(out)
    try:
        warnings = [str(one) for one in built(corpus, out, cache).warnings]
    except CorpusProblems as error:
        assert files(out) == before
        return [str(one) for one in error.problems], {}
    except ProbeError as error:
        assert files(out) == before
        return [error.message], {}
    return warnings, files(out)


def read_ledger(corpus: Path) -> bytes:
    path = corpus / "cairn.anchors.json"
    return path.read_bytes() if path.exists() else b""


def mend_links(corpus: Path) -> None:
    """Take links to documents that are gone out."""
    names = {path.name for path in documents(corpus)}
    for path in documents(corpus):
        text = path.read_text(encoding="utf-8")
        mended = re.sub(r"\[([^\]]*)\]\(([^)]*\.md)\)", lambda it: it[0] if it[2] in names else it[1], text)
        if mended != text:
            path.write_text(mended, encoding="utf-8")


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


def link(corpus: Path, chance: random.Random) -> None:
    path, other = chance.choices(documents(corpus), k=2)
    path.write_text(path.read_text(encoding="utf-8") + f"\n[There]({other.name}).\n", encoding="utf-8")


def picture(corpus: Path, chance: random.Random) -> None:
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" width="{chance.randint(1, 9)}" height="4"></svg>'
    (corpus / "map.svg").write_text(drawn, encoding="utf-8")
    path = chance.choice(documents(corpus))
    path.write_text(path.read_text(encoding="utf-8") + "\n![A map](map.svg)\n", encoding="utf-8")


def redraw(corpus: Path, chance: random.Random) -> None:
    if (corpus / "map.svg").exists():
        picture(corpus, chance)


def record(corpus: Path, chance: random.Random) -> None:
    digest = f"{chance.getrandbits(256):064x}"
    made = Translations().with_source("opening-hours", "es", Source("en", digest))
    (corpus / "cairn.translations.json").write_text(made.to_json(), encoding="utf-8")


def spoil(corpus: Path, chance: random.Random) -> None:
    """Write a document that stops the build; the next edit mends it."""
    (corpus / "spoilt.en.md").write_text("no front matter", encoding="utf-8")


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
    link,
    picture,
    redraw,
    record,
    spoil,
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
        (corpus / "spoilt.en.md").unlink(missing_ok=True)
        chance.choice(KINDS)(corpus, chance)
        mend_links(corpus)
        if chance.random() < 0.1:
            monkeypatch.setattr(sharding, "ABOVE", chance.choice([3, 4000]))
        if chance.random() < 0.1:
            monkeypatch.setattr(site, "tool", lambda _, number=number: f"another version {number}")
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(corpus, copy)
        after = outcome(corpus, tmp_path / "site", tmp_path / "kept")
        assert after == outcome(copy, tmp_path / "full", tmp_path / f"nothing-{number}")
        shutil.rmtree(tmp_path / f"nothing-{number}")
        assert read_ledger(corpus) == read_ledger(copy)


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
