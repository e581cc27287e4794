"""Builds that are killed or run out of disk anywhere: the old site or the new one stands, and is whole."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.cli import main
from builder.readsite import extra_files, verify
from builder.swap import Target, mend

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")]

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("CAIRN_KILLS", "50"))
WRITING = os.O_WRONLY | os.O_RDWR
TOUCHES = frozenset({"os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir"})


def edit(corpus: Path, number: int) -> None:
    """Change a title, which moves no anchor: the ledger stays, so that equal texts give equal sites."""
    text = f"---\ntitle: News {number}\n---\n\nThe pool opens on Sunday.\n"
    (corpus / "news.en.md").write_text(text, encoding="utf-8")


def build(corpus: Path, out: Path) -> int:
    """Build and return which state of the corpus the site shows; nothing may be left beside it."""
    assert main([str(corpus), "--out", str(out), "--no-engine", "--quiet"]) == 0
    assert {path.name for path in out.parent.iterdir()} == {corpus.name, out.name}
    return shown(out)


def shown(site: Path) -> int:
    """Return which state of the corpus a site shows, once every file is there and right, and no other."""
    manifest = verify(site)
    assert extra_files(site, manifest) == []
    return int("<title>News 1" in (site / "en" / "news.html").read_text(encoding="utf-8"))


def stop_at(number: int, beside: Path, stop: Callable[[], None]) -> None:
    """Have `stop` called before this process touches the disk for the n-th time that counts.

    Every touch of the folder `beside` counts, where the sites change places, and each tenth of the others.
    """
    touches = counting = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal touches, counting
        writes = (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if writes or event in TOUCHES:
            touches += 1
            if touches % 10 == 0 or os.path.dirname(str(arguments[0])) == str(beside):  # noqa: PTH120
                counting += 1
                if counting == number:
                    stop()

    sys.addaudithook(hook)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def exit_of_build(corpus: Path, out: Path, number: int, stop: Callable[[], None], system: str) -> int:
    """Build in a forked process stopped at its n-th touch; return its exit code, negative for a signal."""
    child = os.fork()
    if child == 0:
        sys.platform = system
        stop_at(number, out.parent, stop)
        os._exit(main([str(corpus), "--out", str(out), "--no-engine", "--quiet"]))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def out(corpus: Path, tmp_path: Path) -> Path:
    """A site that shows state 0 of the corpus."""
    edit(corpus, 0)
    assert build(corpus, tmp_path / "site") == 0
    return tmp_path / "site"


@pytest.mark.parametrize("system", ["linux", "other"], ids=["exchange", "rename-aside"])
def test_a_build_killed_at_any_touch_of_the_disk_leaves_a_whole_site(
    corpus: Path, out: Path, system: str
) -> None:
    current = 0
    for number in range(1, 10_000):
        edit(corpus, 1 - current)
        code = exit_of_build(corpus, out, number, kill, system)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        mend(Target.of(out))
        current = shown(out)
    assert number > 15
    assert build(corpus, out) == 1 - current


def test_a_disk_that_fills_up_at_any_touch_leaves_a_whole_site_and_no_traceback(
    corpus: Path, out: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    current = 0
    codes = set()
    for number in range(1, 10_000):
        edit(corpus, 1 - current)
        before = current
        codes.add(code := exit_of_build(corpus, out, number, fill_disk, "linux"))
        current = shown(out)
        assert (code == 4) == (current == before)
        if number > 15 and code == 0 and not capfd.readouterr().err:
            break
    assert codes == {0, 4}
    assert "Traceback" not in capfd.readouterr().err


def test_builds_killed_at_random_moments_leave_a_whole_site(corpus: Path, out: Path) -> None:
    current = 0
    command = [sys.executable, "-m", "builder", str(corpus), "--out", str(out), "--no-engine", "--quiet"]
    started = time.monotonic()
    subprocess.run(command, check=True, cwd=ROOT)
    duration = time.monotonic() - started
    moments = random.Random(22)  # noqa: S311  not a secret
    killed = 0
    for number in range(KILLS):
        state = 1 - current
        edit(corpus, state)
        with subprocess.Popen(command, cwd=ROOT) as process:
            time.sleep(moments.uniform(0, duration))
            process.kill()
        killed += process.returncode == -signal.SIGKILL
        mend(Target.of(out))
        current = shown(out)
        if number % 10 == 9:
            assert build(corpus, out) == state
            current = state
    assert killed > KILLS // 2
    edit(corpus, 2)
    build(corpus, out)
    after = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert main([str(corpus), "--out", str(out), "--no-engine", "--quiet", "--fresh"]) == 0
    assert after == {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
