"""The files of a site written into the folder aside, pages with their build id, and checked as they stand.

What is in them is made elsewhere; the order of making is `site`'s concern.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from builder import packing, payload, published, sharding, signing, snapshot, typefaces
from builder.anchors import Ledger
from builder.bundle import EngineParts
from builder.check import SiteCheck
from builder.frame import SiteModel
from builder.images import Picture
from builder.indexing import Brought, Indexed
from builder.kept import Kept, key, tool
from builder.making import Waiting
from builder.payload import Asset, Manifest, Part, PartEntry
from builder.problems import Problem
from builder.readsite import extra_files
from builder.shelf import Leaf, Lost
from builder.statics import STATIC, WEB, kiosk_files, script_sources, static_file
from builder.writer import Writer
from cairn_core.errors import CairnError


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


BOOTS: Mapping[str, str] = {"snapshot": snapshot.NAME, "bytecode": "stdlib.zip"}
"""What the engine can start from -> the part that must be there, in the order in which pages try them."""


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


def write(content: Content, engine: EngineParts, options: Options, writer: Writer, kept: Kept) -> Manifest:
    """Write every file of the site and check the pages."""
    check, index = content.check, content.index
    _write_plain(content, engine, writer, kept, options.cache)
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
    listed = _write_parts(_brought(index.brought, kept), writer)
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


def _looks(site: SiteModel, kept: Kept, cache: Path) -> Iterator[Asset]:
    """Yield what pages look and work like: style sheets, scripts, typefaces."""
    for url in STATIC:
        entry = key(tool(WEB), "static", url)
        data = kept.get(entry)
        if data is None:
            data = static_file(url)
            kept.put(entry, data)
        yield Asset(url, data)
    for url, data in kiosk_files(site.project.kiosk):
        yield Asset(url, data)
    if site.project.fonts == "bundled":
        yield from typefaces.assets(site, cache)


def _write_plain(content: Content, engine: EngineParts, writer: Writer, kept: Kept, cache: Path) -> None:
    """Write what stands beside the pages."""
    for asset in _looks(content.model, kept, cache):
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


def _brought(brought: Mapping[str, Brought], kept: Kept) -> Iterator[Part]:
    """Yield the files of large languages, then the listings of their hashes."""
    for name, one in sorted(brought.items()):
        packed = kept.get(one.packed)
        if packed is None:
            raise Lost
        yield Part(name, packed, one.entry)
    yield from sharding.listings({name: one.entry for name, one in brought.items()})


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
