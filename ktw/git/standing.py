"""What a clone and its git are like: version, hooks of a commit, what of the history is missing.

Asks, and judges nothing.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from ktw.errors import KtwError
from ktw.git.repository import Repository, command
from ktw.git.settings import read_settings

_KEYS = r"^(core\.(hookspath|sparsecheckout)|commit\.gpgsign|extensions\.partialclone)$"
_PROMISOR = r"^remote\..*\.promisor$"
_OF_A_COMMIT = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
_TIMEOUT_S = 20


class Standing(NamedTuple):
    """Facts of one clone. `hooks`: those that a commit would run, `hooks_place` where they lie."""

    hooks_place: Path
    hooks: tuple[str, ...]
    signs_commits: bool
    is_partial: bool
    is_sparse: bool


def git_version() -> tuple[int, ...]:
    """The version of the git on the PATH, (2, 39, 5); raises KtwError without one."""
    try:
        out = subprocess.run(
            command(["version"]), capture_output=True, timeout=_TIMEOUT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise KtwError("git does not say its version", "Mend or install git.") from error
    numbers = re.search(rb"[0-9]+(?:\.[0-9]+){1,3}", out)
    return tuple(map(int, numbers[0].split(b"."))) if numbers else ()


def standing(repository: Repository) -> Standing:
    """The facts that config and hook directory tell; raises GitFailed."""
    stated = read_settings(repository, _KEYS)
    # What our own call of git says with -c (no hooks) is nobody's setting.
    settings = {each.key: each.value for each in stated if each.scope != "command"}
    promisors = read_settings(repository, _PROMISOR)
    place = repository.common_dir / "hooks"
    if settings.get("core.hookspath"):
        place = repository.toplevel / os.path.expanduser(settings["core.hookspath"])  # noqa: PTH111
    return Standing(
        place,
        tuple(name for name in _OF_A_COMMIT if os.access(place / name, os.X_OK)),
        _holds(settings.get("commit.gpgsign")),
        bool(promisors) or "extensions.partialclone" in settings,
        _holds(settings.get("core.sparsecheckout")),
    )


def _holds(value: str | None) -> bool:
    return (value or "").lower() in ("true", "yes", "on", "1")
