"""Real git repositories and memory files for tests: pinned identity and date, nothing mocked."""

import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ktw.binding import bind
from ktw.config import CONFIG_FILE, format_block
from ktw.config_fields import DEFAULTS
from ktw.contents import row, skeleton, with_row
from ktw.entries import format_entry
from ktw.evidence import Evidence
from ktw.frontmatter import Value
from ktw.git import find_repository
from ktw.memory import TYPE_OF_KIND, content_hash, edit_memory, format_memory, parse_memory
from ktw.store import Project, find_project, read_bytes
from ktw.trust import Verdict

DATE = "2026-01-02T03:04:05Z"
TRUSTED_AT = "2026-01-03T04:05:06Z"
ADA = "Ada Lovelace <ada@example.invalid>"
GUARDS = {"README.md": "# Memory\n", "AGENTS.md": "# Guard\n", "CLAUDE.md": "@AGENTS.md\n"}


def git_environment(home: Path) -> dict[str, str]:
    """The variables under which tests call git: an empty home, a pinned person and date."""
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada Lovelace",
        "GIT_AUTHOR_EMAIL": "ada@example.invalid",
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_NAME": "Ada Lovelace",
        "GIT_COMMITTER_EMAIL": "ada@example.invalid",
        "GIT_COMMITTER_DATE": DATE,
    }


@dataclass(frozen=True)
class Repo:
    """A work tree on disk, driven with the real git."""

    root: Path

    def git(self, *arguments: str, check: bool = True, data: bytes | None = None) -> str:
        """Run git here; its standard output without the last newline."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.root,
            input=data,
            capture_output=True,
            check=False,
            env={**os.environ},
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8", "replace").rstrip("\n")

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file below the root, its directories made."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        return place

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def commit(self, message: str = "change", *paths: str) -> str:
        """Commit everything (or the paths); the commit's id."""
        self.git("add", "--all", "--", *(paths or (".",)))
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def setting(self, key: str, *values: str) -> None:
        """Set a value in this clone's git config, all others of that key gone."""
        self.git("config", "--local", "--unset-all", key, check=False)
        for value in values:
            self.git("config", "--local", "--add", key, value)

    def policy(self, *methods: str, ref: str | None = None, project: str = "test .") -> None:
        """Give this clone an approval policy, as `ktw init` would here."""
        self.bind()
        self.setting("ktw.project", project)
        self.setting("ktw.approval", *methods)
        self.setting("ktw.trustRef", *([ref] if ref else []))

    def bind(self) -> None:
        """Say that the policy of this clone was written where it lies now."""
        self.setting("ktw.bound", bind(find_repository(self.root)))

    @property
    def project(self) -> Project:
        return find_project(self.root)


def make_repo(root: Path) -> Repo:
    """An empty repository with the branch main."""
    root.mkdir(parents=True, exist_ok=True)
    repo = Repo(root)
    repo.git("init", "--quiet", "--initial-branch=main", "--template=")
    return repo


def make_project(root: Path, files: Mapping[str, str] | None = None, id_: str = "test") -> Repo:
    """A committed project: config, guard files, index and the given memory files by name."""
    repo = make_repo(root)
    add_project(repo, "", files or {}, id_)
    repo.commit("project")
    return repo


def add_project(repo: Repo, prefix: str, files: Mapping[str, str], id_: str = "test") -> None:
    """Write a project below `prefix` ("" or "sub/"), not committed."""
    config = dict(DEFAULTS["config"]) | {"id": id_}
    repo.write(f"{prefix}{CONFIG_FILE}", format_block("config", config))
    for name, text in GUARDS.items():
        repo.write(f"{prefix}context/{name}", text)
    index = skeleton()
    for name, text in files.items():
        repo.write(f"{prefix}context/{name}", text)
        index = with_row(index, name, row(name, "decision", "agent", DATE[:10]))
    repo.write(f"{prefix}context/index.md", index)


def make_clone(origin: Repo, root: Path, *options: str) -> Repo:
    """A clone of `origin` (made a bare-like remote by its path), no policy set."""
    origin.git("clone", "--quiet", *options, str(origin.root), str(root))
    return Repo(root)


