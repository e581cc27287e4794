"""Ways to damage a corpus at random: its bytes, lines, front matter and files."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]


def _texts(key: str) -> tuple[str, ...]:
    listed = json.loads((ROOT / "tests/corpora/nasty.json").read_text(encoding="utf-8"))[key]
    return tuple(
        one if isinstance(one, str) else one["repeat"] * one["times"] + one["then"] for one in listed
    )


NASTY_LINES, NASTY_NAMES = _texts("lines"), _texts("names")
NASTY_BYTES = (b"\xff", b"\x00", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r\n")
KEYS = ("title", "lang", "id", "family", "reviewed", "synthetic", "source", "topic", "ttile", "x")
VALUES = ("", "yes", "2026-02-30", "a" * 300, "\u202ex", '"q', "[1]", "x: y", "true", "zh-hans", "../..")
CONTENTS = (b"", b"\n", b"---\n---\n", b"{}", b"null", b"[" * 100_000, b'{"a":' * 9000)

type Damage = Callable[[Path, Random], None]


def _file(folder: Path, random: Random) -> Path | None:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return random.choice(files) if files else None


def _bytes(change: Callable[[bytes, Random], bytes]) -> Damage:
    def damage(folder: Path, random: Random) -> None:
        path = _file(folder, random)
        if path:
            path.write_bytes(change(path.read_bytes(), random))

    return damage


def _lines(change: Callable[[list[bytes], Random], list[bytes]]) -> Damage:
    return _bytes(lambda data, random: b"\n".join(change(data.split(b"\n"), random)))


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice((1, 1, 2, 5, 40, 400)))


def _flip(data: bytes, random: Random) -> bytes:
    if not data:
        return b"\x01"
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _cut(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _repeat(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[start:end] * random.choice((2, 3, 50, 2000)) + data[end:]


def _insert(data: bytes, random: Random) -> bytes:
    start, _ = _span(data, random)
    some = random.choice(NASTY_BYTES) if random.random() < 0.5 else random.randbytes(random.randrange(1, 9))
    return data[:start] + some + data[start:]


def _truncate(data: bytes, random: Random) -> bytes:
    return data[: _span(data, random)[0]]


def _recode(data: bytes, random: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "utf-8-sig", "latin-1")), "replace")


def _nasty(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines) + 1)
    return [*lines[:at], random.choice(NASTY_LINES).encode("utf-8", "surrogatepass"), *lines[at:]]


def _into_a_line(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    nasty, line = random.choice(NASTY_LINES).encode("utf-8", "surrogatepass"), lines[at]
    where = random.randrange(len(line) + 1)
    return [*lines[:at], line[:where] + nasty + line[where:], *lines[at + 1 :]]


def _drop_line(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def _repeat_line(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    return lines[:at] + [lines[at]] * random.choice((2, 3, 40, 2500)) + lines[at + 1 :]


def _shuffle(lines: list[bytes], random: Random) -> list[bytes]:
    return random.sample(lines, len(lines))


def _indent(lines: list[bytes], random: Random) -> list[bytes]:
    at, by = random.randrange(len(lines)), random.choice((b"  ", b"    ", b"\t", b"> ", b"- "))
    return lines[:at] + [by + line for line in lines[at:]]


def _join(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    return [*lines[:at], b"".join(lines[at : at + 3]), *lines[at + 3 :]]


def _front_matter(lines: list[bytes], random: Random) -> list[bytes]:
    end = next((place for place, line in enumerate(lines[1:8], start=1) if line in (b"---", b"+++")), 1)
    at = random.randrange(1, end + 1) if len(lines) > 1 else 0
    sign = b" = " if lines[0] == b"+++" else b": "
    line = random.choice(KEYS).encode() + sign + random.choice(VALUES).encode()
    return [*lines[:at], line, *lines[at:]]


def _delete(folder: Path, random: Random) -> None:
    path = _file(folder, random)
    if path:
        path.unlink()


def _rename(folder: Path, random: Random) -> None:
    path, target = _file(folder, random), folder / random.choice(NASTY_NAMES)
    if path and not target.exists() and not any(parent.is_file() for parent in target.parents):
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)


def _copy(folder: Path, random: Random) -> None:
    path, target = _file(folder, random), folder / random.choice(NASTY_NAMES)
    if path and not target.exists() and not any(parent.is_file() for parent in target.parents):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def _swap(folder: Path, random: Random) -> None:
    first, second = _file(folder, random), _file(folder, random)
    if first and second:
        ours, theirs = first.read_bytes(), second.read_bytes()
        first.write_bytes(theirs)
        second.write_bytes(ours)


def _empty(folder: Path, random: Random) -> None:
    path = _file(folder, random)
    if path:
        path.write_bytes(random.choice(CONTENTS))


def _strange_entry(folder: Path, random: Random) -> None:
    target = folder / random.choice(("z.en.md", "sub", "cairn.anchors.json", "questions.toml", "probes.toml"))
    if target.exists() or target.is_symlink():
        return
    if random.random() < 0.5:
        target.symlink_to(random.choice(("z.en.md", "gone.md", "/etc/hostname", "..", ".", "pool.en.md")))
    else:
        target.mkdir()


DAMAGES: Mapping[str, Damage] = {
    "flip a bit": _bytes(_flip),
    "cut bytes": _bytes(_cut),
    "repeat bytes": _bytes(_repeat),
    "insert bytes": _bytes(_insert),
    "truncate": _bytes(_truncate),
    "another encoding": _bytes(_recode),
    "nasty line": _lines(_nasty),
    "nasty words": _lines(_into_a_line),
    "drop a line": _lines(_drop_line),
    "repeat a line": _lines(_repeat_line),
    "shuffle lines": _lines(_shuffle),
    "indent": _lines(_indent),
    "join lines": _lines(_join),
    "front matter": _lines(_front_matter),
    "delete a file": _delete,
    "rename a file": _rename,
    "copy a file": _copy,
    "swap files": _swap,
    "empty a file": _empty,
    "strange entry": _strange_entry,
}
