"""The build, from a corpus folder to a site in place: `build` reads top to bottom.

Pages, parts and checks are made elsewhere; here they are put in order, written aside and swapped in. A build
that fails leaves the site that was there.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from builder import (
    anchors,
    calibrate,
    indexing,
    packing,
    payload,
    published,
    renewal,
    sharding,
    signing,
    snapshot,
)
from builder.anchors import Ledger
from builder.bundle import EngineParts, engine_parts
from builder.check import SiteCheck
from builder.frame import PlacedDocument, SiteModel
from builder.images import Picture
from builder.indexing import Indexed, Indexer, Lost
from builder.kept import Kept, folder_of, key, tool
from builder.making import Pages, Waiting
from builder.pages import KIOSK_STYLE, STATIC, WEB, script_sources, static_file
from builder.payload import Asset, Manifest, Part, PartEntry
from builder.problems import CorpusProblems, Problem, has_errors
from builder.project import Project
from builder.readsite import extra_files
from builder.rendering import compared
from builder.shelf import Leaf
from builder.swap import Target, check_target, emptied, exclusive, swap, write_errors
from builder.workers import Workers, workers
from builder.writer import Writer
from cairn_core.errors import CairnError

NO_ENGINE = EngineParts({}, {}, "", "")
BOOTS: Mapping[str, str] = {"snapshot": snapshot.NAME, "bytecode": "stdlib.zip"}
"""What the engine can start from -> the part that must be there, in the order in which pages try them."""
DAMAGED = "what the last build kept was damaged; it was made anew"


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
    """How to build: `cache` keeps engine, documents and pages; pages without `engine` cannot answer (tests);
    `precompress` writes siblings for hosts; `sign` is the key's file; `fresh` makes everything anew; `jobs`
    is how many processes to use, 0 for one a core; `executor` the address of a cluster to use instead.
    """

    cache: Path
    engine: bool = True
    track: Track = untracked
    precompress: bool = False
    sign: Path | None = None
    fresh: bool = False
    jobs: int = 0
    executor: str = ""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made; `passages` by language, sizes in bytes on disk.

    `boot`: what the engine starts from, "" without an engine; `note`: why not from what was asked for, and
    what else came up; `reused`: pages taken from the last build.
    """

    out: Path
    build: str
    documents: int
    pages: int
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
    """What the corpus gives: documents with their place in the site, its pages, and its parts with the
    placeholder.
    """

    model: SiteModel
    leaves: tuple[Leaf, ...]
    ledger: Ledger
    pages: tuple[Waiting, ...]
    made: int
    settings: bytes
    index: Indexed
    warnings: tuple[Problem, ...]
    check: SiteCheck

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """Return the images to publish, by URL."""
        found = {url: one for leaf in self.leaves for url, one in leaf.rendered.found.pictures.items()}
        return {url: found[url] for url in sorted(found)}


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
    helpers = workers(options.jobs, options.executor, partial(tool, WEB))
    with closing(helpers), write_errors(target), exclusive(target):
        try:
            return _built(project, target, options, helpers)
        except Lost:
            made = _built(project, target, replace(options, fresh=True), helpers)
            return replace(made, note="; ".join(filter(None, (made.note, DAMAGED))))


def _built(project: Project, target: Target, options: Options, helpers: Workers) -> BuildReport:
    with closing(Kept(folder_of(options.cache, target.out), fresh=options.fresh)) as kept:
        content = _content(project, options, kept, helpers)
        engine = engine_parts(options.cache, project.boot) if options.engine else NO_ENGINE
        writer = Writer(emptied(target))
        manifest = _write(content, engine, options, writer, kept)
        swap(target)
        kept.save()
    unsaved = anchors.save(content.ledger, project.anchors)
    note = "; ".join(filter(None, (engine.note, DAMAGED if kept.damaged else "")))
    reused = len(content.pages) - content.made
    return replace(_report(content, manifest, writer, target.out, unsaved), note=note, reused=reused)


def _content(project: Project, options: Options, kept: Kept, helpers: Workers) -> Content:
    version, track = tool(WEB), options.track
    renewed = renewal.renewed(
        project, kept, version, helpers, lambda made, count: track(made, "documents", count)
    )
    leaves, corpus = renewed.leaves, renewed.corpus
    indexer = Indexer(project, leaves, kept, version)
    digests = {leaf.document.doc_id: leaf.digest for leaf in leaves}
    together = compared(corpus, [leaf.rendered for leaf in leaves], lambda one: digests[one.doc_id])
    problems = tuple(sorted((*renewed.problems, *together.problems, *indexer.glossary_problems())))
    if has_errors(problems):
        raise CorpusProblems(problems)
    index = indexer.run()
    calibrated = calibrate.unfailing(index.calibrated, project)
    placed = tuple(PlacedDocument(leaf.document, leaf.rendered, leaf.rendered.url) for leaf in leaves)
    model = SiteModel(project, payload.PLACEHOLDER, corpus.language_codes, placed, together.outdated)
    check = SiteCheck()
    pages = Pages(model, kept, version, check)
    waiting = pages.run(leaves, helpers, lambda made, count: track(made, "pages", count))
    settings = {
        "format": payload.FORMAT,
        "build": payload.PLACEHOLDER,
        "config": calibrated.config.to_json(),
        "languages": [*indexer.languages],
    }
    entries = {leaf.document.doc_id: leaf.rendered.entry for leaf in leaves}
    return Content(
        model=model,
        leaves=leaves,
        ledger=Ledger({**renewed.ledger.documents, **entries}),
        pages=tuple(waiting),
        made=pages.made,
        settings=payload.canonical(settings).encode(),
        index=index,
        warnings=(*problems, *calibrate.warnings(calibrated, project)),
        check=check,
    )


