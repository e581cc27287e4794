"""The language a question is in.

Evidence is looked up in ready vocabularies and in the function words of the catalogues, so it costs nothing
per passage. What is done in the language is left to the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cairn_core.language import INTERFACE_LANGUAGES, catalogue, has_catalogue, primary
from cairn_core.text import SHORTEST, script_of, terms, without_marks, words

# One shared name is no language: vocabulary alone must beat the page's own language by this many terms.
_CLEAR_LEAD = 2
# A script with less than one in so many terms of a corpus does not say which language the corpus is in.
_RARE = 10
# What a letter says about the language of a question. In the first three it stands for a syllable or a word
# of the others; names are written in Latin letters everywhere.
_WEIGHT_OF_LETTER = {"CJK": 6, "KANA": 6, "HANGUL": 6, "LATIN": 1}
_WEIGHT_ELSEWHERE = 2


class Vocabulary(NamedTuple):
    """The terms of one corpus language and the script most of them are written in."""

    terms: Container[str]
    script: str


def script_of_terms(vocabulary: Mapping[str, object]) -> str:
    """The script the language of the terms is written in, "" without any letter.

    That is the commonest one, but Latin only where others are rare: names are written in it everywhere.
    """
    counts = Counter(filter(None, (script_of(term[0]) for term in vocabulary)))
    script = max(sorted(counts), key=lambda name: (name != "LATIN", counts[name]), default="")
    return script if counts[script] * _RARE >= counts.total() else "LATIN"


@dataclass(frozen=True, slots=True)
class Detection:
    """The language a question is answered in.

    basis: requested, script, function-words, vocabulary, interface or default: the evidence that decided.
    coverage: share of the question's distinct terms, numbers aside, found in that language's vocabulary.
    """

    lang: str
    basis: str
    coverage: float


def detect(
    question: str,
    vocabularies: Mapping[str, Vocabulary],
    default: str,
    requested: str | None = None,
    interface: str | None = None,
) -> Detection:
    """The language of `question`: as requested, else by script, function words and vocabulary in this order.

    Candidates are the corpus languages and those with a catalogue. A tie goes to `interface`, the language of
    the page, else to `default`.
    """
    if requested is not None:
        return _detection(requested, "requested", question, vocabularies)
    script = _dominant_script(question)
    scripts = {lang: vocabulary.script for lang, vocabulary in vocabularies.items()}
    for lang in set(INTERFACE_LANGUAGES).difference(map(primary, vocabularies)):
        scripts[lang] = catalogue(lang).script
    langs = [lang for lang in sorted(scripts) if script and _compatible(script, scripts[lang])]
    if script == "LATIN" and interface and interface not in langs:
        langs.append(interface)  # names and codes are written in Latin letters everywhere
    if len(langs) == 1:
        lang, basis = langs[0], "script"
    elif langs:
        lang, basis = _by_words(question, vocabularies, langs, (interface, default))
    else:
        lang, basis = (interface, "interface") if interface else (default, "default")
    return _detection(lang, basis, question, vocabularies)


def _compatible(script: str, of_language: str) -> bool:
    # Japanese is written in Han and kana; a question in Han alone may be Japanese.
    return script == of_language or (script == "CJK" and of_language == "KANA")


def _dominant_script(question: str) -> str:
    weights: Counter[str] = Counter()
    for char, times in Counter(question).items():
        script = script_of(char)
        weights[script] += times * _WEIGHT_OF_LETTER.get(script, _WEIGHT_ELSEWHERE)
    del weights[""]
    if weights["KANA"]:
        weights["KANA"] += weights.pop("CJK", 0)
    return max(sorted(+weights), key=weights.__getitem__, default="")


def _by_words(
    question: str, vocabularies: Mapping[str, Vocabulary], langs: list[str], preferred: tuple[str | None, str]
) -> tuple[str, str]:
    """The language most of the distinct words belong to, with the evidence that decided."""
    asked = set(words(question))
    # The vocabulary of a language without a profile lacks short words, so they would count against it.
    fair = asked if all(map(has_catalogue, langs)) else {word for word in asked if len(word) >= SHORTEST}
    grammar = {lang: len(_function_words(fair, lang)) for lang in langs}
    total = {
        lang: grammar[lang] + _known_terms(asked - _function_words(asked, lang), vocabularies.get(lang))
        for lang in langs
    }
    interface, default = preferred
    leader = max(langs, key=lambda lang: (total[lang], lang == interface, lang == default))
    if interface in langs and leader != interface:
        lead = total[leader] - total[interface]
        if grammar[leader] <= grammar[interface] and lead < _CLEAR_LEAD:
            return interface, "interface"
    if not total[leader] or sum(total[lang] == total[leader] for lang in langs) > 1:
        return leader, "interface" if leader == interface else "default"
    by_grammar = all(grammar[leader] > grammar[lang] for lang in langs if lang != leader)
    return leader, "function-words" if by_grammar else "vocabulary"


def _function_words(asked: Iterable[str], lang: str) -> set[str]:
    if not has_catalogue(lang):
        return set()
    return {word for word in asked if without_marks(word) in catalogue(lang).function_words}


def _known_terms(asked: Iterable[str], vocabulary: Vocabulary | None) -> int:
    if vocabulary is None:
        return 0
    found = {term for word in asked for term in terms(word) if term in vocabulary.terms}
    return sum(not term.isdigit() for term in found)


def _detection(lang: str, basis: str, question: str, vocabularies: Mapping[str, Vocabulary]) -> Detection:
    asked = {term for term in terms(question) if not term.isdigit()}
    known = vocabularies[lang].terms if lang in vocabularies else ()
    share = sum(term in known for term in asked) / len(asked) if asked else 0.0
    return Detection(lang, basis, round(share, 9))
