"""SSH keys, signatures and signers files for tests, made by the real ssh-keygen."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from builders import Repo
from ktw.sittings import DIRECTORY, list_name

ADA = "ada@example.invalid"


@dataclass(frozen=True)
class Key:
    """A key pair on disk: `path` is the private half."""

    path: Path

    @property
    def public(self) -> str:
        """Type and key, without the comment."""
        return " ".join(self.path.with_name(f"{self.path.name}.pub").read_text().split()[:2])

    def row(self, principal: str = ADA, options: str = "") -> str:
        """A line of an allowed-signers file."""
        return " ".join(part for part in (principal, options, self.public) if part) + "\n"

    def sign(self, data: bytes, namespace: str = "ktw-approval") -> bytes:
        """An armoured signature."""
        command = ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(self.path)]
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def make_key(directory: Path, name: str = "ada", passphrase: str = "") -> Key:
    """A new ed25519 key; the test is skipped where OpenSSH's client is not installed."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("needs ssh-keygen")
    path = directory / name
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return Key(path)


def use_key(repo: Repo, key: Key, signers: Path) -> None:
    """Tell this clone which key signs and whose signatures count."""
    repo.setting("gpg.format", "ssh")
    repo.setting("user.signingkey", str(key.path))
    repo.setting("gpg.ssh.allowedSignersFile", str(signers))


def put_list(repo: Repo, data: bytes, signature: bytes | None, name: str | None = None) -> Path:
    """Write a list and its signature where ktw looks for them."""
    path = f"context/{DIRECTORY}/{name or list_name(data)}"
    if signature is not None:
        repo.write(f"{path}.sig", signature)
    return repo.write(path, data)
