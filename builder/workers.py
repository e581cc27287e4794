"""Where the work of a build is done: in this process, in several, or on a cluster; results are the same.

One seam: `Workers.map`. Work is a function of a module, given what all items share and a batch of items, and
returns a result for each. Which work is worth sharing out is decided here, by its size.
"""

import copyreg
import os
import pickle
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import ExitStack
from functools import lru_cache, partial
from itertools import batched
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from cairn_core.errors import CairnError

WORTH = 2_000
"""Documents to be made from which on other processes are started: each takes a third of a second to start."""

BATCH = 50
"""Documents sent at once."""

AHEAD = 3
"""Batches for each process that are under way at most, so that memory does not grow with the corpus."""

DASK = "dask://"
PATIENCE = "10s"
"""For the scheduler to answer."""


def _read_only(table: Mapping[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(table)


copyreg.pickle(MappingProxyType, lambda table: (_read_only, (dict(table),)))  # settings hold such tables

type Work[S, A, B] = Callable[[S, Sequence[A]], Sequence[B]]


class WorkersError(CairnError):
    """The workers cannot be had, or do not run what this process runs."""


class Workers(Protocol):
    """Does work somewhere."""

    def map[S, A, B](self, work: Work[S, A, B], shared: S, items: Iterable[A], count: int) -> Iterator[B]:
        """Yield the result for each of `count` items, in their order; items are taken as they are needed."""

    def close(self) -> None:
        """Let the workers go."""


class Here:
    """This process."""

    def map[S, A, B](self, work: Work[S, A, B], shared: S, items: Iterable[A], count: int) -> Iterator[B]:
        for item in items:
            yield from work(shared, (item,))

    def close(self) -> None:
        pass


def _ahead[A, B](
    submit: Callable[[Sequence[A]], Future[Sequence[B]]], items: Iterable[A], most: int
) -> Iterator[B]:
    """Yield results in order, with at most so many batches under way."""
    waiting: deque[Future[Sequence[B]]] = deque()
    for batch in batched(items, BATCH):
        if len(waiting) >= most:
            yield from waiting.popleft().result()
        waiting.append(submit(batch))
    while waiting:
        yield from waiting.popleft().result()


@lru_cache(maxsize=1)
def _shared(path: str) -> object:
    """What all items share, read once in each process."""
    return pickle.loads(Path(path).read_bytes())  # noqa: S301 - written by the process that started this one


def _in_process[S, A, B](work: Work[S, A, B], path: str, batch: Sequence[A]) -> Sequence[B]:
    shared: S = _shared(path)  # type: ignore[assignment]  # what `Processes.map` wrote
    return work(shared, batch)


class Processes:
    """Processes of this machine, started when there is enough to do; they import what they need anew.

    A process that dies ends the build.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._stack = ExitStack()
        self._folder: Path | None = None
        self._pool: Executor | None = None
        self._maps = 0

    def map[S, A, B](self, work: Work[S, A, B], shared: S, items: Iterable[A], count: int) -> Iterator[B]:
        if self._jobs < 2 or count < WORTH:
            yield from Here().map(work, shared, items, count)
            return
        pool, folder = self._start()
        self._maps += 1
        path = folder / str(self._maps)
        path.write_bytes(pickle.dumps(shared))
        try:
            yield from _ahead(
                lambda batch: pool.submit(_in_process, work, str(path), batch), items, AHEAD * self._jobs
            )
        except BrokenExecutor as error:
            hint = "try again with --jobs 1; the memory may have run out"
            raise WorkersError("a process of the build died", hint) from error

    def _start(self) -> tuple[Executor, Path]:
        if self._pool is None or self._folder is None:
            from concurrent.futures import ProcessPoolExecutor  # few builds need it, and it takes its time
            from multiprocessing import get_context

            self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="cairn-")))
            self._pool = self._stack.enter_context(
                ProcessPoolExecutor(self._jobs, mp_context=get_context("spawn"))
            )
        return self._pool, self._folder

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._stack.close()


def _on_cluster[S, A, B](
    work: Work[S, A, B], shared: S, version: str, tool: Callable[[], str], batch: Sequence[A]
) -> Sequence[B]:
    if tool() != version:
        raise WorkersError(
            "a worker of the cluster runs another version", "install the same on every machine"
        )
    return work(shared, batch)


class Cluster:
    """A Dask cluster at an address; a worker that dies is replaced by another.

    `tool` must give the same on every worker as here: what is made is to be the same wherever it is made.
    """

    def __init__(self, address: str, tool: Callable[[], str]) -> None:
        try:
            import distributed
        except ImportError as error:
            hint = 'python -m pip install "cairn[dask]"'
            raise WorkersError("a cluster needs the package distributed", hint) from error
        try:
            client: Any = distributed.Client  # without types
            self._client = client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkersError(
                "there is no scheduler at this address", "start one with dask scheduler", address
            ) from error
        self._killed: type[Exception] = distributed.KilledWorker
        self._tool, self._version = tool, tool()

    def map[S, A, B](self, work: Work[S, A, B], shared: S, items: Iterable[A], count: int) -> Iterator[B]:
        if not count:
            return
        given = self._client.scatter(shared, broadcast=True, hash=False)
        run = partial(_on_cluster, work)
        jobs = max(1, len(self._client.scheduler_info()["workers"]))
        executor = self._client.get_executor(pure=False, retries=3)
        try:
            yield from _ahead(
                lambda batch: executor.submit(run, given, self._version, self._tool, batch),
                items,
                AHEAD * jobs,
            )
        except (CancelledError, self._killed) as error:
            hint = "start workers again, or build without --executor"
            raise WorkersError("the cluster lost the workers of the build", hint) from error

    def close(self) -> None:
        self._client.close()


def workers(jobs: int, executor: str, tool: Callable[[], str]) -> Workers:
    """Return the workers asked for: `jobs` processes (0: as many as there are cores), or the cluster that
    `executor` names as dask://HOST:PORT. Raises `WorkersError`.
    """
    if executor:
        return Cluster(f"tcp://{executor.removeprefix(DASK)}", tool)
    return Processes(jobs or cores())


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
