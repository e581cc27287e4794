"""Thresholds of the evidence scorer for one corpus, from questions it must refuse.

The shipped probes ask what offices are asked and most documents do not answer; the operator adds questions
to answer and to refuse in `probes.toml` beside the corpus. What a threshold promises is
`cairn_core.calibration`'s concern, what it is used for `cairn_core.engine`'s.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from builder import glossary, lexicon, settings
from builder.corpus import read
from builder.problems import Problem, shown
from builder.project import PROBES_NAME, Project
from builder.rendering import render_all
from cairn_core import strictness
from cairn_core.calibration import Calibration, conformal_threshold
from cairn_core.config import Config
from cairn_core.engine import ask, reworded
from cairn_core.errors import CairnError, ConfigError
from cairn_core.evidence import ENOUGH
from cairn_core.index import Index, build_shard
from cairn_core.language import primary
from cairn_core.retrieve import retrieve
from cairn_core.strictness import DEPTH

ALPHA = 0.01
SET_ASIDE = 0.35
"""A shipped probe that scores as much does not move the threshold. It is taken to be about the corpus, counts
as a probe that passes, and is named in the report and in a warning of the build."""
LOWEST_IN_FEW, LOWEST = 0.32, 0.12
"""No threshold is below: in fewer than ENOUGH passages unrelated questions score so little that a threshold
just above them would let half-related ones pass (ADR 6)."""

_FOLDER = Path(__file__).with_name("probes")


class ProbeError(CairnError):
    """A question the operator wants answered is refused, or one to be refused is answered."""


@dataclass(frozen=True, slots=True)
class OperatorProbes:
    """What an operator wants answered and refused in one language."""

    answer: tuple[str, ...] = ()
    refuse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A question of the operator that came out otherwise; `wanted` is "grounded" or "refusal"."""

    lang: str
    question: str
    wanted: str

    def __str__(self) -> str:
        """Return the failure in words."""
        became = "refused" if self.wanted == "grounded" else "answered"
        return f"{self.lang}: {shown(self.question)} is {became}"


@dataclass(frozen=True, slots=True, order=True)
class Asked:
    """A probe with the score of its best passage, that passage's id, "" without one, and how strict mode
    judges it."""

    score: float
    question: str
    passage_id: str
    near_miss: float | None = None


@dataclass(frozen=True, slots=True)
class LanguageOutcome:
    """How one language was calibrated.

    refused: the probes that set the threshold, the highest first. set_aside: shipped probes taken to be about
    the corpus, the highest first. answered: the operator's questions to answer, the lowest first.
    """

    lang: str
    calibration: Calibration
    refused: tuple[Asked, ...] = ()
    set_aside: tuple[Asked, ...] = ()
    answered: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The settings with their thresholds, how each was found, and the operator's questions that failed.

    across: language asked in, language searched by a lexicon, and the gate of what that finds.
    """

    config: Config
    languages: tuple[LanguageOutcome, ...]
    across: tuple[tuple[str, str, Calibration], ...]
    failures: tuple[Failure, ...]


@cache
def shipped(lang: str) -> tuple[str, ...]:
    """Return the probes that come with the builder for a language, none where there is no file."""
    path = _FOLDER / f"{primary(lang)}.txt"
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def operator_probes(corpus_dir: Path) -> Mapping[str, OperatorProbes]:
    """Return the operator's probes by language, none without a file.

    Raises ConfigError with the file and the key.
    """
    path = corpus_dir / PROBES_NAME
    if not path.is_file():
        return {}
    found: dict[str, OperatorProbes] = {}
    for lang, table in settings.read(path).items():
        where = f"{path}: {lang}"
        code = settings.code(lang, where)
        if not isinstance(table, dict):
            raise ConfigError("The probes are not given by language.", hint="write [en]", location=where)
        settings.only(table, ("answer", "refuse"), where)
        found[code] = OperatorProbes(*(settings.texts(table, where, key) for key in ("answer", "refuse")))
    return found


def calibrate(index: Index, config: Config, operator: Mapping[str, OperatorProbes]) -> Calibrated:
    """Return the settings with a threshold for every language of the index.

    The contract's scorer keeps its one threshold; the operator's questions are asked of it all the same.
    """
    found = [outcome(lang, index, config, operator) for lang in index.language_codes]
    outcomes = with_borrowed([one for one in found if one], index.language_codes, config)
    config = with_thresholds(config, outcomes)
    across = tuple(
        (lang, other, found.calibration)
        for lang, shard in index.shards.items()
        for other, found in shard.lexicons.items()
    )
    return Calibrated(config, outcomes, across, tuple(failures(index, config, operator)))


def with_thresholds(config: Config, outcomes: Iterable[LanguageOutcome]) -> Config:
    """Return the settings with the thresholds that were found; the contract's scorer has none."""
    return replace(config, calibration={one.lang: one.calibration for one in outcomes})


def of_project(project: Project) -> Calibrated:
    """Return the project's settings with thresholds, its documents read for it. Raises `CorpusProblems`."""
    rendering = render_all(read(project))
    index = Index.of(build_shard(lang, passages) for lang, passages in rendering.passages.items())
    return judged(with_lexicons(index, project), project)


def config_of(project: Project, languages: Iterable[str]) -> Config:
    """Return the project's settings with the glossaries of the languages of its documents."""
    return replace(project.config, glossary=glossary.load(project.corpus_dir, languages))


