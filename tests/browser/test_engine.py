"""The engine's clocks: slow, stuck, hanging; and which of many questions is answered."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest

from builder.sums import check_sum
from tests.browser.asking import outcome
from tests.browser.browsers import Tab
from tests.browser.conftest import Place

QUESTION = "How much is the monthly grocery allowance for one person?"
# What can befall a worker: messages to it are lost ("lose"), or it fails when it gets one ("fail").
FAULT = """({ fault, type, times }) => {
  const Real = Worker;
  let done = 0;
  globalThis.Worker = class extends Real {
    postMessage(message, transfer) {
      if (message.type !== type || done === times) return super.postMessage(message, transfer);
      done += 1;
      const event = new ErrorEvent("error", { message: fault });
      if (fault === "fail") setTimeout(() => this.dispatchEvent(event), 0);
    }
  };
}"""
WORKER_MESSAGES = """() => {
  const Real = Worker;
  globalThis.posted = [];
  globalThis.Worker = class extends Real {
    postMessage(message, transfer) {
      if (message.type === "ask") posted.push(JSON.parse(message.request).question);
      super.postMessage(message, transfer);
    }
  };
}"""
SCRIPTS = ["bytes", "sha256", "inflate", "hosts", "engine"]
LOAD = """async (names) => {
  for (const name of names) {
    await new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `../assets/js/${name}.js`;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    cairn.scripts[`${name}.js`]();
  }
}"""
ENGINE = """({ limits, questions }) => new Promise((resolve) => {
  const states = [];
  const answers = [];
  const done = (end) => resolve({ states, answers, end, posted: globalThis.posted || [] });
  const engine = cairn.createEngine({
    limits,
    onState: (state) => {
      states.push(state.name === "preparing" && state.slow ? "slow" : state.name);
      if (state.name === "failed") done(state.failure.code);
      if (state.name === "ready" && !globalThis.asked) {
        globalThis.asked = true;
        for (const question of questions) engine.ask({ question, lang: null, interface: "en" });
      }
    },
    onAnswer: (response) => {
      answers.push(response.answer.kind);
      done("answered");
    },
  });
  engine.start();
})"""

# Every answer counts as growth; each question is asked when the engine is ready.
GROWN = """(questions) => new Promise((resolve, reject) => {
  const seen = [];
  const left = [...questions];
  const ask = (question) => engine.ask({ question, lang: null, interface: "en" });
  const next = () => (left.length ? ask(left.shift()) : resolve(seen));
  const engine = cairn.createEngine({
    limits: { growth: -Number.MAX_VALUE },
    onState: (state) => {
      if (state.name === "failed") reject(new Error(state.failure.detail));
      if (state.name !== "ready") return;
      if (left.length < questions.length) seen.push("ready");
      setTimeout(next, 0);
    },
    onAnswer: (response) => seen.push(response.answer.kind),
  });
  engine.start();
})"""


@pytest.fixture
def page(site: Path, places: Callable[[Path, str], Place], new_tab: Callable[[str], Tab]) -> Iterator[Tab]:
    """A page that starts no engine of its own, with the scripts the test's engine needs."""
    tab = new_tab("chromium")
    tab.goto(places(site, "file").page("en/contents.html"))
    tab.evaluate(LOAD, SCRIPTS)
    yield tab
    tab.close()


@pytest.mark.parametrize("fault", ["lose", "fail"])
def test_a_question_that_hangs_or_crashes_is_asked_once_more_of_a_new_worker(fault: str, page: Tab) -> None:
    page.evaluate(FAULT, {"fault": fault, "type": "ask", "times": 1})
    run = page.evaluate(ENGINE, {"limits": {"question": 3000}, "questions": [QUESTION]})
    assert (run["end"], run["answers"]) == ("answered", ["grounded"])
    assert run["states"].count("ready") == 2


@pytest.mark.parametrize("fault", ["lose", "fail"])
def test_a_question_that_hangs_or_crashes_twice_fails_as_crashed(fault: str, page: Tab) -> None:
    page.evaluate(FAULT, {"fault": fault, "type": "ask", "times": 9})
    run = page.evaluate(ENGINE, {"limits": {"question": 500}, "questions": [QUESTION]})
    assert (run["end"], run["answers"]) == ("crashed", [])
    assert run["states"].count("ready") == 2


