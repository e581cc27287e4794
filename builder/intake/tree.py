"""An HTML tree with only what Markdown can say; what cannot be carried over is noted at its place.

`STEPS` are taken in order. Text stays in the tree: only elements without words of the document go.
"""

import re
import unicodedata
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup
from bs4.element import Comment, NavigableString, PreformattedString, Tag

from builder.inline import WIDE
from builder.intake import tables
from builder.intake.notes import Notes, quoted

SCHEMES = ("http", "https", "mailto", "tel")
"""Schemes of links a document may hold."""

_RAISED = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
_LOWERED = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
_ORDINALS = ("st", "nd", "rd", "th", "o", "a", "er", "e", "re")
_CONTROLS = ("form", "button", "input", "select", "textarea")
_MEDIA = {
    "iframe": "embedded page",
    "object": "embedded object",
    "embed": "embedded object",
    "video": "film",
} | {
    "audio": "recording",
    "math": "formula",
    "map": "image map",
}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = ("p", "div", "section", "article", "ul", "ol", "table", "pre", "blockquote", *_HEADINGS)
_LINKS_A_NOTE = 4
_EMPHASIS = ("strong", "b", "em", "i")


def reduce(root: Tag, base: str, notes: Notes) -> None:
    """Bring the tree below `root` to paragraphs, headings, lists, tables, quotations, code, links, emphasis.

    `base` is the address relative links start from, "" when it is not known.
    """
    for step in STEPS:
        step(root, base, notes)


def _remarks(root: Tag, _: str, __: Notes) -> None:
    for text in root.find_all(string=lambda text: isinstance(text, PreformattedString | Comment)):
        text.extract()


def _controls(root: Tag, _: str, notes: Notes) -> None:
    for form in root("form"):
        words = form.get_text(" ", strip=True)
        notes.before(form, f"a form was left out, its words were {quoted(words, 120)}")
        form.decompose()
    for control in root(_CONTROLS):
        if not control.decomposed:
            words = control.get_text(" ", strip=True)
            if words:
                notes.before(control, f"a button or field was left out: {quoted(words)}")
            control.decompose()


def _media(root: Tag, _: str, notes: Notes) -> None:
    for element in root(list(_MEDIA)):
        if not element.decomposed:
            address = str(element.get("src") or element.get("data") or "")
            notes.before(
                element, f"{_MEDIA[element.name]} left out: {quoted(address or element.get_text(' '))}"
            )
            element.decompose()


def _pictures(root: Tag, _: str, notes: Notes) -> None:
    for picture in root("img"):
        alt = str(picture.get("alt") or "").strip()
        name = str(picture.get("src") or "").partition("?")[0].rpartition("/")[2][:60]
        if alt or not picture.has_attr("alt"):
            shown = f" ({name})" if name and not name.startswith("data:") else ""
            notes.before(
                picture,
                f"picture {quoted(alt or 'without a description')}{shown} left out: write what it says",
            )
        picture.decompose()


def _links(root: Tag, base: str, notes: Notes) -> None:
    inside, lost = 0, []
    for link in root("a"):
        url = str(link.get("href") or "").strip()
        words = link.get_text(" ", strip=True)
        whole = urljoin(base, url) if base and url and not url.startswith("#") else url
        scheme = urlsplit(whole).scheme if _is_address(whole) else ""
        if not url or not words:
            link.unwrap()
        elif scheme in SCHEMES:
            link.attrs = {"href": whole.replace(" ", "%20").replace("(", "%28").replace(")", "%29")}
        else:
            inside += url.startswith("#")
            lost += [] if url.startswith("#") else [f"{quoted(words, 30)} to {quoted(url)}"]
            link.unwrap()
    if inside:
        notes.say(f"links inside the document that are plain text now: {inside}")
    for start in range(0, len(lost), _LINKS_A_NOTE):
        notes.say(f"links that are plain text now: {', '.join(lost[start : start + _LINKS_A_NOTE])}")


