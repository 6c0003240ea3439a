"""What each method of approval rests on in this clone, in one line a method.

`method_worth` is pure; `ground` gathers what it speaks of.
"""

from pathlib import Path
from typing import NamedTuple

from ktw.boundaries import Unreadable, read_regular
from ktw.errors import UsageError, visible
from ktw.evidence import Evidence
from ktw.git import Repository
from ktw.keygen import program
from ktw.operations.signing import signing_key
from ktw.signatures import read_keyring
from ktw.signers import ALLOWED, Signers
from ktw.ssh import is_literal
from ktw.text.counting import counted
from ktw.trust import short_ref

_MAX_PUBLIC_KEY = 64 * 1024


class Ground(NamedTuple):
    """What the methods rest on here.

    `keys`: rows of the allowed-signers file, None where it cannot be read. `signing`: the kind of
    the person's own key (hardware, software), or why there is none.
    """

    trust_ref: str | None = None
    has_trust_ref: bool = False
    signers: Signers = Signers()
    keys: int | None = None
    can_check: bool = False
    signing: str = ""


def method_worth(method: str, ground: Ground) -> str:
    """What backs an approval by this method on this machine, and who could forge one."""
    return {"merged": _merged, "local": _local, "signed": _signed}[method](ground)


def _merged(ground: Ground) -> str:
    if ground.trust_ref is None:
        return "backs nothing: no trust ref is set"
    ref = short_ref(ground.trust_ref)
    if not ground.has_trust_ref:
        return f"backs nothing until it is fetched: {ref} is not in this clone"
    if not ground.trust_ref.startswith("refs/remotes/"):
        return f"{ref} is a ref of this clone: whoever can commit here approves"
    return f"as strong as the protection of {ref} at its host: whoever can push there approves"


def _local(ground: Ground) -> str:
    return "this clone's ledger: accident protection, whatever runs as you can write it"


def _signed(ground: Ground) -> str:
    if ground.signers.allowed is None:
        return f"backs nothing: {ground.signers.fault or f'{ALLOWED} is not set'}"
    place = visible(str(ground.signers.allowed))
    if ground.keys is None:
        return f"backs nothing: {place} cannot be read"
    if not ground.can_check:
        return "backs nothing: ssh-keygen is not on the PATH"
    keys = counted(ground.keys, "key")
    return f"proof on every machine that allows the key; {keys} in {place}; {_own(ground.signing)}"


def _own(signing: str) -> str:
    if signing == "hardware":
        return "yours is on hardware and counts only when touched"
    if signing == "software":
        return "whatever runs as you can sign with yours unless a passphrase or an agent asks"
    return f"you cannot sign here: {signing}"


def ground(evidence: Evidence, whole: bool = False) -> Ground:
    """What the methods of this clone's policy rest on; asks about keys only where they count, or
    where the `whole` is wanted, whatever the policy."""
    policy, signers = evidence.reading.policy, evidence.reading.signers
    found = Ground(signers=signers)
    if policy is not None:
        found = Ground(policy.trust_ref, evidence.trust_tip is not None, signers)
    if not whole and (policy is None or "signed" not in policy.methods):
        return found
    keyring = read_keyring(signers)
    return found._replace(
        keys=None if keyring is None else len(_rows(keyring.signers)),
        can_check=bool(program()),
        signing=_signing(evidence.project.repository),
    )


def _rows(signers: bytes) -> list[bytes]:
    lines = (line.strip() for line in signers.splitlines())
    return [line for line in lines if line and not line.startswith(b"#")]


def _signing(repository: Repository) -> str:
    try:
        key = signing_key(repository).key
    except UsageError as error:
        return error.what
    return "hardware" if _public(key).startswith("sk-") else "software"


def _public(key: str) -> str:
    """The text of a public key, "" where it is not beside the private one."""
    if is_literal(key):
        return key.removeprefix("key::")
    place = Path(key if key.endswith(".pub") else f"{key}.pub").resolve()
    try:
        return read_regular(place, place.parent, _MAX_PUBLIC_KEY).decode("utf-8", "replace")
    except Unreadable:
        return ""
