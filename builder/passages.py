"""Passages of a document: what can be quoted, wrapped on the page under its anchor.

One parse gives both. A passage is one block with the headings directly above it; a paragraph that introduces
a list, table or code stays with it; long lists and tables are cut between items and rows. Nothing is written
to disk here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from builder import anchors, blocks, sections
from builder.anchors import Entry, Ledger
from builder.blocks import Block
from builder.corpus import Document
from builder.grouping import Group, groups
from builder.inline import Findings, Sheet
from builder.links import Links
from builder.problems import has_errors, shown
from cairn_core.index import DocumentRef, Passage
from cairn_core.language import direction

LONG = 2_000
"""Characters of a passage that cannot be cut above which a warning says so."""

RESERVED_PREFIX = "cairn-"
"""Ids of the page around the document start with it; no heading gets one."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page: level 2 to 6, its words, the fragment it stands at ("" for none)."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document as its page needs it: the inner HTML, its passages, its headings.

    `places` holds the line of its file each passage starts on, `fragments` all ids that lead into the page,
    `entry` is its line of the anchor ledger, `found` what came up on the way.
    """

    document: Document
    url: str
    html: str
    passages: tuple[Passage, ...]
    places: tuple[int, ...]
    headings: tuple[Heading, ...]
    fragments: frozenset[str]
    entry: Entry
    found: Findings


def render(document: Document, links: Links, ledger: Ledger) -> Rendered:
    """Return one document rendered; its problems are in `found`, links to fragments are checked by
    `render_all`.
    """
    sheet = Sheet(document, links)
    page = _Page(sheet)
    found = [*sections.read(sheet), *_without_title(blocks.read(sheet), document, page)]
    page.lay_out(list(groups(found)), ledger)
    return page.finish()


def _without_title(found: list[Block], document: Document, page: "_Page") -> list[Block]:
    """Return the blocks without a first level-1 heading that says the title again; its fragment leads to the
    page's top.
    """
    if (
        found
        and found[0].kind == "heading"
        and found[0].level == 1
        and found[0].words.strip() == document.title
    ):
        page.top = anchors.unique_slug(document.title, page.slugs)
        return found[1:]
    return found


@dataclass(slots=True)
class _Page:
    """A page being laid out: ids in use, headings so far, and the HTML and passages made of the groups."""

    sheet: Sheet
    top: str = ""
    slugs: dict[str, int] = field(default_factory=dict)
    headings: list[Heading] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    entry: Entry = field(default_factory=Entry)
    used: set[str] = field(default_factory=set)

    def lay_out(self, found: list[Group], ledger: Ledger) -> None:
        """Write every group; anchors of all passages are known before the first is written."""
        document = self.sheet.document
        owned = [(group, group.own) for group in found]
        section, texts = "", []
        for group, own in owned:
            section = group.headings[-1].words if group.headings else section
            if own:
                texts.append((section, "\n".join(text for _, text in own)))
        names = anchors.names(texts)
        before = ledger.documents.get(document.doc_id, Entry())
        self.entry = anchors.reconcile(before, names)
        self._check_retired(before)
        self.used = {name for names_of_passage in self.entry.passages for name in names_of_passage}
        if self.top and self.top not in self.used:
            self.parts.append(f'<span class="alias" id="{escape(self.top)}"></span>')
        ref = DocumentRef(
            document.doc_id,
            document.title,
            document.lang,
            document.family,
            self.sheet.links.page(document),
            document.reviewed,
        )
        remaining = iter(texts)
        for group, own in owned:
            self._write(group, own, ref, next(remaining)[0] if own else "")

    def _write(self, group: Group, own: list[tuple[str, str]], ref: DocumentRef, section: str) -> None:
        inner = "".join([*(self._heading(block) for block in group.headings), *_content_html(group)])
        if not own:
            self.parts.append(inner)
            self._check_idle(group)
            return
        lines = [*(line for block in group.headings for line in block.pieces[0].lines), *own]
        text = "\n".join(text for _, text in lines)
        anchor, *aliases = self.entry.passages[len(self.passages)]
        passage = Passage(
            ref, len(self.passages) + 1, anchor, section, text, "".join(letter for letter, _ in lines)
        )
        self.passages.append(passage)
        self.places.append([*group.headings, *group.content][0].line)
        if not any(map(str.isalnum, text)):
            message = f"The text {shown(text)} has no word to find it by."
            self.sheet.report("W416", (group.content[-1].line, 1), message, "write words, or delete it")
        if len(text) > LONG:
            message = f'The block has "{len(text)}" characters, too long to quote well.'
            self.sheet.report("W412", (group.content[-1].line, 1), message, "split it by blank lines")
        earlier = "".join(f'<span class="alias" id="{escape(alias)}"></span>' for alias in aliases)
        opening = f'<div class="passage" id="{escape(anchor)}" data-passage="{passage.passage_id}">'
        self.parts.append(f"{opening}{earlier}{inner}</div>\n")

    def _check_retired(self, before: Entry) -> None:
        retired = set(self.entry.retired).difference(before.retired)
        if retired:
            message = f"The anchor {shown(min(retired))} of deleted text is retired; anchors: {len(retired)}."
            hint = "links to them now open the top of the page"
            self.sheet.report("W601", (self.sheet.document.body_line, 1), message, hint)

    def _check_idle(self, group: Group) -> None:
        if group.headings:
            block = group.headings[-1]
            message = f"The heading {shown(block.words)} has no text below it."
            hint = "write its text, or make it a paragraph"
            self.sheet.report("W411", (block.line, 1), message, hint)

    def _heading(self, block: Block) -> str:
        while self.levels and self.levels[-1] >= block.level:
            self.levels.pop()
        self.levels.append(block.level)
        level = min(len(self.levels) + 1, 6)
        name = anchors.unique_slug(block.words, self.slugs)
        if name in self.used or name.startswith(RESERVED_PREFIX):
            name = ""
        self.headings.append(Heading(level, block.words, name))
        lang = f' lang="{block.html_lang}" dir="{direction(block.html_lang)}"' if block.html_lang else ""
        place = f' id="{escape(name)}"' if name else ""
        return f"<h{level}{place}{lang}>{block.pieces[0].html}</h{level}>\n"

    def finish(self) -> Rendered:
        """Return what was laid out."""
        sheet = self.sheet
        if not self.passages and not has_errors(sheet.found.problems):
            message = f"The document {shown(sheet.document.title)} has nothing to quote."
            sheet.report("W225", (sheet.document.body_line, 1), message, "write a paragraph")
        fragments = self.used.union(heading.anchor for heading in self.headings if heading.anchor)
        if self.top:
            fragments.add(self.top)
        return Rendered(
            sheet.document,
            sheet.links.page(sheet.document),
            "".join(self.parts),
            tuple(self.passages),
            tuple(self.places),
            tuple(self.headings),
            frozenset(fragments),
            self.entry,
            sheet.found,
        )


def _content_html(group: Group) -> Iterator[str]:
    for block in group.content[:-1]:
        yield blocks.html(block, 0, len(block.pieces)) + "\n"
    if group.content:
        block = group.content[-1]
        yield blocks.html(block, group.first, len(block.pieces) if group.last is None else group.last) + "\n"
