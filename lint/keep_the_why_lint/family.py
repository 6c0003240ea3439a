"""The other projects of a family in one repository, as plain data. It reads nothing."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """Another project of the family in this repository.

    `place`: its directory, `line`: the line of the config that leads to it, both as findings say
    them; `ids`: each Id of its entries, in lower case, with the file that holds it.
    """

    place: str
    line: int
    id: str
    ids: Mapping[str, str]


@dataclass(frozen=True)
class Family:
    """The other projects of the family, and what of it was not read: a line and why."""

    members: tuple[Member, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


NO_FAMILY = Family()
