"""A question from end to end: language, search, notice, refusal, bounds."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.config import Config
from cairn_core.engine import MAX_QUESTION, ask
from cairn_core.errors import ConfigError, IndexFormatError
from cairn_core.index import Index
from cairn_core.passage import Passage
from tests.core.small import SMALL, TREES_EN, WATER_AR, WATER_EN, WATER_ES, document, index_of

CONFIG = Config(
    contact="the water desk, 555-0199",
    contact_by_language={"es": "la ventanilla de agua, 555-0199", "ar": "شباك المياه، 555-0199"},
)


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("Is a cracked meter replaced without charge?", "water-en#1"),
        ("¿Se sustituye gratis un contador roto?", "water-es#1"),
        ("هل يُستبدل العداد المكسور مجانًا؟", "water-ar#1"),
        ("se sustituye gratis un CONTADOR roto", "water-es#1"),
        ("Are fallen branches collected after a storm عاصفة?", "trees-en#1"),
    ],
)
def test_a_question_is_answered_from_the_documents_of_its_language(question: str, source: str) -> None:
    result = ask(question, SMALL, CONFIG)
    assert [one.source_id for one in result.answer.sources] == [source]
    assert result.answer.notice is None
    assert result.answer.trace is result.attempts[-1]


@pytest.mark.parametrize(
    ("question", "lang", "contact"),
    [
        ("Do elephants sleep?", "en", "the water desk"),
        ("¿Duermen los elefantes?", "es", "la ventanilla de agua"),
        ("هل تنام الفيلة؟", "ar", "شباك المياه"),
        ("大象睡觉吗？", "zh", "the water desk"),
    ],
)
def test_a_refusal_speaks_the_askers_language_and_names_a_human(
    question: str, lang: str, contact: str
) -> None:
    answer = ask(question, SMALL, CONFIG).answer
    assert (answer.kind, answer.lang, answer.sources, answer.notice) == ("refusal", lang, (), None)
    assert contact in answer.text
    assert "555-0142" not in answer.text


def test_a_foreign_quotation_of_a_translated_document_says_that_the_translation_exists() -> None:
    answer = ask("cracked meter replaced charge", SMALL, CONFIG, lang="es").answer
    assert [source.source_id for source in answer.sources] == ["water-en#1"]
    assert answer.lang == "es"
    assert answer.notice == (
        "Este fragmento está en inglés. El mismo documento existe en español; el enlace está más abajo."
    )


def test_a_foreign_quotation_of_an_untranslated_document_says_that_there_is_no_translation() -> None:
    answer = ask("fallen branches storm", SMALL, CONFIG, lang="ar").answer
    assert [source.source_id for source in answer.sources] == ["trees-en#1"]
    assert answer.notice == "هذا المقطع باللغة الإنجليزية. لا تتوفر وثيقته هنا باللغة العربية."


def test_several_foreign_quotations_name_every_language_once() -> None:
    index = index_of(
        document("x", "en", "Xylophone", "The xylophone workshop, room one."),
        document("y", "es", "Xylophone", "El taller de xylophone, sala dos."),
        document("z", "ar", "أخبار", "لا شيء جديد."),
    )
    answer = ask("xylophone", index, replace(CONFIG, max_passages=2), lang="ar").answer
    assert {source.lang for source in answer.sources} == {"en", "es"}
    assert answer.notice is not None
    assert answer.notice.count("الإنجليزية") == answer.notice.count("الإسبانية") == 1


def test_without_fallback_only_the_askers_language_is_searched() -> None:
    strict = replace(CONFIG, cross_language_fallback=False)
    result = ask("cracked meter replaced charge", SMALL, strict, lang="es")
    assert result.answer.kind == "refusal"
    assert [trace.lang for trace in result.attempts] == ["es"]


def test_both_searches_are_kept_when_the_first_found_nothing() -> None:
    result = ask("cracked meter replaced charge", SMALL, CONFIG, lang="es")
    assert [trace.lang for trace in result.attempts] == ["es", None]


def test_a_title_shaped_like_a_question_is_no_evidence_for_other_questions() -> None:
    index = index_of(
        WATER_EN,
        TREES_EN,
        document("opening", "en", "When does the Pool Start?", "Swimming begins in June.", "Bring towels."),
    )
    answer = ask("When does the museum open?", index, CONFIG).answer
    assert answer.trace.grounded, "the score alone would accept it"
    assert answer.kind == "refusal"
    assert ask("When does the pool start?", index, CONFIG).answer.kind == "grounded"


def test_grammar_of_the_question_is_no_evidence_in_a_language_without_a_profile() -> None:
    index = index_of(
        WATER_EN,
        document("votes", "nv", "Virginia", "https://elections.example/how-to-register/", "Naaltsoos."),
    )
    answer = ask("How can my parrot learn to sing?", index, replace(CONFIG, threshold=0.05)).answer
    assert "how" in answer.trace.candidates[0].matched
    assert answer.kind == "refusal"


def test_the_language_of_the_page_decides_where_the_question_does_not() -> None:
    assert ask("XJ-9", SMALL, CONFIG, interface="ar").answer.lang == "ar"
    assert ask("XJ-9", SMALL, CONFIG, interface="tlh").answer.lang == "en"


def test_a_language_the_site_does_not_have_is_an_error_with_the_choices() -> None:
    with pytest.raises(ConfigError) as caught:
        ask("meter", SMALL, CONFIG, lang="fr")
    assert "ar, en, es, zh" in str(caught.value)


def test_a_chosen_language_finds_the_corpus_language_of_the_same_primary_subtag() -> None:
    index = index_of(document("w", "zh-hans", "水表", "水表损坏可免费更换。", "每年四月抄表。"))
    result = ask("水表损坏", index, CONFIG, lang="zh")
    assert (result.detection.lang, result.answer.kind, result.answer.notice) == ("zh-hans", "grounded", None)


def test_a_corpus_language_without_messages_is_answered_and_refused_in_english_words() -> None:
    index = index_of(document("w", "de", "Zähler", "Ein defekter Zähler wird ersetzt.", "Im April."))
    assert ask("Zähler defekt", index, CONFIG, lang="de").answer.notice is None
    refusal = ask("Elefant", index, CONFIG, lang="de").answer
    assert (refusal.lang, refusal.text.startswith("No document here")) == ("en", True)


@pytest.mark.parametrize(
    ("question", "cut"),
    [
        ("x" * MAX_QUESTION, False),
        ("x" * (MAX_QUESTION + 1), True),
        ("\ufdfa" * 200, True),
        ("cracked meter " * 100_000, True),
    ],
    ids=["as long as allowed", "one too long", "long once normalised", "a book"],
)
def test_a_question_is_read_up_to_its_bound_and_the_result_says_so(question: str, cut: bool) -> None:
    result = ask(question, SMALL, CONFIG)
    assert result.cut == cut
    assert len(result.answer.trace.query) <= MAX_QUESTION


def test_an_edited_passage_is_never_quoted() -> None:
    def edited(passage: Passage) -> Passage:
        return replace(passage, text=passage.text.replace("two working", "nine working"))

    shards = [replace(shard, passages=tuple(map(edited, shard.passages))) for shard in SMALL.shards.values()]
    with pytest.raises(IndexFormatError, match="water-en#1"):
        ask("cracked meter charge", Index.of(shards), CONFIG)


def held_at(index: Index) -> dict[str, Passage]:
    return {passage.passage_id: passage for passage in index.passages}


known_words = " ".join(p.text for p in (*WATER_EN, *WATER_ES, *WATER_AR, *TREES_EN)).split()
questions = st.text(max_size=40) | st.lists(st.sampled_from([*known_words, "elephant"]), max_size=12).map(
    " ".join
)


@given(
    questions,
    st.sampled_from([None, "en", "es", "ar", "zh"]),
    st.integers(min_value=1, max_value=3),
    st.floats(min_value=0.05, max_value=1),
)
def test_whatever_is_asked_the_answer_quotes_or_refuses(
    question: str, lang: str | None, max_passages: int, threshold: float
) -> None:
    config = replace(CONFIG, max_passages=max_passages, threshold=threshold)
    result = ask(question, SMALL, config, lang=lang)
    answer = result.answer
    passages = held_at(SMALL)
    assert (
        answer.text == "\n\n".join(passages[s.source_id].text for s in answer.sources) or not answer.grounded
    )
    assert "555-0199" in answer.text or answer.grounded
    assert answer == ask(question, SMALL, config, lang=lang).answer
    assert (answer.notice is not None) == any(s.lang != result.detection.lang for s in answer.sources)
