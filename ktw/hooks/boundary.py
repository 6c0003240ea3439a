"""Where every failure of a hook ends: in silence for the agent, and as one line of the log.

What only a failure needs is imported when there is one: every hook comes by here.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself would cost 2 ms
if TYPE_CHECKING:
    from collections.abc import Callable


def safely(call: Callable[[], str], failed: Callable[[str], object]) -> str:
    """What `call` gives, or "" once `failed` was told of a failure in words without a value."""
    try:
        return call()
    except BaseException as error:  # noqa: BLE001 (the one boundary of this surface)
        try:
            failed(told(error))
        except Exception:  # noqa: BLE001 (what cannot be logged must not fail the session)
            pass
        return ""


def told(error: BaseException) -> str:
    """The kind of an error and where in ktw it came from; its own text may be private."""
    import traceback
    from pathlib import Path

    package = Path(__file__).parents[1]
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(package)
    ]
    if not ours:
        return type(error).__name__
    place = Path(ours[-1].filename).relative_to(package).as_posix()
    return f"{type(error).__name__} at ktw/{place}:{ours[-1].lineno}"
