"""The build, from a corpus folder to a site in place: `build` reads top to bottom.

Pages, parts and checks are made elsewhere; here they are put in order, written aside and swapped in. A build
that fails leaves the site that was there.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from builder import anchors, calibrate, packing, payload, published, sharding, signing, snapshot
from builder.bundle import EngineParts, engine_parts
from builder.check import PageFacts, SiteCheck, examined
from builder.corpus import contact_checked, read
from builder.drafts import Draft, drafts
from builder.frame import PlacedDocument, SiteModel
from builder.kept import Kept, folder_of, key, tool
from builder.pages import STATIC, WEB, Page, script_sources, static_files
from builder.payload import Asset, Manifest, Part, PartEntry
from builder.problems import Problem
from builder.project import Project
from builder.readsite import extra_files
from builder.rendering import Rendering, render_all
from builder.swap import Target, check_target, exclusive, swap, write_errors
from builder.urls import document_urls
from builder.writer import Writer
from cairn_core.errors import CairnError
from cairn_core.index import Index, build_shard

NO_ENGINE = EngineParts({}, {}, "", "")
BOOTS: Mapping[str, str] = {"snapshot": snapshot.NAME, "bytecode": "stdlib.zip"}
"""What the engine can start from -> the part that must be there, in the order in which pages try them."""
DAMAGED = "what the last build kept was damaged; those pages were made anew"


class Track(Protocol):
    """Wraps the items of a stage so that a progress bar can follow them."""

    def __call__[T](self, items: Iterable[T], stage: str, total: int, /) -> Iterable[T]:
        """Yield the items as they are."""


def untracked[T](items: Iterable[T], stage: str, total: int, /) -> Iterable[T]:
    """Follow nothing."""
    return items


class OwnOutputError(CairnError):
    """The pages a build made contradict themselves: a fault of Cairn, not of the corpus."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to build: `cache` keeps engine and pages; pages without `engine` cannot answer (tests);
    `precompress` writes siblings for hosts; `sign` is the key's file; `fresh` makes every page anew."""

    cache: Path
    engine: bool = True
    track: Track = untracked
    precompress: bool = False
    sign: Path | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made; `contents`: of each page the hash of what it says, which other pages and the build
    id leave alone; `passages` by language, sizes in bytes on disk.

    `boot`: what the engine starts from, "" without an engine; `note`: why not from what was asked for, and
    what else came up; `reused`: pages taken from the last build.
    """

    out: Path
    build: str
    documents: int
    contents: Mapping[str, str]
    passages: Mapping[str, int]
    site_bytes: int
    engine_bytes: int
    index_bytes: int
    boot: str
    warnings: tuple[Problem, ...]
    note: str = ""
    reused: int = 0


@dataclass(frozen=True, slots=True)
class Content:
    """What the corpus gives: documents with their place in the site, and its parts with the placeholder.

    `brought`: parts of large languages that pages load when a question needs them; without a build id.
    """

    model: SiteModel
    parts: Mapping[str, bytes]
    brought: Mapping[str, bytes]
    rendering: Rendering
    warnings: tuple[Problem, ...]


def default_cache() -> Path:
    """Return where the engine is kept between builds: in the checkout, else in the user's cache folder."""
    if (WEB.parent / "pyproject.toml").is_file():
        return WEB.parent / ".cache"
    named = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "cairn"


def build(project: Project, out: Path, options: Options) -> BuildReport:
    """Build the site of a project into a folder and report.

    Raises `TargetError`, `BusyError`, `WriteError`, `CorpusProblems` and the other children of `CairnError`.
    """
    if options.sign:
        signing.private_key(options.sign)  # what is wrong with it is told before anything is made
    target = Target.of(out)
    check_target(target, project.corpus_dir)
    with write_errors(target), exclusive(target) as aside:
        content = _content(project, options.track)
        engine = engine_parts(options.cache, project.boot) if options.engine else NO_ENGINE
        writer = Writer(aside)
        kept = Kept(folder_of(options.cache, out), "pages", fresh=options.fresh)
        with closing(kept):
            manifest = _write(content, engine, options, writer, kept)
            swap(target)
            kept.save()
    unsaved = anchors.save(content.rendering.ledger, project.anchors)
    note = "; ".join(filter(None, (engine.note, DAMAGED if kept.damaged else "")))
    return replace(_report(content, manifest, writer, out, unsaved), note=note, reused=kept.reused)


