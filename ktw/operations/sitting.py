"""One sitting of a review: what a person decided about each waiting memory, and the one hash that
stands for all of it.

Pure: decisions in, a value out. Carrying it out is for `approving`.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ktw.operations.candidate import TYPED_DIGITS
from ktw.operations.queue import Waiting

Choice = Literal["approve", "reject", "skip"]


@dataclass
class Sitting:
    """The decisions so far, in order. `waiting` is what there was to decide on at the start."""

    waiting: list[Waiting]
    choices: list[Choice] = field(default_factory=list)

    @property
    def at(self) -> Waiting | None:
        """The memory to decide on now, None at the end."""
        return self.waiting[len(self.choices)] if len(self.choices) < len(self.waiting) else None

    def decide(self, choice: Choice) -> bool:
        """Decide on the present memory and go on to the next: True."""
        self.choices.append(choice)
        return True

    def undo(self) -> bool:
        """Take the last decision back; False where there is none."""
        if not self.choices:
            return False
        self.choices.pop()
        return True

    def replace(self, waiting: Waiting | None) -> None:
        """Put what an edit made of the present memory in its place; None takes it out."""
        here = len(self.choices)
        self.waiting[here : here + 1] = [] if waiting is None else [waiting]

    def chosen(self, choice: Choice) -> list[Waiting]:
        """Everything decided like that, in order."""
        decided = zip(self.waiting, self.choices, strict=False)
        return [waiting for waiting, made in decided if made == choice]

    @property
    def decides(self) -> bool:
        """True where something would be done."""
        return bool(self.chosen("approve") or self.chosen("reject"))

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over what is approved and rejected: choice, path and content hash."""
        return _digest(
            sorted(
                [choice, waiting.file.path, waiting.file.computed_hash]
                for waiting, choice in zip(self.waiting, self.choices, strict=False)
                if choice != "skip"
            )
        )

    @property
    def key(self) -> str:
        """What the person types in the end."""
        return self.digest[:TYPED_DIGITS]


def _digest(rows: Sequence[Sequence[str]]) -> str:
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
