"""Random damage to a good corpus ends in located errors or in a clean check; nothing ends in a traceback."""

import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.lint import rules
from builder.problems import Problem
from tests.check.damage import DAMAGES
from tests.check.mutate import TODAY, damaged, good_corpus, misplaced, run

RUNS = 200
WATCHDOG = 600
"""Seconds of processor time after which the runs are taken to hang; they need a few."""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return good_corpus(tmp_path_factory.mktemp("good") / "corpus")


@pytest.fixture
def watchdog() -> Iterator[None]:
    """Stop what hangs, with the place where it hangs."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def bark(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, bark)
    signal.setitimer(signal.ITIMER_PROF, WATCHDOG)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def test_the_corpus_that_is_damaged_is_good(good: Path) -> None:
    found = rules.run(good, None, TODAY)
    assert found.asked
    assert {one.code for one in found.problems} == {"W241"}


@pytest.mark.usefixtures("watchdog")
def test_every_damaged_corpus_ends_in_located_errors_or_is_clean(good: Path, tmp_path: Path) -> None:
    ended: Counter[str] = Counter()
    for seed in range(RUNS):
        outcome = run(good, tmp_path / "corpus", seed)
        assert outcome.fault == "", f"seed {seed}: {outcome.fault}"
        ended["errors" if outcome.errors else "clean"] += 1
        ended.update(outcome.damages)
        shutil.rmtree(tmp_path / "corpus")
    assert set(DAMAGES) <= set(ended)
    assert min(ended["errors"], ended["clean"]) > RUNS / 20


def test_a_seed_gives_the_same_damage_again(good: Path, tmp_path: Path) -> None:
    texts = []
    for name in ("first", "second"):
        damaged(good, tmp_path / name, 7)
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        texts.append([(path.name, path.read_bytes()) for path in files])
    assert texts[0] == texts[1]


def test_a_problem_without_a_place_would_be_noticed(good: Path) -> None:
    assert misplaced(Problem("pool.en.md", 1, 1, "E201", "x"), good) == ""
    assert "line" in misplaced(Problem("pool.en.md", 999, 1, "E201", "x"), good)
    assert "column" in misplaced(Problem("pool.en.md", 1, 0, "E201", "x"), good)
    assert "file" in misplaced(Problem("gone.en.md", 1, 1, "E201", "x"), good)
