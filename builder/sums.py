"""Checksums that a page's start script takes before the others may run, and the forms that make it possible.

A page that is opened from a folder may not read its own files. It can read the text of a function, so each
script registers itself as one. The sum is against accidents; hashes protect what is quoted.
"""

import re
import struct
from functools import cache

PRIME = 0x01000193
BASES = (0x811C9DC5, 0x050C5D1F)
MASK = 0xFFFFFFFF
START = "start.js"
"""The script that checks the others and lets them run; it is the last that a page loads."""

_REMARK = re.compile(r"(?m)^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n")
_REGISTER = '((self.cairn=self.cairn||{{}}).scripts=self.cairn.scripts||{{}})["{}"]=function(){{\n{}\n}};\n'
_RUN = f'self.cairn.scripts["{START}"]();\n'


@cache
def check_sum(text: str) -> str:
    """Return sixteen hex digits: FNV-1a, 32 bits wide, from two bases, over the text's UTF-16 code units.

    Every step is a bijection, so that one changed character always changes the sum.
    """
    first, second = BASES
    for (unit,) in struct.iter_unpack("<H", text.encode("utf-16-le")):
        first = (first ^ unit) * PRIME & MASK
        second = (second ^ unit) * PRIME & MASK
    return f"{first:08x}{second:08x}"


def without_remarks(source: str) -> str:
    """Return a script or style sheet without the lines that are remarks alone, a fourth of the scripts."""
    return _REMARK.sub("", source)


def as_function(name: str, source: str) -> str:
    """Return a script that registers a source as the function `cairn.scripts[name]`, whose text it is."""
    return _REGISTER.format(name, source) + (_RUN if name == START else "")


def marked_style(name: str, css: str) -> str:
    """Return a stylesheet that ends with its own sum, as a property a script can read."""
    return f'{css}:root{{--sum-{name}:"{check_sum(css)}"}}\n'
