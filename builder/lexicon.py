"""Lexicons learnt from the corpus's own translations, one for each pair of languages.

Passages of one family that stand in the same place say the same; which stem stands for which follows from how
they occur together: model 1 of Brown, Della Pietra, Della Pietra and Mercer, The Mathematics of Statistical
Machine Translation, 1993. What a lexicon is good for is `cairn_core.crosslingual`'s concern.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cairn_core import across, siblings
from cairn_core.analysis import stem, words
from cairn_core.calibration import Calibration, conformal_threshold
from cairn_core.evidence import grammar
from cairn_core.fields import LARGE
from cairn_core.index import Index, Passage
from cairn_core.lexicon import MOST, Entries, Lexicon
from cairn_core.text import without_marks

ROUNDS = 6
"""Of expectation and maximisation; more change no figure of ADR 8."""
LEAST_TOGETHER = 2
"""Pairs in which two stems must stand together."""
LEAST_SHARE = 0.05
COMMON = 0.5
"""A stem in a larger share of the pairs is left out: it stands together with everything."""

ALPHA = 0.01
LEAST_PROBES = 99
"""Fewer cannot show a rate of ALPHA."""
LOWEST = 0.06
"""No threshold is below: where few documents can be found, unrelated questions score next to nothing."""

type Aligned = tuple[str, str]
"""Two texts that say the same in two languages."""

type _Seen = Sequence[tuple[str, Sequence[str]]]
"""Of one aligned pair: each stem of the target with the stems of the source that it may translate."""


def learn(pairs: Sequence[Aligned], source: str, target: str) -> Entries:
    """Return what stems of the source language stand for in the target language."""
    left = _stems([text for text, _ in pairs], source)
    right = _stems([text for _, text in pairs], target)
    together = Counter(
        (one, other) for ones, others in zip(left, right, strict=True) for one in ones for other in others
    )
    seen = [
        [
            (other, beside)
            for other in others
            if (beside := [one for one in ones if together[one, other] >= LEAST_TOGETHER])
        ]
        for ones, others in zip(left, right, strict=True)
    ]
    shares: dict[str, dict[str, float]] = {}
    for (one, other), times in together.items():
        if times >= LEAST_TOGETHER:
            shares.setdefault(one, {})[other] = 1.0
    for _ in range(ROUNDS):
        shares = _round(seen, shares)
    return {one: kept for one in sorted(shares) if (kept := _likeliest(shares[one]))}


def _stems(texts: Iterable[str], lang: str) -> list[list[str]]:
    """The stems of each text once, in order, without function words and without common ones."""
    left_out = grammar(lang)
    found = [
        list(dict.fromkeys(stem(word) for word in words(text) if without_marks(word) not in left_out))
        for text in texts
    ]
    held = Counter(one for stems in found for one in stems)
    return [[one for one in stems if held[one] <= COMMON * len(found)] for stems in found]


def _round(seen: Iterable[_Seen], shares: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """One round: each stem of the target is shared out among the stems beside it."""
    counts: dict[str, dict[str, float]] = {one: {} for one in shares}
    for pair in seen:
        for other, beside in pair:
            total = sum([shares[one][other] for one in beside])
            for one in beside:
                own = counts[one]
                own[other] = own.get(other, 0.0) + shares[one][other] / total
    return {one: _parts(own) for one, own in counts.items()}


def _parts(counts: dict[str, float]) -> dict[str, float]:
    total = sum(counts.values())
    return {other: count / total for other, count in counts.items()}


def _likeliest(shares: dict[str, float]) -> dict[str, float]:
    ranked = sorted(shares.items(), key=lambda one: (-one[1], one[0]))[:MOST]
    return {other: round(share, 3) for other, share in ranked if share >= LEAST_SHARE}


def with_lexicons(index: Index, hub: str, probes: Mapping[str, Sequence[str]]) -> Index:
    """Return the index with lexicons from every language to the hub and back, where there is enough to learn.

    hub: the language most documents are in. probes: by language, questions that must be refused.
    """
    found: dict[str, dict[str, Lexicon]] = {lang: {} for lang in index.language_codes}
    for source, target in pairs(index.language_codes, hub):
        learned = learnt(index, source, target, hub, probes.get(source, ()))
        if learned:
            found[source][target] = learned
    return Index.of(replace(shard, lexicons=found[lang]) for lang, shard in index.whole.items())


def pairs(languages: Sequence[str], hub: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of languages that lexicons are learnt for: each with the hub, both ways."""
    for other in languages if hub in languages else ():
        if other != hub:
            yield from ((hub, other), (other, hub))


def learnt(index: Index, source: str, target: str, hub: str, probes: Sequence[str]) -> Lexicon | None:
    """Return the lexicon of a pair; of the index only the two languages count.

    There is none with fewer than LEAST_PROBES, since no rate could be stated, nor for a target that has no
    document which the source lacks, or more than LARGE passages.
    """
    if len(probes) < LEAST_PROBES or index.shards[target].size > LARGE:
        return None
    if not across.untranslated(index, source, target):
        return None
    other = target if source == hub else source
    texts = list(aligned_texts(index, hub, other))
    entries = learn(texts if source == hub else [(right, left) for left, right in texts], source, target)
    return Lexicon(entries, _calibrated(index, source, target, entries, probes)) if entries else None


def aligned_texts(index: Index, left: str, right: str) -> Iterator[Aligned]:
    """Yield titles, headings and passages of the translations between two languages that say the same."""
    passages: dict[str, list[Passage]] = {}
    for passage in index.passages:
        passages.setdefault(passage.doc_id, []).append(passage)
    for _, family in sorted(index.families.items()):
        by_lang = {document.lang: passages[document.doc_id] for document in family}
        if left not in by_lang or right not in by_lang:
            continue
        yield by_lang[left][0].title, by_lang[right][0].title
        headings = "", ""
        for ours, theirs in siblings.aligned(by_lang[left], by_lang[right]):
            if headings != (headings := (ours[0].section, theirs[0].section)):
                yield headings
            yield "\n".join(one.text for one in ours), "\n".join(one.text for one in theirs)


def _calibrated(
    index: Index, source: str, target: str, entries: Entries, probes: Sequence[str]
) -> Calibration:
    scores: list[float] = []
    for question in probes:
        found = across.correspondences(question, index, source, target, entries)
        scores.append(found[0].score if found else 0.0)
    least = conformal_threshold(scores, ALPHA)
    threshold = max(LOWEST, least)
    realised = sum(one >= threshold for one in scores) / len(scores)
    origin = "probes" if threshold == least else "floor"
    return Calibration(threshold, len(scores), ALPHA, realised, origin=origin)
