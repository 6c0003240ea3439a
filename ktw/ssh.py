"""Make and check SSH signatures as OpenSSH's `ssh-keygen` makes and checks them.

Knows bytes, keys and principals, nothing of memories or of git; `ktw.keygen` runs the program.
"""

import base64
import re
import time
from datetime import datetime
from typing import NamedTuple

from ktw.errors import KtwError
from ktw.keygen import Scratch, Unable

_SIGN_TIMEOUT_S = 120
_MAX_PRINCIPALS = 16
_ARMOUR = re.compile(
    rb"-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)-----END SSH SIGNATURE-----\n?"
)
_USER_PRESENT = 0x01  # the flag that an authenticator sets when it was touched (CTAP2, section 6.2)


class Check(NamedTuple):
    """What is known of a signature: True, False, or None where it cannot be told; `why`, by whom.

    `principal` is the name that the allowed-signers file gives the key.
    """

    holds: bool | None
    why: str = ""
    principal: str = ""


class Keyring(NamedTuple):
    """The content of an allowed-signers file and, where there is one, of a revocation file."""

    signers: bytes
    revoked: bytes | None = None


class CannotSign(KtwError):
    """No signature was made: no program, no key, no passphrase, no touch."""


def check(
    message: bytes, signature: bytes, namespace: str, keyring: Keyring, at: datetime
) -> Check:
    """Whether an allowed signer signed exactly `message` in `namespace`, allowed to at that time.

    `signature` is one armoured block of PROTOCOL.sshsig and nothing else. A hardware key's counts
    only where the key says that it was touched. Never raises.
    """
    try:
        fault = _fault(signature, namespace)
        return Check(False, fault) if fault else _ask(message, signature, namespace, keyring, at)
    except Unable as error:
        return Check(None, str(error))


def _ask(message: bytes, signature: bytes, namespace: str, keyring: Keyring, at: datetime) -> Check:
    files = {"message": message, "signature": signature, "signers": keyring.signers}
    files |= {} if keyring.revoked is None else {"revoked": keyring.revoked}
    given = ["-f", "signers", "-s", "signature", f"-Overify-time={_local_time(at)}"]
    with Scratch(files) as scratch:
        found = scratch.run(["-Y", "find-principals", *given])
        if found.status:
            return Check(False, _reason(found.complaint) or "no allowed signer made it")
        if keyring.revoked is not None:
            given += ["-r", "revoked"]
        for principal in found.output.splitlines()[:_MAX_PRINCIPALS]:
            asked = ["-Y", "verify", "-n", namespace, "-I", principal, *given]
            checked = scratch.run(asked, stdin="message")
            if checked.status == 0:
                return Check(True, principal=principal)
            found = checked
    return Check(False, _reason(found.complaint) or "it does not fit, or its key is revoked")


def _reason(complaint: str) -> str:
    """What ssh-keygen says, in words of our own: its own may quote what a forger wrote."""
    return next((told for sign, told in _REASONS.items() if sign in complaint), "")


_REASONS = {
    "key has expired": "its key was no longer valid at that time",
    "not yet valid": "its key was not valid yet at that time",
    "not permitted for use in signature namespace": "its key is allowed for other uses alone",
}


def sign(
    message: bytes, namespace: str, key: str, program: str | None = None, person: bool = False
) -> bytes:
    """One armoured signature over `message`; raises CannotSign.

    `key` is git's `user.signingkey`: the path of a key, or a public key as text (`key::…`) whose
    private half an agent holds. `program` is another one than `ssh-keygen`, called like it.
    Only where a `person` sits at the terminal may a passphrase or a PIN be asked for.
    """
    files, place = {"list": message}, key
    if is_literal(key):
        place = "key.pub"
        files[place] = key.removeprefix("key::").encode() + b"\n"
    try:
        with Scratch(files) as scratch:
            asked = ["-Y", "sign", "-n", namespace, "-f", place, "list"]
            done = scratch.run(asked, program=program, person=person, patience=_SIGN_TIMEOUT_S)
            made = scratch.read("list.sig").replace(b"\r\n", b"\n")
    except Unable as error:
        raise CannotSign(f"nothing was signed: {error}", _SIGN_ADVICE) from error
    if done.status or not made:
        raise CannotSign(f"nothing was signed: {done.complaint}", _SIGN_ADVICE)
    return made


_SIGN_ADVICE = (
    "Try that key by itself: ssh-keygen -Y sign -n test -f KEY FILE. Without a terminal only an "
    "agent's key, or one without a passphrase, can sign."
)


def is_literal(key: str) -> bool:
    """True where git's setting spells a public key out instead of naming a file (git-config(1))."""
    return key.startswith(("key::", "ssh-"))


# --- what a signature says of itself ----------------------------------------------------------


def _fault(signature: bytes, namespace: str) -> str:
    """Why a signature cannot count whoever made it, "" where it may (PROTOCOL.sshsig)."""
    armour = _ARMOUR.fullmatch(signature)
    if armour is None:
        return "its signature is not one armoured block and nothing else"
    try:
        data = base64.b64decode(armour[1].replace(b"\n", b""), validate=True)
        (_, named, _, _, made), _ = _strings(data[10:], 5)
        (kind, _), rest = _strings(made, 2)
    except ValueError:
        return "its signature cannot be read"
    if named != namespace.encode():
        return f"its signature was made for something else than {namespace}"
    touched = bool(rest) and rest[0] & _USER_PRESENT
    if kind.startswith((b"sk-", b"webauthn-sk-")) and not touched:
        return "its hardware key was not touched when it signed"
    return ""


def _strings(blob: bytes, count: int) -> tuple[list[bytes], bytes]:
    """`count` length-prefixed strings from the front of `blob`, and the rest (RFC 4251, 5)."""
    found = []
    for _ in range(count):
        end = 4 + int.from_bytes(blob[:4], "big")
        if len(blob) < max(4, end):
            raise ValueError("cut short")
        found.append(blob[4:end])
        blob = blob[end:]
    return found, blob


def _local_time(at: datetime) -> str:
    """A time as ssh-keygen reads it where no zone is given; `Z` came with OpenSSH 9.1 only."""
    return time.strftime("%Y%m%d%H%M%S", time.localtime(at.timestamp()))