def make_remote(repo: Repo, root: Path) -> Repo:
    """A bare remote `origin` of `repo`, pushed and fetched: refs/remotes/origin/main exists."""
    repo.git("clone", "--quiet", "--bare", str(repo.root), str(root))
    repo.git("remote", "add", "origin", str(root))
    repo.git("fetch", "--quiet", "origin")
    repo.git("remote", "set-head", "origin", "main")
    repo.git("branch", "--quiet", "--set-upstream-to=origin/main", "main", check=False)
    return Repo(root)


def memory_text(
    title: str = "Snapshot before buffer",
    body: str = "The sync step waits for a full snapshot.\n\n**Reason:** half of one loses rows.",
    *,
    kind: str = "decision",
    origin: str = "agent",
    agent: str | None = "claude-code",
    id_: str | None = None,
    **fields: Value,
) -> str:
    """The text of a valid, unapproved memory file with one entry; a stable Id from the title."""
    values: dict[str, Value] = {"origin": origin}
    if agent and origin != "owner":
        values["agent"] = agent
    values |= {"kind": kind, "created_at": DATE, **fields}
    header = [("Id", id_ or make_id(title)), ("Type", TYPE_OF_KIND[kind])]
    header += [("Status", "active"), ("Evidence", "inferred")]
    return format_memory(values, "Topic", format_entry(title, header, body))


def make_id(seed: str) -> str:
    """A version 4 UUID that depends on `seed` alone."""
    return str(uuid.UUID(bytes=uuid.uuid5(uuid.NAMESPACE_URL, seed).bytes, version=4))


def claimed(text: str, at: str = TRUSTED_AT, by: str = ADA) -> str:
    """`text` with a claim of approval and its true hash: what approval writes, or a forger."""
    return edit_memory(text, [("trusted_at", at), ("trusted_by", by)])


def true_hash(text: str) -> str:
    """The content hash of a memory file's text."""
    file = parse_memory("context/x.md", text.encode())
    return content_hash(file.frontmatter, file.body)


@dataclass(frozen=True)
class Team:
    """A work tree with its bare remote beside it (by a relative URL, so that both can be copied).

    `origin/main` holds `snapshot.md` with a claim and `draft.md` without one.
    """

    work: Repo
    hub: Repo

    def push(self, revision: str = "HEAD", branch: str = "main") -> None:
        """Move a branch of the remote, as a merge there would, and fetch it."""
        self.work.git("push", "--quiet", "--force", "origin", f"{revision}:refs/heads/{branch}")
        self.work.git("fetch", "--quiet", "origin")


def make_team(root: Path) -> Team:
    """A project that a team shares, with the policy `merged` and `local` in the clone."""
    files = {"snapshot.md": claimed(memory_text()), "draft.md": memory_text("Draft")}
    work = make_project(root / "work", files)
    work.git("clone", "--quiet", "--bare", ".", "../hub.git")
    work.git("remote", "add", "origin", "../hub.git")
    work.git("fetch", "--quiet", "origin")
    work.git("remote", "set-head", "origin", "main")
    work.git("branch", "--quiet", "--set-upstream-to=origin/main", "main")
    work.policy("merged", "local", ref="refs/remotes/origin/main")
    hub = Repo(root / "hub.git")
    hub.git("config", "uploadpack.allowFilter", "true")
    return Team(work, hub)


def copy_team(template: Path, root: Path) -> Team:
    """A fresh copy of what `make_team` made at `template`."""
    shutil.copytree(template, root, symlinks=True)
    work = Repo(root / "work")
    work.bind()
    return Team(work, Repo(root / "hub.git"))


def judged(root: Path, name: str = "snapshot.md") -> Verdict:
    """The verdict on one memory file of the project around `root`, on its bytes of now."""
    project = find_project(root)
    data = read_bytes(project, name)
    with Evidence(project) as evidence:
        return evidence.verdict(parse_memory(f"{project.context_name}/{name}", data), data)


def modules_loaded(root: Path, command: Sequence[str]) -> set[str]:
    """The modules that a process has loaded for doing a command of `ktw` in `root`; none that this
    Python loads at each start (a tool installed beside ktw may ask for that)."""
    script = (
        "import sys\n"
        "bare = set(sys.modules)\n"
        "from ktw.cli.boundary import run\n"
        "from ktw.cli.root import ktw\n"
        f"sys.argv = ['ktw', *{list(command)!r}]\n"
        "code = run(ktw)\n"
        "print(*sorted(set(sys.modules) - bare), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=root,
        env={**os.environ, "KTW_MODEL": "off"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stderr.splitlines()[-1].split())
