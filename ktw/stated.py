"""What git config states of all that ktw reads there: the policy of a clone, its signers, settings.

One question to git for all of it. What a value counts for is decided elsewhere.
"""

from collections.abc import Callable

from ktw.git import HeldSettings, Repository, Setting, begin_settings

_PATTERN = (
    r"^(ktw\..*|remote\..*\.(url|fetch)|core\.repositoryformatversion"
    r"|gpg\.ssh\.(allowedsignersfile|revocationfile))$"
)


def read_stated(repository: Repository) -> list[Setting]:
    """All of it; raises GitFailed."""
    return begin_stated(repository)()


def begin_stated(repository: Repository) -> Callable[[], list[Setting]]:
    """The same under way: what is given back waits for it, and raises GitFailed."""
    return begin_settings(repository, _PATTERN)


def held_stated(repository: Repository) -> HeldSettings:
    """The same for a process that stays."""
    return HeldSettings(repository, _PATTERN)
