"""Markdown and citation markers taken out of a text, with a map from what is left back to the original.

Every later stage works on the plain text; `Plain.original` turns its offsets into those a reader sees.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(
    r"""
      ^[ \t]{0,12}\|?[ \t]{0,12}:?-{3,}:?[ \t]{0,12}(?:\|[ \t]{0,12}:?-{3,}:?[ \t]{0,12}){0,40}\|?[ \t]{0,12}$
    | ^[ \t]{0,12}(?:\#{1,6}[ \t]+|>[ \t]?)                               # heading, block quotation
    | ^[ \t]{0,12}(?:[-*•+▪◦–][ \t]+|\d{1,2}[.)][ \t]+|[a-z]\)[ \t]+)     # list item
    | ^[ \t]{0,12}\|[ \t]*                                                # first bar of a table row
    """,
    re.VERBOSE | re.MULTILINE,
)
_INLINE_START = re.compile(r"[<!\[\]【(（¹²³⁴⁵⁶⁷⁸⁹⁰*_`~|{}0-9]")
_INLINE = re.compile(
    r"""
      <sup>[^<]{0,40}</sup> | </?[a-zA-Z][^<>\n]{0,200}>                  # footnote marks and other tags
    | !?\[(?=[^\[\]\n]{1,300}\]\([^()\s]{1,500}\))                         # the opening of a link or image
    | (?<=[^\s\[])\]\([^()\s]{1,500}\)                                     # its closing, with the address
    | (?P<mark>
        \[\s?[1-9]\d{0,2}(?:\s?[,;–-]\s?\d{1,3}){0,20}\s?\]                # [1], [2, 3], [4-6]
      | \[\^[^\]\s]{1,30}\] | 【[^】\n]{1,60}】                            # [^1], 【1†source】
      | \[[\w./-]{1,80}[.\#]\d{1,4}\]                                      # passage ids: [doc.2], [en/rent#3]
      | [(（](?:source|fuente|المصدر|quelle|fonte|источник|来源|出典)\s?[:：][^()（）\n]{1,200}[)）]
      | \((?:[A-Z][\w.'’-]{0,40},?\s){1,4}(?:et\sal\.|and|&)\s?[\w.'’-]{0,30},?\s(?:19|20)\d\d[a-z]?\)
      | \([A-Z][\w'’-]{0,40},\s(?:19|20)\d\d[a-z]?\))                      # (Smith, 2020)
    | (?<![\s(mM])[¹²³⁴⁵⁶⁷⁸⁹⁰]+(?![\w(]) | (?<=\d)[¹²³⁴⁵⁶⁷⁸⁹⁰]+           # superscript notes; m² stays
    | (?<=[a-z]{3})\d{1,2}(?=[.,;:]?(?:\s|$))                              # a glued note mark: "Michigan1"
    | \*\*|__|`{1,3}|~~ | (?P<bar>\|[ \t]*$)
    | (?<![\w*])\*(?=[^\s*]) | (?<=[^\s*])\*(?![\w*]) | (?<![\w_])_(?=[^\s_]) | (?<=[^\s_])_(?![\w_])
    | \[\[(?:[^\[\]|\n]{1,100}\|)? | \]\] | \{\{ | \}\}
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without markup; `starts[i]` in it stands at `origins[i]` in the original."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def original(self, offset: int) -> int:
        """Return the offset in the original text of an offset in the plain one."""
        place = bisect_right(self.starts, offset) - 1
        return self.origins[place] + offset - self.starts[place]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original that a span of the plain text stands for."""
        return self.original(start), self.original(end - 1) + 1 if end > start else self.original(end)


def plain(text: str) -> Plain:
    """Take markup and citation markers out of `text`; the space before a marker goes with it."""
    parts: list[str] = []
    starts, origins = [0], [0]
    length = end = 0
    for start, stop in _deleted(text):
        if start < end:
            continue
        parts.append(text[end:start])
        length += start - end
        end = stop
        starts.append(length)
        origins.append(end)
    parts.append(text[end:])
    return Plain("".join(parts), tuple(starts), tuple(origins))


def _deleted(text: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in _LINE.finditer(text) if match.end() > match.start()]
    for match in _inline(text):
        start, stop = match.span()
        while match["bar" if match["bar"] else "mark"] and start and text[start - 1] in " \t":
            start -= 1
        if stop > start:
            spans.append((start, stop))
    return sorted(spans)


def _inline(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_INLINE`, none overlapping, tried only where one can begin."""
    end = 0
    for first in _INLINE_START.finditer(text):
        match = _INLINE.match(text, first.start()) if first.start() >= end else None
        if match:
            end = match.end()
            yield match
