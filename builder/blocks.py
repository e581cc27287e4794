"""Blocks of a document: the parser's tokens as headings, paragraphs, lists, tables, code and quotations, each
with HTML and lines.

A block keeps its items or rows apart, so that `passages` can cut a long one between them. Limits on size and
nesting are held here.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from markdown_it.token import Token

from builder import inline, limits, markdown
from builder.inline import Sheet
from builder.problems import shown

type Lines = list[tuple[str, str]]


@dataclass(slots=True)
class Piece:
    """What is never cut: a paragraph, an item, a row. `lines` are (layout letter, text)."""

    html: str
    lines: Lines

    @property
    def size(self) -> int:
        """Return the characters of its text."""
        return sum(len(text) + 1 for _, text in self.lines)


@dataclass(slots=True)
class Block:
    """One block: pieces between an opening and a closing tag; `header` is repeated when the block is cut.

    `start` is the number of an ordered list's first item, `level` that of a heading.
    """

    kind: str
    line: int
    pieces: list[Piece]
    opening: str = ""
    closing: str = ""
    header: Piece | None = None
    start: int | None = None
    level: int = 0
    html_lang: str = ""

    @property
    def size(self) -> int:
        """Return the characters of its text."""
        return sum(piece.size for piece in self.pieces) + (self.header.size if self.header else 0)

    @property
    def words(self) -> str:
        """Return its text on one line."""
        return " ".join(text for piece in self.pieces for _, text in piece.lines).replace("\n", " ")


@dataclass(slots=True)
class _Walk:
    """The position in a list of tokens."""

    tokens: list[Token]
    sheet: Sheet
    at: int = 0
    depth: int = 0
    covered: set[int] = field(default_factory=set)

    def next(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def until(self, closing: str, level: int) -> Iterator[Token]:
        """Yield tokens up to the closing one of a level, which is consumed."""
        while True:
            token = self.next()
            if token.type == closing and token.level == level:
                return
            yield token

    def cover(self, token: Token) -> None:
        if token.map:
            self.covered.update(range(*token.map))


def read(sheet: Sheet) -> list[Block]:
    """Return the blocks of a document's body; a document over a limit has none, and a problem."""
    body = sheet.document.body
    if not body.strip() or not limits.parsable(sheet):
        return []
    environment: dict[str, Any] = {}  # the parser puts values of several types here
    walk = _Walk(markdown.PARSER.parse(body, environment), sheet)
    blocks: list[Block] = []
    while walk.at < len(walk.tokens):
        blocks += _block(walk)
    limits.report_held(sheet, environment["held"])
    limits.check_lost(sheet, walk.covered, environment.get("references", {}))
    return blocks


def _block(walk: _Walk) -> list[Block]:
    token = walk.next()
    return WRITERS[token.type](walk, token)


def _heading(walk: _Walk, token: Token) -> list[Block]:
    html, text = _inline(walk)
    walk.cover(token)
    walk.next()
    text = text.replace("\n", " ")
    if not text.strip():
        return []
    piece = Piece(html.replace("<br>\n", " "), [("h", text)])
    return [Block("heading", _line(walk, token), [piece], level=int(token.tag[1]))]


def _paragraph(walk: _Walk, token: Token) -> list[Block]:
    html, text = _inline(walk)
    walk.next()
    if not text.strip():
        return [Block("figure", _line(walk, token), [Piece(html, [])], "<p>", "</p>")] if html else []
    piece = Piece(html, [("p", part) for part in text.split("\n")])
    tags = ("", "") if token.hidden else ("<p>", "</p>")
    return [_limited(walk, Block("paragraph", _line(walk, token), [piece], *tags))]


def _inline(walk: _Walk) -> tuple[str, str]:
    token = walk.next()
    walk.cover(token)
    return inline.write(token, walk.sheet)


def _code(walk: _Walk, token: Token) -> list[Block]:
    walk.cover(token)
    content = token.content.rstrip("\n")
    if not content.strip():
        return []
    side = ' dir="ltr"' if walk.sheet.rtl else ""
    piece = Piece(escape(content, quote=False), [("c", text) for text in content.split("\n")])
    return [_limited(walk, Block("code", _line(walk, token), [piece], f"<pre{side}><code>", "</code></pre>"))]


def _rule(walk: _Walk, token: Token) -> list[Block]:
    walk.cover(token)
    return [Block("rule", _line(walk, token), [Piece("<hr>", [])])]


def _list(walk: _Walk, token: Token) -> list[Block]:
    ordered = token.type == "ordered_list_open"
    tag, letter = ("ol", "o") if ordered else ("ul", "l")
    pieces = [
        _item(walk, child, letter)
        for child in walk.until(token.type.replace("open", "close"), token.level)
        if child.type == "list_item_open"
    ]
    start = int(token.attrs.get("start", 1)) if ordered else None
    block = Block("list", _line(walk, token), pieces, f"<{tag}>", f"</{tag}>", start=start)
    return [block] if any(piece.lines for piece in pieces) else []


