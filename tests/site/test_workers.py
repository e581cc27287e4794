"""A build gives the same bytes wherever its work is done: here, in processes, on a cluster that loses a worker."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bench import pages
from builder import workers
from builder.options import build_parser
from builder.project import load_project
from builder.site import Options, build
from builder.workers import WorkersError

ROOT = Path(__file__).resolve().parents[2]
PAGES = 240


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many") / "corpus"
    pages.write(folder, PAGES, 800)
    (folder / "part-0000" / "map.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    first = next(folder.rglob("*.en.md"))
    first.write_text(first.read_text(encoding="utf-8") + "\n![A map](map.svg)\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def here(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the site that one process makes."""
    return built(corpus, tmp_path_factory.mktemp("here"), jobs=1)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTH", 1)
    monkeypatch.setattr(workers, "BATCH", 5)


def built(corpus: Path, folder: Path, **options: object) -> dict[str, bytes]:
    (corpus / "cairn.anchors.json").unlink(missing_ok=True)
    out = folder / "site"
    build(load_project(corpus), out, Options(folder / "kept", engine=False, **options))  # type: ignore[arg-type]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_make_the_site_that_one_makes(
    corpus: Path, here: dict[str, bytes], tmp_path: Path, jobs: int
) -> None:
    assert built(corpus, tmp_path, jobs=jobs) == here


class Killer:
    """Kills a worker once so many results have come; tracks the stages of a build."""

    def __init__(self, victim: subprocess.Popen[bytes], after: int) -> None:
        self.victim, self.left = victim, after

    def __call__[T](self, items: Iterable[T], stage: str, total: int, /) -> Iterator[T]:
        for item in items:
            self.left -= 1
            if not self.left:
                self.victim.send_signal(signal.SIGKILL)
            yield item


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers on this machine: the address, the workers."""
    pytest.importorskip("distributed")
    known = tmp_path / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_LOGGING__DISTRIBUTED": "critical"}

    def start(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        running.callback(process.wait)
        running.callback(process.kill)
        return process

    with ExitStack() as running:
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(known))
        deadline = time.monotonic() + 60
        while not known.is_file() and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(known.read_text())["address"].removeprefix("tcp://")
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
        helpers = [start("worker", f"tcp://{address}", *options) for _ in range(2)]
        from distributed import Client

        with Client(f"tcp://{address}", set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield f"dask://{address}", helpers


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_makes_the_site_that_one_process_makes(
    corpus: Path,
    here: dict[str, bytes],
    tmp_path: Path,
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, (victim, other) = cluster
    made = built(corpus, tmp_path, executor=address, track=Killer(victim, after=60))
    assert victim.wait() == -signal.SIGKILL
    assert other.poll() is None
    assert made == here


@pytest.mark.slow
def test_an_address_without_a_scheduler_is_one_sentence(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "PATIENCE", "1s")
    with pytest.raises(WorkersError, match="no scheduler"):
        built(corpus, tmp_path, executor="dask://127.0.0.1:1")


@pytest.mark.parametrize(
    "words",
    [["--jobs", "0"], ["--jobs", "many"], ["--executor", "http://host:1"], ["--executor", "dask://host"]],
)
def test_what_names_no_workers_is_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        build_parser().parse_args(["corpus", *words])
    assert stopped.value.code == 2
