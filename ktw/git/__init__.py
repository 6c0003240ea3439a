"""The only room that talks to git: find a repository, ask it, and (elsewhere here) write to it.

Nothing read through it runs what a repository names: no hook, filter, pager, monitor or fetch.
GitPython is imported by `ktw.git.writing` alone, so a plain recall never pays for it.
"""

from ktw.git.objects import Objects, TreeEntry, blob_id, blob_ids, plain_blob_id
from ktw.git.opening import opening
from ktw.git.reflog import stood_at
from ktw.git.repository import (
    GitFailed,
    NoRepository,
    Repository,
    check_accepted,
    find_repository,
    merge_bases,
    run,
    small_text,
)
from ktw.git.settings import HeldSettings, Setting, begin_settings, read_settings

__all__ = [
    "GitFailed",
    "HeldSettings",
    "NoRepository",
    "Objects",
    "Repository",
    "Setting",
    "TreeEntry",
    "begin_settings",
    "blob_id",
    "blob_ids",
    "check_accepted",
    "find_repository",
    "merge_bases",
    "opening",
    "plain_blob_id",
    "read_settings",
    "run",
    "small_text",
    "stood_at",
]
