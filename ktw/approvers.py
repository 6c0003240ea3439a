"""Who merged which memory file into the trust ref, from one `git log`, cached by commit.

A cached fact names the blob it speaks of and counts only while the trust ref still holds that
blob; the cache is derived data in the git directory and can be deleted.
"""

import json
from functools import cached_property
from pathlib import Path

from ktw.context_at import context_at
from ktw.derived import read_own, write_derived
from ktw.git import GitFailed, Objects, run, stood_at
from ktw.store import Project
from ktw.text.late import late
from ktw.trust import Approval

_SCHEMA = 2
_FORMAT = "%H%n%an <%ae>%n%aI"
_HEADER = late(r"([0-9a-f]{40,64})\n(.*)\n(\S+)\n?")
_RAW = late(r"\n?:[0-7]{6} [0-7]{6} [0-9a-f]+ ([0-9a-f]+) [A-Z][0-9]*")
_FARTHEST = 2000

_Known = dict[str, list[str]]


class Approvers:
    """Answers who brought the trust ref's present version of a file; asks git at most once."""

    def __init__(
        self, project: Project, objects: Objects, tip: str | None, ref: str | None = None
    ) -> None:
        self._project = project
        self._objects = objects
        self._tip = tip
        self._ref = ref
        self._directory = project.git_path(project.context_name)

    def of(self, path: str) -> Approval | None:
        """Author and time of the first-parent commit that brought the file as it stands there."""
        key = self._key(path)
        found = self._known.get(key) if key is not None else None
        return Approval(found[0], found[1]) if found else None

    def brought(self, commit: str, path: str) -> bool | None:
        """True where the trust ref brought the file as `commit` has it, and stood there.

        A first-parent commit must have brought it, and this clone must have seen the trust ref at
        such a state: of a branch that is merged by rebase, only the last commit was ever one. None
        where git cannot tell.
        """
        key = self._key(path, commit)
        known = self._known
        if key is None or not known:
            return None
        return False if key not in known else self._stood_with(commit, path, key) or None

    def _stood_with(self, commit: str, path: str, key: str) -> bool:
        places = self._places
        return commit in places or any(self._holds(place, path, key) for place in places)

    @cached_property
    def _places(self) -> tuple[str, ...]:
        return stood_at(self._project.repository, self._ref) if self._ref else ()

    def _holds(self, place: str, path: str, key: str) -> bool:
        """True where a commit held it as a memory: what lay there may have been something else."""
        try:
            home = context_at(self._objects, self._project, place)
            return home == self._project.context_name and self._key(path, place) == key
        except GitFailed:
            return False

    def _key(self, path: str, commit: str | None = None) -> str | None:
        commit = commit or self._tip
        if commit is None:
            return None
        directory, _, name = self._project.git_path(path).rpartition("/")
        entry = (self._objects.directory(commit, directory) or {}).get(name)
        return f"{entry.oid} {name}" if entry else None

    @cached_property
    def _known(self) -> _Known:
        """`<blob id> <name>` to [who, when]; the newest commit that brought a blob wins."""
        tip, known = self._read_cache()
        if tip == self._tip:
            return known
        try:
            known = known | self._log(tip) if tip and self._descends(tip) else self._log(None)
        except GitFailed:
            return {}
        self._write_cache(known)
        return known

    def _descends(self, since: str) -> bool:
        """True where the trust ref only moved on: `since` is on its line of first parents."""
        at = self._tip
        try:
            for _ in range(_FARTHEST):
                at = self._objects.first_parent(at) if at else None
                if at == since:
                    return True
        except GitFailed:
            pass
        return False

    def _log(self, since: str | None) -> _Known:
        assert self._tip is not None
        wanted = [self._tip] if since is None else [self._tip, f"^{since}"]
        arguments = ["log", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--no-renames"]
        arguments += ["--encoding=UTF-8", f"--format={_FORMAT}", *wanted]
        out = run(self._project.repository, *arguments, "--", f":(literal,top){self._directory}")
        return _parse_log(out.decode("utf-8", "surrogateescape"), f"{self._directory}/")

    @property
    def _cache_path(self) -> Path:
        return self._project.repository.git_dir / "ktw" / "approvers.json"

    def _read_cache(self) -> tuple[str | None, _Known]:
        try:
            cached = json.loads(read_own(self._cache_path) or b"")
            if cached["schema"] != [_SCHEMA, self._directory]:
                return None, {}
            known = {str(key): [str(who), str(when)] for key, (who, when) in cached["known"]}
            return str(cached["tip"]), known
        except (ValueError, LookupError, TypeError, RecursionError):
            return None, {}

    def _write_cache(self, known: _Known) -> None:
        rows = sorted(known.items())
        content = {"schema": [_SCHEMA, self._directory], "tip": self._tip, "known": rows}
        write_derived(self._cache_path, json.dumps(content).encode())


def _parse_log(out: str, directory: str) -> _Known:
    """What each commit brought, for the files that stand directly in `directory`.

    A path follows its own raw line, so no name and no author can pass for another commit.
    """
    known: _Known = {}
    who = when = ""
    fields = iter(out.split("\0"))
    for field in fields:
        if raw := _RAW.fullmatch(field):
            name = next(fields, "").removeprefix(directory)
            known.setdefault(f"{raw[1]} {name}", [who, when])
        elif header := _HEADER.fullmatch(field):
            who, when = header[2], header[3]
    return known
