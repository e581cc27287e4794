"""What can befall a file: each fault makes other bytes of its own and of the previous build, or none."""

from collections.abc import Callable

HTML = b"<!doctype html><html><title>404</title><h1>Not found</h1></html>"

Fault = Callable[[bytes, bytes | None], bytes | None]


def missing(data: bytes, previous: bytes | None) -> None:
    return None


def truncated(data: bytes, previous: bytes | None) -> bytes:
    return data[: len(data) // 2]


def emptied(data: bytes, previous: bytes | None) -> bytes:
    return b""


def one_bit_flipped(data: bytes, previous: bytes | None) -> bytes:
    """Flip a bit in the middle, of a letter or digit: base64 and scripts stay what they look like."""
    changed, place = bytearray(data), len(data) // 2
    while not chr(changed[place]).isalnum() or not chr(changed[place] ^ 1).isalnum():
        place += 1
    changed[place] ^= 1
    return bytes(changed)


def html_instead(data: bytes, previous: bytes | None) -> bytes:
    return HTML


def of_the_previous_build(data: bytes, previous: bytes | None) -> bytes:
    return data if previous is None else previous


FAULTS: tuple[Fault, ...] = (
    missing,
    truncated,
    emptied,
    one_bit_flipped,
    html_instead,
    of_the_previous_build,
)


def with_a_bit_flipped(place: int, bit: int) -> Fault:
    def fault(data: bytes, previous: bytes | None) -> bytes:
        return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]

    return fault
