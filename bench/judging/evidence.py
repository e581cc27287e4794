"""A source text made ready for many claims: where each word stands, by sentence, and how much of a claim a
window of it covers.

Words meet by key, by a long common beginning, or as a compound written apart. A window is two neighbouring
sentences. Nothing here decides a label.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil

from bench.judging.folding import fold
from bench.judging.lexicon import Lexicon
from bench.judging.quantities import Quantity, quantities
from bench.judging.sentences import Claim, sentences
from bench.judging.tokens import UNSPACED, Token, tokens

_UNSPACED = re.compile(f"[{UNSPACED}]")
_NO_LETTERS = re.compile(r"[\W_]+")
_ARABIC_JOINED = re.compile("[وفبلك](?=[\u0620-\u064a]{3})")
SHARED = 0.65  # share of the longer word that a common beginning must cover
ENOUGH = 7  # code points of a common beginning that suffice however long the words
MOST_NUMBERS = 5000  # of one text
COMPOUND = 6  # code points of a compound
SHORTEST = 4  # code points of a common beginning
WINDOW = 2  # sentences


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """A text with its tokens, sentences and quantities; `owners[i]` is the sentence of token i."""

    text: str
    lexicon: Lexicon
    words: tuple[Token, ...]
    sentences: tuple[Claim, ...]
    owners: tuple[int, ...]
    places: Mapping[str, Sequence[int]]
    beginnings: Mapping[str, Sequence[str]]
    seen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    read: list[tuple[Quantity, ...]] = field(default_factory=list)
    compounds: dict[str, tuple[int, ...]] = field(default_factory=dict)
    run: list[str] = field(default_factory=list)

    @property
    def folded(self) -> str:
        """The folded words with one space around each; made when a run of words is first looked for."""
        if not self.run:
            self.run.append(f" {squeezed(self.text)} ")
        return self.run[0]

    @property
    def joined(self) -> Mapping[str, tuple[int, ...]]:
        """Neighbouring words written as one, and where; made when a word is first not found."""
        if not self.compounds and len(self.words) > 1:
            self.compounds.update(_joined(self.words, self.owners))
        return self.compounds

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the text, read when a claim with a number first asks for them."""
        if not self.read:
            self.read.append(tuple(quantities(self.text, self.words, self.lexicon)[:MOST_NUMBERS]))
        return self.read[0]

    def keys_of(self, key: str) -> tuple[str, ...]:
        """Return the keys of this text that count as the word `key`; remembered."""
        found = self.seen.get(key)
        if found is None:
            found = self.seen[key] = self._keys_of(key)
        return found

    def _keys_of(self, key: str) -> tuple[str, ...]:
        exact = (key,) if key in self.places else ()
        if len(key) < SHORTEST or key[0].isdigit():
            return exact
        near = self.beginnings.get(key[:SHORTEST], ())
        return exact + tuple(other for other in near if other != key and akin(key, other))

    def has(self, token: Token) -> bool:
        """Whether the text holds the word of `token`."""
        return bool(self.keys_of(token.key)) or self._compound(token.form)

    def _compound(self, form: str) -> bool:
        return len(form) >= COMPOUND and form in self.joined

    def sentences_of(self, token: Token) -> set[int]:
        """Return the sentences that hold the word of `token`."""
        found = {place for key in self.keys_of(token.key) for place in self.places[key]}
        return found or (set(self.joined[token.form]) if self._compound(token.form) else set())

    def holds(self, text: str) -> bool:
        """Whether the folded words of `text` stand here in a row."""
        return f" {squeezed(text)} " in self.folded

    def quantities_in(self, first: int, last: int) -> list[Quantity]:
        """Return the quantities of the sentences `first` to `last`."""
        if not self.sentences:
            return []
        start, end = self.sentences[first].start, self.sentences[last].end
        return [found for found in self.quantities if start <= found.start < end]


def akin(one: str, other: str) -> bool:
    """Whether two keys share a beginning long enough to be forms of one word."""
    longer = max(len(one), len(other))
    need = max(SHORTEST, min(ENOUGH, ceil(SHARED * longer)))
    return one[:need] == other[:need] if min(len(one), len(other)) >= need else False


