"""Simple graders by words alone, to measure the judge against; each says whether an answer is correct.

Written from their descriptions: SQuAD's exact containment and token F1 (Rajpurkar et al. 2016), ROUGE-L
precision (Lin 2004), and the shortest rules that pass the judge's own contract tests.
"""

import json
import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

_ARTICLES = frozenset({"a", "an", "the"})
_ALTERNATIVES = re.compile(r"\s*[|/]\s*")


def plain_words(text: str) -> list[str]:
    """Return the words as SQuAD's script normalises them: lower case, no punctuation, no English article."""
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    return [word for word in bare.split() if word not in _ARTICLES]


def lexical_match(question: str, answer: str, gold: str) -> bool:
    """Whether an accepted answer, or else all of the answer, stands in the other in a row."""
    said = f" {' '.join(plain_words(answer))} "
    wanted = [" ".join(plain_words(part)) for part in _ALTERNATIVES.split(gold)]
    if any(one and f" {one} " in said for one in wanted):
        return True
    return bool(said.strip()) and said in f" {' '.join(plain_words(gold))} "


def token_f1(question: str, answer: str, gold: str) -> bool:
    """Whether the token F1 with an accepted answer, or with the whole of gold, is 0.5 or more."""
    return max(_f1(answer, one) for one in (gold, *_ALTERNATIVES.split(gold))) >= 0.5


def _f1(answer: str, gold: str) -> float:
    said, wanted = Counter(plain_words(answer)), Counter(plain_words(gold))
    shared = sum((said & wanted).values())
    return 2 * shared / (said.total() + wanted.total()) if shared else 0.0


def rouge_l_precision(question: str, answer: str, gold: str) -> bool:
    """Whether 0.6 of the answer's words stand in gold in their order."""
    said = plain_words(answer)
    return bool(said) and _common(said, plain_words(gold)) >= 0.6 * len(said)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of a longest common subsequence, by the bits of Hyyrö (2004)."""
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        held = row & places.get(word, 0)
        row = ((row + held) | (row - held)) & full
    return len(one) - row.bit_count()


_DECLINES = re.compile(
    r"\b(?:i (?:cannot|can't|do not|don't) (?:know|tell|determine)|unable to determine|"
    r"(?:cannot|can't) be determined|not enough information|does(?:n't| not) (?:mention|contain))",
    re.IGNORECASE,
)


def plain_reading(question: str, answer: str, gold: str) -> bool:
    """The shortest rules that pass the contract: no abstention, no capital or digit that gold lacks, and six
    of ten words in gold."""
    text = _unwrapped(answer)
    known = set(re.findall(r"\w+", gold.lower()))
    words = re.findall(r"\w+", text)
    if not words or not gold.strip() or _DECLINES.search(text):
        return False
    sharp = [w for w in words[1:] if (w[0].isupper() or w[0].isdigit()) and w.lower() not in known]
    return not sharp and sum(word.lower() in known for word in words) >= 0.6 * len(words)


def _unwrapped(answer: str) -> str:
    try:
        claims = json.loads(answer)["claims"]
        return " ".join(str(claim["text"]) for claim in claims)
    except (ValueError, TypeError, KeyError, RecursionError):
        return answer


PEERS: Mapping[str, Callable[[str, str, str], bool]] = {
    "lexical match": lexical_match,
    "token F1 ≥ 0.5": token_f1,
    "ROUGE-L precision ≥ 0.6": rouge_l_precision,
    "plain reading": plain_reading,
}
"""Name -> grader, in the order of the tables."""
