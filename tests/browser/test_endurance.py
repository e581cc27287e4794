"""Many questions to one worker, and workers that die: answers stay CPython's, memory stays as it is.

500 questions are asked in every run; `make endurance` asks 10,000. They are drawn with a fixed seed from
those the project has, in all languages: as they are, with typos, taken literally, joined to long ones, and
requests that are none.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cairn_core.bridge import Session
from tests.browser.browsers import Tab
from tests.browser.conftest import Place, cpython
from tests.probes import OFF_TOPIC

ROOT = Path(__file__).resolve().parents[2]
FILES = ("showcase-questions.jsonl", "colloquial.jsonl")
LANGUAGES = ("en", "es", "ar", "zh")
SETTLED = 100
"""Questions after which Python's memory no longer grows."""
BATCH = 250
LONGEST = 2_000
"""Code points of a question that the page sends."""
NO_REQUESTS = (
    "",
    "null",
    "[]",
    "{",
    "\u202e{}",
    '{"question": 3, "lang": null, "interface": "en"}',
    '{"question": "x", "lang": "xx", "interface": "en"}',
    '{"question": "x", "lang": ["en"], "interface": {}}',
    '{"question": "\\ud800", "lang": null, "interface": "en"}',
    '{"question": "\\u0000\\u001b[2J\\ufffe", "lang": null, "interface": "ar"}',
    '{"question": "x", "lang": null, "interface": "en", "literal": "yes"}',
    '{"question": "x", "lang": null, "interface": "en"',
    '{"question": ' + '"x" ,' * 50 + '"lang": null}',
    '{"question": NaN, "lang": null, "interface": "en"}',
)
"""What no page sends; the reply is an error, or the answer to what is left of a question."""

# One engine for the whole tab. Requests go to its worker as they are, past the page's own checks.
OPEN = """() => new Promise((resolve, reject) => {
  const engine = cairn.createEngine({
    limits: { question: 600_000, watchdog: 600_000 },
    onAnswer: () => {},
    onState: (state) => {
      if (state.name === "failed") reject(new Error(JSON.stringify(state.failure)));
      if (state.name === "ready") resolve();
    },
  });
  globalThis.endurance = { engine, last: 0 };
  engine.start();
})"""
ASK = """(requests) => new Promise((resolve) => {
  const { engine } = endurance;
  const hear = engine.worker.onmessage;
  const replies = [];
  const memory = [];
  const next = () => {
    const request = requests[replies.length];
    if (request === undefined) {
      engine.worker.onmessage = hear;
      return resolve({ replies, memory });
    }
    engine.worker.postMessage({ type: "ask", id: ++endurance.last, request }, []);
  };
  engine.worker.onmessage = (event) => {
    const { type, id, response, memory: used, detail } = event.data;
    if (type !== "answer" && type !== "error") return hear.call(engine.worker, event);
    if (id !== endurance.last) return;
    replies.push(type === "answer" ? response : `died: ${detail}`);
    memory.push(used || 0);
    next();
  };
  next();
})"""


def asked() -> list[str]:
    """Return the questions of the project, one for each line of its data."""
    rows = [
        line for name in FILES for line in (ROOT / "tests" / "data" / name).read_text("utf-8").splitlines()
    ]
    return [json.loads(row)["question"] for row in rows] + OFF_TOPIC


def requests(count: int) -> Iterator[str]:
    """Yield so many requests, always the same."""
    drawn = random.Random(2026)  # noqa: S311  # no secrets
    pool = asked()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        if kind == "none":
            yield drawn.choice(NO_REQUESTS)
            continue
        question = drawn.choice(pool)
        if kind == "typo":
            question = mistyped(question, drawn)
        elif kind == "long":
            question = " ".join(drawn.choices(pool, k=60))[: drawn.choice((501, LONGEST + 1))]
        elif kind == "noise":
            question = "".join(
                drawn.choices("aé ؟ما书。नि\u200f\u0301😀<>&\"'{}[]()0٣.,", k=drawn.randrange(1, 80))
            )
        plain = {"question": question, "lang": None, "interface": drawn.choice(LANGUAGES)}
        yield json.dumps({**plain, "literal": True} if kind == "literal" else plain, ensure_ascii=False)


KINDS = ("plain", "typo", "plain", "literal", "long", "plain", "noise", "typo", "none", "plain")


