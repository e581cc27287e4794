"""Thresholds of one corpus in words: where each comes from, and the questions closest to it."""

from collections.abc import Iterator, Mapping

from builder.calibrate import Calibrated, LanguageOutcome
from builder.project import PROBES_NAME
from cairn_core.calibration import Calibration
from cairn_core.evidence import ENOUGH

SHOWN = 3
"""Probes of a kind that are written out."""


def lines(calibrated: Calibrated, before: Mapping[str, float]) -> Iterator[str]:
    """Describe every threshold; `before` holds those of the site built last, by language."""
    if not calibrated.languages:
        yield f"the contract's scorer has one threshold, {calibrated.config.threshold:g}"
    for one in calibrated.languages:
        found = one.calibration
        moved = f", {before[one.lang]:.4f} in the site" if one.lang in before else ""
        yield f"{one.lang}  threshold {found.threshold:.4f}{moved}"
        yield f"    {origin(found)}"
        yield from _probe_lines(one)
    for lang, other, found in calibrated.across:
        yield f"{lang} in {other}  threshold {found.threshold:.4f}, for documents that {lang} lacks"
        yield f"    {origin(found)}"
    if model := calibrated.config.near_miss:
        yield f"strict  refuses above a near-miss probability of {model.limit:.0%}, from {ENOUGH} passages on"
    yield from (f"fails  {failure}" for failure in calibrated.failures)


def origin(found: Calibration) -> str:
    """Say where a threshold comes from and what it promises."""
    if found.origin == "borrowed":
        return "borrowed from other languages: there are no probes in this one and no rate is known"
    passed = f"of {found.probes} probes {found.realised:.1%} pass"
    if found.set_aside:
        return f"{passed}; {found.set_aside} set aside, so no rate is promised"
    source = "the lowest there is" if found.origin == "floor" else "set by probes"
    return f"{source}; at most {found.alpha:.0%} of questions unrelated to your documents; {passed}"


def _probe_lines(one: LanguageOutcome) -> Iterator[str]:
    if one.answered:
        gap = one.answered[0].score - one.refused[0].score
        yield f"    lowest to answer less highest to refuse: {gap:+.4f}"
    shown_of = (
        ("answer", one.answered[:SHOWN]),
        ("refuse", one.refused[:SHOWN]),
        ("set aside", one.set_aside),
    )
    for name, probes in shown_of:
        for probe in probes:
            near = "" if probe.near_miss is None else f"  near miss {probe.near_miss:.0%}"
            yield f"    {name:<10}{probe.score:.4f}  {probe.passage_id or '-'}  {probe.question}{near}"
    if one.set_aside:
        yield f"    set aside: they seem to be about your documents; put them into {PROBES_NAME}"
