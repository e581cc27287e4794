"""What a reader makes of a file: a reduced tree, the facts found with it, and what was lost."""

from dataclasses import dataclass

from bs4.element import Tag

from builder.intake.notes import Notes
from cairn_core.errors import CairnError


class UnreadableError(CairnError):
    """A file that cannot be brought in, and what to do instead."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text as a tree. `title` and `lang` are "" where the file does not say, `origin` is an address
    or the file's name.
    """

    root: Tag
    title: str
    lang: str
    origin: str
    notes: Notes