def _is_address(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return not any(unicodedata.category(char) == "Cc" for char in url)


def _raised(root: Tag, _: str, notes: Notes) -> None:
    for name, forms in (("sup", _RAISED), ("sub", _LOWERED)):
        for element in root(name):
            text = element.get_text(strip=True)
            if text and all(char in forms for char in text) and element.find("a") is None:
                element.replace_with(NavigableString("".join(forms[char] for char in text)))
            else:
                if text and text not in _ORDINALS:
                    notes.before(element, f"the small {quoted(text)} stands in the line now")
                element.unwrap()


def _struck(root: Tag, _: str, notes: Notes) -> None:
    for element in root(["del", "s", "strike"]):
        if element.get_text(strip=True):
            notes.before(element, f"struck-out text left out: {quoted(element.get_text(' '))}")
        element.decompose()


def _abbreviations(root: Tag, _: str, notes: Notes) -> None:
    for element in root("abbr"):
        title = str(element.get("title") or "").strip()
        if title and title.casefold() != element.get_text(strip=True).casefold():
            notes.before(element, f"{quoted(element.get_text())} was explained as {quoted(title)}")
        element.unwrap()


def _definitions(root: Tag, _: str, __: Notes) -> None:
    """Write a list of terms as a bullet list, `term: explanation`."""
    soup = BeautifulSoup("", "html.parser")
    for block in reversed(root("dl")):
        items = soup.new_tag("ul")
        for part in block.find_all(["dt", "dd"]):
            term = part.name == "dt"
            if term or items.contents == []:
                items.append(soup.new_tag("li"))
            item = items.contents[-1]
            if not isinstance(item, Tag):
                continue
            if not term and item.get_text(strip=True):
                item.append(": " if not item.find("br") else " ")
            for child in list(part.contents):
                item.append(child.extract())
        block.replace_with(items)


def _folded(root: Tag, _: str, __: Notes) -> None:
    """Write what folds open as its summary, a heading, and its text."""
    for details in root("details"):
        summary = details.find("summary")
        if isinstance(summary, Tag):
            before = details.find_previous(["h1", "h2", "h3", "h4", "h5"])
            level = int(before.name[1]) + 1 if isinstance(before, Tag) else 2
            inner = summary.find(list(_HEADINGS))
            if isinstance(inner, Tag):
                inner.unwrap()
            summary.name = f"h{min(level, 6)}"
        details.name = "div"


def _captions(root: Tag, _: str, __: Notes) -> None:
    for caption in root(["figcaption", "legend", "address", "summary"]):
        caption.name = "p"
    for element in root(["figure", "fieldset", "hgroup", "center", "main"]):
        element.name = "div"


def _tables(root: Tag, _: str, notes: Notes) -> None:
    tables.rewrite(root, notes)


def _headings(root: Tag, _: str, __: Notes) -> None:
    for heading in root(list(_HEADINGS)):
        if not heading.get_text(strip=True):
            heading.decompose()
            continue
        for block in heading(["p", "div", "span", "br", "strong", "b", "em", "i"]):
            block.insert_after(" ") if block.name in ("br", "p", "div") else None
            block.unwrap()


def _lists(root: Tag, _: str, __: Notes) -> None:
    """Take lists apart whose items hold headings: they lay out sections."""
    for block in root(["ul", "ol"]):
        if block.find(list(_HEADINGS)) is not None:
            for item in block.find_all("li", recursive=False):
                item.name = "div"
            block.name = "div"
            block.attrs = {}


def _spaces(root: Tag, _: str, __: Notes) -> None:
    """Put running text on one line; between two wide characters a line's end is no space."""
    root.smooth()
    for text in root.find_all(string=True):
        if text.find_parent("pre") is None:
            lines = [line.strip(" \t\r") for line in text.split("\n")]
            joined = lines[0]
            for line in lines[1:]:
                wide = joined and line and WIDE.match(joined[-1]) and WIDE.match(line[0])
                joined += line if wide else f" {line}"
            edges = " " if text[:1].isspace() else "", " " if text[-1:].isspace() else ""
            text.replace_with(f"{edges[0]}{re.sub('[ \\t]{2,}', ' ', joined.strip())}{edges[1]}")


def _rules(root: Tag, _: str, __: Notes) -> None:
    for rule in root("hr"):
        rule.decompose()


def _paragraphs(root: Tag, _: str, __: Notes) -> None:
    """Put words that stand in a container beside its blocks into paragraphs."""
    soup = BeautifulSoup("", "html.parser")
    for container in [root, *root(["div", "section", "article", "blockquote"])]:
        paragraph: Tag | None = None
        for child in list(container.children):
            if isinstance(child, Tag) and (child.name in _BLOCKS or child.find(_BLOCKS) is not None):
                paragraph = None
            elif paragraph is not None:
                paragraph.append(child.extract())
            elif child.get_text(strip=True):
                paragraph = soup.new_tag("p")
                child.insert_before(paragraph)
                paragraph.append(child.extract())


def _emphasis(root: Tag, _: str, __: Notes) -> None:
    """Keep emphasis only where its signs are read as such (CommonMark 0.31.2, section 6.2)."""
    for element in root(_EMPHASIS):
        text = element.get_text()
        before, after = _beside(element, before=True), _beside(element, before=False)
        nested = element.find(list(_EMPHASIS)) or element.find_parent(list(_EMPHASIS))
        stripped = text.strip()
        beside = (element.previous_sibling, element.next_sibling)
        crowded = nested or any(isinstance(other, Tag) and other.name in _EMPHASIS for other in beside)
        safe = bool(stripped) and not crowded and "\n\n" not in text and element.find("br") is None
        for inner, outer in ((stripped[:1], before), (stripped[-1:], after)):
            safe = (
                safe
                and (outer in ("", " ") or not _is_sign(inner))
                and inner not in "*_"
                and outer not in tuple("*_")
            )
        if not safe:
            element.unwrap()


def _beside(element: Tag, *, before: bool) -> str:
    text = element.previous_sibling if before else element.next_sibling
    written = text.get_text() if text is not None else ""
    char = (written[-1:] if before else written[:1]) or ""
    return " " if char.isspace() else char


def _is_sign(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS" if char else False


STEPS: tuple[Callable[[Tag, str, Notes], None], ...] = (
    _remarks,
    _controls,
    _media,
    _pictures,
    _links,
    _raised,
    _struck,
    _abbreviations,
    _definitions,
    _folded,
    _captions,
    _tables,
    _headings,
    _lists,
    _spaces,
    _rules,
    _paragraphs,
    _emphasis,
)
