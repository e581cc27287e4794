"""What the repository holds: no machine's paths, no registry's hosts, nothing that grew without a reason."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("*.py", "*.js", "*.cjs", "*.css")
LONG_MODULES = {
    "builder/cli.py": "every command, and the one place that prints and gives exit codes",
    "builder/options.py": "the options of every command, read side by side",
    "cairn_core/bridge.py": "its docstring is the one place where the JSON of the engine is written down",
    "web/css/cairn.css": "the one style sheet: tokens, base, components, kiosk, print",
}
"""Path of a module over 300 lines -> why it is one module."""

REGISTRY_HOST = re.compile(r"pypi\.org|pythonhosted\.org|registry\.npmjs\.org|yarnpkg\.com|/simple/")
MACHINE_PATH = re.compile(r"(?<![\w.~/$:}-])/(?:root|work|tmp|home|Users|opt|mnt|private)/[\w.-]+")


def tracked(*patterns: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the tracked text files that match."""
    command = ["git", "ls-files", "-z", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in sorted(filter(None, names.split("\0"))):
        path = ROOT / name
        if path.is_file() and not path.is_symlink() and b"\0" not in path.read_bytes():
            yield name, path.read_text(encoding="utf-8", errors="replace")


def lines_with(pattern: re.Pattern[str], *patterns: str) -> list[str]:
    return [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()}"
        for name, text in tracked(*patterns)
        if name != Path(__file__).relative_to(ROOT).as_posix()
        for match in pattern.finditer(text)
    ]


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    assert lines_with(MACHINE_PATH) == []


def test_no_tracked_file_names_the_host_of_a_package_registry() -> None:
    assert lines_with(REGISTRY_HOST) == []


def test_a_lock_file_holds_no_download_address() -> None:
    assert lines_with(re.compile(r"https?://.*"), "requirements", "*package-lock.json") == []


def test_every_locked_python_package_has_an_exact_version_and_a_hash() -> None:
    for name, text in tracked("requirements/*.txt"):
        entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^ *#.*\n", "", text).strip())
        assert entries, name
        loose = [entry for entry in entries if not re.match(r"[\w.-]+==\S+", entry) or "sha256:" not in entry]
        assert loose == [], name


def test_a_module_over_300_lines_has_its_reason_listed() -> None:
    long = {name for name, text in tracked(*MODULES) if text.count("\n") > 300}
    assert long == set(LONG_MODULES)


def test_the_readme_has_at_most_120_lines() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 120


def test_of_the_site_folder_only_its_readme_is_tracked() -> None:
    assert [name for name, _ in tracked("site")] == ["site/README.md"]


def test_no_test_folder_is_a_package_or_is_named_like_one() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
    packages = {"cairn_core", "builder", "bench"}
    assert not packages & {path.name for path in (ROOT / "tests").iterdir()}


def test_the_machine_path_pattern_catches_a_planted_path() -> None:
    planted = "see " + "/" + "work/main/site"
    assert MACHINE_PATH.search(planted)
    assert not MACHINE_PATH.search("docs/work/plan.md and https://x.example/home/page and ~/tmp/x")
