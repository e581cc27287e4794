"""What each rule of the judge asks; the order in which they are asked stands in `bench.judge_code`.

A rule returns its label and a sentence for the reader, or None when it does not apply.
"""

from typing import NamedTuple

from bench.judging.examination import Case, Findings, Reading, fault
from bench.judging.nli import ShadowResult

SURE = 0.8  # probability from which the model's opinion counts


class Outcome(NamedTuple):
    """A label and why it was given."""

    label: str
    reason: str


def unreadable(case: Case) -> Outcome | None:
    """The input is no text, too long, or holds characters that no text holds."""
    reason = fault(case)
    return Outcome("JUDGE_ERROR", f"The input cannot be read: {reason}.") if reason else None


def empty_answer(case: Case) -> Outcome | None:
    """Nothing was answered."""
    blank = isinstance(case.answer, str) and not any(char.isalnum() for char in case.answer)
    return Outcome("ABSTAINED", "The answer is empty.") if blank else None


def no_gold(case: Case) -> Outcome | None:
    """There is nothing to judge against."""
    blank = isinstance(case.gold, str) and not case.gold.strip()
    return Outcome("JUDGE_ERROR", "There is no gold to judge the answer against.") if blank else None


def abstention_phrase(reading: Reading) -> Outcome | None:
    """The answer declines, and no claim stands beside that."""
    if not reading.declined or reading.claims:
        return None
    return Outcome("ABSTAINED", f"The answer declines: “{reading.declined[0][1].words}”.")


def no_claim(reading: Reading) -> Outcome | None:
    """The answer has no sentence at all."""
    return None if reading.claims else Outcome("WRONG", "The answer makes no claim.")


def unsourced_specific(findings: Findings) -> Outcome | None:
    """No claim is grounded, and one names what no text holds."""
    if findings.mode == "answers" or findings.audit != "UNGROUNDED":
        return None
    for found in findings.assessments:
        if found.verdict == "novel" and found.firm:
            return Outcome("FABRICATED", f"No text holds {_named(findings)}.")
    return None


def _named(findings: Findings) -> str:
    texts = [s.text for found in findings.assessments if found.verdict == "novel" for s in found.specifics]
    return ", ".join(f"“{text}”" for text in dict.fromkeys(texts[:6])) or "most words of the claim"


def nli_contradiction(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """The model is sure that gold contradicts the answer."""
    if nli is None or nli.contradiction < SURE or findings.mode == "answers":
        return None
    return Outcome("WRONG", f"The model finds a contradiction (p = {nli.contradiction:.2f}).")


def accepted_answer(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """Gold is a list of accepted answers, and the answer gives one."""
    if not findings.accepted_by:
        return None
    return Outcome("CORRECT_GROUNDED", f"The answer gives an accepted answer ({findings.accepted_by}).")


def not_accepted(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """Gold is a list of accepted answers, and the answer gives none."""
    return Outcome("WRONG", "The answer gives no accepted answer.") if findings.mode == "answers" else None


def quote_elsewhere(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A quotation stands in a further source and not in gold."""
    for quotation in findings.quotations:
        if quotation.status == "verified" and quotation.where not in {"gold", "question"}:
            return Outcome("WRONG", f"“{quotation.text}” stands in {quotation.where}, not in gold.")
    return None


def spliced_quote(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A quotation joins words of a text in a way the text does not; none is verified beside it."""
    if any(quotation.status == "verified" for quotation in findings.quotations):
        return None
    spliced = [quotation.text for quotation in findings.quotations if quotation.status == "spliced"]
    return Outcome("WRONG", f"“{spliced[0]}” is joined from words that stand apart.") if spliced else None


def off_topic(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """The quotation is true, and gold does not speak of what is asked."""
    return (
        None
        if findings.on_topic
        else Outcome("WRONG", "Gold holds the quotation but no word of the question.")
    )


def hybrid_contradiction(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """Beside a verified quotation, words outside the unverified ones conflict with their passage."""
    if not _rests_on_quotes(findings) or not _unquoted_conflict(findings):
        return None
    return contradiction(findings, nli)


def contradiction(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A claim conflicts with the passage it is aligned with."""
    for found in findings.assessments:
        if found.verdict == "conflict":
            cues = [
                f"{cue.kind}: “{cue.claim}”" + (f" / “{cue.source}”" if cue.source else "")
                for cue in found.cues
            ]
            return Outcome("WRONG", f"The claim conflicts with its passage ({'; '.join(cues) or 'number'}).")
    return None


def _rests_on_quotes(findings: Findings) -> bool:
    """Whether some but not all quotations are verified, so that the contract's HYBRID rules apply."""
    return findings.audit == "HYBRID" and any(q.status == "verified" for q in findings.quotations)


def _unquoted_conflict(findings: Findings) -> bool:
    """Whether a cue stands outside every unverified quotation."""
    loose = [(q.start, q.end) for q in findings.unverified()]
    return any(
        not any(start <= found.claim.start + cue.start < end for start, end in loose)
        for found in findings.assessments
        if found.verdict == "conflict"
        for cue in found.cues
    )


def hybrid_quote(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A verified quotation carries the answer, and no number in it is unsourced."""
    if not _rests_on_quotes(findings) or _unsourced_number(findings):
        return None
    return Outcome(
        "CORRECT_GROUNDED", "A verified quotation answers; other quotations could not be verified."
    )


def hybrid_residue(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A verified quotation stands beside an unsourced number: left to a human."""
    if not _rests_on_quotes(findings):
        return None
    return Outcome("JUDGE_ERROR", "A quotation is verified, and a number beside it is in no text.")


def _unsourced_number(findings: Findings) -> bool:
    return any(s.kind == "number" for found in findings.assessments for s in found.specifics)


def invented_claim(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A claim names what no text holds, or little of it stands anywhere."""
    if "novel" not in findings.verdicts():
        return None
    return Outcome("FABRICATED", f"No text holds {_named(findings)}.")


def supported_elsewhere(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A further source holds the claim; gold does not."""
    held = "elsewhere" in findings.verdicts()
    return Outcome("WRONG", "The claim stands in another source, not in gold.") if held else None


def nli_entailment(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """The words do not suffice, and the model is sure that gold entails the answer."""
    if nli is None or nli.entailment < SURE or "unsupported" not in findings.verdicts():
        return None
    return Outcome("CORRECT_GROUNDED", f"The model finds the answer entailed (p = {nli.entailment:.2f}).")


def unsupported_claim(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """A claim has known words and no passage that says it; or no claim counts."""
    verdicts = findings.verdicts()
    if verdicts and "unsupported" not in verdicts:
        return None
    reason = "No passage of gold says what the answer says." if verdicts else "The answer makes no claim."
    return Outcome("WRONG", reason)


def all_supported(findings: Findings, nli: ShadowResult | None) -> Outcome | None:
    """Every claim that counts is supported."""
    return Outcome("CORRECT_GROUNDED", "Gold supports every claim of the answer.")
