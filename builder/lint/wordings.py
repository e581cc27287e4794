"""Rules about the words of one document: its title, mixed scripts, and how hard it is to read."""

from collections.abc import Iterator

from builder.identity import mixed_script_word
from builder.lint.facts import Facts, numbered, place_in, title_line
from builder.lint.readability import score
from builder.passages import Rendered
from builder.problems import Problem, shown

_QUESTION_MARKS = ("?", "？", "؟", "՞", "፧", "⁇")


def question_titles(facts: Facts) -> Iterator[Problem]:
    """A title that is a question shares its question words with questions about anything."""
    for one in facts.documents:
        title = one.document.title
        if title.startswith("¿") or title.endswith(_QUESTION_MARKS):
            message = f"The title {shown(title)} is a question."
            hint = "name what the document is about; every question shares words such as how and when with it"
            yield Problem(one.document.path, title_line(one), 1, "W233", message, hint)


def mixed_scripts(facts: Facts) -> Iterator[Problem]:
    """A word with letters of two scripts that look alike is found by nobody who types it in one."""
    for one in facts.documents:
        for passage, line in numbered(one):
            word = mixed_script_word(passage.text)
            if word is not None:
                message = f"The word {shown(word)} mixes letters of two scripts that look alike."
                place = place_in(one, line, word)
                hint = "retype the word in one script"
                yield Problem(one.document.path, *place, "W421", message, hint)


def hard_to_read(facts: Facts) -> Iterator[Problem]:
    """A document below the bound its language's formula calls difficult."""
    for one in facts.documents:
        found = score(_prose(one), one.document.lang)
        if found and found[1] < found[0].hard:
            formula, points = found
            message = f"The text is hard to read: {formula.name} {points:.0f}, below {formula.hard:.0f}."
            hint = "write shorter sentences and everyday words; layout and meaning are not measured"
            yield Problem(one.document.path, one.document.body_line, 1, "W424", message, hint)


def _prose(one: Rendered) -> Iterator[str]:
    """Paragraphs, items and quotations; headings, tables and code are no sentences."""
    for passage in one.passages:
        for letter, line in zip(passage.layout, passage.text.split("\n"), strict=True):
            if letter in "ploq":
                yield line
