"""All rules in order, and one run of them over a corpus."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from builder.calibrate import warnings as set_aside
from builder.lint import asked, counterparts, reach, upkeep, wordings
from builder.lint.facts import Facts, gather, of_settings
from builder.problems import Problem
from builder.project import PROBES_NAME, load_project
from cairn_core.errors import ConfigError

type Rule = Callable[[Facts], Iterator[Problem]]

RULES: Mapping[str, Rule] = {
    "titles": wordings.question_titles,
    "scripts": wordings.mixed_scripts,
    "readability": wordings.hard_to_read,
    "reviews": upkeep.reviews,
    "contacts": upkeep.contacts,
    "interface": upkeep.interface,
    "examples": upkeep.examples,
    "missing translations": counterparts.missing,
    "sections": counterparts.unlike_sections,
    "records": counterparts.unrecorded,
    "numbers": counterparts.unlike_numbers,
    "reach": reach.unreachable,
    "probes": reach.probes,
    "questions": asked.questions,
}
"""Name -> rule. Reading, Markdown, links, anchors and glossaries are checked where they are read."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything found in one corpus, sorted by place.

    asked: whether answers could be looked at; while text is missing they say nothing.
    """

    corpus: Path
    documents: int
    passages: int
    asked: bool
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Return what stops a build or breaks what the operator asked for."""
        return tuple(one for one in self.problems if one.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Return the advice."""
        return tuple(one for one in self.problems if one.severity == "warning")


def run(corpus_dir: Path, config_file: Path | None, today: date) -> Report:
    """Return everything wrong with a corpus; settings that cannot be used are a problem like any other."""
    try:
        project = load_project(corpus_dir, config_file)
    except ConfigError as error:
        return Report(corpus_dir, 0, 0, False, (of_settings(error, "E801", corpus_dir),))
    facts, problems = gather(project, today)
    found = [*facts.examined.problems, *problems]
    for rule in RULES.values():
        found += rule(facts)
    if facts.engine is not None:
        warnings = set_aside(facts.engine.calibrated, project)
        found += [replace(one, path=PROBES_NAME) for one in warnings]
    return Report(
        project.corpus_dir,
        len(facts.documents),
        sum(map(len, facts.examined.passages.values())),
        facts.engine is not None,
        tuple(sorted(set(found))),
    )
