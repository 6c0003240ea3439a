"""Asks `ktw.boundaries` about every config value that names a place; its answers become data.

It decides no boundary itself and reads no memory; a family member's config is read as data only.
"""

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from keep_the_why_lint.project import Fault, FaultKind
from keep_the_why_lint.rule import quoted
from ktw import boundaries
from ktw.boundaries import OutOfBounds, Unreadable, plain_value
from ktw.config import CONFIG_FILE, Config, Field, parse_config, schema_version, split_value

DEDICATED_CONFIG = (0, 10, 0)
MAX_CHILDREN = 200


def find_toplevel(root: Path) -> Path | None:
    """The nearest directory at or above `root` with a `.git` of any kind; reads nothing."""
    return next((place for place in (root, *root.parents) if is_there(place / ".git")), None)


def project_prefix(root: Path) -> str:
    """Where the project stands below git's top, posix; "" at the top or without a repository."""
    place = Path(os.path.realpath(root))
    toplevel = find_toplevel(place)
    return "" if toplevel in (None, place) else place.relative_to(toplevel or place).as_posix()


def is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def judge_places(root: Path, config: Config) -> Iterator[Fault]:
    """What the boundaries say against the values of a project's config. `root` is resolved."""
    block = config.block("config")
    if block is None:
        return
    toplevel = find_toplevel(root)
    for key, judge in _JUDGES.items():
        found = block.first(key)
        if found is not None:
            yield from _guarded(key, found, judge(root, toplevel, config, found))
    children = config.block("children")
    named: dict[str, Field] = {}
    for child in children.fields if children else ():
        named.setdefault(child.key, child)
    for child in islice(named.values(), MAX_CHILDREN):
        yield from _guarded("child", child, _judge_child(root, toplevel, child))
    for child in islice(named.values(), MAX_CHILDREN, MAX_CHILDREN + 1):
        message = f"there are more than {MAX_CHILDREN} children: from here on none is judged"
        yield Fault("child", "scope", child.line, message)


def _guarded(concern: str, found: Field, faults: Iterator[Fault]) -> Iterator[Fault]:
    """The faults, one more where the system refuses to look: a name too long, a loop of links."""
    try:
        yield from faults
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "it cannot be followed"
        kind: FaultKind = "shape" if concern in ("root", "id", "canonical") else "missing"
        message = f"{concern} {quoted(found.value)} leads nowhere: the system says: {why}"
        yield Fault(concern, kind, found.line, message)


def _fault(refusal: OutOfBounds, concern: str, line: int) -> Fault:
    kinds: dict[str, FaultKind] = {"shape": "shape", "missing": "missing", "identity": "identity"}
    message = f"{concern} {quoted(refusal.value)} {refusal.why}"
    return Fault(concern, kinds.get(refusal.kind, "outside"), line, message)


def _judge_context(root: Path, _: Path | None, config: Config, found: Field) -> Iterator[Fault]:
    try:
        place = boundaries.context_directory(root, found.value)
    except OutOfBounds as refusal:
        yield _fault(refusal, "context", found.line)
        return
    if not place.is_dir():
        message = f"context {quoted(found.value)} does not exist in the project"
        yield Fault("context", "missing", found.line, message)
    if _is_foreign(root, place):
        # A concern of its own: the directory is read all the same.
        message = f"context {quoted(found.value)} lies in another project or repository"
        yield Fault("owner of context", "foreign", found.line, message)


def _is_foreign(root: Path, place: Path) -> bool:
    """True where a directory from `place` up to `root` is a project or repository of its own."""
    below = [place, *place.parents][: len(place.parts) - len(root.parts)]
    return any(is_there(at / name) for at in below for name in (CONFIG_FILE, ".git"))


def _judge_id(root: Path, _: Path | None, config: Config, found: Field) -> Iterator[Fault]:
    if config.legacy or schema_version(config) < DEDICATED_CONFIG:
        return
    if not found.value:
        yield Fault("id", "shape", found.line, "id is empty")
        return
    try:
        boundaries.project_id(found.value)
    except OutOfBounds as refusal:
        yield _fault(refusal, "id", found.line)


