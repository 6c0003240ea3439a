"""A shell command taken apart as far as is cheap and exact: its steps, and what each may open.

Text alone: no shell is asked, and whatever a command works out while it runs is not seen. Linear in
the command, and bounded.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LONGEST, _MOST_STEPS, _MOST_WORDS, _MOST_BRACED = 20_000, 200, 400, 64
_QUOTED = r"""'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)|\\."""
_PARTS = re.compile(rf"((?:{_QUOTED}|[^\s'\"\\;|&])+)|([;|&\n]+)", re.DOTALL)
_APART = re.compile(r"[\s'\"`;|&<>(){}=,:]+")
_QUOTING = re.compile(r"['\"\\]")
_BRACES = re.compile(r"\{([^{}]*)\}")
_REDIRECTED = re.compile(r"([<>])[<>|&]*(.*)", re.DOTALL)
_ASSIGNED = re.compile(r"\w+=")
_BEFORE = frozenset({"sudo", "env", "time", "nice", "nohup", "command", "exec", "builtin"})
_BEFORE |= frozenset({"then", "do", "else", "if", "while", "until", "!"})
# What hands words on to a program that may open files of these names.
_HANDS_ON = re.compile(r"\$\(|`|<\(|\bxargs\b|\bparallel\b|\bread\b")
_SEARCHING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "tree"})
_DEEP = frozenset({"rg", "ag", "ack", "find", "fd", "tree"})
_DEEPER = re.compile(r"-[A-Za-z]*[rR][A-Za-z]*|--recursive|--dereference-recursive")
_PATTERN_FIRST = _SEARCHING - {"find", "tree"}
_PATTERN_NAMED = re.compile(r"-[A-Za-z]*[ef]|--regexp\b.*|--file\b.*|--files")
_WITH_VALUE = frozenset({"-A", "-B", "-C", "-m", "-t", "-T", "-g", "-d", "-E"})
_CHANGING = frozenset({"rm", "mv", "cp", "tee", "truncate", "dd", "patch", "ed", "install"})
_INTO_LAST = frozenset({"cp", "install"})
_IN_PLACE = frozenset({"sed", "perl"})
_GIT_CHANGING = frozenset({"checkout", "restore", "rm", "mv", "stash", "reset", "apply"})
_GIT_PRINTING = frozenset({"show", "diff", "difftool", "format-patch", "whatchanged"})
_GIT_PATCH = re.compile(r"-p|-u|--patch\b.*|--unified\b.*|-[UL].+")
_GIT_SUMMARY = re.compile(r"--(?:stat|numstat|shortstat|dirstat|name-only|name-status|quiet)\b.*")
_GIT_SILENT = frozenset(
    "add commit status push pull fetch branch tag switch init remote config merge rebase rev-parse "
    "log shortlog reflog describe worktree".split()
)
# What names files and prints none of what stands in them.
_SILENT = frozenset(
    "echo printf true false : cd pushd popd mkdir rmdir touch test [ [[ stat chmod chown basename "
    "dirname realpath readlink which export kubectl helm npm yarn pnpm make gh ktw "
    "keep-the-why-lint".split()
)
_SILENT_PAIRS = frozenset(
    [
        *(("docker", "build"), ("docker", "buildx"), ("docker", "compose"), ("podman", "build")),
        *(("-m", "ktw"), ("-m", "keep_the_why_lint"), ("run", "ktw"), ("checkout", "-b")),
    ]
)


