"""Init: give a repository a project, and this clone an approval policy. Never overwrites.

First a plan of what would be made, kept or merged, then the same plan carried out.
"""

import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ktw.binding import bind
from ktw.boundaries import Unreadable, context_directory, inside, read_regular
from ktw.config import CONFIG_FILE, Config, load_config, parse_config
from ktw.errors import KtwError, UsageError, visible
from ktw.git import Repository, check_accepted, find_repository, read_settings
from ktw.git.writing import remotes, set_clone_settings
from ktw.memory import MemoryFile, parse_memory
from ktw.names import OutOfBounds
from ktw.operations import setup_texts as texts
from ktw.operations.setup_policy import PolicyPlan, plan_policy
from ktw.policy import policy_name, stated_policy
from ktw.scan import is_memory_name
from ktw.store import kept_in_git, open_project, replace, sparse_advice, write_new

POINTER_FILE = "AGENTS.md"
_MAX_CONTEXT, _MAX_DEPTH = 1000, 50


@dataclass(frozen=True)
class Step:
    """One thing that init does or leaves: a path, what happens to it, its new text if any.

    `old` is what a file that is added to held when that was planned, `why` says why one is left.
    """

    path: str
    action: str  # create, merge, keep, leave
    text: str = ""
    old: bytes = b""
    why: str = ""


@dataclass(frozen=True)
class Setup:
    """All of a plan. `found`: how many memory files are there that nobody adopted yet."""

    root: Path
    repository: Repository
    steps: tuple[Step, ...]
    policy: PolicyPlan
    project_id: str
    remote_choices: tuple[str, ...] = ()
    found: int = 0

    @property
    def changes_files(self) -> bool:
        return any(step.action in ("create", "merge") for step in self.steps)


def plan_setup(
    start: Path,
    remote: str | None = None,
    new_id: str | None = None,
    methods: Sequence[str] = (),
    context: str | None = None,
) -> Setup:
    """What init would do around `start`; raises KtwError where nothing may be done at all.

    `remote` names the one whose default branch counts as reviewed, where there are several;
    `methods` are those that shall count, instead of what is proposed; `context` is where the
    memories are, in a project that does not say so yet.
    """
    repository = find_repository(start)
    check_accepted(repository)
    root, config = _existing(start.resolve(), repository)
    urls = remotes(repository)
    id_ = config.value("id") if config else None
    id_ = id_ or new_id or _new_id(repository, urls)
    place = _context(root, config, context)
    prefix = root.relative_to(repository.toplevel).as_posix()
    found = _memory_files(root, place)
    steps = _steps(root, config, id_, place, found)
    refuse_hidden(repository, prefix, steps)
    if steps[0].action == "merge":
        config = parse_config(steps[0].text)
    project = None if config is None else open_project(root, config, repository)
    name = f"{id_} {prefix}" if project is None else policy_name(project)
    choices = tuple(sorted(urls))
    policy = plan_policy(repository, project, name, urls, remote, methods)
    new = sum("origin" not in file.frontmatter for file in found.values() if file)
    return Setup(root, repository, tuple(steps), policy, name, choices, new)


def _context(root: Path, config: Config | None, wanted: str | None) -> Path:
    """Where the memories are: as the config says, else as it is wanted."""
    stated = config.value("context") if config else None
    declared = stated or wanted or "context"
    place = context_directory(root, declared)
    if config and wanted and context_directory(root, wanted) != place:
        raise UsageError(
            f"{config.path} says that the memories are in {visible(declared)}",
            "Change its line `context`, or leave --context out.",
        )
    name = _name(root, place)
    if len(name) > _MAX_CONTEXT or name.count("/") > _MAX_DEPTH:
        raise OutOfBounds("context", declared, "is too long a path to make", "shape")
    return place


def _name(root: Path, place: Path) -> str:
    return place.relative_to(root.resolve()).as_posix()


def _memory_files(root: Path, place: Path) -> Mapping[str, MemoryFile | None]:
    """The memory files that are there already, by name; None for one that cannot be read."""
    try:
        names = [each.name for each in place.iterdir() if is_memory_name(each.name)]
    except OSError:
        return {}
    return {name: _read(root, place / name) for name in sorted(names)}


def _read(root: Path, place: Path) -> MemoryFile | None:
    try:
        return parse_memory(place.name, read_regular(place, root))
    except Unreadable:
        return None


def _steps(
    root: Path,
    config: Config | None,
    id_: str,
    place: Path,
    found: Mapping[str, MemoryFile | None],
) -> list[Step]:
    name = _name(root, place)
    has_records = any(file is not None and file.record for file in found.values())
    return [
        _config_step(root, config, {"id": id_, "context": f"{name}/"}, has_records),
        *(_page(root, name, page, text) for page, text in texts.pages(tuple(found)).items()),
        _pointer_step(root, name),
        _attributes_step(root, name),
    ]


def _config_step(
    root: Path, config: Config | None, values: Mapping[str, str], has_records: bool
) -> Step:
    """Write the config, or add what it lacks where no set-up has completed it yet."""
    if config and (config.legacy or config.value("init")):
        return Step(config.path, "keep")
    new = texts.config_text(values, has_records)
    return merge_step(root, CONFIG_FILE, new, lambda old: texts.completed(old, values, has_records))


