"""Inline text of a block: the tokens of one line of thought as HTML and as the words a reader sees.

Both are written in one walk, so that the page and the passage cannot differ. What a link may be is decided by
`links`.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape

from markdown_it.token import Token

from builder import characters, images, urls
from builder.corpus import Document
from builder.images import Picture
from builder.links import Links, Refusal, Target, attributes
from builder.problems import Problem, shown
from cairn_core.language import direction, runs

_TAG = re.compile(r"(?<!\\)(?:</?[A-Za-z][^<>]*>|<!--|<\?|<![A-Za-z\[])")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.+?)(?<!`)\1(?!`)", re.DOTALL)
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>")
WIDE = re.compile("[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""A character of a script that sets no space at a line's end."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A link to a fragment of a document, checked once every page is rendered."""

    target: Target
    line: int
    column: int


@dataclass(slots=True)
class Findings:
    """What is found while a document is written: problems, links to fragments, images by URL.

    `tags` are the places of tags shown as text, `dropped` the scheme and place of links left out; both are
    reported once a corpus. `asked` and `shown` are what the page depends on beside its file: the pages of the
    documents it links to by their paths, "" for one without a page, and the images as they are named -> URL.
    """

    problems: list[Problem] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    pictures: dict[str, Picture] = field(default_factory=dict)
    tags: list[tuple[int, int]] = field(default_factory=list)
    dropped: list[tuple[str, int, int]] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Sheet:
    """One document on its way to a page, and what its blocks share."""

    document: Document
    links: Links
    found: Findings = field(default_factory=Findings)
    labels: set[str] = field(default_factory=set)
    rtl: bool = False
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rtl = direction(self.document.lang) == "rtl"
        self.lines = self.document.body.split("\n")

    def place(self, token: Token, needle: str = "") -> tuple[int, int]:
        """Return line and column of a needle in the source of a token, else of the token itself."""
        first, last = token.map or [0, 1]
        if needle:
            for number in range(first, min(last, len(self.lines))):
                column = self.lines[number].find(needle)
                if column >= 0:
                    return self.document.body_line + number, column + 1
        return self.document.body_line + first, 1

    def report(self, code: str, place: tuple[int, int], message: str, hint: str = "") -> None:
        """Remember a problem of this document."""
        self.found.problems.append(Problem(self.document.path, *place, code, message, hint))

    def html(self, text: str) -> str:
        """Return text as HTML; in a right-to-left document runs that would be reordered are isolated."""
        if not self.rtl:
            return escape(text, quote=False)
        return "".join(
            f'<bdi dir="ltr">{escape(run.text, quote=False)}</bdi>'
            if run.ltr
            else escape(run.text, quote=False)
            for run in runs(text)
        )


def write(token: Token, sheet: Sheet) -> tuple[str, str]:
    """Return an inline token as (HTML, text); hard breaks are line feeds in the text, soft ones blanks."""
    children = token.children or []
    if (
        len(children) == 1
        and children[0].type == "text"
        and "<" not in token.content
        and "&" not in token.content
    ):
        text = _flat(children[0].content)
        return sheet.html(text), text
    line = _Line(token, sheet)
    for place, child in enumerate(children):
        line.write(child, children[place + 1] if place + 1 < len(children) else None)
    if line.bracket:
        _check_tags(token, sheet)
    text = "".join(line.text)
    if "&" in token.content:
        _check_references(token, text, sheet)
    return "".join(line.parts), text


@dataclass(slots=True)
class _Line:
    """The walk over the tokens of one block."""

    token: Token
    sheet: Sheet
    parts: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)
    bracket: bool = False

    def write(self, child: Token, following: Token | None) -> None:
        WRITERS[child.type](self, child, following)

    def put(self, text: str, html: str | None = None) -> None:
        self.text.append(text)
        self.parts.append(self.sheet.html(text) if html is None else html)


def _text(line: _Line, child: Token, _: Token | None) -> None:
    line.bracket = line.bracket or "<" in child.content
    line.put(_flat(child.content))


def _code(line: _Line, child: Token, _: Token | None) -> None:
    text = _flat(child.content)
    side = ' dir="ltr"' if line.sheet.rtl else ""
    line.put(text, f"<code{side}>{escape(text, quote=False)}</code>")


def _soft_break(line: _Line, _: Token, following: Token | None) -> None:
    before = line.text[-1][-1:] if line.text else ""
    after = following.content[:1] if following and following.type == "text" else ""
    if not (before and after and WIDE.match(before) and WIDE.match(after)):
        line.put(" ", " ")


