"""The agents whose settings ktw writes, one row each. An explicit table."""

from collections.abc import Mapping

from ktw.errors import UsageError, visible
from ktw.wiring import claude_code, codex, cursor, gemini, opencode, vscode, windsurf
from ktw.wiring.places import Wiring

WIRINGS: Mapping[str, Wiring] = {
    module.WIRING.agent: module.WIRING
    for module in (claude_code, codex, cursor, gemini, opencode, vscode, windsurf)
}
ALL = "all"


def named_wirings(names: str) -> tuple[Wiring, ...]:
    """The wirings of names parted by commas, or of `all`, each once; raises UsageError."""
    asked = [name.strip() for name in names.split(",") if name.strip()]
    known = ", ".join((*WIRINGS, ALL))
    if not asked:
        raise UsageError("no agent is named", f"Known are: {known}")
    unknown = next((name for name in asked if name not in (*WIRINGS, ALL)), None)
    if unknown is not None:
        raise UsageError(f"there is no agent {visible(unknown)}", f"Known are: {known}")
    chosen = WIRINGS if ALL in asked else dict.fromkeys(asked)
    return tuple(WIRINGS[name] for name in chosen)
