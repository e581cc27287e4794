"""What stands around the text of a web page: menus, headers, cookie notices, footers. It is taken out, named.

Which part is the text: `<main>`, else the only `<article>`, else the body. Inside it an element is furniture
by its tag, its ARIA role (WAI-ARIA 1.2, landmark roles), the words of its class or id, or because nearly all
of its text is links.
"""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import Tag

from builder.intake.notes import Notes, quoted

SILENT = ("script", "style", "noscript", "template", "link", "meta", "base", "title", "svg", "canvas")
"""Never text of a page."""

_TAGS = ("nav", "aside", "dialog")
_ROLES = frozenset(
    {
        "navigation",
        "banner",
        "contentinfo",
        "search",
        "complementary",
        "dialog",
        "alertdialog",
        "menu",
        "menubar",
    }
)
_WORDS = frozenset(
    re.findall(
        r"\S+",
        """ad ads advert advertisement banner breadcrumb breadcrumbs consent cookie cookies footer header
        masthead menu nav navbar navfooter navheader navigation newsletter pager pagination related
        share sharing sidebar skip skiplink social subscribe toc toolbar usa-banner usa-footer usa-
        header""",
    )
)
_LINKED_SHARE = 0.8
"""Share of letters inside links from which a list of at least `_LINKS` links is a menu."""
_LINKS = 5
_KEPT_SHARE = 0.5
"""An element with more of the text than this is no furniture, whatever its class says."""


def text_of_page(soup: BeautifulSoup, notes: Notes) -> Tag:
    """Return the element that holds the text of a page, furniture taken out and named in one note."""
    for element in soup(SILENT):
        element.decompose()
    root = _root(soup)
    gone = [] if root.name in ("body", "[document]") else list(_outside(soup, root))
    whole = _letters(root)
    for element in root.find_all(True):
        if not element.decomposed and _is_furniture(element, whole):
            gone.append(element.get_text(" "))
            element.decompose()
    named = [quoted(text, 40) for text in gone if text.strip()]
    if named:
        more = f" and {len(named) - 8} more" if len(named) > 8 else ""
        notes.say(f"left out as menus, headers, notices or footers: {', '.join(named[:8])}{more}")
    return root


def _root(soup: BeautifulSoup) -> Tag:
    mains = soup.select("main, [role=main]")
    if mains:
        return mains[0]
    articles = [article for article in soup("article") if article.find_parent("article") is None]
    if len(articles) == 1:
        return articles[0]
    return soup.body or soup


def _outside(element: Tag, root: Tag) -> Iterator[str]:
    """Yield the texts of what stands beside `root` and the way down to it, in order."""
    for child in element.children:
        if isinstance(child, Tag) and child is not root and child.name != "head":
            if any(parent is child for parent in root.parents):
                yield from _outside(child, root)
            else:
                yield child.get_text(" ")


def _letters(element: Tag) -> int:
    return sum(map(str.isalnum, element.get_text()))


def _is_furniture(element: Tag, whole: int) -> bool:
    if element.has_attr("hidden") or element.get("aria-hidden") == "true":
        return True
    if element.name in _TAGS or str(element.get("role", "")) in _ROLES:
        return True
    if element.name in ("header", "footer"):
        return element.find(["h1", "h2"]) is None or element.name == "footer"
    if element.name in ("div", "section", "ul", "ol", "p", "a"):
        letters = _letters(element)
        named = bool(_names(element) & _WORDS) and element.find("h1") is None
        return (named and letters < whole * _KEPT_SHARE) or _is_menu(element, letters)
    return False


def _names(element: Tag) -> set[str]:
    classes = element.get_attribute_list("class")
    written = " ".join(str(name) for name in [*classes, element.get("id")] if name)
    return {word for name in written.casefold().split() for word in [name, *re.split(r"[-_]+", name)[:2]]}


def _is_menu(element: Tag, letters: int) -> bool:
    if element.name not in ("ul", "ol"):
        return False
    links = element("a")
    return (
        len(links) >= _LINKS
        and sum(map(_letters, links)) > letters * _LINKED_SHARE
        and not _is_contact(links)
    )


def _is_contact(links: list[Tag]) -> bool:
    return any(str(link.get("href", "")).startswith(("tel:", "mailto:")) for link in links)
