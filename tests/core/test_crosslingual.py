"""Questions in one language against passages in another: the score, alignment, traces and the wire."""

import json
import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from builder import near_miss
from cairn_core import across
from cairn_core.analysis import words
from cairn_core.bridge import Session
from cairn_core.calibration import Calibration
from cairn_core.config import Config
from cairn_core.crosslingual import FIELDS, UNTRANSLATED, WEIGHTS, Crosswalk, score, skeleton
from cairn_core.engine import ask
from cairn_core.errors import IndexFormatError
from cairn_core.evidence import ENOUGH, FEW, MARGIN, grammar
from cairn_core.fields import K1, B, PassageStatistics
from cairn_core.index import Index, Passage, Shard
from cairn_core.lexicon import Entries, Lexicon
from cairn_core.siblings import aligned, counterpart
from cairn_core.text import without_marks
from tests.core.small import TREES_EN, WATER_AR, WATER_EN, WATER_ES, document, index_of

LEXICON: Entries = {"ramas": {"branc": 0.9}, "torme": {"storm": 0.7, "morni": 0.2}}
GATE = Calibration(0.05, 200, 0.01, 0.005)
QUESTIONS = [
    ("¿Se recogen las ramas después de una tormenta?", "es"),
    ("¿Quién es el forestal?", "es"),
    ("ramas ramas Harbor", "es"),
    ("هل يجمعون الأغصان من هاربر 2024؟", "ar"),
    ("风暴后的树枝 Harbor", "zh"),
    ("", "es"),
]


def with_lexicon(index: Index, lang: str, other: str, entries: Entries, gate: Calibration = GATE) -> Index:
    shards = dict(index.shards)
    shards[lang] = replace(shards[lang], lexicons={other: Lexicon(entries, gate)})
    return Index.of(shards.values())


def expected(question: str, lang: str, entries: Entries, passages: list[Passage]) -> dict[int, float]:
    """Score every passage by its whole text, term by term."""
    texts = [f"{p.title} {p.section} {p.text}" for p in passages]
    asked = _words(question)
    content = [word for word in asked if word not in grammar(lang)]
    totals = dict.fromkeys(range(len(texts)), 0.0)
    for name, weight in WEIGHTS.items():
        held = [Counter(term for word in _words(text) for term in FIELDS[name](word)) for text in texts]
        mean = sum(map(Counter.total, held)) / len(held) or 1.0
        wanted: Counter[str] = Counter()
        for word in content:
            if name == "translation":
                own = FIELDS[name](word)[0]
                wanted.update(entries.get(own) or {own: UNTRANSLATED})  # type: ignore[arg-type]  # floats
            else:
                wanted.update(FIELDS[name](word))
        idf = {term: _idf(len(texts), sum(term in one for one in held)) for term in wanted}
        ideal = sum(wanted[term] * idf[term] for term in wanted)
        ideal += (len(asked) - len(content)) * _idf(len(texts), 0)
        for place, one in enumerate(held):
            norm = K1 * (1 - B + B * one.total() / mean)
            hits = [wanted[t] * idf[t] * one[t] / (one[t] + norm) for t in wanted if one[t]]
            totals[place] += weight * sum(hits) / ideal if ideal else 0.0
    return {place: total for place, total in totals.items() if total}


def _words(text: str) -> list[str]:
    return [without_marks(word) for word in words(text)]


def _idf(size: int, holders: int) -> float:
    return math.log(1 + (max(size, FEW) - holders + 0.5) / (holders + 0.5))


@pytest.mark.parametrize(("question", "lang"), QUESTIONS)
def test_the_score_is_that_of_the_definition(question: str, lang: str) -> None:
    passages = [*WATER_EN, *TREES_EN, *document("harbor", "en", "Harbor", "Harbor storms of 2024.")]
    found = score(question, lang, LEXICON, Crosswalk(PassageStatistics(passages)))
    naive = expected(question, lang, LEXICON, passages)
    assert {one.place: pytest.approx(one.score) for one in found} == naive
    assert all(sum(share for _, share in one.shares) == pytest.approx(one.score) for one in found)


