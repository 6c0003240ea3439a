"""The characters that one event may add to an agent's context, given out piece by piece."""

from collections.abc import Callable


class Room:
    """Room for pieces of text, joined by empty lines; never more than `chars` characters."""

    def __init__(self, chars: int, kept_back: int = 0) -> None:
        self._left, self._kept_back = chars, kept_back
        self._pieces: list[str] = []

    def add(self, text: str) -> bool:
        """Take a whole piece where it fits; False where it does not."""
        return self._take(text, self._left - self._kept_back)

    def add_first_fitting(self, make: Callable[[int], str], *sizes: int) -> bool:
        """Take a piece in the first of these sizes (characters, as `make` understands them) in
        which it fits."""
        return any(self.add(make(size)) for size in sizes)

    def close(self, text: str) -> None:
        """Take a last piece, for which room was kept back."""
        self._take(text, self._left)

    def _take(self, text: str, left: int) -> bool:
        text = text.strip("\n")
        needed = len(text) + (2 if self._pieces else 0)
        if not text or needed > left:
            return False
        self._pieces.append(text)
        self._left -= needed
        return True

    @property
    def text(self) -> str:
        return "\n\n".join(self._pieces)
