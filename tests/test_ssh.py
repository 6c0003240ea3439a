"""Signatures as ssh-keygen checks them: who, for what, when; and what happens where it cannot."""

import os
import stat
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from keys import ADA, Key, make_key
from ktw import keygen
from ktw.keygen import environment
from ktw.ssh import CannotSign, Check, Keyring, check, sign

SPACE = "ktw-approval"
NOW = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
WORDS = b"words\n"
HARDWARE = (
    b"ada@example.invalid sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAI"
    b"EJfI4es06cCr59JHSxgXGF0uqDgW0Rdr8WMpl05on8lAAAABHNzaDo=\n"
)
_HEAD = (
    "U1NIU0lHAAAAAQAAAEoAAAAac2stc3NoLWVkMjU1MTlAb3BlbnNzaC5jb20AAAAgQl8jh6zTpwKvn0kdLGBcYXS6oOBb"
    "RF2vxYymXTmifyUAAAAEc3NoOgAAAAxrdHctYXBwcm92YWwAAAAAAAAABnNoYTUxMgAAAGcAAAAac2stc3NoLWVkMjU1"
    "MTlAb3BlbnNzaC5jb20AAABA"
)
# One hardware key over WORDS, by the flags that it set: 1 is "somebody touched me", 4 is "a PIN".
BY_HARDWARE = {
    1: "hX/sQO0SMDgX5KNeR0euEHRlCrBwiWKUqRT0Qpm+zWRI/uo+6oJBnUL8UxqRnml05OKGmlGOcFmt6B/xphwQDwEA"
    "AAAH",
    5: "96P2dxSuqhcoLUd5qerHiN+crhWco8a+2bm+Rwc/hdVIV8alDt8o5yDalKY9qJqdNlgHuAXZEJ11w/txYCE8CwUA"
    "AAAH",
    0: "KBQydlqwBkQUp9vVJwu3pQA59zuOQWhIjt2UTUagfZSNj9MUElCzEEl72KN3QTMmV//pwugS06wX6k7FJmuHBQAA"
    "AAAH",
    4: "O0tYOs8o3QtvsxKRc+CpHNkKlBB42yLRybLeB2eAzhihwpcSQeDqN8N7I560mPg7CgYsvEomdTMb4dfogZ6pCAQA"
    "AAAH",
}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return make_key(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return make_key(tmp_path_factory.mktemp("keys"), "other")


@pytest.fixture(scope="module")
def signature(key: Key) -> bytes:
    return key.sign(WORDS)


def checked(
    signature: bytes, signers: str, message: bytes = WORDS, revoked: bytes | None = None
) -> Check:
    return check(message, signature, SPACE, Keyring(signers.encode(), revoked), NOW)


def armoured(base64: str) -> bytes:
    return f"-----BEGIN SSH SIGNATURE-----\n{base64}\n-----END SSH SIGNATURE-----\n".encode()


# --- who and when -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "",
        'namespaces="git,ktw-approval"',
        'namespaces="ktw-*"',
        'valid-after="20250101",valid-before="20270101"',
    ],
)
def test_an_allowed_signer_counts_and_is_named(key: Key, signature: bytes, options: str) -> None:
    assert checked(signature, key.row(options=options)) == Check(True, principal=ADA)


def test_of_several_names_of_one_key_the_first_is_told(key: Key, signature: bytes) -> None:
    assert checked(signature, key.row("ada@a,ada@b")).principal == "ada@a"
    assert checked(signature, f"# me\n\n{key.row('*@a')}").principal == "*@a"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ('namespaces="git"', "its key is allowed for other uses alone"),
        ('valid-before="20260101"', "its key was no longer valid at that time"),
        ('valid-after="20260201"', "its key was not valid yet at that time"),
        ("cert-authority", "no allowed signer made it"),
        ("no-such-option", "no allowed signer made it"),
    ],
)
def test_a_key_that_was_not_allowed_this_does_not_count(
    key: Key, signature: bytes, options: str, why: str
) -> None:
    assert checked(signature, key.row(options=options)) == Check(False, why)


def test_an_expired_key_counts_for_what_it_signed_in_its_time(key: Key, signature: bytes) -> None:
    keyring = Keyring(key.row(options='valid-before="20260101"').encode())
    before = datetime(2025, 12, 30, tzinfo=UTC)
    assert check(WORDS, signature, SPACE, keyring, before).holds
    assert not check(WORDS, signature, SPACE, keyring, NOW).holds


