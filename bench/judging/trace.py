"""The decision as plain data: what the rules saw, in a fixed order, without times, paths or long floats.

The keys are those of docs/reference/judge.md and of trace.schema.json.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache

from bench.judging.assess import Assessment
from bench.judging.examination import Case, Findings, Reading
from bench.judging.nli import ShadowResult
from bench.judging.quotations import Quotation
from bench.judging.support import WEIGHTS

SCHEMA = "judge-trace/1"
EXCERPT = 400  # characters of a passage that a trace quotes

type Json = bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None


def dump(decision: Mapping[str, Json]) -> str:
    """Return a decision as canonical JSON."""
    return json.dumps(decision, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest(text: str) -> str:
    """Return the SHA-256 of a text, lone surrogates included."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=1)
def config_digest() -> str:
    """Return the SHA-256 of the fitted coefficients."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()


def of_case(case: Case, ruleset: str) -> dict[str, Json]:
    """Return what a decision says of every case."""
    inputs = {"question": case.question, "answer": case.answer, "gold": case.gold}
    return {
        "schema": SCHEMA,
        "ruleset": ruleset,
        "config_sha256": config_digest(),
        "inputs_sha256": {name: digest(text) for name, text in inputs.items() if isinstance(text, str)},
        "policy": asdict(case.policy),
    }


def of_reading(reading: Reading) -> dict[str, Json]:
    """Return what a decision says of an answer that could be read."""
    found: dict[str, Json] = {"lang": reading.lang, "translated": reading.translated}
    if reading.lattice:
        found["lattice_unwrapped"] = True
    if reading.declined:
        found["abstention"] = [
            {"text": claim.text, "span": _span(reading, claim.start, claim.end), **declined._asdict()}
            for claim, declined in reading.declined
        ]
    return found


def of_findings(findings: Findings) -> dict[str, Json]:
    """Return what a decision says of claims, quotations and accepted answers."""
    found: dict[str, Json] = {"mode": findings.mode, "audit_mode": findings.audit}
    if findings.mode == "answers":
        return found | {"accepted_by": findings.accepted_by}
    reading = findings.reading
    if reading.case.policy.strict_quotes and findings.unverified():
        found["strict_quotes_failed"] = True
    return found | {
        "on_topic": findings.on_topic,
        "completeness": findings.completeness,
        "claims": [_claim(assessed, reading) for assessed in findings.assessments],
        "quotes": [_quote(quotation, reading) for quotation in findings.quotations],
        "unverified_quotes": [quotation.text for quotation in findings.unverified()],
    }


def of_nli(result: ShadowResult) -> dict[str, Json]:
    """Return what a decision says of the model's opinion."""
    return {"nli": {name: value for name, value in asdict(result).items() if name != "reason"}}


def _span(reading: Reading, start: int, end: int) -> list[Json]:
    """Return a span of the answer as its author wrote it; of the unwrapped text for an envelope."""
    return list(reading.plain.span(start, end))


def _claim(assessed: Assessment, reading: Reading) -> dict[str, Json]:
    claim = assessed.claim
    found: dict[str, Json] = {
        "text": claim.text,
        "span": _span(reading, claim.start, claim.end),
        "verdict": assessed.verdict,
        "support": round(assessed.support, 4),
    }
    if claim.lead:
        found["lead"] = claim.lead
    if assessed.measures:
        found["measures"] = {name: round(value, 4) for name, value in asdict(assessed.measures).items()}
    parts = reading.gold.sentences
    if assessed.window and parts:
        first, last = parts[assessed.window.first], parts[assessed.window.last]
        found["window"] = {
            "doc": "gold",
            "span": [first.start, last.end],
            "coverage": round(assessed.window.coverage, 4),
            "quote": reading.gold.text[first.start : last.end][:EXCERPT],
        }
    found["specifics"] = [
        {"kind": s.kind, "text": s.text, "span": _span(reading, claim.start + s.start, claim.start + s.end)}
        for s in assessed.specifics
    ]
    found["cues"] = [
        {
            "kind": cue.kind,
            "claim": cue.claim,
            "source": cue.source,
            "span": _span(reading, claim.start + cue.start, claim.start + cue.end),
        }
        for cue in assessed.cues
    ]
    return found


def _quote(quotation: Quotation, reading: Reading) -> dict[str, Json]:
    return {
        "text": quotation.text,
        "span": _span(reading, quotation.start, quotation.end),
        "status": quotation.status,
        "ratio": round(quotation.ratio, 4),
        "where": quotation.where,
    }
