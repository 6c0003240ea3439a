"""What a change brings to a project: the findings that were not there, and what raises trust.

The change leads from where HEAD and the base branch parted to the work tree. It prints nothing and
decides no rule.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from keep_the_why_lint.base_tree import BaseTree, Sides, lay_out
from keep_the_why_lint.baseline import NAME as BASELINE
from keep_the_why_lint.baseline import load_baseline
from keep_the_why_lint.change import Change
from keep_the_why_lint.comparison import line_texts, new_findings
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.ignores import ignores_of
from keep_the_why_lint.places import project_prefix
from keep_the_why_lint.project import Project, Verdicts
from keep_the_why_lint.reading import read_project
from keep_the_why_lint.registry import CHANGE_RULES
from keep_the_why_lint.runner import Report, check_project, sorted_findings
from keep_the_why_lint.settling import settle
from keep_the_why_lint.suppression import Baseline
from ktw.config import Field, Version
from ktw.errors import KtwError
from ktw.git import Objects, Repository, find_repository
from ktw.git.revisions import common_ancestors, resolve, without_diff
from ktw.memory import MemoryFile

_MOST_BASES = 16


def lint_change(
    root: Path,
    revision: str,
    home: Path | None = None,
    verdicts: Verdicts | None = None,
    today: date | None = None,
    baseline: Baseline | None = None,
) -> Report:
    """Check what the work tree at `root` changes since it left `revision`.

    A finding is old only where every merge base has it. Raises KtwError where there is no
    repository, no such revision, or no history that both share.
    """
    head = replace(read_project(root, home, verdicts), today=today)
    whole = check_project(head, baseline)
    place = Path(os.path.realpath(root))
    repository, prefix = find_repository(place), project_prefix(place)
    changes: list[Change] = []
    new: set[Finding] = set()
    for tree in _laid_out(repository, prefix, head, revision):
        base = replace(read_project(tree.root, home, _verdicts_of(tree, verdicts)), today=today)
        new.update(_brought(head, whole, base, tree))
        hidden = _hidden(head, whole, base)
        change = Change(base, head, prefix, tree.files, tree.contexts, hidden)
        silenced = tuple(_silenced(head, whole, base, tree))
        undiffed = _undiffed(repository, change)
        changes.append(replace(change, undiffed=undiffed, silenced=silenced))
    raised = dict.fromkeys(found for change in changes for found in check_change(change))
    ordinary = [finding for finding in whole.findings if finding in new]
    findings = sorted([*ordinary, *raised], key=lambda finding: finding.order)
    return replace(whole, findings=tuple(findings), approved=_approved(changes), prefix=prefix)


def check_change(change: Change) -> Iterator[Finding]:
    """Everything in a change that raises trust."""
    for rule in CHANGE_RULES:
        for found in rule.check(change):
            yield rule.finding(found, change.path)


def _approved(changes: Iterable[Change]) -> tuple[MemoryFile, ...]:
    files = {file.path: file for change in changes for file in change.approved}
    return tuple(files[path] for path in sorted(files))


def _undiffed(repository: Repository, change: Change) -> frozenset[str]:
    config = _below(change.prefix, change.head.path)
    changed = {file.path for file in change.files if file.path == config}
    changed.update(file.path for file in change.memories)
    return without_diff(repository, sorted(changed))


def _laid_out(
    repository: Repository, prefix: str, head: Project, revision: str
) -> Iterator[BaseTree]:
    """Each merge base in a directory of its own, which is gone when the next one is asked for."""
    with Objects(repository) as objects:
        bases = common_ancestors(repository, resolve(repository, objects, revision))
        if len(bases) > _MOST_BASES:
            raise KtwError(
                f"HEAD and the base have {len(bases)} merge bases, more than {_MOST_BASES}",
                "Merge or rebase onto the base first.",
            )
        named, real = _contexts(repository, prefix, head)
        sides = Sides(repository, objects, prefix, frozenset({named, real}))
        names = (file.path.removeprefix(f"{head.context_name}/") for file in head.files)
        present = [f"{real}/{name}" for name in names]
        for commit in bases:
            with tempfile.TemporaryDirectory(prefix="keep-the-why-") as place:
                yield lay_out(sides, commit, Path(place), present)


def _contexts(repository: Repository, prefix: str, head: Project) -> tuple[str, str]:
    """The context directory from the top, as it is named and where links lead."""
    named = _below(prefix, head.context_name)
    place = Path(os.path.realpath(repository.toplevel / named))
    if not place.is_relative_to(repository.toplevel):
        return named, named
    return named, place.relative_to(repository.toplevel).as_posix()


def _below(prefix: str, path: str) -> str:
    return f"{prefix}/{path}" if prefix else path


def _verdicts_of(tree: BaseTree, verdicts: Verdicts | None) -> Verdicts | None:
    """Trust's word on what the change leaves alone; of other words at the base nobody can ask."""
    if verdicts is None:
        return None
    return lambda path: verdicts(path) if path in tree.untouched else None


def _brought(head: Project, whole: Report, base: Project, tree: BaseTree) -> Iterable[Finding]:
    paths = {tree.old_names.get(f.path, f.path) for f in whole.findings}
    before = check_project(base, only=paths).findings if paths else ()
    lines = line_texts(whole.findings, head), line_texts(before, base)
    return new_findings(whole.findings, lines[0], before, lines[1], tree.old_names)


# --- checks that were silenced ---------------------------------------------------------------


def _silenced(head: Project, whole: Report, base: Project, tree: BaseTree) -> Iterable[Finding]:
    """What the change brings and only ignores or a baseline of its own keep out of the report."""
    if not whole.suppressed:
        return ()
    known = load_baseline(tree.root / BASELINE, tree.root, BASELINE)
    every = settle(sorted_findings(head), head, ignores_of(base), known).findings
    kept = set(whole.findings)
    found = [finding for finding in every if finding not in kept]
    paths = {tree.old_names.get(f.path, f.path) for f in found}
    before = sorted_findings(base, only=paths) if paths else ()
    return new_findings(
        found, line_texts(found, head), before, line_texts(before, base), tree.old_names
    )


# --- a schema that was lowered ---------------------------------------------------------------


def _hidden(head: Project, whole: Report, base: Project) -> tuple[Finding, ...]:
    """What the work tree would be told under the schema of the base, and is not under its own."""
    if head.schema >= base.schema or head.config_block is None:
        return ()
    found = check_project(_with_schema(head, base.schema)).findings
    lines = line_texts(found, head)
    return tuple(new_findings(found, lines, whole.findings, line_texts(whole.findings, head), {}))


def _with_schema(project: Project, schema: Version) -> Project:
    config, block = project.config, project.config_block
    assert config is not None and block is not None
    others = [field for field in block.fields if field.key != "context-schema"]
    line = next((field.line for field in block.all("context-schema")), block.line)
    version = Field("context-schema", ".".join(map(str, schema)), line)
    blocks = {**config.blocks, "config": block._replace(fields=(*others, version))}
    return replace(project, config=config._replace(blocks=blocks))
