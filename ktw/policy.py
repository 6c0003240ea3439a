"""The approval policy of this clone, read from git config, where no pull request can reach it.

Values from a file inside the work tree are refused; only full ref names count.
"""

import unicodedata
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from ktw.binding import is_bound
from ktw.errors import visible
from ktw.git import GitFailed, Repository, Setting, check_accepted, read_settings, run, small_text
from ktw.ledger import REF as LEDGER_REF
from ktw.names import OutOfBounds, project_id
from ktw.origins import in_work_tree
from ktw.signers import Signers, find_signers
from ktw.stated import read_stated
from ktw.store import Project
from ktw.text.escape import unescaped
from ktw.text.late import late
from ktw.trust import METHODS, Policy

MARKS_REF = "refs/notes/ktw"  # pins and evidence, this clone's own
# Every repository has it, so where it is missing git has silently left the clone's config out.
_ALWAYS_SET = "core.repositoryformatversion"
_FULL_REF = late(r"refs/[^\x00-\x20\x7f~^:?*\[\\]+")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Zl", "Zp"})
CLONE_SCOPES = ("local", "worktree")
_MACHINE_SCOPES = ("global", "system")
_SETUP = "ktw init writes one"
_ELSEWHERE = "it was set up in another place, on another machine or by another user"


class PolicyReading(NamedTuple):
    """The policy, or None, why and what to do; `faults` are values that were refused.

    `signers` says whose signatures `signed` may count; `elsewhere` is true for a policy that came
    with the directory; `notes_recalled`: whether recall notes what it showed, for a hook of git;
    `marks_count`: false where a fetch would overwrite this clone's own marks with others'.
    """

    policy: Policy | None
    why: str = ""
    faults: tuple[str, ...] = ()
    todo: str = "Set one up with: ktw init"
    signers: Signers = Signers()
    elsewhere: bool = False
    notes_recalled: bool = False
    marks_count: bool = True


def policy_name(project: Project) -> str:
    """What `ktw.project` must hold for a policy to speak for this project: id and place."""
    return f"{project.id or '-'} {project.location}"


def read_policy(project: Project, stated: Sequence[Setting] | None = None) -> PolicyReading:
    """The policy that speaks for `project` in this clone; git's refusal is a reason, no error.

    `stated`: what `read_stated` gave at this moment.
    """
    repository = project.repository
    try:
        settings = _accepted(repository, read_stated(repository) if stated is None else stated)
        if project.id:
            project_id(project.id)
    except GitFailed as error:
        return PolicyReading(None, error.what, todo=error.todo or "Mend what git complains of")
    except OutOfBounds as error:
        return PolicyReading(None, error.what, todo=error.todo)
    refused = _refused_origin(repository, settings)
    if refused is not None:
        return refused
    clone = _of_clone(settings)
    if _values(clone, "ktw.approval") or _values(clone, "ktw.project"):
        found = _bound(repository, _clone_policy(project, clone), clone)
    else:
        found = _team_policy(project, settings)
    signers = find_signers(repository, settings)
    noted = _values(clone, "ktw.memoryUsed") == ["true"] and found.policy is not None
    found = _with_own_ledger(found, settings)
    own = not _fetched_into(settings, MARKS_REF)
    return found._replace(signers=signers, notes_recalled=noted, marks_count=own)


def stated_policy(repository: Repository) -> tuple[PolicyReading, tuple[str, ...]]:
    """What this clone's git config states for whichever projects, and their names.

    A policy that was set up elsewhere is none, and names nobody. Raises GitFailed where git does
    not accept the repository.
    """
    settings = _accepted(repository, read_stated(repository))
    clone = _of_clone(settings)
    named = tuple(_values(clone, "ktw.project"))
    found = _refused_origin(repository, settings)
    if found is None:
        is_set = named or _values(clone, "ktw.approval")
        stated = _bound(repository, _stated(clone), clone) if is_set else PolicyReading(None)
        found = _with_own_ledger(stated, settings)
    if found.elsewhere:
        named = ()
    return found._replace(signers=find_signers(repository, settings)), named


def _accepted(repository: Repository, settings: Sequence[Setting]) -> Sequence[Setting]:
    if not any(setting.key == _ALWAYS_SET for setting in settings):
        check_accepted(repository)
    return settings


def _of_clone(settings: Sequence[Setting]) -> list[Setting]:
    return [setting for setting in settings if setting.scope in CLONE_SCOPES]


def _refused_origin(repository: Repository, settings: Sequence[Setting]) -> PolicyReading | None:
    """Why nothing here may state a policy: files of the work tree would be what states it."""
    place = repository.displaced()
    if place is not None:
        fault = f"the git directory {visible(str(place))} lies among the files of its own work tree"
        todo = "Move it to .git, or out of the work tree, if you know where it comes from"
        return PolicyReading(None, fault, (fault,), todo)
    ours = (each for each in settings if each.key.startswith(("ktw.", "remote.")))
    inside = [each for each in ours if in_work_tree(repository, each.origin)]
    if inside:
        return _refused(
            f"{visible(inside[0].key)} is set by a file of the work tree and was refused"
        )
    return None


def is_full_ref(name: str) -> bool:
    """True for a full ref name that git's revision syntax cannot read as anything else."""
    bad = ("..", "@{", "//") if name else ()
    return (
        _FULL_REF.fullmatch(name) is not None
        and not any(unicodedata.category(char) in _HIDDEN_CATEGORIES for char in name)
        and not any(part in name for part in bad)
        and not name.endswith(("/", ".", ".lock"))
    )


def _refused(fault: str) -> PolicyReading:
    return PolicyReading(None, fault, (fault,), "Correct that setting: git config --edit")


def _values(settings: Sequence[Setting], key: str) -> list[str]:
    return [setting.value for setting in settings if setting.key == key.lower()]


