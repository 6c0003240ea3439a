"""Propose to a project what makes review strong: a job that runs the linter, and owners.

Nothing that stands is overwritten: where a file differs, what it would need is shown.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from keep_the_why_lint.beside import INSTRUCTIONS
from ktw.boundaries import Unreadable, inside, read_regular
from ktw.errors import KtwError, UsageError, visible
from ktw.git.writing import remotes
from ktw.operations import ci_texts as texts
from ktw.operations.setup import Step, merge_step, refuse_hidden
from ktw.policy import default_branch
from ktw.store import Project, replace, write_new
from ktw.wiring.agents import WIRINGS

HOSTS = ("github", "gitlab")
_WORKFLOW = ".github/workflows/keep-the-why-lint.yml"
_JOB, _PIPELINE = ".gitlab/keep-the-why-lint.yml", ".gitlab-ci.yml"
_JOBS = {"github": _WORKFLOW, "gitlab": _JOB}
_LEADS_OUT = "it would lead out of the repository"
_BASELINE = ".keep-the-why-baseline.json"
# Where each host looks for owners, in its order: the first that is there counts.
_OWNERS = {
    "github": (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"),
    "gitlab": ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"),
}


@dataclass(frozen=True)
class Proposal:
    """What would be written below the repository's top, and the settings that matter beside it.

    `diffs`: of a file that stands and is left, what it would need. `lacks_owner`: no owners file.
    `lacks_source`: the job that does not say yet what pip installs, "" where it does.
    """

    toplevel: Path
    steps: tuple[Step, ...]
    diffs: tuple[tuple[str, str], ...]
    advice: Sequence[tuple[str, str]]
    lacks_owner: bool
    lacks_source: str = ""

    @property
    def changes(self) -> bool:
        return any(step.action in ("create", "merge") for step in self.steps)


def plan_ci(project: Project, host: str, owners: Sequence[str], source: str = "") -> Proposal:
    """What would be proposed for `host`, one of HOSTS; without owners no owners file.

    `source` is what pip installs in the job, as a requirement; "": what the job that stands says.
    Raises UsageError for an owner, a path or a source that no such file can name.
    """
    _refuse_names(project, owners, source)
    top = project.repository.toplevel
    job = _JOBS[host]
    source = source or texts.stated_source(_text(top, job))
    wanted = _files(project, host, source)
    steps = [_whole(top, path, text) for path, text in wanted.items()]
    file = _owners_file(top, host)
    patterns = _patterns(project, [*wanted, file])
    present = _text(top, file)
    lacks = not owners and texts.with_owners(present, patterns, ()) != present
    if owners:
        steps.append(_with_owners(top, file, patterns, owners))
    refuse_hidden(project.repository, ".", steps)
    diffs = tuple(
        (step.path, _diff(_text(top, step.path), wanted[step.path], step.path))
        for step in steps
        if step.action == "leave" and step.path in wanted and inside(top, step.path)
    )
    fill = job if not source and steps[0].action in ("create", "keep") else ""
    return Proposal(top, tuple(steps), diffs, texts.advice(host), lacks, fill)


def _refuse_names(project: Project, owners: Sequence[str], source: str) -> None:
    if source and not texts.is_source(source):
        what = f"a job cannot safely name '{visible(source)}'"
        raise UsageError(what, "Write one requirement without blanks: git+https://…@COMMIT")
    for owner in owners:
        if not texts.is_owner(owner):
            raise UsageError(f"'{visible(owner)}' is no owner", "Write @person or @group/team.")
    for path in (project.location, project.git_path(project.context_name)):
        if not texts.is_plain(path):
            what = f"a workflow cannot safely name the path {visible(path)}"
            raise UsageError(what, "Its parts may hold letters, digits and . _ @ + - alone.")


def _files(project: Project, host: str, source: str) -> dict[str, str]:
    if host == "github":
        branch = _reviewed_branch(project)
        return {_WORKFLOW: texts.github_workflow(project.location, branch, source)}
    return {
        _JOB: texts.gitlab_job(project.location, source),
        _PIPELINE: texts.gitlab_include(_JOB),
    }


def _reviewed_branch(project: Project) -> str | None:
    """The default branch of the remote, where this clone knows it and a workflow can name it."""
    names = sorted(remotes(project.repository))
    remote = "origin" if "origin" in names else next(iter(names), None)
    ref = default_branch(project.repository, remote) if remote else None
    branch = ref.removeprefix(f"refs/remotes/{remote}/") if ref else ""
    return branch if texts.is_plain(branch) else None


def _owners_file(top: Path, host: str) -> str:
    places = _OWNERS[host]
    return next((path for path in places if (top / path).exists()), places[0])


def _patterns(project: Project, files: Sequence[str]) -> list[str]:
    """The paths that need an owner: memories, settings, what agents follow or run, and what the
    check itself is made of."""
    places = (each for wiring in WIRINGS.values() for each in wiring.places("project", "ktw"))
    agents = dict.fromkeys((*INSTRUCTIONS, *(place.path for place in places)))
    ours = (f"{project.context_name}/", ".keep-the-why", _BASELINE, *agents)
    return [f"/{project.git_path(path)}" for path in ours] + [f"/{path}" for path in files]


def _with_owners(top: Path, file: str, patterns: Sequence[str], owners: Sequence[str]) -> Step:
    if inside(top, file) is None:
        return Step(file, "leave", why=_LEADS_OUT)
    new = texts.with_owners("", patterns, owners)
    return merge_step(top, file, new, lambda old: texts.with_owners(old, patterns, owners))


def _whole(top: Path, path: str, text: str) -> Step:
    """Create a file, keep the same, or leave what is there and differs."""
    place = inside(top, path)
    if place is None:
        return Step(path, "leave", why=_LEADS_OUT)
    if not place.exists():
        return Step(path, "create", text)
    old = _text(top, path)
    if old == text or (path == _PIPELINE and _JOB in old):
        return Step(path, "keep")
    return Step(path, "leave", why="it is there and differs; what it would need:")


def _text(top: Path, path: str) -> str:
    """What stands there, LF; "" where nothing can be read."""
    try:
        data = read_regular(top / path, top)
    except Unreadable:
        return ""
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _diff(old: str, wanted: str, path: str) -> str:
    """What would have to change; of the pipeline, which holds other jobs, only what is added."""
    new = f"{old.rstrip()}\n\n{wanted}" if path == _PIPELINE else wanted
    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), f"a/{path}", f"b/{path}", lineterm=""
    )
    return "\n".join(lines)


def write_proposal(proposal: Proposal) -> None:
    """Write it into the work tree; files that appeared or changed meanwhile are left (Changed)."""
    for step in proposal.steps:
        place = proposal.toplevel / step.path
        if step.action == "create":
            _make_directory(place.parent)
            write_new(place, step.text.encode())
        elif step.action == "merge":
            replace(place, step.text.encode(), step.old)


def _make_directory(place: Path) -> None:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"{visible(place.name)} cannot be made: {error.strerror}"
        raise KtwError(what, "Check what stands in its place.") from error