def squeezed(text: str) -> str:
    """Return the folded words of `text` with one space between them; where none are written, each letter
    is a word."""
    spaced = _UNSPACED.sub(r" \g<0> ", fold(text))
    return _NO_LETTERS.sub(" ", spaced).strip()


@lru_cache(maxsize=8)
def source(text: str, lexicon: Lexicon) -> Source:
    """Read a source; the last ones read are kept, since claims of one item share it."""
    words = tokens(text, lexicon)
    parts = sentences(text, lexicon)
    owners = _owners(words, parts)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for token, owner in zip(words, owners, strict=True):
        places[token.key].append(owner)
        if not token.key.isascii():
            for name in _alternates(token):
                places[name].append(owner)
    beginnings: defaultdict[str, list[str]] = defaultdict(list)
    for key in places:
        if len(key) >= SHORTEST and not key[0].isdigit():
            beginnings[key[:SHORTEST]].append(key)
    return Source(
        text,
        lexicon,
        tuple(words),
        tuple(parts),
        tuple(owners),
        dict(places),
        dict(beginnings),
    )


def _alternates(token: Token) -> tuple[str, ...]:
    """Return further keys of a word: the letters of an n-gram, an Arabic word without a joined particle."""
    if token.gram:
        return tuple(dict.fromkeys(token.form))
    joined = _ARABIC_JOINED.match(token.key)
    return (token.key[joined.end() :],) if joined else ()


def _owners(words: Sequence[Token], parts: Sequence[Claim]) -> list[int]:
    ends = [part.end for part in parts[:-1]]
    return [bisect_right(ends, token.start) for token in words]


def _joined(words: Sequence[Token], owners: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Return the neighbouring words written as one, of six letters or more, with the sentence of each."""
    forms = ["" if token.gram else token.form for token in words]
    return {
        before + form: (owner,)
        for before, form, owner in zip(forms, forms[1:], owners[1:], strict=False)
        if len(before) > 1 and len(before) + len(form) >= COMPOUND
    }


@dataclass(frozen=True, slots=True)
class Window:
    """The sentences `first` to `last` of a source, and the weighted share of a claim they cover."""

    first: int
    last: int
    coverage: float


def best_window(weighted: Iterable[tuple[Token, float]], text: Source) -> Window:
    """Return the window that covers most of the weighted words of a claim; the earliest among equals."""
    count = len(text.sentences)
    if not count:
        return Window(0, 0, 0.0)
    covered = [0.0] * count
    total = 0.0
    for token, weight in weighted:
        total += weight
        reached: set[int] = set()
        for place in text.sentences_of(token):
            reached.update((place, max(place - 1, 0)))
        for place in reached:
            covered[place] += weight
    first = max(range(count), key=lambda place: (round(covered[place], 6), -place))
    return Window(first, min(first + WINDOW - 1, count - 1), covered[first] / total if total else 0.0)


def within(window: Window, text: Source) -> tuple[Token, ...]:
    """Return the tokens of a window."""
    return text.words[bisect_left(text.owners, window.first) : bisect_right(text.owners, window.last)]


def aligned(claim: Sequence[Token], window: Window, text: Source) -> list[int]:
    """Return the places in `claim` on a longest common subsequence with the window."""
    held = [token.key for token in within(window, text)]
    masks: dict[str, list[int]] = {}
    for place, key in enumerate(held):
        masks.setdefault(key, []).append(place)
    rows: list[int] = []
    lengths: list[int] = []
    previous: list[int] = []
    chain: list[tuple[int, int]] = []
    for place, token in enumerate(claim):
        targets = sorted({at for key in text.keys_of(token.key) for at in masks.get(key, ())}, reverse=True)
        for at in targets:
            low = bisect_left(lengths, at)
            parent = previous[low - 1] if low else -1
            chain.append((place, parent))
            node = len(chain) - 1
            if low == len(lengths):
                lengths.append(at)
                previous.append(node)
            else:
                lengths[low] = at
                previous[low] = node
    node = previous[-1] if previous else -1
    while node >= 0:
        rows.append(chain[node][0])
        node = chain[node][1]
    return rows[::-1]
