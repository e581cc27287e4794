"""A new corpus: the files of `scaffold/` copied into an empty folder, ready to build.

The example is invented and marked so. Its contact is a placeholder, which `corpus` accepts beside synthetic
documents only.
"""

from pathlib import Path

from builder.swap import TargetError, WriteError

EXAMPLE = Path(__file__).with_name("scaffold")


def init(folder: Path) -> tuple[str, ...]:
    """Write the example into a folder and return the names of its files.

    Raises TargetError when the folder holds anything, WriteError when it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise TargetError(f'"{folder}" is not an empty folder', "name a folder that does not exist yet")
    names = tuple(sorted(path.name for path in EXAMPLE.iterdir() if path.is_file()))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            with (folder / name).open("xb") as file:
                file.write((EXAMPLE / name).read_bytes())
    except OSError as error:
        raise WriteError(
            f"the folder cannot be written: {error.strerror}", "name another folder", str(folder)
        ) from error
    return names
