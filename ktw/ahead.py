"""What others do for a process that ends with its answer while it loads what answers: git says what
its config states, and a second process looks at many files.

Imports what begins, and nothing of what answers.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ktw.errors import KtwError
from ktw.scout import WHOLE, Scout
from ktw.warm_client import git_directory, places

if TYPE_CHECKING:
    from ktw.git import Setting
    from ktw.project import Project
    from ktw.scan import Scan

_LARGE = 1 << 21  # bytes; some 600 a memory, with vectors 1,300


class Ahead:
    """Whatever can begin before the project is known begins when this is made, the rest with
    `begin`; what is asked a second time is done anew. `close` it. `project`: for which it began."""

    def __init__(self, cwd: str) -> None:
        self._scout = Scout() if _is_indexed_large(cwd) else None
        self._stated: Callable[[], list[Setting]] | None = None
        self._is_begun = False
        self.project: Project | None = None
        if self._scout is not None:
            self._scout.start()

    def begin(self, project: "Project") -> None:
        """Let them work for this project."""
        self.project = project
        if self._scout is not None:
            self._scout.send(str(project.context), WHOLE)
        self._is_begun = True
        from ktw.stated import begin_stated  # the scout is at work meanwhile

        try:
            self._stated = begin_stated(project.repository)
        except (KtwError, OSError):
            pass  # whoever asks is told why

    def scan(self, project: "Project") -> "Scan":
        """What `scan` gives, seen since `begin`."""
        from ktw.scan import scan, scanned_by

        is_begun, self._is_begun = self._is_begun, False
        return scanned_by(self._scout, project) if self._scout and is_begun else scan(project)

    def stated(self, project: "Project") -> "list[Setting]":
        """What `read_stated` gives, asked since `begin`; raises GitFailed."""
        from ktw.stated import read_stated

        begun, self._stated = self._stated, None
        return begun() if begun is not None else read_stated(project.repository)

    def close(self) -> None:
        """End both."""
        if self._scout is not None:
            self._scout.close()
        begun, self._stated = self._stated, None
        if begun is not None:  # nobody asked, since something failed before
            with suppress(KtwError):
                begun()


def begin_here(cwd: str, env: Mapping[str, str], is_cold: bool) -> Ahead | None:
    """Begun for the project around `cwd`. None where a warm ktw may answer instead (unless
    `is_cold`), and where there is no project: whoever looks for it later is told why."""
    directory = git_directory(cwd)
    if directory is None or not (is_cold or _is_nobody_warm(directory, env)):
        return None
    ahead = Ahead(cwd)
    from pathlib import Path

    from ktw.project import find_project

    try:
        ahead.begin(find_project(Path(cwd)))
    except (KtwError, OSError):
        ahead.close()
        return None
    return ahead


def _is_nobody_warm(directory: str, env: Mapping[str, str]) -> bool:
    return not any(map(os.path.exists, places(directory, env)))


def _is_indexed_large(cwd: str) -> bool:
    """Whether the index of the work tree around a directory is that of thousands of memories."""
    directory = git_directory(cwd)
    try:
        with os.scandir(f"{directory}/ktw/index") as rows:
            return sum(row.stat(follow_symlinks=False).st_size for row in rows) >= _LARGE
    except OSError:
        return False
