"""Forgeries on the machine itself: by another user, and by whatever runs as the owner."""

import json
import os
import shutil
import stat
from pathlib import Path

from builders import claimed, make_project, memory_text
from forgeries_git import MENDED
from ktw import checks
from ktw.kept import write_kept
from ktw.sittings import Sitting, format_list
from scene import (
    CLAIM,
    FILE,
    HOSTILE,
    NOW,
    REF,
    TEXT,
    WORDS,
    Forgery,
    Scene,
    by,
    own_user,
)

other = by("another user on the machine")
STRANGER = 12345


def _given_away(*places: Path) -> None:
    """Files become somebody else's where this process may give them away, else writable by all."""
    for place in places:
        if os.geteuid() == 0:
            os.chown(place, STRANGER, STRANGER, follow_symlinks=False)
        else:
            place.chmod(place.stat().st_mode | stat.S_IWOTH)


# --- another user -----------------------------------------------------------------------------


@other
def a_repository_of_somebody_else(s: Scene) -> None:
    """Owns the repository, policy, refs and all, and waits for somebody who reads there."""
    s.work.write(HOSTILE, CLAIM)
    s.work.commit("theirs")
    s.team.push()
    if os.geteuid() == 0:
        _given_away(s.work.root, *s.work.root.rglob("*"))
    else:
        s.work.setting("ktw.bound", "0" * 32)


@other
def a_repository_around_the_directory(s: Scene) -> Path:
    """Makes a repository with a policy in a directory that everybody uses, above the reader's."""
    evil = make_project(s.away / "shared", {"release.md": CLAIM})
    for key in ("ktw.project=test .", "ktw.approval=merged", "ktw.trustRef=refs/heads/main"):
        evil.git("config", *key.split("=", 1))
    evil.setting("ktw.bound", "0" * 32)
    (evil.root / "mine").mkdir()
    return evil.root / "mine"


@other
def a_memory_of_signatures(s: Scene) -> None:
    """Writes into the memory of checked signatures that the stranger's list holds."""
    forge_checks(s)
    _given_away(s.work.root / ".git/ktw/signatures.json")


@other
def a_memory_of_merges(s: Scene) -> None:
    """Writes into the memory of merges that the trust ref brought words of a merged branch."""
    s.work.git("switch", "--quiet", "--create", "one")
    s.work.write(HOSTILE, CLAIM)
    first = s.work.commit("first try")
    blob = s.work.git("rev-parse", f"HEAD:{HOSTILE}")
    s.work.write(HOSTILE, MENDED)
    s.work.commit("second try")
    s.work.git("switch", "--quiet", "main")
    s.work.git("merge", "--quiet", "--no-ff", "-m", "Merge one", "one")
    s.team.push(first)
    s.team.push("main")
    s.work.git("switch", "--quiet", "--create", "two", first)
    known = [[f"{blob} release.md", ["Ada", "2026-01-02T03:04:05Z"]]]
    content = {"schema": [2, "context"], "tip": s.work.git("rev-parse", REF), "known": known}
    place = s.work.write(".git/ktw/approvers.json", json.dumps(content))
    _given_away(place)


@other
def a_key_of_somebody_else(s: Scene) -> None:
    """Owns the key in the home by which a policy is tied to its place."""
    s.work.write(HOSTILE, CLAIM)
    s.work.commit("theirs")
    s.team.push()
    _given_away(Path("~/.keep-the-why/ktw.key").expanduser())


# --- whatever runs as the owner ---------------------------------------------------------------


def forge_checks(s: Scene) -> None:
    """Write that the list of a stranger, whom nobody allowed, holds."""
    s.work.write(HOSTILE, CLAIM)
    place = s.sign(s.eve, s.subject())
    signature = place.with_name(f"{place.name}.sig").read_bytes()
    keyring = checks.Keyring((s.away / "allowed_signers").read_bytes(), None)
    key = checks.check_key(format_list(Sitting(NOW, (s.subject(),))), signature, keyring)
    content = {"schema": ["signatures", 2], "checks": [[key, True, "", "ada@example.invalid"]]}
    write_kept(s.work.project.repository, "signatures", json.dumps(content).encode())


@own_user("local")
def an_entry_in_the_ledger(s: Scene) -> None:
    """Writes the ledger of this clone, as `ktw trust` would."""
    s.work.write(HOSTILE, CLAIM)
    s.enter(s.subject())


