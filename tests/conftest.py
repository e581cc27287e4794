"""What every test can use: golden files, the built demo, and one profile for the property tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from builder import kept
from builder.project import load_project
from builder.site import Options, build, default_cache

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("cairn", deadline=None, derandomize=True)
settings.load_profile("cairn")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew, do not compare")
    parser.addoption("--questions", type=int, default=500, help="how many questions test_endurance.py asks")


@pytest.fixture(scope="session", autouse=True)
def kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the pages of tests' sites away from those of whoever runs the tests; the engine is shared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kept.FOLDER_VARIABLE, str(tmp_path_factory.mktemp("kept")))
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with tests/golden/NAME; `make golden` writes the file instead."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        expected = path.read_bytes().decode("utf-8") if path.is_file() else ""
        assert text == expected, f"{path.name} differs; make golden writes it anew"

    return check


@pytest.fixture(scope="session")
def demo_corpus() -> Path:
    """Return the folder of the demo corpus."""
    return Path(__file__).resolve().parents[1] / "corpus" / "demo"


@pytest.fixture(scope="session")
def built_demo(demo_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the demo site without its engine, built once: only for reading."""
    out = tmp_path_factory.mktemp("demo") / "site"
    build(load_project(demo_corpus), out, Options(default_cache(), engine=False))
    return out
