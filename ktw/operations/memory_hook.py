"""The hook of git that names recalled memories in commit messages: put in place, or taken away."""

from pathlib import Path
from typing import NamedTuple

from ktw.atomic import replace, write_new
from ktw.boundaries import Unreadable, read_regular
from ktw.derived import is_linked, make_directory
from ktw.errors import KtwError, Refused
from ktw.git import Repository
from ktw.git.standing import standing
from ktw.recalled import HOOK, HOOK_LINE, HOOK_NAME, SCRIPT, SCRIPT_NAME, SETTING


class HookPlace(NamedTuple):
    """Where the hook stands; `advice`: the line that a person adds to what was there already."""

    path: Path
    advice: str = ""


def add_hook(repository: Repository, agent: str | None, dry_run: bool = False) -> HookPlace:
    """Let recall note what it showed, and a hook name it in commit messages.

    A hook that is there, or a place among the files of the work tree, is left alone: then
    `advice` says what to add. A `dry_run` says the same and writes nothing. Raises Refused under an
    agent, KtwError where nothing can be written.
    """
    from ktw.git.writing import set_clone_settings

    if agent is not None:
        raise Refused(
            f"what commits say is a person's to decide, and this process runs under {agent}",
            "Ask the person to run: ktw init --memory-used-hook",
        )
    place = standing(repository).hooks_place
    path = place / HOOK_NAME
    fits = not _is_of_the_tree(repository, place) and _is_free(path)
    if not dry_run:
        _write_script(repository.common_dir / "ktw" / SCRIPT_NAME)
        fits = fits and _put(path)
        set_clone_settings(repository, {SETTING: ("true",)})
    return HookPlace(path, "" if fits else HOOK_LINE)


def hook_in_place(repository: Repository) -> HookPlace | None:
    """What of it is there, None for nothing; `advice`: the line that a person added by hand."""
    path = standing(repository).hooks_place / HOOK_NAME
    content = _content(path) or b""
    by_hand = HOOK_LINE if HOOK_LINE.encode() in content and content != HOOK.encode() else ""
    script = repository.common_dir / "ktw" / SCRIPT_NAME
    if content == HOOK.encode() or by_hand or script.exists():
        return HookPlace(path, by_hand)
    return None


def remove_hook(repository: Repository, dry_run: bool = False) -> bool:
    """Undo `add_hook`; True where the hook was ours, and is gone. A `dry_run` writes nothing."""
    from ktw.git.writing import set_clone_settings

    path = standing(repository).hooks_place / HOOK_NAME
    is_ours = _content(path) == HOOK.encode()
    if dry_run:
        return is_ours
    set_clone_settings(repository, {SETTING: ()})
    script = repository.common_dir / "ktw" / SCRIPT_NAME
    if not is_linked(script):
        script.unlink(missing_ok=True)
    if is_ours:
        path.unlink()
    return is_ours


def _is_free(path: Path) -> bool:
    """False where another hook stands, or where hooks have no such place."""
    if _content(path) == HOOK.encode():
        return True
    is_there = path.exists() or path.is_symlink()
    return not is_there and (path.parent.is_dir() or not path.parent.exists())


def _put(path: Path) -> bool:
    """Write the hook where none stands; False where hooks have no such place."""
    if _content(path) == HOOK.encode():
        return True
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return False
    write_new(path, HOOK.encode())
    path.chmod(0o755)
    return True


def _write_script(path: Path) -> None:
    old = _content(path)
    try:
        make_directory(path.parent)
    except OSError as error:
        what = f"the git directory cannot be written: {error.strerror}"
        raise KtwError(what, "Look at ktw in it, and at its permissions.") from error
    if old is None:
        write_new(path, SCRIPT.encode())
    elif old != SCRIPT.encode():
        replace(path, SCRIPT.encode(), old)


def _content(path: Path) -> bytes | None:
    try:
        return read_regular(path, path.parent) if not path.is_symlink() else None
    except Unreadable:
        return None


def _is_of_the_tree(repository: Repository, place: Path) -> bool:
    """True for hooks that are files of the work tree: what stands there may come from anyone."""
    resolved, top = place.resolve(), repository.toplevel.resolve()
    ours = (repository.common_dir.resolve(), repository.git_dir.resolve())
    return resolved.is_relative_to(top) and not any(map(resolved.is_relative_to, ours))