class Step(NamedTuple):
    """One command of a pipe or list: `program` by its bare name, `parts` as the shell parts them
    (the program left out, quotes kept)."""

    program: str
    parts: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """All that may be a path: parts taken apart further, quoted pieces put together, braces
        spelled out; what a search looks for left out."""
        parts = [each for part in self._opened() for each in _spelled(part)]
        text = " ".join(parts)
        joined = _QUOTING.sub("", text)
        texts = (text,) if joined == text else (text, joined)
        found = (word for each in texts for word in _APART.split(each) if word)
        return list(dict.fromkeys(found))[:_MOST_WORDS]

    @property
    def searches(self) -> bool:
        return self.program in _SEARCHING or self.git == "grep"

    @property
    def goes_deep(self) -> bool:
        """True for what looks through, or prints, all below the place where it begins."""
        if self.program in _DEEP or self.git == "grep" or self._prints_changes:
            return True
        return self.program in _SEARCHING and any(map(_DEEPER.fullmatch, self.parts))

    @property
    def is_silent(self) -> bool:
        """True where nothing that stands in a named file is printed or changed."""
        pairs = zip((self.program, *self.parts), self.parts, strict=False)
        if self.program in _SILENT or any(pair in _SILENT_PAIRS for pair in pairs):
            return True
        if self.git in _GIT_PRINTING:
            return not self._prints_changes
        return self.git in _GIT_SILENT and not self._prints_changes

    @property
    def git(self) -> str:
        """What git is told to do, "" for another program."""
        if self.program != "git":
            return ""
        before = ""
        for part in self.parts:
            if not part.startswith("-") and before not in ("-C", "-c"):
                return part
            before = part
        return ""

    @property
    def moves(self) -> bool:
        return self.program in ("cd", "pushd")

    @property
    def read_or_written(self) -> list[str]:
        """The files that the shell opens for it."""
        return [name for _, name in self._redirected()]

    @property
    def changed(self) -> list[str]:
        """The files that it may change, as far as it names them."""
        written = [name for sign, name in self._redirected() if sign == ">"]
        if self.program in _INTO_LAST:
            return [*written, *self.parts[-1:]]
        in_place = any(part.startswith("-i") for part in self.parts)
        if self.program in _CHANGING or self.git in _GIT_CHANGING:
            return [*written, *self.words]
        return [*written, *self.words] if self.program in _IN_PLACE and in_place else written

    @property
    def _prints_changes(self) -> bool:
        patches = any(map(_GIT_PATCH.fullmatch, self.parts))
        if self.git in _GIT_PRINTING:
            return patches or not any(map(_GIT_SUMMARY.fullmatch, self.parts))
        return self.git in ("log", "reflog", "stash") and patches

    def _opened(self) -> Sequence[str]:
        """The parts without the pattern of a search."""
        if self.program not in _PATTERN_FIRST and self.git != "grep":
            return self.parts
        if any(map(_PATTERN_NAMED.fullmatch, self.parts)):
            return self.parts
        before = ""
        for at, part in enumerate(self.parts):
            is_git = self.git == "grep" and part == "grep"
            if not part.startswith("-") and before not in _WITH_VALUE and not is_git:
                return (*self.parts[:at], *self.parts[at + 1 :])
            before = part
        return self.parts

    def _redirected(self) -> Iterator[tuple[str, str]]:
        after = ""
        for part in self.parts:
            if after:
                yield after, part
                after = ""
            elif part[0] not in "'\"" and (found := _REDIRECTED.search(part)):
                sign, name = found.groups()
                after = "" if name else sign
                if name:
                    yield sign, name


def steps(command: str) -> list[Step]:
    """The steps of a command, in order."""
    found: list[list[str]] = [[]]
    for part, end in _PARTS.findall(command[:_LONGEST]):
        if end:
            found.append([])
        else:
            found[-1].append(part)
    return [_step(parts) for parts in found[:_MOST_STEPS] if parts]


def hands_on(command: str) -> bool:
    """True where what one step names or prints may be opened by another one."""
    return _HANDS_ON.search(command) is not None


def _step(parts: Sequence[str]) -> Step:
    at = 0
    while at < len(parts) and (parts[at] in _BEFORE or _ASSIGNED.match(parts[at])):
        at += 1
    if at == len(parts):
        return Step("", tuple(parts))
    name, redirected = _without_redirection(_QUOTING.sub("", parts[at]).lstrip("({$!"))
    return Step(name.rpartition("/")[2], (*parts[:at], *redirected, *parts[at + 1 :]))


def _without_redirection(program: str) -> tuple[str, list[str]]:
    """A program apart from a redirection that follows it without a blank."""
    found = _REDIRECTED.search(program)
    return (program[: found.start()], [found[0]]) if found else (program, [])


def _spelled(part: str) -> Iterator[str]:
    """What a shell makes of braces with a comma in them; at most so many words."""
    todo, made = [part], 1
    while todo:
        each = todo.pop()
        choice = next((at for at in _BRACES.finditer(each) if "," in at[1]), None)
        if choice is None or made >= _MOST_BRACED:
            yield each
            continue
        ends = choice[1].split(",")[:_MOST_BRACED]
        made += len(ends)
        todo += [f"{each[: choice.start()]}{end}{each[choice.end() :]}" for end in ends]
