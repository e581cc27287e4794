"""What a site has only when its public address is known: the codes on paper and the site map.

Every other address in the pages is relative; these two have to be read from outside the site.
"""

from collections.abc import Iterable, Iterator
from html import escape

from markupsafe import Markup

from builder import urls
from builder.frame import PlacedDocument, SiteModel

SITEMAP = "sitemap.xml"
QUIET_ZONE = 4
"""Modules of white around a code, the least ISO/IEC 18004 asks for."""


def code(address: str) -> Markup:
    """Return the QR code of an address as SVG, drawn in black at the size the style sheet gives it."""
    import segno  # only sites with a public address need it

    drawn = segno.make_qr(address, error="m", boost_error=False)
    svg = drawn.svg_inline(border=QUIET_ZONE, omitsize=True, svgclass="qr", lineclass=None, dark="#000")
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" '))  # noqa: S704 - modules drawn by segno


def sitemap(site: SiteModel) -> bytes:
    """Return the site map (sitemaps.org 0.9) of a site with a public address, its languages as alternates."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ]
    for url, reviewed, others in _entries(site):
        dated = f"<lastmod>{reviewed}</lastmod>" if reviewed else ""
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{lang}" href="{escape(site.project.public(other))}"/>'
            for lang, other in others
        )
        lines.append(f"<url><loc>{escape(site.project.public(url), quote=False)}</loc>{dated}{links}</url>")
    return "\n".join([*lines, "</urlset>", ""]).encode()


def _entries(site: SiteModel) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield URL, review date and (language, URL) of every version of it, itself among them."""
    yield "index.html", "", []
    for page in (urls.ask_url, urls.contents_url, urls.topics_url):
        versions = [(lang, page(lang)) for lang in site.languages]
        for _, url in versions:
            yield url, "", versions if len(versions) > 1 else []
    for one in site.documents:
        versions = [(other.document.lang, other.url) for other in _family(site, one)]
        yield one.url, one.document.reviewed, versions if len(versions) > 1 else []


def _family(site: SiteModel, placed: PlacedDocument) -> Iterable[PlacedDocument]:
    return site.families[placed.document.family].values()
