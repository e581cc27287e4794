"""What every message catalogue must hold; that its keys are the used ones is tested with the sources."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn_core import language
from cairn_core.language import (
    BEGUN_LANGUAGES,
    INTERFACE_LANGUAGES,
    Catalogue,
    catalogue,
    direction,
    endonym,
    has_catalogue,
)

LOCALES = Path(language.__file__).parent / "locales"
LANGUAGES = (*INTERFACE_LANGUAGES, *BEGUN_LANGUAGES)
FOREIGN = [lang for lang in LANGUAGES if lang != "en"]

SAME_IN_ENGLISH = frozenset({"list.separator", "date.pattern"})
"""Keys whose text is punctuation and placeholders, and may be the same in two languages."""
SAME_WORDS = {"fr": frozenset({"keyboard.apostrophe", "doc.source", "ask.documents", "contents.count"})}
"""Keys whose words a language writes as English does."""
JOINERS = "\u200c"
"""Persian writes it between the parts of a word."""


STATES = {
    "not ready": ("ask.queued", "boot.unpacking", "boot.starting", "boot.reading"),
    "slow": ("boot.slow",),
    "WebAssembly off": ("error.wasm",),
    "damaged": ("error.damaged", "error.missing"),
    "mixed builds": ("error.mixed",),
    "too long": ("error.too_long", "ask.cut"),
    "empty": ("error.empty",),
    "no answer": ("refusal.heading", "refusal.text", "refusal.status"),
    "other language": ("notice.gap", "notice.translation", "notice.several"),
    "stale translation": ("doc.outdated",),
    "crashed and recovered": ("error.crashed", "error.restarted"),
    "idle": ("kiosk.idle", "kiosk.idle_text", "kiosk.left", "kiosk.more"),
}
"""States a reader can find the page in -> what it says; each is a test of its own with the page."""


def forms(lang: str) -> Iterator[tuple[str, str]]:
    """Every text of a catalogue with its key, plural forms one by one."""
    for key, message in catalogue(lang).messages.items():
        if isinstance(message, str):
            yield key, message
        else:
            yield from ((key, text) for text in message.values())


def letters(text: str) -> str:
    """The letters of a text, placeholders and names of techniques and keys left out."""
    bare = re.sub(r"\{\w+\}|JavaScript|WebAssembly|Enter|Shift", "", text)
    return "".join(char for char in bare if char.isalpha())


def test_each_interface_language_has_a_file_and_each_file_is_one() -> None:
    assert {path.stem for path in LOCALES.glob("*.json")} == {*LANGUAGES, "languages"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_catalogue_states_what_it_is(lang: str) -> None:
    own = catalogue(lang)
    assert own.code == lang
    assert own.endonym
    assert own.direction in {"ltr", "rtl"}
    assert own.state == ("complete" if lang in INTERFACE_LANGUAGES else "begun")
    assert re.match(r"\d{4}-\d\d-\d\d, by ", own.reviewed)


@pytest.mark.parametrize("lang", INTERFACE_LANGUAGES)
def test_a_complete_catalogue_lacks_nothing_and_knows_the_words_of_its_grammar(lang: str) -> None:
    assert catalogue(lang).lacking == ()
    assert catalogue(lang).function_words


@pytest.mark.parametrize("lang", BEGUN_LANGUAGES)
def test_a_begun_catalogue_has_no_say_in_how_questions_are_read(lang: str) -> None:
    assert not has_catalogue(lang)
    assert not catalogue(lang).function_words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_counted_messages_have_exactly_the_plural_forms_of_the_language(lang: str) -> None:
    own = catalogue(lang)
    expected = {*own.plural, "other"}
    counted = {key: set(m) for key, m in own.messages.items() if not isinstance(m, str)}
    assert {key: found for key, found in counted.items() if found != expected} == {}


@pytest.mark.parametrize("lang", FOREIGN)
def test_no_message_is_left_in_english(lang: str) -> None:
    english = catalogue("en").messages
    same = {key for key, message in catalogue(lang).messages.items() if message == english[key]}
    assert same <= SAME_IN_ENGLISH | SAME_WORDS.get(lang, frozenset())


@pytest.mark.parametrize(
    ("lang", "script"), [("ar", "ARABIC"), ("fa", "ARABIC"), ("ru", "CYRILLIC"), ("zh", "CJK")]
)
def test_messages_are_in_the_script_of_their_language(lang: str, script: str) -> None:
    foreign = {
        key: text
        for key, text in forms(lang)
        if any(not unicodedata.name(char).startswith(script) for char in letters(text))
    }
    assert foreign == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_messages_hold_no_invisible_characters_and_no_stray_spaces(lang: str) -> None:
    odd = {
        key: text
        for key, text in forms(lang)
        if (text != text.strip() and key != "list.separator")
        or any(unicodedata.category(char) in {"Cc", "Cf"} and char not in JOINERS for char in text)
        or unicodedata.normalize("NFC", text) != text
    }
    assert odd == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_says_that_no_document_answers_and_whom_to_call(lang: str) -> None:
    own = catalogue(lang)
    assert own.text("refusal.text", contact="555-0199").endswith("555-0199")
    assert letters(own.text("refusal.heading"))[:6] in letters(own.text("refusal.text", contact=""))


@pytest.mark.parametrize("lang", INTERFACE_LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_a_state_the_page_can_be_in_has_words_in_every_complete_language(state: str, lang: str) -> None:
    own = catalogue(lang).messages
    assert all(own[key] for key in STATES[state])


def test_a_language_without_a_catalogue_gets_the_english_one_and_can_see_it() -> None:
    assert catalogue("ps").code == "en"
    assert catalogue("zh-hans").code == "zh"
    assert catalogue("fr-ca").code == "fr"


def test_an_unknown_key_and_a_missing_placeholder_are_errors() -> None:
    english = catalogue("en")
    with pytest.raises(KeyError):
        english.text("refusal.nothing")
    with pytest.raises(KeyError):
        english.text("refusal.text")
    with pytest.raises(KeyError):
        english.text("ask.documents")
    with pytest.raises(KeyError):
        english.count("ask.heading", 2)


def test_braces_in_a_contact_are_left_alone() -> None:
    assert "{contact} {0}" in catalogue("en").text("refusal.text", contact="{contact} {0}")


# Examples from the CLDR plural rules chart.
@pytest.mark.parametrize(
    ("lang", "number", "form"),
    [
        ("en", 0, "other"),
        ("en", 1, "one"),
        ("en", 2, "other"),
        ("es", 1, "one"),
        ("es", 7, "other"),
        ("es", 1_000_000, "many"),
        ("ar", 0, "zero"),
        ("ar", 1, "one"),
        ("ar", 2, "two"),
        ("ar", 3, "few"),
        ("ar", 10, "few"),
        ("ar", 11, "many"),
        ("ar", 99, "many"),
        ("ar", 100, "other"),
        ("ar", 102, "other"),
        ("ar", 103, "few"),
        ("zh", 1, "other"),
        ("fa", 0, "one"),
        ("fa", 1, "one"),
        ("fa", 2, "other"),
        ("fr", 0, "one"),
        ("fr", 1, "one"),
        ("fr", 2, "other"),
        ("fr", 1_000_000, "many"),
        ("ht", 1, "other"),
        ("ru", 1, "one"),
        ("ru", 21, "one"),
        ("ru", 11, "many"),
        ("ru", 2, "few"),
        ("ru", 22, "few"),
        ("ru", 12, "many"),
        ("ru", 14, "many"),
        ("ru", 0, "many"),
        ("ru", 5, "many"),
        ("ru", 111, "many"),
        ("so", 0, "other"),
        ("so", 1, "one"),
        ("vi", 1, "other"),
    ],
)
def test_the_plural_form_of(lang: str, number: int, form: str) -> None:
    own = catalogue(lang)
    expected = own.messages["ask.documents"]
    assert not isinstance(expected, str)
    assert own.count("ask.documents", number) == expected[form].format(count=number)


@pytest.mark.parametrize(
    ("lang", "written"),
    [
        ("en", "3 May 2026"),
        ("es", "3 de mayo de 2026"),
        ("ar", "3 مايو 2026"),
        ("zh", "2026年5月3日"),
        ("fr", "3 mai 2026"),
        ("ru", "3 мая 2026 г."),
        ("vi", "3 tháng 5, 2026"),
    ],
)
def test_a_date_is_written_as_the_language_writes_it(lang: str, written: str) -> None:
    assert catalogue(lang).date("2026-05-03") == written


def test_every_month_of_every_language_has_a_name_of_its_own() -> None:
    for lang in LANGUAGES:
        assert len({catalogue(lang).text(f"date.month.{month}") for month in range(1, 13)}) == 12


def test_names_and_directions_of_other_languages_come_from_one_file() -> None:
    others: dict[str, list[str]] = json.loads((LOCALES / "languages.json").read_text(encoding="utf-8"))
    assert list(others) == sorted(others)
    assert not set(others) & set(LANGUAGES)
    for lang, (name, way) in others.items():
        assert (endonym(lang), direction(lang)) == (name, way)


@pytest.mark.parametrize(
    ("lang", "way"),
    [
        ("ar", "rtl"),
        ("fa", "rtl"),
        ("ur", "rtl"),
        ("he", "rtl"),
        ("en", "ltr"),
        ("zh-hans", "ltr"),
        ("xx", "ltr"),
    ],
)
def test_the_direction_of(lang: str, way: str) -> None:
    assert direction(lang) == way


def test_a_language_is_named_in_the_readers_language_or_by_itself() -> None:
    spanish: Catalogue = catalogue("es")
    assert spanish.language_name("ar") == "árabe"
    assert spanish.language_name("fr") == "francés"
    assert spanish.language_name("ko") == "한국어"
    assert spanish.language_name("xx") == "xx"
