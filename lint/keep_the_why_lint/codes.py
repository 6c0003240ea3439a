"""Every code there is and what it means, and what a list of codes stands for. Judges no file."""

import difflib
from collections.abc import Iterable

from keep_the_why_lint.registry import ALL_RULES
from ktw.errors import UsageError, visible

# What `ktw.text.directives` finds by pattern, outside its tables of rules.
_BY_PATTERN = {"D705": "fetches something and runs it, or destroys by shell"}


def meanings() -> list[tuple[str, str]]:
    """What the detectors say of each code of a family (D, F, H), sorted."""
    # Their patterns take 0.2 s to compile: only who asks for a family pays for them.
    from ktw.text import characters, directives, spellings
    from ktw.text.directives import frames

    pairs = [(rule.code, rule.why) for rule in directives.RULES]
    pairs += [(frame.code, frame.why) for frame in frames.FRAMES]
    pairs += [*characters.WHY.items(), *spellings.WHY.items(), *_BY_PATTERN.items()]
    return sorted(set(pairs))


def known_codes() -> list[str]:
    """Every code that a finding can carry, sorted."""
    single = {rule.code for rule in ALL_RULES if len(rule.code) > 1}
    return sorted(single.union(code for code, _ in meanings()))


def is_known(prefix: str) -> bool:
    """Whether any code starts so."""
    if not prefix or any(rule.code.startswith(prefix) for rule in ALL_RULES):
        return bool(prefix)
    return any(code.startswith(prefix) for code, _ in meanings())


def nearest(prefix: str) -> str:
    """The known code that is spelt most like `prefix`, of the same family where there is one."""
    known = known_codes()
    family = [code for code in known if code[0] == prefix[:1]]
    return difflib.get_close_matches(prefix[:8], family or known, 1, 0.0)[0]


def parse_codes(given: Iterable[str]) -> tuple[str, ...]:
    """The codes and prefixes of comma-separated lists, in capitals; raises UsageError."""
    parts = (part.strip().upper() for text in given for part in text.split(","))
    codes = tuple(dict.fromkeys(part for part in parts if part))
    for code in codes:
        if not is_known(code):
            raise UsageError(
                f"there is no code '{visible(code, 40)}'",
                f"The nearest is {nearest(code)}; --rules lists all.",
            )
    return codes
