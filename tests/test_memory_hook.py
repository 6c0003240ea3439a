"""The hook of git that names recalled memories: what it adds, and what it leaves alone."""

import os
from datetime import UTC, datetime

import pytest

from builders import Repo, Team, claimed, make_id, memory_text
from ktw.errors import Refused
from ktw.operations.memory_hook import add_hook, remove_hook
from ktw.operations.reading import recall
from ktw.recalled import HOOK, HOOK_LINE, record
from spoken import say

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the hook is a shell script")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
ID = make_id("Snapshot before buffer")


@pytest.fixture
def hooked(team: Team) -> Repo:
    add_hook(team.work.project.repository, None)
    return team.work


def ask(repo: Repo) -> None:
    assert recall(repo.project, "snapshot", NOW, model="off").found


def commit(repo: Repo, *options: str) -> str:
    """Commit something; the Memory-Used trailers of the new commit."""
    repo.write("code.txt", os.urandom(4).hex())
    repo.git("add", "code.txt")
    repo.git("commit", "--quiet", "-m", "Change it", *options)
    return used(repo)


def used(repo: Repo, revision: str = "HEAD") -> str:
    return repo.git("log", "-1", "--format=%(trailers:key=Memory-Used,valueonly)", revision).strip()


# --- what it adds ------------------------------------------------------------------------------


def test_a_commit_names_the_approved_memories_recalled_since_the_last(hooked: Repo) -> None:
    assert commit(hooked) == ""
    ask(hooked)  # finds draft.md, too, which is not approved
    ask(hooked)
    assert commit(hooked) == ID
    assert commit(hooked) == ""  # since the last commit nothing was recalled


def test_without_the_hook_recall_notes_nothing(team: Team) -> None:
    ask(team.work)
    assert not (team.work.root / ".git/ktw/recalled").exists()


def test_an_answer_that_is_taken_alone_is_noted_as_well(hooked: Repo) -> None:
    ask(hooked)
    head, *ids = hooked.read(".git/ktw/recalled").split()
    assert (head, ids) == (hooked.git("rev-parse", "HEAD"), [ID])


def test_an_amended_commit_a_revert_and_a_pick_get_nothing(hooked: Repo) -> None:
    commit(hooked)
    ask(hooked)
    hooked.git("commit", "--quiet", "--amend", "--no-edit")
    assert used(hooked) == ""
    ask(hooked)
    hooked.git("revert", "--no-edit", "HEAD")
    assert used(hooked) == ""
    hooked.git("checkout", "--quiet", "-b", "side", "HEAD~2")
    ask(hooked)
    hooked.git("cherry-pick", "main~1")
    assert used(hooked) == ""
    ask(hooked)
    hooked.git("merge", "--quiet", "--no-ff", "-s", "ours", "-m", "merge", "main")
    assert used(hooked) == ""


def test_trailers_and_cut_lines_of_a_message_are_kept(hooked: Repo) -> None:
    ask(hooked)
    message = "Change\n\nText.\n---\nMore.\n\nSigned-off-by: Ada <ada@example.invalid>\n"
    hooked.git("commit", "--quiet", "--allow-empty", "-F", "-", data=message.encode())
    assert hooked.git("log", "-1", "--format=%B") == f"{message}Memory-Used: {ID}\n".rstrip()