def _item(walk: _Walk, token: Token, letter: str) -> Piece:
    blocks = _inside(walk, token, "list_item_close")
    lines: Lines = []
    for place, block in enumerate(blocks):
        own = [line for piece in _all_pieces(block) for line in piece.lines]
        if not place and block.kind in ("paragraph", "heading") and own:
            own[0] = (letter, own[0][1])
        lines += own
    return Piece(f"<li>{_nested_html(blocks)}</li>", lines)


def _quote(walk: _Walk, token: Token) -> list[Block]:
    blocks = _inside(walk, token, "blockquote_close")
    lines = [line for block in blocks for piece in _all_pieces(block) for line in piece.lines]
    if not lines:
        return []
    quoted = [("q" if letter in "ph" else letter, text) for letter, text in lines]
    piece = Piece(_nested_html(blocks), quoted)
    block = Block("quote", _line(walk, token), [piece], "<blockquote>", "</blockquote>")
    return [_limited(walk, block)]


def _inside(walk: _Walk, token: Token, closing: str) -> list[Block]:
    walk.depth += 1
    blocks: list[Block] = []
    if walk.depth == markdown.MAX_NESTING + 1:
        place = walk.sheet.place(token)
        walk.sheet.report("E403", place, f"The nesting is deeper than {markdown.MAX_NESTING}.", "flatten it")
    while not (walk.tokens[walk.at].type == closing and walk.tokens[walk.at].level == token.level):
        blocks += _block(walk)
    walk.at += 1
    walk.depth -= 1
    return blocks


def _nested_html(blocks: list[Block]) -> str:
    return "\n".join(
        f"<p><strong>{block.pieces[0].html}</strong></p>"
        if block.kind == "heading"
        else html(block, 0, len(block.pieces))
        for block in blocks
    )


def _table(walk: _Walk, token: Token) -> list[Block]:
    walk.cover(token)
    rows: list[Piece] = []
    for row in walk.until("table_close", token.level):
        if row.type == "tr_open":
            rows.append(_row(walk, row, header=not rows))
    header, *body = rows
    if len(body) > limits.MAX_ROWS:
        message = f'The table has "{len(body)}" rows, more than {limits.MAX_ROWS}.'
        walk.sheet.report("E405", walk.sheet.place(token), message, "split the table")
    opening = f"<table><thead>{header.html}</thead><tbody>"
    return [Block("table", _line(walk, token), body, opening, "</tbody></table>", header=header)]


def _row(walk: _Walk, token: Token, *, header: bool) -> Piece:
    cells: list[str] = []
    texts: list[str] = []
    for cell in walk.until("tr_close", token.level):
        if cell.type not in ("th_open", "td_open"):
            continue
        inner, text = _inline(walk)
        texts.append(text.replace("\n", " "))
        cells.append(f"<{cell.tag}{_scope(cell)}>{inner}</{cell.tag}>")
    _check_cells(walk, token, texts)
    return Piece(f"<tr>{''.join(cells)}</tr>", [("t" if header else "r", "\t".join(texts))])


def _scope(cell: Token) -> str:
    style = str(cell.attrs.get("style", ""))
    side = {"text-align:right": ' class="align-end"', "text-align:center": ' class="align-center"'}.get(
        style, ""
    )
    return f' scope="col"{side}' if cell.tag == "th" else side


def _check_cells(walk: _Walk, token: Token, texts: list[str]) -> None:
    if token.map is None:
        return
    source = walk.sheet.lines[token.map[0]].lstrip("> \t").rstrip()
    cells = re.split(r"(?<!\\)\|", source.removeprefix("|").removesuffix("|"))
    lost = [cell.strip() for cell in cells[len(texts) :] if cell.strip()]
    if lost and lost[-1] not in texts:
        place = walk.sheet.place(token, lost[0])
        message = f"The cell {shown(lost[0])} has no column and is lost."
        walk.sheet.report("E406", place, message, "add a column to the header, or write \\| for the sign")


WRITERS: Mapping[str, Callable[[_Walk, Token], list[Block]]] = {
    "heading_open": _heading,
    "paragraph_open": _paragraph,
    "bullet_list_open": _list,
    "ordered_list_open": _list,
    "blockquote_open": _quote,
    "table_open": _table,
    "fence": _code,
    "code_block": _code,
    "hr": _rule,
}
"""Every token that opens a block -> what writes it."""


def html(block: Block, first: int, last: int) -> str:
    """Return the HTML of a block's pieces `first` up to `last`; an ordered list goes on counting."""
    opening = block.opening
    if block.start is not None and block.start + first != 1:
        opening = f'<ol start="{block.start + first}">'
    return f"{opening}{''.join(piece.html for piece in block.pieces[first:last])}{block.closing}"


def _all_pieces(block: Block) -> list[Piece]:
    return [block.header, *block.pieces] if block.header else block.pieces


def _line(walk: _Walk, token: Token) -> int:
    return walk.sheet.place(token)[0]


def _limited(walk: _Walk, block: Block) -> Block:
    if block.size > markdown.MAX_BLOCK:
        message = f'The {block.kind} has "{block.size}" characters, more than {markdown.MAX_BLOCK}.'
        walk.sheet.report("E402", (block.line, 1), message, "split it by blank lines")
    return block
