"""What pieces may have a part of, so that it has to be looked for in the whole row.

Knows what judges undo over blanks, not what words mean.
"""

import re

from ktw.text.directives.disguise import (
    JOINING,
    are_ciphered,
    looks_spaced,
    reaches_over_blanks,
    without_elements,
)
from ktw.text.directives.foreign import may_be_told_without_marks
from ktw.text.directives.frames import frame_in
from ktw.text.directives.plain import plain_folded
from ktw.text.directives.safety import MAY_SWITCH_OFF
from ktw.text.escape import PERCENT, entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

Row = tuple[str, ...]

CHAINING = "-._*~+/|,"  # marks that are taken out from between letters
UNMARKED = str.maketrans("", "", CHAINING)
# Once marks are gone: a tag that may end in the next piece.
_REACHING = re.compile(r"<[a-z][^<>]*\Z")
_STRINGS = late(r"[\"'] {0,2}[+.&,]|[+.&,] {0,2}[\"']")  # part of how two are joined
_SETS = late(MAY_SWITCH_OFF)
# What is looked for in a whole row, where a piece may have a part of it.
FRAMED, DISGUISED, SPACED, OPEN, REACHES, LET, FOREIGN, CIPHERED, ALARMING = (
    1 << bit for bit in range(9)
)
_LET_US = re.compile(r"let[\s>#;]+us|<")  # also over the marks where a line begins


def flags_of(folded: str) -> int:
    """What a piece may have a part of, whatever its words are."""
    flags = 0 if folded.isascii() else FOREIGN
    flags |= SPACED if (folded.count(" ") + 1) * 5 > (len(folded) + 1) * 2 else 0
    if "\\" in folded or "+" in folded or ("%" in folded and PERCENT.search(folded)):
        flags |= DISGUISED
    if folded in JOINING or (('"' in folded or "'" in folded) and _STRINGS.search(folded)):
        flags |= DISGUISED
    if "=" in folded:
        flags |= DISGUISED | (ALARMING if _may_set(folded) else 0)
    if "<" in folded:
        flags |= DISGUISED | FRAMED | (OPEN if folded.rfind("<") > folded.rfind(">") else 0)
        if _REACHING.search(folded.translate(UNMARKED)):
            flags |= REACHES
    return flags


def is_found(flags: int, row: Row) -> bool:
    """Whether what the flags tell of is found in the row, or in the first few of its pieces."""
    whole = fold(entities_read(" ".join(row)))
    if flags & (DISGUISED | FOREIGN) and reaches_over_blanks(whole):
        return True
    if flags & FOREIGN and may_be_told_without_marks(whole):
        return True
    if flags & OPEN and ">" in whole and (flags & REACHES or whole.count("<") > 2):
        return True  # a tag may end in another piece than it begins in
    if flags & LET and "'" in whole and _LET_US.search(whole.translate(UNMARKED)):
        return True
    if not flags & (FRAMED | SPACED | CIPHERED):
        return False
    texts = [fold(entities_read(" ".join(row[:end]))) for end in range(2, len(row) + 1)]
    if flags & CIPHERED and any(are_ciphered(set(plain_folded(text).split())) for text in texts):
        return True
    return frame_in(whole) is not None or any(map(looks_spaced, texts))


def _may_set(folded: str) -> bool:
    """Whether a piece may turn off a safeguard, also without marks or tags, or beside others."""
    texts = (folded, without_elements(folded)) if "<" in folded else (folded,)
    return any(_SETS.search(text.translate(UNMARKED)) for text in texts)
