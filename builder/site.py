"""The build, from a corpus folder to a site in place: `build` reads top to bottom.

Pages, parts and checks are made elsewhere; here they are put in order, written aside and swapped in. A build
that fails leaves the site that was there.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from builder import anchors, calibrate, payload, renewal, shelf, signing
from builder.anchors import Ledger, Lines
from builder.assembly import BOOTS, Content, Options, OwnOutputError, Track, untracked, write
from builder.bundle import EngineParts, engine_parts
from builder.check import SiteCheck
from builder.frame import PlacedDocument, SiteModel
from builder.indexing import Indexer
from builder.kept import Kept, folder_of, tool
from builder.making import Pages
from builder.payload import Manifest
from builder.problems import CorpusProblems, Problem, has_errors
from builder.project import Project
from builder.rendering import compared
from builder.shelf import Lost
from builder.statics import WEB
from builder.swap import Target, check_target, emptied, exclusive, swap, write_errors
from builder.workers import Workers, workers
from builder.writer import Writer

__all__ = ["BuildReport", "Options", "OwnOutputError", "Track", "build", "default_cache", "untracked"]

NO_ENGINE = EngineParts({}, {}, "", "")
DAMAGED = "what the last build kept was damaged; it was made anew"


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


def default_cache() -> Path:
    """Return where the engine is kept between builds: in the checkout, else in the user's cache folder."""
    if (WEB.parent / "pyproject.toml").is_file():
        return WEB.parent / ".cache"
    named = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "cairn"


def version() -> str:
    """Return a hash of all that builds, on a worker of a cluster as here."""
    return tool(WEB)


def build(project: Project, out: Path, options: Options) -> BuildReport:
    """Build the site of a project into a folder and report.

    Raises `TargetError`, `BusyError`, `WriteError`, `CorpusProblems` and the other children of `CairnError`.
    """
    if options.sign:
        signing.private_key(options.sign)  # what is wrong with it is told before anything is made
    target = Target.of(out)
    check_target(target, project.corpus_dir)
    helpers = workers(options.jobs, options.executor, version)
    with closing(helpers), write_errors(target), exclusive(target):
        try:
            made = _built(project, target, options, helpers)
        except Lost:
            made = _built(project, target, replace(options, fresh=True), helpers)
            made = replace(made, note="; ".join(filter(None, (made.note, DAMAGED))))
    return replace(made, out=out)  # as the caller names it


def _built(project: Project, target: Target, options: Options, helpers: Workers) -> BuildReport:
    with closing(Kept(folder_of(options.cache, target.out), fresh=options.fresh)) as kept:
        content = _content(project, options, kept, helpers)
        engine = engine_parts(options.cache, project.boot) if options.engine else NO_ENGINE
        writer = Writer(emptied(target))
        manifest = write(content, engine, options, writer, kept)
        swap(target)
        kept.save()
    entries = {leaf.document.doc_id: leaf.anchors for leaf in content.leaves}
    unsaved = anchors.save(Ledger(Lines({**content.ledger.texts, **entries})), project.anchors)
    note = "; ".join(filter(None, (engine.note, DAMAGED if kept.damaged else "")))
    reused = len(content.pages) - content.made
    return replace(_report(content, manifest, writer, target.out, unsaved), note=note, reused=reused)


def _content(project: Project, options: Options, kept: Kept, helpers: Workers) -> Content:
    tool_hash, track = version(), options.track
    renewed = renewal.renewed(
        project, kept, tool_hash, helpers, lambda made, count: track(made, "documents", count)
    )
    leaves, corpus = renewed.leaves, renewed.corpus
    indexer = Indexer(project, leaves, kept, tool_hash)
    digests = {leaf.document.doc_id: leaf.digest for leaf in leaves}
    together = compared(corpus, shelf.rendered(leaves), lambda one: digests[one.doc_id])
    problems = tuple(sorted((*renewed.problems, *together.problems, *indexer.glossary_problems())))
    if has_errors(problems):
        raise CorpusProblems(problems)
    index = indexer.run()
    calibrated = calibrate.unfailing(index.calibrated, project)
    placed = tuple(
        PlacedDocument(leaf.document, leaf.rendered, leaf.rendered.url, leaf.characters) for leaf in leaves
    )
    model = SiteModel(project, payload.PLACEHOLDER, corpus.language_codes, placed, together.outdated)
    check = SiteCheck()
    pages = Pages(model, kept, tool_hash, check)
    waiting = pages.run(leaves, helpers, lambda made, count: track(made, "pages", count))
    settings = {
        "format": payload.FORMAT,
        "build": payload.PLACEHOLDER,
        "config": calibrated.config.to_json(),
        "languages": [*indexer.languages],
        "known": index.known,
    }
    return Content(
        model=model,
        leaves=leaves,
        ledger=renewed.ledger,
        pages=tuple(waiting),
        made=pages.made,
        settings=payload.canonical(settings).encode(),
        index=index,
        warnings=(*problems, *calibrate.warnings(calibrated, project)),
        check=check,
    )


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
        contents={page.url: page.digest for page in content.pages},
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