def _content(project: Project, track: Track) -> Content:
    corpus = contact_checked(read(project))
    rendering = render_all(corpus, lambda documents: track(documents, "documents", len(corpus.documents)))
    urls = document_urls((one.doc_id, one.family, one.lang) for one in corpus.documents)
    placed = tuple(
        PlacedDocument(one, rendering.documents[one.doc_id], urls[one.doc_id]) for one in corpus.documents
    )
    index = Index.of(build_shard(lang, passages) for lang, passages in rendering.passages.items())
    index = calibrate.with_lexicons(index, project)
    calibrated = calibrate.settled(index, project)
    shards = sharding.files(index, calibrated.config, payload.PLACEHOLDER)
    site = {
        "format": payload.FORMAT,
        "build": payload.PLACEHOLDER,
        "config": calibrated.config.to_json(),
        "languages": [*index.shards],
    }
    parts = {"site.json": payload.canonical(site), **shards.heads}
    return Content(
        model=SiteModel(project, payload.PLACEHOLDER, corpus.language_codes, placed, rendering.outdated),
        parts={name: text.encode() for name, text in parts.items()},
        brought=shards.brought,
        rendering=rendering,
        warnings=(*rendering.warnings, *calibrate.warnings(calibrated, project)),
    )


def _write(content: Content, engine: EngineParts, options: Options, writer: Writer, kept: Kept) -> Manifest:
    """Write every file of the site and check the pages."""
    check = SiteCheck()
    for draft in options.track(drafts(content.model), "pages", len(content.model.documents)):
        page, facts = _page(draft, kept)
        check.take(page.url, facts)
        writer.page(Asset(page.url, page.html.encode()))
    _write_plain(content, engine, writer)
    parts = {**content.parts, **content.brought, **engine.parts}
    build_id = payload.build_id({**writer.digests, **_digests(parts)}.items())
    _seal(check, writer, build_id, options.track)
    sealed = {name: payload.seal_json(text, build_id) for name, text in content.parts.items()}
    check.index(sealed)
    for script in (name for name in engine.parts if name.endswith(".js")):
        writer.file(payload.page_script(script, engine.parts[script]))
    entries = _write_parts(_parts(sealed, engine, options.cache), writer)
    listed = _write_parts(sharding.listed(content.brought), writer)
    entries |= {name: entry for name, entry in listed.items() if not sharding.is_listed(name)}
    scripts = {name: payload.digest(text) for name, text in script_sources().items()}
    manifest = Manifest(build_id, engine.version, entries, {}, scripts)
    writer.file(manifest.script())
    writer.file(payload.file_list(build_id, writer.digests))
    if options.precompress:
        _write_siblings(writer, options)
    manifest = replace(manifest, files=dict(writer.digests))
    writer.file(manifest.asset())
    if options.sign:
        writer.file(signing.signature(signing.private_key(options.sign), manifest.asset().data))
    faults = [*check.finish(writer.digests), *extra_files(writer.root, manifest)]
    if faults:
        raise OwnOutputError(
            f"the pages contradict themselves: {faults[0]}", "report this as a fault of Cairn"
        )
    return manifest


def _write_parts(parts: Iterable[Part], writer: Writer) -> dict[str, PartEntry]:
    entries: dict[str, PartEntry] = {}
    for part in parts:
        for asset in part.assets():
            writer.file(asset)
        entries[part.name] = part.entry
    return entries


