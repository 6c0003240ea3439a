"""Settings that are kept are those that git would state at that moment."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from builders import Repo
from ktw.git import HeldSettings, read_settings, settings

PATTERN = r"^(ktw|remote)\..*$"


class Counted:
    """Kept settings, the questions to git counted, each answer compared with git's."""

    def __init__(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.repository = repo.project.repository
        self.held = HeldSettings(self.repository, PATTERN)

        def counting(*arguments: object) -> object:
            self.asked += 1
            return read_settings(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(settings, "read_settings", counting)

    def questions(self) -> int:
        """How many one reading took."""
        before = self.asked
        assert self.held.read() == read_settings(self.repository, PATTERN)
        return self.asked - before


@pytest.fixture
def kept(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Counted:
    monkeypatch.setattr(settings, "_SETTLED_NS", 0)
    repo.setting("ktw.approval", "local")
    return Counted(repo, monkeypatch)


def test_git_is_asked_once_while_nothing_moves(kept: Counted) -> None:
    assert [kept.questions() for _ in range(4)] == [1, 0, 0, 0]


def test_what_moved_just_now_may_move_again_unseen(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.setting("ktw.approval", "local")
    kept = Counted(repo, monkeypatch)
    assert [kept.questions() for _ in range(3)] == [1, 1, 1]


def system_file(repo: Repo) -> Path:
    return Path(os.environ["GIT_CONFIG_SYSTEM"])


def global_file(repo: Repo) -> Path:
    return Path(os.environ["HOME"], ".gitconfig")


def xdg_file(repo: Repo) -> Path:
    return Path(os.environ["HOME"], ".config", "git", "config")


def clone_file(repo: Repo) -> Path:
    return repo.root / ".git" / "config"


def work_tree_file(repo: Repo) -> Path:
    repo.git("config", "extensions.worktreeConfig", "true")
    return repo.root / ".git" / "config.worktree"


@pytest.fixture
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM", raising=False)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "system"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.mark.usefixtures("own_files")
@pytest.mark.parametrize("place", [system_file, global_file, xdg_file, clone_file, work_tree_file])
def test_a_file_that_is_made_changed_or_removed_is_seen_at_once(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, place: Callable[[Repo], Path]
) -> None:
    monkeypatch.setattr(settings, "_SETTLED_NS", 0)
    path = place(repo)
    kept = Counted(repo, monkeypatch)
    assert kept.questions() == 1 and kept.questions() == 0
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    for value in ("local", "merged"):
        path.write_text(f"{before}[ktw]\n\tapproval = {value}\n", encoding="utf-8")
        assert kept.questions() == 1 and kept.questions() == 0
        assert ("ktw.approval", value) in [(s.key, s.value) for s in kept.held.read()]
    if path != clone_file(repo):
        path.unlink()
        assert kept.questions() == 1


def test_where_a_file_includes_another_git_is_asked_each_time(repo: Repo, kept: Counted) -> None:
    assert kept.questions() == 1 and kept.questions() == 0
    repo.write("more", "[ktw]\n\tapproval = merged\n")
    repo.git("config", "include.path", "../more")
    assert [kept.questions() for _ in range(3)] == [1, 1, 1]
    repo.write("more", "[ktw]\n\tapproval = signed\n")
    assert kept.held.read()[-1].value == "signed"
    assert not [one for one in kept.held.read() if one.key.startswith("include")]


def test_an_include_under_a_condition_counts_though_it_is_not_met(
    repo: Repo, kept: Counted
) -> None:
    repo.git("config", "includeIf.onbranch:other.path", "../more")
    assert [kept.questions() for _ in range(2)] == [1, 1]


def test_a_clone_in_the_place_of_another_is_asked_anew(
    repo: Repo, kept: Counted, tmp_path: Path
) -> None:
    assert kept.questions() == 1 and kept.questions() == 0
    (repo.root / ".git").rename(tmp_path / "old")
    repo.git("init", "-q")
    assert kept.questions() == 1


def test_where_the_system_file_is_not_known_git_is_asked_each_time(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "_SETTLED_NS", 0)
    (tmp_path / "system").write_text("", encoding="utf-8")  # git names the origin of values alone
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "system"))
    kept = Counted(repo, monkeypatch)
    assert [kept.questions() for _ in range(3)] == [1, 1, 1]


@pytest.mark.usefixtures("own_files")
@pytest.mark.parametrize("name", ["a'b/system", "a\tb/system", "a\udcffb/system", "\xe4/system"])
def test_a_system_file_that_appears_is_seen_whatever_its_name(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(settings, "_SETTLED_NS", 0)
    place = tmp_path / name
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(place))
    kept = Counted(repo, monkeypatch)
    kept.questions()
    place.parent.mkdir()
    place.write_text("[ktw]\n\tapproval = merged\n", encoding="utf-8")
    assert kept.questions() == 1
    place.unlink()
    assert kept.questions() == 1


@pytest.mark.parametrize(("variable", "value"), [("GIT_CONFIG_GLOBAL", "own"), ("HOME", "home")])
def test_a_global_file_is_looked_for_where_git_does(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setattr(settings, "_SETTLED_NS", 0)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.setenv(variable, value)
    kept = Counted(repo, monkeypatch)
    kept.questions()
    repo.write({"own": "own", "home": "home/.gitconfig"}[value], "[ktw]\n\tapproval = merged\n")
    assert kept.questions() == 1
    assert "merged" in [one.value for one in kept.held.read()]


@pytest.mark.parametrize("name", ["HEAD", "refs", "objects"])
def test_what_is_no_repository_any_more_states_nothing_of_its_own(
    repo: Repo, kept: Counted, name: str
) -> None:
    assert kept.questions() == 1 and kept.questions() == 0
    place = repo.root / ".git" / name
    place.rename(place.with_name("away"))
    assert kept.questions() == 1
    assert kept.held.read() == []
    place.with_name("away").rename(place)
    assert kept.questions() == 1
    assert kept.held.read()
