"""Typefaces of a site: pinned files, cut to its characters, the same bytes from every build."""

import hashlib
import json
import re
import shutil
import unicodedata
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from builder import glyphs, site, typefaces
from builder.cli import main
from builder.project import load_project
from builder.site import Options
from builder.verify import verify
from cairn_core.errors import CairnError

DEMO_FONTS = 90_000
"""Bytes that the fonts of a site in English, Spanish and Arabic may have."""

LANGUAGES = {
    "ha": "---\ntitle: Lokutan buɗewa\n---\nAna buɗe ƙofa ranar Asabar.\n",
    "hi": "---\ntitle: Alabama (AL)\n---\nकार्यालय शनिवार को खुला है। Alabama.\n",
    "en": "---\ntitle: Opening hours\n---\nOpen on Saturday from 9:00.\n",
    "vi": "---\ntitle: Giờ mở cửa\n---\nMở cửa thứ Bảy từ 9:00, phiếu đã ký.\n",
    "ru": "---\ntitle: Часы работы\n---\nОткрыто по субботам с 9:00.\n",
    "fa": "---\ntitle: ساعت‌های کار\n---\nشنبه‌ها از ساعت ۹ باز است، پژوهش PDF.\n",
    "ps": "---\ntitle: د کار وختونه\n---\nد شنبې په ورځ ښځې او ډلې.\n",
    "zh": "---\ntitle: 开放时间\n---\n星期六九点开放。\n",
    "yo": "---\ntitle: Àkókò ìṣí\n---\nA máa ń ṣí ní ọjọ́ Sátidé láti 9:00. Ẹ kú iṣẹ́.\n",
}

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    def made(name: str, *, fonts: str = "bundled", more: str = "") -> Path:
        corpus = tmp_path / "corpus"
        corpus.mkdir(exist_ok=True)
        for lang, text in LANGUAGES.items():
            (corpus / f"hours.{lang}.md").write_text(text + more, encoding="utf-8")
        settings = f'[site]\nfonts = "{fonts}"\n[refusal]\ncontact = "the desk, 555-0142"\n'
        (corpus / "cairn.toml").write_text(settings, encoding="utf-8")
        assert main([str(corpus), "--out", str(tmp_path / name), "--no-engine", "--quiet"]) == 0
        return tmp_path / name

    return made


def faces(site: Path) -> list[tuple[str, int, Path, frozenset[str]]]:
    """Return family, weight, file and characters of every rule of a site's style sheet."""
    css = (site / "assets" / "fonts.css").read_text(encoding="utf-8")
    rules = re.findall(r'family: "Cairn ([^"]+)";\s+font-weight: (\d+);[^}]*url\("([^"]+)"\)[^}]*range: ([^;]+);', css)
    assert len(rules) == css.count("@font-face")
    return [
        (family, int(weight), site / "assets" / url, typefaces._chars(ranges.replace("U+", "").replace(" ", "")))
        for family, weight, url, ranges in rules
    ]


def stacks(site: Path) -> dict[str, list[str]]:
    """Return the families of every language a style sheet names."""
    css = (site / "assets" / "fonts.css").read_text(encoding="utf-8")
    rules = re.findall(r'((?:\[lang="[^"]+"\],?\s+)+)\{\s+--bundled: ([^;]+);', css)
    return {
        lang: re.findall(r'"Cairn ([^"]+)"', families)
        for elements, families in rules
        for lang in re.findall(r'"([^"]+)"', elements)
    }


