"""What a preview tells the pages that are open: builds, the pages they touched, what is wrong with a save."""

import http.client
import json
from pathlib import Path

from builder.preview import SHOWN, Preview, lines
from builder.problems import CorpusProblems, Problem
from builder.site import BuildReport
from cairn_core.errors import CairnError
from tests.site.test_serve import listen, serving


def told(response: http.client.HTTPResponse) -> dict[str, object]:
    """Return the next state a page is told."""
    line = response.readline()
    assert line.startswith(b"data: ")
    assert response.readline() == b"\n"
    found: dict[str, object] = json.loads(line.removeprefix(b"data: "))
    return found


def reported(contents: dict[str, str], build: str = "b2") -> BuildReport:
    return BuildReport(Path("site"), build, 1, contents, {}, 0, 0, 0, "", ())


def test_an_open_page_is_told_of_every_build(tmp_path: Path) -> None:
    news = Preview(tmp_path)
    with serving(tmp_path, "/a/b/", news) as port:
        connection, response = listen(port)
        assert response.headers["Content-Type"] == "text/event-stream"
        assert told(response)["busy"] is True
        news.built(reported({"a.html": "1", "b.html": "1", "c.html": "1"}, "b1"))
        state = told(response)
        assert [state[key] for key in ("title", "build", "touched")] == ["Built: 3 pages", "b1", []]
        news.begin()
        assert told(response)["busy"] is True
        news.built(reported({"a.html": "1", "b.html": "2", "d.html": "1"}))
        state = told(response)
        assert state["title"] == "Built: 3 pages touched"
        assert state["touched"] == [
            ["changed", "b.html", "/a/b/b.html"],
            ["added", "d.html", "/a/b/d.html"],
            ["removed", "c.html", "/a/b/c.html"],
        ]
        connection.close()


def test_what_is_wrong_with_a_save_is_told_with_place_and_cure(tmp_path: Path) -> None:
    news = Preview(tmp_path)
    problem = Problem("a.md", 3, 7, "E501", 'The link "<b>" leads to no document.', "link to a document")
    warning = Problem("a.md", 1, 1, "W233", "The title is a question.")
    state = news.failed(CorpusProblems([warning, problem])).to_json("/")
    assert state["title"] == "Not built: 1 error"
    assert state["errors"] == (("E501", "a.md:3:7", problem.message, problem.hint),)
    assert news.failed(CairnError("it broke", "mend it", "cairn.toml")).errors == (
        ("", "cairn.toml", "it broke", "mend it"),
    )
    assert news.built(reported({})).errors == ()


def test_many_touched_pages_are_counted(tmp_path: Path) -> None:
    news = Preview(tmp_path)
    news.built(reported({}))
    state = news.built(reported({f"{number}.html": "" for number in range(SHOWN + 3)}))
    assert state.to_json("/")["more"] == "… and 3 more"
    assert len(list(lines(state, 0.1))) == SHOWN + 2


def test_closing_lets_go_of_pages_that_listen_and_of_connections_kept_alive(tmp_path: Path) -> None:
    with serving(tmp_path, "/") as port:
        listening, response = listen(port)
        told(response)
        idle = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        idle.request("GET", "/")
        idle.getresponse().read()
    assert response.readline() == b""
    assert idle.sock.recv(1) == b""
    listening.close()
    idle.close()


def test_a_foreign_host_name_is_told_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, "/") as port:
        connection, response = listen(port, "host.example")
        assert response.status == 421
        response.read()
        connection.close()
