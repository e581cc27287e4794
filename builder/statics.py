"""The files that pages refer to and that no document decides: scripts, style sheets, images.

What is in them stands in `web`; sites get scripts and style sheets in the form that pages can check.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from builder import sums
from builder.kiosk import Kiosk

WEB = next(
    folder
    for folder in (Path(__file__).with_name("_web"), Path(__file__).parents[1] / "web")
    if folder.is_dir()
)
"""Templates, stylesheet, images and scripts: in a checkout beside the packages, else inside this one."""

TEMPLATES = WEB / "templates"

SCRIPTS = tuple(
    f"assets/js/{name}.js"
    for name in (
        *("bytes", "sha256", "inflate", "hosts", "engine", "quote", "view"),
        *("keyboard", "panel", "ask", "start"),
    )
)
STYLE = "assets/cairn.css"

ARRIVAL = "assets/js/arrival.js"
FIND = "assets/js/find.js"
VERIFY = "assets/js/verify.js"
KIOSK = "assets/js/kiosk.js"
KIOSK_STYLE = "assets/kiosk.css"
"""Made from the profile; only in the site of a kiosk."""

REFUSED = "assets/js/refused.js"
"""Only in the site of a kiosk that notes refused questions."""

FONT_STYLE = "assets/fonts.css"
"""Made from the typefaces; not in a site set in those of the reader's system."""

STATIC: Mapping[str, str] = {
    STYLE: "css/cairn.css",
    "assets/mark.svg": "img/mark.svg",
    "assets/favicon.svg": "img/favicon.svg",
    **{url: url.removeprefix("assets/") for url in (*SCRIPTS, ARRIVAL, FIND, KIOSK, VERIFY)},
}
"""Every file that all sites have: URL -> path under `WEB`."""


def static_file(url: str) -> bytes:
    """Return the bytes of a file of `STATIC`, in the form that pages can check."""
    if url in SCRIPTS:
        return sums.as_function(_name(url), source(url)).encode()
    if url == STYLE:
        return sums.marked_style(_name(url).removesuffix(".css"), source(url)).encode()
    if url.endswith(".js"):
        return source(url).encode()
    return (WEB / STATIC[url]).read_bytes()


def kiosk_files(kiosk: Kiosk | None) -> Iterator[tuple[str, bytes]]:
    """Yield the URL and the bytes of the files that only the site of a kiosk has."""
    if kiosk:
        yield KIOSK_STYLE, kiosk.stylesheet().encode()
    if kiosk and kiosk.export_refused:
        yield REFUSED, _plain(WEB / "js" / _name(REFUSED)).encode()


def script_sources() -> Mapping[str, bytes]:
    """Return the scripts of the Ask page as functions have them: name -> text."""
    return {_name(url): source(url).encode() for url in SCRIPTS}


def source(url: str) -> str:
    """Return a script or style sheet of `STATIC` as sites have it."""
    return _plain(WEB / STATIC[url])


def _plain(path: Path) -> str:
    return sums.without_remarks(path.read_text(encoding="utf-8"))


def _name(url: str) -> str:
    return url.rpartition("/")[2]
