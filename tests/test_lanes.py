"""Products by Python's own integers are those of the numbers one by one."""

from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.lanes import MOST, Rows, columns_of, norm, rows_of, small, sum_of, whole

BYTES = st.integers(-128, 127)


def written(rows: list[list[int]]) -> bytes:
    return bytes(each % 256 for row in rows for each in row)


@st.composite
def matrices(draw: st.DrawFn) -> list[list[int]]:
    width = draw(st.integers(1, 9))
    return draw(st.lists(st.lists(BYTES, min_size=width, max_size=width), min_size=1, max_size=11))


def rows_in(matrix: list[list[int]]) -> Rows:
    return Rows(columns_of(written(matrix), len(matrix[0])), len(matrix))


@given(matrices(), st.data())
def test_each_row_is_multiplied_exactly(matrix: list[list[int]], data: st.DataObject) -> None:
    width = len(matrix[0])
    most = MOST // width
    vector = data.draw(st.lists(st.integers(-most, most), min_size=width, max_size=width))
    rows = rows_in(matrix)
    expected = [sum(map(mul, vector, row)) for row in matrix]
    for time in ("spread out", "spread out and kept", "as it was kept"):
        assert rows.products(vector) == expected, time
    assert rows.squares() == [sum(map(mul, row, row)) for row in matrix]
    assert rows.width == width


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("component", [-128, 127])
def test_the_largest_sums_have_room(sign: int, component: int) -> None:
    rows = Rows(columns_of(bytes([component % 256]) * 3, 1), 3)
    assert rows.products([sign * MOST]) == [sign * MOST * component] * 3


@given(st.lists(st.floats(-1e30, 1e30) | st.integers(-(10**9), 10**9), max_size=20))
def test_a_vector_in_whole_numbers_keeps_its_direction(vector: list[float]) -> None:
    found = whole(vector)
    assert sum(map(abs, found)) <= MOST and set(map(type, found)) <= {int}
    if norm(vector) > 0:
        cosine = sum(map(mul, vector, found)) / norm(vector) / norm(found)
        assert cosine == pytest.approx(1, abs=1e-9)
    else:
        assert not any(found)


def test_whole_numbers_that_fit_stay_as_they_are() -> None:
    assert whole([3, -4, 0]) == [3, -4, 0]
    assert whole([MOST, 1]) != [MOST, 1]


@given(matrices(), st.data())
def test_rows_are_added_up_as_often_as_they_are_taken(
    matrix: list[list[int]], data: st.DataObject
) -> None:
    count, width = len(matrix), len(matrix[0])
    times = data.draw(st.lists(st.integers(0, 1000), min_size=count, max_size=count))
    expected = [sum(map(mul, times, column)) for column in zip(*matrix, strict=True)]
    assert sum_of(written(matrix), width, times) == expected
    assert sum_of(b"", width, []) == [0] * width


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=9))
def test_a_small_row_has_the_direction_of_its_vector(vector: list[int]) -> None:
    row = memoryview(small(vector)).cast("b").tolist()
    peak = max(map(abs, vector)) or 1
    assert all(abs(one - 127 * each / peak) <= 0.5 for one, each in zip(row, vector, strict=True))
    assert max(map(abs, row)) == (127 if any(vector) else 0)


@given(matrices(), st.data())
def test_some_rows_of_others_stand_as_they_stood(
    matrix: list[list[int]], data: st.DataObject
) -> None:
    rows, count = rows_in(matrix), len(matrix)
    ends = st.tuples(st.integers(0, count), st.integers(0, count)).map(sorted)
    pieces = data.draw(st.lists(ends, max_size=4))
    found = rows_of([(rows, slice(start, end)) for start, end in pieces])
    taken = [row for start, end in pieces for row in matrix[start:end]]
    assert found.count == len(taken)
    assert found.columns == (columns_of(written(taken), len(matrix[0])) if taken else b"")


def test_no_rows_have_no_products() -> None:
    assert Rows(b"", 0).products([1, 2]) == Rows(b"", 0).squares() == []
    assert rows_of([]).count == Rows(b"", 0).width == 0
