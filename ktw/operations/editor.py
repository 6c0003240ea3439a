"""Which editor a person wants: the one that git would start. Starts none."""

from collections.abc import Mapping

from ktw.git import Repository, read_settings
from ktw.origins import in_work_tree


def editor(repository: Repository, env: Mapping[str, str]) -> str:
    """The command, in git's order: GIT_EDITOR, core.editor, VISUAL where the terminal is not dumb,
    EDITOR, vi (gitvar(1)). A setting in a file of a work tree does not count: whoever wrote that
    file would choose what runs.
    """
    stated = read_settings(repository, r"^core\.editor$")
    trusted = [one.value for one in stated if not in_work_tree(repository, one.origin)]
    visual = env.get("VISUAL") if env.get("TERM", "dumb") != "dumb" else ""
    asked = (env.get("GIT_EDITOR"), *trusted[-1:], visual, env.get("EDITOR"))
    return next((command for command in asked if command), "vi")