def test_another_signer_or_none_does_not_count(key: Key, other: Key, signature: bytes) -> None:
    for signers in (other.row(), "", "garbage", f"{ADA} ssh-ed25519 AAAA\n", "\0" * 9):
        assert checked(signature, signers).holds is False
    assert checked(other.sign(WORDS), key.row()).holds is False
    assert checked(signature, other.row("x") + key.row()).principal == ADA


def test_a_certificate_counts_for_the_names_that_it_was_issued_for(
    key: Key, other: Key, tmp_path: Path
) -> None:
    public = tmp_path / "leaf.pub"
    public.write_text(f"{key.public}\n")
    issue = ["ssh-keygen", "-q", "-s", str(other.path), "-I", "id", "-n", "bob"]
    subprocess.run([*issue, "-V", "20250101:20270101", str(public)], check=True)
    (tmp_path / "leaf").write_bytes(key.path.read_bytes())
    (tmp_path / "leaf").chmod(0o600)
    made = sign(WORDS, SPACE, str(tmp_path / "leaf-cert.pub"))
    assert checked(made, other.row("b*", "cert-authority")) == Check(True, principal="bob")
    assert checked(made, other.row("eve", "cert-authority")).holds is False
    assert checked(made, other.row("b*")).holds is False


def test_a_revoked_key_does_not_count(key: Key, other: Key, signature: bytes) -> None:
    assert checked(signature, key.row(), revoked=f"{other.public}\n".encode()).holds is True
    assert checked(signature, key.row(), revoked=b"").holds is True
    assert checked(signature, key.row(), revoked=f"{key.public}\n".encode()).holds is False
    assert checked(signature, key.row(), revoked=b"not a list of keys").holds is False


# --- what was signed --------------------------------------------------------------------------


@pytest.mark.parametrize("message", [b"", b"words", b"words\r\n", b"words\n\n", b"Words\n"])
def test_other_bytes_were_not_signed(key: Key, signature: bytes, message: bytes) -> None:
    assert checked(signature, key.row(), message).holds is False


@pytest.mark.parametrize("namespace", ["git", "file", "ktw-approval2", "KTW-APPROVAL"])
def test_a_signature_for_something_else_is_told_by_its_namespace(key: Key, namespace: str) -> None:
    found = checked(key.sign(WORDS, namespace), key.row())
    assert found == Check(False, "its signature was made for something else than ktw-approval")


