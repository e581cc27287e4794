"""Pictures of what readers see, for people to look at: `make screenshots` writes them into test-results/.

Every kind of page in en, es and ar, light and dark, on a telephone, a desk and an upright screen; the kiosk
on its own screen; one printed document a language.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from builder.project import load_project
from builder.site import Options, build
from tests.browser.asking import ask, ready
from tests.browser.browsers import ROOT, ChromiumTab, chromium, until

OUT = ROOT / "test-results" / "screenshots"
SCREENS = {"320": (320, 640), "1280": (1280, 800), "1080": (1080, 1920)}
KIOSK = '\n[kiosk]\nscreen_mm = [268, 476]\nresolution = [1080, 1920]\nreach = "low"\n'
QUESTIONS = {
    "en": ("How much is the grocery allowance for one person?", "What is the capital of France?"),
    "es": ("¿Cuánto cubre la subvención de alivio de vivienda?", "¿Cuál es la capital de Francia?"),
    "ar": ("ما المبلغ الذي تغطيه منحة إغاثة السكن؟", "ما هي عاصمة فرنسا؟"),
}
OPEN = "() => document.querySelector('.quote-source a').click()"
OPENED = "() => !document.getElementById('panel').hidden && document.querySelector('#panel iframe')"
START = "() => document.getElementById('attract-start').click()"


def sites(folder: Path) -> tuple[Path, Path]:
    """Return the demonstration, and the same as a kiosk."""
    corpus = shutil.copytree(ROOT / "corpus" / "demo", folder / "corpus")
    build(load_project(corpus), folder / "site", Options(ROOT / ".cache"))
    with (corpus / "cairn.toml").open("a", encoding="utf-8") as settings:
        settings.write(KIOSK)
    build(load_project(corpus), folder / "kiosk", Options(ROOT / ".cache"))
    return folder / "site", folder / "kiosk"


def ordinary(tab: ChromiumTab, site: Path, lang: str, take: Callable[[str], None]) -> None:
    """Take the pages of an ordinary site in one language."""
    answered, refused = QUESTIONS[lang]
    tab.goto((site / "index.html").as_uri())
    take("chooser")
    tab.goto((site / lang / "index.html").as_uri())
    ready(tab)
    take("ask")
    ask(tab, answered)
    take("answer")
    tab.evaluate(OPEN)
    until(tab, OPENED)
    take("panel")
    tab.goto((site / lang / "index.html").as_uri())
    ask(tab, refused)
    take("refusal")
    for page in ("grocery-allowance", "contents"):
        tab.goto((site / lang / f"{page}.html").as_uri())
        take("document" if page != "contents" else page)


def public(tab: ChromiumTab, site: Path, lang: str, take: Callable[[str], None]) -> None:
    """Take the screens of a kiosk in one language."""
    tab.goto((site / lang / "index.html").as_uri())
    take("attract")
    tab.evaluate(START)
    ready(tab)
    take("ask")
    ask(tab, QUESTIONS[lang][0])
    take("answer")


def main() -> int:
    """Write every picture and say where they are."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        site, kiosk = sites(Path(folder))
        for lang in QUESTIONS:
            for scheme in ("light", "dark"):
                for name, size in SCREENS.items():
                    _series(browser, ordinary, site, f"{lang}-{scheme}-{name}", size)
                _series(browser, public, kiosk, f"{lang}-{scheme}-kiosk", (1080, 1920))
            _print(browser, site, lang)
    sys.stdout.write(f"{len(list(OUT.iterdir()))} pictures in {OUT.relative_to(ROOT)}\n")
    return 0


def _series(
    browser: Browser, steps: Callable[..., None], site: Path, name: str, size: tuple[int, int]
) -> None:
    lang, scheme, _ = name.split("-", 2)
    width, height = size
    tab = ChromiumTab(browser, color_scheme=scheme, viewport={"width": width, "height": height})
    steps(tab, site, lang, lambda what: tab.page.screenshot(path=OUT / f"{what}-{name}.png"))
    tab.close()


def _print(browser: Browser, site: Path, lang: str) -> None:
    tab = ChromiumTab(browser, viewport={"width": 800, "height": 1130})
    tab.goto((site / lang / "grocery-allowance.html").as_uri())
    tab.page.emulate_media(media="print")
    tab.page.screenshot(path=OUT / f"print-{lang}.png")
    tab.close()


if __name__ == "__main__":
    sys.exit(main())
