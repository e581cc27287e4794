"""The recipes for web hosts, as in the docs, in the real servers: answers, headers, packed files, cache."""

import gzip
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
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
NGINX = """
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
APACHE_MODULES = Path("/usr/lib/apache2/modules")
APACHE = """
ServerRoot {folder}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/apache.pid
ErrorLog {folder}/error.log
TypesConfig {types}
LogFormat "%U%q %>s %{{Content-Encoding}}o" short
CustomLog {folder}/access.log short
{modules}
{recipe}
"""
CADDY = """
{{
    admin off
    auto_https off
}}
{recipe}
"""
PATIENCE = 60.0

pytestmark = pytest.mark.slow


def recipe(kind: str, packed: Path) -> str:
    """Return a recipe; of its words only the folder of the site is replaced."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", RECIPES.read_text(encoding="utf-8"), re.DOTALL)
    return str(found).replace("/srv/cairn", str(packed))


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
class Host:
    """A running server: its port, its folder, whether it sends brotli."""

    port: int
    folder: Path
    brotli: bool = True

    def get(self, path: str, encoding: str = "identity", tag: str = "") -> Response:
        headers = {"Accept-Encoding": encoding, **({"If-None-Match": tag} if tag else {})}
        with closing(HTTPConnection("127.0.0.1", self.port)) as connection:
            connection.request("GET", f"/help/{path}", headers=headers)
            response = connection.getresponse()
            return Response(response.status, response.headers, response.read())

    def seen(self) -> list[list[str]]:
        return [
            line.split(" ") for line in (self.folder / "access.log").read_text(encoding="utf-8").splitlines()
        ]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration site with siblings."""
    out = tmp_path_factory.mktemp("packed") / "site"
    build(load_project(ROOT / "corpus" / "demo"), out, Options(ROOT / ".cache", precompress=True))
    return out


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def nginx(folder: Path, packed: Path, port: int) -> tuple[list[str], bool]:
    """Write the settings of nginx and return its command, and whether it sends brotli."""
    program = os.environ.get("CAIRN_NGINX") or next(
        filter(None, (shutil.which("nginx"), *map(str, UNPACKED.glob("usr/sbin/nginx")))), None
    )
    if program is None:
        pytest.skip("there is no nginx: type `sh scripts/setup test`, or set CAIRN_NGINX to its path")
    root = next((root for root in (UNPACKED, Path("/")) if (root / MODULE).is_file()), None)
    text = recipe("nginx", packed).replace("listen 80", f"listen 127.0.0.1:{port}")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    types = next(path for path in (UNPACKED, Path("/")) if (path / "etc/nginx/mime.types").is_file())
    config = NGINX.format(
        load=f"load_module {root / MODULE};" if root else "",
        user="user root;" if os.geteuid() == 0 else "",
        folder=folder,
        types=types / "etc/nginx/mime.types",
        places="".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds),
        recipe=text if root else text.replace("brotli_static on;", ""),
    )
    (folder / "nginx.conf").write_text(config, encoding="utf-8")
    return [program, "-c", str(folder / "nginx.conf"), "-p", str(folder)], root is not None


def apache(folder: Path, packed: Path, port: int) -> tuple[list[str], bool]:
    """The same for Apache, which refuses to be the superuser and is another user with the same rights."""
    program = shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")
    if program is None or not APACHE_MODULES.is_dir():
        pytest.skip("there is no Apache: type `apt-get install apache2`")
    names = ("mpm_event", "authz_core", "alias", "dir", "mime", "headers", "rewrite")
    config = APACHE.format(
        folder=folder,
        port=port,
        types="/etc/mime.types",
        modules="\n".join(f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so" for name in names),
        recipe=recipe("apache", packed),
    )
    (folder / "apache.conf").write_text(config, encoding="utf-8")
    rights = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *rights]
    command = [program, "-f", str(folder / "apache.conf"), "-DFOREGROUND"]
    return [*(user if os.geteuid() == 0 else []), *command], True


def caddy(folder: Path, packed: Path, port: int) -> tuple[list[str], bool]:
    """The same for Caddy."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("there is no Caddy: type `apt-get install caddy`")
    text = recipe("caddy", packed).replace("help.example.org {", f"http://127.0.0.1:{port} {{")
    (folder / "Caddyfile").write_text(CADDY.format(recipe=text), encoding="utf-8")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], True


HOSTS = {"nginx": nginx, "apache": apache, "caddy": caddy}


