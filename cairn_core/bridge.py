"""The engine as JSON text in, JSON text out: what the page's worker calls.

Request   {"question": str, "lang": str | null, "interface": str | null,
           "literal": bool}                              optional; true: search the words as typed

Response  {"format": 1,
           "lang": str, "dir": "ltr" | "rtl",            language and direction of every message below
           "answer": {"kind": "grounded" | "refusal", "grounded": bool, "text": str, "cited_text": str,
                      "lang": str, "dir": str, "notice": str | null,
                      "sources": [{"id", "title", "lang", "dir", "text", "url", "section", "layout",
                                   "reviewed"}]},        all str
           "heading": str,                               of the answer card
           "status": str,                                for the live region
           "urgent": {"lang", "dir", "heading": str,     urgent help the question calls up, or null
                      "text": [[str, bool]], "contact": [[str, bool]]} | null,
           "notice": str | null,                         equal to answer.notice
           "runs": [[str, bool]],                        answer.text of a refusal; true: isolate left to right
           "contact": [[str, bool]],                     the human contact in the same form
           "lines": [[[[[str, bool]]]]],                 each source: lines of cells, in the same form
           "marks": [{"matched": [[int, int]],           each source: spans of its text in code points, the
                      "sentence": [int, int] | null}],   words that match and the sentence with most of them
           "why": {"heading": str, "reasons": [[[str, bool]]]},   in sentences, each in the form of runs
           "nearest": [str],                             of a refusal: ids of the documents that came closest
           "translations": [{"source": str,              id of a quoted source that has translations
                             "links": [{"lang", "dir", "endonym", "title", "url"}]}],
           "detection": {"lang": str, "basis": str, "coverage": number},
           "trace": {"lang": str | null, "threshold": number,
                     "basis": str,                       "" or how it was found across languages
                     "calibration": {"threshold", "probes", "alpha", "realised", "set_aside",
                                     "origin"} | null,      as in `calibration`
                     "near_miss": {"probability", "limit"} | null,   of strict mode; a near miss is refused
                     "candidates": [{"id", "score", "accepted", "matched": [str],
                                     "shares": [[str, number]]}],   what the score adds up from
                     "matched": [str], "ignored": [str], "unmatched": [str]},
           "corrections": [[str, str]],                  words as typed, and as they were searched
           "expansions": [[str, [str]]],                 phrases of the glossary, and what was searched too
           "disclosures": [[[str, bool]]],               both in sentences, each in the form of runs
           "cut": bool}                                  whether only the beginning of the question was read

Need      {"format": 1, "need": [str]}                  files of the index to give before it is asked again

Error     {"format": 1, "error": {"code": "request" | "language" | "damaged", "detail": str}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cairn_core import across
from cairn_core.announced import Announced, all_announced, announced
from cairn_core.answer import Answer
from cairn_core.calibration import Calibration
from cairn_core.config import Config
from cairn_core.emphasis import emphasis
from cairn_core.engine import Result, ask
from cairn_core.errors import ConfigError, IndexFormatError, MixedBuildsError
from cairn_core.forgetting import forget
from cairn_core.index import AnyShard, Index, file_name, read_shard
from cairn_core.jsontext import read_object, require, to_canonical_json
from cairn_core.language import catalogue, direction, endonym, runs
from cairn_core.parts import PartsNeeded
from cairn_core.reasons import nearest, reasons
from cairn_core.retrieve import Trace

FORMAT = 1  # of requests, responses and the description of a site


@dataclass(slots=True)
class Session:
    """One opened site, ready for questions; `index` grows when shards are given."""

    index: Index
    config: Config
    build: str

    def prepare(self) -> bool:
        """Count one more language that is there for the evidence scorer; tell whether another is left.

        A question counts its language itself if need be. Between two calls questions can be asked.
        """
        if self.config.scorer != "evidence":
            return False
        first = self.config.default_lang
        left = [shard for shard in self.index.whole.values() if not shard.counted]
        left.sort(key=lambda shard: (shard.lang != first, shard.lang))
        if left:
            _ = left[0].statistics
        return len(left) > 1

    def forget(self) -> None:
        """Drop the words of earlier questions."""
        forget(self.index)

    def ask(self, request_json: str) -> str:
        """The response to a request, both as in the module's docstring; a request never raises."""
        try:
            asked = _request(request_json)
        except IndexFormatError as error:
            return _error("request", error.message)
        try:
            result = ask(
                asked.question,
                self.index,
                self.config,
                lang=asked.lang,
                interface=asked.interface,
                literal=asked.literal,
            )
            response = respond(result, self.index, self.config)
        except ConfigError as error:
            return _error("language", error.message)
        except IndexFormatError as error:
            return _error("damaged", str(error))
        except PartsNeeded as needed:
            return to_canonical_json({"format": FORMAT, "need": list(needed.names)})
        for shard in self.index.split.values():
            shard.files.held.trim()
        return to_canonical_json(response)

    def give(self, name: str, data: bytes) -> str:
        """Take a file that a response named as needed, or the shard of a language before it is needed.

        Return "" or why it cannot be used. Never raises.
        """
        try:
            known = self._takes(name, data) or any(
                shard.files.give(name, data) for shard in self.index.split.values()
            )
        except IndexFormatError as error:
            return str(error)
        return "" if known else f"{name}: it is not of this site"

    def _takes(self, name: str, data: bytes) -> bool:
        """Take a shard, one that is there already only once; tell whether it is one."""
        lang = next((lang for lang in self.index.language_codes if file_name(lang) == name), None)
        if lang in self.index.announced:
            shard = read_shard(data)
            require(shard.lang == lang, f'it is of "{shard.lang}"', name)
            _require_sound(shard, self.build, self.index.announced)
            self.index = self.index.with_shard(shard)
        return lang is not None

    def read_from(self, source: Callable[[str], bytes]) -> None:
        """Take needed files from `source` at once instead of naming them."""
        for shard in self.index.split.values():
            shard.files.source = source


