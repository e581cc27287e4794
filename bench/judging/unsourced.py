"""The specifics of a whole answer that gold lacks, as a list of words: a view of `specifics` for callers."""

from bench.judging.evidence import source
from bench.judging.lexicon import detect, lexicon
from bench.judging.markup import plain
from bench.judging.quantities import quantities
from bench.judging.sentences import claims
from bench.judging.specifics import content, novel_numbers, novel_words
from bench.judging.tokens import tokens


def unsourced(answer: str, gold: str) -> list[str]:
    """Return names, numbers and, in scripts without capitals, new words, in the order of the answer."""
    words = lexicon(detect(answer))
    text = source(plain(gold).text, words)
    nothing = source("", words)
    found: list[str] = []
    for claim in claims(plain(answer).text, words):
        own = tokens(claim.text, words)
        new = novel_words(claim.text, content(own, text, nothing), words)
        cased = any(char.isupper() or char.islower() for char in claim.text)
        kept = [
            specific
            for specific in new
            if specific.kind != "word" or not cased or _opening_name(specific.text, specific.start)
        ]
        numbers = [
            one for one, _ in novel_numbers(claim.text, quantities(claim.text, own, words), text.quantities)
        ]
        found.extend(specific.text for specific in sorted([*kept, *numbers], key=lambda one: one.start))
    return list(dict.fromkeys(found))


def _opening_name(text: str, start: int) -> bool:
    """Whether a capitalised word opens the claim: it may be a name."""
    return start == 0 and text[:1].isupper()
