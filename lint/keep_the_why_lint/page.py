"""A text that is scanned as text, and what is found in it by text alone. Opens no file."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ktw.text import Span
from ktw.text.unrendered import find_unrendered

# In these no tag and no comment of HTML hides anything.
_SHOWN_AS_THEY_ARE = (".txt", ".rst")

PageKind = Literal["memory", "index", "config", "instructions", "settings", "other"]


@dataclass(frozen=True)
class Page:
    """A text that is scanned as text. `kind`: what the file is for whoever reads it.

    memory, index, config, instructions (AGENTS.md, CLAUDE.md, SKILL.md: they may direct an agent),
    settings (a developer's own, or a config from before `.keep-the-why`), other (data beside them).
    """

    path: str
    text: str
    kind: PageKind = "memory"

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset into the text."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line_end(self, offset: int) -> int:
        """The offset at which the line around an offset ends."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    @cached_property
    def blobs(self) -> Sequence[Span]:
        """What in it is encoded: H201 where it decodes to prose, H202 to a directive."""
        from ktw.text.directives import find_blobs

        return find_blobs(self.text)

    @cached_property
    def unrendered(self) -> Sequence[tuple[Span, bool]]:
        """What in it a page does not show, and whether that directs."""
        if self.path.casefold().endswith(_SHOWN_AS_THEY_ARE):
            return ()
        pieces = find_unrendered(self.text)
        if not pieces:
            return ()
        from ktw.text.directives import directing

        words = [self.text[piece.start : piece.end] for piece in pieces]
        direct = directing(words)
        return [(piece, said in direct) for piece, said in zip(pieces, words, strict=True)]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def directives_in(text: str) -> Sequence[Span]:
    """What in a text directs or imitates the frame, and what a reviewer should see of either."""
    # Its patterns take time to compile: only a run that asks pays for them.
    from ktw.text.directives import find_directives

    return find_directives(text, notes=True)
