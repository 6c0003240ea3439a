"""One client's connection: which project it is served from, and the name its writings are stamped
with. Found anew at each call, so that a project that changed or went is never remembered.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from ktw.agents import driving_agent, plain_name
from ktw.errors import KtwError
from ktw.git import NoRepository
from ktw.mcp.protocol import Client
from ktw.store import NoProject, Project, find_project

if TYPE_CHECKING:
    from ktw.held import Cold, Held

Keeping = AbstractContextManager["Held"]  # entered by one thread at a time
Roots = Callable[[], Sequence[str]]


class Session:
    """`start` is where the project is looked for; `env` and `now` are this process's.

    `roots` asks the client for the URIs of its directories, where it has some and `start` was not
    chosen by anybody. `keep` gives, once a project, what is kept of it between calls; without it
    nothing is.
    """

    def __init__(
        self,
        start: Path,
        env: Mapping[str, str],
        now: Callable[[], datetime],
        roots: Roots = lambda: (),
        keep: Callable[[Project], Keeping] | None = None,
    ) -> None:
        self._start, self._env, self.now, self._roots = start, env, now, roots
        self._keep, self._kept = keep, dict[Path, Keeping]()

    @contextmanager
    def held(self, project: Project) -> Iterator["Cold"]:
        """What recall keeps of a project, for this call alone."""
        from ktw.held import COLD

        if self._keep is None:
            yield COLD
            return
        if project.root not in self._kept:
            self._kept[project.root] = self._keep(project)
        with self._kept[project.root] as held:
            yield held

    @property
    def model(self) -> str:
        """The embedding model that was asked for, "" for the one that ships."""
        return self._env.get("KTW_MODEL", "")

    def agent(self, client: Client) -> str:
        """The writer's name: KTW_AGENT, else what the client calls itself, else its variables."""
        if self._env.get("KTW_AGENT"):
            return plain_name(self._env["KTW_AGENT"])
        return plain_name(client.name) if client.name else driving_agent(self._env) or "agent"

    def project(self, client: Client) -> Project:
        """The project that this client is served from; raises as `find_project` does."""
        try:
            return find_project(self._start)
        except (NoProject, NoRepository) as error:
            return self._project_of_roots(client, error)

    def _project_of_roots(self, client: Client, error: KtwError) -> Project:
        """The first of the client's directories that lies in a project."""
        for root in self._roots() if client.has_roots else ():
            place = _path(root)
            try:
                if place is not None:
                    return find_project(place)
            except (NoProject, NoRepository):
                continue
        what = f"{error.what}, where this server was started"
        raise type(error)(what, "Start it there, or name the place: ktw mcp --project PATH")


def _path(uri: str) -> Path | None:
    """The directory that a file URI names, None for any other (RFC 8089, no host)."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if len(path) > 2 and path[0] == "/" and path[2] == ":":  # a drive of Windows
        path = path[1:]
    return Path(path) if path and "\0" not in path else None
