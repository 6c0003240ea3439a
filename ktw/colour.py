"""Whether a stream is to show colours. It knows no colour and no text."""

from collections.abc import Mapping


def shows_colour(env: Mapping[str, str], is_terminal: bool) -> bool:
    """True at a terminal that can, unless NO_COLOR (https://no-color.org) forbids it; FORCE_COLOR
    other than 0 asks for it anywhere else too. Empty values count as none."""
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR"):
        return env["FORCE_COLOR"] != "0"
    return is_terminal and env.get("TERM") != "dumb"