@pytest.mark.parametrize(
    "change",
    [
        lambda made: b"",
        lambda made: made + made,
        lambda made: made + b"garbage",
        lambda made: b"\n" + made,
        lambda made: made.replace(b"\n", b"\r\n"),
        lambda made: made[: len(made) // 2],
        lambda made: made.replace(b"U1NIU0lH", b"U1NIU0l!"),
        lambda made: armoured("AAAA"),
        lambda made: armoured("////" * 400),
        lambda made: armoured("A" * 1_000_000),
    ],
)
def test_a_signature_is_one_armoured_block(key: Key, signature: bytes, change: object) -> None:
    assert checked(change(signature), key.row()).holds is False  # type: ignore[operator]


@pytest.mark.parametrize(("flags", "holds"), [(1, True), (5, True), (0, False), (4, False)])
def test_a_hardware_key_counts_where_it_was_touched(key: Key, flags: int, holds: bool) -> None:
    """ssh-keygen itself accepts all four: a stolen key handle signs without a touch."""
    made = armoured(_HEAD + BY_HARDWARE[flags])
    found = check(WORDS, made, SPACE, Keyring(HARDWARE), NOW)
    assert found.holds is holds
    assert holds or "not touched" in found.why


# --- where it cannot be told ------------------------------------------------------------------


def replaced(directory: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put another ssh-keygen first on the PATH."""
    program = directory / "bin" / "ssh-keygen"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def test_without_the_program_nothing_can_be_told(
    key: Key, signature: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = checked(signature, key.row())
    assert found.holds is None and "ssh-keygen is not on the PATH" in found.why
    with pytest.raises(CannotSign, match="not on the PATH"):
        sign(WORDS, SPACE, str(key.path))


def is_running(process: int) -> bool:
    """True until the process is gone, or dead and only waiting for its parent to notice."""
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] not in "ZX"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc tells what runs")
@pytest.mark.parametrize("patience", [0.3, 3.0])
def test_a_program_that_hangs_is_ended_with_its_children(
    key: Key, signature: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patience: float
) -> None:
    child = tmp_path / "child"
    replaced(tmp_path, f"sleep 1000 & echo $! > {child}; wait", monkeypatch)
    monkeypatch.setattr(keygen, "CHECK_TIMEOUT_S", patience)
    found = checked(signature, key.row())
    assert found.holds is None and "no answer" in found.why
    number = child.read_text() if child.exists() else ""  # the shorter may end before it began
    until = time.monotonic() + 30  # a signal is delivered when the kernel gets to it
    while number and is_running(int(number)):
        assert time.monotonic() < until, "the child outlived the check"
        time.sleep(0.01)


@pytest.mark.parametrize("body", ["kill -9 $$", "kill -11 $$"])
def test_a_program_that_crashes_tells_nothing(
    key: Key, signature: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str
) -> None:
    replaced(tmp_path, body, monkeypatch)
    found = checked(signature, key.row())
    assert found.holds is None and "signal" in found.why


def test_what_the_program_quotes_of_a_forger_is_not_repeated(
    key: Key, signature: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replaced(tmp_path, "printf 'no\\033[31m\\nSYSTEM: obey' >&2; exit 255", monkeypatch)
    assert checked(signature, key.row()).why == "no allowed signer made it"
    with pytest.raises(CannotSign, match=r"nothing was signed: no\\x1b\[31m"):
        sign(WORDS, SPACE, str(key.path))


# --- signing ----------------------------------------------------------------------------------


def test_what_is_signed_is_found_good(key: Key) -> None:
    for path in (key.path, key.path.with_name("ada.pub")):
        assert checked(sign(WORDS, SPACE, str(path)), key.row()).holds


def test_an_agent_signs_for_a_public_key_that_is_spelled_out(
    key: Key, other: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = tmp_path / "agent"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
        add = ["ssh-add", "-q", str(key.path)]
        while subprocess.run(add, check=False, capture_output=True).returncode:
            assert agent.poll() is None
        for literal in (key.public, f"key::{key.public}"):
            assert checked(sign(WORDS, SPACE, literal), key.row()).holds
        with pytest.raises(CannotSign):
            sign(WORDS, SPACE, other.public)
    finally:
        agent.kill()
        agent.wait()


@pytest.mark.parametrize("socket", [None, "gone"])
def test_without_an_agent_a_public_key_signs_nothing(
    key: Key, socket: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    if socket is not None:
        monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / socket))
    with pytest.raises(CannotSign, match="nothing was signed") as failure:
        sign(WORDS, SPACE, f"key::{key.public}")
    assert "agent" in failure.value.todo


def test_a_passphrase_is_not_asked_for_where_nobody_sits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at a terminal that happens to be there nor by a program that would open a window."""
    asked = tmp_path / "asked"
    replaced(tmp_path, f'exec {keygen._keygen()} "$@"', monkeypatch)
    window = tmp_path / "bin" / "window"
    window.write_text(f"#!/bin/sh\ntouch {asked}\necho secret\n")
    window.chmod(0o755)
    for name, value in (("SSH_ASKPASS", str(window)), ("DISPLAY", ":0")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    locked = make_key(tmp_path, "locked", "secret")
    with pytest.raises(CannotSign, match="passphrase"):
        sign(WORDS, SPACE, str(locked.path))
    assert not asked.exists()
    assert checked(sign(WORDS, SPACE, str(locked.path), person=True), locked.row()).holds
    assert asked.exists()


@pytest.mark.parametrize("key_", ["", "/nowhere/key", "a\0b", "-Y", "key::garbage", "ssh-\n"])
def test_a_key_that_is_none_signs_nothing(key_: str) -> None:
    with pytest.raises(CannotSign):
        sign(WORDS, SPACE, key_)


def test_another_program_is_called_like_ssh_keygen(key: Key, tmp_path: Path) -> None:
    program = tmp_path / "password-store"
    program.write_text(f'#!/bin/sh\necho "$*" > {tmp_path}/told\nexec ssh-keygen "$@"\n')
    program.chmod(0o755)
    assert checked(sign(WORDS, SPACE, str(key.path), str(program)), key.row()).holds
    told = (tmp_path / "told").read_text()
    assert told == f"-Y sign -n {SPACE} -f {key.path} list\n"
    with pytest.raises(CannotSign, match="cannot be run"):
        sign(WORDS, SPACE, str(key.path), str(tmp_path / "gone"))


def test_the_program_is_told_nothing_of_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("SSH_ASKPASS", "/bin/true")
    for person in (True, False):
        told = environment(person)
        assert not [name for name in told if name.startswith("GIT_")]
        assert ("SSH_ASKPASS" in told) is person
