"""Writes the files of a site into the folder aside and keeps the hash and size of each.

The only place that creates files of a site. A page is written with the placeholder where the build id
belongs; when the id is known each is read back, compared with what was written, and gets its sixteen
characters. So memory does not grow with the pages, and what is checked is what the disk holds.
"""

from collections.abc import Iterator
from pathlib import Path

from builder import payload
from builder.payload import Asset
from builder.swap import WriteError


class Writer:
    """`digests` and `sizes` know every file by its path; `pages` are the files that `seal` finishes, with
    their digests before it: those of what they say.
    """

    def __init__(self, root: Path) -> None:
        """Write into `root`, an empty folder."""
        self.root = root
        self.digests: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.pages: dict[str, str] = {}
        self._folders = {root}

    def file(self, asset: Asset) -> None:
        """Write a finished file; a path that is not portable or occurs twice is a `ValueError`."""
        if not payload.URL.fullmatch(asset.url) or asset.url in self.digests:
            raise ValueError(f"{asset.url!r} is not a path for one file of a site")
        path = self.root / asset.url
        self._folder(path.parent)
        path.write_bytes(asset.data)
        path.chmod(0o644)
        self._note(asset)

    def page(self, asset: Asset) -> None:
        """Write a page that still has the placeholder."""
        self.file(asset)
        self.pages[asset.url] = self.digests[asset.url]

    def seal(self, build: str) -> Iterator[Asset]:
        """Put the build id into every page, and yield each as it now is on disk."""
        for url, digest in self.pages.items():
            path = self.root / url
            before = path.read_bytes()
            if payload.digest(before) != digest:
                raise WriteError(
                    "the disk gives back other bytes than were written", "try another disk", str(path)
                )
            sealed = Asset(url, payload.seal_page(before, build))
            path.write_bytes(sealed.data)
            self._note(sealed)
            yield sealed

    def _note(self, asset: Asset) -> None:
        self.digests[asset.url] = payload.digest(asset.data)
        self.sizes[asset.url] = len(asset.data)

    def _folder(self, folder: Path) -> None:
        if folder not in self._folders:
            self._folder(folder.parent)
            folder.mkdir()
            folder.chmod(0o755)
            self._folders.add(folder)