def _hard_break(line: _Line, _: Token, __: Token | None) -> None:
    line.put("\n", "<br>\n")


def _mark(line: _Line, child: Token, _: Token | None) -> None:
    line.parts.append(f"<{'/' if child.nesting < 0 else ''}{child.tag}>")


def _link_open(line: _Line, child: Token, _: Token | None) -> None:
    sheet, url = line.sheet, str(child.attrs.get("href", ""))
    sheet.labels.add(child.meta.get("label", ""))
    target = sheet.links.resolve(url, sheet.document)
    place = sheet.place(line.token, url)
    if isinstance(target, Refusal):
        if target.code == "W511":
            sheet.found.dropped.append((target.message, *place))
        else:
            sheet.report(target.code, place, target.message.format(shown(url)), target.hint)
        line.closing.append("")
        return
    if target.path:
        sheet.found.references.append(Reference(target, *place))
        sheet.found.asked[target.path] = sheet.links.pages.get(target.path, "")
    line.parts.append(f"<a{attributes(target)}{_title(child)}>")
    line.closing.append("</a>")


def _link_close(line: _Line, _: Token, __: Token | None) -> None:
    line.parts.append(line.closing.pop())


def _image(line: _Line, child: Token, _: Token | None) -> None:
    sheet, url = line.sheet, str(child.attrs.get("src", ""))
    sheet.labels.add(child.meta.get("label", ""))
    place = sheet.place(line.token, url)
    alt = _flat(child.content).strip()
    if not alt:
        sheet.report(
            "E507", place, f"The image {shown(url)} has no description.", "write ![description](file)"
        )
    picture = images.load(url, sheet.document.path, sheet.links.project.corpus_dir)
    if isinstance(picture, Refusal):
        sheet.report(picture.code, place, picture.message.format(shown(url)), picture.hint)
        return
    sheet.found.pictures[picture.url] = picture
    sheet.found.shown[url] = picture.url
    source = urls.relative(picture.url, sheet.links.page(sheet.document))
    size = f' width="{picture.width}" height="{picture.height}"' if picture.width else ""
    line.parts.append(f'<img src="{escape(source)}" alt="{escape(alt)}"{size}{_title(child)}>')


def _title(child: Token) -> str:
    title = child.attrs.get("title")
    return f' title="{escape(str(title))}"' if title else ""


WRITERS: Mapping[str, Callable[[_Line, Token, Token | None], None]] = {
    "text": _text,
    "code_inline": _code,
    "softbreak": _soft_break,
    "hardbreak": _hard_break,
    "em_open": _mark,
    "em_close": _mark,
    "strong_open": _mark,
    "strong_close": _mark,
    "link_open": _link_open,
    "link_close": _link_close,
    "image": _image,
}
"""Every token the parser makes inside a block -> what writes it."""


def _flat(text: str) -> str:
    """Return text without tabs and line feeds, which separate cells and lines of a passage."""
    return text.replace("\t", " ").replace("\n", " ") if "\t" in text or "\n" in text else text


def _check_tags(token: Token, sheet: Sheet) -> None:
    source = _CODE_SPAN.sub(_blank, token.content)
    source = _AUTOLINK.sub(_blank, source)
    for match in _TAG.finditer(source):
        place = sheet.place(token, match[0].partition("\n")[0])
        if match[0] == "<!--" and source[match.end() :].lstrip().startswith("review:"):
            said = source[match.start() :].partition("\n")[0]
            hint = "compare with the original, then delete this line"
            sheet.report(
                "E418", sheet.place(token, said), f"A note of the import stands here: {shown(said)}.", hint
            )
        elif sheet.links.project.raw_html == "text":
            sheet.found.tags.append(place)
        else:
            hint = "write it in Markdown, or as `code`, or \\< for the sign"
            sheet.report("E401", place, f"The text holds the tag {shown(match[0])}.", hint)


def _check_references(token: Token, text: str, sheet: Sheet) -> None:
    hidden = [str(value) for child in token.children or [] for value in child.attrs.values()]
    suspect = characters.first_suspect("\n".join([text.replace("\n", " "), *hidden]))
    if suspect is not None:
        code, char = suspect
        name = characters.code_point(char)
        message = f'A character reference stands for "{name}".'
        sheet.report(code, sheet.place(token, "&"), message, "delete the reference")


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def is_colon(char: str) -> bool:
    """Tell whether a character ends a line that introduces what follows, in any script."""
    return char in ":：︰﹕፡፥᠄" or "COLON" in unicodedata.name(char, "")