@own_user("merged")
def a_trust_ref_that_is_moved(s: Scene) -> None:
    """Moves this clone's remote branch to a commit of its own."""
    s.work.write(HOSTILE, CLAIM)
    s.work.git("update-ref", REF, s.work.commit("theirs"))


@own_user("merged")
def another_trust_ref(s: Scene) -> None:
    """Names the branch that it writes itself as the trust ref."""
    s.work.write(HOSTILE, CLAIM)
    s.work.commit("theirs")
    s.work.setting("ktw.trustRef", "refs/heads/main")


@own_user("local")
def a_method_that_is_easier(s: Scene) -> None:
    """Changes the methods of a clone from `signed` to `local`, and writes the ledger."""
    s.allow("signed")
    an_entry_in_the_ledger.forge(s)


@own_user("signed")
def a_signer_of_its_own(s: Scene) -> None:
    """Adds a key of its own to the file of allowed signers, and signs."""
    with (s.away / "allowed_signers").open("a") as file:
        file.write(s.eve.row())
    s.work.write(HOSTILE, CLAIM)
    s.sign(s.eve, s.subject())


@own_user("signed")
def what_was_checked_before(s: Scene) -> None:
    """Writes into the memory of checked signatures that its list holds."""
    forge_checks(s)


@own_user("signed")
def a_program_that_says_yes(s: Scene) -> None:
    """Puts an `ssh-keygen` first on the PATH that finds every signature good."""
    program = s.away / "bin/ssh-keygen"
    program.parent.mkdir()
    said = 'Good "ktw-approval" signature for ada@example.invalid with ED25519 key SHA256:x'
    program.write_text(f"#!/bin/sh\ncat >/dev/null\necho ada@example.invalid\necho '{said}'\n")
    program.chmod(0o755)
    s.work.write(HOSTILE, CLAIM)
    s.sign(s.eve, s.subject())
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"


@own_user("local")
def a_terminal_of_its_own(s: Scene) -> None:
    """Runs `ktw trust` through a pseudo-terminal and types the hash that it reads there."""
    from terminal import Terminal, digits_shown

    s.work.write(HOSTILE, TEXT)
    s.work.commit("draft")
    s.allow("local")
    with Terminal(s.work.root, ["trust", "release", "--branch", "theirs"]) as terminal:
        terminal.type(digits_shown(terminal))
        assert terminal.end() == 0


@own_user("signed", elsewhere="none")
def the_key_of_the_owner(s: Scene) -> None:
    """Signs with the owner's key, which has no passphrase, or which an agent process holds."""
    s.work.write(HOSTILE, CLAIM)
    s.sign(s.ada, s.subject())


@own_user("merged", "local", "signed", elsewhere="none")
def a_push_to_the_trust_ref(s: Scene) -> None:
    """Pushes to the branch that counts, with the owner's credentials, and signs with his key."""
    s.work.write(HOSTILE, CLAIM)
    s.enter(s.subject())
    s.sign(s.ada, s.subject())
    s.work.commit("theirs")
    s.team.push()


def _index_of(s: Scene, words: str) -> None:
    """The index as it would be for other words in the approved file, under the real one."""
    from spoken import say

    real = s.work.read(FILE)
    s.work.write(FILE, claimed(memory_text("Snapshot before buffer", words)))
    say(s.work.root, "recall", "release")
    kept = s.away / "ktw"
    shutil.copytree(s.work.root / ".git/ktw", kept)
    s.work.write(FILE, real)
    say(s.work.root, "recall", "release")
    for place in kept.iterdir():
        if place.is_file():
            shutil.copy(place, s.work.root / ".git/ktw")


@by("the owner's own user", shown=False)
def an_index_that_was_edited(s: Scene) -> None:
    """Puts an index in place that holds its words under the approved file's name."""
    _index_of(s, WORDS)


FORGERIES: tuple[Forgery, ...] = (
    a_repository_of_somebody_else,
    a_repository_around_the_directory,
    a_memory_of_signatures,
    a_memory_of_merges,
    a_key_of_somebody_else,
    an_index_that_was_edited,
    an_entry_in_the_ledger,
    a_trust_ref_that_is_moved,
    another_trust_ref,
    a_method_that_is_easier,
    a_signer_of_its_own,
    what_was_checked_before,
    a_program_that_says_yes,
    a_terminal_of_its_own,
    the_key_of_the_owner,
    a_push_to_the_trust_ref,
)
