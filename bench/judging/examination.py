"""From a case to all that the rules look at: the answer read, its claims assessed, its quotations checked.

`read_answer` does what the first rules need; `examine` the rest. Neither gives a label.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from bench.judging.abstention import Abstention, abstains, languages_for, lead_in, tail
from bench.judging.answerkey import accepted, met
from bench.judging.assess import Assessment, Texts, assess
from bench.judging.envelope import unwrap_any
from bench.judging.evidence import Source, source
from bench.judging.lexicon import Lexicon, detect, lexicon, script_languages, surely_differ
from bench.judging.markup import Plain, plain
from bench.judging.quantities import agrees, quantities
from bench.judging.quotations import Quotation, quoted, verify
from bench.judging.sentences import Claim, claims
from bench.judging.specifics import content, is_name
from bench.judging.support import coverage
from bench.judging.tokens import tokens

LONGEST_ANSWER = 100_000  # characters
LONGEST_GOLD = 2_000_000
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff\ufffe\uffff]")
QUOTING = 0.6  # share of an answer in verified quotations from which it is a quotation
ON_TOPIC = 0.34  # share of the words of a question that gold must hold
SUBSTANCE = 0.5  # coverage from which a sentence beside an abstention counts as a claim

type Audit = Literal["GROUNDED", "HYBRID", "UNGROUNDED"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How a case is to be judged; the defaults are the contract.

    `gold`: whether gold is a `text`, a list of accepted `answers`, or told from its form (`auto`).
    `strict_quotes`: whether an answer with a quotation that no text holds fails the gate.
    """

    gold: Literal["auto", "text", "answers"] = "auto"
    strict_quotes: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """What is judged: a question, an answer, its gold, and named further sources."""

    question: str
    answer: str
    gold: str
    sources: tuple[tuple[str, str], ...] = ()
    lang: str = ""
    policy: Policy = field(default_factory=Policy)


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer without envelope and markup, cut into claims; `declined` are the sentences that abstain."""

    case: Case
    unwrapped: str
    plain: Plain
    lang: str
    words: Lexicon
    gold: Source
    question: Source
    claims: tuple[Claim, ...] = ()
    declined: tuple[tuple[Claim, Abstention], ...] = ()
    translated: bool = False

    @property
    def lattice(self) -> bool:
        """Whether the answer came in an envelope of claims."""
        return self.unwrapped is not self.case.answer and self.unwrapped != self.case.answer


@dataclass(frozen=True, slots=True)
class Findings:
    """All that the labels rest on."""

    reading: Reading
    mode: Literal["text", "answers"]
    audit: Audit
    assessments: tuple[Assessment, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    accepted_by: str = ""
    on_topic: bool = True
    completeness: float = 0.0

    def verdicts(self) -> list[str]:
        """Return the verdicts of the claims that count."""
        return [found.verdict for found in self.assessments if found.verdict != "trivial"]

    def unverified(self) -> list[Quotation]:
        """Return the quotations that no text holds as they stand."""
        return [quotation for quotation in self.quotations if quotation.status != "verified"]


def fault(case: Case) -> str:
    """Say why a case cannot be read; "" when it can."""
    for name, text in (("question", case.question), ("answer", case.answer), ("gold", case.gold)):
        if not isinstance(text, str):
            return f"{name} is not text but {type(text).__name__}"
        match = _UNREADABLE.search(text)
        if match:
            return f"{name} holds the character U+{ord(match.group()):04X} at offset {match.start()}"
    if len(case.answer) > LONGEST_ANSWER:
        return f"answer has {len(case.answer)} characters, more than {LONGEST_ANSWER}"
    if len(case.gold) > LONGEST_GOLD:
        return f"gold has {len(case.gold)} characters, more than {LONGEST_GOLD}"
    return ""


def read_answer(case: Case) -> Reading:
    """Unwrap the answer, take its markup out, tell its language, and set abstaining sentences apart."""
    unwrapped = unwrap_any(case.answer)
    text = plain(unwrapped)
    gold_text = plain(case.gold).text
    own = case.lang or detect(text.text)
    gold_lang = detect(gold_text)
    translated = surely_differ(text.text, own, gold_text, gold_lang)
    if not translated:
        gold_lang = case.lang or gold_lang or detect(case.question) or own
        gold_lang = gold_lang or next(iter(script_languages(gold_text)), "")
        own = own or gold_lang
    gold = source(gold_text, lexicon(gold_lang))
    words = lexicon(own) if translated else gold.lexicon
    reading = Reading(
        case, unwrapped, text, own, words, gold, source(case.question, gold.lexicon), translated=translated
    )
    return _without_abstentions(reading)


def _without_abstentions(reading: Reading) -> Reading:
    kept: list[Claim] = []
    declined: list[tuple[Claim, Abstention]] = []
    langs = languages_for(reading.plain.text, reading.lang)
    for whole in claims(reading.plain.text, reading.words):
        claim = _without_lead_in(whole, reading.words.code)
        found = abstains(claim.text, langs)
        if not found or _stands_in_gold(claim, reading.gold):
            kept.append(claim)
            continue
        rest = tail(claim.text, lexicon(found.lang))
        if rest and not abstains(rest[0], langs):
            start = claim.start + rest[1]
            kept.append(Claim(rest[0], start, claim.end))
        elif rest and not abstains(claim.text[: rest[1]], langs):
            kept.append(Claim(claim.text[: rest[1]].rstrip(), claim.start, claim.start + rest[1]))
        declined.append((claim, found))
    if declined:
        kept = [claim for claim in kept if _substantive(claim, reading)]
    return replace(reading, claims=tuple(kept), declined=tuple(declined))


def _without_lead_in(claim: Claim, lang: str) -> Claim:
    cut = lead_in(claim.text, lang)
    return claim._replace(text=claim.text[cut:], start=claim.start + cut) if cut else claim


def _stands_in_gold(claim: Claim, gold: Source) -> bool:
    return len(claim.text) >= 12 and gold.holds(claim.text)


def _substantive(claim: Claim, reading: Reading) -> bool:
    """Whether a sentence beside an abstention asserts something: a number, a name, or what gold says."""
    words = tokens(claim.text, reading.words)
    found = content(words, reading.gold, reading.question)
    if not found.words:
        return False
    mentions = [mention for mention in quantities(claim.text, words, reading.words) if not mention.weak]
    if any(not any(agrees(m, other) for other in reading.question.quantities) for m in mentions):
        return True
    first = found.words[0].start
    new = [
        token
        for token, held, given in zip(found.words, found.held, found.given, strict=True)
        if not given and is_name(token, claim.text, reading.words, first)
    ]
    new_held = [held for held, given in zip(found.held, found.given, strict=True) if held and not given]
    return bool(new) or (len(new_held) >= 2 and coverage(found) >= SUBSTANCE)


def examine(reading: Reading) -> Findings:
    """Assess the claims and quotations of an answer, or compare it with the accepted answers."""
    alternatives = _alternatives(reading)
    if alternatives:
        said = "\n".join(claim.text for claim in reading.claims)
        rule = next(
            filter(None, (met(reading.case.question, said, one, reading.words) for one in alternatives)), ""
        )
        return Findings(reading, "answers", "GROUNDED" if rule else "UNGROUNDED", accepted_by=rule)
    named = [(name, source(plain(text).text, reading.gold.lexicon)) for name, text in reading.case.sources]
    texts = Texts(
        reading.gold, reading.question, tuple(text for _, text in named), reading.words, reading.translated
    )
    assessed = tuple(assess(claim, texts) for claim in reading.claims)
    places = [("gold", reading.gold), *named, ("question", reading.question)]
    checked = tuple(verify(*stretch, places) for stretch in quoted(reading.plain.text))
    return Findings(
        reading,
        "text",
        _audit(assessed, checked),
        assessed,
        checked,
        on_topic=_on_topic(reading, checked),
        completeness=_completeness(reading, assessed),
    )


def _alternatives(reading: Reading) -> tuple[str, ...]:
    policy = reading.case.policy.gold
    if policy == "text":
        return ()
    if policy == "answers":
        return accepted(reading.case.gold, reading.words) or (reading.case.gold,)
    return accepted(reading.case.gold, reading.words)


def _audit(assessed: Sequence[Assessment], checked: Sequence[Quotation]) -> Audit:
    """GROUNDED when gold holds every quotation (without any: every claim), UNGROUNDED when none."""
    held = [quotation.status == "verified" for quotation in checked]
    held = held or [found.verdict == "supported" for found in assessed if found.verdict != "trivial"]
    if held and all(held):
        return "GROUNDED"
    return "HYBRID" if any(held) else "UNGROUNDED"


def _on_topic(reading: Reading, checked: Sequence[Quotation]) -> bool:
    """Whether gold speaks of what is asked; doubted only of quotations, and of questions of three words."""
    verified = sum(len(quotation.text) for quotation in checked if quotation.status == "verified")
    question = reading.case.question.rstrip().endswith(("?", "？", "؟"))
    if not question or not verified or verified < QUOTING * len(reading.plain.text):
        return True
    asked = content(tokens(reading.question.text, reading.question.lexicon), reading.gold, reading.question)
    if len(asked.words) < 3:
        return True
    return sum(asked.held) >= ON_TOPIC * len(asked.words)


def _completeness(reading: Reading, assessed: Sequence[Assessment]) -> float:
    """Return the share of the aligned passages' content words that the answer takes up."""
    windows = [found.window for found in assessed if found.window and found.verdict == "supported"]
    if not windows:
        return 0.0
    gold = reading.gold
    places = {place for window in windows for place in range(window.first, window.last + 1)}
    words = [token for token in gold.tokens_of(sorted(places)) if token.form not in gold.lexicon.function]
    said = {key for token in tokens(reading.plain.text, gold.lexicon) for key in gold.keys_of(token.key)}
    return round(sum(token.key in said for token in words) / len(words), 4) if words else 0.0