def test_from_forty_passages_on_the_lead_over_other_documents_counts() -> None:
    one = document("branches", "en", "One", "Branches after the storm.")
    two = document("stray", "en", "Two", "A storm of letters.")
    rest = document("rest", "en", "Rest", *(f"Notice {number} about taxes." for number in range(ENOUGH)))
    found = score("ramas tormenta", "es", LEXICON, Crosswalk(PassageStatistics([*one, *two, *rest])))
    shares = {hit.place: dict(hit.shares) for hit in found}
    plain = {place: sum(own.values()) - own["margin"] for place, own in shares.items()}
    assert found[0].place == 0
    assert found[0].score == pytest.approx(plain[0] - MARGIN * plain[1])


def test_function_words_find_nothing_and_lower_the_rest() -> None:
    passages = Crosswalk(PassageStatistics([*WATER_EN, *TREES_EN]))
    assert not score("¿Qué es de la?", "es", {"que": {"storm": 1.0}}, passages)
    bare = score("tormenta", "es", LEXICON, passages)[0]
    assert score("¿y de la tormenta?", "es", LEXICON, passages)[0].score < bare.score


@pytest.mark.parametrize(
    ("one", "other"),
    [("كاليفورنيا", "california"), ("فلوريدا", "florida"), ("калифорния", "california"), ("ברלין", "berlin")],
)
def test_a_name_has_one_skeleton_in_every_script(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other) != ""


@pytest.mark.parametrize("word", ["de", "aa", "他们", "في", ""])
def test_too_few_consonants_are_no_skeleton(word: str) -> None:
    assert skeleton(word) == ""


def test_translations_of_one_form_are_aligned_passage_by_passage() -> None:
    assert [(one[0].ordinal, other[0].ordinal) for one, other in aligned(WATER_EN, WATER_ES)] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    assert counterpart(WATER_EN[1], WATER_EN, WATER_ES) == WATER_ES[1]


def test_a_section_of_another_form_is_aligned_as_a_whole_and_quoted_nowhere() -> None:
    shorter = WATER_ES[:2]
    assert [(len(ours), len(theirs)) for ours, theirs in aligned(WATER_EN, shorter)] == [(3, 2)]
    assert counterpart(WATER_EN[1], WATER_EN, shorter) is None


def test_translations_with_other_sections_are_not_aligned() -> None:
    moved = [WATER_ES[0], replace(WATER_ES[1], section="Lectura"), WATER_ES[2]]
    assert aligned(WATER_EN, moved) == []
    assert counterpart(WATER_EN[0], WATER_EN, moved) is None


def config(**settings: Any) -> Config:
    gates = {lang: Calibration(0.3, 200, 0.01, 0.0) for lang in ("ar", "en", "es")}
    return Config(scorer="evidence", calibration=gates, **settings)


def test_a_question_is_answered_from_a_document_its_language_lacks() -> None:
    index = with_lexicon(index_of(WATER_ES, WATER_EN, TREES_EN), "es", "en", LEXICON)
    result = ask("¿Recogen las ramas tras la tormenta?", index, config(), lang="es")
    assert result.answer.sources[0].source_id == "trees-en#1"
    assert result.answer.notice == (
        "Este fragmento está en inglés. Aquí no existe ese documento en español. "
        "Se encontró comparando palabras entre idiomas, lo que es menos seguro."
    )
    trace = result.attempts[-1]
    assert (trace.basis, trace.threshold) == (across.CORRESPONDENCE, GATE.threshold)
    assert trace.candidates[0].matched == ("branc", "morni", "storm")


def test_the_page_is_told_the_gate_of_what_was_found_across_languages() -> None:
    learnt = with_lexicon(index_of(WATER_ES, WATER_EN, TREES_EN), "es", "en", LEXICON)
    translated = index_of(WATER_EN, WATER_ES, WATER_AR, TREES_EN)
    gates = []
    for index, question in (
        (learnt, "¿Recogen las ramas tras la tormenta?"),
        (translated, "Is a cracked meter replaced without charge?"),
    ):
        request = json.dumps({"question": question, "lang": "es", "interface": None})
        trace = json.loads(Session(index, config(), "").ask(request))["trace"]
        assert trace["basis"]
        gates.append(trace["calibration"])
        assert trace["calibration"]["threshold"] == trace["threshold"]
    assert gates == [GATE.to_json(), config().calibration["en"].to_json()]


