"""The errors a user can act on, and the one escape for values quoted in a message.

Knows nothing of any room above it. Findings are data and live elsewhere; bugs are not caught here.
"""

import unicodedata

EXIT_OK, EXIT_FINDINGS, EXIT_USAGE, EXIT_CANNOT, EXIT_BUG, EXIT_INTERRUPT = 0, 1, 2, 3, 4, 130

_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})


class KtwError(Exception):
    """What was asked cannot be done: `what` happened and what `todo` about it."""

    exit_code = EXIT_CANNOT

    def __init__(self, what: str, todo: str = "", exit_code: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.todo = todo
        if exit_code is not None:
            self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.what}\n{self.todo}" if self.todo else self.what


class UsageError(KtwError):
    """The command or the configuration is wrong (exit 2)."""

    exit_code = EXIT_USAGE


class Refused(KtwError):
    """ktw could, and will not: a secret, a near-duplicate, a person missing (exit 1)."""

    exit_code = EXIT_FINDINGS


def visible(text: str, limit: int = 200) -> str:
    """`text` on one line with every control, format and unassigned character escaped.

    So is every blank that is no space but looks like one. At most `limit` characters of the input
    are quoted, so a message stays a message.
    """
    quoted = text[:limit]
    plain = quoted.isascii() and quoted.isprintable()
    shown = quoted if plain else "".join(_escape(char) for char in quoted)
    return shown + "…" if len(text) > limit else shown


def _escape(char: str) -> str:
    if char.isascii() and char.isprintable():
        return char
    if unicodedata.category(char) not in _ESCAPED_CATEGORIES:
        return char
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
