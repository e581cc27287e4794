"""The index of a site for a build: files, thresholds and lexicons, each taken from the last build when no
document it is made of has changed. A language at a time, so that no more than two are in memory.

What is in the files is `sharding`'s concern, what thresholds mean `calibrate`'s.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

from builder import calibrate, glossary, lexicon, payload, sharding, shelf
from builder.calibrate import Asked, Calibrated, LanguageOutcome, OperatorProbes
from builder.kept import Kept, key
from builder.payload import Part, PartEntry
from builder.problems import Problem
from builder.project import Project
from builder.shelf import Leaf
from cairn_core.calibration import Calibration
from cairn_core.config import Config
from cairn_core.index import Index, Passage, Shard, build_shard, check_index, file_name
from cairn_core.lexicon import Lexicon
from cairn_core.passage import DocumentRef
from cairn_core.shard import shard_to_json


@dataclass(frozen=True, slots=True)
class Head:
    """What pages load of a language before they ask it: its JSON with the placeholder, and that packed but
    for the build id (`payload.packed_body`). announced: what they know of it from the start, as JSON.
    """

    text: bytes
    body: bytes
    announced: bytes


@dataclass(frozen=True, slots=True)
class Brought:
    """A file that pages bring, packed under a key of what is kept."""

    entry: PartEntry
    packed: bytes


@dataclass(frozen=True, slots=True)
class Indexed:
    """The files of an index by the names of their parts, and its settings with thresholds.

    known: language -> what pages know of it from the start; none where there is one language only.
    """

    heads: Mapping[str, Head]
    known: Mapping[str, object]
    brought: Mapping[str, Brought]
    calibrated: Calibrated


@dataclass
class Indexer:
    """Makes the index of a project's documents."""

    project: Project
    leaves: Sequence[Leaf]
    kept: Kept
    tool: str
    _shards: dict[str, Shard] = field(default_factory=dict)

    def glossary_problems(self) -> Sequence[Problem]:
        """Return what is wrong with the glossaries, whose words must be those of the documents."""
        texts = list(glossary.texts(self.project.corpus_dir))
        if not texts:
            return ()
        entry = key(self.tool, "glossary", texts, self._keys)

        def made() -> object:
            passages = {lang: list(self._passages(lang)) for lang in self.languages}
            found = glossary.problems(self.project.corpus_dir, passages)
            return [list(asdict(one).values()) for one in found]

        return [Problem(*one) for one in self.kept.told(entry, made)]

    def run(self) -> Indexed:
        """Return the index. Raises `ProbeError` naming probes that fail, `Lost`."""
        operator = calibrate.operator_probes(self.project.corpus_dir)
        config = calibrate.config_of(self.project, self.languages)
        outcomes: list[LanguageOutcome] = []
        lexicons: dict[str, dict[str, Lexicon]] = {lang: {} for lang in self.languages}
        made: dict[str, tuple[Head, Mapping[str, Brought]]] = {}
        pairs = dict.fromkeys(lexicon.pairs(self.languages, self._hub)) if self._hub else {}
        for lang in sorted(self.languages, key=lambda lang: lang != self._hub):
            outcomes += self._outcome(lang, config, operator)
            for source, target in (pair for pair in pairs if lang in pair and lang != self._hub):
                lexicons[source] |= self._lexicon(source, target, operator)
            if lang != self._hub:
                made[lang] = self._head(lang, lexicons[lang], config)
        if self._hub in self.languages:
            made[self._hub] = self._head(self._hub, lexicons[self._hub], config)
        every = calibrate.with_borrowed(outcomes, self.languages, config)
        config = calibrate.with_thresholds(config, every)
        known = {lang: json.loads(made[lang][0].announced) for lang in self.languages}
        heads = {file_name(lang): made[lang][0] for lang in self.languages}
        brought = {name: one for lang in self.languages for name, one in made[lang][1].items()}
        across = tuple(
            (lang, other, found.calibration) for lang, own in lexicons.items() for other, found in own.items()
        )
        self._shards.clear()
        failures = self._failures(lexicons, config, operator)
        calibrated = Calibrated(config, every, across, failures)
        return Indexed(heads, known if len(known) > 1 else {}, brought, calibrated)

    @cached_property
    def _by_language(self) -> Mapping[str, list[Leaf]]:
        found: dict[str, list[Leaf]] = {}
        for leaf in sorted(self.leaves, key=lambda leaf: leaf.document.doc_id):
            found.setdefault(leaf.document.lang, []).append(leaf)
        return {lang: found[lang] for lang in sorted(found)}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that have a document, sorted."""
        return tuple(self._by_language)

    @cached_property
    def _keys(self) -> Mapping[str, bytes]:
        """Language -> the key of all its passages."""
        return {
            lang: key(self.tool, "language", lang, *(leaf.matter for leaf in leaves))
            for lang, leaves in self._by_language.items()
        }

    def _passages(self, lang: str) -> Iterator[Passage]:
        for leaf in self._by_language[lang]:
            yield from shelf.passages_of(leaf, self.kept)

    @cached_property
    def _hub(self) -> str:
        """The language that lexicons lead to and from; "" without lexicons."""
        config = self.project.config
        return config.default_lang if calibrate.uses_lexicons(config) else ""

    def _shard(self, lang: str) -> Shard:
        """Return a shard; that of the hub and the last one asked for are in memory."""
        if lang not in self._shards:
            self._shards = {own: held for own, held in self._shards.items() if own == self._hub}
            self._shards[lang] = build_shard(lang, self._passages(lang))
        return self._shards[lang]

    def _outcome(
        self, lang: str, config: Config, operator: Mapping[str, OperatorProbes]
    ) -> Iterator[LanguageOutcome]:
        if config.scorer != "evidence":
            return
        depends = config.near_miss, config.glossary.get(lang), operator.get(lang)

        def made() -> object:
            one = calibrate.outcome(lang, Index.of([self._shard(lang)]), config, operator)
            aside = [list(asdict(asked).values()) for asked in one.set_aside] if one else []
            return one and [one.calibration.to_json(), aside]

        told = self.kept.told(key(self._keys[lang], "thresholds", *depends), made)
        if told:
            set_aside = tuple(Asked(*asked) for asked in told[1])
            yield LanguageOutcome(lang, Calibration.from_json(told[0]), set_aside=set_aside)

    def _lexicon(
        self, source: str, target: str, operator: Mapping[str, OperatorProbes]
    ) -> Mapping[str, Lexicon]:
        if target in self._cuts or not self._lacking(source, target):  # as `lexicon.learnt` has it
            return {}
        hub, probes = self._hub, calibrate.to_refuse(source, operator)

        def made() -> object:
            index = Index.of([self._shard(source), self._shard(target)])
            found = lexicon.learnt(index, source, target, hub, probes)
            return found and found.to_json()

        entry = key(self._keys[source], self._keys[target], "lexicon", hub, probes)
        told = self.kept.told(entry, made)
        return {target: Lexicon.from_json(told, "lexicon")} if told else {}

    def _lacking(self, source: str, target: str) -> bool:
        """Tell whether a document of `target` does not exist in `source`."""
        there = {leaf.document.family for leaf in self._by_language[source] if leaf.count}
        return any(leaf.count and leaf.document.family not in there for leaf in self._by_language[target])

    def _head(
        self, lang: str, lexicons: Mapping[str, Lexicon], config: Config
    ) -> tuple[Head, dict[str, Brought]]:
        lexicons = {other: found for other, found in lexicons.items() if other not in self._cuts}
        plain = {other: one.to_json() for other, one in lexicons.items()}
        depends = config.scorer, lang in config.glossary, plain, self._elsewhere(lang)
        entry = key(self._keys[lang], "head", *depends)
        parts = [key(entry, part) for part in ("text", "body", "announced", "brought")]
        known = [self.kept.get(one) for one in parts]
        if None in known or not all(
            self.kept.holds(key(entry, name)) for name in json.loads(known[-1] or b"[]")
        ):
            known = self._made_head(lang, lexicons, config, entry)
            for one, data in zip(parts, known, strict=True):
                self.kept.put(one, data or b"")
        text, body, announced, brought = (data or b"" for data in known)
        return Head(text, body, announced), {
            name: Brought(PartEntry(*fields), key(entry, name))
            for name, fields in json.loads(brought).items()
        }

    def _made_head(
        self, lang: str, lexicons: Mapping[str, Lexicon], config: Config, entry: bytes
    ) -> list[bytes | None]:
        """Return the text of a head, that packed, what is announced, and the files brought, all kept."""
        brought: dict[str, list[object]] = {}
        passages: Sequence[Passage] = ()
        if lang in self._cuts:
            shard = self._shard(lang)
            shard = replace(shard, lexicons=lexicons) if lexicons else shard

            def take(name: str, data: bytes) -> None:
                part = Part.of(name, data)
                self.kept.put(key(entry, name), part.gz)
                brought[name] = list(asdict(part.entry).values())

            made = sharding.split(shard, self._linked, self._cuts[lang], config, payload.PLACEHOLDER)
            text = sharding.taken(made, take)
        else:
            passages = self._linked(tuple(self._passages(lang)))
            text = shard_to_json(lang, passages, lexicons, payload.PLACEHOLDER)
        data = text.encode()
        check_index(data)  # as a page opens it
        known = sharding.known_of(self._shard(lang), passages)
        return [
            data,
            payload.packed_body(data),
            payload.canonical(known).encode(),
            payload.canonical(brought).encode(),
        ]

    @cached_property
    def _cuts(self) -> Mapping[str, list[int]]:
        """Language that is cut -> how many documents each file has."""
        held = {lang: [leaf for leaf in leaves if leaf.count] for lang, leaves in self._by_language.items()}
        return {
            lang: sharding.cut(leaf.size for leaf in leaves)
            for lang, leaves in held.items()
            if sum(leaf.count for leaf in leaves) > sharding.ABOVE
        }

    @cached_property
    def _parts(self) -> Mapping[str, int]:
        return {
            leaf.document.doc_id: number
            for lang, own in self._cuts.items()
            for leaf, number in zip(
                (leaf for leaf in self._by_language[lang] if leaf.count), sharding.numbers(own), strict=True
            )
        }

    @cached_property
    def _families(self) -> Mapping[str, list[DocumentRef]]:
        found: dict[str, list[DocumentRef]] = {}
        for leaf in self.leaves if self._cuts else ():
            if leaf.count:
                found.setdefault(leaf.document.family, []).append(leaf.reference)
        return found

    def _translations(self, document: DocumentRef) -> Sequence[DocumentRef]:
        others = (one for one in self._families.get(document.family, ()) if one.lang != document.lang)
        return sorted(others, key=lambda one: (one.lang, one.doc_id))

    def _linked(self, passages: Sequence[Passage]) -> Sequence[Passage]:
        return sharding.linked(passages, self._translations, self._parts) if self._cuts else passages

    def _elsewhere(self, lang: str) -> bytes:
        """Return a key of all that a language's files say of translations."""
        if not self._cuts:
            return b""
        refs = (leaf.reference for leaf in self._by_language[lang])
        return key(
            *((ref, *((one, self._parts.get(one.doc_id)) for one in self._translations(ref))) for ref in refs)
        )

    def _failures(
        self,
        lexicons: Mapping[str, Mapping[str, Lexicon]],
        config: Config,
        operator: Mapping[str, OperatorProbes],
    ) -> tuple[calibrate.Failure, ...]:
        """Return the operator's questions that fail; they are asked of the whole index at once."""
        if not any(one.answer or one.refuse for one in operator.values()):
            return ()

        def made() -> object:
            shards = (build_shard(lang, self._passages(lang)) for lang in self.languages)
            index = Index.of(replace(shard, lexicons=lexicons[shard.lang]) for shard in shards)
            return [list(asdict(one).values()) for one in calibrate.failures(index, config, operator)]

        known = {lang: {other: one.to_json() for other, one in own.items()} for lang, own in lexicons.items()}
        told = self.kept.told(key("probes", self._keys, known, config, operator), made)
        return tuple(calibrate.Failure(*one) for one in told)
