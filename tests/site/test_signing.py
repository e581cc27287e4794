"""A signed site: any changed byte is noticed, and a key that cannot be used is told in one sentence."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from builder.cli import main
from builder.signing import SIGNATURE

pytest.importorskip("cryptography")
SECRET = "a word"  # noqa: S105  of a key made for one test


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the keys "ours" and "theirs"."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ours", "theirs"):
        assert main(["key", str(folder / name)]) == 0
    return folder


@pytest.fixture
def signed(corpus: Path, tmp_path: Path, keys: Path) -> Path:
    out = tmp_path / "signed"
    assert main([str(corpus), "--out", str(out), "--no-engine", "--quiet", "--sign", str(keys / "ours")]) == 0
    return out


def verified(site: Path, key: Path) -> int:
    return main(["verify", str(site), "--quiet", "--key", str(key)])


def test_a_signed_site_passes_with_the_public_key_and_no_other(signed: Path, keys: Path) -> None:
    assert verified(signed, keys / "ours.pub") == 0
    assert verified(signed, keys / "theirs.pub") == 1


def test_one_bit_of_any_file_of_a_signed_site_is_noticed(signed: Path, keys: Path) -> None:
    for path in sorted(path for path in signed.rglob("*") if path.is_file()):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(bytes(data))
        assert verified(signed, keys / "ours.pub") == 1, path
        data[len(data) // 2] ^= 1
        path.write_bytes(bytes(data))
    assert verified(signed, keys / "ours.pub") == 0


def test_a_file_and_its_line_in_the_list_changed_together_are_noticed(
    signed: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from builder import payload

    page = signed / "en" / "contents.html"
    manifest = signed / "assets" / "manifest.json"
    before = payload.digest(page.read_bytes())
    page.write_bytes(page.read_bytes().replace(b"555-0142", b"555-0143"))
    after = payload.digest(page.read_bytes())
    assert before != after
    manifest.write_bytes(manifest.read_bytes().replace(before.encode(), after.encode()))
    assert main(["verify", str(signed)]) == 0
    capsys.readouterr()
    assert main(["verify", str(signed), "--key", str(keys / "ours.pub")]) == 1
    assert f"signature     {SIGNATURE}" in capsys.readouterr().out


def test_a_site_without_a_signature_is_unsigned(
    site: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(site), "--key", str(keys / "ours.pub"), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["signed"], report["faults"]) == (None, [{"kind": "unsigned", "path": SIGNATURE}])


@pytest.mark.parametrize("content", [b"", b"\n", b"0" * 128, b"g" * 128 + b"\n", b"\xff" * 64])
def test_a_signature_that_is_none_is_a_fault(content: bytes, signed: Path, keys: Path) -> None:
    (signed / SIGNATURE).write_bytes(content)
    assert verified(signed, keys / "ours.pub") == 1


def test_without_a_key_a_signed_site_is_checked_as_any_other(signed: Path) -> None:
    assert main(["verify", str(signed), "--quiet"]) == 0


def test_the_same_site_gets_the_same_signature(
    signed: Path, corpus: Path, tmp_path: Path, keys: Path
) -> None:
    again = tmp_path / "again"
    main([str(corpus), "--out", str(again), "--no-engine", "--quiet", "--sign", str(keys / "ours")])
    assert (again / SIGNATURE).read_bytes() == (signed / SIGNATURE).read_bytes()


def test_a_copy_is_signed_as_the_site_was_and_a_later_build_replaces_it(
    signed: Path, corpus: Path, tmp_path: Path, keys: Path
) -> None:
    target = tmp_path / "stick" / "help"
    target.parent.mkdir()
    assert main(["publish", str(signed), str(target), "--quiet"]) == 0
    assert verified(target, keys / "ours.pub") == 0
    assert main([str(corpus), "--out", str(target), "--no-engine", "--quiet"]) == 0
    assert not (target / SIGNATURE).exists()


def test_a_new_key_is_its_owners_alone_and_no_key_is_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["key", str(tmp_path / "k")]) == 0
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
    before = (tmp_path / "k").read_bytes()
    assert main(["key", str(tmp_path / "k")]) == 1
    assert "there is a file of this name" in capsys.readouterr().err
    assert (tmp_path / "k").read_bytes() == before


def locked(folder: Path) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    form = serialization.BestAvailableEncryption(SECRET.encode())
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, form
    )
    (folder / "locked").write_bytes(pem)
    return folder / "locked"


def other_kind(folder: Path) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey

    pem = Ed448PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "ed448").write_bytes(pem)
    return folder / "ed448"


def malformed(folder: Path) -> Path:
    (folder / "malformed").write_bytes(b"\xff\x00 no key")
    return folder / "malformed"


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (locked, "locked by a password"),
        (other_kind, "not an Ed25519 key"),
        (malformed, "holds no key in PEM form"),
        (lambda folder: folder / "none", "cannot be read"),
    ],
    ids=["locked", "of another kind", "malformed", "missing"],
)
def test_a_key_that_cannot_sign_is_told_and_nothing_is_built(
    make: object, told: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = make(tmp_path)  # type: ignore[operator]
    out = tmp_path / "out"
    assert main([str(corpus), "--out", str(out), "--no-engine", "--sign", str(key)]) == 1
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_keys_that_are_taken_for_one_another_are_told(
    site: Path, corpus: Path, tmp_path: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(site), "--key", str(keys / "ours")]) == 1
    assert "this is a private key" in capsys.readouterr().err
    out = str(tmp_path / "out")
    assert main([str(corpus), "--out", out, "--no-engine", "--sign", str(keys / "ours.pub")]) == 1
    assert "this is a public key" in capsys.readouterr().err


def test_openssl_and_the_builder_take_each_others_keys(signed: Path, tmp_path: Path, corpus: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here")
    private, public = tmp_path / "o.pem", tmp_path / "o.pub"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(private)], check=True)
    subprocess.run(["openssl", "pkey", "-in", str(private), "-pubout", "-out", str(public)], check=True)
    out = tmp_path / "out"
    assert main([str(corpus), "--out", str(out), "--no-engine", "--quiet", "--sign", str(private)]) == 0
    assert verified(out, public) == 0


def test_without_the_library_the_extra_is_named(corpus: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['cryptography'] = None; from builder.cli import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    words = [str(corpus), "--out", str(tmp_path / "out"), "--no-engine", "--sign", "key"]
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert (run.returncode, "cairn[sign]" in run.stderr) == (1, True)
    assert "Traceback" not in run.stderr