def test_a_worker_that_fails_before_its_first_word_leaves_the_work_to_the_page(page: Tab) -> None:
    page.evaluate(FAULT, {"fault": "fail", "type": "boot", "times": 9})
    run = page.evaluate(ENGINE, {"limits": {}, "questions": [QUESTION]})
    assert (run["end"], run["answers"]) == ("answered", ["grounded"])


def test_a_page_that_fails_in_the_workers_place_is_not_started_for_ever(page: Tab) -> None:
    page.evaluate("() => { delete globalThis.Worker; }")
    page.evaluate("() => { cairn.hosts.inPage = () => { throw new Error('no'); }; }")
    run = page.evaluate(ENGINE, {"limits": {}, "questions": []})
    assert (run["end"], run["states"].count("ready")) == ("crashed", 0)


def test_an_engine_whose_memory_has_grown_is_replaced_after_its_answer(page: Tab) -> None:
    states = page.evaluate(GROWN, [QUESTION, "What is the capital of France?"])
    assert states == ["grounded", "ready", "refusal", "ready"]


def test_a_start_without_progress_ends_as_timeout(page: Tab) -> None:
    page.evaluate(FAULT, {"fault": "lose", "type": "boot", "times": 9})
    run = page.evaluate(ENGINE, {"limits": {"watchdog": 2000}, "questions": []})
    assert run["end"] == "timeout"


def test_a_slow_start_is_told_and_goes_on(page: Tab) -> None:
    run = page.evaluate(ENGINE, {"limits": {"slow": 1}, "questions": [QUESTION]})
    assert run["end"] == "answered"
    assert "slow" in run["states"]


def test_of_many_questions_at_once_the_newest_is_answered(page: Tab) -> None:
    page.evaluate(WORKER_MESSAGES)
    run = page.evaluate(
        ENGINE, {"limits": {}, "questions": [f"question {n}" for n in range(50)] + [QUESTION]}
    )
    assert run["posted"] == ["question 0", QUESTION]
    assert run["answers"] == ["grounded"]


def test_a_question_is_cut_before_it_reaches_the_worker(page: Tab) -> None:
    page.evaluate(WORKER_MESSAGES)
    run = page.evaluate(ENGINE, {"limits": {}, "questions": ["😀" * 100_000]})
    assert [len(question) for question in run["posted"]] == [2001]


def with_limits(html: str, limits: dict[str, int]) -> tuple[dict[str, dict[str, str]], str]:
    """Return the data block of an ask page, and the page with limits and a new checksum in it."""
    before, _, rest = html.partition('<script type="application/json" id="cairn-page" data-sum="')
    block, after = rest.partition(">")[2].split("</script>", 1)
    data = json.loads(block)
    limited = json.dumps({**data, "limits": limits}).replace("<", "\\u003c")
    contact = unescape(re.sub("<[^>]*>", "", re.findall(r'<p id="contact-lines".*?</p>', html)[0]))
    made = check_sum(f"{limited}\n{contact}")
    head = f'{before}<script type="application/json" id="cairn-page" data-sum="{made}">'
    return data, f"{head}{limited}</script>{after}"


@pytest.mark.parametrize("lang", ["en", "es", "ar"])
def test_the_limits_of_the_data_block_hold_for_the_page_and_the_reader_can_try_again(
    lang: str,
    site: Path,
    variant: Callable[[dict[str, bytes | None]], Path],
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    html = (site / lang / "index.html").read_text(encoding="utf-8")
    data, changed = with_limits(html, {"watchdog": 1})
    tab = new_tab("chromium")
    tab.goto(places(variant({f"{lang}/index.html": changed.encode()}), "file").page(f"{lang}/index.html"))
    found = outcome(tab)
    assert (found.code, found.answered) == ("timeout", False)
    assert data["messages"]["error.timeout"] in found.alert
    tab.evaluate("() => document.querySelector('#alert button').click()")
    assert tab.evaluate("() => document.activeElement.id") == "question"
    assert outcome(tab).code == "timeout"
    tab.close()