def test_strict_mode_searches_by_no_lexicon() -> None:
    index = with_lexicon(index_of(WATER_ES, WATER_EN, TREES_EN), "es", "en", LEXICON)
    strict = config(near_miss=near_miss.shipped())
    result = ask("¿Recogen las ramas tras la tormenta?", index, strict, lang="es")
    assert result.answer.kind == "refusal"
    assert across.CORRESPONDENCE not in {trace.basis for trace in result.attempts}


def test_each_pair_of_languages_has_its_own_gate() -> None:
    strict = Calibration(0.99, 200, 0.01, 0.0)
    index = with_lexicon(index_of(WATER_ES, WATER_EN, TREES_EN), "es", "en", LEXICON, strict)
    assert ask("¿Recogen las ramas tras la tormenta?", index, config(), lang="es").answer.kind == "refusal"


def test_a_lexicon_leads_to_no_document_that_exists_in_the_askers_language() -> None:
    index = with_lexicon(index_of(WATER_ES, WATER_EN, TREES_EN), "es", "en", {"grieta": {"crack": 1.0}})
    found = across.search("grieta cracked meter", index, "es", "en", 8)
    assert {candidate.passage.doc_id for candidate in found.candidates} <= {"trees-en"}


def test_without_a_lexicon_or_with_the_contracts_scorer_nothing_is_searched_across() -> None:
    plain = index_of(WATER_ES, WATER_EN, TREES_EN)
    question = "¿Recogen las ramas tras la tormenta?"
    assert ask(question, plain, config(), lang="es").answer.kind == "refusal"
    learnt = with_lexicon(plain, "es", "en", LEXICON)
    contract = [ask(question, index, Config(), lang="es") for index in (plain, learnt)]
    assert contract[0].answer == contract[1].answer


def test_what_is_found_in_another_language_is_quoted_from_its_translation() -> None:
    index = index_of(WATER_EN, WATER_ES, WATER_AR, TREES_EN)
    result = ask("Is a cracked meter replaced without charge?", index, config(), lang="es")
    found, translated = result.attempts[-2:]
    assert found.candidates[0].passage == WATER_EN[0]
    assert translated.basis == "translation of water-en#1"
    assert translated.candidates[0].score == found.candidates[0].score
    assert [source.source_id for source in result.answer.sources] == ["water-es#1"]
    assert result.answer.notice == "Este fragmento se encontró a través de su traducción en inglés."


def test_a_passage_without_a_certain_translation_is_quoted_as_it_is() -> None:
    index = index_of(WATER_EN, WATER_ES[:2], TREES_EN)
    result = ask("Is a cracked meter replaced without charge?", index, config(), lang="es")
    assert [source.source_id for source in result.answer.sources] == ["water-en#1"]


def test_a_lexicon_is_read_as_it_was_written() -> None:
    shard = with_lexicon(index_of(WATER_ES, TREES_EN), "es", "en", LEXICON).shards["es"]
    assert Shard.from_json(shard.to_json("b")).lexicons == shard.lexicons
    written = json.loads(shard.to_json())["lexicons"]["en"]["entries"]
    assert written == {"ramas": ["branc", 900], "torme": ["storm", 700, "morni", 200]}


@pytest.mark.parametrize(
    ("lexicons", "named"),
    [
        (None, "index.lexicons"),
        ({"en": []}, "index.lexicons.en"),
        ({"en": {"entries": {}, "calibration": {}}}, "index.lexicons.en.calibration"),
        ({"en": {"entries": {"a": ["b"]}}}, "index.lexicons.en.entries.a"),
        ({"en": {"entries": {"a": ["b", 1001]}}}, "index.lexicons.en.entries.a"),
        ({"en": {"entries": {"a": ["b", True]}}}, "index.lexicons.en.entries.a"),
        ({"en": {"entries": {"a": ["", 5]}}}, "index.lexicons.en.entries.a"),
        ({"en": {"entries": {"a": ["b", 1] * 6}}}, "index.lexicons.en.entries.a"),
    ],
)
def test_a_damaged_lexicon_names_its_field(lexicons: object, named: str) -> None:
    plain = json.loads(index_of(WATER_ES).shards["es"].to_json("b"))
    plain["lexicons"] = lexicons
    with pytest.raises(IndexFormatError) as caught:
        Shard.from_json(json.dumps(plain))
    assert caught.value.location == named
