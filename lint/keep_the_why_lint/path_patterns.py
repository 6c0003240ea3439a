"""Which paths a pattern of .gitattributes or CODEOWNERS may cover. Pure text, linear, no git.

It errs on the side of covering: what is spelt so that programs disagree counts as a match.
Sources: gitattributes(5), gitignore(5), and what GitHub and GitLab document of CODEOWNERS.
"""

import re
from collections.abc import Sequence

_LONGEST = 1_000
_CLASS = re.compile(r"\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]/])*\]")
_ESCAPED = re.compile(r"\\(.)")


def may_cover(pattern: str, paths: Sequence[str]) -> bool:
    """True where the pattern may match one of these paths, or a directory around one."""
    if len(pattern) > _LONGEST:
        return True
    plain = _ESCAPED.sub(_unescaped, _CLASS.sub("?", _unquoted(pattern))).casefold()
    segments = plain.strip("/").split("/")
    if "/" not in plain.rstrip("/"):
        segments.insert(0, "**")
    return any(_fits(segments, path.casefold().split("/")) for path in paths)


def _unquoted(pattern: str) -> str:
    """A pattern without the quotes that git allows around one; escapes in them read."""
    if not pattern.startswith('"'):
        return pattern
    inner = pattern.strip('"')
    try:
        return inner.encode("latin-1", "replace").decode("unicode_escape")
    except UnicodeDecodeError:
        return "*"


def _unescaped(match: re.Match[str]) -> str:
    return "?" if match[1] in "*?[" else match[1]


def _fits(segments: list[str], parts: list[str]) -> bool:
    """True where the segments use up the parts, or the directories that lead to them."""
    reached = {0}
    for segment in segments:
        if segment == "**":
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and _is(parts[at], segment)}
        if not reached:
            return False
    return True


def _is(part: str, segment: str) -> bool:
    """True where `*` (any run) and `?` (any character) make the segment this part.

    Only the last `*` is ever tried again, so it takes no more than one length times the other.
    """
    if "*" not in segment and "?" not in segment:
        return part == segment
    at = star = mark = 0
    seen = -1
    while at < len(part):
        if star < len(segment) and segment[star] == "*":
            seen, mark, star = star, at, star + 1
        elif star < len(segment) and segment[star] in ("?", part[at]):
            at, star = at + 1, star + 1
        elif seen >= 0:
            mark += 1
            at, star = mark, seen + 1
        else:
            return False
    return not segment[star:].strip("*")
