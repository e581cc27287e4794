"""Which passages of two translations of one document say the same.

Translations keep the order of sections, and mostly the form of each passage; where they do not, nothing is
certain. Both the builder, to learn from pairs, and the engine, to quote the reader's language, ask here.
"""

from __future__ import annotations

from collections.abc import Sequence

from cairn_core.passage import Passage

type Block = tuple[Sequence[Passage], Sequence[Passage]]


def aligned(left: Sequence[Passage], right: Sequence[Passage]) -> list[Block]:
    """Blocks of two translations that say the same, in order; none where their sections are not as many.

    A section with the same layouts in both is aligned passage by passage, another one as a whole.
    """
    ours, theirs = _sections(left), _sections(right)
    if len(ours) != len(theirs):
        return []
    return [block for pair in zip(ours, theirs, strict=True) for block in _blocks(*pair)]


def counterpart(passage: Passage, left: Sequence[Passage], right: Sequence[Passage]) -> Passage | None:
    """The passage of `right` that certainly says what `passage` of `left` says, None without certainty."""
    for ours, theirs in aligned(left, right):
        if passage in ours:
            certain = _layouts(ours) == _layouts(theirs) and len(ours) == 1
            return theirs[0] if certain else None
    return None


def _sections(passages: Sequence[Passage]) -> list[list[Passage]]:
    sections: list[list[Passage]] = []
    for passage in passages:
        if not sections or sections[-1][0].section != passage.section:
            sections.append([])
        sections[-1].append(passage)
    return sections


def _layouts(passages: Sequence[Passage]) -> list[str]:
    return [passage.layout for passage in passages]


def _blocks(ours: Sequence[Passage], theirs: Sequence[Passage]) -> list[Block]:
    if _layouts(ours) != _layouts(theirs):
        return [(ours, theirs)]
    return [((one,), (other,)) for one, other in zip(ours, theirs, strict=True)]
