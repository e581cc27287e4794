"""Which blocks make one passage: headings with what they introduce, cut where it gets long.

Pure: blocks in, groups out; ids, warnings and HTML are left to `passages`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder import inline
from builder.blocks import Block, Lines

CAP = 1_500
"""Characters of a passage above which lists and tables are cut."""


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that make one passage; of the last block the pieces `first` up to `last` (None: to the end).

    A group without text of its own is no passage: headings that introduce nothing, a rule, a picture.
    """

    headings: list[Block]
    content: list[Block]
    first: int = 0
    last: int | None = None

    @property
    def size(self) -> int:
        """Return the characters of its text, headings included."""
        return sum(block.size for block in [*self.headings, *self.content])

    @property
    def own(self) -> Lines:
        """Return its lines without headings, as (layout letter, text)."""
        if not self.content:
            return []
        *before, block = self.content
        pieces = [piece for one in before for piece in one.pieces]
        if block.header:
            pieces.append(block.header)
        pieces += block.pieces[self.first : self.last]
        lines = [line for piece in pieces for line in piece.lines]
        return lines if any(text.strip() for _, text in lines) else []


def groups(found: list[Block]) -> Iterator[Group]:
    """Yield the groups of a page in order; every block is in one."""
    return _cut(_joined(found))


def _joined(found: list[Block]) -> Iterator[Group]:
    headings: list[Block] = []
    content: list[Block] = []
    for block, following in zip(found, [*found[1:], None], strict=False):
        if block.kind == "heading":
            if content or (headings and block.level <= headings[-1].level):
                yield Group(headings, content)
                headings, content = [], []
            headings.append(block)
            continue
        content.append(block)
        if not _goes_on(block, following, under_heading=bool(headings)):
            yield Group(headings, content)
            headings, content = [], []
    if headings or content:
        yield Group(headings, content)


def _goes_on(block: Block, following: Block | None, *, under_heading: bool) -> bool:
    """Tell whether the next block belongs to the same passage."""
    if following is None:
        return False
    if block.kind in ("rule", "figure"):
        return under_heading
    if block.kind != "paragraph":
        return False
    if following.kind in ("list", "table"):
        return True
    return following.kind in ("code", "quote") and inline.is_colon(block.words.rstrip()[-1:])


def _cut(joined: Iterable[Group]) -> Iterator[Group]:
    for group in joined:
        block = group.content[-1] if group.content else None
        if block is None or block.kind not in ("list", "table") or group.size <= CAP:
            yield group
        else:
            yield from _chunks(group, block)


def _chunks(group: Group, block: Block) -> Iterator[Group]:
    repeated = block.header.size if block.header else 0
    used = group.size - sum(piece.size for piece in block.pieces)
    first = 0
    for place, piece in enumerate(block.pieces):
        if place > first and used + piece.size > CAP:
            yield _chunk(group, block, first, place)
            first, used = place, repeated
        used += piece.size
    yield _chunk(group, block, first, len(block.pieces))


def _chunk(group: Group, block: Block, first: int, last: int) -> Group:
    return Group([], [block], first, last) if first else Group(group.headings, group.content, first, last)
