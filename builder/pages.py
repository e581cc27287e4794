"""Pages of a site: the site model in, one `Page(url, html)` after the other out.

Markup lives in `web/templates`, human words in the catalogues of `cairn_core.language`; the inner HTML of a document comes from
`passages`. Writing files is left to `site`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.corpus import Document
from builder.passages import Rendered
from builder.project import Project

WEB = next(
    folder
    for folder in (Path(__file__).with_name("_web"), Path(__file__).parents[1] / "web")
    if folder.is_dir()
)
"""Templates, stylesheet, images and scripts: beside the packages in a checkout, inside the package when installed."""

STATIC: Mapping[str, str] = {
    "assets/cairn.css": "css/cairn.css",
    "assets/mark.svg": "img/mark.svg",
    "assets/favicon.svg": "img/favicon.svg",
    "assets/js/bytes.js": "js/bytes.js",
    "assets/js/engine.js": "js/engine.js",
    "assets/js/view.js": "js/view.js",
    "assets/js/ask.js": "js/ask.js",
}
"""Every file a page refers to: URL -> path under `WEB`. The site writer copies exactly these."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document, what it became, and where in the site it stands (`urls.document_urls`)."""

    document: Document
    rendered: Rendered
    url: str


@dataclass(frozen=True, slots=True)
class SiteModel:
    """Everything the pages say: `build` is the build id, `languages` every language that has a document, in the order shown."""

    project: Project
    build: str
    languages: tuple[str, ...]
    documents: tuple[PlacedDocument, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page: `url` from the site's root, `html` complete and ending in a newline."""

    url: str
    html: str


def pages(site: SiteModel) -> Iterator[Page]:
    """Yield the language chooser, then for each language its ask page, contents, topics and documents."""
    raise NotImplementedError(site.build)
