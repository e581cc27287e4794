"""Problems of a corpus: what is wrong, where, and what to do about it.

Every reader of this package returns problems instead of raising; `CorpusProblems` carries all of one corpus
at once. `CODES` is the one list of codes, `docs/reference/problems.md` explains them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from cairn_core.errors import CairnError, CorpusError

CODES: Mapping[str, str] = {
    "E101": "file cannot be read",
    "E102": "folder with the name of a document",
    "E103": "link that leaves the corpus",
    "E104": "not a regular file",
    "E105": "file too large",
    "E106": "text is not UTF-8",
    "E107": "no document in the corpus",
    "E108": "contact is a placeholder",
    "E109": "contact of the demonstration beside real documents",
    "E110": "urgent help is missing in a language",
    "W111": "byte order mark at the start of a file",
    "W112": "file that is not a document",
    "W113": "text was not in Unicode normal form C",
    "W114": "linked folder is not read",
    "E201": "no front matter",
    "E202": "front matter does not start on line 1",
    "E203": "front matter is not closed",
    "E204": "front-matter line is not `key: value`",
    "E205": "unknown front-matter key",
    "E206": "front-matter key given twice",
    "E207": "front-matter value is missing",
    "E208": "front matter too large",
    "E209": "front matter is not TOML",
    "E210": "front-matter value is not allowed",
    "E211": "language is missing",
    "E212": "not a language code",
    "E213": "not a document id",
    "E214": "two documents share an id",
    "E215": "title is missing",
    "E216": "two documents of one language share a family",
    "E217": "language the site does not list",
    "W221": "value is in quotes",
    "W222": "front-matter fields are not used",
    "W223": "title mixes scripts",
    "W224": "document has no text",
    "W225": "document has nothing to quote",
    "W226": "heading of a mapped field is not translated",
    "W231": "document was not reviewed for too long",
    "W232": "review date has not come yet",
    "W233": "title is a question",
    "W241": "translation is missing",
    "W245": "numbers of a translation differ",
    "W246": "sections of a translation differ",
    "W247": "translation without a record",
    "E301": "control character",
    "E302": "direction control character",
    "E303": "stray invisible character",
    "E304": "character that is no text",
    "E305": "character that no typeface shows",
    "W311": "direction mark",
    "W312": "invisible characters were dropped",
    "W313": "replacement character",
    "E401": "raw HTML",
    "E402": "block too long",
    "E403": "nesting too deep",
    "E404": "too many inline marks",
    "E405": "table too large",
    "E406": "text lost by the Markdown parser",
    "W411": "heading without text below it",
    "W412": "long block",
    "W413": "shortcodes were stripped",
    "W414": "tags are shown as text",
    "W415": "link definition without a link",
    "W416": "text without a word",
    "E418": "note of an import not looked at",
    "W421": "word mixes scripts",
    "W422": "passage that no question reaches",
    "W423": "passage without a word that carries weight",
    "W424": "text is hard to read",
    "E501": "link to nowhere",
    "E502": "link to a missing fragment",
    "E503": "link scheme is not allowed",
    "E504": "link to another host without a scheme",
    "E505": "link is not well formed",
    "E506": "image is not usable",
    "E507": "image without a description",
    "W511": "link of an unknown scheme was dropped",
    "W601": "anchors were retired",
    "W602": "anchor ledger cannot be written",
    "E603": "anchor ledger is not readable",
    "E604": "record of translations is not readable",
    "W605": "translation older than its source",
    "W606": "record of a translation that is not there",
    "W701": "off-topic probes the documents seem to answer",
    "E702": "probe to answer is refused",
    "E703": "probe to refuse is answered",
    "E704": "probes cannot be used",
    "W705": "probe given more than once",
    "W706": "probes of a language without documents",
    "W707": "probe without a word",
    "E711": "glossary of a language without documents",
    "E712": "glossary is not TOML",
    "E713": "words of a glossary entry are not a list of texts",
    "E714": "glossary phrase without a word",
    "E715": "glossary phrase given twice",
    "E716": "glossary word in no passage",
    "W717": "glossary entry that adds nothing",
    "E721": "questions cannot be used",
    "E722": "question expects what is not there",
    "E723": "question answered from elsewhere",
    "E724": "question refused",
    "E725": "question answered that is to be refused",
    "W726": "question given twice",
    "E801": "settings cannot be used",
    "W802": "contact is missing in a language",
    "W803": "example question is refused",
    "W804": "sentences of the pages are not complete in a language",
}
"""Code -> its meaning in a few words. E stops a build, W does not."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong at one place; `line` and `column` count from 1, in characters."""

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str = ""

    def __post_init__(self) -> None:
        """Refuse a code that no reference page explains."""
        if self.code not in CODES:
            raise ValueError(f"unknown problem code {self.code!r}")

    @property
    def severity(self) -> str:
        """Return "error" or "warning"."""
        return "error" if self.code.startswith("E") else "warning"

    def __str__(self) -> str:
        """Return `path:line:column code message (hint)`."""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.path}:{self.line}:{self.column} {self.code} {self.message}{hint}"

    def to_json(self) -> dict[str, str | int]:
        """Return the fields as plain JSON, with the severity."""
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
        }


class UsageError(CairnError):
    """Something that was named on the command line cannot be used; another has to be named."""


class CorpusProblems(CorpusError):
    """Everything wrong with a corpus; `problems` holds errors and warnings, sorted by place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep `problems` sorted; at least one must be an error."""
        self.problems = tuple(sorted(problems))
        errors = sum(problem.severity == "error" for problem in self.problems)
        if not errors:
            raise ValueError("a corpus without errors has no problems to raise")
        first = next(problem for problem in self.problems if problem.severity == "error")
        others = f" and {errors - 1} more" if errors > 1 else ""
        super().__init__(
            f"{first.code} {first.message}{others}",
            hint=first.hint,
            location=f"{first.path}:{first.line}:{first.column}",
        )


def has_errors(problems: Iterable[Problem]) -> bool:
    """Tell whether any of `problems` stops a build."""
    return any(problem.severity == "error" for problem in problems)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean …" for the known word most like `word`, or nothing."""
    match = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean {match[0]!r}?" if match else ""


def shown(value: str, limit: int = 60) -> str:
    """Return `value` in quotes, cut to `limit` characters, controls written as escapes."""
    text = value if len(value) <= limit else value[: limit - 1] + "…"
    safe = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return f'"{safe}"'
