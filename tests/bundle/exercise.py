"""Takes `cairn_core` through every path and prints what it answered, in CPython and inside Pyodide alike.

Reads exercise.json from the current folder: {"site": text, "shards": [text], "questions": [text],
"languages": [code]}.
"""

import json
import sys
import traceback
from pathlib import Path

import cairn_core.bridge
import cairn_core.language

MALFORMED_REQUESTS = [
    "",
    "{",
    "[]",
    "{}",
    '{"question":1}',
    '{"question":"a","lang":5}',
    '"' + "\\ud800" + '"',
]
MALFORMED_FILES = ["", "{", "[]", "{}", "[" * 5000, '{"format":99}', b"\xff\xfe", "NaN"]


def exercise(given):
    session = cairn_core.bridge.open_session(
        given["site"].encode(), [shard.encode() for shard in given["shards"]]
    )
    answers = []
    for question in given["questions"]:
        for lang in [None, *given["languages"], "xx"]:
            for interface in [None, *given["languages"]]:
                request = {"question": question, "lang": lang, "interface": interface}
                answers.append(attempt(session.ask, json.dumps(request)))
    answers += [attempt(session.ask, request) for request in MALFORMED_REQUESTS]
    for text in MALFORMED_FILES:
        attempt(cairn_core.bridge.open_session, text, given["shards"])
        attempt(cairn_core.bridge.open_session, given["site"], [text])
    attempt(cairn_core.bridge.open_session, given["site"], given["shards"] * 2)
    return answers


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # every error path is part of the exercise, its traceback too
        "".join(traceback.format_exception(error))
        return type(error).__name__


if __name__ == "__main__":
    given = json.loads(Path("exercise.json").read_text(encoding="utf-8"))
    answers = exercise(given)
    imported = [
        name
        for name, module in sys.modules.items()
        if "zipimporter" in repr(getattr(module, "__loader__", ""))
    ]
    sys.stdout.write(
        json.dumps({"answers": answers, "imported": sorted(imported)}, ensure_ascii=False) + "\n"
    )
