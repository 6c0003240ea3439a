"""Which tool servers this user wants everywhere, by a list in the home, and which are missing.

`~/.keep-the-why/mcp-baseline`: one name a line. Nothing of a repository adds to the list.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ktw.derived import read_own
from ktw.wiring import toml
from ktw.wiring.documents import Broken

BASELINE = ".keep-the-why/mcp-baseline"
_MOST = 20
_LARGEST = 32 * 1024 * 1024  # bytes of a file of settings
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def missing_servers(home: str, root: Path, places: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The names of the baseline that none of these files lists; () without a home or a list.

    `places`: files as `Adapter.servers` names them. A file that cannot be read lists nothing.
    """
    wanted = _wanted(home)
    if not wanted or not places:
        return ()
    listed: set[str] = set()
    for name, key in places:
        path = Path(home) / name.removeprefix("~/") if name.startswith("~/") else root / name
        listed.update(_servers(path, key, root))
    return tuple(name for name in wanted if name not in listed)[:_MOST]


def _wanted(home: str) -> list[str]:
    data = read_own(Path(home) / BASELINE) if home else None
    lines = (data or b"").decode("utf-8", "replace").split("\n")
    names = (line.partition("#")[0].strip() for line in lines)
    return [name for name in dict.fromkeys(names) if _NAME.fullmatch(name)]


def _servers(path: Path, key: str, root: Path) -> Iterator[str]:
    text = (read_own(path, _LARGEST) or b"").decode("utf-8", "replace")
    try:
        data = toml.read(text) if path.suffix == ".toml" else json.loads(text or "{}")
    except (Broken, ValueError, RecursionError):
        return
    if not isinstance(data, dict):
        return
    here = data.get("projects")
    own = here.get(str(root)) if isinstance(here, dict) else None
    for level in (data, own):
        found = level.get(key) if isinstance(level, dict) else None
        yield from (str(name) for name in found) if isinstance(found, dict) else ()
