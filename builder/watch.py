"""What a preview builds again for: a change of the corpus, of its settings or of the templates.

Only notices; building is left to whoever asks.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import watchfiles

from builder.project import LEDGER_NAME, load_project
from builder.statics import WEB
from cairn_core.errors import CairnError

WAKE_MS = 200
"""Milliseconds after which the watcher looks up, so that the first call returns when it has begun."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Files, and folders with all below them; `ledger`: the name of what builds themselves write there."""

    paths: tuple[Path, ...]
    ledger: str = LEDGER_NAME

    def matters(self, change: watchfiles.Change, path: str) -> bool:
        """Tell whether a change is one to build for; editors' own files are none."""
        return self.ledger not in Path(path).name and watchfiles.DefaultFilter()(change, path)


def watched(corpus: Path, config: Path | None) -> Watched:
    """Return what a site is made of: what the command named, and what its settings name if they can be read.

    Raises CairnError when a path that was named is not there.
    """
    named = [corpus, *([config] if config else [])]
    for path in named:
        if not path.exists():
            raise CairnError(f'there is no "{path}" to watch', "name the folder of a corpus")
    try:
        project = load_project(corpus, config)
    except CairnError:
        return _watched(named, LEDGER_NAME)
    return _watched([*named, project.corpus_dir], project.anchors.name)


def _watched(paths: list[Path], ledger: str) -> Watched:
    there = {path.resolve() for path in (*paths, WEB) if path.exists()}
    return Watched(tuple(sorted(there)), ledger)


def changes(find: Callable[[], Watched]) -> Iterator[None]:
    """Yield as soon as changes are noticed, then once for every batch of them; raises what `find` does first.

    What to watch is asked anew after each batch. A file that an editor put in the place of another is not the
    one that was watched, so the watcher begins again; whoever is told reads everything after that.
    """
    current = find()
    batches = _begun(current)
    yield
    while True:
        batch = next(batches)
        if not batch:
            continue
        wanted = _again(find, current)
        if wanted != current or any(Path(path) in current.paths for _, path in batch):
            batches.close()
            current, batches = wanted, _begun(wanted)
        yield


def _begun(wanted: Watched) -> Generator[set[watchfiles.main.FileChange], None, None]:
    batches = watchfiles.watch(
        *wanted.paths, watch_filter=wanted.matters, yield_on_timeout=True, rust_timeout=WAKE_MS
    )
    next(batches)
    return batches


def _again(find: Callable[[], Watched], current: Watched) -> Watched:
    try:
        return find()
    except CairnError:  # what was named is gone; the build says so
        return current
