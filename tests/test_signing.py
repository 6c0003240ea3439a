"""`signed` in real repositories: what a list proves, on which clone, and what forges none."""

import os
import re
import shutil
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, Team, claimed, judged, make_clone, make_project, memory_text, true_hash
from keys import ADA, Key, make_key, put_list, use_key
from ktw import checks, signatures
from ktw.errors import KtwError, UsageError
from ktw.evidence import Evidence
from ktw.git import GitFailed, refs
from ktw.git import writing as git_writing
from ktw.ledger import REF as LEDGER
from ktw.ledger import Subject
from ktw.memory import parse_memory
from ktw.operations.approving import Recorded, approve_all
from ktw.operations.candidate import candidate
from ktw.operations.state import verify
from ktw.operations.withdrawing import withdraw
from ktw.sittings import DIRECTORY, Sitting, format_list, list_name, parse_list, subject_lines
from ktw.ssh import CannotSign
from ktw.store import Changed, find_project
from ktw.trust import Verdict

FILE = "context/snapshot.md"
LISTS = f"context/{DIRECTORY}"
NOW = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
CLAIMED = claimed(memory_text())


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return make_key(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def eve(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return make_key(tmp_path_factory.mktemp("keys"), "eve")


@pytest.fixture
def signers(tmp_path: Path, key: Key) -> Path:
    """The file of allowed signers, outside of every repository."""
    path = tmp_path / "allowed_signers"
    path.write_text(key.row())
    return path


@pytest.fixture
def repo(repo: Repo, key: Key, signers: Path) -> Repo:
    """A project with one unapproved memory, the policy `signed` and a key."""
    repo.policy("signed")
    use_key(repo, key, signers)
    return repo


@pytest.fixture
def target(repo: Repo) -> Repo:
    """The same, with a claim in the memory that nothing backs."""
    repo.write(FILE, CLAIMED)
    return repo


def sit(repo: Repo, *references: str, commit: bool = True) -> Recorded:
    chosen = [candidate(repo.project, reference) for reference in references or ("snapshot",)]
    return approve_all(repo.project, chosen, NOW, commit)


def subject(repo: Repo, **changes: object) -> Subject:
    """What an approval of snapshot.md is bound to, some of it changed."""
    file = parse_memory(FILE, (repo.root / FILE).read_bytes())
    found = Subject("test", FILE, file.ids, file.computed_hash)
    return found._replace(**changes)  # type: ignore[arg-type]


def listed(*subjects: Subject, at: datetime = NOW) -> bytes:
    return format_list(Sitting(at, subjects))


def lists(repo: Repo) -> list[str]:
    return sorted(path.name for path in (repo.root / LISTS).glob("*.list"))


def said(verdict: Verdict) -> str:
    return "; ".join(verdict.reasons)


# --- a sitting --------------------------------------------------------------------------------


def test_a_sitting_of_one_is_claim_list_signature_and_one_commit(repo: Repo) -> None:
    done = sit(repo)
    ((path, verdict),) = done.verdicts
    assert (path, verdict.name, verdict.method) == (FILE, "approved", "signed")
    assert verdict.approval is not None
    assert (verdict.approval.by, verdict.approval.at) == (ADA, "2026-01-03T04:05:06Z")
    (name,) = lists(repo)
    committed = repo.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert committed == [f"{LISTS}/{name}", f"{LISTS}/{name}.sig", FILE]
    assert repo.git("status", "--porcelain") == ""
    assert repo.git("for-each-ref", LEDGER) == ""
    assert parse_list((repo.root / LISTS / name).read_bytes()) == Sitting(NOW, (subject(repo),))


def test_many_memories_take_one_signature_and_one_commit(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"m{number}" for number in range(8)]
    for name in names:
        repo.write(f"context/{name}.md", memory_text(name, f"Words of {name} alone."))
    repo.policy("signed", "local", "merged", ref="refs/remotes/origin/main")
    program = counting(tmp_path, monkeypatch)
    done = sit(repo, *names)
    assert all(verdict.approved for _, verdict in done.verdicts) and len(done.verdicts) == 8
    assert program().count("sign") == 1
    assert len(lists(repo)) == 1
    assert repo.git("rev-list", "--count", "HEAD") == "2"
    assert repo.git("rev-list", "--count", LEDGER) == "1"
    message = repo.git("log", "-1", "--format=%B")
    assert message.startswith("Approve 8 memories\n") and message.count("Memory-Approved: ") == 8


def test_words_that_a_list_proves_already_are_not_signed_again(repo: Repo) -> None:
    sit(repo)
    withdraw(repo.project, candidate(repo.project, "snapshot"))
    repo.write("context/new.md", memory_text("New", "Other words."))
    before = lists(repo)
    done = sit(repo, "snapshot", "new")
    assert all(verdict.approved for _, verdict in done.verdicts)
    (made,) = set(lists(repo)) - set(before)
    assert len(parse_list((repo.root / LISTS / made).read_bytes()).subjects) == 1  # type: ignore[union-attr]


def test_withdrawing_says_what_a_list_still_proves(repo: Repo) -> None:
    sit(repo)
    approved = repo.read(FILE)
    done = withdraw(repo.project, candidate(repo.project, "snapshot"))
    assert done.verdict.name == "unapproved"
    assert "revoked" in done.notes[0]
    repo.write(FILE, approved)
    assert judged(repo.root).approved
    repo.write("context/revoked", f"{true_hash(approved)} 2026-01-04 withdrawn\n")
    assert judged(repo.root).name == "revoked"


def test_a_file_that_is_adopted_is_signed_as_it_is_written(repo: Repo) -> None:
    text = "# Layout\n\n## Why\n\n**Type:** decision\n\nOne level is enough.\n"
    repo.write("context/layout.md", text)
    assert sit(repo, "layout").verdicts[0][1].method == "signed"


def test_without_a_commit_the_files_are_there_all_the_same(repo: Repo) -> None:
    assert sit(repo, commit=False).verdicts[0][1].approved
    assert repo.git("rev-list", "--count", "HEAD") == "1"
    assert len(lists(repo)) == 1


def test_a_sitting_without_a_memory_commits_nothing(repo: Repo) -> None:
    repo.write("staged.txt", "x")
    repo.git("add", "staged.txt")
    with pytest.raises(UsageError, match="no memory was chosen"):
        approve_all(repo.project, [], NOW)
    assert repo.git("status", "--porcelain") == "A  staged.txt"


# --- nothing, or all of it --------------------------------------------------------------------


def state(repo: Repo) -> tuple[object, ...]:
    files = {
        path: path.read_bytes() for path in (repo.root / "context").rglob("*") if path.is_file()
    }
    return files, repo.git("rev-parse", "HEAD"), repo.git("for-each-ref", LEDGER)


def _hook_refuses(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    hook = repo.write(".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n")
    hook.chmod(0o755)
    return GitFailed


def _key_is_gone(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    repo.setting("user.signingkey", "/nowhere/key")
    return CannotSign


def _key_is_not_allowed(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    repo.setting("user.signingkey", str(make_key(repo.root.parent, "stranger").path))
    return UsageError


def _no_key(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    repo.setting("user.signingkey")
    return UsageError


def _openpgp(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    repo.setting("gpg.format", "openpgp")
    return UsageError


def _no_signers(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    repo.setting("gpg.ssh.allowedSignersFile")
    return UsageError


def _second_file_changed(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    real = candidate

    def then_changed(*asked: object) -> object:
        found = real(*asked)  # type: ignore[arg-type]
        if asked[1] == "b":
            repo.write("context/b.md", found.data + b"more\n")
        return found

    patch.setitem(globals(), "candidate", then_changed)
    return Changed


def _ledger_is_locked(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    patch.setattr(refs, "_PAUSE_S", 0.01)
    repo.write(".git/refs/ktw/approvals.lock", "")
    return GitFailed


def _index_is_locked(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    patch.setattr(git_writing, "_LOCK_PAUSE_S", 0.01)
    repo.write(".git/index.lock", "")
    return GitFailed


def _interrupted(repo: Repo, patch: pytest.MonkeyPatch) -> type[BaseException]:
    def stop(*_: object) -> str:
        raise KeyboardInterrupt

    patch.setattr(git_writing, "commit_paths", stop)
    return KeyboardInterrupt


def _lists_are_ignored(repo: Repo, patch: pytest.MonkeyPatch) -> type[Exception]:
    repo.write(".git/info/exclude", ".approvals/\n")
    return GitFailed


@pytest.mark.parametrize(
    "trouble",
    [
        _hook_refuses,
        _key_is_gone,
        _key_is_not_allowed,
        _no_key,
        _openpgp,
        _no_signers,
        _second_file_changed,
        _ledger_is_locked,
        _index_is_locked,
        _interrupted,
        _lists_are_ignored,
    ],
)
def test_where_one_part_fails_all_of_it_is_as_before(
    repo: Repo,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[Repo, pytest.MonkeyPatch], type[BaseException]],
) -> None:
    repo.write("context/b.md", memory_text("B", "Second words."))
    repo.policy("signed", "local")
    expected = trouble(repo, monkeypatch)
    chosen = [candidate(repo.project, reference) for reference in ("snapshot", "b")]
    before = state(repo), repo.git("status", "--porcelain")
    with pytest.raises(expected):
        approve_all(repo.project, chosen, NOW)
    assert (state(repo), repo.git("status", "--porcelain")) == before
    assert not (repo.root / LISTS).exists()


def test_what_was_approved_before_stays_in_the_ledger_where_a_sitting_fails(repo: Repo) -> None:
    repo.policy("local", "signed")
    sit(repo)
    repo.write("context/b.md", memory_text("B", "Second words."))
    before = state(repo)
    with pytest.MonkeyPatch.context() as patch:
        _hook_refuses(repo, patch)
        with pytest.raises(GitFailed):
            sit(repo, "b")
    assert state(repo) == before and judged(repo.root).method == "local"


# --- text-bound -------------------------------------------------------------------------------


def elsewhere(repo: Repo, key: Key, signers: Path) -> Verdict:
    """The verdict in another clone whose owner allows `signed` and this key."""
    assert judged(repo.root).name == "unknown"
    repo.policy("signed")
    use_key(repo, key, signers)
    return judged(repo.root)


@pytest.mark.parametrize(
    "options", [["--depth=1"], ["--filter=blob:none"], ["-c", "core.autocrlf=true"]]
)
def test_a_signature_proves_itself_in_any_clone(
    repo: Repo, tmp_path: Path, key: Key, signers: Path, options: list[str]
) -> None:
    sit(repo)
    repo.git("config", "uploadpack.allowFilter", "true")
    origin = f"file://{repo.root}"
    repo.git("clone", "--quiet", *options, origin, str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    name = lists(clone)[0]
    assert (b"\r\n" in (clone.root / LISTS / name).read_bytes()) is ("-c" in options)
    verdict = elsewhere(clone, key, signers)
    assert (verdict.name, verdict.method) == ("approved", "signed")


def test_a_signature_proves_itself_in_worktrees_of_bare_repositories_too(
    repo: Repo, tmp_path: Path, key: Key, signers: Path
) -> None:
    sit(repo)
    repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert judged(tmp_path / "linked").method == "signed"
    repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    Repo(tmp_path / "bare").git("worktree", "add", "--quiet", "-b", "x", "../tree")
    assert elsewhere(Repo(tmp_path / "tree"), key, signers).method == "signed"


def test_edited_words_lapse_and_a_renamed_file_is_not_the_one_that_was_signed(repo: Repo) -> None:
    sit(repo)
    text = repo.read(FILE)
    repo.write(FILE, text.replace("a full", "half a"))
    assert judged(repo.root).name == "lapsed"
    (repo.root / FILE).unlink()
    repo.write("context/renamed.md", text)
    verdict = judged(repo.root, "renamed.md")
    assert (verdict.name, said(verdict)) == ("unconfirmed", "signed: no signed list names it")


# --- forged by the content of a repository, or by a pull request ------------------------------


def refused(repo: Repo, name: str = "unconfirmed") -> str:
    verdict = judged(repo.root)
    assert verdict.name == name, verdict
    return said(verdict)


def test_the_real_list_counts(target: Repo, key: Key) -> None:
    data = listed(subject(target))
    put_list(target, data, key.sign(data))
    assert judged(target.root).approved


@pytest.mark.parametrize(
    "changes",
    [
        {"project": "other"},
        {"project": ""},
        {"path": "context/other.md"},
        {"path": "./context/snapshot.md"},
        {"ids": ()},
        {"ids": ("00000000-0000-4000-8000-000000000000",)},
        {"content_hash": "sha256:" + "0" * 64},
    ],
)
def test_a_list_of_another_project_path_id_or_hash(
    target: Repo, key: Key, changes: dict[str, object]
) -> None:
    data = listed(subject(target, **changes))
    put_list(target, data, key.sign(data))
    assert refused(target) == "signed: no signed list names it"


def test_a_list_that_was_signed_in_another_repository_is_replayed(
    target: Repo, tmp_path: Path, key: Key, signers: Path
) -> None:
    other = make_project(tmp_path / "other", {"snapshot.md": memory_text()}, "other")
    other.policy("signed", project="other .")
    use_key(other, key, signers)
    sit(other)
    shutil.copytree(other.root / LISTS, target.root / LISTS)
    refused(target)
    target.write(".keep-the-why", other.read(".keep-the-why"))
    assert "speaks for test ." in refused(target, "unknown")


@pytest.mark.parametrize("namespace", ["git", "file"])
def test_a_signature_that_was_given_for_something_else(
    target: Repo, key: Key, namespace: str
) -> None:
    data = listed(subject(target))
    put_list(target, data, key.sign(data, namespace))
    assert "something else than ktw-approval" in refused(target)


def _by_a_stranger(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, eve.sign(data)


def _of_another_list(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, key.sign(data.replace(b"04:05:06", b"04:05:07"))


def _without(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, None


def _two(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, key.sign(data) + eve.sign(data)


def _a_stranger_first(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, eve.sign(data) + key.sign(data)


def _text_after_it(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, key.sign(data) + b"signed by the owner\n"


def _huge(data: bytes, key: Key, eve: Key) -> tuple[bytes, bytes | None]:
    return data, key.sign(data) + b"\n" * 70_000


@pytest.mark.parametrize(
    "forge",
    [_by_a_stranger, _of_another_list, _without, _two, _a_stranger_first, _text_after_it, _huge],
)
def test_a_signature_that_is_not_this_one(
    target: Repo, key: Key, eve: Key, forge: Callable[[bytes, Key, Key], tuple[bytes, bytes | None]]
) -> None:
    put_list(target, *forge(listed(subject(target)), key, eve))
    assert "in the list" in refused(target)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"list 1", b"list 2"),
        lambda data: data.replace(b"list 1", b"list  1"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data + b"\n",
        lambda data: data[:-1],
        lambda data: data.replace(b"\n", b"\r"),
        lambda data: data.replace(b'", "', b'","'),
        lambda data: data + data.split(b"\n")[2] + b"\n",
        lambda data: data + b'["a", "b", [], "c"]\n',
        lambda data: data + b"[" * 200_000 + b"\n",
        lambda data: data + b'{"a": 1, "b": 2, "c": 3, "d": 4}\n',
        lambda data: data + b"9" * 9_000 + b"\n",
        lambda data: data.replace(b"2026-01-03T", b"2026-1-3T"),
        lambda data: data.replace(b"2026-", b"0026-"),
        lambda data: data.replace(b"2026-01-03T04:05:06Z", b"2026-02-30T04:05:06Z"),
        lambda data: data.replace(b"2026-01-03T04:05:06Z", b"2026-01-03T04:05:06+00:00"),
        lambda data: data.replace(b"2026-01-03T04:05:06Z\n", b""),
        lambda data: data.replace(b"context/", b"\\u0063ontext/"),
        lambda data: data.replace(b"context/", "\u0441ontext/".encode()),
        lambda data: b"",
    ],
)
def test_a_list_has_one_form(change: Callable[[bytes], bytes]) -> None:
    data = listed(Subject("test", FILE, ("an-id",), "sha256:" + "0" * 64))
    assert parse_list(data) is not None
    assert change(data) != data
    assert parse_list(change(data)) is None


def test_a_list_in_another_form_is_none_even_where_it_is_signed(target: Repo, key: Key) -> None:
    data = listed(subject(target)).replace(b"list 1", b"list 2")
    put_list(target, data, key.sign(data))
    assert "not in the form of one" in refused(target)


def test_a_list_that_was_edited_after_it_was_signed(target: Repo, key: Key) -> None:
    signed = listed(subject(target, content_hash="sha256:" + "0" * 64))
    edited = listed(subject(target))
    put_list(target, edited, key.sign(signed))
    put_list(target, edited, key.sign(signed), list_name(signed))
    assert "in the list" in refused(target)


def test_a_list_under_another_name_is_none(target: Repo, key: Key) -> None:
    data = listed(subject(target))
    for name in ("0" * 32 + ".list", list_name(data).upper(), f"x{list_name(data)}", "a.list"):
        put_list(target, data, key.sign(data), name)
    refused(target)


def test_a_giant_list_is_not_read(target: Repo, key: Key) -> None:
    other = subject(target, path="context/" + "x" * 2**20)
    data = listed(subject(target), other)
    put_list(target, data, key.sign(data))
    refused(target)


def test_more_lists_than_are_looked_through_prove_nothing(
    target: Repo, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signatures, "_MAX_TOTAL_BYTES", 300)
    for number in range(3):
        put_list(target, listed(subject(target, path=f"context/{number}.md")), b"x")
    assert "more in .approvals" in refused(target, "unknown")


def test_lists_that_only_cost_time_are_checked_once_and_not_all_at_once(
    target: Repo, eve: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signatures, "_MAX_CHECKS", 2)
    program = counting(tmp_path, monkeypatch)
    for second in range(3):
        data = listed(subject(target), at=NOW.replace(second=second))
        put_list(target, data, eve.sign(data))
    assert "checked at once" in refused(target, "unknown")
    assert program().count("find-principals") == 2
    refused(target)
    refused(target)
    assert program().count("find-principals") == 3


def _as_a_fifo(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def _as_a_link(place: Path) -> None:
    there = place.parent.parent / "elsewhere"
    place.rename(there)
    place.symlink_to(there)


def _as_a_link_out(place: Path) -> None:
    there = place.parents[3] / f"outside-{place.suffix}"
    place.rename(there)
    place.symlink_to(there)


def _as_a_directory(place: Path) -> None:
    place.unlink()
    place.mkdir()


def _behind_a_linked_directory(place: Path) -> None:
    there = place.parents[3] / "outside"
    place.parent.rename(there)
    place.parent.symlink_to(there)


@pytest.mark.parametrize(
    "become", [_as_a_fifo, _as_a_link, _as_a_link_out, _as_a_directory, _behind_a_linked_directory]
)
def test_a_list_is_a_regular_file_of_the_project(
    target: Repo, key: Key, become: Callable[[Path], None]
) -> None:
    data = listed(subject(target))
    become(put_list(target, data, key.sign(data)))
    refused(target)


@pytest.mark.parametrize("become", [_as_a_fifo, _as_a_link_out, _as_a_directory])
def test_a_signature_is_a_regular_file_of_the_project(
    target: Repo, key: Key, become: Callable[[Path], None]
) -> None:
    data = listed(subject(target))
    place = put_list(target, data, key.sign(data))
    become(place.with_name(f"{place.name}.sig"))
    assert "has no signature" in refused(target)


def test_lists_in_a_pipe_or_a_file_are_none(target: Repo) -> None:
    os.mkfifo(target.root / LISTS)
    refused(target)
    (target.root / LISTS).unlink()
    target.write(LISTS, "x")
    refused(target)


def test_a_list_of_a_project_further_down_is_not_looked_at(target: Repo, key: Key) -> None:
    data = listed(subject(target))
    put_list(target, data, key.sign(data))
    (target.root / "vendor").mkdir()
    (target.root / LISTS).rename(target.root / "vendor" / DIRECTORY)
    refused(target)


@pytest.mark.parametrize("method", ["local", "merged"])
def test_a_signature_counts_only_where_the_owner_allows_the_method(
    target: Repo, key: Key, method: str
) -> None:
    data = listed(subject(target))
    put_list(target, data, key.sign(data))
    target.policy(method)
    refused(target)


# --- whose signatures count -------------------------------------------------------------------


def signed(repo: Repo, key: Key, at: datetime = NOW) -> None:
    data = listed(subject(repo), at=at)
    put_list(repo, data, key.sign(data))


@pytest.mark.parametrize(
    "options", ['namespaces="git"', 'valid-before="20260101"', 'valid-after="20260104"']
)
def test_a_key_that_is_allowed_something_else(
    target: Repo, key: Key, signers: Path, options: str
) -> None:
    signed(target, key)
    assert judged(target.root).approved
    signers.write_text(key.row(options=options))
    assert "in the list" in refused(target)


def test_a_revoked_key_stops_to_count_at_once(target: Repo, key: Key, tmp_path: Path) -> None:
    signed(target, key)
    assert judged(target.root).approved
    (tmp_path / "revoked_keys").write_text(f"{key.public}\n")
    target.setting("gpg.ssh.revocationFile", str(tmp_path / "revoked_keys"))
    refused(target)
    (tmp_path / "revoked_keys").write_text("")
    assert judged(target.root).approved
    (tmp_path / "revoked_keys").unlink()
    assert "cannot be read" in refused(target, "unknown")


def test_a_signer_who_is_struck_off_stops_to_count_at_once(
    target: Repo, key: Key, eve: Key, signers: Path
) -> None:
    signed(target, key)
    assert judged(target.root).approved
    signers.write_text(eve.row())
    refused(target)


def _plain(repo: Repo, text: str, away: Path) -> str:
    return str(repo.write("allowed", text))


def _relative(repo: Repo, text: str, away: Path) -> str:
    repo.write("allowed", text)
    return "allowed"


def _link_into_the_tree(repo: Repo, text: str, away: Path) -> str:
    (away / "link").symlink_to(repo.write("allowed", text))
    return str(away / "link")


def _link_in_the_tree(repo: Repo, text: str, away: Path) -> str:
    (away / "allowed").write_text(text)
    (repo.root / "link").symlink_to(away / "allowed")
    return str(repo.root / "link")


def _directory_link_into_the_tree(repo: Repo, text: str, away: Path) -> str:
    repo.write("team/allowed", text)
    (away / "link").symlink_to(repo.root / "team")
    return str(away / "link/allowed")


def _dots(repo: Repo, text: str, away: Path) -> str:
    repo.write("allowed", text)
    return f"{repo.root}/.git/../allowed"


@pytest.mark.parametrize("key_name", ["gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile"])
@pytest.mark.parametrize(
    "place",
    [
        _plain,
        _relative,
        _link_into_the_tree,
        _link_in_the_tree,
        _directory_link_into_the_tree,
        _dots,
    ],
)
def test_a_file_of_the_work_tree_says_nothing_of_keys(
    target: Repo,
    key: Key,
    tmp_path: Path,
    key_name: str,
    place: Callable[[Repo, str, Path], str],
) -> None:
    signed(target, key)
    away = tmp_path / "away"
    away.mkdir()
    text = key.row() if "allowed" in key_name else ""
    target.setting(key_name, place(target, text, away))
    assert f"{key_name} names a file in the work tree" in refused(target)
    with pytest.raises(UsageError, match="work tree"):
        sit(target)


@pytest.mark.parametrize("key_name", ["gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile"])
@pytest.mark.parametrize("where", ["clone", "home", "conditional"])
def test_a_config_file_of_the_work_tree_names_no_signers(
    target: Repo, key: Key, tmp_path: Path, empty_home: Path, key_name: str, where: str
) -> None:
    signed(target, key)
    section = key_name.rpartition(".")[2]
    (tmp_path / "theirs").write_text(key.row())
    place = target.write("c.cfg", f'[gpg "ssh"]\n\t{section} = {tmp_path}/theirs\n')
    if where == "clone":
        target.setting("include.path", "../c.cfg")
    elif where == "conditional":
        target.setting("includeIf.onbranch:main.path", str(place))
    else:
        (empty_home / ".gitconfig").write_text(f"[include]\n\tpath = {place}\n")
    assert f"{key_name} is set by a file of the work tree" in refused(target)


def test_the_environment_names_no_signers(
    target: Repo, eve: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(target, eve)
    (tmp_path / "theirs").write_text(eve.row())
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "gpg.ssh.allowedSignersFile")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(tmp_path / "theirs"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'gpg.ssh.allowedSignersFile={tmp_path}/theirs'")
    refused(target)


def test_the_signers_may_stand_in_the_git_directory_or_the_home(
    target: Repo, key: Key, empty_home: Path
) -> None:
    signed(target, key)
    target.write(".git/allowed", key.row())
    target.setting("gpg.ssh.allowedSignersFile", ".git/allowed")
    assert judged(target.root).approved
    (empty_home / "allowed").write_text(key.row())
    target.setting("gpg.ssh.allowedSignersFile")
    (empty_home / ".gitconfig").write_text('[gpg "ssh"]\n\tallowedSignersFile = ~/allowed\n')
    assert judged(target.root).approved


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "unconfirmed"),
        ("", "unconfirmed"),
        ("/nowhere/allowed", "unknown"),
        ("~nobody-is-called-this/allowed", "unconfirmed"),
    ],
)
def test_without_a_file_of_signers_nothing_is_proved(
    target: Repo, key: Key, value: str | None, name: str
) -> None:
    signed(target, key)
    target.setting("gpg.ssh.allowedSignersFile", *([] if value is None else [value]))
    refused(target, name)


@pytest.mark.parametrize("kind", ["fifo", "directory", "device"])
def test_a_file_of_signers_that_is_none_is_not_waited_for(
    target: Repo, key: Key, tmp_path: Path, kind: str
) -> None:
    signed(target, key)
    place = tmp_path / "odd"
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "directory":
        place.mkdir()
    else:
        place = Path("/dev/zero")
    target.setting("gpg.ssh.allowedSignersFile", str(place))
    assert "cannot be read" in refused(target, "unknown")


def test_without_ssh_keygen_it_is_unknown_and_says_why(
    target: Repo, key: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(target, key)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").symlink_to(shutil.which("git") or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert "ssh-keygen is not on the PATH" in refused(target, "unknown")


def test_a_program_that_gives_no_answer_is_asked_once(
    target: Repo, key: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for second in range(3):
        data = listed(subject(target), at=NOW.replace(second=second))
        put_list(target, data, key.sign(data))
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/ssh-keygen"
    program.write_text(f"#!/bin/sh\necho asked >> {tmp_path}/log\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert "signal" in refused(target, "unknown")
    assert (tmp_path / "log").read_text() == "asked\n"


# --- programs that a config names -------------------------------------------------------------


def test_reading_runs_no_program_that_a_config_names(
    target: Repo, key: Key, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    for name in ("gpg.ssh.program", "gpg.ssh.defaultKeyCommand", "gpg.program"):
        target.setting(name, str(program))
    signed(target, key)
    assert judged(target.root).approved
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("value", ["./program", "{root}/program", "no-such-program"])
def test_signing_runs_no_program_of_the_work_tree(
    repo: Repo, tmp_path: Path, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = repo.write("program", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    monkeypatch.chdir(repo.root)
    repo.setting("gpg.ssh.program", value.format(root=repo.root))
    with pytest.raises(UsageError, match=r"gpg\.ssh\.program"):
        sit(repo)
    assert not (tmp_path / "ran").exists()


def test_a_key_that_the_work_tree_names_signs_nothing(repo: Repo, eve: Key) -> None:
    repo.write("c.cfg", f"[user]\n\tsigningkey = {eve.path}\n")
    repo.setting("include.path", "../c.cfg")
    with pytest.raises(UsageError, match=r"user\.signingkey is set by a file of the work tree"):
        sit(repo)


# --- what is remembered -----------------------------------------------------------------------


def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Put an ssh-keygen first on the PATH that keeps a log; what was asked of it so far."""
    real, log = shutil.which("ssh-keygen"), tmp_path / "keygen.log"
    program = tmp_path / "counting" / "ssh-keygen"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$2" >> "{log}"\nexec "{real}" "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    log.write_text("")
    return log.read_text


def test_a_list_is_checked_once_however_many_it_names(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        repo.write(f"context/{name}.md", memory_text(name, f"Words of {name} alone."))
    sit(repo, "a", "b", "c")
    shutil.rmtree(repo.root / ".git/ktw")
    program = counting(tmp_path, monkeypatch)
    for _ in ("cold", "warm"):
        assert verify(repo.project).summary["approved"] == 3
        assert program().split() == ["find-principals", "verify"]


def test_what_is_remembered_ends_when_anything_that_it_rests_on_changes(
    target: Repo, key: Key, tmp_path: Path, signers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = counting(tmp_path, monkeypatch)
    signed(target, key)
    assert judged(target.root).approved and program().count("verify") == 1
    signers.write_text(f"# moved\n{key.row()}")
    assert judged(target.root).approved and program().count("verify") == 2
    place = next((target.root / LISTS).glob("*.sig"))
    place.write_bytes(b"\n".join(place.read_bytes().split(b"\n")[:-1]))
    assert judged(target.root).approved and program().count("verify") == 3
    (tmp_path / "counting/ssh-keygen").touch()
    assert judged(target.root).approved and program().count("verify") == 4


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"schema": 1}',
        b'{"schema": 1, "checks": [1]}',
        b'{"schema": 0, "checks": []}',
        b"\xff",
    ],
)
def test_a_damaged_memory_is_made_anew(target: Repo, key: Key, content: bytes) -> None:
    signed(target, key)
    target.write(".git/ktw/signatures.json", content)
    assert judged(target.root).approved
    assert judged(target.root).approved


def forged_memory(repo: Repo) -> Path:
    """A file that says of every signature that it holds."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (checks, signatures):
            patch.setattr(module, "check_key", lambda *_: "0" * 64)
        patch.setattr(signatures, "check", lambda *_: signatures.Check(True, "", ADA))
        assert judged(repo.root).approved
    return repo.root / ".git/ktw/signatures.json"


def test_a_memory_counts_for_the_signature_that_it_was_made_for(target: Repo, eve: Key) -> None:
    signed(target, eve)
    forged_memory(target)
    refused(target)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
def test_what_another_user_wrote_or_may_write_is_not_believed(
    target: Repo, eve: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(target, eve)
    place = forged_memory(target)
    for module in (checks, signatures):
        monkeypatch.setattr(module, "check_key", lambda *_: "0" * 64)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert judged(target.root).approved, "the owner's own file is believed"
    forged = place.read_bytes()
    place.chmod(0o660)
    refused(target)
    place.write_bytes(forged)
    place.chmod(0o600)
    os.chown(place, 12345, 12345)
    refused(target)


def test_what_came_with_an_unpacked_directory_is_not_believed(
    target: Repo, eve: Key, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(target, eve)
    forged_memory(target)
    for module in (checks, signatures):
        monkeypatch.setattr(module, "check_key", lambda *_: "0" * 64)
    assert judged(target.root).approved
    (empty_home / ".keep-the-why" / "ktw.key").unlink()  # whoever unpacks it has another
    target.bind()
    refused(target)


def test_where_nothing_can_be_remembered_the_verdict_is_the_same(target: Repo, key: Key) -> None:
    signed(target, key)
    target.write(".git/ktw", "in the way")
    assert judged(target.root).approved
    assert (target.root / ".git/ktw").is_file()


def test_reading_asks_git_no_more_often_for_it(
    repo: Repo, counted: Callable[[Callable[[], object]], int]
) -> None:
    sit(repo)
    one = counted(lambda: judged(repo.root))
    for name in ("a", "b", "c"):
        repo.write(f"context/{name}.md", memory_text(name, f"Words of {name} alone."))
        sit(repo, name)
    project = find_project(repo.root)

    def all_of_them() -> None:
        with Evidence(project) as evidence:
            for name in ("snapshot", "a", "b", "c"):
                data = (repo.root / f"context/{name}.md").read_bytes()
                assert evidence.verdict(parse_memory(f"context/{name}.md", data), data).approved

    assert counted(all_of_them) == one <= 2


# --- the list as text -------------------------------------------------------------------------


def test_a_list_is_sorted_and_says_each_thing_once(target: Repo) -> None:
    a, b = subject(target, path="context/a.md"), subject(target, path="context/\udcff\n.md")
    data = listed(b, a, b)
    assert data == listed(a, b)
    assert data.decode("ascii").split("\n")[:2] == ["ktw-approval-list 1", "2026-01-03T04:05:06Z"]
    assert parse_list(data) == Sitting(NOW, (b, a)), "by the bytes of the lines"
    assert data.count(b"\n") == 4


def test_lines_that_name_nothing_are_not_kept_in_memory(target: Repo) -> None:
    for junk in (b"\n" * 1_000_000, b'["a"]\n' * 100_000):
        assert not subject_lines(b"header\ntime\n" + junk)
    line = subject(target, project="", path="", ids=()).line.encode()
    assert subject_lines(b"header\ntime\n" + line + b"\n") == {line}


def test_a_list_without_a_memory_is_none(target: Repo) -> None:
    assert parse_list(listed()) is None


def test_the_list_of_the_specification_is_one() -> None:
    text = (Path(__file__).parents[1] / "context-schema/specification.md").read_text()
    (example,) = re.findall(r"^```\n(ktw-approval-list 1\n.*?)```$", text, re.DOTALL | re.MULTILINE)
    found = parse_list(example.encode())
    assert found is not None and found.subjects[0].project == "ktw-memory"


def test_merged_and_signed_stand_side_by_side(team: Team, key: Key, signers: Path) -> None:
    team.work.policy("signed", "merged", ref="refs/remotes/origin/main")
    use_key(team.work, key, signers)
    assert judged(team.work.root).method == "merged"
    done = sit(team.work, "draft")
    assert done.verdicts[0][1].method == "signed"
    clone = make_clone(team.hub, team.work.root.parent / "clone")
    assert judged(clone.root).name == "unknown"


def test_too_much_for_one_list_is_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktw.operations.signing.MAX_LIST_BYTES", 100)
    with pytest.raises(KtwError, match="too many for one list"):
        sit(repo)
    assert "trusted_at" not in repo.read(FILE)
