"""Human words in markup: catalogue messages and operators' lines, escaped, language and direction marked.

A page whose language has no catalogue is worded by the one that stands in for it; `attrs` then says which. A
message that a begun catalogue lacks says so itself.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from cairn_core.language import FALLBACK, Catalogue, Run, catalogue, direction, runs

SCRIPT_MESSAGES = ("answer.", "ask.", "boot.", "date.", "error.", "refusal.advice", "refusal.nearby")
"""Groups of messages the ask page hands to its scripts."""

FIND_MESSAGES = ("find.",)
VERIFY_MESSAGES = ("verify.", "error.mixed", "error.damaged", "error.missing")
MAY_LACK = ("doc.", "footer.", "no_js.", "panel.", "print.")
"""Groups of messages that are elements of pages, `doc.passage` aside: those a begun catalogue may lack."""

PHONE_DIGITS = 6
"""A number of so many digits is one to call, and is shown large; shorter ones are hours and counts."""

_FIRST_SLOT = 0xE000  # private use: stands for a value while a message is escaped


@dataclass(frozen=True, slots=True)
class Said:
    """Text of a page and the attributes of the element it stands in: empty, or ` lang="…" dir="…"`."""

    text: str
    attrs: Markup


class Wording:
    """The messages of one page language, as templates call them: `t(key, **values)` and `t.count(key, n)`."""

    def __init__(self, lang: str, own: Catalogue | None = None) -> None:
        """Take the messages of a language, or `own` in their place."""
        self._catalogue = own or catalogue(lang)
        stands_in = self._catalogue.code not in (lang, lang.partition("-")[0])
        self.attrs = attributes(self._catalogue.code) if stands_in else Markup("")
        self._plain: dict[str, Markup] = {}

    def __call__(self, key: str, **values: str) -> Markup:
        """Return a message with each value escaped, unless it is markup already."""
        if values:
            return self._filled(key, values)
        if key not in self._plain:
            self._plain[key] = self._said(key, escape(self._catalogue.text(key)))
        return self._plain[key]

    def _said(self, key: str, text: Markup) -> Markup:
        """Return a message, marked when it is one of the fallback language."""
        if key not in self._catalogue.lacking:
            return text
        return Markup("<span{}>{}</span>").format(attributes(FALLBACK), text)

    def _filled(self, key: str, values: Mapping[str, str]) -> Markup:
        slots = {name: chr(_FIRST_SLOT + number) for number, name in enumerate(values)}
        message = str(escape(self._catalogue.text(key, **slots)))
        for name, slot in slots.items():
            message = message.replace(slot, str(escape(values[name])))
        return self._said(key, Markup(message))  # noqa: S704 - every part was escaped above

    def plain(self, key: str) -> str:
        """Return a message as text, for data that scripts read."""
        return self._catalogue.text(key)

    def count(self, key: str, number: int) -> Markup:
        """Return the plural form of a message for `number`."""
        return self._said(key, escape(self._catalogue.count(key, number)))

    def date(self, day: str) -> Markup:
        """Return a day, given as YYYY-MM-DD, as readers write it."""
        year, month, number = day.split("-")
        long = self("date.pattern", day=str(int(number)), month=self(f"date.month.{int(month)}"), year=year)
        return Markup('<time datetime="{}">{}</time>').format(day, long)

    def names(self, languages: Sequence[str]) -> str:
        """Return the names of languages in one line."""
        return str(self("list.separator")).join(self._catalogue.language_name(lang) for lang in languages)

    def for_scripts(self, groups: tuple[str, ...] = SCRIPT_MESSAGES) -> dict[str, str]:
        """Return the messages of a page's scripts, unfilled; a plural form is `key.form`."""
        messages: dict[str, str] = {}
        for key, message in self._catalogue.messages.items():
            if key.startswith(groups):
                forms = {"": message} if isinstance(message, str) else message
                messages |= {f"{key}.{form}".rstrip("."): text for form, text in forms.items()}
        return messages


def attributes(lang: str) -> Markup:
    """Return ` lang="…" dir="…"` for text of `lang`."""
    return Markup(' lang="{}" dir="{}"').format(lang, direction(lang))


def isolate(text: str) -> Markup:
    """Return an id, date or number that must keep its order in text of any direction."""
    return Markup('<bdi dir="ltr">{}</bdi>').format(text)


def shown_build(build: str) -> Markup:
    """Return the build id in the one form `payload` puts the final id into."""
    return Markup('<bdi class="build" dir="ltr">{}</bdi>').format(build)


def isolated(text: str) -> Markup:
    """Return text, unchanged, with its phone numbers, addresses and URLs isolated left to right."""
    return Markup("").join(map(_run, runs(text)))


def reference(source: str) -> Markup:
    """Return where a document comes from: a link when it is one, else text."""
    if source.startswith(("https://", "http://")):
        return Markup('<a href="{0}" rel="noreferrer"><bdi dir="ltr">{0}</bdi></a>').format(source)
    return isolated(source)


def said(table: Mapping[str, str], lang: str, text: str) -> Said:
    """Return an operator's text for readers of `lang`, marked when `table` has it in another language."""
    if table.get(lang) == text:
        return Said(text, Markup(""))
    origin = next((code for code in sorted(table) if table[code] == text), None)
    return Said(text, attributes(origin) if origin else Markup(' dir="auto"'))


def page_data(words: Wording, lang: str, root: str, more: Mapping[str, object]) -> Markup:
    """Return the ask page's data block (`PageData` of web/js/types.d.ts), safe inside a script element."""
    data = {"lang": lang, "messages": words.for_scripts(), "root": root, **more}
    return _block(data)


def find_data(words: Wording, lang: str) -> Markup:
    """Return the data block of the pages on which titles are found (`FindData` of web/js/types.d.ts)."""
    return _block({"lang": lang, "messages": words.for_scripts(FIND_MESSAGES)})


def verify_data(words: Wording, lang: str, root: str) -> Markup:
    """Return the data block of the page that checks a copy (`VerifyData` of web/js/types.d.ts)."""
    return _block({"lang": lang, "messages": words.for_scripts(VERIFY_MESSAGES), "root": root})


def _block(data: Mapping[str, object]) -> Markup:
    plain = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return Markup(plain.replace("<", "\\u003c"))  # noqa: S704 - no "<" is left to end the element


def _run(run: Run) -> Markup:
    if not run.ltr:
        return escape(run.text)
    is_phone = sum(map(str.isdigit, run.text)) >= PHONE_DIGITS and not any(map(str.isalpha, run.text))
    return Markup('<bdi dir="ltr" class="phone">{}</bdi>').format(run.text) if is_phone else isolate(run.text)
