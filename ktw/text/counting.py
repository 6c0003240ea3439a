"""How many of something, in words. Knows nothing of what is counted."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 memory`, `12 memories`: `many` where it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