def mistyped(question: str, drawn: random.Random) -> str:
    """Return a question with two neighbours swapped, a character left out or one written twice."""
    place = drawn.randrange(len(question))
    one, other = question[place], question[place + 1 : place + 2]
    middle = drawn.choice((other + one, other, one + one + other))
    return question[:place] + middle + question[place + 2 :]


@pytest.fixture(scope="module")
def session() -> Session:
    return cpython("showcase")


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_one_worker_answers_as_cpython_does_and_its_memory_stays(
    browser: str,
    request: pytest.FixtureRequest,
    showcase: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
    session: Session,
) -> None:
    texts = list(requests(request.config.getoption("--questions")))
    tab = new_tab(browser)
    tab.goto(places(showcase, "file").page("en/index.html"))
    tab.evaluate(OPEN)
    memory: list[int] = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        found = tab.evaluate(ASK, batch)
        for text, reply in zip(batch, found["replies"], strict=True):
            assert reply == session.ask(text), text[:200]
        memory += found["memory"]
    assert len(memory) == len(texts)
    assert set(memory[SETTLED:]) == {memory[SETTLED]}
    tab.close()


def test_the_requests_are_of_every_kind_and_language() -> None:
    texts = list(requests(2 * SETTLED))
    assert texts == list(requests(2 * SETTLED))
    assert len(set(texts)) > SETTLED
    assert any(text in NO_REQUESTS for text in texts)
    assert max(map(len, texts)) > LONGEST
    for letters in ("\u0600-\u06ff", "\u4e00-\u9fff"):
        low, high = letters[0], letters[-1]
        assert any(low <= char <= high for text in texts for char in text)


# What kills a worker's interpreter for good. The page's scripts stay, the worker's get one handler more.
DEADLY = """() => {
  const own = `
    const load = self.loadPyodide;
    self.loadPyodide = async (options) => (self.python = await load(options));
    const hear = self.onmessage;
    const deaths = {
      erased: () => self.python._module.HEAPU8.fill(0),
      filled: () => self.python._module.HEAPU8.fill(255),
      endless: () => { for (;;); },
      closed: () => self.close(),
    };
    self.onmessage = (event) => {
      if (event.data.type !== "die") return hear(event);
      try { deaths[event.data.death](); } catch (error) {}
    };
  `;
  const Plain = Blob;
  globalThis.Blob = class extends Plain {
    constructor(parts, options) {
      super(options?.type === "text/javascript" ? [...parts, own] : parts, options);
    }
  };
  const Real = Worker;
  globalThis.workers = 0;
  globalThis.Worker = class extends Real {
    constructor(...given) {
      super(...given);
      workers += 1;
    }
  };
}"""
DIE = """({ deaths, request }) => new Promise((resolve, reject) => {
  const answers = [];
  let begun = false;
  const engine = cairn.createEngine({
    limits: { question: 10_000, watchdog: 600_000 },
    onState: (state) => {
      if (state.name === "failed") reject(new Error(JSON.stringify(state.failure)));
      if (state.name === "ready" && !begun) setTimeout(next, 0);
    },
    onAnswer: (_, text) => {
      answers.push({ text, workers });
      setTimeout(next, 0);
    },
  });
  const next = () => {
    begun = true;
    const death = deaths[answers.length];
    if (death === undefined) return resolve(answers);
    engine.worker.postMessage({ type: "die", death }, []);
    engine.ask(request);
  };
  engine.start();
})"""
# An endless loop and a closed worker end only with the question's deadline.
DEATHS = [*["erased", "filled"] * 6, "endless", "closed"]


@pytest.mark.parametrize(("browser", "count"), [("chromium", 50), ("firefox", 14)])
def test_after_each_death_a_new_worker_gives_the_right_answer(
    browser: str,
    count: int,
    site: Path,
    places: Callable[[Path, str], Place],
    new_tab: Callable[[str], Tab],
) -> None:
    request = {
        "question": "How much is the grocery allowance for one person?",
        "lang": None,
        "interface": "en",
    }
    expected = cpython("demo").ask(json.dumps(request))
    tab = new_tab(browser)
    tab.goto(places(site, "file").page("en/contents.html"))
    tab.goto(places(site, "file").page("en/index.html"))
    tab.evaluate(DEADLY)
    answers = tab.evaluate(DIE, {"deaths": (DEATHS * 4)[:count], "request": request})
    assert {answer["text"] for answer in answers} == {expected}
    started = [answer["workers"] for answer in answers]
    assert started == list(range(started[0], started[0] + count))
    tab.close()
