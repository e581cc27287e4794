"""The message catalogues: every key that is used exists, every key that exists is used."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from builder.wording import MAY_LACK
from cairn_core.language import BEGUN_LANGUAGES, ENGINE_MESSAGES, INTERFACE_LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
# builder/project.py is left out: its dotted names are those of settings.
USERS = ("cairn_core/*.py", "builder/*.py", "web/templates/**/*.html", "web/js/*.js")
LITERAL = re.compile(r"""["'`]([a-z][a-z_]*\.(?:[a-z][a-z_.]*)?)(?=["'`{$])""")
"""A key, or the beginning of one that code completes: "nav.contact", "error." + code, f"boot.{stage}"."""

HANDED_ON = re.compile(r"^[A-Z]+_MESSAGES = \(.*\)$", re.MULTILINE)
"""The groups of messages that pages hand to their scripts, which say nothing of those the scripts show."""

COMPLETED = {"boot.": "Stage", "error.": "FailureCode"}
"""Beginning of a key -> the type whose values complete it."""

FILE_NAME = re.compile(r"\.(?:html|js|json|css|svg|md|txt)\Z")


def messages(lang: str) -> Mapping[str, str | Mapping[str, str]]:
    path = ROOT / "cairn_core" / "locales" / f"{lang}.json"
    found: Mapping[str, str | Mapping[str, str]] = json.loads(path.read_text(encoding="utf-8"))["messages"]
    return found


def literals(texts: Iterable[str], groups: frozenset[str]) -> frozenset[str]:
    """Return the literals of `texts` that begin with the name of a message group."""
    found = (literal for text in texts for literal in LITERAL.findall(text) if not FILE_NAME.search(literal))
    return frozenset(literal for literal in found if literal.partition(".")[0] in groups)


def used() -> tuple[frozenset[str], frozenset[str]]:
    """Return the whole keys the sources name, and the beginnings of keys."""
    groups = frozenset(key.partition(".")[0] for key in messages("en"))
    paths = [path for pattern in USERS for path in sorted(ROOT.glob(pattern)) if path.name != "project.py"]
    found = literals((HANDED_ON.sub("", path.read_text(encoding="utf-8")) for path in paths), groups)
    return frozenset(k for k in found if k[-1] not in "._"), frozenset(k for k in found if k[-1] in "._")


def test_every_message_key_that_is_used_exists() -> None:
    keys = messages("en")
    whole, beginnings = used()
    assert sorted(key for key in whole if key not in keys) == []
    assert sorted(b for b in beginnings if not any(key.startswith(b) for key in keys)) == []


def endings(union: str) -> frozenset[str]:
    """Return the texts of a union type of the scripts."""
    types = (ROOT / "web" / "js" / "types.d.ts").read_text(encoding="utf-8")
    declared = re.search(rf"^type {union} = ([^;]*);", types, re.MULTILINE)
    assert declared
    return frozenset(re.findall(r'"(\w+)"', declared[1]))


def test_every_message_key_is_used() -> None:
    whole, beginnings = used()
    keys = messages("en")
    whole |= {f"{group}{ending}" for group, union in COMPLETED.items() for ending in endings(union)}
    open_ones = tuple(beginnings - set(COMPLETED))
    assert sorted(k for k in keys if k not in whole and not k.startswith(open_ones)) == []


def placeholders(message: str | Mapping[str, str]) -> frozenset[str]:
    forms = [message] if isinstance(message, str) else list(message.values())
    return frozenset(name for form in forms for name in re.findall(r"\{(\w+)\}", form))


def differing(lang: str) -> list[str]:
    """Return the keys of a catalogue whose placeholders are not those of the English message.

    A plural form may leave its number out: "one result" needs none.
    """
    english, own = messages("en"), messages(lang)
    return [
        key for key in own if placeholders(own[key]) - {"count"} != placeholders(english[key]) - {"count"}
    ]


@pytest.mark.parametrize("lang", INTERFACE_LANGUAGES)
def test_a_complete_catalogue_has_the_keys_and_placeholders_of_the_english_one(lang: str) -> None:
    assert list(messages(lang)) == list(messages("en"))
    assert differing(lang) == []


@pytest.mark.parametrize("lang", BEGUN_LANGUAGES)
def test_a_begun_catalogue_lacks_only_what_stands_in_pages_as_elements(lang: str) -> None:
    english, own = messages("en"), messages(lang)
    lacking = [key for key in english if key not in own]
    assert [key for key in english if key in own] == list(own)
    assert [key for key in lacking if not key.startswith(MAY_LACK) or key == "doc.passage"] == []
    assert differing(lang) == []


def test_the_engine_is_given_every_message_it_says() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "cairn_core").glob("*.py"))]
    said = literals(texts, frozenset(key.partition(".")[0] for key in messages("en")) - {"date"})
    assert "answer.heading" in said
    assert [key for key in said if not key.startswith(ENGINE_MESSAGES)] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('t("nav.contact")', {"nav.contact"}),
        ('text("error." + code)', {"error."}),
        ('f"boot.{stage}"', {"boot."}),
        ("`boot.${stage}`", {"boot."}),
        ('"cairn.manifest"', set()),
    ],
)
def test_a_key_is_found_however_it_is_written(source: str, expected: set[str]) -> None:
    assert literals([source], frozenset({"nav", "error", "boot"})) == expected
