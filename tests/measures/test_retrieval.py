"""`python -m bench retrieval`: ours and other engines over one set, with a report and kept figures."""

from pathlib import Path

import pytest

from bench import engines, grading, results, retrieval, squad
from bench.engines import ENGINES, Engine, EngineError
from bench.ranking import Hit, Ranking, Task
from bench.squad import QuestionSet
from tests.measures import tiny


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tiny.write(tmp_path / "tiny.json")


@pytest.fixture
def one(file: Path) -> QuestionSet:
    return squad.read(file, "en")


def whole(one: QuestionSet, depth: int = 3) -> Task:
    return Task(tuple(range(len(one.passages))), tuple(range(len(one.questions))), depth)


@pytest.mark.parametrize("name", ENGINES)
def test_an_installed_engine_ranks_the_right_passage_first(name: str, one: QuestionSet) -> None:
    try:
        (rankings,) = engines.rank(ENGINES[name], one, [whole(one)])
    except EngineError as error:
        pytest.skip(str(error))
    found = [ranking[0].place for ranking in rankings if ranking]
    right = [q.gold for q, ranking in zip(one.questions, rankings, strict=True) if ranking]
    assert found == right
    assert all(list(r) == sorted(r, key=lambda hit: -hit.score) for r in rankings)


def test_an_engine_answers_each_task_over_its_own_passages(one: QuestionSet) -> None:
    tasks = [Task((0, 1), (0, 2), 1), Task((2, 3), (2,), 1)]
    first, second = engines.rank(ENGINES["SQLite FTS5, unicode61"], one, tasks)
    assert [[hit.place for hit in ranking] for ranking in first] == [[0], []]
    assert [[hit.place for hit in ranking] for ranking in second] == [[2]]


@pytest.mark.parametrize("words", ["bm25s_snowball.py", "pagefind.mjs"])
def test_a_missing_package_is_named_with_how_to_get_it(words: str) -> None:
    with pytest.raises(EngineError, match=r"^not installed: make peers gets no-such-package$"):
        engines.versions(Engine((words,), ("no-such-package",)))


def test_an_engine_that_fails_gives_the_reason(one: QuestionSet) -> None:
    with pytest.raises(EngineError, match=r"^failed: .*no_such_program"):
        list(engines.rank(Engine(("no_such_program.py",)), one, [whole(one)]))


def test_a_run_with_peers_names_every_engine_and_ends_well(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    assert retrieval.main(["--squad", str(file), "--peers", "--report", str(page)]) == 0
    shown, report = capsys.readouterr().out, page.read_text(encoding="utf-8")
    assert all(name in shown and name in report for name in ENGINES)
    assert shown.count("Cairn, evidence ") == 4
    assert shown.count("Cairn, evidence strict") == 2


def test_kept_figures_are_not_measured_again(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--squad", str(file), "--results", str(tmp_path / "results.json")]
    assert retrieval.main(words) == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(retrieval, "measure", None)
    assert retrieval.main(words) == 0
    assert capsys.readouterr().out == first


def test_other_questions_and_other_code_have_another_digest(one: QuestionSet) -> None:
    fewer = QuestionSet(one.lang, one.passages, one.documents, one.questions[1:])
    digests = {results.digest_on(system, which) for system in ("a", "b") for which in (one, fewer)}
    assert len(digests) == 4


@pytest.mark.parametrize(
    "text", ["{}", '{"format": 9, "measurements": []}', "[", '{"format": 1, "measurements": [{}]}']
)
def test_a_file_that_holds_no_figures_ends_with_its_name(
    text: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "results.json"
    kept.write_text(text, encoding="utf-8")
    assert retrieval.main(["--squad", str(file), "--results", str(kept)]) == 1
    assert "results.json" in capsys.readouterr().err


def test_a_perfect_ranker_reaches_everything(one: QuestionSet) -> None:
    def perfect(given: QuestionSet, tasks: list[Task]) -> list[list[Ranking]]:
        return [
            [
                [Hit(given.questions[n].gold, 1.0)] if given.questions[n].gold in task.places else []
                for n in task.questions
            ]
            for task in tasks
        ]

    figures, folds = grading.measure(one, perfect)  # type: ignore[arg-type]  # lists are sequences
    assert (figures.recall_1, figures.auroc, figures.coverage_1, figures.near_miss) == (1, 1, 1, 0)
    assert results.curve(folds) == (1.0,) * len(results.RATES)
