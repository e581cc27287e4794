"""The stylesheet: colours that can be told apart, and nothing that harms another script."""

import re

import pytest

from builder.statics import WEB

CSS = (WEB / "css" / "cairn.css").read_text(encoding="utf-8")

PAIRS = [
    # foreground, background, lowest ratio (WCAG 2.2: 1.4.3 for text, 1.4.11 for controls and marks)
    ("ink", "paper", 7.0),
    ("ink", "surface", 7.0),
    ("ink", "mark", 7.0),
    ("ink", "caution-paper", 7.0),
    ("muted", "paper", 4.5),
    ("muted", "surface", 4.5),
    ("primary", "paper", 4.5),
    ("primary", "surface", 4.5),
    ("primary", "caution-paper", 4.5),
    ("primary-strong", "paper", 4.5),
    ("primary-strong", "surface", 4.5),
    ("on-primary", "primary", 4.5),
    ("on-primary", "primary-strong", 4.5),
    ("caution", "caution-paper", 4.5),
    ("error", "paper", 4.5),
    ("border", "paper", 3.0),
    ("border", "surface", 3.0),
    ("bar", "paper", 3.0),
    ("bar", "surface", 3.0),
    ("bar", "caution-paper", 3.0),
    ("focus-ink", "focus", 4.5),
]


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", block))


LIGHT = tokens(CSS[: CSS.index("@media")])
DARK = LIGHT | tokens(CSS[CSS.index("(prefers-color-scheme: dark)") : CSS.index("/* Arabic-script")])
PRINT = LIGHT | tokens(CSS[CSS.index("@media print") :])


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back", "least"), PAIRS, ids=lambda value: str(value))
def test_colours_keep_their_contrast(front: str, back: str, least: float, scheme: dict[str, str]) -> None:
    assert contrast(scheme[front], scheme[back]) >= least


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_one_of_the_two_focus_colours_stands_out_from_every_ground(scheme: dict[str, str]) -> None:
    for ground in ("paper", "surface", "primary", "caution-paper"):
        assert max(contrast(scheme[ring], scheme[ground]) for ring in ("focus", "focus-ink")) >= 3.0


def test_print_is_black_on_white() -> None:
    assert {PRINT[name] for name in ("ink", "muted", "primary", "caution", "error")} == {"#000000"}
    assert {PRINT[name] for name in ("paper", "surface", "caution-paper", "mark")} == {"#ffffff"}


def test_text_keeps_the_form_its_script_needs() -> None:
    assert "italic" not in CSS
    assert "letter-spacing" not in CSS
    upper = [rule for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", CSS) if "text-transform" in rule[1]]
    assert all("::first-letter" in selector for selector, _ in upper)


def test_every_colour_is_a_token() -> None:
    rules = re.sub(r"--[\w-]+:\s*#[0-9a-f]{6};", "", CSS)
    assert re.findall(r"#[0-9a-f]{3,8}\b(?=[^{}]*;)", rules) == []


def test_nothing_sticks_over_the_text() -> None:
    assert not re.search(r"position:\s*(?:sticky|fixed)", CSS)


def test_nothing_is_loaded() -> None:
    assert "url(" not in CSS
    assert "@import" not in CSS