def open_session(site_json: str | bytes, shards: Sequence[str | bytes]) -> Session:
    """The session of a built site: {"format": 1, "build", "config": Config.to_json(), "languages": [codes],
    "known": {code: Announced.to_json()}}, the last optional.

    shards: those of some languages, if the others are announced. Raises IndexFormatError for a damaged part
    and MixedBuildsError for parts of different builds.
    """
    site = read_object(site_json, "site")
    build, languages = site.get("build"), site.get("languages")
    if site.get("format") != FORMAT or not isinstance(build, str) or not isinstance(languages, list):
        raise IndexFormatError("the site description is damaged", "build the site again", "site")
    try:
        config = Config.from_json(site.get("config"))
    except ConfigError as error:
        raise IndexFormatError(error.message, "build the site again", "site.config") from error
    known = all_announced(site.get("known"))
    index = Index.of(map(read_shard, shards), known)
    for shard in index.shards.held.values():
        _require_sound(shard, build, known)
    if sorted(index.language_codes) != sorted(languages, key=str):
        raise IndexFormatError(
            "a language of the site has no index", "copy the whole site again", "site.languages"
        )
    return Session(index, config, build)


def _require_sound(shard: AnyShard, build: str, known: Mapping[str, Announced]) -> None:
    """Raise IndexFormatError unless a shard is of this build and what was announced."""
    if shard.build != build:
        raise MixedBuildsError(
            "the index is of another build than the page", "copy the whole site again", "site.build"
        )
    expected = known.get(shard.lang)
    made = announced(shard.lang, shard.vocabulary, shard.documents)
    as_announced = expected is None or expected.to_json() == made.to_json()
    require(as_announced, "the site announces something else", f"site.known.{shard.lang}")


def respond(result: Result, index: Index, config: Config) -> dict[str, object]:
    """The response of the module's docstring as plain JSON values."""
    answer, messages = result.answer, catalogue(result.detection.lang)
    if answer.grounded:
        heading = messages.count("answer.heading", len(answer.sources))
        status = messages.text("answer.status", title=answer.sources[0].title)
    else:
        heading = messages.text("refusal.heading")
        status = messages.text("refusal.status")
    return {
        "format": FORMAT,
        "lang": messages.code,
        "dir": messages.direction,
        "answer": answer.to_payload(),
        "heading": heading,
        "status": " ".join((*_urgent_status(result), *result.disclosures, status)),
        "urgent": _urgent(result, config),
        "notice": answer.notice,
        "runs": [] if answer.grounded else _runs(answer.text),
        "contact": _runs(config.contact_for(result.detection.lang)),
        "lines": [_lines(source.text) for source in answer.sources],
        "marks": _marks(answer),
        "why": {
            "heading": messages.text("why.answer" if answer.grounded else "why.refusal"),
            "reasons": [_runs(sentence) for sentence in reasons(result, index)],
        },
        "nearest": list(nearest(result)),
        "translations": _translations(answer, index, result.detection.lang),
        "detection": {
            "lang": result.detection.lang,
            "basis": result.detection.basis,
            "coverage": result.detection.coverage,
        },
        "trace": _trace(
            answer.trace, across.calibration_of(answer.trace, result.detection.lang, index, config)
        ),
        "corrections": [list(pair) for pair in result.reworded.corrections],
        "expansions": [[one.phrase, list(one.words)] for one in result.reworded.expansions],
        "disclosures": [_runs(sentence) for sentence in result.disclosures],
        "cut": result.cut,
    }