def test_every_file_is_the_pinned_one_and_covers_what_is_written_down() -> None:
    named = {file.name: file for family in typefaces.typefaces() for file in family.files}
    assert {path.name for path in typefaces.FOLDER.glob("*.woff2")} == set(named)
    for name, file in named.items():
        data = (typefaces.FOLDER / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file.sha256, name
        font = TTFont(BytesIO(data))
        assert {chr(code) for code in font.getBestCmap() if code >= 0x20} == file.covers, name
        assert font["OS/2"].usWeightClass == file.weight, name
        assert font["OS/2"].fsType == 0, "the licence bits allow embedding"


def test_every_typeface_has_its_source_and_its_copyright_beside_it() -> None:
    licence = (typefaces.FOLDER / "licence.txt").read_text(encoding="utf-8")
    for family in json.loads((typefaces.FOLDER / "typefaces.json").read_text(encoding="utf-8")):
        assert re.fullmatch(r"@?[a-z0-9/-]+@\d+\.\d+\.\d+", family["package"])
        assert f"{family['name']}\n  Copyright" in licence
        assert family["name"] in (typefaces.FOLDER.parents[1] / "NOTICE").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert sum(path.stat().st_size for path in typefaces.FOLDER.iterdir()) < 500_000


def test_a_file_that_is_not_the_pinned_one_stops_a_build(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(typefaces.FOLDER, tmp_path / "typefaces")
    changed = folder / "Vazirmatn-Bold.woff2"
    changed.write_bytes(changed.read_bytes() + b"\n")
    monkeypatch.setattr(typefaces, "FOLDER", folder)
    with pytest.raises(CairnError, match=r'"Vazirmatn-Bold\.woff2" is not the file it was'):
        site.build(load_project(corpus), tmp_path / "site", Options(tmp_path, engine=False))


def test_the_demo_has_every_character_of_its_pages_in_light_files(built_demo: Path) -> None:
    found = faces(built_demo)
    assert sum(path.stat().st_size for _, _, path, _ in found) <= DEMO_FONTS
    covered: dict[int, frozenset[str]] = {}
    for _, weight, path, chars in found:
        assert {chr(code) for code in TTFont(path).getBestCmap()} == chars
        covered[weight] = covered.get(weight, frozenset()) | chars
    pages = "".join(path.read_text(encoding="utf-8") for path in built_demo.rglob("*.html"))
    shown = {char for char in pages if char.isprintable()}
    assert {400: shown - covered[400], 700: shown - covered[700]} == {400: set(), 700: set()}


def test_a_language_is_set_in_the_first_typeface_with_all_its_letters(build: Build) -> None:
    made = build("site")
    latin, arabic = "Atkinson Hyperlegible Next", "Vazirmatn"
    assert stacks(made) == {
        "en": [latin],
        "vi": ["Noto Sans"],
        "ha": ["Noto Sans"],
        "hi": [],
        "yo": [],
        "ru": ["Noto Sans"],
        "fa": [arabic, latin],
        "ps": [arabic, latin],
        "zh": [],
    }
    shown: dict[str, set[str]] = {}
    for family, _, _, chars in faces(made):
        shown.setdefault(family, set()).update(chars)
    assert set("ðڕ") & shown[arabic] == set()
    assert set("پژښځډ۹،\u200c") <= shown[arabic]
    assert {char for char in shown[arabic] if unicodedata.name(char).startswith("LATIN")} == set()
    assert set("ếặЧɗƙ") <= shown["Noto Sans"]


def test_marks_are_set_only_on_letters_of_the_same_file() -> None:
    latin, _, arabic = typefaces.typefaces()
    assert latin.has(frozenset("aé"), frozenset())
    assert not latin.has(frozenset("aą"), frozenset("\u0301"))
    assert not latin.has(frozenset("aб"), frozenset())
    assert arabic.has(frozenset("بت"), frozenset("\u064e"))


def test_no_character_is_in_two_files_of_one_family_and_weight(build: Build) -> None:
    seen: set[tuple[str, int, str]] = set()
    for family, weight, _, chars in faces(build("site")):
        assert not {(family, weight, char) for char in chars} & seen
        seen |= {(family, weight, char) for char in chars}


def test_two_builds_in_two_folders_have_the_same_fonts_and_a_cache_changes_nothing(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build("one")
    monkeypatch.setattr("builder.cli.default_cache", lambda: tmp_path / "cache")
    second = build("two")

    def files(site: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted((site / "assets").rglob("*font*/*"))}

    assert files(first) == files(second)
    assert len(files(first)) > 5
    assert (first / "assets" / "fonts.css").read_bytes() == (second / "assets" / "fonts.css").read_bytes()
    assert build("two") == second
    assert files(first) == files(second)


def test_a_new_character_changes_the_fonts_and_kept_pages_stay_right(build: Build) -> None:
    made = build("site")
    before = (made / "assets" / "fonts.css").read_bytes()
    assert "ĳ" not in {char for *_, chars in faces(made) for char in chars}
    build("site", more="\nDe ĳ staat hier.\n")
    assert (made / "assets" / "fonts.css").read_bytes() != before
    assert "ĳ" in {char for *_, chars in faces(made) for char in chars}
    assert verify(made).faults == ()


def test_a_site_may_be_left_to_the_typefaces_of_the_system(build: Build) -> None:
    made = build("site", fonts="system")
    assert not (made / "assets" / "fonts").exists()
    assert not (made / "assets" / "fonts.css").exists()
    assert not [path for path in made.rglob("*.html") if b"fonts.css" in path.read_bytes()]
    build("site")
    assert [path for path in made.rglob("*.html") if b"fonts.css" not in path.read_bytes()] == []


def test_the_licence_stands_beside_the_fonts_and_verify_knows_every_file(build: Build) -> None:
    made = build("site")
    assert (made / "assets" / "fonts" / "licence.txt").is_file()
    font = next((made / "assets" / "fonts").glob("*.woff2"))
    font.write_bytes(font.read_bytes()[:-1])
    assert [fault.path for fault in verify(made).faults] == [f"assets/fonts/{font.name}"]


def test_each_bundled_script_is_one_that_pages_have_a_typeface_for() -> None:
    assert {script for family in typefaces.typefaces() for script in family.scripts} <= glyphs.SCRIPTS


@pytest.mark.parametrize("char", "aßªµ€→☎😀Ế龍가ー々𠀀ษ ́ⁿ％")
def test_pages_have_a_typeface_for(char: str) -> None:
    assert glyphs.shown(char)


@pytest.mark.parametrize("char", ["\ue001", "\U00012000", "\u0378", "\u16a0", "\U000f0000"])
def test_no_typeface_shows(char: str) -> None:
    assert not glyphs.shown(char)
    assert glyphs.unshown(f"ab{char}{char}") == {char: 2}


def test_a_name_of_the_site_that_no_typeface_shows_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.en.md").write_text("---\ntitle: T\n---\nText.\n", encoding="utf-8")
    (tmp_path / "cairn.toml").write_text('[site]\ntitle = "Hall \ue001"\n', encoding="utf-8")
    assert main([str(tmp_path), "--out", str(tmp_path.parent / "out"), "--no-engine"]) == 1
    assert 'site.title: No typeface shows "U+E001".' in capsys.readouterr().err
