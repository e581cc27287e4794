"""On-screen keyboards: the layout of a language, a data file in `keyboards/`, with the names of its keys.

What a key does is in `web/js/keyboard.js`.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from builder.wording import Wording

KEYBOARDS = Path(__file__).with_name("keyboards")
PUNCTUATION: Mapping[str, str] = {
    "'": "keyboard.apostrophe",
    ",": "keyboard.comma",
    "،": "keyboard.comma",
    ".": "keyboard.period",
    "-": "keyboard.hyphen",
    "?": "keyboard.question",
    "؟": "keyboard.question",
    "¿": "keyboard.question_open",
}
"""Key that is no letter -> the message that names it."""


def keyboard(lang: str, words: Wording) -> dict[str, object] | None:
    """Return the on-screen keyboard of a language (`Keyboard` of web/js/types.d.ts), None without one."""
    rows = _layout(lang.partition("-")[0])
    if rows is None:
        return None
    named = [
        [[char, words.plain(PUNCTUATION[char]) if char in PUNCTUATION else char] for char in row]
        for row in rows
    ]
    return {
        "name": words.plain("keyboard.name"),
        "rows": named,
        "shift": words.plain("keyboard.shift")
        if any(char != char.upper() for row in rows for char in row)
        else "",
        "space": words.plain("keyboard.space"),
        "backspace": words.plain("keyboard.backspace"),
    }


@cache
def _layout(lang: str) -> tuple[str, ...] | None:
    path = KEYBOARDS / f"{lang}.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))["rows"]) if path.is_file() else None
