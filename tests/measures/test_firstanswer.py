"""The time to the first answer: how visits become a table, a timeline and bounds; folders and server."""

import gzip
import json
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.firstanswer import main
from bench.serving import served
from bench.timeline import Row, as_json, checked, drawing, report, table
from bench.variants import Variant, question_of, variants, watched, without_snapshot
from bench.visits import STAGES, Counter, Round, Visit, VisitError, program, stages, watch
from bench.webkit import PACKAGES

ROOT = Path(__file__).resolve().parents[2]


def rounds(*totals: float) -> tuple[Round, ...]:
    cold = [
        Visit((total / 2, 0.0, 0.0, 0.0, total / 4, total / 4), 5_000_000, 20_000_000) for total in totals
    ]
    return tuple(Round(visit, Visit((10.0, *[0.0] * 5), 0), 4.0, 60_000_000, "q") for visit in cold)


ROWS = [
    Row("Chromium", "Cairn, snapshot", "http", rounds(300, 310, 900)),
    Row("Chromium", "Cairn, snapshot", "file", rounds(320, 330, 340)),
    Row("Chromium", "stock Pyodide", "http", rounds(1000, 1000, 1000)),
    Row("Chromium", "Pagefind", "http", rounds(150, 150, 150)),
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The few files of a site that the bench reads."""
    folder = tmp_path / "site"
    (folder / "assets" / "parts").mkdir(parents=True)
    (folder / "ar").mkdir()
    (folder / "ar" / "index.html").write_text(
        '<button class="example" type="button">ما <b>الموعد</b> &amp; أين؟</button>', encoding="utf-8"
    )
    parts = {"snapshot.bin": {"gz": 1}, "stdlib.zip": {"gz": 2}}
    text = json.dumps({"pyodide": "0.0.0", "parts": parts})
    (folder / "assets" / "manifest.js").write_text(f"(self.cairn=self.cairn||{{}}).manifest={text};")
    return folder


def test_each_stage_lasts_from_the_end_of_the_one_before() -> None:
    ends = {"payload": 10.0, "wasm": 25.0, "boot": 30.0, "import": 31.0, "index": 40.0, "answer": 45.0}
    assert stages(ends) == (10.0, 15.0, 5.0, 1.0, 9.0, 5.0)


def test_a_stage_whose_end_is_unknown_belongs_to_the_next() -> None:
    assert stages({"payload": 10.0, "answer": 45.0}) == (10.0, 0.0, 0.0, 0.0, 0.0, 35.0)


def test_the_table_shows_medians_of_every_row() -> None:
    lines = table(ROWS)
    assert lines[0].split()[2 : 2 + len(STAGES)] == list(STAGES)
    assert lines[1].split()[4:] == ["155", "0", "0", "0", "78", "78", "310", "10", "4.0", "5.00", "60", "20"]
    assert len({len(line) for line in lines}) == 1


def test_a_bound_is_checked_between_medians_of_one_browser() -> None:
    found = dict(checked(ROWS))
    assert list(found.values()) == [True, False, True]
    assert any("Pagefind" in line and "2.07" in line and "MISSED" in line for line in found)


def test_a_bound_without_both_rows_is_not_checked() -> None:
    assert checked(ROWS[:1]) == []


def test_the_timeline_draws_a_part_for_each_stage_and_says_it_in_words() -> None:
    svg = ElementTree.fromstring(drawing("Way <to> it", ROWS))  # noqa: S314  our own text
    space = "{http://www.w3.org/2000/svg}"
    parts = [rect for rect in svg.iter(f"{space}rect") if rect.find(f"{space}title") is not None]
    assert len(parts) == 3 * len(ROWS)
    widest = max(float(rect.attrib["x"]) + float(rect.attrib["width"]) for rect in parts)
    assert widest <= float(svg.attrib["viewBox"].split()[2])
    assert "Chromium, Pagefind, http: 150 ms" in str(svg.findtext(f"{space}desc"))


def test_the_report_is_one_page_without_scripts_and_the_same_for_the_same_rounds() -> None:
    page = report({"demo <1>": ROWS}, ["a note"])
    assert page == report({"demo <1>": ROWS}, ["a note"])
    assert "demo &lt;1&gt;" in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace(", http", "").replace(
        "over http", ""
    )
    assert len(json.loads(as_json({"demo": ROWS}))["demo"]) == len(ROWS)


def test_the_question_is_the_first_example_of_the_page(site: Path) -> None:
    assert question_of(site, "ar") == "ما الموعد & أين؟"


def test_a_site_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(VisitError, match=r"index\.html of the site cannot be read"):
        question_of(tmp_path, "en")
    assert main(["--site", str(tmp_path), "--question", "q"]) == 2
    assert "manifest.js" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--rounds", "0"], ["--browser", "Lynx"], ["--rounds", "x"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err


def test_without_its_snapshot_a_site_keeps_every_other_part(site: Path, tmp_path: Path) -> None:
    folder = without_snapshot(site, tmp_path / "copy")
    text = (folder / "assets" / "manifest.js").read_text()
    assert "snapshot.bin" not in text
    assert text.startswith("(self.cairn=self.cairn||{}).manifest={")
    assert '"stdlib.zip"' in text
    assert "snapshot.bin" in (site / "assets" / "manifest.js").read_text()


def test_a_watched_page_loads_the_script_before_its_own(tmp_path: Path) -> None:
    (tmp_path / "site" / "ar").mkdir(parents=True)
    page = tmp_path / "site" / "ar" / "index.html"
    page.write_text('<head>\n<script src="own.js"></script></head>', encoding="utf-8")
    page.with_name("index.html.gz").write_bytes(b"the page as it was")
    copy = watched(Variant("c", tmp_path / "site", "ar/index.html", True), "w.js", tmp_path / "copy")
    assert copy == Variant("c", tmp_path / "copy", "ar/index.html", True)
    html = (tmp_path / "copy" / "ar" / "index.html").read_text(encoding="utf-8")
    assert html == '<head><script src="w.js"></script>\n<script src="own.js"></script></head>'
    assert sorted(path.name for path in (tmp_path / "copy" / "ar").iterdir()) == ["index.html"]
    assert "w.js" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["Chromium", "Firefox", "WebKitGTK"])
def test_a_browser_that_is_not_installed_is_named(
    name: str,
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for variable in ("CAIRN_CHROMIUM", "CAIRN_FIREFOX", "CAIRN_WEBKIT"):
        monkeypatch.delenv(variable, raising=False)
    assert main(["--site", str(site), "--lang", "ar", "--browser", name]) == 0
    assert f"{name} is not measured: it is not installed." in capsys.readouterr().out


def test_what_cannot_be_compared_is_named_with_its_reason(site: Path, tmp_path: Path) -> None:
    reasons = [found for found in variants(site, "ar", tmp_path / "work") if isinstance(found, tuple)]
    assert ("stock Pyodide", "pyodide.js of Pyodide 0.0.0 is not in .cache: build a site first") in reasons


def test_a_question_travels_into_the_page_as_a_literal() -> None:
    script = watch('a "quoted" question\u2028</script>')
    assert r'question: "a \"quoted\" question\u2028</script>"' in script
    assert "POSTLUDE" not in script


def test_a_sibling_is_sent_in_place_of_its_file_and_the_bytes_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_bytes(b"x" * 5000)
    (tmp_path / "b.js").write_bytes(b"y" * 5000)
    (tmp_path / "b.js.gz").write_bytes(gzip.compress(b"sibling"))
    with served(tmp_path) as folder:
        sizes = []
        for name, accepted in (("a.js", ""), ("a.js", "gzip"), ("b.js", "gzip"), ("../a.js", "")):
            request = urllib.request.Request(folder.url + name, headers={"Accept-Encoding": accepted})  # noqa: S310
            try:
                with urllib.request.urlopen(request) as reply:  # noqa: S310  this machine
                    body = reply.read()
                    sizes.append((reply.headers.get("Content-Encoding"), len(body), folder.take()))
            except urllib.error.HTTPError as error:
                sizes.append((str(error.code), 0, folder.take()))
                error.close()
    assert sizes[0] == (None, 5000, 5000)
    assert (sizes[1][0], sizes[1][1] < 100, sizes[1][1] == sizes[1][2]) == ("gzip", True, True)
    assert sizes[2] == ("gzip", len(gzip.compress(b"sibling")), len(gzip.compress(b"sibling")))
    assert sizes[3][0] == "404"


def test_a_served_file_that_changes_is_sent_as_it_is_now(tmp_path: Path) -> None:
    with served(tmp_path) as folder:
        for letter in ("x", "y"):
            (tmp_path / "a.js").write_text(letter * 5000)
            request = urllib.request.Request(f"{folder.url}a.js", headers={"Accept-Encoding": "gzip"})  # noqa: S310
            with urllib.request.urlopen(request) as reply:  # noqa: S310  this machine
                assert gzip.decompress(reply.read()).decode() == letter * 5000


def test_the_bytes_of_a_visit_from_a_folder_are_those_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "é 1.js").write_bytes(b"12345")
    url = (tmp_path / "é 1.js").as_uri()
    assert Counter().of([f"{url}?build", (tmp_path / "none.js").as_uri(), "http://127.0.0.1/a"]) == 5


@pytest.mark.browser
@pytest.mark.parametrize("name", ["Chromium", "WebKitGTK"])
def test_one_round_measures_every_stage(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "WebKitGTK" and not program(name):
        pytest.skip(f"no WebKitGTK: type `apt-get install {PACKAGES}`")
    page, data = tmp_path / "report.html", tmp_path / "rounds.json"
    arguments = ["--browser", name, "--rounds", "1", "--html", str(page), "--json", str(data)]
    assert main(arguments) == 0, capsys.readouterr().err
    said = capsys.readouterr().out
    assert "Cairn, snapshot over file / Cairn, snapshot over http" in said
    rows = json.loads(data.read_text(encoding="utf-8"))["demo"]
    own = [row for row in rows if row["variant"] != "Pagefind"]
    assert {(row["variant"], row["origin"]) for row in own} == {
        ("Cairn, snapshot", "http"),
        ("Cairn, snapshot", "file"),
        ("Cairn, bytecode", "http"),
        ("Cairn, bytecode", "file"),
        ("stock Pyodide", "http"),
    }
    for row in own:
        (found,) = row["rounds"]
        assert all(found["cold"]["stages"][place] > 0 for place in (0, 1, 2, 4, 5)), row
        assert found["cold"]["bytes"] > 3_000_000
        assert found["cold"]["heap"] > 10_000_000
        assert found["next_question"] > 0
    assert "<svg" in page.read_text(encoding="utf-8")