@contextmanager
def running(kind: str, folder: Path, packed: Path) -> Iterator[Host]:
    port = free_port()
    command, brotli_too = HOSTS[kind](folder, packed, port)
    home = {name: str(folder) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME")}
    with subprocess.Popen(command, env=os.environ | home, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(port)
            yield Host(port, folder, brotli_too)
        finally:
            process.terminate()


@pytest.fixture(scope="module", params=list(HOSTS))
def host(
    request: pytest.FixtureRequest, packed: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    with running(request.param, tmp_path_factory.mktemp(request.param), packed) as server:
        yield server


@pytest.fixture
def logged(packed: Path, tmp_path: Path) -> Iterator[Host]:
    """The server whose log says what a browser loaded."""
    with running("nginx", tmp_path, packed) as server:
        yield server


def wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.05)


def versioned(packed: Path) -> str:
    from builder.readsite import read_manifest

    return f"assets/parts/lock.json.gz?{read_manifest(packed).parts['lock.json'].sha256[:16]}"


def test_pages_are_asked_for_anew_and_parts_are_kept(host: Host, packed: Path) -> None:
    page, part = host.get("en/index.html"), host.get(versioned(packed))
    assert (page.status, part.status) == (200, 200)
    assert (page.headers["Cache-Control"], part.headers["Cache-Control"]) == ("no-cache", KEPT)
    assert host.get("assets/parts/lock.json.gz").headers["Cache-Control"] == "no-cache"
    assert host.get("assets/js/ask.js").headers["Cache-Control"] == "no-cache"
    assert host.get("en/index.html", tag=page.headers["ETag"]).status == 304
    for nothing in ("en/nothing.html", versioned(packed).replace("lock", "nothing")):
        missing = host.get(nothing)
        assert (missing.status, missing.headers["Cache-Control"] in (None, "no-cache")) == (404, True)


def test_every_answer_of_the_server_carries_the_policy(host: Host, packed: Path) -> None:
    for path in ("", "en/index.html", "assets/js/ask.js", versioned(packed), "nothing"):
        headers = host.get(path).headers
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
            assert headers.get_all(name) == [HEADERS[name]], (path, name)


@pytest.mark.parametrize("path", ["en/index.html", "assets/js/ask.js", "assets/cairn.css"])
def test_the_siblings_are_sent_to_those_who_take_them(path: str, host: Host, packed: Path) -> None:
    whole = (packed / path).read_bytes()
    plain, zipped = host.get(path), host.get(path, "gzip")
    assert (plain.headers["Content-Encoding"], plain.body) == (None, whole)
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert zipped.body == (packed / f"{path}.gz").read_bytes()
    if host.brotli:
        small = host.get(path, "gzip, br")
        assert small.headers["Content-Encoding"] == "br"
        assert brotli.decompress(small.body) == whole


def test_a_part_is_sent_as_it_is_or_with_brotli_as_what_it_holds(host: Host, packed: Path) -> None:
    path = "assets/parts/pyodide.wasm.gz"
    whole = (packed / path).read_bytes()
    for encoding in ("identity", "gzip"):
        response = host.get(path, encoding)
        assert (response.headers["Content-Encoding"], response.body) == (None, whole)
    if host.brotli:
        small = host.get(path, "gzip, br")
        assert small.headers["Content-Encoding"] == "br"
        assert brotli.decompress(small.body) == gzip.decompress(whole)


def test_chromium_answers_through_the_recipe_and_comes_back_without_loading_the_engine_again(
    logged: Host, packed: Path, new_tab: Callable[[str], Tab]
) -> None:
    tab = new_tab("chromium")
    address = f"http://127.0.0.1:{logged.port}/help/en/index.html"
    tab.goto(address)
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    first = logged.seen()
    parts = [line for line in first if "/assets/parts/" in line[0] and "?" in line[0]]
    assert any("snapshot.bin" in path for path, *_ in parts)
    assert {status for _, status, _ in parts} == {"200"}
    tab.goto(f"http://127.0.0.1:{logged.port}/help/en/contents.html")
    tab.goto(address)
    assert "$212" in ask(tab, QUESTION).quotes[0]["text"]
    again = logged.seen()[len(first) :]
    assert [line for line in again if "/assets/parts/" in line[0]] == []
    assert ["/help/en/index.html", "304", "-"] in again
    assert (tab.errors(), tab.evaluate("() => violations")) == ([], [])
    tab.close()
