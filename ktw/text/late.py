"""Regular expressions that are compiled at their first use: most runs of a command need few of
them, and each costs as much as a small file to read.

Knows no expression.
"""

import re
from typing import Any, cast


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, for a constant of a module; a wrong one raises where it is first used."""
    return cast("re.Pattern[str]", _Late(source, flags))


class _Late:
    """Becomes, at the first question, as quick as the pattern: its methods are then attributes."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found
