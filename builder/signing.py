"""A site signed by who made it: an Ed25519 signature of the manifest, which has the hash of every other file.

The library for it is an extra, imported when a key is used. Keys are PEM files, as OpenSSL writes them.
"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from builder.payload import MANIFEST_JSON, Asset
from cairn_core.errors import CairnError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNATURE = "assets/manifest.sig"
"""128 hex digits and a line feed."""

_FORM = re.compile(rb"([0-9a-f]{128})\n")


class KeyFileError(CairnError):
    """A key cannot be used; `location` names the file."""


def private_key(path: Path) -> "Ed25519PrivateKey":
    """Read the key that signs; raises `KeyFileError`."""
    _need_library()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data = _read(path)
    try:
        key = load_pem_private_key(data, password=None)
    except TypeError as error:
        hint = f"write it without one: openssl pkey -in {path.name} -out unlocked.pem"
        raise KeyFileError("the key is locked by a password", hint, str(path)) from error
    except ValueError as error:
        raise _wrong(path, data, "PRIVATE") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError("the key is not an Ed25519 key", "make one: python -m builder key FILE", str(path))
    return key


def public_key(path: Path) -> "Ed25519PublicKey":
    """Read the key that checks; raises `KeyFileError`."""
    _need_library()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    data = _read(path)
    try:
        key = load_pem_public_key(data)
    except ValueError as error:
        raise _wrong(path, data, "PUBLIC") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(
            "the key is not an Ed25519 key", "name the .pub file of the signing key", str(path)
        )
    return key


def signature(key: "Ed25519PrivateKey", manifest: bytes) -> Asset:
    """Return the signature of a manifest as a file of the site."""
    return Asset(SIGNATURE, key.sign(manifest).hex().encode() + b"\n")


def is_signed(folder: Path, key: "Ed25519PublicKey") -> bool | None:
    """Tell whether the manifest of a site is signed by a key; None when there is no signature."""
    from cryptography.exceptions import InvalidSignature

    if not (folder / SIGNATURE).is_file():
        return None
    found = _FORM.fullmatch(_read(folder / SIGNATURE))
    try:
        key.verify(bytes.fromhex(found[1].decode()) if found else b"", _read(folder / MANIFEST_JSON))
    except InvalidSignature:
        return False
    return True


def make_key(path: Path) -> Path:
    """Write a new key that only its owner may read and the public one beside it; return the latter's path."""
    _need_library()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    _write(path, key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), 0o600)
    public = path.with_name(f"{path.name}.pub")
    _write(public, key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo), 0o644)
    return public


def _need_library() -> None:
    try:
        import cryptography  # noqa: F401 - an extra; what it is for is imported where it is used
    except ModuleNotFoundError as error:
        hint = 'install it: python -m pip install "cairn[sign]"'
        raise CairnError("the library for signatures is missing", hint) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyFileError("the file cannot be read", "name a file that exists", str(path)) from error


def _write(path: Path, data: bytes, mode: int) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError as error:
        raise KeyFileError("there is a file of this name", "name a new one", str(path)) from error
    except OSError as error:
        raise KeyFileError("the file cannot be written", "name another folder", str(path)) from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def _wrong(path: Path, data: bytes, kind: str) -> KeyFileError:
    other = {"PRIVATE": "PUBLIC", "PUBLIC": "PRIVATE"}[kind]
    if f"{other} KEY".encode() in data:
        wanted = "--sign takes the private key" if kind == "PRIVATE" else "--key takes the public key"
        return KeyFileError(f"this is a {other.lower()} key", f"{wanted}, from the other file", str(path))
    return KeyFileError(
        "the file holds no key in PEM form", "make one: python -m builder key FILE", str(path)
    )
