"""The ask page as a visitor uses it: type, press Enter, read what is drawn."""

from dataclasses import dataclass
from typing import Any

from tests.browser.browsers import Tab, until

TYPE = """(text) => {
  const field = document.getElementById("question");
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""
OUTCOME = """() => {
  const answer = document.getElementById("answer");
  const alert = document.getElementById("alert");
  if (answer.hidden && !alert.childElementCount) return null;
  const quotes = Array.from(document.querySelectorAll("#answer-body .quote"), (quote) => ({
    text: quote.textContent, lang: quote.lang, dir: quote.dir,
    link: quote.nextElementSibling.querySelector("a").href,
  }));
  return {
    quotes,
    answered: !answer.hidden,
    refused: Boolean(document.querySelector("#answer-body .refusal")),
    answer: answer.innerText,
    heading: document.getElementById("answer-heading").textContent,
    status: document.getElementById("status").textContent,
    alert: alert.innerText,
    code: alert.dataset.code || "",
    part: alert.dataset.part || "",
    focus: document.activeElement.id,
  };
}"""
STATE = "(name) => document.documentElement.dataset.engine === name"
ANSWERS = """async (requests) => {
  const answers = [];
  await new Promise((resolve, reject) => {
    const engine = cairn.createEngine({
      onState: (state) => state.name === "failed" && reject(new Error(JSON.stringify(state.failure))),
      onAnswer: (response, text) => {
        answers.push(text);
        if (answers.length < requests.length) engine.ask(requests[answers.length]);
        else resolve();
      },
    });
    engine.ask(requests[0]);
  });
  return answers;
}"""
TARGET = """() => {
  const target = document.querySelector(":target");
  return target && { text: target.textContent, top: target.getBoundingClientRect().top, height: innerHeight };
}"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the page shows once a question is answered, refused or failed."""

    quotes: list[dict[str, str]]
    answered: bool
    answer: str
    heading: str
    status: str
    alert: str
    code: str
    part: str
    refused: bool
    focus: str


def ask(tab: Tab, question: str) -> Outcome:
    """Type a question into an open ask page, press Enter and return the outcome."""
    tab.evaluate("() => { document.getElementById('answer').hidden = true; }")
    tab.evaluate(TYPE, question)
    tab.press("Enter")
    return outcome(tab)


def outcome(tab: Tab) -> Outcome:
    return Outcome(**until(tab, OUTCOME))


def ready(tab: Tab) -> None:
    """Wait until the engine can answer."""
    until(tab, STATE, "ready")


def target(tab: Tab) -> dict[str, Any]:  # Any: text and numbers
    """Return the text and place of the element the URL's fragment points at."""
    found: dict[str, Any] = until(tab, TARGET)
    return found


def responses(tab: Tab, requests: list[dict[str, str | None]]) -> list[str]:
    """Return what the engine of a page replies to each request, as the text that comes from Python."""
    found: list[str] = tab.evaluate(ANSWERS, requests)
    return found


def words(text: str) -> str:
    """Return a text without its white space: what stays equal when lines become elements."""
    return "".join(text.split())
