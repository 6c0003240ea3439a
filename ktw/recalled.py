"""What was recalled since the last commit, in a small file that a hook of git reads.

In the git directory, written where the hook is wanted, harmless if lost. The hook is a few lines of
shell that run git alone: nothing of a repository is executed by it.
"""

from collections.abc import Iterable
from pathlib import Path

from ktw.derived import read_own, write_derived
from ktw.memory import is_uuid

SETTING = "ktw.memoryUsed"
HOOK_NAME = "prepare-commit-msg"
SCRIPT_NAME = "memory-used.sh"
NO_COMMIT = "-"
_FILE_NAME = "recalled"
_MOST = 20

# An own message counts, not one that git made of other commits or takes from the last one.
SCRIPT = f"""#!/bin/sh
# Written by ktw. Names the memories that were recalled since the last commit, as Memory-Used
# trailers of its message. Reads one file of the git directory and runs git, nothing else.
case "$2" in merge | squash | commit) exit 0 ;; esac
for state in CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
  [ ! -e "$(git rev-parse --git-path "$state")" ] || exit 0
done
list=$(git rev-parse --git-path ktw/{_FILE_NAME})
[ -f "$list" ] || exit 0
! grep -q '^This reverts commit ' "$1" || exit 0
head=$(git rev-parse --quiet --verify HEAD || echo {NO_COMMIT})
first=yes
while read -r line; do
  if [ "$first" = yes ]; then
    [ "$line" = "$head" ] || exit 0
    first=no
    continue
  fi
  case "$line" in "" | *[!0-9a-f-]*) continue ;; esac
  git interpret-trailers --in-place --no-divider --if-exists addIfDifferent \\
    --trailer "Memory-Used: $line" "$1" || exit 0
done <"$list"
exit 0
"""
HOOK_LINE = f"""sh "$(git rev-parse --git-common-dir)/ktw/{SCRIPT_NAME}" "$@" || :"""
HOOK = f"#!/bin/sh\n# Written by `ktw init --memory-used-hook`.\n{HOOK_LINE}\n"


def record(git_dir: Path, head: str, addresses: Iterable[str]) -> None:
    """Add memories (those with an Id) to what was recalled while `head` was the last commit."""
    path = git_dir / "ktw" / _FILE_NAME
    new = [address for address in addresses if is_uuid(address)]
    known = (read_own(path) or b"").decode("ascii", "replace").split()
    same = known[1:] if known[:1] == [head] else []
    kept = list(dict.fromkeys([*same, *new]))[-_MOST:]
    if kept != same:
        write_derived(path, "\n".join([head, *kept, ""]).encode())
