"""The stages before a verdict: envelope, markup, sentences, quotations, accepted answers, languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.judge_code import _specifics_not_in_gold, _unwrap_claim_lattice_json, judge
from bench.judging.answerkey import accepted, met
from bench.judging.evidence import source, squeezed
from bench.judging.folding import fold
from bench.judging.lexicon import LANGUAGES, detect, lexicon
from bench.judging.markup import plain
from bench.judging.quotations import quoted, verify
from bench.judging.sentences import claims, sentences
from bench.judging.tokens import tokens

EN = lexicon("en")


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        ("The **999** million", "The 999 million"),
        ("in 2007¹² and 3 doctors.[4]", "in 2007 and 3 doctors."),
        ("40 m² of [floor](https://x.example/a)", "40 m² of floor"),
        ("kept: arr[0] and [TODO]", "kept: arr[0] and [TODO]"),
        ("as shown (Smith et al., 2020).", "as shown."),
        ("- one\n- two", "one\ntwo"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n\n1 | 2"),
        ("الرسوم 25【4】", "الرسوم 25"),
        ("text [rent-help.2]", "text"),
        ("snake_case stays", "snake_case stays"),
    ],
)
def test_markup_and_citation_marks_are_taken_out(marked: str, bare: str) -> None:
    assert plain(marked).text == bare


@given(st.text(alphabet="ab *_[]()¹|-#\n1.", max_size=60))
def test_every_character_left_stands_at_its_place_in_the_original(text: str) -> None:
    found = plain(text)
    assert all(text[found.original(place)] == char for place, char in enumerate(found.text))


@given(st.text(max_size=80))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


MIXED = st.text(alphabet="aB1 .\n!?\"'’,;:-_éßاء۔؟५हि।年。七「」ก한\u200f\u00ad\u0301…", max_size=80)


@given(MIXED, st.sampled_from(["en", "vi", "ar", "zh", "th"]))
def test_the_words_of_the_sentences_of_a_text_are_the_words_of_the_text(text: str, lang: str) -> None:
    words = lexicon(lang)
    read = source(text, words)
    whole = tokens(text, words)
    assert read.tokens_of(range(len(read.sentences))) == whole
    assert [word[:2] for part in read.words for word in part] == [token[:2] for token in whole]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("A door matic opens. The Door Matic shuts. A matic door.", {1}),
        ("A door. Matic opens.", {1}),
        ("A door or a matic.", set()),
        ("A doormatic. A door matic.", {0}),
    ],
)
def test_a_compound_stands_in_the_last_sentence_that_writes_it_apart(text: str, where: set[int]) -> None:
    assert source(text, EN).sentences_of(tokens("doormatic", EN)[0]) == where


@given(MIXED)
def test_squeezed_words_have_one_space_between_them_and_no_sign(text: str) -> None:
    found = squeezed(text)
    assert found == " ".join(found.split())
    assert all(char.isalnum() or char == " " or not char.isascii() for char in found)
    assert squeezed(found) == found


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_no_text_makes_the_judge_raise(question: str, answer: str, gold: str) -> None:
    assert judge(question, answer, gold).rationale


@given(st.text(max_size=200))
def test_what_is_no_envelope_comes_back_as_it_was(text: str) -> None:
    assert _unwrap_claim_lattice_json(text) == text


@pytest.mark.parametrize(
    ("text", "count", "lang"),
    [
        ("Dr. Smith paid $3.50. He left at 5 p.m. on Monday.", 2, "en"),
        ("Am 3. Mai öffnet das Amt. Danach nicht.", 2, "de"),
        ("申请截止。请带身份证。", 2, "zh"),
        ("यह पहला वाक्य है। यह दूसरा है।", 2, "hi"),
        ("هذه جملة. وهذه أخرى؟", 2, "ar"),
        ("One\n\nTwo", 2, "en"),
    ],
)
def test_sentences_end_where_they_end(text: str, count: int, lang: str) -> None:
    assert len(sentences(text, lexicon(lang))) == count


def test_a_list_item_carries_its_lead_in() -> None:
    found = claims("Bring these:\na photo card\na form", EN)
    assert [claim.lead for claim in found] == ["Bring these:", "Bring these:"]


GOLD = source("You may not sublet the flat. Rent is due on the first day. Pets need consent.", EN)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Rent is due on the first day", "verified"),
        ("rent is due … first day", "verified"),
        ("You may … sublet the flat", "spliced"),
        ("Pets need consent … Rent is due", "spliced"),
        ("Rent is due on the last day", "altered"),
        ("The landlord lives upstairs all year", "absent"),
    ],
)
def test_a_quotation_has_its_status(text: str, status: str) -> None:
    assert verify(text, 0, len(text), [("gold", GOLD)]).status == status


def test_quotation_marks_of_many_languages_are_known() -> None:
    text = "«uno dos tres» „eins zwei drei“ “one two three” 「一二三四五六七八」"
    assert len(quoted(text)) == 4


@pytest.mark.parametrize(
    ("question", "answer", "wanted"),
    [
        ("who plays the doc", "Christopher Lloyd", "Christopher Allen Lloyd"),
        ("when did it open", "It opened in 1990.", "19 July 1990"),
        ("who wrote it", "B. R. Ambedkar wrote it.", "Bhimrao Ramji Ambedkar"),
        ("what causes it", "E.coli", "e coli"),
        ("which war", "The American Civil War.", "the American Civil War"),
        ("how many", "Twelve of them.", "12"),
        ("who", "the band Wham", "Wham!"),
    ],
)
def test_an_accepted_answer_is_met_in_another_form(question: str, answer: str, wanted: str) -> None:
    assert met(question, answer, wanted, EN)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [("December 16, 2017", "December 9, 2017"), ("Jean Dupont", "Jean Martin"), ("7", "70")],
)
def test_another_answer_is_not_met(answer: str, wanted: str) -> None:
    assert not met("who or when", answer, wanted, EN)


def test_gold_of_sentences_is_a_text_and_not_a_list_of_answers() -> None:
    assert accepted("The office opens at nine.", EN) == ()
    assert accepted("{{Infobox |post = President |since = 1996", EN) == ()
    assert accepted("AM | amplitude modulation", EN)[1:] == ("AM", "amplitude modulation")


SAMPLES = {
    "en": "The library lends books to all of the residents.",
    "es": "La biblioteca presta libros a todos los vecinos.",
    "fr": "La bibliothèque prête des livres à tous les habitants.",
    "de": "Die Bibliothek verleiht Bücher an alle Bewohner und ist offen.",
    "it": "La biblioteca presta i libri a tutti gli abitanti della città.",
    "pt": "A biblioteca empresta livros a todos os moradores e não cobra.",
    "tr": "Kütüphane herkese kitap verir ve bu hizmet için para gerekmez.",
    "vi": "Thư viện cho mượn sách và không thu tiền của người dân.",
    "so": "Maktabaddu waxay buugaag siisaa dadka oo dhan.",
    "ru": "Библиотека выдаёт книги всем жителям.",
    "ar": "تعير المكتبة الكتب لجميع السكان.",
    "fa": "کتابخانه به همه کتاب می‌دهد و این خدمت رایگان است.",
    "hi": "पुस्तकालय सभी को किताबें देता है।",
    "zh": "图书馆向所有居民借书。",
    "ja": "図書館はすべての人に本を貸します。",
    "ko": "도서관은 모두에게 책을 빌려줍니다.",
}


@pytest.mark.parametrize(("lang", "text"), SAMPLES.items(), ids=list(SAMPLES))
def test_a_language_is_told_from_its_script_and_small_words(lang: str, text: str) -> None:
    assert detect(text) == lang


def test_every_language_has_every_slot_of_abstention() -> None:
    slots = {"source", "silent", "speaker", "unknowing", "impersonal", "lead_in"}
    assert {lang: slots - set(lexicon(lang).abstention) for lang in LANGUAGES} == {
        lang: set() for lang in LANGUAGES
    }


def test_specifics_without_capitals_are_runs_that_gold_lacks() -> None:
    found = _specifics_not_in_gold("أسس المكتبة نابليون بونابرت.", "أسست المكتبة البلدية عام 1931.")
    assert found == ["نابليون", "بونابرت"]
