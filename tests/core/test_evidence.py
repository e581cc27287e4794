"""The evidence scorer against a naive one, and what its scores promise."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core import evidence
from cairn_core.analysis import grams, sentences, stem, words
from cairn_core.config import Config
from cairn_core.engine import ask
from cairn_core.evidence import DOCUMENT, ENOUGH, FUNCTION, MARGIN, PAIR, SENTENCE, SENTENCE_B, WEIGHTS
from cairn_core.fields import FIELDS, K1, B, PassageStatistics
from cairn_core.passage import Passage
from cairn_core.retrieve import retrieve
from tests.core.small import SMALL, WATER_EN, document, index_of

VOCABULARY = [
    "amber",
    "ambers",
    "birch",
    "cedar",
    "the",
    "how",
    "año",
    "ano",
    "212",
    "中文字",
    "المياه",
    "مياه.",
]
texts = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=9).map(" ".join)
questions = st.lists(st.sampled_from([*VOCABULARY, "unknown", "ambre"]), max_size=7).map(" ".join)
corpora = st.dictionaries(
    st.sampled_from("pqrs"), st.lists(texts, min_size=1, max_size=4), min_size=1, max_size=4
)
FUNCTION_WORDS = frozenset({"the", "how"})


HALL = {
    "en": ("Hiring the hall", "Anyone who lives in the district can hire the hall. A day costs $40."),
    "es": ("Alquilar el salón", "Quien viva en el distrito puede alquilar el salón. Un día cuesta $40."),
    "ar": ("استئجار القاعة", "يمكن لسكان الحي استئجار القاعة. يكلف اليوم 40 دولارا."),
    "zh": ("租用礼堂", "住在本区的人可以租用礼堂。每天收费40元。"),
}
FLOOR = 0.32
"""The lowest threshold of a language with few passages."""


@pytest.mark.parametrize(
    ("lang", "question", "answered"),
    [
        ("en", "how much does the hall cost", True),
        ("en", "what does a day at the zoo cost", False),
        ("es", "¿cuánto cuesta el salón por día?", True),
        ("es", "¿cuánto cuesta el pasaporte?", False),
        ("ar", "كم يكلف استئجار القاعة؟", True),
        ("ar", "كم يكلف جواز السفر؟", False),
        ("zh", "租用礼堂每天收费多少？", True),
        ("zh", "护照多少钱？", False),
    ],
)
def test_one_passage_alone_answers_what_it_says_and_nothing_else(
    lang: str, question: str, answered: bool
) -> None:
    title, text = HALL[lang]
    index = index_of(document("hall", lang, title, text))
    result = ask(question, index, Config(scorer="evidence", threshold=FLOOR), lang=lang)
    assert (result.answer.kind == "grounded") == answered, result.answer.trace


def naive(question: str, passages: list[Passage]) -> dict[int, float]:
    """Place -> score of every passage, straight from the definition, without postings and shortcuts."""
    asked = words(question)
    bodies = [[words(part) for line in p.text.split("\n") for part in sentences(line)] for p in passages]
    bags = [
        Counter(w for s in body for w in s) + Counter(words(p.title)) + Counter(words(p.section))
        for body, p in zip(bodies, passages, strict=True)
    ]
    of_documents: dict[str, Counter[str]] = {}
    for passage, bag in zip(passages, bags, strict=True):
        of_documents.setdefault(passage.doc_id, Counter()).update(bag)
    whole = {doc_id: _field(bag, "gram") for doc_id, bag in of_documents.items()}
    mean_sentence = sum(len(s) for body in bodies for s in body) / sum(len(body) for body in bodies)
    scores = {}
    for place, passage in enumerate(passages):
        fields = {name: [_field(bag, name) for bag in bags] for name in FIELDS}
        totals = [
            _bm25(
                asked,
                name,
                fields[name][place],
                fields[name],
                WEIGHTS[name] * (1 - DOCUMENT) * (1 - SENTENCE),
            )
            for name in FIELDS
        ]
        totals.append(_pairs(asked, bodies[place], fields["stem"], place))
        totals.append(_best(asked, bodies[place], fields, mean_sentence))
        totals.append(_bm25(asked, "gram", whole[passage.doc_id], list(whole.values()), DOCUMENT))
        if not any(content for content, _ in totals[: len(FIELDS)]):
            continue  # only its document or its grammar has something to do with the question
        content, function = (sum(part) for part in zip(*totals, strict=True))
        scores[place] = content + min(content, function)
    return scores


def _field(bag: Counter[str], name: str) -> Counter[str]:
    return sum((Counter(dict.fromkeys(FIELDS[name](w), n)) for w, n in bag.items()), Counter())


def _weights(asked: list[str], name: str, bags: list[Counter[str]]) -> dict[str, tuple[float, float]]:
    """Term -> (weight from content words, weight from function words), adding up to 1."""
    raw: dict[str, list[float]] = {}
    for word in asked:
        for term in FIELDS[name](word):
            held = sum(term in bag for bag in bags)
            part = raw.setdefault(term, [0.0, 0.0])
            is_function = word in FUNCTION_WORDS
            part[is_function] += evidence.idf(len(bags), held) * (FUNCTION if is_function else 1)
    ideal = sum(sum(part) for part in raw.values()) or 1.0
    return {term: (part[0] / ideal, part[1] / ideal) for term, part in raw.items()}


def _bm25(
    asked: list[str], name: str, bag: Counter[str], bags: list[Counter[str]], total: float
) -> tuple[float, float]:
    mean = sum(sum(one.values()) for one in bags) / len(bags) or 1.0
    norm = K1 * (1 - B + B * sum(bag.values()) / mean)
    parts = [
        (c * bag[t] / (bag[t] + norm), f * bag[t] / (bag[t] + norm))
        for t, (c, f) in _weights(asked, name, bags).items()
    ]
    return total * sum(c for c, _ in parts), total * sum(f for _, f in parts)


def _pairs(
    asked: list[str], body: list[list[str]], bags: list[Counter[str]], place: int
) -> tuple[float, float]:
    stems = [stem(word) for word in asked]
    raw = {}
    for at in range(len(stems) - 1):
        rarity = max(evidence.idf(len(bags), sum(stems[i] in bag for bag in bags)) for i in (at, at + 1))
        only_function = asked[at] in FUNCTION_WORDS and asked[at + 1] in FUNCTION_WORDS
        raw[stems[at], stems[at + 1]] = (0.0, FUNCTION * rarity) if only_function else (rarity, 0.0)
    ideal = sum(sum(weight) for weight in raw.values()) or 1.0
    found = Counter((stem(s[at]), stem(s[at + 1])) for s in body for at in range(len(s) - 1))
    mean = sum(sum(bag.values()) for bag in bags) / len(bags) or 1.0
    norm = K1 * (1 - B + B * sum(bags[place].values()) / mean)
    unit = PAIR * (1 - DOCUMENT) * (1 - SENTENCE) / ideal
    return tuple(  # type: ignore[return-value]  # of two
        unit * sum(weight[kind] * found[pair] / (found[pair] + norm) for pair, weight in raw.items())
        for kind in (0, 1)
    )


def _best(
    asked: list[str], body: list[list[str]], fields: dict[str, list[Counter[str]]], mean: float
) -> tuple[float, float]:
    best = (0.0, 0.0)
    for sentence in body:
        norm = K1 * (1 - SENTENCE_B + SENTENCE_B * len(sentence) / mean)
        unit = (1 - DOCUMENT) * SENTENCE / (1 - PAIR) / (1 + norm)
        here = [0.0, 0.0]
        for name, bags in fields.items():
            held = {term for word in sentence for term in FIELDS[name](word)}
            for term, weight in _weights(asked, name, bags).items():
                if term in held:
                    for kind in (0, 1):
                        here[kind] += unit * WEIGHTS[name] * weight[kind]
        if here[0] + min(here) > best[0] + min(best):
            best = (here[0], here[1])
    return best


def passages_of(corpus: dict[str, list[str]]) -> list[Passage]:
    return [p for name in sorted(corpus) for p in document(name, "en", f"title {name}", *corpus[name])]


@given(questions, corpora)
def test_scores_are_those_of_the_definition(question: str, corpus: dict[str, list[str]]) -> None:
    passages = passages_of(corpus)
    expected = {place: score for place, score in naive(question, passages).items() if score > 1e-12}
    scored = evidence.score(question, PassageStatistics(passages), FUNCTION_WORDS)
    assert {one.place for one in scored} == expected.keys()
    assert all(math.isclose(one.score, expected[one.place], abs_tol=1e-9) for one in scored)


@given(questions, corpora)
def test_a_score_is_at_most_1_and_is_the_sum_of_its_shares(
    question: str, corpus: dict[str, list[str]]
) -> None:
    for one in evidence.score(question, PassageStatistics(passages_of(corpus)), FUNCTION_WORDS):
        assert 0 < one.score <= 1
        assert math.isclose(one.score, sum(share for _, share in one.shares), abs_tol=1e-9)


@given(corpora)
def test_function_words_alone_find_nothing(corpus: dict[str, list[str]]) -> None:
    assert evidence.score("how the how", PassageStatistics(passages_of(corpus)), FUNCTION_WORDS) == []


def test_function_words_never_carry_more_than_half_of_a_score() -> None:
    passages = document("p", "en", "Times", "How does the one in the hall open?", "Nothing of the kind.")
    with_words = evidence.score("how does the hall open", PassageStatistics(passages), {"how", "does", "the"})
    content = evidence.score("hall open", PassageStatistics(passages))
    assert with_words[0].place == content[0].place
    assert with_words[0].score <= 2 * content[0].score


def test_a_misspelt_and_an_inflected_word_still_find_their_passage() -> None:
    for question in ("crackd meeter", "sapplings adopting", "replacement of cracked meters"):
        assert retrieve(question, SMALL, threshold=0.1, candidates=1, scorer="evidence").candidates


def test_every_script_is_found() -> None:
    shelves = {
        "zh": ("停水通知提前三天张贴在门口", "提前几天通知停水"),
        "th": ("สำนักงานเปิดให้บริการทุกวันจันทร์", "เปิดวันจันทร์ไหม"),
        "hi": ("पानी का मीटर हर साल पढ़ा जाता है", "मीटर कब पढ़ा जाता है"),
        "ar": ("يُستبدل العداد المكسور مجانًا", "من يستبدل عدادي المكسور؟"),
        "ru": ("Счётчик заменяют бесплатно", "кто заменит счетчик"),
        "ko": ("수도 계량기는 무료로 교체됩니다", "계량기 교체 비용"),
    }
    for lang, (text, question) in shelves.items():
        index = index_of(document("shelf", lang, "-", text, "123"))
        best = retrieve(question, index, threshold=0.1, candidates=1, lang=lang, scorer="evidence").candidates
        assert [candidate.passage.ordinal for candidate in best] == [1], lang


def test_the_lead_over_other_documents_counts_only_where_there_are_passages_enough() -> None:
    few = [
        document(f"d{i}", "en", "Notice", f"Number {i} tells of amber.", "Nothing else.") for i in range(4)
    ]
    many = [
        document(f"d{i}", "en", "Notice", f"Number {i} tells of amber.", "Nothing else.")
        for i in range(ENOUGH)
    ]
    without, with_lead = (
        retrieve("amber number", index_of(*some), threshold=0.1, candidates=3, scorer="evidence")
        for some in (few, many)
    )
    assert "margin" not in dict(without.candidates[0].shares)
    best = dict(with_lead.candidates[0].shares)
    assert best["margin"] < 0
    assert (
        with_lead.candidates[0].score
        <= (1 - MARGIN) * sum(v for k, v in best.items() if k != "margin") + 1e-6
    )


def test_ties_go_to_the_passage_whose_id_is_first() -> None:
    twins = document("w", "en", "One", "Same amber.", "Same amber.")
    ids = [
        c.passage.passage_id
        for c in retrieve("amber", index_of(twins), threshold=0.1, candidates=2).candidates
    ]
    assert ids == sorted(ids)


def test_bad_questions_have_an_answer() -> None:
    for question in ("", " ", "\x00\ud800", "?" * 1000, "1 2 3", "中" * 500, "a" * 5000, "word " * 4000):
        trace = retrieve(question, SMALL, threshold=0.1, candidates=3, scorer="evidence")
        assert all(0 <= candidate.score <= 1 for candidate in trace.candidates)


def test_the_trace_says_what_a_score_is_made_of() -> None:
    trace = retrieve("cracked meter", index_of(WATER_EN), threshold=0.1, candidates=1, scorer="evidence")
    best = trace.candidates[0]
    assert [name for name, _ in best.shares] == ["word", "stem", "gram", "pair", "sentence", "document"]
    assert best.matched == ("crack",)
    assert grams("ab") == ["_ab_"]
