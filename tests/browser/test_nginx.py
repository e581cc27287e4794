"""The recipe for nginx, as in the docs, in the real server: answers, headers, packed files, cache."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path

import brotli
import pytest

from builder.project import load_project
from builder.serve import HEADERS
from builder.site import Options, build
from tests.browser.asking import ask
from tests.browser.browsers import Tab
from tests.browser.conftest import ROOT

RECIPES = ROOT / "docs" / "how-to" / "serve-on-a-mirror.md"
UNPACKED = ROOT / ".cache" / "nginx"
MODULE = "usr/lib/nginx/modules/ngx_http_brotli_static_module.so"
QUESTION = "How much is the monthly grocery allowance for one person?"
KEPT = "public, max-age=31536000, immutable"
MAIN = """
{load}
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    include {types};
    log_format short '$request_uri $status $sent_http_content_encoding';
    access_log {folder}/access.log short;
    {places}
    {recipe}
}}
"""
PATIENCE = 60.0

pytestmark = pytest.mark.slow


def recipe() -> str:
    (found,) = re.findall(r"```nginx\n(.*?)```", RECIPES.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def test_every_recipe_sends_the_policy_of_the_preview_and_nosniff() -> None:
    text = RECIPES.read_text(encoding="utf-8")
    assert text.count(HEADERS["Content-Security-Policy"]) == 4
    for kind in ("nginx", "apache", "caddy"):
        (one,) = re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
        assert {"nosniff", "no-referrer", "no-cache", KEPT} <= {
            word for word in ("nosniff", "no-referrer", "no-cache", KEPT) if word in one
        }


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    headers: Message
    body: bytes


@dataclass(frozen=True, slots=True)
class Nginx:
    """A running server: its port, its root and what it has been asked for."""

    port: int
    log: Path

    def get(self, path: str, encoding: str = "identity", tag: str = "") -> Response:
        headers = {"Accept-Encoding": encoding, **({"If-None-Match": tag} if tag else {})}
        with closing(HTTPConnection("127.0.0.1", self.port)) as connection:
            connection.request("GET", f"/help/{path}", headers=headers)
            response = connection.getresponse()
            return Response(response.status, response.headers, response.read())

    def seen(self) -> list[list[str]]:
        return [line.split(" ") for line in self.log.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration site with siblings."""
    out = tmp_path_factory.mktemp("packed") / "site"
    build(load_project(ROOT / "corpus" / "demo"), out, Options(ROOT / ".cache", precompress=True))
    return out


@pytest.fixture(scope="module")
def nginx(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    """The server with the recipe; of the recipe only address, folder and port are replaced."""
    program = os.environ.get("CAIRN_NGINX") or next(
        filter(None, (shutil.which("nginx"), *map(str, UNPACKED.glob("usr/sbin/nginx")))), None
    )
    if program is None:
        pytest.skip("there is no nginx: type `sh scripts/setup test`, or set CAIRN_NGINX to its path")
    folder = tmp_path_factory.mktemp("nginx")
    root = next((root for root in (UNPACKED, Path("/")) if (root / MODULE).is_file()), None)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = recipe().replace("listen 80", f"listen 127.0.0.1:{port}").replace("/srv/cairn", str(packed))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    types = next(path for path in (UNPACKED, Path("/")) if (path / "etc/nginx/mime.types").is_file())
    config = folder / "nginx.conf"
    config.write_text(
        MAIN.format(
            load=f"load_module {root / MODULE};" if root else "",
            user="user root;" if os.geteuid() == 0 else "",
            folder=folder,
            types=types / "etc/nginx/mime.types",
            places="".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds),
            recipe=text if root else text.replace("brotli_static on;", ""),
        ),
        encoding="utf-8",
    )
    with subprocess.Popen([program, "-c", str(config), "-p", str(folder)]) as process:
        try:
            wait_for(port)
            yield Nginx(port, folder / "access.log")
        finally:
            process.terminate()


def wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < end, "nginx does not start"
            time.sleep(0.05)


def versioned(packed: Path) -> str:
    from builder.readsite import read_manifest

    return f"assets/parts/lock.json.gz?{read_manifest(packed).parts['lock.json'].sha256[:16]}"


def test_pages_are_asked_for_anew_and_parts_are_kept(nginx: Nginx, packed: Path) -> None:
    page, part = nginx.get("en/index.html"), nginx.get(versioned(packed))
    assert (page.status, part.status) == (200, 200)
    assert (page.headers["Cache-Control"], part.headers["Cache-Control"]) == ("no-cache", KEPT)
    assert nginx.get("assets/parts/lock.json.gz").headers["Cache-Control"] == "no-cache"
    assert nginx.get("assets/js/ask.js").headers["Cache-Control"] == "no-cache"
    assert nginx.get("en/index.html", tag=page.headers["ETag"]).status == 304
    missing = nginx.get("en/nothing.html")
    assert (missing.status, missing.headers["Cache-Control"]) == (404, None)


def test_every_answer_of_the_server_carries_the_policy(nginx: Nginx, packed: Path) -> None:
    for path in ("", "en/index.html", "assets/js/ask.js", versioned(packed), "nothing"):
        headers = nginx.get(path).headers
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
            assert headers.get_all(name) == [HEADERS[name]], (path, name)


@pytest.mark.parametrize("path", ["en/index.html", "assets/js/ask.js", "assets/cairn.css"])
def test_the_siblings_are_sent_to_those_who_take_them(path: str, nginx: Nginx, packed: Path) -> None:
    whole = (packed / path).read_bytes()
    plain, zipped = nginx.get(path), nginx.get(path, "gzip")
    assert (plain.headers["Content-Encoding"], plain.body) == (None, whole)
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert zipped.body == (packed / f"{path}.gz").read_bytes()
    if "brotli_static" in (nginx.log.parent / "nginx.conf").read_text(encoding="utf-8"):
        small = nginx.get(path, "gzip, br")
        assert small.headers["Content-Encoding"] == "br"
        assert brotli.decompress(small.body) == whole


def test_chromium_answers_through_the_recipe_and_comes_back_without_loading_the_engine_again(
    nginx: Nginx, packed: Path, new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    address = f"http://127.0.0.1:{nginx.port}/help/en/index.html"
    tab.goto(address)
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    first = nginx.seen()
    parts = [line for line in first if "/assets/parts/" in line[0] and "?" in line[0]]
    assert any("snapshot.bin" in path for path, *_ in parts)
    assert {status for _, status, _ in parts} == {"200"}
    tab.goto(f"http://127.0.0.1:{nginx.port}/help/en/contents.html")
    tab.goto(address)
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    again = nginx.seen()[len(first) :]
    assert [line for line in again if "/assets/parts/" in line[0]] == []
    assert ["/help/en/index.html", "304", "-"] in again
    assert (tab.errors(), tab.evaluate("() => violations")) == ([], [])
    tab.close()
