"""Upstream's linter and ours over one project: where they agree, and where they differ on purpose.

Nothing of upstream is imported: a driver process, run by the interpreter beside its executable,
answers with what the command prints.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from keep_the_why_lint.runner import Report, lint_project
from lint_projects import Made, lay, tree_of
from upstream_differences import DIFFERENCES, OF_A_MEMBER

DRIVER = Path(__file__).resolve().parent / "upstream_driver.py"
OUR_CODES_TOO = re.compile(r"E0(0[1-9]|1[0-6])|E1(0[1-9]|1[0-9]|2[01])|E20[1-6]|E30[12]|W[0-3]0.")

_LINE = re.compile(r"(?P<path>.*?)(?::(?P<line>[0-9]+))?: \[(?P<code>[EW][0-9]{3})\] ")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


class Place(NamedTuple):
    """A finding as both linters can be compared by: its code, its file and its line."""

    code: str
    path: str
    line: int


class Upstream:
    """A process that answers for upstream's linter."""

    def __init__(self, executable: str) -> None:
        python = next(Path(executable).parent.glob("python3*"))
        env = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
        env.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [python, str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env | {"PYTHONUTF8": "1"},
            text=True,
        )

    def places(self, root: Path) -> set[Place] | None:
        """What it finds in the project at `root`; None where it falls."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(str(root)) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if answer["error"]:
            return None
        *lines, summary = answer["out"].split("\n")[:-1]
        assert summary.startswith("ktw-lint "), answer
        matches = [match for line in lines if (match := _LINE.match(line))]
        assert len(matches) == len(lines), lines
        return {Place(match["code"], match["path"], int(match["line"] or 0)) for match in matches}

    def close(self) -> None:
        self._process.communicate()


def our_places(report: Report) -> set[Place]:
    """What we find under upstream's codes; a path is escaped as upstream does it."""
    return {
        Place(found.code, _CONTROL.sub(_escape, found.path), found.line)
        for found in report.findings
        if OUR_CODES_TOO.fullmatch(found.code)
    }


def _escape(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]):02x}"


Pair = tuple[set[Place], set[Place]]
Difference = tuple[str, Place]  # which linter alone reports it, "theirs" or "ours", and where


class Comparison(NamedTuple):
    """What one project gave: the findings of both, and the reason for each other one.

    A reason is the name of a known difference, "" where there is none.
    """

    both: set[Place]
    differences: Mapping[Difference, str]
    fell: bool = False

    @property
    def unexplained(self) -> list[Difference]:
        return sorted(found for found, reason in self.differences.items() if not reason)


class Comparer:
    """Compares projects given as trees; explains a difference by writing the tree differently."""

    def __init__(self, executable: str, scratch: Path) -> None:
        self._upstream, self._scratch, self._count = Upstream(executable), scratch, 0

    def compare(self, made: Made) -> Comparison:
        """Both linters over a project, and a reason for each finding that only one has."""
        return self._compared(self._laid(made), made)

    def compare_at(self, place: Path, name: str) -> Comparison:
        """The same for a project that stands in `place` under `name`, as it is on the disk."""
        return self._compared(self._places(place / name), Made(tree_of(place), name))

    def _compared(self, found: Pair | None, made: Made) -> Comparison:
        if found is None:
            return Comparison(set(), {}, fell=True)
        theirs, ours = found
        return Comparison(theirs & ours, self._explained(made, _differences(theirs, ours)))

    def _explained(self, made: Made, first: set[Difference]) -> Mapping[Difference, str]:
        """Write one construct after another as both read it, until no difference is left.

        What vanishes on the way is due to that construct; what is left at the end has no reason.
        """
        of_members = {found for found in first if found[1].path.startswith("../")}
        reasons = dict.fromkeys(first, "") | dict.fromkeys(of_members, OF_A_MEMBER.name)
        tree, left = made.tree, first - of_members
        for known in DIFFERENCES:
            rewritten = known.rewrite(tree) if left else tree
            if rewritten != tree:
                tree = rewritten
                found = self._laid(Made(tree, made.root))
                now = _differences(*found) - of_members if found else left
                for gone in first & left - now:
                    if gone[0] == "ours" or not known.ours_alone:
                        reasons[gone] = reasons[gone] or known.name
                left = now
        return reasons | dict.fromkeys(left, "")

    def _laid(self, made: Made) -> Pair | None:
        self._count += 1
        place = self._scratch / str(self._count)
        place.mkdir()
        try:
            return self._places(lay(made, place))
        finally:
            shutil.rmtree(place)

    def _places(self, root: Path) -> Pair | None:
        """What each finds, theirs first; None where upstream's linter falls."""
        if not root.is_dir():
            return set(), set()
        theirs, ours = self._upstream.places(root), our_places(lint_project(root))
        return None if theirs is None else (theirs, ours)

    def close(self) -> None:
        self._upstream.close()


def _differences(theirs: set[Place], ours: set[Place]) -> set[Difference]:
    return {("theirs", place) for place in theirs - ours} | {
        ("ours", place) for place in ours - theirs
    }
