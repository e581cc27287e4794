"""The report of `bench retrieval`: one file that loads nothing, with a table beside each chart."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from bench import charts, report
from bench.grading import COLUMNS, Figures
from bench.results import RATES, Measurement

SETTING = report.Setting(
    command="python -m bench retrieval --data <xquad>",
    python="CPython 3.13.0",
    machine="Linux x86_64, 2 processors",
    load=(0.5, 1.25),
    versions={"Cairn, evidence": "cairn_core 0123456789ab"},
    sets={"en": (240, 1190), "ar": (240, 1190)},
)
NAMES = ("Cairn, contract", "Cairn, evidence", "Peer & <Sons>", "Second peer")


def measurement(system: str, set_name: str, share: float) -> Measurement:
    figures = Figures(**dict.fromkeys(COLUMNS, share))
    curve = tuple(min(1.0, share + rate) for rate in RATES)
    return Measurement(system, set_name, "0", figures, curve)


@pytest.fixture(scope="module")
def page() -> str:
    found = [
        measurement(name, set_name, 0.5 + place / 10)
        for set_name in ("en", "ar")
        for place, name in enumerate(NAMES)
        if (name, set_name) != ("Second peer", "ar")
    ]
    return report.page(found, {"Third peer": "not installed: make peers gets third"}, SETTING)


class Elements(HTMLParser):
    """The elements of a page in order, with their attributes; text of titles and descriptions by id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def test_equal_figures_give_equal_bytes() -> None:
    found = [measurement(name, "en", 0.7) for name in NAMES]
    assert report.page(found, {}, SETTING) == report.page(list(found), {}, SETTING)


def test_it_runs_nothing_and_loads_nothing(page: str) -> None:
    elements = Elements(page)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in elements.found}
    assert not re.search(r"https?:|url\(|@import|\ssrc=|\son\w+=", page)


def test_every_chart_has_a_title_and_a_description_of_its_own(page: str) -> None:
    elements = Elements(page)
    drawn = [svg for svg in elements.named("svg") if svg.get("role") == "img"]
    pointed = [ident for svg in drawn for ident in str(svg["aria-labelledby"]).split()]
    given = [str(one["id"]) for tag in ("title", "desc") for one in elements.named(tag) if "id" in one]
    assert len(drawn) == 5  # the means, two sets, two kinds of bars
    assert sorted(pointed) == sorted(given)
    assert len(set(given)) == len(given)


def test_each_heading_with_a_chart_has_a_table(page: str) -> None:
    sections = re.split(r"<h[23]>", page)[1:]
    with_charts = [section for section in sections if 'role="img"' in section]
    assert len(with_charts) == 4
    assert all("<table>" in section for section in with_charts)


def test_names_are_text_and_not_markup(page: str) -> None:
    assert "<Sons>" not in page
    assert "Peer &amp; &lt;Sons&gt;" in page
    assert "--data &lt;xquad&gt;" in page


def test_a_system_without_figures_has_its_reason_and_a_set_it_lacks_a_dash(page: str) -> None:
    assert "Third peer: not installed: make peers gets third" in page
    assert "<td>–</td>" in page


def test_there_are_colours_for_light_and_dark(page: str) -> None:
    colours = re.findall(r"--(?:own|peer)-\d: (#[0-9a-f]{6})", page)
    assert len(colours) == 2 * (2 + report.PEER_STYLES)
    assert "prefers-color-scheme: dark" in page


def luminance(colour: str) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[start : start + 2], 16)) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_lines_and_text_stand_out_from_the_page(page: str, scheme: int) -> None:
    block = page.split(":root")[1 + scheme].partition("}")[0]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    ground = luminance(colours["page"])
    for name, colour in colours.items():
        if re.match(r"own|peer|text|quiet", name):
            lighter, darker = sorted((luminance(colour), ground), reverse=True)
            wanted = 3.0 if name.startswith("peer") else 4.5  # WCAG 2.2, 1.4.11 and 1.4.3
            assert (lighter + 0.05) / (darker + 0.05) >= wanted, name


def test_the_names_at_the_ends_of_lines_do_not_cover_each_other() -> None:
    lines = [charts.Line(f"System {number}", "peer-0", (0.8,) * len(RATES)) for number in range(10)]
    drawn = charts.curves("x", ("Title", "Text"), RATES, lines)
    places = sorted(float(y) for y in re.findall(r'y="([\d.]+)" class="label peer-0"', drawn))
    gaps = [lower - upper for upper, lower in pairwise(places)]
    assert len(gaps) == 9
    assert min(gaps) >= charts.LABEL_GAP - 0.11