def _clone_policy(project: Project, clone: Sequence[Setting]) -> PolicyReading:
    named = _values(clone, "ktw.project")
    if policy_name(project) not in named:
        told = ", ".join(visible(name) for name in named) or "no project"
        why = f"it speaks for {told}, not for {visible(policy_name(project))}; {_SETUP}"
        return PolicyReading(None, why)
    return _stated(clone)


def _bound(repository: Repository, found: PolicyReading, clone: Sequence[Setting]) -> PolicyReading:
    """Refuse a policy that came with the directory instead of being written where it lies."""
    if found.policy is None or is_bound(repository, _values(clone, "ktw.bound")):
        return found
    todo = "If you moved or mounted it yourself: ktw init. If you unpacked it: clone it instead"
    why = f"{_ELSEWHERE} ({', '.join(found.policy.methods)})"
    return PolicyReading(None, why, todo=todo, elsewhere=True)


def _stated(clone: Sequence[Setting]) -> PolicyReading:
    methods = list(dict.fromkeys(_values(clone, "ktw.approval")))
    unknown = [method for method in methods if method not in METHODS]
    if unknown or not methods:
        told = visible(unknown[0]) if unknown and unknown[0] else "(empty)"
        return _refused(f"ktw.approval is {told}; it must be one of: {', '.join(METHODS)}")
    refs = list(dict.fromkeys(_values(clone, "ktw.trustRef")))
    fault = _ref_fault(refs)
    if fault:
        return _refused(fault)
    return PolicyReading(Policy(refs[0] if refs else None, tuple(methods)))


def _ref_fault(refs: Sequence[str]) -> str:
    if len(refs) > 1:
        return "ktw.trustRef is set more than once"
    if refs and not is_full_ref(refs[0]):
        return (
            f"ktw.trustRef is {visible(refs[0])}; it must be a full ref name such as "
            "refs/remotes/origin/main"
        )
    return ""


def _with_own_ledger(found: PolicyReading, settings: Sequence[Setting]) -> PolicyReading:
    """Refuse a policy that rests on a ledger which a fetch would overwrite."""
    if found.policy is None or "local" not in found.policy.methods:
        return found
    key = _fetched_into(settings, LEDGER_REF)
    if key:
        return _refused(
            f"{visible(key)} fetches into {LEDGER_REF}, so this clone's own approvals "
            "prove nothing; narrow it, or take `local` out of ktw.approval"
        )
    return found


def _fetched_into(settings: Sequence[Setting], ref: str) -> str:
    """The key of the setting by which a fetch writes a ref, "" where none does."""
    fetches = (s for s in settings if s.key.startswith("remote.") and s.key.endswith(".fetch"))
    return next((setting.key for setting in fetches if _reaches(setting.value, ref)), "")


def _reaches(refspec: str, ref: str) -> bool:
    target = refspec.partition(":")[2]
    start, star, end = target.partition("*")
    if not star:
        return target == ref
    return ref.startswith(start) and ref.endswith(end)


def _team_policy(project: Project, settings: Sequence[Setting]) -> PolicyReading:
    """The policy of a global `ktw.trustedRemote` pattern, for the project at the top only."""
    patterns = [
        setting.value
        for setting in settings
        if setting.key == "ktw.trustedremote"
        and setting.scope in _MACHINE_SCOPES
        and not in_work_tree(project.repository, setting.origin)
    ]
    for name, urls in _remotes(settings).items() if patterns and project.location == "." else ():
        if all(_is_trusted(url, patterns) for url in urls):
            ref = default_branch(project.repository, name)
            if ref is None:
                return PolicyReading(
                    None, f"the default branch of {visible(name)} is not known here"
                )
            return PolicyReading(Policy(ref, ("merged", "local")))
    return PolicyReading(None, _SETUP)


def _remotes(settings: Sequence[Setting]) -> dict[str, list[str]]:
    """This clone's remotes with all of their URLs, wherever they are set."""
    urls: dict[str, list[str]] = {}
    for setting in settings:
        if setting.key.startswith("remote.") and setting.key.endswith(".url"):
            name = setting.key.removeprefix("remote.").removesuffix(".url")
            urls.setdefault(name, []).append(setting.value)
    return urls


def _is_trusted(url: str, patterns: Sequence[str]) -> bool:
    return ".." not in unescaped(url) and any(fnmatchcase(url, pattern) for pattern in patterns)


def default_branch(repository: Repository, remote: str) -> str | None:
    """The full ref of a remote's default branch as this clone knows it, or None."""
    head = f"refs/remotes/{remote}/HEAD"
    if not is_full_ref(head):
        return None
    ref = _symbolic_ref(repository, head)
    return ref if is_full_ref(ref) and ref.startswith(f"refs/remotes/{remote}/") else None


def _symbolic_ref(repository: Repository, name: str) -> str:
    """What a symbolic ref names, "" for none; from its file, and from git where it has none."""
    place = repository.common_dir / name
    text = small_text(place)
    if text is not None and text.startswith("ref:"):
        return text.removeprefix("ref:").strip()
    if text is None and place.exists():
        return ""  # no file that git wrote: git would wait for a pipe there
    try:
        return run(repository, "symbolic-ref", "--quiet", name).decode("utf-8", "replace").strip()
    except GitFailed:
        return ""


def known_default_branches(repository: Repository) -> list[str]:
    """The full refs of the remotes' default branches, as far as this clone knows them."""
    try:
        settings = read_settings(repository, r"^remote\..*\.url$")
    except GitFailed:
        return []
    names = dict.fromkeys(s.key.removeprefix("remote.").removesuffix(".url") for s in settings)
    found = (default_branch(repository, name) for name in names)
    return [ref for ref in found if ref is not None]
