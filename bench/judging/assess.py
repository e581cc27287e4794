"""The verdict on one claim: supported, conflict, novel, elsewhere, unsupported, or trivial.

`conflict` contradicts the passage it is aligned with, `novel` names what no text holds, `elsewhere` is held
by a text that does not answer, `unsupported` is the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.judging.evidence import Source, Window, within
from bench.judging.lexicon import Lexicon
from bench.judging.polarity import Cue, bound_cues, exclusivity_cues, negation_cues, opposite_cues
from bench.judging.quantities import Quantity, agrees, comparable, quantities
from bench.judging.sentences import Claim
from bench.judging.specifics import (
    Content,
    Specific,
    content,
    novel_numbers,
    novel_words,
    with_numbers,
    without_numbers,
)
from bench.judging.support import (
    Measures,
    coverage,
    length,
    new_coverage,
    ordered_share,
    paired_share,
    score,
    window_of,
)
from bench.judging.tokens import Token, tokens

SAME_SLOT = 0.5  # coverage from which a claim and its window speak of the same thing
REVERSED = 0.6  # coverage from which an added "only" or an opposite is a conflict
ASKED = 0.4  # new coverage below which words of the question do not support a claim
NOVEL = 0.36  # new coverage below which a claim is an invention
SHORT = 4  # content words up to which one new word makes a claim an invention
SHORT_NOVEL = 0.7  # new coverage below which a short claim is an invention
MOST_NUMBERS = 200  # of one claim; a table that long is no sentence
BRIEF = 12  # words of a claim that may stand in gold though not each of them is found there
SCATTERED = 0.5  # order up to which a few syllables of one claim are syllables of other words
NEAR_BEST = 0.2  # coverage a window may lack against the best one and still be the aligned one


@dataclass(frozen=True, slots=True)
class Assessment:
    """A claim with its verdict and all that led to it."""

    claim: Claim
    verdict: str
    support: float
    measures: Measures | None
    window: Window | None
    specifics: tuple[Specific, ...] = ()
    cues: tuple[Cue, ...] = ()
    firm: bool = False  # whether a name, a number or a run without capitals is among the specifics


@dataclass(frozen=True, slots=True)
class Texts:
    """What claims are judged against: gold, the question, and further sources."""

    gold: Source
    question: Source
    sources: tuple[Source, ...]
    words: Lexicon  # of the answer
    translated: bool = False  # gold is in another language than the answer


def assess(claim: Claim, texts: Texts) -> Assessment:
    """Judge one claim against gold."""
    gold = texts.gold
    words = tokens(claim.text, gold.lexicon)
    mentions = quantities(claim.text, tokens(claim.text, texts.words), texts.words)[:MOST_NUMBERS]
    known = gold.quantities if mentions else ()
    found = with_numbers(content(words, gold, texts.question), mentions, known)
    if is_trivial(claim.text, found, gold.lexicon):
        return Assessment(claim, "trivial", 0.0, None, None)
    window = window_of(found, gold)
    measures, specifics = _measure(claim, words, found, mentions, window, texts)
    # What a number is said of is told by the words beside it.
    beside = window_of(without_numbers(found, mentions), gold)
    cues = (
        *_number_cues(claim.text, mentions, found, beside, texts),
        *_polarity(claim, words, mentions, beside, texts),
    )
    if texts.translated:
        verdict = _translated(mentions, specifics, cues, gold)
        if verdict:
            return Assessment(claim, verdict, measures.covered, measures, window, specifics, cues, True)
    firm = any(specific.kind != "word" for specific in specifics)
    verdict = _verdict(found, measures, specifics, cues, texts)
    return Assessment(claim, verdict, round(score(measures), 4), measures, window, specifics, cues, firm)


def is_trivial(text: str, found: Content, lexicon: Lexicon) -> bool:
    """Whether a sentence asserts nothing: a greeting, a lead-in, or function words alone."""
    if not found.words:
        return True
    opening = text.casefold().strip(" .!:,。！")
    return any(opening == phrase or opening.startswith(f"{phrase}:") for phrase in lexicon.trivial)


def _measure(
    claim: Claim,
    words: Sequence[Token],
    found: Content,
    mentions: Sequence[Quantity],
    window: Window,
    texts: Texts,
) -> tuple[Measures, tuple[Specific, ...]]:
    gold = texts.gold
    new_words = novel_words(claim.text, found, gold.lexicon)
    known = (*gold.quantities, *texts.question.quantities) if mentions else ()
    numbers = novel_numbers(claim.text, mentions, known)
    names = sum(specific.kind == "name" for specific in new_words)
    speaker = [t for t in words if t.form in gold.lexicon.first_person and not gold.has(t)]
    likely = all(found.held) or len(found.words) <= BRIEF
    if found.words and likely and gold.holds(claim.text):
        return Measures(1, 1, 1, 0, 0, 0, 0, 0, length(found)), ()
    measures = Measures(
        covered=coverage(found),
        window=window.coverage,
        ordered=(ordered_share(found, window, gold) + paired_share(found, window, gold)) / 2,
        names=min(names, 3),
        numbers=min(len(numbers), 2),
        novel=min(len(new_words), 6),
        first_person=min(len(speaker), 2),
        question=float(claim.text.endswith(("?", "？", "؟"))),
        length=length(found),
    )
    return measures, (*new_words, *(specific for specific, _ in numbers))


def _number_cues(
    text: str, mentions: Sequence[Quantity], found: Content, window: Window, texts: Texts
) -> list[Cue]:
    """Return the numbers that differ from one in the same slot of the window, or stand elsewhere in gold."""
    gold = texts.gold
    if window.coverage < SAME_SLOT or not mentions:
        return []
    nearby = gold.quantities_in(window.first, window.last)
    cues: list[Cue] = []
    for mention in mentions:
        known = [other for other in (*nearby, *texts.question.quantities) if agrees(mention, other)]
        rivals = [other for other in nearby if comparable(mention, other) and not agrees(mention, other)]
        absent = not any(agrees(mention, other) for other in gold.quantities)
        if known:
            rivals = [other for other in rivals if _fits_better(other, mention, found, gold)]
        elif rivals and not absent and _stands_near(mention, found, window, gold):
            continue
        if rivals:
            rival = gold.text[rivals[0].start : rivals[0].end]
            kind = "number" if absent else "number_elsewhere"
            cues.append(Cue(kind, text[mention.start : mention.end], rival, mention.start, mention.end))
    return cues


def _fits_better(rival: Quantity, mention: Quantity, found: Content, gold: Source) -> bool:
    """Whether the sentence of a rival number holds a word of the claim more than any that agrees."""
    if not (rival.unit and mention.unit and rival.unit.dimension == mention.unit.dimension):
        return False
    agreeing = [other for other in gold.quantities if agrees(mention, other)]
    best = max((_held_beside(other, found, gold) for other in agreeing), default=0.0)
    return bool(agreeing) and _held_beside(rival, found, gold) >= best + 1.0


def _held_beside(number: Quantity, found: Content, gold: Source) -> float:
    """Return the weight of the claim's words, numbers apart, in the sentence of a number."""
    place = next((n for n, p in enumerate(gold.sentences) if p.start <= number.start < p.end), -1)
    pairs = zip(found.words, found.weights, strict=True)
    return sum(value for token, value in pairs if not token.number and place in gold.sentences_of(token))


