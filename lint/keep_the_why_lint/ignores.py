"""The `keep-the-why:lint` block of the config: which findings are ignored, where, and why.

Text in, data out. Whether an ignore matched anything is for `settling` to say.
"""

from collections.abc import Iterator
from itertools import islice

from keep_the_why_lint.codes import is_known, nearest
from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import quoted
from keep_the_why_lint.suppression import Ignore, IgnoreFault, Ignores, is_silenceable

KIND = "lint"
_CLOSING = f"<!-- /keep-the-why:{KIND} -->"
_MARK = "- ignore "
_LONGEST_LINE = 400
_MOST = 200


def ignores_of(project: Project) -> Ignores:
    """What a project's config says is ignored."""
    block = project.config.block(KIND) if project.config else None
    if block is None:
        return Ignores(project.path)
    text = project.text_of(project.path)
    lines = list(islice(_lines_of(text, block.line), _MOST + 1))
    read = [_read(line, number) for number, line in lines[:_MOST]]
    faults = [found for found in read if isinstance(found, IgnoreFault)]
    for number, _ in lines[_MOST:]:
        message = f"from here on nothing is ignored: {_MOST} lines are the most"
        faults.append(IgnoreFault(number, "malformed", message))
    kept = tuple(found for found in read if isinstance(found, Ignore))
    return Ignores(project.path, kept, tuple(faults))


def _lines_of(text: str, opening: int) -> Iterator[tuple[int, str]]:
    """The lines of the block that opens at line `opening`, blank ones left out."""
    for at, line in enumerate(text.split("\n")[opening:], start=opening + 1):
        plain = line.strip()
        if plain == _CLOSING:
            return
        if plain:
            yield at, plain


def _read(line: str, number: int) -> Ignore | IgnoreFault:
    head, _, reason = line.removeprefix(_MARK).partition(":")
    code, _, paths = (part.strip() for part in head.partition(" in "))
    if not line.startswith(_MARK) or not code or len(line) > _LONGEST_LINE:
        return IgnoreFault(number, "malformed", "the line is not '- ignore CODE: reason'")
    if not is_known(code):
        message = f"there is no code {quoted(code)}; the nearest is {nearest(code)}"
        return IgnoreFault(number, "malformed", message)
    if not is_silenceable(code):
        return IgnoreFault(number, "refused", f"findings of {code} cannot be ignored")
    if not any(char.isalnum() for char in reason):
        return IgnoreFault(number, "malformed", f"no reason is given for ignoring {code}")
    return Ignore(number, code, paths, reason.strip())
