"""The code judge: grades (question, answer, gold) into one of five labels by rules, without a model.

The rules stand in literal tables, tried in order; what they look at is made by `bench.judging`. Names,
labels, rule order and trace keys are a contract, described in docs/reference/judge.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.judging import rules
from bench.judging.abstention import abstains, languages_for
from bench.judging.envelope import unwrap
from bench.judging.examination import Case, Findings, Policy, Reading, examine, read_answer
from bench.judging.lexicon import detect, lexicon
from bench.judging.nli import ShadowResult, shadow_check
from bench.judging.rules import Outcome
from bench.judging.sentences import sentences
from bench.judging.trace import Json, dump, of_case, of_findings, of_nli, of_reading
from bench.judging.unsourced import unsourced

JUDGE_MODEL = "cairn code judge (no LLM)"
JUDGE_RULESET_ID = "code-judge-v1"
LABELS = ("CORRECT_GROUNDED", "WRONG", "FABRICATED", "ABSTAINED", "JUDGE_ERROR")

type FindingsRule = Callable[[Findings, ShadowResult | None], Outcome | None]

CASE_RULES: Mapping[str, Callable[[Case], Outcome | None]] = {
    "unreadable_input": rules.unreadable,
    "empty_answer": rules.empty_answer,
    "no_gold": rules.no_gold,
}
READING_RULES: Mapping[str, Callable[[Reading], Outcome | None]] = {
    "abstention_phrase": rules.abstention_phrase,
    "no_claim": rules.no_claim,
}
GATE_RULES: Mapping[str, Callable[[Findings], Outcome | None]] = {
    "unsourced_specific": rules.unsourced_specific,
}
FINDINGS_RULES: Mapping[str, FindingsRule] = {
    "nli_contradiction": rules.nli_contradiction,
    "accepted_answer": rules.accepted_answer,
    "not_accepted": rules.not_accepted,
    "quote_elsewhere": rules.quote_elsewhere,
    "spliced_quote": rules.spliced_quote,
    "off_topic": rules.off_topic,
    "hybrid+contradiction": rules.hybrid_contradiction,
    "hybrid+verified_quote_on_topic": rules.hybrid_quote,
    "hybrid_residue": rules.hybrid_residue,
    "invented_claim": rules.invented_claim,
    "contradiction": rules.contradiction,
    "supported_elsewhere": rules.supported_elsewhere,
    "nli_entailment": rules.nli_entailment,
    "unsupported_claim": rules.unsupported_claim,
    "all_supported": rules.all_supported,
}
"""Rule -> what it asks, in the order of asking: of the case, of the answer read, before
and after the model."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label with its reasons: `decision` is the trace, `raw` the same as canonical JSON."""

    label: str
    rationale: str
    prompt_id: str
    model: str
    raw: str
    decision: Mapping[str, Json]


def judge(
    question: str,
    answer: str,
    gold: str,
    *,
    sources: Mapping[str, str] | None = None,
    lang: str = "",
    policy: Policy | None = None,
) -> Verdict:
    """Grade one answer; never raises for what the texts hold.

    `sources` are further texts of the corpus by name, `lang` a language code for texts too short to tell.
    """
    case = Case(question, answer, gold, tuple((sources or {}).items()), lang, policy or Policy())
    decision: dict[str, Json] = of_case(case, JUDGE_RULESET_ID)
    rule, outcome = _decide(case, decision)
    decision["rules_fired"] = [rule]
    decision["label"] = outcome.label
    return Verdict(outcome.label, outcome.reason, JUDGE_RULESET_ID, JUDGE_MODEL, dump(decision), decision)


def _decide(case: Case, decision: dict[str, Json]) -> tuple[str, Outcome]:
    """Return the first rule that applies and its outcome, writing into `decision` what was found by then."""
    for name, case_rule in CASE_RULES.items():
        if outcome := case_rule(case):
            return name, outcome
    reading = read_answer(case)
    decision |= of_reading(reading)
    for name, reading_rule in READING_RULES.items():
        if outcome := reading_rule(reading):
            return name, outcome
    findings = examine(reading)
    decision |= of_findings(findings)
    for name, gate_rule in GATE_RULES.items():
        if outcome := gate_rule(findings):
            return name, outcome
    nli = _nli_check(reading.plain.text, case.gold)
    available = nli if nli is not None and nli.available else None
    decision["nli_available"] = available is not None
    if available:
        decision |= of_nli(available)
    for name, rule in FINDINGS_RULES.items():
        if outcome := rule(findings, available):
            return name, outcome
    raise AssertionError("the last rule always applies")


def _nli_check(answer: str, gold: str) -> ShadowResult | None:
    """Return the model's opinion, None when there is no model."""
    result = shadow_check(answer, gold)
    return result if result.available else None


def judge_batch(items: Iterable[Sequence[str]]) -> list[Verdict]:
    """Grade (question, answer, gold) triples in order."""
    return [judge(question, answer, gold) for question, answer, gold in items]


def _is_abstention(text: str) -> tuple[bool, str]:
    """Return whether a sentence of `text` declines to answer, and the words that do."""
    lang = detect(text)
    for claim in sentences(text, lexicon(lang)):
        if found := abstains(claim.text, languages_for(text, lang)):
            return True, found.words
    return False, ""


def _specifics_not_in_gold(answer: str, gold: str) -> list[str]:
    """Return the names, numbers and, in scripts without capitals, new words of `answer` that gold lacks."""
    return unsourced(answer, gold)


def _unwrap_claim_lattice_json(answer: str) -> str:
    """Return the claims of a JSON envelope as prose; every other text unchanged."""
    return unwrap(answer)


FIXTURES: tuple[tuple[str, str, str, str], ...] = (
    (
        "How long may a laptop be borrowed?",
        "Laptops can be borrowed for 7 days with a library card.",
        "Laptops may be borrowed for 7 days with a valid library card. Each branch has four.",
        "CORRECT_GROUNDED",
    ),
    (
        "How much does a replacement card cost?",
        "A replacement card costs $15.",
        "A replacement card costs $5. The first card is free.",
        "WRONG",
    ),
    (
        "Who founded the library?",
        "The library was founded in 1841 by Marguerite Delacroix.",
        "The library opens at nine. Its reading room holds forty desks.",
        "FABRICATED",
    ),
    (
        "When is the library closed?",
        "The document does not say when the library is closed.",
        "The library lends books, maps and tools.",
        "ABSTAINED",
    ),
)
"""Question, answer, gold and label that every build of the judge must reproduce, with and without a model."""


def self_test() -> int:
    """Grade the fixtures; return how many labels differ."""
    verdicts = judge_batch(fixture[:3] for fixture in FIXTURES)
    return sum(verdict.label != fixture[3] for verdict, fixture in zip(verdicts, FIXTURES, strict=True))
