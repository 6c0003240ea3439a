"""A line chart over two logarithmic axes as SVG text; what the lines mean is for who draws them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 40, 50
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#d98c1f", "#555555", "#1aa3a3", "#a0522d")
Points = Sequence[tuple[float, float]]


class Axis:
    """Whole powers of ten around the values, laid between two places of the drawing."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def chart(title: str, across: str, up: str, lines: Mapping[str, Points]) -> str:
    """An SVG with one line a name; all values above 0, and at least one of them."""
    points = [point for line in lines.values() for point in line]
    x = Axis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = Axis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 18, title, "start"),
        *_grid(x, y),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across, "middle"),
        _text(LEFT - 8, TOP - 4, up, "end"),
    ]
    for number, (name, line) in enumerate(lines.items()):
        parts += _line(name, line, x, y, number)
    return "\n".join([*parts, "</svg>", ""])


def _grid(x: Axis, y: Axis) -> Iterator[str]:
    for value in x.ticks():
        yield _stroke(x.at(value), TOP, x.at(value), HEIGHT - BOTTOM)
        yield _text(x.at(value), HEIGHT - BOTTOM + 18, f"{value:,g}", "middle")
    for value in y.ticks():
        yield _stroke(LEFT, y.at(value), WIDTH - RIGHT, y.at(value))
        yield _text(LEFT - 8, y.at(value) + 4, f"{value:,g}", "end")


def _line(name: str, line: Points, x: Axis, y: Axis, number: int) -> Iterator[str]:
    colour = COLOURS[number % len(COLOURS)]
    places = [(x.at(across), y.at(up)) for across, up in sorted(line)]
    path = " ".join(f"{across:.1f},{up:.1f}" for across, up in places)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for across, up in places:
        yield f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3" fill="{colour}"/>'
    left, height = WIDTH - RIGHT + 16, TOP + 10 + number * 20
    yield f'<rect x="{left}" y="{height - 9}" width="12" height="10" fill="{colour}"/>'
    yield _text(left + 18, height, name, "start")


def _stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="#dddddd"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
