"""Brings .venv and the tools beside it to the state a make target needs: `python -m scripts.install TARGET`.

Every step first looks whether its work is done (a stamp holds the hash of the lock file it was done from), so
a repeated run costs no network. A step that cannot be done says what is missing and what to type, and ends
the run with exit code 1.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(sys.prefix)
DEBIAN = {"chromium": "chromium", "firefox": "firefox-esr"}
NO_NETWORK = "It needs the network this once. Then type the same make command again."


class SetupError(Exception):
    """A step that cannot be done: what is missing, then what to type."""


def say(text: str) -> None:
    sys.stdout.write(f"setup: {text}\n")
    sys.stdout.flush()


def succeeds(command: Sequence[str], *, quiet: bool = False, folder: Path = ROOT) -> bool:
    """Run a command of the set-up, from the project's folder if no other is named; tell if it ended well."""
    sink = subprocess.DEVNULL if quiet else None
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            check=False,
        )
    except OSError:
        return False
    return run.returncode == 0


def once(lock: Path, stamp: Path, work: Callable[[], None]) -> None:
    """Do `work` unless `stamp` says it was done from the present content of `lock`."""
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
        return
    work()
    stamp.write_text(digest, encoding="ascii")


def packages(name: str) -> None:
    """Install requirements/NAME.txt into .venv: wheels only, each with its recorded hash."""
    lock = ROOT / "requirements" / f"{name}.txt"

    def work() -> None:
        say(f"installing requirements/{name}.txt into .venv")
        pip = (sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        if not succeeds((*pip, "--only-binary", ":all:", "--require-hashes", "-r", str(lock))):
            raise SetupError(
                f"pip could not install requirements/{name}.txt; its own message is above. {NO_NETWORK}"
            )

    once(lock, VENV / f"cairn-{name}.sha256", work)


def generators() -> None:
    """Install requirements/generators.txt into .cache/generators, an environment of its own."""
    folder = ROOT / ".cache" / "generators"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    lock = ROOT / "requirements" / "generators.txt"

    def work() -> None:
        say("installing requirements/generators.txt into .cache/generators")
        pip = (str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        made = succeeds((sys.executable, "-m", "venv", "--clear", str(folder)))
        if not made or not succeeds((*pip, "--only-binary", ":all:", "--require-hashes", "-r", str(lock))):
            raise SetupError(
                f"pip could not install requirements/generators.txt; its own message is above. {NO_NETWORK}"
            )

    once(lock, folder / "cairn-generators.sha256", work)


def npm() -> list[str]:
    """Return the words that start npm: the machine's, else the one of requirements/node.txt."""
    from builder.node import npm_command  # importable only after requirements/base.txt is installed

    if npm_command() is None:
        packages("node")
    found = npm_command()
    if found is None:
        raise SetupError("No npm starts on this machine. Install Node.js 20 or later, which brings npm.")
    return found


def engine_tools() -> None:
    """Make npm and Node available where the engine needs them: to fetch Pyodide, or to compile in it."""
    from builder.pyodide import PYODIDE_VERSION, PYTHON_MINOR, TARBALL_VARIABLE

    unpacked = ROOT / ".cache" / f"pyodide-{PYODIDE_VERSION}"
    at_hand = unpacked.is_dir() or TARBALL_VARIABLE in os.environ
    if not at_hand or sys.version_info[:2] != PYTHON_MINOR:
        npm()


def engine() -> None:
    """Make the engine's parts now, so that no test needs the network."""
    from builder.bundle import engine_parts
    from builder.site import default_cache
    from cairn_core.errors import CairnError

    try:
        engine_parts(default_cache())
    except CairnError as error:
        raise SetupError(str(error)) from error


def node_packages(folder: Path = ROOT) -> None:
    """Install what a folder's package-lock.json lists into its node_modules; none of it reaches a site."""
    lock = folder / "package-lock.json"
    name = lock.relative_to(ROOT).as_posix()

    def work() -> None:
        say(f"installing {name} into node_modules beside it")
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        if not succeeds([*npm(), "ci", "--prefix", str(folder), *options]):
            raise SetupError(f"npm could not install {name}; its own message is above. {NO_NETWORK}")

    once(lock, folder / "node_modules" / ".cairn.sha256", work)


def missing_browsers() -> list[str]:
    """Return which of the browsers that the tests drive do not start on this machine."""
    from tests.browser.browsers import CHROMIUM, FIREFOX, program

    def starts(found: str | None) -> bool:
        return found is not None and succeeds((found, "--version"), quiet=True)

    missing = []
    if not starts(program(CHROMIUM, "CAIRN_CHROMIUM")) and not starts(playwright_chromium()):
        missing.append("chromium")
    if not starts(program(FIREFOX, "CAIRN_FIREFOX")):
        missing.append("firefox")
    return missing


def playwright_chromium() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def browsers() -> None:
    """Make a Chromium and a Firefox available to the browser tests."""
    missing = missing_browsers()
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"installing {' and '.join(missing)} from Debian's packages")
        succeeds(("apt-get", "update", "-qq"))
        wanted = [DEBIAN[name] for name in missing]
        succeeds(("apt-get", "install", "-y", "-qq", "--no-install-recommends", *wanted))
        missing = missing_browsers()
    if "chromium" in missing:
        say("installing chromium with Playwright")
        succeeds((sys.executable, "-m", "playwright", "install", "chromium"))
        missing = missing_browsers()
    if missing:
        raise SetupError(
            f"The browser tests need {' and '.join(missing)}, which could not be installed. Install what is "
            "missing (Debian: sudo apt-get install chromium firefox-esr) or name it in CAIRN_CHROMIUM or "
            "CAIRN_FIREFOX, then type `make test` again; `make check` runs all that needs no browser."
        )


def nginx() -> None:
    """Unpack Debian's nginx into .cache/nginx for one test; where it cannot be had, that test is skipped.

    Unpacked only: an installed package would start a server on this machine.
    """
    folder = ROOT / ".cache" / "nginx"
    if shutil.which("nginx") or folder.is_dir() or not shutil.which("apt-get"):
        return
    say("unpacking nginx from Debian's packages into .cache/nginx")
    with TemporaryDirectory() as place:
        names = ("nginx", "nginx-common", "libnginx-mod-http-brotli-static")
        if not succeeds(("apt-get", "download", "-qq", *names), quiet=True, folder=Path(place)):
            say("nginx could not be had; the test of its recipe is skipped")
            return
        for package in sorted(Path(place).glob("*.deb")):
            succeeds(("dpkg-deb", "-x", str(package), str(folder)))


TARGETS: dict[str, tuple[Callable[[], object], ...]] = {
    "base": (lambda: packages("base"), engine_tools),
    "dev": (lambda: packages("dev"), engine_tools, engine, node_packages),
    "test": (lambda: packages("dev"), engine_tools, engine, node_packages, browsers, nginx),
    "peers": (lambda: packages("bench"), generators, lambda: node_packages(ROOT / "bench" / "peers")),
    "lock": (lambda: packages("dev"), npm, lambda: packages("lock")),
}


def run_target(steps: Sequence[Callable[[], object]]) -> int:
    """Take the steps in order and return the exit code; the first that cannot be done ends the run."""
    try:
        for step in steps:
            step()
    except SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    return 0


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in TARGETS:
        sys.stderr.write(f"usage: python -m scripts.install {'|'.join(TARGETS)}\n")
        return 2
    return run_target(TARGETS[arguments[0]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
