"""What a claim asserts that a source may lack: names, numbers, and content words of any script.

A word that the question gives is not asserted. Where the script has no capitals, or writes nouns with them,
new content words take the place of names.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import NamedTuple

from bench.judging.evidence import Source
from bench.judging.lexicon import Lexicon
from bench.judging.quantities import Quantity, agrees
from bench.judging.tokens import Token

NOUNS_WITH_CAPITALS = frozenset({"de"})


class Specific(NamedTuple):
    """A name, number or word of a claim that no text before it holds; offsets are those of the claim."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Content:
    """The content words of a claim with their weight, and which of them gold and question hold."""

    words: tuple[Token, ...]
    weights: tuple[float, ...]
    held: tuple[bool, ...]
    given: tuple[bool, ...]


def weight(token: Token, lexicon: Lexicon) -> float:
    """Return what a word counts: nothing for a function word, little for a short one, more for a number."""
    if token.form in lexicon.function:
        return 0.0
    if token.number:
        return 1.5
    return 0.5 if len(token.form) <= 2 and not token.gram else 1.0


def content(words: Sequence[Token], gold: Source, question: Source) -> Content:
    """Return the content words of a claim."""
    pairs = [(token, weight(token, gold.lexicon)) for token in words]
    kept = [(token, value) for token, value in pairs if value]
    return Content(
        tuple(token for token, _ in kept),
        tuple(value for _, value in kept),
        tuple(gold.has(token) for token, _ in kept),
        tuple(question.has(token) for token, _ in kept),
    )


def with_numbers(found: Content, mentions: Sequence[Quantity], known: Sequence[Quantity]) -> Content:
    """Return `found` with the words of quantities that a known one supports counted as held."""
    agreeing = [mention for mention in mentions if any(agrees(mention, other) for other in known)]
    places = {place for mention in agreeing for place in range(mention.start, mention.end)}
    held = tuple(
        own or not places.isdisjoint(range(token.start, token.end))
        for token, own in zip(found.words, found.held, strict=True)
    )
    return replace(found, held=held)


def without_numbers(found: Content, mentions: Sequence[Quantity]) -> Content:
    """Return `found` without the words of quantities: what the quantities are said of."""
    places = {place for mention in mentions for place in range(mention.start, mention.end)}
    kept = [places.isdisjoint(range(token.start, token.end)) for token in found.words]
    return Content(
        tuple(compress(found.words, kept)),
        tuple(compress(found.weights, kept)),
        tuple(compress(found.held, kept)),
        tuple(compress(found.given, kept)),
    )


def is_name(token: Token, text: str, lexicon: Lexicon, first: int) -> bool:
    """Whether a word is written as a name: a capital that neither the sentence nor the language explains."""
    surface = text[token.start : token.end]
    return (
        surface[:1].isupper()
        and token.start > first
        and lexicon.code not in NOUNS_WITH_CAPITALS
        and token.form not in lexicon.function
        and not text[: token.start].rstrip(" \"'“‘«(").endswith((".", "!", "?", ":"))
    )


def novel_words(text: str, found: Content, lexicon: Lexicon) -> list[Specific]:
    """Return the content words that neither gold nor question holds; neighbouring n-grams make one run."""
    first = found.words[0].start if found.words else 0
    novel: list[Specific] = []
    for token, held, given in zip(found.words, found.held, found.given, strict=True):
        if held or given or token.number:
            continue
        kind = "name" if is_name(token, text, lexicon, first) else "word"
        if token.gram and novel and novel[-1].kind == "run" and novel[-1].end >= token.start:
            last = novel.pop()
            novel.append(Specific("run", text[last.start : token.end], last.start, token.end))
        else:
            kind = "run" if token.gram else kind
            novel.append(Specific(kind, text[token.start : token.end], token.start, token.end))
    return novel


def novel_numbers(
    text: str, mentions: Iterable[Quantity], known: Iterable[Quantity]
) -> list[tuple[Specific, Quantity]]:
    """Return the quantities of a claim that no known quantity supports; weak ones are left out."""
    sources = list(known)
    return [
        (Specific("number", text[mention.start : mention.end], mention.start, mention.end), mention)
        for mention in mentions
        if not mention.weak and not any(agrees(mention, other) for other in sources)
    ]
