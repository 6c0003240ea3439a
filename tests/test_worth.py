"""What a method is worth is said in one line, and truly."""

import subprocess
import sys
from pathlib import Path

import pytest

from builders import Repo, Team
from keys import Key, make_key, use_key
from ktw.evidence import Evidence
from ktw.operations.worth import Ground, ground, method_worth
from ktw.signers import Signers
from ktw.trust import METHODS

MAIN = "refs/remotes/origin/main"
ALLOWED = Signers(Path("allowed"))


@pytest.mark.parametrize(
    ("method", "rests_on", "told"),
    [
        ("merged", Ground(), "backs nothing: no trust ref"),
        ("merged", Ground(MAIN), "backs nothing until it is fetched"),
        ("merged", Ground(MAIN, True), "as strong as the protection of origin/main"),
        ("merged", Ground("refs/heads/main", True), "whoever can commit here approves"),
        ("local", Ground(), "accident protection"),
        ("signed", Ground(), "backs nothing: gpg.ssh.allowedSignersFile is not set"),
        ("signed", Ground(signers=Signers(fault="it is theirs")), "backs nothing: it is theirs"),
        ("signed", Ground(signers=ALLOWED), "backs nothing: allowed cannot be read"),
        ("signed", Ground(signers=ALLOWED, keys=1), "backs nothing: ssh-keygen"),
        ("signed", Ground(None, False, ALLOWED, 1, True, "software"), "; 1 key in allowed; what"),
        ("signed", Ground(None, False, ALLOWED, 2, True, "hardware"), "counts only when touched"),
        ("signed", Ground(None, False, ALLOWED, 2, True, "no key"), "cannot sign here: no key"),
    ],
)
def test_what_each_method_is_worth(method: str, rests_on: Ground, told: str) -> None:
    worth = method_worth(method, rests_on)
    assert told in worth and "\n" not in worth


def test_every_method_has_a_line() -> None:
    assert all(method_worth(method, Ground()) for method in METHODS)


@pytest.fixture
def key(tmp_path: Path) -> Key:
    return make_key(tmp_path)


def grounds(repo: Repo) -> Ground:
    with Evidence(repo.project) as evidence:
        return ground(evidence)


def test_what_is_found_here(team: Team, key: Key, tmp_path: Path) -> None:
    work, allowed = team.work, tmp_path / "allowed"
    assert grounds(work) == Ground(MAIN, True)
    allowed.write_text(f"# ours\n\n{key.row()}{key.row('b')}")
    use_key(work, key, allowed)
    work.policy("signed", "merged", ref="refs/remotes/origin/gone")
    expected = Ground("refs/remotes/origin/gone", False, Signers(allowed), 2, True, "software")
    assert grounds(work) == expected
    work.setting("user.signingkey", "key::sk-ssh-ed25519@openssh.com AAAA")
    assert grounds(work).signing == "hardware"
    key.path.with_name("ada.pub").write_text("sk-ssh-ed25519@openssh.com AAAA\n")
    for place in (key.path, key.path.with_name("ada.pub")):
        work.setting("user.signingkey", str(place))
        assert grounds(work).signing == "hardware"
    work.setting("gpg.format", "openpgp")
    assert "no SSH key" in grounds(work).signing
    allowed.unlink()
    assert grounds(work).keys is None


def test_status_says_it(team: Team) -> None:
    command = [sys.executable, "-m", "ktw", "status"]
    told = subprocess.run(command, cwd=team.work.root, capture_output=True, check=True).stdout
    assert b"\n   merged as strong as the protection of origin/main" in told
    assert b"\n    local this clone's ledger" in told
