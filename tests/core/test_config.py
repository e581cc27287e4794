"""Settings: bounds, types, contacts, and the JSON they travel in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn_core.config import DEMO_CONTACT, DEMO_CONTACTS, Config
from cairn_core.errors import CairnError, ConfigError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threshold", 0.0),
        ("threshold", -0.1),
        ("threshold", 1.5),
        ("threshold", float("nan")),
        ("threshold", float("inf")),
        ("threshold", "0.2"),
        ("threshold", True),
        ("threshold", None),
        ("candidates", 0),
        ("candidates", 2.0),
        ("candidates", True),
        ("max_passages", 0),
        ("max_passages", -1),
        ("max_passages", 1.5),
        ("max_passages", True),
        ("max_passages", "1"),
        ("default_lang", ""),
        ("default_lang", "English"),
        ("default_lang", "-US"),
        ("default_lang", None),
        ("cross_language_fallback", 1),
        ("cross_language_fallback", "yes"),
        ("contact", ""),
        ("contact", "  \t"),
        ("contact", "call\n555-0199"),
        ("contact", "call \u202e555-0199"),
        ("contact", "x" * 501),
        ("contact", 5550199),
        ("contact_by_language", {"en": ""}),
        ("contact_by_language", {"English": "555-0199"}),
        ("contact_by_language", {5: "555-0199"}),
        ("contact_by_language", "555-0199"),
    ],
)
def test_a_setting_of_a_wrong_type_or_out_of_bounds_is_refused(name: str, value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        Config(**{name: value})  # type: ignore[arg-type]  # the point of the test
    assert name in caught.value.location


@pytest.mark.parametrize("threshold", [1, 1.0, 0.99, 1e-9])
def test_every_threshold_above_nothing_and_up_to_one_is_a_setting(threshold: float) -> None:
    assert Config(threshold=threshold).threshold == float(threshold)


def test_a_whole_number_threshold_is_written_as_the_fraction_it_is() -> None:
    assert json.dumps(Config(threshold=1).to_json()["threshold"]) == "1.0"


def test_without_contacts_readers_are_sent_to_the_demo_line_of_their_language() -> None:
    config = Config()
    assert {lang: config.contact_for(lang) for lang in DEMO_CONTACTS} == dict(DEMO_CONTACTS)
    assert config.contact_for("zh") == DEMO_CONTACT
    assert config.contact_is_demo


def test_one_contact_of_the_operator_serves_every_language() -> None:
    config = Config(contact="the front desk")
    assert {config.contact_for(lang) for lang in ("en", "es", "ar", "zh")} == {"the front desk"}
    assert not config.contact_is_demo


def test_a_table_without_a_general_contact_never_leaves_a_demo_line_in_place() -> None:
    config = Config(contact_by_language={"es": "ventanilla 3", "en": "desk 3"})
    assert config.contact_for("es") == "ventanilla 3"
    assert config.contact_for("ar") == config.contact == "desk 3"


def test_a_table_without_the_default_language_falls_back_to_its_first_line() -> None:
    assert Config(contact_by_language={"es": "ventanilla 3"}).contact_for("en") == "ventanilla 3"


@pytest.mark.parametrize(
    ("contact", "table", "named"),
    [
        ("desk 3", {"en": "desk 3", "es": DEMO_CONTACTS["es"]}, "contact_by_language.es"),
        (DEMO_CONTACT, {"en": DEMO_CONTACT, "es": "ventanilla 3"}, "contact"),
    ],
)
def test_a_demo_line_beside_a_line_of_the_operator_is_refused(
    contact: str, table: dict[str, str], named: str
) -> None:
    with pytest.raises(ConfigError, match="demonstration") as caught:
        Config(contact=contact, contact_by_language=table)
    assert caught.value.location == named


def test_a_language_with_a_script_uses_the_contact_of_its_primary_subtag() -> None:
    config = Config(contact="desk 3", contact_by_language={"zh": "三号窗口", "zh-hant": "三號窗口"})
    assert config.contact_for("zh-hans") == "三号窗口"
    assert config.contact_for("zh-hant") == "三號窗口"


def test_the_table_of_contacts_cannot_be_changed_afterwards() -> None:
    table = {"en": "desk 3"}
    config = Config(contact="desk 1", contact_by_language=table)
    table["es"] = "ventanilla 3"
    assert dict(config.contact_by_language) == {"en": "desk 3"}


@given(
    threshold=st.floats(min_value=1e-6, max_value=1),
    candidates=st.integers(min_value=1, max_value=99),
    max_passages=st.integers(min_value=1, max_value=9),
    fallback=st.booleans(),
    contact=st.sampled_from(["the front desk", "اسأل 555-0199", "窗口 3", DEMO_CONTACT]),
    table=st.dictionaries(st.sampled_from(["en", "es", "ar"]), st.sampled_from(["555-0199", "desk"])),
)
def test_settings_survive_the_journey_through_json(
    threshold: float,
    candidates: int,
    max_passages: int,
    fallback: bool,
    contact: str,
    table: dict[str, str],
) -> None:
    config = Config(
        threshold=threshold,
        candidates=candidates,
        max_passages=max_passages,
        cross_language_fallback=fallback,
        contact=contact,
        contact_by_language=table,
    )
    assert Config.from_json(json.loads(json.dumps(config.to_json()))) == config


@pytest.mark.parametrize(
    ("plain", "named"),
    [
        ([], "table"),
        ({**Config().to_json(), "treshold": 0.5}, "treshold"),
        ({key: value for key, value in Config().to_json().items() if key != "contact"}, "contact"),
        ({**Config().to_json(), "candidates": "8"}, "candidates"),
    ],
)
def test_damaged_settings_are_refused_by_name(plain: object, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        Config.from_json(plain)


def test_an_error_says_where_what_and_what_to_do_in_one_line() -> None:
    error = CairnError('id "x y" is not a document id', "use letters, digits, - and _", "a.en.md:2:1")
    assert str(error) == 'a.en.md:2:1: id "x y" is not a document id (use letters, digits, - and _)'
    assert str(CairnError("the corpus is empty")) == "the corpus is empty"


def test_a_wrong_setting_is_a_value_error_too() -> None:
    assert issubclass(ConfigError, ValueError)
