"""Which files of a repository decide over trust or review, by name alone. It opens none of them."""

import re
from collections.abc import Iterator
from posixpath import basename, dirname, relpath

CODEOWNERS = (
    ".github/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
)
BASELINE = ".keep-the-why-baseline.json"
ATTRIBUTES = ".gitattributes"
APPROVALS = ".approvals"

_INSTRUCTIONS = frozenset(
    {"agents.md", "claude.md", "gemini.md", "skill.md", "copilot-instructions.md", ".cursorrules"}
)
_SETTINGS = frozenset(
    {".claude", ".codex", ".cursor", ".gemini", ".opencode", ".windsurf", ".windsurfrules"}
    | {".clinerules", ".mcp.json", "opencode.json", "opencode.jsonc"}
)
_GUARDS = frozenset({"readme.md", "agents.md", "claude.md"})
_SIGNERS = re.compile(r"\.?allowed[_-]?signers(\..*)?", re.IGNORECASE)
_CHECKS = re.compile(
    r"\.(?:github|gitlab|gitea|forgejo|circleci|woodpecker|buildkite|ci)/.*|ci/.*|\.gitlab-ci\.ya?ml|azure-pipelines\.ya?ml"
    r"|\.pre-commit-(?:config|hooks)\.yaml|action\.ya?ml|Jenkinsfile|Makefile|tox\.ini|noxfile\.py"
)


def is_codeowners(path: str) -> bool:
    return path in CODEOWNERS


def is_signers(path: str) -> bool:
    """True for an allowed-signers file, and for what signatures are kept in."""
    return bool(_SIGNERS.fullmatch(basename(path))) or APPROVALS in path.split("/")[:-1]


def is_check(path: str) -> bool:
    """True where a repository says which checks run, if it says so there at all."""
    return bool(_CHECKS.fullmatch(path))


def is_attributes(path: str) -> bool:
    return basename(path) == ATTRIBUTES


def is_instructions(path: str) -> bool:
    """True for what agents are told to read before anything else."""
    return basename(path).casefold() in _INSTRUCTIONS


def is_agent_settings(path: str) -> bool:
    """True for what configures an agent: its hooks, its tools, its rules."""
    return not _SETTINGS.isdisjoint(path.split("/"))


def is_guard(path: str, context: str) -> bool:
    """True for the files of the context directory that say how to read it."""
    return dirname(path) == context and basename(path).casefold() in _GUARDS


def is_config(path: str) -> bool:
    return basename(path) in (".keep-the-why", BASELINE)


def is_watched(path: str, prefix: str) -> bool:
    """True where a change of the file counts for the project at `prefix` ("" for the top)."""
    if is_codeowners(path) or is_signers(path) or is_check(path):
        return True
    if not (
        is_attributes(path) or is_instructions(path) or is_config(path) or is_agent_settings(path)
    ):
        return False
    place = dirname(path)
    return is_below(place, prefix) or any(is_below(prefix, above) for above in _and_above(place))


def _and_above(place: str) -> Iterator[str]:
    """A directory that holds agents' settings belongs to the one it stands in."""
    yield place
    parts = place.split("/")
    for at, part in enumerate(parts):
        if part in _SETTINGS:
            yield "/".join(parts[:at])


def is_below(path: str, directory: str) -> bool:
    """True for `directory` itself and what lies in it; "" is the top."""
    return not directory or path == directory or path.startswith(f"{directory}/")


def from_project(path: str, prefix: str) -> str:
    """A path from the top as a finding of the project at `prefix` names it (`../` above it)."""
    return relpath(path, prefix) if prefix else path
