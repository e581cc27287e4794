"""What the person who keeps a corpus asks for: each command as the lines to print and an exit code.

Nothing is printed here; `cli` does, and gives today's day to those that need one.
"""

from argparse import Namespace
from collections.abc import Iterable
from datetime import date

from builder import candidates, compare, differences, questions, translated
from builder.lint import rules
from builder.lint.formats import FORMATS
from builder.payload import canonical
from builder.project import QUESTIONS_NAME, load_project
from builder.report import counted
from builder.swap import WriteError
from cairn_core.engine import Result

type Done = tuple[Iterable[str], int]


def check(options: Namespace, today: date) -> Done:
    """Say everything that is wrong with a corpus."""
    found = rules.run(options.corpus, options.config, options.today or today)
    form = "json" if options.json else options.format
    return FORMATS[form](found), int(bool(found.errors or (options.strict and found.warnings)))


def record_translation(options: Namespace) -> Done:
    """Record that a translation says what its source says now."""
    project = load_project(options.corpus, options.config)
    done = translated.record(project, options.document, options.lang, options.source)
    again = "" if done.changed else ", as before"
    return [f"{done.translation} is recorded as made from {done.source}{again}"], 0


def read_candidates(options: Namespace) -> Done:
    """Read refused questions in as candidates."""
    project = load_project(options.corpus, options.config)
    refused = candidates.load(options.file)
    added = candidates.add(project.corpus_dir, refused)
    file = project.corpus_dir / QUESTIONS_NAME
    return [f"{counted(added, 'candidate')} added to {file}, {len(refused) - added} known before"], 0


def diff(options: Namespace) -> Done:
    """Say what differs between two states of a site, and write the page when one is asked for."""
    asked = compare.asked_by(load_project(options.questions)) if options.questions else ()
    found = compare.compare(compare.state(options.old), compare.state(options.new), asked)
    if options.html:
        try:
            options.html.write_text(differences.page(found), encoding="utf-8", newline="\n")
        except OSError as error:
            what = error.strerror or "unknown"
            message = f"the page cannot be written: {what}"
            raise WriteError(message, "name another file", str(options.html)) from error
    return ([canonical(differences.to_json(found))] if options.json else differences.lines(found)), 0


def save_question(options: Namespace, result: Result) -> str:
    """Append a question with what came back to the corpus, and say so."""
    saved = questions.save(options.save, options.question, result.detection.lang, result.answer)
    file = options.save / QUESTIONS_NAME
    return f"saved to {file}" if saved else f"{file} has the question already"
