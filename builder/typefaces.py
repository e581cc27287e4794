"""The typefaces a site brings along: pinned files cut to the characters of its languages, and a style sheet.

What a file is, where it comes from and what it shows is in `typefaces/typefaces.json`. A language is set in
the first typeface that has every letter of its script, or else in those of the reader's system.
"""

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from io import BytesIO
from itertools import islice
from pathlib import Path

from builder.frame import SiteModel
from builder.kept import kept_file, key
from builder.payload import Asset, digest
from builder.project import Project
from builder.statics import FONT_STYLE
from cairn_core.errors import CairnError
from cairn_core.language import Catalogue, catalogue, endonym, has_own_catalogue
from cairn_core.text import script_of

FOLDER = Path(__file__).with_name("typefaces")
URL = "assets/fonts"
BASIC = frozenset(map(chr, range(0x20, 0x7F))) | frozenset("\u00a0«»¡¿–—‘’“”…·")
"""What a typeface of Latin letters always shows: what anybody types."""

DIGITS = frozenset("0123456789 ")
_PLACEHOLDER = re.compile(r"\{\w+\}")
_UNPRINTED = frozenset("\u00a0\u200c\u200d\u200e\u200f")
"""Spaces, joiners and marks that text is shaped with."""

_ENOUGH = 20
"""Documents that say which script a language is written in."""

_OUTWEIGHS = 3
"""Latin letters that one of another script stands against."""

FEATURES = (
    *("ccmp", "locl", "mark", "mkmk", "kern", "liga"),
    *("calt", "rlig", "init", "medi", "fina", "isol"),
)
"""OpenType features that are kept: what shapes and joins letters, none a reader would have to ask for."""


@dataclass(frozen=True, slots=True)
class FontFile:
    """One file of a typeface; `covers` are the characters it has a glyph for."""

    name: str
    weight: int
    sha256: str
    covers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Typeface:
    """A family under an open licence; letters of `scripts` alone are taken from it.

    ascent and descent: room above and below its base line in percent of its size, 0 for what its files say.
    """

    name: str
    scripts: frozenset[str]
    files: tuple[FontFile, ...]
    ascent: int = 0
    descent: int = 0

    @property
    def covers(self) -> frozenset[str]:
        """Every character of the family."""
        return frozenset[str]().union(*(one.covers for one in self.files))

    def has(self, letters: frozenset[str], marks: frozenset[str]) -> bool:
        """Tell whether all letters are there; a mark can be set only on a letter of its own file."""
        together = letters | marks
        files = {next((file.name for file in self.files if one in file.covers), "") for one in together}
        return "" not in files and (not marks or len(files) == 1)

    def shows(self, chars: Iterable[str]) -> frozenset[str]:
        """Return those of some characters that are set in this typeface."""
        covers = self.covers
        return frozenset(one for one in chars if one in covers and script_of(one) in {"", *self.scripts})


@cache
def typefaces() -> tuple[Typeface, ...]:
    """Return the typefaces there are, the preferred ones first."""
    plain = json.loads((FOLDER / "typefaces.json").read_text(encoding="utf-8"))
    return tuple(
        Typeface(
            one["name"], frozenset(one["scripts"]), tuple(map(_file, one["files"])), *one.get("room", ())
        )
        for one in plain
    )


def _file(one: Mapping[str, str | int]) -> FontFile:
    return FontFile(str(one["file"]), int(one["weight"]), str(one["sha256"]), _chars(str(one["covers"])))


def assets(site: SiteModel, cache_folder: Path) -> Iterator[Asset]:
    """Yield the files of a site's typefaces and the style sheet that names them.

    Files that were cut before are taken from the cache. Raises `CairnError` when a file of Cairn is not the
    pinned one.
    """
    chars = {lang: characters(site, lang) for lang in _languages(site)}
    stacks = {lang: stack(lang, letters, site) for lang, letters in chars.items()}
    needed: dict[str, frozenset[str]] = {}
    for lang, families in stacks.items():
        left = chars[lang]
        for family in families:
            shown = family.shows(left)
            needed[family.name] = needed.get(family.name, frozenset()) | shown
            left -= shown
    rules = []
    for family in typefaces():
        for file, shown in _shared_out(family, needed.get(family.name, frozenset())):
            font = _font(file, shown, cache_folder)
            rules.append(_face(family, file, shown, font.url))
            yield font
    for families in dict.fromkeys(stacks.values()):
        rules.append(_use([lang for lang in stacks if stacks[lang] == families], families))
    yield Asset(FONT_STYLE, "\n".join(rules).encode())
    if any(stacks.values()):
        yield Asset(f"{URL}/licence.txt", (FOLDER / "licence.txt").read_bytes())


def _shared_out(family: Typeface, needed: frozenset[str]) -> Iterator[tuple[FontFile, frozenset[str]]]:
    """Yield the files that show some characters, each character in the first file of its weight."""
    left = {file.weight: needed for file in family.files}
    for file in family.files:
        shown = left[file.weight] & file.covers
        left[file.weight] -= shown
        if shown:
            yield file, shown