def refuse_hidden(repository: Repository, prefix: str, steps: Sequence[Step]) -> None:
    """Raise where git has a file that would be made: it is only missing from this work tree."""
    below = "" if prefix == "." else f"{prefix}/"
    paths = [f"{below}{step.path}" for step in steps if step.action == "create"]
    for path, sparse in (kept_in_git(repository, paths) if paths else {}).items():
        place = path.rpartition("/")[0] or path
        if sparse:
            what = f"git has {visible(path)}, which is not in this work tree (sparse checkout)"
            raise KtwError(what, sparse_advice(place))
        raise KtwError(
            f"git has {visible(path)}, which is not in this work tree",
            f"Bring it back (git checkout HEAD -- {visible(place)}) or commit its removal first.",
        )


def _existing(start: Path, repository: Repository) -> tuple[Path, Config | None]:
    for directory in (start, *start.parents):
        config = _config_of(directory)
        if config is not None and config.block("config") is not None:
            return directory, config
        if config is not None and not config.legacy:
            raise UsageError(
                f"{visible(str(directory / CONFIG_FILE))} has no keep-the-why:config block",
                "It was left as it is. See what is wrong: keep-the-why-lint",
            )
        if directory == repository.toplevel:
            break
    return repository.toplevel, None


def _config_of(directory: Path) -> Config | None:
    try:
        return load_config(directory)
    except Unreadable as error:
        if error.path.name == CONFIG_FILE:
            raise
        return None  # an AGENTS.md that is no file of the project holds no config of it


def _new_id(repository: Repository, urls: Mapping[str, str]) -> str:
    url = urls.get("origin") or next(iter(urls.values()), "")
    return texts.id_from(url, repository.toplevel.name, uuid.uuid4().hex[:12])


def _page(root: Path, context: str, name: str, text: str) -> Step:
    path = f"{context}/{name}"
    return Step(path, "keep") if os.path.lexists(root / path) else Step(path, "create", text)


def _pointer_step(root: Path, context: str) -> Step:
    block = texts.pointer(context)
    new = f"# {POINTER_FILE}\n\n{block}"
    return merge_step(root, POINTER_FILE, new, lambda old: texts.with_pointer(old, block))


def _attributes_step(root: Path, context: str) -> Step:
    new = texts.with_attributes("", context)
    return merge_step(root, ".gitattributes", new, lambda old: texts.with_attributes(old, context))


def merge_step(root: Path, name: str, new: str, merged: Callable[[str], str]) -> Step:
    """Create `name` with `new`, or add to what stands there, or in the file it links to."""
    if not (root / name).exists() and not (root / name).is_symlink():
        return Step(name, "create", new)
    place = inside(root, name)
    if place is None or not place.exists():
        return Step(name, "leave", why="it is a link that leads out of the project or nowhere")
    path = place.relative_to(root.resolve()).as_posix()
    try:
        data = read_regular(place, root)
        old = data.decode("utf-8")
    except Unreadable as error:
        return Step(path, "leave", why=error.why)
    except UnicodeDecodeError:
        return Step(path, "leave", why="it is not UTF-8")
    text = merged(old)
    return Step(path, "keep") if text == old else Step(path, "merge", text, data)


# --- carrying it out -------------------------------------------------------------------------


def initialise(setup: Setup, write_policy: bool) -> None:
    """Carry a plan out; files that appeared meanwhile are left alone (Changed)."""
    for step in setup.steps:
        path = setup.root / step.path
        if step.action == "create":
            path.parent.mkdir(parents=True, exist_ok=True)
            write_new(path, step.text.encode())
        elif step.action == "merge":
            replace(path, step.text.encode(), step.old)
    if write_policy and setup.policy.changes:
        _write_policy(setup)


def _write_policy(setup: Setup) -> None:
    written = {"ktw.project": _with_name(setup), "ktw.bound": _with_bond(setup.repository)}
    policy = setup.policy.policy
    if policy is not None and setup.policy.states:
        written["ktw.approval"] = policy.methods
        written["ktw.trustRef"] = (policy.trust_ref,) if policy.trust_ref else ()
    set_clone_settings(setup.repository, written)


def _with_name(setup: Setup) -> Sequence[str]:
    """The projects that this clone's policy speaks for: those named before, and this one."""
    _, named = stated_policy(setup.repository)
    place = setup.project_id.partition(" ")[2]
    others = [name for name in named if name.partition(" ")[2] != place]
    return (*others, setup.project_id)


def _with_bond(repository: Repository) -> Sequence[str]:
    """The places that this clone is used from, this one with them: a container has its own."""
    stated = [setting.value for setting in read_settings(repository, r"^ktw\.bound$")]
    return tuple(dict.fromkeys((*stated, bind(repository))))


def remove_pointer(root: Path, dry_run: bool = False) -> bool:
    """Take our block out of AGENTS.md; False where there is none. A `dry_run` writes nothing."""
    step = merge_step(root, POINTER_FILE, "", texts.without_pointer)
    if step.action == "leave":
        raise KtwError(f"{step.path}: {step.why}", "It was left as it is; mend it first.")
    if step.action != "merge":
        return False
    if not dry_run:
        replace(root / step.path, step.text.encode(), step.old)
    return True