def test_the_list_of_another_commit_or_with_other_words_is_no_list(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    place = hooked.root / ".git/ktw/recalled"
    for content in (f"{'0' * 40}\n{ID}\n", "", f"{head}\n$(touch made)\n--help\n`touch made`\n"):
        place.write_text(content)
        assert commit(hooked) == ""
    assert not (hooked.root / "made").exists()


def test_a_linked_work_tree_has_a_list_of_its_own(hooked: Repo) -> None:
    hooked.git("worktree", "add", "--quiet", "../beside")
    beside = Repo(hooked.root.parent / "beside")
    ask(beside)
    assert commit(hooked) == ""
    assert commit(beside) == ID


def test_the_list_is_bounded_and_holds_ids_alone(repo: Repo) -> None:
    git_dir = repo.root / ".git"
    record(git_dir, "head", ["2e140bb31f65", "x\ny"])
    assert not (git_dir / "ktw/recalled").exists()
    record(git_dir, "head", [make_id(str(at)) for at in range(100)])
    assert len(repo.read(".git/ktw/recalled").split()) == 21


# --- putting it in place -----------------------------------------------------------------------


def test_it_is_put_once_and_taken_away_whole(hooked: Repo) -> None:
    path = hooked.root / ".git/hooks/prepare-commit-msg"
    assert add_hook(hooked.project.repository, None) == (path, "")
    assert path.read_text() == HOOK and os.access(path, os.X_OK)
    assert remove_hook(hooked.project.repository)
    assert not path.exists() and not (hooked.root / ".git/ktw/memory-used.sh").exists()
    assert hooked.git("config", "--get", "ktw.memoryUsed", check=False) == ""
    assert not remove_hook(hooked.project.repository)


@pytest.mark.parametrize("link", [False, True])
def test_a_hook_that_is_there_is_left_alone(team: Team, link: bool) -> None:
    path = team.work.root / ".git/hooks/prepare-commit-msg"
    path.parent.mkdir(exist_ok=True)
    other = path.with_name("other") if link else path
    other.write_text("#!/bin/sh\nexit 0\n")
    if link:
        path.symlink_to(other)
    made = add_hook(team.work.project.repository, None)
    assert made == (path, HOOK_LINE)
    assert other.read_text() == "#!/bin/sh\nexit 0\n"
    assert not remove_hook(team.work.project.repository) and path.exists()
    path.unlink()
    path.write_text(f"#!/bin/sh\n{HOOK_LINE}\nexit 0\n")  # as the advice says
    path.chmod(0o755)
    add_hook(team.work.project.repository, None)
    ask(team.work)
    assert commit(team.work) == ID


def test_where_the_hooks_lie_is_the_clones_to_say(team: Team) -> None:
    elsewhere = team.work.root.parent / "hooks"
    team.work.setting("core.hooksPath", str(elsewhere))
    assert add_hook(team.work.project.repository, None) == (elsewhere / "prepare-commit-msg", "")
    ask(team.work)
    assert commit(team.work) == ID


@pytest.mark.parametrize("place", [".githooks", "/dev/null"])
def test_hooks_of_the_work_tree_and_hooks_nowhere_are_left_alone(team: Team, place: str) -> None:
    team.work.setting("core.hooksPath", place)
    made = add_hook(team.work.project.repository, None)
    assert made.advice == HOOK_LINE and team.work.git("status", "--porcelain") == ""


def test_an_agent_sets_no_hook(team: Team) -> None:
    with pytest.raises(Refused, match="runs under codex"):
        add_hook(team.work.project.repository, "codex")
    assert not (team.work.root / ".git/hooks/prepare-commit-msg").exists()


def test_a_file_of_the_work_tree_switches_nothing_on(team: Team) -> None:
    team.work.write("settings", "[ktw]\n\tmemoryUsed = true\n")
    team.work.setting("include.path", "../settings")
    recall(team.work.project, "snapshot", NOW, model="off")
    assert not (team.work.root / ".git/ktw/recalled").exists()


def test_before_the_first_commit_it_works_as_well(repo: Repo) -> None:
    repo.policy("local")
    add_hook(repo.project.repository, None)
    record(repo.root / ".git", "-", [ID])
    repo.git("checkout", "--quiet", "--orphan", "fresh")
    repo.write("context/x.md", claimed(memory_text("X")))
    assert commit(repo) == ID


@pytest.mark.parametrize("place", ["", ".githooks", "/dev/null"])
@pytest.mark.parametrize("other", [False, True])
def test_a_dry_run_says_what_would_be_and_writes_nothing(
    team: Team, place: str, other: bool
) -> None:
    repo, path = team.work, team.work.root / ".git/hooks/prepare-commit-msg"
    if place:
        repo.setting("core.hooksPath", place)
    if other:
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n")
    before = everything(repo)
    made = add_hook(repo.project.repository, None, dry_run=True)
    assert everything(repo) == before
    told = say(repo.root, "init", "--memory-used-hook", "--dry-run")
    assert told.startswith("ktw init would:\n") and everything(repo) == before
    assert add_hook(repo.project.repository, None) == made
    after = everything(repo)
    ours = remove_hook(repo.project.repository, dry_run=True)
    assert everything(repo) == after and ours == (not made.advice)
    told = say(repo.root, "init", "--no-memory-used-hook", "--dry-run")
    assert told == ("Would take the hook away.\n" if ours else "There is no hook of ours.\n")
    assert everything(repo) == after


def everything(repo: Repo) -> dict[str, bytes]:
    paths = (path for path in repo.root.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in paths if path.name != "index"}


# --- taking it away with all else --------------------------------------------------------------


def uninstall(repo: Repo, *options: str) -> str:
    return say(repo.root, "uninstall", *options)


def test_uninstall_takes_the_hook_away_once_it_may(hooked: Repo) -> None:
    path = hooked.root / ".git/hooks/prepare-commit-msg"
    for options in (["--dry-run"], [], ["--agents", "codex", "--yes"], ["--user", "--yes"]):
        assert ("nobody is here" in uninstall(hooked, *options)) is not bool(options)
        assert path.read_text() == HOOK
    assert f"delete  {path} (git" in uninstall(hooked, "--dry-run")
    assert f"delete  {path} (git" in uninstall(hooked, "--yes")
    assert not path.exists() and not (hooked.root / ".git/ktw/memory-used.sh").exists()
    assert hooked.git("config", "--get", "ktw.memoryUsed", check=False) == ""
    assert "(git" not in uninstall(hooked, "--yes")


def test_uninstall_names_a_line_that_a_person_added(hooked: Repo) -> None:
    path = hooked.root / ".git/hooks/prepare-commit-msg"
    path.write_text(f"#!/bin/sh\n{HOOK_LINE}\nexit 0\n")
    told = uninstall(hooked, "--yes")
    assert f"leave   {path}: take this line out of it\n{HOOK_LINE}\n" in told
    assert not (hooked.root / ".git/ktw/memory-used.sh").exists()
    ask(hooked)
    assert commit(hooked) == ""  # the line that was left calls nothing
    path.unlink()
    assert "(git" not in uninstall(hooked, "--yes")
