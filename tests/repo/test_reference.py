"""The reference names all an operator can write: options, settings, front-matter keys, problem codes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.cli import COMMANDS
from builder.frontmatter import KEYS
from builder.problems import CODES
from builder.project import CHOICES, SECTIONS

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Return the part of a page under the level-2 heading that contains `heading`."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return next((part for part in parts if heading in part.partition("\n")[0]), "")


def options(command: str) -> Iterator[str]:
    """Yield every long option of a command; of an option with a --no- form either one will do."""
    for action in COMMANDS[command][0]()._actions:
        long = [option for option in action.option_strings if option.startswith("--")]
        if long:
            yield "|".join(long)


HEADINGS = {
    "build": "python -m builder [CORPUS]",
    "import": "builder import",
    "init": "builder init",
    "key": "builder key",
    "ask": "builder ask",
    "check": "builder check",
    "translated": "builder translated",
    "diff": "builder diff",
    "questions": "builder questions",
    "calibrate": "builder calibrate",
    "serve": "builder serve",
    "verify": "builder verify",
    "publish": "builder publish",
}
OPTIONS = [(command, option) for command in COMMANDS for option in options(command)]
SETTINGS = [(name, key) for name, keys in SECTIONS.items() for key in keys]


def test_every_command_has_a_section_in_the_reference() -> None:
    assert set(HEADINGS) == set(COMMANDS)
    assert all(section(page("cli.md"), heading) for heading in HEADINGS.values())


@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=lambda value: value)
def test_every_option_is_in_the_reference(command: str, option: str) -> None:
    text = section(page("cli.md"), HEADINGS[command])
    if option == "--help":
        text = page("cli.md")
    assert re.search(rf"(?<![\w-])(?:{option})(?![\w-])", text)


@pytest.mark.parametrize(("name", "key"), SETTINGS, ids=lambda value: value)
def test_every_setting_is_in_the_reference(name: str, key: str) -> None:
    assert f"`{key}`" in section(page("config.md"), f"[{name}]")


@pytest.mark.parametrize(
    ("key", "choice"), [(key, choice) for key, choices in CHOICES.items() for choice in choices]
)
def test_every_choice_of_a_setting_is_in_the_reference(key: str, choice: str) -> None:
    row = next(line for line in page("config.md").split("\n") if line.startswith(f"| `{key}`"))
    assert f"`{choice}`" in row


@pytest.mark.parametrize("key", KEYS)
def test_every_front_matter_key_is_in_the_reference(key: str) -> None:
    assert f"`{key}`" in page("front-matter.md")


@pytest.mark.parametrize("code", CODES)
def test_every_problem_code_is_in_the_reference(code: str) -> None:
    assert re.search(rf"\b{code}\b", page("problems.md"))


def test_the_reference_explains_no_code_that_does_not_exist() -> None:
    assert set(re.findall(r"\b[EW]\d{3}\b", page("problems.md"))) <= set(CODES)


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$|`[^`\n]+`", "", text, flags=re.MULTILINE | re.DOTALL)


def test_every_link_between_the_documentation_pages_leads_to_a_file() -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
        for target in re.findall(
            r"\]\(([^)#:]+)(?:#[^)]*)?\)", without_code(path.read_text(encoding="utf-8"))
        )
        if not (path.parent / target).exists()
    ]
    assert broken == []