def _runs(text: str) -> list[list[object]]:
    return [[run.text, run.ltr] for run in runs(text)]


def _lines(text: str) -> list[list[list[list[object]]]]:
    return [[_runs(cell) for cell in line.split("\t")] for line in text.split("\n")]


def _marks(answer: Answer) -> list[dict[str, object]]:
    candidates = {one.passage.passage_id: one for one in answer.trace.candidates}
    found = [emphasis(candidates[source.source_id], answer.trace) for source in answer.sources]
    return [
        {"matched": [list(span) for span in one.matched], "sentence": one.sentence and list(one.sentence)}
        for one in found
    ]


def _urgent(result: Result, config: Config) -> dict[str, object] | None:
    if not result.urgent:
        return None
    own = config.urgent[result.urgent]
    return {
        "lang": result.urgent,
        "dir": direction(result.urgent),
        "heading": catalogue(result.urgent).text("urgent.heading"),
        "text": _runs(own.text),
        "contact": _runs(own.contact),
    }


def _urgent_status(result: Result) -> list[str]:
    return [catalogue(result.detection.lang).text("urgent.status")] if result.urgent else []


def _translations(answer: Answer, index: Index, lang: str) -> list[dict[str, object]]:
    """The translations of each quoted document, the asker's language first."""
    documents = {c.passage.passage_id: c.passage.document for c in answer.trace.accepted}
    found: list[dict[str, object]] = []
    for source in answer.sources:
        others = sorted(
            index.translations(documents[source.source_id]),
            key=lambda document: (document.lang != lang, document.lang),
        )
        links = [
            {
                "lang": other.lang,
                "dir": direction(other.lang),
                "endonym": endonym(other.lang),
                "title": other.title,
                "url": other.url,
            }
            for other in others
        ]
        if links:
            found.append({"source": source.source_id, "links": links})
    return found


def _trace(trace: Trace, calibration: Calibration | None) -> dict[str, object]:
    return {
        "lang": trace.lang,
        "basis": trace.basis,
        "threshold": trace.threshold,
        "calibration": calibration.to_json() if calibration else None,
        "near_miss": {"probability": trace.near_miss.probability, "limit": trace.near_miss.limit}
        if trace.near_miss
        else None,
        "candidates": [
            {
                "id": candidate.passage.passage_id,
                "score": candidate.score,
                "accepted": candidate.accepted,
                "matched": list(candidate.matched),
                "shares": [[name, share] for name, share in candidate.shares],
            }
            for candidate in trace.candidates
        ],
        "matched": list(trace.matched),
        "ignored": list(trace.ignored),
        "unmatched": list(trace.unmatched),
    }


@dataclass(frozen=True, slots=True)
class _Request:
    question: str
    lang: str | None
    interface: str | None
    literal: bool


def _request(request_json: str) -> _Request:
    plain = read_object(request_json, "request")
    question, lang, interface = plain.get("question"), plain.get("lang"), plain.get("interface")
    literal = plain.get("literal", False)
    if not isinstance(question, str):
        raise IndexFormatError("the question is not text")
    if not (lang is None or isinstance(lang, str)) or not (interface is None or isinstance(interface, str)):
        raise IndexFormatError("a language is neither text nor null")
    if not isinstance(literal, bool):
        raise IndexFormatError("literal is neither true nor false")
    return _Request(question, lang, interface, literal)


def _error(code: str, detail: str) -> str:
    return to_canonical_json({"format": FORMAT, "error": {"code": code, "detail": detail}})
