"""Products of a vector with many rows of small whole numbers, all rows at once, exact.

Pure, and without NumPy, whose import costs a cold question more than all of its products. One
component of every row stands in Python integers, 32 bits a row: a number times such an integer is
that product for every row, and sums of these are the products of the whole vector.
"""

import math
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import mul
from typing import Any

ZERO = 128  # a component is written as a byte that is so much more
# What the components of a vector may add up to, signs aside: a sum of products then fits 32 bits.
MOST = 1 << 23
_LANES = 4  # bytes of a row's room, and integers that a column fills
_MIDDLE = 1 << 31
_OFFSET = bytes((byte + ZERO) % 256 for byte in range(256))  # a signed byte as it is written
# The two bytes of the square of what is written.
_LOW = bytes((byte - ZERO) ** 2 % 256 for byte in range(256))
_HIGH = bytes((byte - ZERO) ** 2 // 256 for byte in range(256))

_Column = tuple[int, int, int, int]


def whole(vector: Sequence[float]) -> list[int]:
    """A vector of the same direction, of whole numbers that may be multiplied with rows."""
    size = math.fsum(map(abs, vector))
    if size <= MOST and all(type(each) is int for each in vector):
        return [int(each) for each in vector]
    scale = (MOST - len(vector)) / size if size else 0.0  # rounding adds half a one to each
    return [round(each * scale) for each in vector]


def norm(vector: Sequence[float]) -> float:
    """The length of a vector."""
    return math.sqrt(sum(map(mul, vector, vector)))


def columns_of(rows: bytes, width: int) -> bytes:
    """Rows of `width` signed bytes, as `Rows` takes them."""
    written = rows.translate(_OFFSET)
    return b"".join(written[at::width] for at in range(width))


def small(vector: Sequence[int]) -> bytes:
    """A row along a vector whose largest component is 127: its direction is kept to within 0.001 of
    a cosine."""
    peak = max(map(abs, vector), default=0) or 1
    return array("b", [(254 * each + peak) // (2 * peak) for each in vector]).tobytes()


def rows_of(pieces: "Sequence[tuple[Rows, slice]]") -> "Rows":
    """Some rows of others, in that order."""
    width = max((rows.width for rows, _ in pieces), default=0)
    columns = (
        rows.columns[at * rows.count + piece.start : at * rows.count + piece.stop]
        for at in range(width)
        for rows, piece in pieces
    )
    return Rows(b"".join(columns), sum(piece.stop - piece.start for _, piece in pieces))


def sum_of(rows: bytes, width: int, times: Sequence[int]) -> list[int]:
    """The sum of rows of `width` signed bytes, each taken so many times, MOST in all."""
    return Rows(rows.translate(_OFFSET), width).products(times)  # what is a row is a column here


class Rows:
    """`count` rows, written column after column, a byte each: ZERO more than the component.

    What the first product spreads out is made once more for the second, and kept from then on.
    """

    def __init__(self, columns: Any, count: int) -> None:
        self.columns, self.count = columns, count
        self._room = _LANES * -(-count // _LANES)
        self._is_asked = False
        self._kept: list[_Column] | None = None

    @property
    def width(self) -> int:
        """How many components a row has; 0 where there is none."""
        return len(self.columns) // self.count if self.count else 0

    def products(self, vector: Sequence[int]) -> list[int]:
        """The product of each row with a vector, whose components add up to MOST at most."""
        if not self.count:
            return []
        first = second = third = fourth = _repeated(_MIDDLE, self._room)
        for each, (one, two, three, four) in zip(vector, self._columns(), strict=True):
            first += each * one
            second += each * two
            third += each * three
            fourth += each * four
        found = array("I", bytes(_LANES * self._room))
        for lane, sums in enumerate((first, second, third, fourth)):
            found[lane::_LANES] = array("I", sums.to_bytes(self._room, "little"))
        if sys.byteorder == "big":
            found.byteswap()
        more = _MIDDLE + ZERO * sum(vector)
        return [sums - more for sums in found[: self.count]]

    def squares(self) -> list[int]:
        """The product of each row with itself; `columns` have to be bytes."""
        ones = [1] * self.width
        tables = (self.columns.translate(table) for table in (_LOW, _HIGH))
        low, high = (Rows(table, self.count).products(ones) for table in tables)
        zeros = ZERO * len(ones)
        return [one + zeros + 256 * (two + zeros) for one, two in zip(low, high, strict=True)]

    def _columns(self) -> Iterable[_Column]:
        if not self._is_asked:
            self._is_asked = True
            return self._spread()
        if self._kept is None:
            self._kept = list(self._spread())
        return self._kept

    def _spread(self) -> Iterator[_Column]:
        mask = _repeated(0xFF, self._room)
        for start in range(0, len(self.columns), self.count):
            column = int.from_bytes(self.columns[start : start + self.count], "little")
            yield column & mask, column >> 8 & mask, column >> 16 & mask, column >> 24 & mask


def _repeated(number: int, room: int) -> int:
    """A number in every lane."""
    return int.from_bytes(number.to_bytes(_LANES, "little") * (room // _LANES), "little")
