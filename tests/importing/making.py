"""DOCX and PDF files made of a few lines, for tests of what reads them."""

import io
import zipfile
from collections.abc import Mapping, Sequence

_NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_STYLE_LINK = _LINKS.replace("relationships/officeDocument", "relationships/styles").replace(
    "word/document.xml", "styles.xml"
)
_STYLES = (
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Contents"><w:name w:val="toc 1"/></w:style>'
)


def paragraph(text: str, style: str = "") -> str:
    """Return the XML of one paragraph."""
    kind = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{kind}<w:r><w:t>{text}</w:t></w:r></w:p>"


def docx(body: str, lang: str = "en-US", parts: Mapping[str, str] | None = None) -> bytes:
    """Return a DOCX with this XML in its body and further parts by name."""
    lang_of = f'<w:rPrDefault><w:rPr><w:lang w:val="{lang}"/></w:rPr></w:rPrDefault>'
    styles = f"<w:docDefaults>{lang_of}</w:docDefaults>{_STYLES}"
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _LINKS,
        "word/document.xml": f"<w:document {_NAMES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {_NAMES}>{styles}</w:styles>",
        "word/_rels/document.xml.rels": _STYLE_LINK,
    } | {name: f"<w:x {_NAMES}>{content}</w:x>" for name, content in (parts or {}).items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


type Placed = tuple[float, float, float, str]
"""Left, top, size in points, and a text in Latin-1."""


def pdf(pages: Sequence[Sequence[Placed]], ruled: Sequence[tuple[float, float, float, float]] = ()) -> bytes:
    """Return a PDF of 612 by 792 points with texts at places; `ruled` are lines on the first page, each from
    x0, y0 to x1, y1, counted from the top.
    """
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for number, placed in enumerate(pages):
        lines = [
            f"{x0} {792 - y0} m {x1} {792 - y1} l S" for x0, y0, x1, y1 in (ruled if number == 0 else ())
        ]
        content = "\n".join(
            lines
            + [
                f"BT /F1 {size} Tf 1 0 0 1 {left} {792 - top} Tm ({_escaped(text)}) Tj ET"
                for left, top, size, text in placed
            ]
        ).encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        stream = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % stream
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    return _file(objects)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: Sequence[bytes]) -> bytes:
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, len(out))
    )