def stack(lang: str, chars: frozenset[str], site: SiteModel) -> tuple[Typeface, ...]:
    """Return the typefaces of a language in their order, none when it is set in those of the system.

    Letters of other scripts come from the first typeface of Latin ones.
    """
    script = _script(lang, site)
    letters = frozenset(one for one in chars if script_of(one) == script)
    marks = frozenset(one for one in chars if unicodedata.category(one) == "Mn")
    for family in typefaces():
        if script in family.scripts and family.has(letters, marks):
            return (family,) if "LATIN" in family.scripts else (family, typefaces()[0])
    return ()


def characters(site: SiteModel, lang: str) -> frozenset[str]:
    """Return what pages of a language are written with: its documents, sentences, letters and names."""
    found = {*endonym(lang), *DIGITS}
    for text in _said(site.project, lang):
        found.update(text)
    if has_own_catalogue(lang):
        found.update(*_sentences(catalogue(lang)))
    for placed in site.documents:
        if placed.document.lang == lang:
            found.update(placed.characters)
    shown = frozenset(one for one in found if one.isprintable() or one in _UNPRINTED)
    return shown | BASIC if _script(lang, site) == "LATIN" else shown


def _languages(site: SiteModel) -> tuple[str, ...]:
    """The languages of the documents, then those whose sentences stand in for missing ones."""
    return tuple(dict.fromkeys((*site.languages, *(catalogue(lang).code for lang in site.languages))))


def _said(project: Project, lang: str) -> Iterator[str]:
    """What the operator says in a language."""
    config = project.config
    yield from (
        table.get(lang, "") for table in (project.titles, project.taglines, config.contact_by_language)
    )
    yield from project.examples_for(lang)
    if lang == config.default_lang:
        yield config.contact
    if lang in config.urgent:
        yield from (config.urgent[lang].text, config.urgent[lang].contact)


def _sentences(own: Catalogue) -> Iterator[str]:
    yield from (own.alphabet, own.alphabet.upper())
    for message in own.messages.values():
        for text in [message] if isinstance(message, str) else message.values():
            yield _PLACEHOLDER.sub("", text)


def _script(lang: str, site: SiteModel) -> str:
    """The script of a language: its catalogue's, else that with most letters in its first documents.

    Names are written in Latin letters everywhere, so that others outweigh them.
    """
    if has_own_catalogue(lang):
        return catalogue(lang).script
    first = islice((one for one in site.documents if one.document.lang == lang), _ENOUGH)
    counts = Counter(script for one in first for char in one.characters if (script := script_of(char)))
    return max(
        sorted(counts), key=lambda one: counts[one] * (1 if one == "LATIN" else _OUTWEIGHS), default=""
    )


def _font(file: FontFile, chars: frozenset[str], cache_folder: Path) -> Asset:
    data = (FOLDER / file.name).read_bytes()
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise CairnError(
            f'the typeface "{file.name}" is not the file it was: its SHA-256 differs',
            "install Cairn again",
            str(FOLDER / file.name),
        )
    made = kept_file(
        cache_folder / "fonts" / f"{key(_tools(), file.sha256, sorted(chars), FEATURES).hex()[:32]}.woff2",
        lambda: cut(data, chars),
    )
    name = file.name.removesuffix(".woff2").removesuffix("-normal").lower()
    return Asset(f"{URL}/{name}-{digest(made)[:12]}.woff2", made)


@cache
def _tools() -> tuple[str, ...]:
    return tuple(map(version, ("fonttools", "brotli")))


def cut(data: bytes, chars: Iterable[str]) -> bytes:
    """Return a font with the glyphs of some characters only, as WOFF2, the same bytes every time."""
    from fontTools import subset  # takes as long to import as a small build, and is seldom needed
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), lazy=False, recalcTimestamp=False)
    options = subset.Options(
        layout_features=list(FEATURES), hinting=False, notdef_outline=True, name_IDs=[0, 13, 14]
    )
    options.drop_tables += ["STAT", "DSIG"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=map(ord, chars))
    cutter.subset(font)
    font.flavor = "woff2"
    made = BytesIO()
    font.save(made)
    return made.getvalue()


def _face(family: Typeface, file: FontFile, chars: frozenset[str], url: str) -> str:
    room = f"  ascent-override: {family.ascent}%;\n  descent-override: {family.descent}%;\n"
    return (
        f'@font-face {{\n  font-family: "{_css_name(family)}";\n  font-weight: {file.weight};\n'
        f'  font-display: swap;\n  src: url("{url.removeprefix("assets/")}") format("woff2");\n'
        f"{room if family.ascent else ''}  unicode-range: {_ranges(chars)};\n}}\n"
    )


def _use(languages: Iterable[str], families: Iterable[Typeface]) -> str:
    elements = ",\n".join(f'[lang="{lang}"]' for lang in languages)
    names = ", ".join(f'"{_css_name(one)}"' for one in families) or "system-ui"
    return f"{elements} {{\n  --bundled: {names};\n}}\n"


def _css_name(family: Typeface) -> str:
    return f"Cairn {family.name}"


def _ranges(chars: Iterable[str]) -> str:
    """Return code points as a `unicode-range`."""
    spans: list[list[int]] = []
    for code in sorted(map(ord, chars)):
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return ", ".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in spans)


def _chars(ranges: str) -> frozenset[str]:
    """Return the characters of ranges written as `41-5A,C0`."""
    ends = [(one.partition("-")[0], one.rpartition("-")[2]) for one in ranges.split(",")]
    return frozenset(chr(code) for first, last in ends for code in range(int(first, 16), int(last, 16) + 1))
