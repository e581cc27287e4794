"""A source text made ready for many claims: where each word stands, by sentence, and how much of a claim a
window of it covers.

Words meet by key, by a long common beginning, or as a compound written apart. A window is two neighbouring
sentences. Nothing here decides a label.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import ceil

from bench.judging.folding import fold
from bench.judging.lexicon import Lexicon
from bench.judging.quantities import JOINTS, Quantity, quantities, spelling
from bench.judging.sentences import Claim, sentences
from bench.judging.tokens import UNSPACED, Token, forms_and_keys, tokens

_UNSPACED = re.compile(f"[{UNSPACED}]")
_NO_LETTERS = re.compile(r"[\W_]+")
_SIGNS = re.compile(r"[^\x00-\x7f\w]+")
_SPACES = {code: " " for code in range(128) if not chr(code).isalnum()}
_ARABIC_JOINED = re.compile("[وفبلك](?=[\u0620-\u064a]{3})")
SHARED = 0.65  # share of the longer word that a common beginning must cover
ENOUGH = 7  # code points of a common beginning that suffice however long the words
MOST_NUMBERS = 5000  # of one text
COMPOUND = 6  # code points of a compound
SHORTEST = 4  # code points of a common beginning
WINDOW = 2  # sentences


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """A text with its sentences, the words of each, and where each key stands; the rest is made when asked
    for and remembered."""

    text: str
    lexicon: Lexicon
    sentences: tuple[Claim, ...]
    words: Sequence[Sequence[tuple[str, str] | Token]]  # form and key, by sentence
    places: Mapping[str, Sequence[int]]
    sorted_keys: Sequence[str]
    seen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    read: list[tuple[Quantity, ...]] = field(default_factory=list)
    run: list[str] = field(default_factory=list)
    tokenised: dict[int, list[Token]] = field(default_factory=dict)
    forms: set[str] = field(default_factory=set)
    compounds: dict[str, int] = field(default_factory=dict)

    @property
    def folded(self) -> str:
        """The folded words with one space around each; made when a run of words is first looked for."""
        if not self.run:
            self.run.append(f" {squeezed(self.text)} ")
        return self.run[0]

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the text, read when a claim with a number first asks for them."""
        if not self.read:
            spelled = self.tokens_of(self._spelled_numbers())
            self.read.append(tuple(quantities(self.text, spelled, self.lexicon)[:MOST_NUMBERS]))
        return self.read[0]

    def _spelled_numbers(self) -> list[int]:
        """Return the sentences that spell a number or a month, and those that may go on with one."""
        known = spelling(self.lexicon)
        forms = [[word[0] for word in words] for words in self.words]
        own = [place for place, written in enumerate(forms) if not known.isdisjoint(written)]
        open_ended = [place + 1 for place in own if forms[place][-1] in JOINTS and place + 1 < len(forms)]
        return sorted({*own, *open_ended})

    def tokens_of(self, places: Iterable[int]) -> list[Token]:
        """Return the tokens of some sentences, with offsets into the text."""
        found: list[Token] = []
        for place in places:
            if place not in self.tokenised:
                part = self.sentences[place]
                self.tokenised[place] = tokens(self.text, self.lexicon, part.start, part.end)
            found += self.tokenised[place]
        return found

    def keys_of(self, key: str) -> tuple[str, ...]:
        """Return the keys of this text that count as the word `key`; remembered."""
        found = self.seen.get(key)
        if found is None:
            found = self.seen[key] = self._keys_of(key)
        return found

    def _keys_of(self, key: str) -> tuple[str, ...]:
        found = [key] if key in self.places else []
        if len(key) < SHORTEST or key[0].isdigit():
            return tuple(found)
        beginning = key[:SHORTEST]
        for place in range(bisect_left(self.sorted_keys, beginning), len(self.sorted_keys)):
            other = self.sorted_keys[place]
            if not other.startswith(beginning):
                break
            if other != key and akin(key, other):
                found.append(other)
        return tuple(found)

    def has(self, token: Token) -> bool:
        """Whether the text holds the word of `token`."""
        return bool(self.keys_of(token.key)) or self._compound(token.form) >= 0

    def _compound(self, form: str) -> int:
        """Return the sentence where two neighbouring words, written as one, are `form`; -1 for none."""
        if len(form) < COMPOUND:
            return -1
        if not self.forms:
            self.forms.update([word[0] for words in self.words for word in words])
        found = self.compounds.get(form)
        if found is None:
            found = self.compounds[form] = self._last_neighbours(form)
        return found

    def _last_neighbours(self, form: str) -> int:
        cuts = [(form[:cut], form[cut:]) for cut in range(2, len(form))]
        cuts = [cut for cut in cuts if cut[0] in self.forms and cut[1] in self.forms]
        if not cuts:
            return -1
        pairs = pairwise((_half(word), owner) for owner, words in enumerate(self.words) for word in words)
        return max((owner for (one, _), (other, owner) in pairs if (one, other) in cuts), default=-1)

    def sentences_of(self, token: Token) -> set[int]:
        """Return the sentences that hold the word of `token`."""
        found = {place for key in self.keys_of(token.key) for place in self.places[key]}
        return found or {place for place in (self._compound(token.form),) if place >= 0}

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
    folded = fold(text)
    if not folded.isascii():
        folded = _SIGNS.sub(" ", folded)
    if folded.isascii():
        return " ".join(folded.translate(_SPACES).split())
    return _NO_LETTERS.sub(" ", _UNSPACED.sub(r" \g<0> ", folded)).strip()


@lru_cache(maxsize=8)
def source(text: str, lexicon: Lexicon) -> Source:
    """Read a source; the last ones read are kept, since claims of one item share it."""
    parts = tuple(sentences(text, lexicon))
    words = [forms_and_keys(part.text, lexicon) for part in parts]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for owner, part in enumerate(parts):
        for word in words[owner]:
            places[word[1]].append(owner)
        if not part.text.isascii():
            for word in words[owner]:
                for name in _alternates(word):
                    places[name].append(owner)
    return Source(text, lexicon, parts, words, dict(places), sorted(places))


def _alternates(word: tuple[str, str] | Token) -> tuple[str, ...]:
    """Return further keys of a word: the letters of an n-gram, an Arabic word without a joined particle."""
    if isinstance(word, Token) and word.gram:
        return tuple(dict.fromkeys(word.form)) if not word.key.isascii() else ()
    joined = _ARABIC_JOINED.match(word[1])
    return (word[1][joined.end() :],) if joined else ()


def _half(word: tuple[str, str] | Token) -> str:
    """Return the form of a word that can be half of a compound; "" for an n-gram."""
    return "" if isinstance(word, Token) and word.gram else word[0]


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


def within(window: Window, text: Source) -> list[Token]:
    """Return the tokens of a window."""
    return text.tokens_of(range(window.first, min(window.last + 1, len(text.sentences))))


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
