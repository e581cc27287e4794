"""The preview server: which requests it answers, with what headers, and that it follows the corpus."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from builder.cli import main
from builder.pages import CSP
from builder.payload import URL
from builder.preview import EVENTS, FILES, SCRIPT, Preview
from builder.serve import PortError, server

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def serving(site: Path, prefix: str, news: Preview | None = None) -> Iterator[int]:
    """Serve a site and yield the port."""
    with server(site, 0, prefix, news) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running.server_port
        running.shutdown()
        thread.join()


@pytest.fixture(params=["/", "/a/b/"], scope="module")
def served(request: pytest.FixtureRequest, built: Path) -> Iterator[tuple[int, str]]:
    """Yield port and prefix of a server of the site."""
    with serving(built, request.param) as port:
        yield port, request.param


def fetch(
    port: int, path: str, *, method: str = "GET", host: str = "127.0.0.1", dest: str = ""
) -> http.client.HTTPResponse:
    """Send a request exactly as written, and return the response with its body read into `content`."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.putrequest(method, path, skip_host=True)
    if host:
        connection.putheader("Host", host)
    if dest:
        connection.putheader("Sec-Fetch-Dest", dest)
    connection.endheaders()
    response = connection.getresponse()
    response.content = response.read()  # type: ignore[attr-defined]
    connection.close()
    return response


def body(response: http.client.HTTPResponse) -> bytes:
    content: bytes = response.content  # type: ignore[attr-defined]
    return content


def test_every_file_of_the_site_is_served_as_it_is(served: tuple[int, str], built: Path) -> None:
    port, prefix = served
    for path in built.rglob("*"):
        if path.is_file():
            response = fetch(port, prefix + path.relative_to(built).as_posix())
            assert (response.status, body(response)) == (200, path.read_bytes())


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("index.html", "text/html; charset=utf-8"),
        ("assets/cairn.css", "text/css; charset=utf-8"),
        ("assets/manifest.js?0123", "text/javascript; charset=utf-8"),
        ("assets/manifest.json", "application/json"),
        ("assets/parts/site.json.gz", "application/gzip"),
        ("assets/mark.svg", "image/svg+xml"),
    ],
)
def test_files_have_their_type_and_the_headers_a_mirror_should_send(
    served: tuple[int, str], path: str, kind: str
) -> None:
    port, prefix = served
    response = fetch(port, prefix + path)
    assert response.status == 200
    assert response.headers["Content-Type"] == kind
    assert response.headers["Content-Security-Policy"] == f"{CSP}; frame-ancestors 'self'"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Encoding"] is None


def test_a_folder_is_answered_with_its_index(served: tuple[int, str], built: Path) -> None:
    port, prefix = served
    assert body(fetch(port, prefix)) == (built / "index.html").read_bytes()
    assert body(fetch(port, f"{prefix}en/")) == (built / "en" / "index.html").read_bytes()


def test_the_root_leads_to_the_mirror(served: tuple[int, str]) -> None:
    port, prefix = served
    response = fetch(port, "/")
    assert response.headers["Location"] == (None if prefix == "/" else prefix)


@pytest.mark.parametrize(
    "path",
    [
        "../corpus/opening-hours.en.md",
        "..%2fcorpus%2fopening-hours.en.md",
        "en/../../corpus/opening-hours.en.md",
        "%2e%2e/corpus/opening-hours.en.md",
        "/etc/hostname",
        "..\\corpus\\opening-hours.en.md",
        ".hidden",
        "en",
        "en/index.html/",
        "gone.html",
        "INDEX.HTML",
        "index.html%00",
    ],
)
def test_what_is_no_file_of_the_site_is_not_found(served: tuple[int, str], path: str) -> None:
    port, prefix = served
    assert fetch(port, prefix + path).status == 404


def test_what_lies_outside_the_mirror_is_not_found(built: Path) -> None:
    with serving(built, "/a/b/") as port:
        assert fetch(port, "/index.html").status == 404


@pytest.mark.parametrize("host", ["host.example", "127.0.0.1.host.example:80", "", "localhost, host.example"])
def test_a_foreign_host_name_is_refused(served: tuple[int, str], host: str) -> None:
    port, prefix = served
    assert fetch(port, f"{prefix}index.html", host=host).status == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:8765"])
def test_the_names_of_this_machine_are_answered(served: tuple[int, str], host: str) -> None:
    port, prefix = served
    assert fetch(port, f"{prefix}index.html", host=host).status == 200


def test_head_sends_the_headers_alone(served: tuple[int, str], built: Path) -> None:
    port, prefix = served
    response = fetch(port, f"{prefix}index.html", method="HEAD")
    assert body(response) == b""
    assert response.headers["Content-Length"] == str((built / "index.html").stat().st_size)