def with_lexicons(index: Index, project: Project) -> Index:
    """Return the index with what questions need to be put to passages in other languages.

    Only the evidence scorer has a use for it, and strict mode none.
    """
    if not uses_lexicons(project.config):
        return index
    operator = operator_probes(project.corpus_dir)
    refused = {lang: to_refuse(lang, operator) for lang in index.language_codes}
    return lexicon.with_lexicons(index, project.config.default_lang, refused)


def uses_lexicons(config: Config) -> bool:
    """Tell whether questions are put to passages in other languages by lexicons."""
    return config.scorer == "evidence" and not config.near_miss and config.cross_language_fallback


def to_refuse(lang: str, operator: Mapping[str, OperatorProbes]) -> Sequence[str]:
    """Return the questions in a language that must be refused."""
    own = operator.get(lang, OperatorProbes())
    return [*(one for one in shipped(lang) if one not in own.answer), *own.refuse]


def judged(index: Index, project: Project) -> Calibrated:
    """Return the project's settings with glossaries and thresholds, and the probes that fail."""
    config = config_of(project, index.language_codes)
    return calibrate(index, config, operator_probes(project.corpus_dir))


def settled(index: Index, project: Project) -> Calibrated:
    """Return what `judged` does. Raises ProbeError naming the probes that fail."""
    return unfailing(judged(index, project), project)


def unfailing(calibrated: Calibrated, project: Project) -> Calibrated:
    """Return what was calibrated. Raises ProbeError naming the probes that fail."""
    if calibrated.failures:
        raise ProbeError(
            f"probes fail: {'; '.join(map(str, calibrated.failures))}",
            "change the documents, the glossary or the probes; see python -m builder calibrate",
            str(project.corpus_dir / PROBES_NAME),
        )
    return calibrated


def warnings(calibrated: Calibrated, project: Project) -> Iterator[Problem]:
    """Yield a problem for each probe set aside: while there are any, no rate is promised."""
    hint = f"write it into {PROBES_NAME}, under answer or refuse; until then no rate is promised"
    for one in calibrated.languages:
        for probe in one.set_aside:
            message = f"The documents in {one.lang} seem to answer {shown(probe.question)}."
            yield Problem(str(project.corpus_dir / PROBES_NAME), 1, 1, "W701", message, hint)


def outcome(
    lang: str, index: Index, config: Config, operator: Mapping[str, OperatorProbes]
) -> LanguageOutcome | None:
    """Return how a language is calibrated, None where no probe must be refused or the scorer has no such
    thresholds. Of the index only this language counts.
    """
    if config.scorer != "evidence":
        return None
    own = operator.get(lang, OperatorProbes())
    spoken_for = {*own.answer, *own.refuse}
    unrelated = [one for one in shipped(lang) if one not in spoken_for]
    shipped_asked = sorted(_asked(index, lang, config, unrelated))
    must_refuse = _asked(index, lang, config, own.refuse)
    refused = sorted([*(one for one in shipped_asked if one.score < SET_ASIDE), *must_refuse], reverse=True)
    if not refused:
        return None
    set_aside = tuple(one for one in reversed(shipped_asked) if one.score >= SET_ASIDE)
    lowest = LOWEST if len(index.shards[lang].passages) >= ENOUGH else LOWEST_IN_FEW
    found = conformal_threshold([one.score for one in refused], ALPHA)
    threshold = max(lowest, found)
    every = [one.score for one in (*refused, *set_aside)]
    return LanguageOutcome(
        lang,
        Calibration(
            threshold,
            len(every),
            ALPHA,
            sum(score >= threshold for score in every) / len(every),
            len(set_aside),
            "floor" if found < lowest else "probes",
        ),
        tuple(refused),
        set_aside,
        tuple(sorted(_asked(index, lang, config, own.answer))),
    )


def _asked(index: Index, lang: str, config: Config, questions: Sequence[str]) -> list[Asked]:
    found: list[Asked] = []
    for question in questions:
        text = reworded(question, index, config, lang).text
        trace = retrieve(text, index, threshold=1.0, candidates=DEPTH, lang=lang, scorer="evidence")
        if not trace.candidates:
            found.append(Asked(0.0, question, ""))
            continue
        judged = config.near_miss and strictness.judged(trace, index.shards[lang], config.near_miss, 1)
        near = judged.near_miss.probability if judged and judged.near_miss else None
        best = trace.candidates[0]
        found.append(Asked(best.score, question, best.passage.passage_id, near))
    return found


def with_borrowed(
    own: Sequence[LanguageOutcome], languages: Iterable[str], config: Config
) -> tuple[LanguageOutcome, ...]:
    """Return the outcomes of all languages of the evidence scorer: those without probes have the highest
    threshold of the others, which promises nothing.
    """
    if config.scorer != "evidence":
        return ()
    highest = max((one.calibration.threshold for one in own), default=config.threshold)
    borrowed = [
        LanguageOutcome(lang, Calibration(highest, 0, ALPHA, 0.0, origin="borrowed"))
        for lang in {*languages} - {one.lang for one in own}
    ]
    return tuple(sorted((*own, *borrowed), key=lambda one: one.lang))


def failures(index: Index, config: Config, operator: Mapping[str, OperatorProbes]) -> Iterator[Failure]:
    """Yield the operator's questions that come out otherwise."""
    for lang, probes in operator.items():
        for wanted, questions in (("grounded", probes.answer), ("refusal", probes.refuse)):
            for question in questions:
                if ask(question, index, config, lang=lang).answer.kind != wanted:
                    yield Failure(lang, question, wanted)