def _write(content: Content, engine: EngineParts, options: Options, writer: Writer, kept: Kept) -> Manifest:
    """Write every file of the site and check the pages."""
    check, index = content.check, content.index
    _write_plain(content, engine, writer, kept)
    plain = {name: head.text for name, head in index.heads.items()} | {"site.json": content.settings}
    digests = {**writer.digests, **{page.url: page.digest for page in content.pages}}
    digests |= _digests({**plain, **engine.parts})
    digests |= {f"part {name}": one.entry.sha256 for name, one in index.brought.items()}
    build_id = payload.build_id(digests.items())
    _write_pages(content, kept, writer, build_id, options.track)
    check.settings(content.settings)
    for script in (name for name in engine.parts if name.endswith(".js")):
        writer.file(payload.page_script(script, engine.parts[script]))
    entries = _write_parts(_sealed(content, build_id), writer)
    entries |= _write_parts(_packed(engine, options.cache), writer)
    listed = _write_parts(indexing.listed(index.brought, kept), writer)
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


def _write_pages(content: Content, kept: Kept, writer: Writer, build_id: str, track: Track) -> None:
    """Write every page with the build id; what comes back from the disk must be what was put there."""
    for page in track(content.pages, "write", len(content.pages)):
        html = kept.get(page.html)
        if html is None or payload.digest(html) != page.digest:
            raise Lost
        writer.file(Asset(page.url, payload.seal_page(html, build_id)))


def _sealed(content: Content, build_id: str) -> Iterator[Part]:
    """Yield the settings and what pages load of each language, with the build id."""
    settings = payload.seal_json(content.settings, build_id)
    yield Part.of("site.json", settings)
    for name, head in content.index.heads.items():
        text = payload.seal_json(head.text, build_id)
        yield Part.of(name, text, payload.pack_sealed(text, head.body))


def _write_parts(parts: Iterable[Part], writer: Writer) -> dict[str, PartEntry]:
    entries: dict[str, PartEntry] = {}
    for part in parts:
        for asset in part.assets():
            writer.file(asset)
        entries[part.name] = part.entry
    return entries


def _fixed(project: Project, kept: Kept) -> Iterator[Asset]:
    """Yield the files that pages refer to and that no document decides."""
    for url in STATIC:
        entry = key(tool(WEB), "static", url)
        data = kept.get(entry)
        if data is None:
            data = static_file(url)
            kept.put(entry, data)
        yield Asset(url, data)
    if project.kiosk:
        yield Asset(KIOSK_STYLE, project.kiosk.stylesheet().encode())


def _write_plain(content: Content, engine: EngineParts, writer: Writer, kept: Kept) -> None:
    """Write what stands beside the pages."""
    for asset in _fixed(content.model.project, kept):
        writer.file(asset)
        if asset.url.endswith(".css"):
            content.check.stylesheet(asset.url, asset.data.decode())
    if content.model.project.public_url:
        writer.file(Asset(published.SITEMAP, published.sitemap(content.model)))
    for url, data in engine.licences.items():
        writer.file(Asset(url, data))
    for picture in content.pictures.values():
        writer.file(Asset(picture.url, picture.data))


def _digests(parts: Mapping[str, bytes]) -> dict[str, str]:
    return {f"part {name}": payload.digest(data) for name, data in parts.items()}


def _packed(engine: EngineParts, cache: Path) -> Iterator[Part]:
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
    own = ["site.json", *content.index.heads]
    passages = dict.fromkeys(sorted(content.model.languages), 0)
    for leaf in content.leaves:
        passages[leaf.document.lang] += leaf.count
    return BuildReport(
        out=out,
        build=manifest.build,
        documents=len(content.leaves),
        pages=len(content.pages),
        passages=passages,
        site_bytes=sum(writer.sizes.values()),
        engine_bytes=_size(writer, {*manifest.parts} - {*own, *_languages(manifest)}),
        index_bytes=_size(writer, [*own, *content.index.brought]),
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