def _judge_canonical(root: Path, _: Path | None, config: Config, found: Field) -> Iterator[Fault]:
    try:
        boundaries.canonical(found.value)
    except OutOfBounds as refusal:
        yield _fault(refusal, "canonical", found.line)


def _judge_root(root: Path, toplevel: Path | None, config: Config, found: Field) -> Iterator[Fault]:
    if not plain_value(found.value):
        yield Fault("root", "shape", found.line, "root is empty")
        return
    try:
        boundaries.root_value(toplevel or root, root, found.value)
    except OutOfBounds as refusal:
        # Without a repository around it nothing can say where the project really sits.
        if refusal.kind == "outside" or (toplevel and toplevel != root):
            yield _fault(refusal, "root", found.line)
            return
    if toplevel == root:
        message = f"root {quoted(found.value)} is set in a project that is git's toplevel itself"
        yield Fault("root", "shape", found.line, message)


def _judge_pin(root: Path, _: Path | None, config: Config, found: Field) -> Iterator[Fault]:
    block = config.block("config")
    version = block.first("pinned-version") if block else None
    if version is None:
        return
    try:
        boundaries.pinned_skill(root, found.value, version.value)
    except OutOfBounds as refusal:
        yield _fault(refusal, "pinned-path", found.line)


def _judge_parent(
    root: Path, toplevel: Path | None, config: Config, found: Field
) -> Iterator[Fault]:
    if not plain_value(found.value):
        yield Fault("parent", "shape", found.line, "parent is empty")
        return
    try:
        place = boundaries.family_location(toplevel or root, root, found.value)
    except OutOfBounds as refusal:
        yield _fault(refusal, "parent", found.line)
        return
    if place is not None and not _lists_child(place, toplevel or root, root):
        message = f"parent {quoted(found.value)} does not list this project among its children"
        yield Fault("parent", "one-way", found.line, message)


def _judge_child(root: Path, toplevel: Path | None, found: Field) -> Iterator[Fault]:
    location, scope = split_value(found.value)
    who = f"child {quoted(found.key)}"
    if not plain_value(location) or not scope:
        message = f"{who} needs a location and, after a dash, the scope that belongs there"
        yield Fault("child", "scope", found.line, message)
        return
    try:
        place = boundaries.family_location(toplevel or root, root, location)
    except OutOfBounds as refusal:
        fault = _fault(refusal, "child", found.line)
        yield Fault(fault.concern, fault.kind, fault.line, f"{who}: {refusal.what}")
        return
    if place is not None and not _names_parent(place, toplevel or root, root):
        message = f"{who} at {quoted(location)} does not name this project as its parent"
        yield Fault("child", "one-way", found.line, message)


def _member(place: Path, toplevel: Path) -> Config | None:
    try:
        data = boundaries.read_regular(place / CONFIG_FILE, toplevel)
    except Unreadable:
        return None
    return parse_config(data.decode("utf-8", errors="replace"))


def _lists_child(parent: Path, toplevel: Path, root: Path) -> bool:
    config = _member(parent, toplevel)
    block = config.block("children") if config else None
    fields = block.fields if block else ()
    return any(_leads_to(parent, split_value(field.value)[0], root) for field in fields)


def _names_parent(child: Path, toplevel: Path, root: Path) -> bool:
    config = _member(child, toplevel)
    value = config.value("parent") if config else None
    return value is not None and _leads_to(child, value, root)


def _leads_to(base: Path, value: str, root: Path) -> bool:
    name = plain_value(value)
    if name.startswith("https://") or boundaries.has_control(name):
        return False
    try:
        return Path(os.path.realpath(base / name)) == root
    except (OSError, ValueError):
        return False


_Judge = Callable[[Path, Path | None, Config, Field], Iterator[Fault]]
_JUDGES: dict[str, _Judge] = {
    "context": _judge_context,
    "id": _judge_id,
    "canonical": _judge_canonical,
    "root": _judge_root,
    "pinned-path": _judge_pin,
    "parent": _judge_parent,
}
