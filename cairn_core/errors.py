"""The exceptions a caller may want to tell apart.

A raise site gives the fault, a hint that is an action, and where it is; how the three are joined is decided
here only. Programming mistakes are plain `ValueError` and `TypeError`.
"""

from __future__ import annotations


class CairnError(Exception):
    """Something the reader of the message can put right.

    `message` is one sentence, `hint` an action, `location` a `path:line:column`, a file name or a field name.
    """

    def __init__(self, message: str, hint: str = "", location: str = "") -> None:
        super().__init__(message, hint, location)
        self.message = message
        self.hint = hint
        self.location = location

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        action = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.message}{action}"


class ConfigError(CairnError, ValueError):
    """A setting is missing, misspelt, of the wrong type or out of bounds."""


class CorpusError(CairnError):
    """The corpus cannot be read or may not be published as it is."""


class IndexFormatError(CairnError):
    """A built file is damaged, edited or of another format: the site must be built or copied again."""


class MixedBuildsError(IndexFormatError):
    """Built files of two different builds stand side by side."""
