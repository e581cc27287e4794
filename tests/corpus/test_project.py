"""A settings file is checked key by key; a corpus without one has a project of defaults."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builder import load_config
from builder.project import SECTIONS, load_project
from cairn_core.config import Config
from cairn_core.errors import ConfigError

type Write = Callable[..., Path]


@pytest.mark.parametrize(
    ("toml", "where", "hint"),
    [
        ("treshold = 0.5", "treshold", "known sections"),
        ("[retreival]\nthreshold = 0.5", "retreival", "did you mean 'retrieval'?"),
        ("[retrieval]\ntreshold = 0.5", "retrieval.treshold", "did you mean 'threshold'?"),
        ("retrieval = 3", "retrieval", "write [retrieval]"),
        ("[retrieval]\nthreshold = '0.2'", "threshold", "without quotes"),
        ("[retrieval]\nthreshold = nan", "threshold", "number"),
        ("[retrieval]\nthreshold = true", "threshold", "without quotes"),
        ("[retrieval]\nmax_passages = 1.5", "max_passages", "whole number"),
        ("[retrieval]\nmax_passages = 0", "max_passages", "whole number"),
        ("[retrieval]\ncandidates = true", "candidates", "whole number"),
        ("[language]\ncross_language_fallback = 'yes'", "cross_language_fallback", "true or false"),
        ("[language]\ndefault = 'english'", "language.default", "write 'en'"),
        ("[refusal]\ncontact = ''", "contact", "whom to call"),
        ("[refusal]\ncontact = 3", "contact", "whom to call"),
        ("[refusal.contact_by_language]\nenglish = 'x'", "refusal.contact_by_language", "write 'en'"),
        ("[site]\ntitle = 3", "site.title", "write title.en"),
        ("[site]\ntitle.en = ''", "site.title.en", "in quotes"),
        ("[site]\ntitle.klingon = 'x'", "site.title", "use a code"),
        ('[site]\ntitle.en = "a\\u202eb"', "site.title.en", "delete the character"),
        ("[site]\nlanguages = 'en'", "site.languages", '["one", "two"]'),
        ("[site]\nexamples.en = 'x'", "site.examples.en", '["one", "two"]'),
        ("[site]\nexamples = ['x']", "site.examples", "examples.en"),
        ("[corpus]\nraw_html = 'yes'", "corpus.raw_html", '"error" or "text"'),
        ("[corpus]\nexclude = 'x'", "corpus.exclude", '["one", "two"]'),
        ("[fields]\npassage = 3", "fields.passage", "[[fields.passage]]"),
        ("[[fields.passage]]\nheading.en = 'x'", "fields.passage", 'field = "name"'),
        ("[[fields.passage]]\nfeild = 'x'", "fields.passage.feild", "did you mean 'field'?"),
        ("[site", "cairn.toml", "correct the line"),
    ],
)
def test_a_fault_in_the_settings_names_the_key(write: Write, toml: str, where: str, hint: str) -> None:
    path = write({}, toml) / "cairn.toml"
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(path) in caught.value.location
    assert caught.value.location.endswith(where)
    assert hint in caught.value.hint


def test_settings_that_are_not_utf_8_are_a_fault(write: Write) -> None:
    path = write({"cairn.toml": {"hex": "5b736974655d0a7469746c65203d2027e927"}}) / "cairn.toml"
    with pytest.raises(ConfigError, match="offset 16"):
        load_config(path)


def test_a_settings_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "cairn.toml")


def test_a_corpus_without_settings_has_the_defaults(write: Write) -> None:
    project = load_project(write({"a.en.md": "x"}))
    assert project.config == Config()
    assert project.title_for("es") == "Cairn"
    assert project.tagline_for("es") == ""
    assert project.languages == ()


def test_no_corpus_and_no_settings_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"cairn\.toml"):
        load_project()


def test_paths_are_relative_to_the_settings_file(write: Write) -> None:
    root = write({"deep/site.toml": "[corpus]\npath = '../docs'\nanchors = 'a.json'\n"})
    project = load_project(None, root / "deep/site.toml")
    assert project.corpus_dir == root / "deep/../docs"
    assert project.anchors == root / "deep/a.json"


def test_a_corpus_named_with_its_settings_wins_over_the_path_in_them(write: Write) -> None:
    root = write({"site.toml": "[corpus]\npath = 'elsewhere'\n"})
    assert load_project(root, root / "site.toml").corpus_dir == root


def test_a_folder_with_settings_that_name_another_folder_is_not_the_corpus(write: Write) -> None:
    root = write({"README.txt": "x"}, "[corpus]\npath = 'docs'\n")
    assert load_project(root).corpus_dir == root / "docs"
    assert load_project(root).anchors == root / "docs/cairn.anchors.json"


def test_a_contact_of_the_operator_is_never_joined_by_a_demo_contact(write: Write) -> None:
    config = load_config(write({}, "[refusal.contact_by_language]\nen = 'call 555-0199'\n") / "cairn.toml")
    assert {config.contact_for(lang) for lang in ("en", "es", "ar", "zh")} == {"call 555-0199"}


def test_contacts_are_found_under_any_spelling_of_a_language(write: Write) -> None:
    toml = "[refusal]\ncontact = 'x'\n[refusal.contact_by_language]\nzh-Hans = 'y'\n"
    assert load_config(write({}, toml) / "cairn.toml").contact_for("zh-hans") == "y"


def test_titles_fall_back_to_the_primary_language_then_to_the_default(write: Write) -> None:
    project = load_project(write({}, "[site]\ntitle.en = 'E'\ntitle.zh = 'Z'\n"))
    assert [project.title_for(lang) for lang in ("zh-hans", "fr", "en")] == ["Z", "E", "E"]


def test_example_questions_are_never_those_of_another_language(write: Write) -> None:
    project = load_project(write({}, "[site]\nexamples.en = ['Who?']\n"))
    assert project.examples_for("en") == ("Who?",)
    assert project.examples_for("es") == ()


def test_the_reference_names_every_section_and_key() -> None:
    pages = sorted((Path(__file__).parents[2] / "docs/reference").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for section, keys in SECTIONS.items():
        assert f"[{section}]" in text
        for key in keys:
            assert f"`{key}" in text, f"{section}.{key}"
