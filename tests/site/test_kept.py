"""What a build keeps for the next one is damaged, gone or grown: the next site is the same, and the report tells."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builder import kept, site
from builder.project import load_project
from builder.site import BuildReport, Options, build


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


def add_line(corpus: Path, line: str) -> None:
    path = corpus / "opening-hours.en.md"
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")


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
    stores = [path for path in (tmp_path / "kept" / "sites").rglob("*") if path.is_file()]
    assert stores
    for store in stores:
        damage(store)
        assert built(corpus, tmp_path / "site", tmp_path / "kept").note == site.DAMAGED
        assert files(tmp_path / "site") == before
    assert built(corpus, tmp_path / "site", tmp_path / "kept").note == ""


def entries_in(cache: Path) -> tuple[Path, list[tuple[int, int]]]:
    """Return the file of entries, and where each begins and its length."""
    index = next(cache.rglob(kept.INDEX)).read_bytes()
    start = len(kept.HEAD) + kept._START.size
    number, _ = kept._START.unpack_from(index, len(kept.HEAD))
    step = kept._KEY + kept._PLACE.size
    places = [kept._PLACE.unpack_from(index, at + kept._KEY)[:2] for at in range(start, len(index) - 32, step)]
    return next(cache.rglob(f"entries-{number}.bin")), places


@pytest.mark.slow
def test_each_kind_of_entry_that_is_damaged_is_made_anew_and_told(corpus: Path, tmp_path: Path) -> None:
    (corpus / "cairn.toml").write_text(
        '[refusal]\ncontact = "desk"\n[retrieval]\nscorer = "evidence"\n', encoding="utf-8"
    )
    (corpus / "glossary.es.toml").write_text('"mostrador" = ["ventanilla"]\n', encoding="utf-8")
    (corpus / "probes.toml").write_text('[es]\nrefuse = ["Pregunta ajena xyz"]\n', encoding="utf-8")
    built(corpus, tmp_path / "site", tmp_path / "kept")
    before = files(tmp_path / "site")
    count = len(entries_in(tmp_path / "kept")[1])
    for number in range(0, count, 1 + count // 40):
        store, places = entries_in(tmp_path / "kept")
        at, length = places[number % len(places)]
        data = bytearray(store.read_bytes())
        data[at + length // 2] ^= 1
        store.write_bytes(data)
        assert built(corpus, tmp_path / "site", tmp_path / "kept").note == site.DAMAGED
        assert files(tmp_path / "site") == before


def test_what_nothing_uses_any_more_is_dropped_from_the_store(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "SLACK", 1000)
    sizes = []
    for number in range(12):
        add_line(corpus, f"Line {number}.")
        built(corpus, tmp_path / "site", tmp_path / "kept")
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "kept").rglob("*.bin")))
    assert max(sizes) < 5 * sizes[0]


def test_what_was_kept_and_is_gone_or_a_folder_stops_no_build(corpus: Path, tmp_path: Path) -> None:
    built(corpus, tmp_path / "site", tmp_path / "kept")
    before = files(tmp_path / "site")
    for store in [path for path in (tmp_path / "kept" / "sites").rglob("*") if path.is_file()]:
        store.unlink()
        store.mkdir()
        assert built(corpus, tmp_path / "site", tmp_path / "kept").reused == 0
        assert files(tmp_path / "site") == before


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
def test_a_typeface_that_was_kept_and_is_damaged_or_a_folder_is_made_anew(
    corpus: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    built(corpus, tmp_path / "site", tmp_path / "kept")
    before = files(tmp_path / "site")
    fonts = sorted((tmp_path / "kept" / "fonts").iterdir())
    assert {path.suffix for path in fonts} == {".woff2", ".sha256"}
    for path in fonts[:-1]:
        damage(path)
    fonts[-1].unlink()
    fonts[-1].mkdir()
    built(corpus, tmp_path / "site", tmp_path / "kept")
    assert files(tmp_path / "site") == before


def test_the_sites_built_longest_ago_are_forgotten(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    for name in ("one", "two", "three"):
        built(corpus, tmp_path / name, tmp_path / "kept")
    assert len([*(tmp_path / "kept" / "sites").iterdir()]) == 2
