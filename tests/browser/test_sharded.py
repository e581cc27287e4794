"""A site whose languages are cut into files: the same answers, files brought by name, damage told."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builder import sharding
from builder.payload import Part
from cairn_core.bridge import Session
from cairn_core.index import Index
from tests.browser.asking import ask, ready, responses
from tests.browser.browsers import Tab
from tests.browser.conftest import Place, built, cpython
from tests.browser.test_damage import assert_readable

PLACES = [("chromium", "file"), ("chromium", "http"), ("firefox", "file")]


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The demonstration with every language in files of a few lines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharding, "ABOVE", 0)
        patch.setattr(sharding, "TEXT", 300)
        patch.setattr(sharding, "POSTED", 20)
        yield built("demo", tmp_path_factory.mktemp("split"))


@pytest.fixture(scope="module")
def session() -> Session:
    """The demonstration in memory, without lexicons, which lead to no split language."""
    opened = cpython("demo")
    index = Index.of(replace(shard, lexicons={}) for shard in opened.index.whole.values())
    return replace(opened, index=index)


QUESTIONS = [
    "who can get the discount bus pass",
    "how do I apply for the grocry allowance",
    "¿Cuándo se cobra el subsidio de alimentos?",
    "¿cuál es la capital de Francia?",
    "كيف أتقدم بطلب للحصول على بدل البقالة",
    "where do spaceships land",
]


@pytest.mark.parametrize(("browser", "kind"), PLACES, ids=map(" ".join, PLACES))
def test_the_answers_are_those_of_one_file_a_language(
    browser: str,
    kind: str,
    split: Path,
    session: Session,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    tab = new_tab(browser)
    tab.goto(places(split, kind).page("en/index.html"))
    requests: list[dict[str, str | None]] = [
        {"question": question, "lang": None, "interface": "en"} for question in QUESTIONS
    ]
    found = responses(tab, requests)
    assert found == [session.ask(json.dumps(request)) for request in requests]
    assert "grounded" in found[0]
    tab.close()


def files(part: str) -> list[str]:
    return [f"assets/parts/{part}.{form}" for form in ("gz", "js")]


def changed(part: str, split: Path) -> dict[str, bytes | None]:
    """Return both forms of a part, intact in itself, that is not the one of this build."""
    return {asset.url: asset.data for asset in Part.of(part, b'{"format":2}').assets()}


def missing(part: str, split: Path) -> dict[str, bytes | None]:
    return dict.fromkeys(files(part))


def swapped(part: str, split: Path) -> dict[str, bytes | None]:
    """Return the forms of another part of the site under this one's name."""
    other = part[:-2] + ("01" if part.endswith("00") else "00")
    gz, script = ((split / name).read_bytes() for name in files(other))
    return dict(zip(files(part), (gz, script.replace(other.encode(), part.encode())), strict=True))


FAULTS = [(changed, "damaged"), (missing, "missing"), (swapped, "damaged")]


@pytest.mark.parametrize("kind", ["file", "http"])
@pytest.mark.parametrize("listing", [False, True], ids=["a file", "a listing"])
@pytest.mark.parametrize(("fault", "code"), FAULTS, ids=["changed", "missing", "swapped"])
def test_a_faulty_file_is_named_and_nothing_is_answered(
    fault: Callable[[str, Path], dict[str, bytes | None]],
    code: str,
    listing: bool,
    kind: str,
    split: Path,
    tmp_path: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    if listing and fault is swapped:
        pytest.skip("the demonstration has one listing of each kind")
    folder = tmp_path / "copy"
    copied(split, folder)
    parts = sorted(
        path.relative_to(split / "assets/parts") for path in (split / "assets/parts/shards/en").rglob("*.gz")
    )
    listings = [str(part.with_suffix("")) for part in parts if part.parent.name == "en"]
    single = [str(part.with_suffix("")) for part in parts if part.parent.name != "en"]
    for part in listings if listing else single:
        for name, data in fault(part, split).items():
            (folder / name).unlink()
            if data is not None:
                (folder / name).write_bytes(data)
    tab = new_tab("chromium")
    tab.goto(places(folder, kind).page("en/index.html"))
    ready(tab)
    found = ask(tab, "who can get the discount bus pass")
    assert (found.code, found.answered) == (code, False)
    assert found.part.startswith("shards/en/")
    assert_readable(tab)
    tab.close()


def copied(split: Path, folder: Path) -> None:
    shutil.copytree(split, folder, copy_function=os.link)