@pytest.mark.parametrize("dest", ["empty", "iframe", "script", "document"])
def test_only_a_page_that_is_opened_by_itself_gets_the_script_of_the_preview(
    served: tuple[int, str], built: Path, dest: str
) -> None:
    port, prefix = served
    found = body(fetch(port, f"{prefix}en/index.html", dest=dest))
    page = (built / "en" / "index.html").read_bytes()
    assert (found == page) == (dest != "document")
    assert found.replace(f'<script defer src="{SCRIPT}"></script>\n'.encode(), b"") == page


def test_a_page_that_is_not_there_is_one_that_waits_for_it(served: tuple[int, str], built: Path) -> None:
    port, prefix = served
    response = fetch(port, f"{prefix}en/gone.html", dest="document")
    build = json.loads((built / "assets" / "manifest.json").read_bytes())["build"]
    assert response.status == 404
    assert f'data-build="{build}"'.encode() in body(response)
    assert SCRIPT.encode() in body(response)


def test_before_the_first_build_every_page_is_one_that_waits(tmp_path: Path) -> None:
    with serving(tmp_path / "none", "/") as port:
        response = fetch(port, "/en/index.html", dest="document")
        assert response.status == 503
        assert b'data-build=""' in body(response)
        assert fetch(port, "/en/index.html").status == 404


@pytest.mark.parametrize("url", FILES)
def test_what_the_preview_adds_is_served_under_a_name_no_site_has(served: tuple[int, str], url: str) -> None:
    assert body(fetch(served[0], url)) == FILES[url].read_bytes()
    assert not URL.fullmatch(url.removeprefix("/"))


def listen(port: int, host: str = "127.0.0.1") -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", EVENTS, headers={"Host": host})
    return connection, connection.getresponse()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_not_known(served: tuple[int, str], method: str) -> None:
    port, prefix = served
    assert fetch(port, f"{prefix}index.html", method=method).status == 501


def test_a_port_in_use_is_one_sentence(built: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortError, match=f"port {taken.getsockname()[1]} is used by another program"):
            server(built, taken.getsockname()[1])


@pytest.mark.parametrize(
    "words",
    [
        *(["--port", "x"], ["--port", "65536"], ["--mirror", "a"], ["--mirror", "/../"]),
        ["--mirror", "/a/", "--stick"],
    ],
)
def test_a_port_or_prefix_that_is_none_is_wrong_usage(corpus: Path, words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", str(corpus), *words])
    assert stopped.value.code == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="stopped by a signal")
def test_a_change_is_built_and_a_mistake_keeps_the_old_site(corpus: Path, tmp_path: Path) -> None:
    command = preview_command(corpus, tmp_path / "site", "--port", "0")
    document = corpus / "opening-hours.en.md"
    good = document.read_text(encoding="utf-8")
    with running(command) as run:
        assert run.stdout is not None
        port = int(until("http://127.0.0.1:", run.stdout).split(":")[2].split("/")[0])
        until("http://", run.stdout)
        connection, response = listen(port)
        document.write_text(good.replace("17:00", "18:00"), encoding="utf-8")
        until("~ changed  en/opening-hours.html", run.stdout)
        until("http://", run.stdout)
        assert b"18:00" in body(fetch(port, "/en/opening-hours.html"))
        document.write_text("broken", encoding="utf-8")
        until("E201", run.stdout)
        until("http://", run.stdout)
        assert b"18:00" in body(fetch(port, "/en/opening-hours.html"))
        run.send_signal(signal.SIGINT)
        assert run.stdout.read().strip() == ""
        assert run.wait() == 0
        assert response.readline().startswith(b"data: ")
        connection.close()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="stopped by a signal")
def test_a_stick_is_previewed_where_it_lies(corpus: Path, tmp_path: Path) -> None:
    with running(preview_command(corpus, tmp_path / "site", "--stick")) as run:
        assert run.stdout is not None
        until("Built: ", run.stdout)
        assert until("file://", run.stdout).split()[0] == (tmp_path / "site" / "index.html").as_uri()
        (corpus / "opening-hours.ar.md").unlink()
        until("- removed  ar/index.html", run.stdout)
        run.send_signal(signal.SIGINT)
        run.stdout.read()
        assert run.wait() == 0


def preview_command(corpus: Path, out: Path, *words: str) -> list[str]:
    """Return the command of a preview in which every warning is an error."""
    strict = [sys.executable, "-u", "-X", "dev", "-W", "error", "-m", "builder"]
    return [*strict, "serve", str(corpus), "--out", str(out), "--no-engine", *words]


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Run a command, for five minutes at most."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, text=True, cwd=ROOT, **pipes) as process:
        watchdog = threading.Timer(300, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def until(text: str, lines: Iterator[str]) -> str:
    """Read on to a line that holds the text."""
    seen = []
    for line in lines:
        seen.append(line)
        if text in line:
            return line
    raise AssertionError(f"no {text!r} in {seen}")
