"""Which document a file is: front matter first, then the path."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.corpus import Document, load
from builder.identity import mixed_script_word
from builder.languages import normal
from builder.project import load_project

type Write = Callable[..., Path]

TOML_PAGE = (
    "+++\nstate_name = 'Alaska'\nkey = 'Alaska'\ndue = '''Ten days.\n\nOr less.'''\nflag = true\n+++\n"
)
MAPPED = """
[fields]
title = "state_name"
family = "key"
[[fields.passage]]
field = "due"
heading.en = "Deadline"
heading.es = "Fecha límite"
"""


@pytest.fixture
def documents(write: Write) -> Callable[..., list[Document]]:
    """Return a function that loads the documents of a corpus."""
    return lambda given, toml="": list(load(load_project(write(given, toml))).documents)


type Documents = Callable[..., list[Document]]


@pytest.mark.parametrize(
    ("path", "doc_id", "lang", "family"),
    [
        ("library-card.en.md", "library-card-en", "en", "library-card"),
        ("library-card.zh-hans.md", "library-card-zh-hans", "zh-hans", "library-card"),
        ("en/register/ca.md", "register-ca-en", "en", "register-ca"),
        ("zh-hans/register/ca.md", "register-ca-zh-hans", "zh-hans", "register-ca"),
        ("faq/card.es.md", "faq-card-es", "es", "faq-card"),
        ("es/card.en.md", "es-card-en", "en", "es-card"),
        ("v1.2.en.md", "v1.2-en", "en", "v1.2"),
        ("7.en.md", "d-7-en", "en", "7"),
    ],
)
def test_the_path_gives_what_front_matter_does_not(
    documents: Documents, path: str, doc_id: str, lang: str, family: str
) -> None:
    (document,) = documents({path: "---\ntitle: T\n---\nText.\n"})
    assert (document.doc_id, document.lang, document.family) == (doc_id, lang, family)


@pytest.mark.parametrize("path", ["[.en.md", "بطاقة.ar.md", "a b.en.md", "….en.md"])
def test_a_name_no_id_can_hold_gets_a_hash_of_it(documents: Documents, path: str) -> None:
    (document,) = documents({path: "---\ntitle: T\n---\nText.\n"})
    assert document.doc_id.isascii()
    assert document.family == path.rsplit(".", 2)[0]


def test_front_matter_wins_over_the_path(documents: Documents) -> None:
    front = (
        "---\nid: x\ntitle: T\nlang: pt-BR\nfamily: f\nsynthetic: true\nreviewed: 2026-02-28\n---\nText.\n"
    )
    (document,) = documents({"a.en.md": front})
    assert (document.doc_id, document.lang, document.family) == ("x", "pt-br", "f")
    assert document.synthetic
    assert document.reviewed == "2026-02-28"


@pytest.mark.parametrize(
    "value", ["NO", "0555", "1.10", "12:30:00", "~", "[a, b]", "A: B", "# x", "حد: أقصى", "null", "{{ x }}"]
)
def test_a_value_is_text_as_it_was_written(documents: Documents, value: str) -> None:
    (document,) = documents({"a.en.md": f"---\ntitle: {value}\n---\nText.\n"})
    assert document.title == value


def test_the_first_heading_is_the_title_when_front_matter_has_none(documents: Documents) -> None:
    (document,) = documents({"a.en.md": "---\nlang: en\n---\nIntro.\n\nThe *new*\nform\n===\n\nText.\n"})
    assert document.title == "The new form"


def test_a_hash_in_code_is_no_title(documents: Documents) -> None:
    (document,) = documents({"a.en.md": "---\nlang: en\n---\n```\n# step\n```\n\n# Real\n\nText.\n"})
    assert document.title == "Real"


def test_mapped_fields_give_title_family_and_sections(documents: Documents) -> None:
    found = documents({"en/ak.md": TOML_PAGE, "es/alaska.md": TOML_PAGE}, MAPPED)
    assert [(one.title, one.family, one.doc_id) for one in found] == [
        ("Alaska", "Alaska", "ak-en"),
        ("Alaska", "Alaska", "alaska-es"),
    ]
    assert [one.sections[0].heading for one in found] == ["Deadline", "Fecha límite"]
    assert found[0].sections[0].text == "Ten days.\n\nOr less."
    assert found[0].sections[0].line == 4


def test_a_heading_of_another_language_is_marked_as_such(documents: Documents) -> None:
    (document,) = documents({"ar/ak.md": TOML_PAGE}, MAPPED)
    assert (document.sections[0].heading, document.sections[0].heading_lang) == ("Deadline", "en")


def test_simplified_and_other_chinese_are_different_languages(documents: Documents) -> None:
    page = "---\ntitle: T\n---\n文本。\n"
    found = documents({"zh/a.md": page, "zh-hans/a.md": page})
    assert sorted(one.lang for one in found) == ["zh", "zh-hans"]


def test_where_a_site_lists_its_languages_only_those_are_folders(documents: Documents) -> None:
    page = "---\ntitle: T\n---\nText.\n"
    found = documents({"ypk/a.md": page, "en/b.md": page}, '[site]\nlanguages = ["en", "ypk"]\n')
    assert [(one.doc_id, one.lang) for one in found] == [("b-en", "en"), ("a-ypk", "ypk")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("EN", "en"),
        ("zh-Hans", "zh-hans"),
        ("zh_Hant_TW", "zh-hant-tw"),
        ("es-419", "es-419"),
        ("ypk", "ypk"),
        ("xx", None),
        ("english", None),
        ("", None),
        ("-US", None),
        ("e", None),
        ("en-", None),
        ("en\u202e", None),
    ],
)
def test_a_language_code_has_one_spelling(code: str, expected: str | None) -> None:
    assert normal(code) == expected


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("Bоnus", "Bоnus"),
        ("Ayuda для вас", None),
        ("Αθήνα", None),
        ("日本語とカナ", None),
        ("COVID-19 и вы", None),
    ],
)
def test_only_a_word_of_two_scripts_is_suspect(title: str, word: str | None) -> None:
    assert mixed_script_word(title) == word


def test_windows_line_ends_and_a_byte_order_mark_change_no_document(documents: Documents) -> None:
    (document,) = documents({"a.en.md": "\ufeff---\r\ntitle: T\r\n---\r\nOne\r\ntwo.\r\n"})
    assert (document.title, document.body, document.body_line) == ("T", "One\ntwo.\n", 4)
