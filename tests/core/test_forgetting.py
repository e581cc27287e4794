"""After `Session.forget` nothing of earlier questions is remembered, and answers stay the same."""

import gc
import json
from pathlib import Path

from cairn_core import analysis, crosslingual, text
from tests.core.test_emphasis import demo_session


def held(word: str) -> list[object]:
    """Containers of this interpreter that have a string with `word` in it."""
    found: list[object] = []
    for container in gc.get_objects():
        if isinstance(container, dict):
            parts = [*container.keys(), *container.values()]
        elif isinstance(container, list | tuple | set | frozenset):
            parts = list(container)
        else:
            continue
        if any(isinstance(part, str) and word in part for part in parts):
            found.append(container)
    return found


def test_no_word_of_a_question_outlives_forgetting(demo_corpus: Path) -> None:
    session = demo_session(demo_corpus)
    word = "".join(["qxz", "canary"])
    request = json.dumps({"question": f"grocery {word} allowance", "lang": "en", "interface": "en"})
    first = session.ask(request)
    caches = (text._terms_of, analysis._pieces, analysis.stem, crosslingual.skeleton)
    assert any(cache.cache_info().currsize for cache in caches)
    session.forget()
    assert not any(cache.cache_info().currsize for cache in caches)
    assert session.ask(request) == first
    session.forget()
    del first, request
    gc.collect()
    mine = {id(locals()), id(held.__code__.co_consts), id(word)}
    assert [one for one in held(word) if id(one) not in mine and not _is_frame(one, word)] == []


def _is_frame(container: object, word: str) -> bool:
    """Whether a container is the local names of this test."""
    return isinstance(container, dict) and container.get("word") == word
