"""Forgetting: the words of earlier questions leave every memory that outlives a question.

Answers are the same afterwards. A language split into files keeps nothing of a question.
"""

from __future__ import annotations

from cairn_core import analysis, crosslingual, text
from cairn_core.index import Index

FORGETTERS = (text.forget, analysis.forget, crosslingual.forget)
"""What empties the memories of modules that keep words."""


def forget(index: Index) -> None:
    """Empty them all, those of the languages in memory too."""
    for empty in FORGETTERS:
        empty()
    for shard in index.whole.values():
        shard.forget()