def _fixed(project: Project) -> Iterator[Asset]:
    """Yield the files that pages refer to and that no document decides."""
    for url, data in static_files(project.kiosk):
        yield Asset(url, data)


def _write_plain(content: Content, engine: EngineParts, writer: Writer) -> None:
    """Write what stands beside the pages."""
    for asset in _fixed(content.model.project):
        writer.file(asset)
    if content.model.project.public_url:
        writer.file(Asset(published.SITEMAP, published.sitemap(content.model)))
    for url, data in engine.licences.items():
        writer.file(Asset(url, data))
    for picture in content.rendering.pictures:
        writer.file(Asset(picture.url, picture.data))


def _page(draft: Draft, kept: Kept) -> tuple[Page, PageFacts]:
    """Return a page with its facts, from the last build when nothing it depends on has changed."""
    entry = key(tool(WEB), draft.url, *draft.inputs)
    match kept.get(entry):
        case {"html": str(html), "ids": list(ids), "links": list(links)}:
            return Page(draft.url, html), PageFacts(tuple(ids), tuple((one, other) for one, other in links))
    page = draft.make()
    facts = examined(page.html, draft.document.rendered.passages if draft.document else ())
    if not facts.faults:
        kept.put(entry, {"html": page.html, "ids": facts.ids, "links": facts.links})
    return page, facts


def _seal(check: SiteCheck, writer: Writer, build_id: str, track: Track) -> None:
    """Put the build id into the pages as they are on disk; style sheets are looked at as they are there."""
    for _ in track(writer.seal(build_id), "check", len(writer.pages)):
        pass
    for url in STATIC:
        if url.endswith(".css"):
            check.stylesheet(url, (writer.root / url).read_text(encoding="utf-8"))


def _digests(parts: Mapping[str, bytes]) -> dict[str, str]:
    return {f"part {name}": payload.digest(data) for name, data in parts.items()}


def _parts(own: Mapping[str, bytes], engine: EngineParts, cache: Path) -> Iterator[Part]:
    for name, data in own.items():
        yield Part.of(name, data)
    for name, data in engine.parts.items():
        yield Part.of(name, data, packing.packed(data, "gz", cache))


def _write_siblings(writer: Writer, options: Options) -> None:
    """Of two things to start from, the second is for browsers that take no brotli, or seldom used."""
    starts = [f"assets/parts/{part}.gz" for part in BOOTS.values()]
    seldom = [url for url in starts if url in writer.digests][1:]
    urls = [url for url in writer.digests if url not in seldom]
    for url in options.track(urls, "compress", len(urls)):
        for asset in packing.siblings(Asset(url, (writer.root / url).read_bytes()), options.cache):
            writer.file(asset)


def _report(
    content: Content, manifest: Manifest, writer: Writer, out: Path, unsaved: list[Problem]
) -> BuildReport:
    documents = content.model.documents
    return BuildReport(
        out=out,
        build=manifest.build,
        documents=len(documents),
        contents=dict(writer.pages),
        passages={lang: len(passages) for lang, passages in content.rendering.passages.items()},
        site_bytes=sum(writer.sizes.values()),
        engine_bytes=_size(writer, {*manifest.parts} - {*content.parts, *_languages(manifest)}),
        index_bytes=_size(writer, [*content.parts, *content.brought]),
        boot=_boot(manifest),
        warnings=(*content.warnings, *unsaved),
    )


def _languages(manifest: Manifest) -> list[str]:
    """Return the parts that list the files of a language."""
    return [name for name in manifest.parts if name.startswith("shards/")]


def _size(writer: Writer, parts: Iterable[str]) -> int:
    return sum(writer.sizes[f"assets/parts/{name}.{form}"] for name in parts for form in ("gz", "js"))


def _boot(manifest: Manifest) -> str:
    """Return what the engine of a site starts from, as the pages decide it."""
    return next((boot for boot, part in BOOTS.items() if part in manifest.parts), "")
