"""The folders that `firstanswer` compares: a site with its snapshot and without, stock Pyodide with the same
index, Pagefind on the same pages.

Nothing here builds a site; a site's parts are read as any page reads them, through its manifest.
"""

import gzip
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

from bench.visits import FOLDER, ROOT, WITHOUT_TRACES, VisitError, node, postlude

SNAPSHOT = "snapshot.bin"
STOCK = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PAGEFIND = Path(__file__).with_name("peers") / "node_modules" / "pagefind" / "lib" / "runner" / "bin.cjs"
PACKAGE = ROOT / "cairn_core"
_MANIFEST = re.compile(r"^(?P<before>.*?\.manifest=)(?P<json>\{.*\});?\s*$", re.DOTALL)
_SHARD = re.compile(r"index\..+\.json$")
_EXAMPLE = re.compile(r"<button[^>]*class=\"[^\"]*example[^\"]*\"[^>]*>(.*?)</button>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Variant:
    """One folder that answers: its name in the tables, the page to visit, whether it works from a folder."""

    name: str
    root: Path
    page: str
    from_folder: bool


def variants(site: Path, lang: str, work: Path) -> Iterator[Variant | tuple[str, str]]:
    """Make the folders below `work` and yield them; (name, reason) for one that cannot be made."""
    page = f"{lang}/index.html"
    parts = manifest(site)["parts"]
    if isinstance(parts, dict) and SNAPSHOT in parts:
        yield Variant("Cairn, snapshot", site, page, True)
        yield Variant("Cairn, bytecode", without_snapshot(site, work / "bytecode"), page, True)
    else:
        yield Variant("Cairn, bytecode", site, page, True)
    for name, make in (("stock Pyodide", stock), ("Pagefind", pagefind)):
        try:
            yield Variant(name, make(site, lang, work / name.split()[0].lower()), "page.html", False)
        except VisitError as error:
            yield name, str(error)


def watched(variant: Variant, script: str, folder: Path) -> Variant:
    """Return a copy of a folder whose page runs a script of this name, beside the page, before its own."""
    shutil.copytree(variant.root, folder)
    page = folder / variant.page
    html = _read(page)
    page.write_text(html.replace("<head>", f'<head><script src="{script}"></script>', 1), encoding="utf-8")
    for ending in (".br", ".gz"):
        page.with_name(page.name + ending).unlink(missing_ok=True)
    return replace(variant, root=folder)


def question_of(site: Path, lang: str) -> str:
    """Return the first example of a site's Ask page; raises `VisitError`."""
    found = _EXAMPLE.search(_read(site / lang / "index.html"))
    if not found:
        raise VisitError(f"{lang}/index.html shows no example: name a question with --question")
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip()


def manifest(site: Path) -> Mapping[str, object]:
    """Return the manifest of a site; raises `VisitError`."""
    found = _MANIFEST.match(_read(site / "assets" / "manifest.js"))
    try:
        data: object = json.loads(found["json"]) if found else None
    except ValueError:
        data = None
    if not isinstance(data, dict) or not isinstance(data.get("parts"), dict):
        raise VisitError(f"{site.name}: assets/manifest.js is no manifest; build the site anew")
    return data


def without_snapshot(site: Path, folder: Path) -> Path:
    """Return a copy of a site that starts from bytecode: its manifest does not name the snapshot."""
    shutil.copytree(site, folder)
    path = folder / "assets" / "manifest.js"
    found = _MANIFEST.match(_read(path))
    data = dict(manifest(site))
    parts = data["parts"]
    data["parts"] = (
        {name: part for name, part in parts.items() if name != SNAPSHOT} if isinstance(parts, dict) else {}
    )
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    path.write_text(f"{found['before'] if found else ''}{text};", encoding="utf-8", newline="\n")
    return folder


def stock(site: Path, lang: str, folder: Path) -> Path:
    """Return a folder with the files of Pyodide's package, cairn_core as source, and the site's index."""
    version = str(manifest(site).get("pyodide"))
    package = ROOT / ".cache" / f"pyodide-{version}"
    missing = [name for name in STOCK if not (package / name).is_file()]
    if missing:
        raise VisitError(f"{missing[0]} of Pyodide {version} is not in .cache: build a site first")
    (folder / "pyodide").mkdir(parents=True)
    for name in STOCK:
        shutil.copy(package / name, folder / "pyodide" / name)
    with zipfile.ZipFile(folder / "cairn_core.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(PACKAGE.rglob("*")):
            if path.suffix in {".py", ".json"}:
                archive.write(path, path.relative_to(PACKAGE.parent).as_posix())
    parts = sorted(path.name.removesuffix(".gz") for path in (site / "assets" / "parts").glob("*.json.gz"))
    for name in parts:
        (folder / name).write_bytes(gzip.decompress((site / "assets" / "parts" / f"{name}.gz").read_bytes()))
    shards = [name for name in parts if _SHARD.match(name)]
    (folder / "parts.json").write_text(json.dumps({"site": "site.json", "shards": shards}), encoding="utf-8")
    _page("stock", lang, folder)
    worker = (FOLDER / "stock-worker.js").read_text(encoding="utf-8")
    (folder / "stock-worker.js").write_text(f"{WITHOUT_TRACES}{worker}\n{postlude()}", encoding="utf-8")
    return folder


def pagefind(site: Path, lang: str, folder: Path) -> Path:
    """Return a folder with Pagefind's index of the pages of the site."""
    if not PAGEFIND.is_file() or not node():
        raise VisitError("not installed: make peers gets pagefind")
    folder.mkdir(parents=True)
    command = [
        node(),
        str(PAGEFIND),
        "--site",
        str(site),
        "--output-path",
        str(folder / "pagefind"),
        "--silent",
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # a pinned peer
    if run.returncode or not (folder / "pagefind" / "pagefind.js").is_file():
        raise VisitError(f"failed: {(run.stderr.strip().splitlines() or ['without a word'])[-1]}")
    _page("pagefind", lang, folder)
    return folder


def _page(name: str, lang: str, folder: Path) -> None:
    html = (FOLDER / f"{name}.html").read_text(encoding="utf-8").replace("LANG", lang, 1)
    (folder / "page.html").write_text(html, encoding="utf-8")
    shutil.copy(FOLDER / f"{name}.js", folder / f"{name}.js")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise VisitError(f"{path.name} of the site cannot be read: {error.strerror}") from error
