"""Sites in languages whose interface is begun or not written: built, marked and answering all the same."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from builder.cli import main
from builder.readsite import read_site
from builder.wording import Wording
from cairn_core.language import catalogue

CONTACT = "the desk, 555-0142"
DOCUMENTS = {
    "ps": "---\ntitle: د کتابتون وختونه\n---\nکتابتون د شنبې په ورځ له ۹ بجو څخه خلاص وي. زنګ ووهئ 555-0142.\n",
    "fa": "---\ntitle: ساعت‌های کتابخانه\n---\nکتابخانه شنبه‌ها از ساعت ۹ باز است. تلفن 555-0142.\n",
    "ru": "---\ntitle: Часы библиотеки\n---\nБиблиотека открыта по субботам с 9:00. Телефон 555-0142.\n",
}
QUESTIONS = {"ps": "کتابتون کله خلاص وي؟", "fa": "کتابخانه شنبه باز است؟", "ru": "когда открыта библиотека?"}

Json = dict[str, object]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    corpus = folder / "corpus"
    corpus.mkdir()
    for lang, text in DOCUMENTS.items():
        (corpus / f"hours.{lang}.md").write_text(text, encoding="utf-8")
    settings = f'[language]\ndefault = "ps"\n[retrieval]\nscorer = "evidence"\n[refusal]\ncontact = "{CONTACT}"\n'
    (corpus / "cairn.toml").write_text(settings, encoding="utf-8")
    assert main([str(corpus), "--out", str(folder / "site"), "--no-engine", "--quiet"]) == 0
    return folder / "site"


def page(site: Path, url: str) -> str:
    return (site / url).read_text(encoding="utf-8")


def asked(site: Path, question: str, lang: str) -> Json:
    request = json.dumps({"question": question, "lang": None, "interface": lang})
    response: Json = json.loads(read_site(site).session().ask(request))
    return response


def test_pages_without_a_catalogue_run_in_their_direction_and_mark_the_english_words(site: Path) -> None:
    html = page(site, "ps/index.html")
    assert '<html lang="ps" dir="rtl"' in html
    assert '<form id="ask-form" hidden lang="en" dir="ltr">' in html
    assert '<textarea id="question" rows="3"' in html
    assert 'lang="ps" dir="rtl" aria-describedby="question-hint question-count"></textarea>' in html
    assert catalogue("en").text("ask.submit") in html


@pytest.mark.parametrize(("lang", "way"), [("fa", "rtl"), ("ru", "ltr")])
def test_pages_of_a_begun_catalogue_are_in_its_language(lang: str, way: str, site: Path) -> None:
    html = page(site, f"{lang}/index.html")
    assert f'<html lang="{lang}" dir="{way}"' in html
    assert '<form id="ask-form" hidden>' in html
    assert catalogue(lang).text("ask.submit") in html
    assert catalogue("en").text("ask.hint") not in html


def test_an_answer_without_a_catalogue_is_worded_in_english_around_the_quotation(site: Path) -> None:
    response = asked(site, QUESTIONS["ps"], "ps")
    assert (response["lang"], response["dir"]) == ("en", "ltr")
    answer = response["answer"]
    assert isinstance(answer, dict)
    assert answer["kind"] == "grounded"
    assert [(one["lang"], one["dir"]) for one in answer["sources"]] == [("ps", "rtl")]


@pytest.mark.parametrize(("lang", "way"), [("fa", "rtl"), ("ru", "ltr")])
def test_an_answer_of_a_begun_catalogue_is_worded_in_it(lang: str, way: str, site: Path) -> None:
    response = asked(site, QUESTIONS[lang], lang)
    assert (response["lang"], response["dir"]) == (lang, way)
    assert response["heading"] == catalogue(lang).count("answer.heading", 1)


@pytest.mark.parametrize(("lang", "worded"), [("ps", "en"), ("fa", "fa"), ("ru", "ru")])
def test_a_refusal_names_the_contact_in_every_language(lang: str, worded: str, site: Path) -> None:
    response = asked(site, "zebra", lang)
    assert response["heading"] == catalogue(worded).text("refusal.heading")
    assert response["contact"] == [["the desk, ", False], ["555-0142", True]]


def test_a_message_a_begun_catalogue_lacks_says_that_it_is_in_english() -> None:
    english, own = catalogue("en"), catalogue("fa")
    lacking = {key: english.messages[key] for key in ("doc.gap", "doc.source")}
    words = Wording("fa", replace(own, messages={**own.messages, **lacking}, lacking=tuple(lacking)))
    assert words("doc.source") == '<span lang="en" dir="ltr">Source</span>'
    assert words("doc.gap", language="<b>") == (
        '<span lang="en" dir="ltr">This document is not available in &lt;b&gt;.</span>'
    )
    assert words("doc.topic") == own.text("doc.topic")


def test_a_build_says_which_interfaces_are_not_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, out = tmp_path / "corpus", str(tmp_path / "site")
    corpus.mkdir()
    for lang, text in {**DOCUMENTS, "en": "---\ntitle: Hours\n---\nOpen on Saturday.\n"}.items():
        (corpus / f"hours.{lang}.md").write_text(text, encoding="utf-8")
    (corpus / "cairn.toml").write_text(f'[refusal]\ncontact = "{CONTACT}"\n', encoding="utf-8")
    assert main([str(corpus), "--out", out, "--no-engine"]) == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if "sentences of the pages" in line]
    assert notes == [
        f"note    the sentences of the pages in fa are begun, last read {catalogue('fa').reviewed}",
        "note    the sentences of the pages are not written in ps: they are in English",
        f"note    the sentences of the pages in ru are begun, last read {catalogue('ru').reviewed}",
    ]
    assert main([str(corpus), "--out", out, "--no-engine", "--json"]) == 0
    interface = json.loads(capsys.readouterr().out)["interface"]
    assert {lang: one["state"] for lang, one in interface.items()} == {
        "en": "complete",
        "fa": "begun",
        "ps": "none",
        "ru": "begun",
    }
