"""The built demonstration site, a server for it, and one browser of each kind for the whole session."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from builder import build_index
from builder.calibrate import settled, with_lexicons
from builder.project import load_project
from builder.site import Options, build
from cairn_core.bridge import Session, open_session
from tests.browser import browsers

ROOT = Path(__file__).resolve().parents[2]
SUBPATH = "/a/b/"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a site is opened from: `url` ends in a slash and stands for the site's root folder."""

    kind: str
    url: str

    def page(self, path: str) -> str:
        return self.url + path


class Quiet(SimpleHTTPRequestHandler):
    """Serves the folder of a site below SUBPATH, and nothing else."""

    def translate_path(self, path: str) -> str:
        inside = path.removeprefix(SUBPATH) if path.startswith(SUBPATH) else "nothing-is-here"
        return super().translate_path("/" + inside)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration site, in a folder as on somebody's stick."""
    return built("demo", tmp_path_factory.mktemp("usb stick ñ #1"))


@pytest.fixture(scope="session")
def showcase(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("showcase", tmp_path_factory.mktemp("showcase"))


@pytest.fixture(scope="session")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration as a kiosk: upright, everything within low reach."""
    profile = 'screen_mm = [268, 476]\nresolution = [1080, 1920]\nreach = "low"\n'
    return kiosk_site(profile, tmp_path_factory.mktemp("kiosk"))


def kiosk_site(profile: str, folder: Path) -> Path:
    """Build the demonstration with a `[kiosk]` section."""
    shutil.copytree(ROOT / "corpus" / "demo", folder / "corpus")
    with (folder / "corpus" / "cairn.toml").open("a", encoding="utf-8") as settings:
        settings.write(f"\n[kiosk]\n{profile}")
    build(load_project(folder / "corpus"), folder / "site", Options(ROOT / ".cache"))
    return folder / "site"


def built(corpus: str, folder: Path) -> Path:
    build(load_project(ROOT / "corpus" / corpus), folder / "site", Options(ROOT / ".cache"))
    return folder / "site"


def cpython(corpus: str) -> Session:
    """Return the session of a corpus in this Python, which a site's engine must agree with to the byte."""
    folder = ROOT / "corpus" / corpus
    project = load_project(folder)
    index = with_lexicons(build_index(folder), project)
    config = settled(index, project).config
    languages = list(index.language_codes)
    site = {"format": 1, "build": "", "config": config.to_json(), "languages": languages}
    return open_session(json.dumps(site), [index.shards[lang].to_json() for lang in languages])


class Server(ThreadingHTTPServer):
    """A page that is closed in the middle of a load is no error of the server."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serve a folder below SUBPATH and return the URL of its root."""
    servers: list[Server] = []

    def start(folder: Path) -> str:
        server = Server(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}{SUBPATH}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def places(serve: Callable[[Path], str]) -> Callable[[Path, str], Place]:
    """Open a site's folder as "file" or as "http"."""
    served: dict[Path, str] = {}

    def place(folder: Path, kind: str) -> Place:
        if kind == "file":
            return Place(kind, folder.as_uri() + "/")
        if folder not in served:
            served[folder] = serve(folder)
        return Place(kind, served[folder])

    return place


@pytest.fixture
def variant(site: Path, tmp_path: Path) -> Callable[[dict[str, bytes | None]], Path]:
    """Return a copy of the site with some files replaced, or removed where the new content is None."""

    def make(changes: dict[str, bytes | None]) -> Path:
        folder = tmp_path / "copy"
        shutil.copytree(site, folder, copy_function=os.link)
        for name, data in changes.items():
            (folder / name).unlink()
            if data is not None:
                (folder / name).write_bytes(data)
        return folder

    return make


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with browsers.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def firefox() -> Iterator[browsers.Firefox]:
    with browsers.firefox() as browser:
        yield browser


@pytest.fixture(scope="session")
def new_tab(request: pytest.FixtureRequest) -> Iterator[Callable[[str], browsers.Tab]]:
    """Return a tab with a fresh profile of "chromium", "firefox" or "webkit", started when first needed.

    A test in WebKitGTK is skipped where that is not installed.
    """
    windows: list[browsers.WebKitTab] = []

    def open_tab(name: str) -> browsers.Tab:
        if name == "firefox":
            return browsers.FirefoxTab(request.getfixturevalue("firefox"))
        if name == "chromium":
            return browsers.ChromiumTab(request.getfixturevalue("chromium"))
        try:
            windows.append(browsers.WebKitTab())
        except browsers.MissingBrowser as error:
            pytest.skip(str(error))
        return windows[-1]

    yield open_tab
    for window in windows:
        window.close()
