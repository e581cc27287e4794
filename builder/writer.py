"""Writes the files of a site into the folder aside and keeps the hash and size of each.

The only place that creates files of a site. Each is written once, as it stays.
"""

import os
from pathlib import Path

from builder import payload
from builder.payload import Asset


class Writer:
    """`digests` and `sizes` know every file by its path."""

    def __init__(self, root: Path) -> None:
        """Write into `root`, an empty folder."""
        self.root = root
        self.digests: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self._at = str(root)
        self._folders = {""}

    def file(self, asset: Asset) -> None:
        """Write a file; a path that is not portable or occurs twice is a `ValueError`."""
        if not payload.URL.fullmatch(asset.url) or asset.url in self.digests:
            raise ValueError(f"{asset.url!r} is not a path for one file of a site")
        self._folder(asset.url.rpartition("/")[0])
        path = f"{self._at}/{asset.url}"
        with open(path, "xb", buffering=0) as stream:  # noqa: PTH123 - thousands, on every build
            if os.name == "posix":
                os.fchmod(stream.fileno(), 0o644)
            left = memoryview(asset.data)
            while left:
                left = left[stream.write(left) :]
        self.digests[asset.url] = payload.digest(asset.data)
        self.sizes[asset.url] = len(asset.data)

    def _folder(self, folder: str) -> None:
        if folder not in self._folders:
            self._folder(folder.rpartition("/")[0])
            path = self.root / folder
            path.mkdir()
            path.chmod(0o755)
            self._folders.add(folder)
