"""The preview in a browser: it follows the builds, keeps what was typed, says what is wrong with a save."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.asking import OUTCOME, TYPE, ready
from tests.browser.browsers import Tab
from tests.browser.test_kiosk import settled as until  # the page is loaded again under the question
from tests.site.conftest import write_corpus
from tests.site.test_serve import running
from tests.site.test_serve import until as until_line

CARD = """() => {
  const place = document.getElementById("cairn-preview");
  const card = place && place.shadowRoot.querySelector("section");
  return card && {
    kind: card.className,
    alert: card.getAttribute("role") === "alert",
    title: card.querySelector("summary").textContent,
    shown: card.checkVisibility(),
    codes: Array.from(card.querySelectorAll(".code"), (node) => node.textContent),
    places: Array.from(card.querySelectorAll(".place"), (node) => [node.textContent, node.dir]),
    words: Array.from(card.querySelectorAll(".message, .hint"), (node) => node.textContent),
    marks: card.querySelectorAll("img, b, script").length,
  };
}"""
BAD = f"() => {{ const card = ({CARD})(); return card && card.kind === 'errors' && card; }}"
GOOD = f"""() => {{
  const card = ({CARD})();
  return card && card.kind === "note" && !card.title.endsWith("…") && card;
}}"""
TEXT = "(text) => document.body.innerText.includes(text)"
KEPT = """() => [
  document.getElementById("question").value,
  document.activeElement.id,
  history.state,
  scrollY,
  history.length,
]"""


@dataclass(frozen=True, slots=True)
class Desk:
    """A maintainer's desk: a corpus, and a preview of it at an address."""

    corpus: Path
    url: str
    run: "subprocess.Popen[str]"

    def save(self, name: str, text: str) -> None:
        """Save a file as editors do: written aside, put in its place."""
        aside = self.corpus / f".{name}.swp"
        aside.write_text(text, encoding="utf-8", newline="\n")
        aside.replace(self.corpus / name)

    def read(self, name: str) -> str:
        return (self.corpus / name).read_text(encoding="utf-8")

    def built(self) -> None:
        assert self.run.stdout
        until_line("stop with Ctrl-C", self.run.stdout)


def begin(corpus: Path, out: Path, *words: str) -> list[str]:
    command = [sys.executable, "-u", "-X", "dev", "-W", "error", "-m", "builder", "serve", str(corpus)]
    return [*command, "--out", str(out), "--port", "0", *words]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    corpus = write_corpus(tmp_path / "corpus")
    with running(begin(corpus, tmp_path / "site", "--no-engine", "--mirror", "/a/b/")) as run:
        assert run.stdout
        url = until_line("http://", run.stdout).split()[0]
        yield Desk(corpus, url, run)


@pytest.fixture(params=["chromium", "firefox"])
def tab(request: pytest.FixtureRequest, new_tab: Callable[[str], Tab]) -> Iterator[Tab]:
    opened = new_tab(request.param)
    yield opened
    opened.close()


def test_the_page_becomes_the_site_follows_saves_and_says_what_is_wrong_with_one(
    desk: Desk, tab: Tab
) -> None:
    tab.goto(f"{desk.url}en/opening-hours.html")
    until(tab, TEXT, "9:00 to 17:00")
    good = desk.read("opening-hours.en.md")
    desk.save("opening-hours.en.md", good.replace("17:00", "18:00"))
    until(tab, TEXT, "9:00 to 18:00")
    assert ["en/opening-hours.html", "ltr"] in until(tab, GOOD)["places"]

    desk.save("opening-hours.en.md", f"{good}\n\nBad ‮txet‬ and [a](مكتب.md) <b>.\n")
    found = until(tab, BAD)
    assert (found["alert"], found["shown"], found["marks"]) == (True, True, 0)
    assert "E302" in found["codes"]
    assert all(place.startswith("opening-hours.en.md:2") and way == "ltr" for place, way in found["places"])
    assert all("\u202e" not in words for words in found["words"])
    assert tab.evaluate(TEXT, "9:00 to 18:00")

    desk.save("opening-hours.en.md", good)
    until(tab, TEXT, "9:00 to 17:00")
    assert not until(tab, GOOD)["alert"]
    assert tab.errors() == []


def test_what_is_typed_stays_when_the_page_is_loaded_again(desk: Desk, tab: Tab) -> None:
    desk.built()
    tab.goto(f"{desk.url}en/index.html")
    until(tab, "() => !document.getElementById('ask-form').hidden")
    until(tab, GOOD)
    tab.evaluate(TYPE, "Where do I park?\nAnd ‏متى؟")
    before = tab.evaluate(
        "() => { scrollTo(0, 30); globalThis.old = true; return [scrollY, history.length]; }"
    )
    desk.save("opening-hours.en.md", desk.read("opening-hours.en.md").replace("Opening hours", "Hours"))
    until(tab, "() => !globalThis.old && document.getElementById('question').value")
    question, focus, state, *after = tab.evaluate(KEPT)
    assert question == "Where do I park?\nAnd ‏متى؟"
    assert (focus, state) == ("question", None)
    assert after == before
    assert before[0] > 0
    assert tab.evaluate("() => [localStorage.length, sessionStorage.length]") == [0, 0]


def test_a_first_build_that_fails_is_told_on_the_page_that_waits(tmp_path: Path, tab: Tab) -> None:
    corpus = write_corpus(tmp_path / "corpus")
    good = (corpus / "cairn.toml").read_text(encoding="utf-8")
    (corpus / "cairn.toml").write_text("[refusal]\ncontakt = 1\n", encoding="utf-8")
    with running(begin(corpus, tmp_path / "site", "--no-engine")) as run:
        assert run.stdout
        tab.goto(until_line("http://", run.stdout).split()[0])
        found = until(tab, BAD)
        assert found["places"][0][0].endswith("cairn.toml: refusal.contakt")
        assert "contact" in " ".join(found["words"])
        (corpus / "cairn.toml").write_text(good, encoding="utf-8")
        until(tab, "() => Boolean(document.querySelector('.chooser'))")
        assert not until(tab, GOOD)["alert"]


@pytest.mark.slow
def test_an_answer_is_asked_for_again_when_its_document_changes(
    demo_corpus: Path, tmp_path: Path, new_tab: Callable[[str], Tab]
) -> None:
    corpus = shutil.copytree(demo_corpus, tmp_path / "corpus")
    tab = new_tab("chromium")
    with running(begin(corpus, tmp_path / "site")) as run:
        assert run.stdout
        url = until_line("http://", run.stdout).split()[0]
        until_line("Built", run.stdout)
        tab.goto(f"{url}en/index.html")
        ready(tab)
        tab.evaluate(TYPE, "How much is the monthly grocery allowance for one person?")
        tab.press("Enter")
        until(tab, OUTCOME)
        document = corpus / "grocery-allowance.en.md"
        text = document.read_text(encoding="utf-8")
        assert "per month" in text
        document.write_text(text.replace("per month", "every single month"), encoding="utf-8")
        until(tab, "() => document.getElementById('answer').innerText.includes('every single month')")
        run.send_signal(signal.SIGINT)
        rest = run.stdout.read()
        assert "Traceback" not in rest
        assert "Warning" not in rest
        assert run.wait() == 0
    tab.close()
