"""What of a foreign memory is not carried as it was, counted and named. Pure values."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ktw.text.counting import counted

_NAMED = 8


class Lost(NamedTuple):
    """How many of something were left out or are mere text now: what one is called, and many; the
    names of those that have one."""

    number: int
    one: str
    many: str = ""
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        more = f" and {len(self.names) - _NAMED} more" if len(self.names) > _NAMED else ""
        named = f": {', '.join(self.names[:_NAMED])}{more}" if self.names else ""
        return counted(self.number, self.one, self.many) + named


def summed(losses: Iterable[Lost]) -> list[str]:
    """What of many memories was lost, the most first, without names."""
    total: Counter[tuple[str, str]] = Counter()
    for lost in losses:
        total[lost.one, lost.many] += lost.number
    return [counted(number, *called) for called, number in total.most_common()]