def _stands_near(mention: Quantity, found: Content, window: Window, gold: Source) -> bool:
    """Whether a window that holds the number covers the claim nearly as well as the best one."""
    total = sum(found.weights) or 1.0
    for other in gold.quantities:
        if not agrees(mention, other):
            continue
        place = next((n for n, part in enumerate(gold.sentences) if part.start <= other.start < part.end), 0)
        near = {place - 1, place, place + 1}
        held = sum(
            value
            for token, value in zip(found.words, found.weights, strict=True)
            if near & gold.sentences_of(token)
        )
        if held / total >= window.coverage - NEAR_BEST:
            return True
    return False


def _polarity(
    claim: Claim, words: Sequence[Token], mentions: Sequence[Quantity], window: Window, texts: Texts
) -> list[Cue]:
    gold = texts.gold
    if window.coverage < SAME_SLOT or not gold.sentences:
        return []
    start, end = gold.sentences[window.first].start, gold.sentences[window.last].end
    nearby = within(window, gold)
    cues: list[Cue] = []
    if mentions:
        cues = bound_cues(claim.text, mentions, gold, gold.quantities_in(window.first, window.last))
    cues += negation_cues(claim.text, window, gold)
    if window.coverage >= REVERSED:
        around = f"{gold.text[start:end]}\n{texts.question.text}"
        cues += exclusivity_cues(claim.text, around, gold.lexicon)
        cues += opposite_cues(claim.text, words, nearby, gold.lexicon)
    return cues


def _translated(
    mentions: Sequence[Quantity], specifics: Sequence[Specific], cues: Sequence[Cue], gold: Source
) -> str:
    """Judge by numbers alone where the words are of two languages; "" when there are none."""
    firm = [mention for mention in mentions if not mention.weak]
    if not firm:
        return ""
    if all(any(agrees(mention, other) for other in gold.quantities) for mention in firm):
        return "supported"
    rivals = any(comparable(mention, other) for mention in firm for other in gold.quantities)
    return "conflict" if rivals or cues else "novel"


def _verdict(
    found: Content, measures: Measures, specifics: Sequence[Specific], cues: Sequence[Cue], texts: Texts
) -> str:
    if cues:
        return "conflict"
    share = new_coverage(found)
    # An n-gram, or a syllable of Vietnamese, is about half a word.
    syllables = texts.gold.lexicon.tones
    short = sum(0.5 if token.gram or syllables else 1.0 for token in found.words) <= SHORT
    if syllables and short and len(found.words) > 1 and measures.ordered <= SCATTERED:
        return "novel"
    if score(measures) > 0 and not measures.numbers and share >= ASKED:
        return "supported"
    if _held_elsewhere(specifics, found, texts):
        return "elsewhere"
    if measures.numbers or share < (ASKED if any(found.given) else NOVEL) or (short and share < SHORT_NOVEL):
        return "novel"
    return "unsupported"


def _held_elsewhere(specifics: Sequence[Specific], found: Content, texts: Texts) -> bool:
    """Whether a further source holds all that gold lacks of the claim."""
    return any(
        all(source.holds(specific.text) for specific in specifics)
        and sum(source.has(token) for token in found.words) * 3 >= len(found.words) * 2
        for source in texts.sources
    )
