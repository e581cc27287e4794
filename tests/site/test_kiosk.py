"""The kiosk profile: the size of the type, the settings, and what a kiosk's pages have."""

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.keyboard import KEYBOARDS, keyboard
from builder.kiosk import CAPITAL, Kiosk
from builder.project import load_project
from builder.site import Options, build
from builder.wording import Wording
from cairn_core.errors import ConfigError

SCREENS = [
    # diagonal, millimetres, pixels, type size in pixels as the notes on user experience have it
    ('21.5"', (476, 268), (1920, 1080), 44),
    ('24"', (531, 299), (1920, 1080), 40),
    ('32"', (708, 398), (1920, 1080), 30),
    ('10.1"', (217, 136), (1280, 800), 64),
]
PROFILE = "[kiosk]\nscreen_mm = [268, 476]\nresolution = [1080, 1920]\n"
ALPHABETS = {
    "en": "abcdefghijklmnopqrstuvwxyz0123456789?'",
    "es": "abcdefghijklmnñopqrstuvwxyzáéíóúü0123456789¿?",
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئ؟0123456789",
}


@pytest.mark.parametrize(("screen_mm", "resolution", "size"), [row[1:] for row in SCREENS])
def test_the_type_size_is_that_of_the_table(
    screen_mm: tuple[int, int], resolution: tuple[int, int], size: int
) -> None:
    assert abs(Kiosk(screen_mm, resolution, 600).root_px - size) <= 1


@given(
    width=st.integers(100, 2000),
    pixels=st.sampled_from([(1920, 1080), (1280, 800), (1080, 1920), (3840, 2160)]),
    distance=st.integers(200, 5000),
)
def test_a_capital_letter_is_as_large_as_both_standards_ask(
    width: int, pixels: tuple[int, int], distance: int
) -> None:
    kiosk = Kiosk((width, round(width * pixels[1] / pixels[0])), pixels, distance)
    capital_mm = kiosk.root_px * CAPITAL * kiosk.pixel_mm
    assert math.degrees(2 * math.atan(capital_mm / 2 / distance)) >= 0.7 - 1e-6
    assert capital_mm >= 4.8 - 1e-6


def test_larger_text_is_a_quarter_larger() -> None:
    sizes = re.findall(r"font-size: ([0-9.]+)px", Kiosk((268, 476), (1080, 1920)).stylesheet())
    assert float(sizes[1]) == pytest.approx(1.25 * float(sizes[0]), abs=0.1)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ("screen_mm = [268, 476]\n", "kiosk.resolution"),
        ("screen_mm = 268\nresolution = [1080, 1920]\n", "kiosk.screen_mm"),
        ("screen_mm = [0, 476]\nresolution = [1080, 1920]\n", "kiosk.screen_mm"),
        ("screen_mm = [476, 268]\nresolution = [1080, 1920]\n", "kiosk.resolution"),
        ("screen_mm = [268, 476]\nresolution = [1080, 1920]\nidle_seconds = 29\n", "kiosk.idle_seconds"),
        ("screen_mm = [268, 476]\nresolution = [1080, 1920]\nidle_seconds = 601\n", "kiosk.idle_seconds"),
        ("screen_mm = [268, 476]\nresolution = [1080, 1920]\ndistance_mm = true\n", "kiosk.distance_mm"),
        ('screen_mm = [268, 476]\nresolution = [1080, 1920]\nreach = "high"\n', "kiosk.reach"),
        ("screen_mm = [268, 476]\nresolution = [1080, 1920]\nexport_refused = 1\n", "kiosk.export_refused"),
    ],
)
def test_a_setting_that_is_wrong_is_named(change: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "cairn.toml").write_text(f"[kiosk]\n{change}", encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_project(tmp_path)
    assert error.value.location.endswith(key)


@pytest.mark.parametrize("lang", ALPHABETS)
def test_a_keyboard_has_every_letter_of_its_language_once_and_names_for_the_rest(lang: str) -> None:
    found = keyboard(lang, Wording(lang))
    assert found is not None
    rows = found["rows"]
    assert isinstance(rows, list)
    keys = [char for row in rows for char, _ in row]
    assert len(set(keys)) == len(keys)
    assert set(ALPHABETS[lang]) <= set(keys)
    assert all(name != char for row in rows for char, name in row if not char.isalnum())
    assert bool(found["shift"]) == (lang != "ar")


def test_every_layout_is_tested() -> None:
    assert {path.stem for path in KEYBOARDS.glob("*.json")} == set(ALPHABETS)
    assert keyboard("zh", Wording("zh")) is None


def site_with(profile: str, demo_corpus: Path, folder: Path) -> Path:
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    for path in demo_corpus.iterdir():
        (corpus / path.name).write_bytes(path.read_bytes())
    with (corpus / "cairn.toml").open("a", encoding="utf-8") as settings:
        settings.write(f"\n{profile}")
    build(load_project(corpus), folder / "site", Options(folder / "cache", engine=False))
    return folder / "site"


@pytest.mark.parametrize("reach", ["any", "low"])
def test_every_page_of_a_kiosk_has_start_over_and_the_type_size(
    reach: str, demo_corpus: Path, tmp_path: Path
) -> None:
    site = site_with(f'{PROFILE}reach = "{reach}"\n', demo_corpus, tmp_path)
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        before, found, _ = html.partition('id="start-over"')
        assert found
        assert ("<main" in before) == (reach == "low" or path.parent == site)
        assert "assets/kiosk.css" in html
        assert 'data-idle="90" data-warning="30"' in html
    assert (site / "assets" / "kiosk.css").is_file()


def test_a_site_without_the_profile_has_none_of_it(built_demo: Path) -> None:
    assert not any("kiosk" in path.read_text(encoding="utf-8") for path in built_demo.rglob("*.html"))
    assert not (built_demo / "assets" / "kiosk.css").exists()


def test_what_notes_refused_questions_is_only_where_it_was_asked_for(
    demo_corpus: Path, tmp_path: Path
) -> None:
    for answer in ("false", "true"):
        site = site_with(f"{PROFILE}export_refused = {answer}\n", demo_corpus, tmp_path / answer)
        pages = [path for path in site.rglob("*.html") if "refused.js" in path.read_text(encoding="utf-8")]
        asked = [site / lang / "index.html" for lang in ("ar", "en", "es")] if answer == "true" else []
        assert sorted(pages) == asked
        assert (site / "assets" / "js" / "refused.js").exists() == bool(asked)
        for path in asked:
            assert str(Wording(path.parent.name)("noting.offer")) in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "es", "ar"])
def test_the_question_whether_anybody_is_there_is_in_the_language_of_the_page(
    lang: str, demo_corpus: Path, tmp_path: Path
) -> None:
    site = site_with(PROFILE, demo_corpus, tmp_path)
    words = Wording(lang)
    for page in ("index", "grocery-allowance"):
        html = (site / lang / f"{page}.html").read_text(encoding="utf-8")
        for key in ("kiosk.idle", "kiosk.idle_text", "kiosk.more", "kiosk.start_over"):
            assert str(words(key)) in html
        assert f'data-first="{words.count("kiosk.left", 30)}"' in html
        assert f'data-second="{words.count("kiosk.left", 15)}"' in html
