"""The cage that an agent's own command can be held in: which options make it, and their proof.

A program counts as caged only where its own help lists each option that takes its tools away; what
it then does is for the isolation canary to show. Starts programs through `ktw.child` alone.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from ktw.child import Ended, run_child
from ktw.derived import read_own, write_derived
from ktw.errors import KtwError, visible

MARKER = "KTW_RECAP"  # set for the child and all that it starts
PREFIX = "ktw-recap-"  # of the directory that it runs in
_ASK_S, _HELP_BYTES, _MOST_KEPT = 20.0, 1 << 18, 20
_OPTION = re.compile(r"^ {1,8}(?:-\w, )?(--[a-z][\w-]*)((?:, --[a-z][\w-]*)*)", re.MULTILINE)
_KEPT = frozenset(
    "PATH HOME USER LOGNAME SHELL TMPDIR TEMP TMP TZ LANG LANGUAGE XDG_CONFIG_HOME XDG_DATA_HOME "
    "SYSTEMROOT USERPROFILE APPDATA LOCALAPPDATA COMSPEC PATHEXT "
    "HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy "
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR".split()
)


class Cage(NamedTuple):
    """How one agent's command is caged.

    `needed`: options its help must list, each with what its description must hold. `welcome`: more
    of the kind, the first of each group that is listed. `login`: variables that its login needs.
    """

    program: str
    answers: str
    needed: Mapping[str, str]
    closed: tuple[str, ...]
    welcome: tuple[tuple[tuple[str, ...], ...], ...]
    open: tuple[str, ...]
    login: frozenset[str]


class Proof(NamedTuple):
    """Whether a program can be caged. `why` says why not; `arguments` cage it, model left out."""

    program: str
    version: str
    arguments: tuple[str, ...]
    why: str = ""


# Options as `claude --help` of 2.1.332 describes them.
CAGES: Mapping[str, Cage] = {
    "claude-code": Cage(
        program="claude",
        answers="(Claude Code)",
        needed={
            "--print": "",
            "--model": "",
            "--tools": '""',
            "--strict-mcp-config": "--mcp-config",
            "--no-session-persistence": "",
        },
        closed=(
            "--print",
            "--tools",
            "",
            "--strict-mcp-config",
            "--no-session-persistence",
        ),
        welcome=(
            (("--safe-mode",), ("--setting-sources", "")),
            (("--disable-slash-commands",),),
        ),
        open=("--print", "--permission-mode", "acceptEdits", "--no-session-persistence"),
        login=frozenset(
            "CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN "
            "ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_USE_BEDROCK "
            "CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY AWS_PROFILE AWS_REGION "
            "AWS_BEARER_TOKEN_BEDROCK CLOUD_ML_REGION ANTHROPIC_VERTEX_PROJECT_ID "
            "GOOGLE_APPLICATION_CREDENTIALS".split()
        ),
    ),
}


def cage_of(agent: str) -> Cage | None:
    """The cage for an agent's command, None where none can be proven: every other agent's, as far
    as its documented options go (a read-only sandbox still reads, a policy file is no option)."""
    return CAGES.get(agent)


def environment(cage: Cage, env: Mapping[str, str]) -> dict[str, str]:
    """What of `env` the child gets: how to run, speak and log in, and the marker."""
    kept = {
        name: value
        for name, value in env.items()
        if name.upper() in _KEPT or name in _KEPT | cage.login or name.startswith("LC_")
    }
    return kept | {MARKER: "1"}


def prove(cage: Cage, env: Mapping[str, str], tree: Path, kept_at: Path | None = None) -> Proof:
    """Ask the program for its version and its help, unless it was asked and is the same file still.

    One that lies in the work tree `tree` is anybody's. `kept_at`: where answers are kept, by path,
    size and times of the program; None asks anew.
    """
    found = shutil.which(cage.program, path=env.get("PATH", ""))
    if found is None or not Path(found).is_absolute():
        return Proof("", "", (), f"{cage.program} is not on the PATH")
    if Path(found).resolve().is_relative_to(tree) or Path(found).is_relative_to(tree):
        return Proof(found, "", (), f"the {cage.program} on the PATH lies in this work tree")
    key = _key(found)
    row = _kept(kept_at).get(key)
    if row is not None and "leaks" in row:
        return Proof(found, row["version"], (), f"a canary saw it {row['leaks']} in its cage")
    if row is not None and row.get("asked") == _asked(cage):
        return Proof(found, row["version"], tuple(row["arguments"]), row["why"])
    proof = _ask(cage, found, environment(cage, env))
    _keep(kept_at, key, {**(row or {}), **proof._asdict(), "asked": _asked(cage)})
    return proof


def remember_canary(kept_at: Path | None, proof: Proof, leaks: str, now: datetime) -> None:
    """Keep what an isolation canary saw of that very program; `leaks`: what it did, "" nothing."""
    key = _key(proof.program)
    row = {**_kept(kept_at).get(key, {}), "version": proof.version, "seen": now.isoformat()}
    row.pop("leaks", None)
    _keep(kept_at, key, row | ({"leaks": leaks} if leaks else {}))


def canary_day(kept_at: Path | None, proof: Proof) -> str:
    """The day on which a canary last showed that the cage holds that very program; "" never."""
    return str(_kept(kept_at).get(_key(proof.program), {}).get("seen", ""))[:10]


def run_caged(
    cage: Cage, proof: Proof, model: str, env: Mapping[str, str], prompt: bytes, seconds: float
) -> Ended:
    """Run the program in its cage, in an empty directory that is gone afterwards."""
    if proof.why:
        raise KtwError(f"no cage: {proof.why}")
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as place:
        command = [proof.program, *proof.arguments, "--model", model]
        return run_child(command, Path(place), environment(cage, env), prompt, seconds)


# --- the proof -------------------------------------------------------------------------------


def _ask(cage: Cage, program: str, env: Mapping[str, str]) -> Proof:
    try:
        with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as place:
            version, help_ = (
                run_child([program, option], Path(place), env, b"", _ASK_S, _HELP_BYTES)
                for option in ("--version", "--help")
            )
    except KtwError as error:
        return Proof(program, "", (), error.what)
    named = re.match(rb"[0-9]+(?:\.[0-9]+){1,3}", version.output)
    text = help_.output.decode("utf-8", "replace")
    if version.status or not named or cage.answers.encode() not in version.output[:200]:
        return Proof(program, "", (), f"{visible(program)} does not say that it is {cage.program}")
    told, listed = named[0].decode(), _options(text)
    missing = [
        name
        for name, holds in cage.needed.items()
        if name not in listed or holds not in listed[name]
    ]
    if help_.status or help_.stopped or missing:
        lacks = ", ".join(missing) or "an end"
        return Proof(program, told, (), f"its help lacks {lacks} ({cage.program} {told})")
    return Proof(program, told, (*cage.closed, *_welcome(cage, listed)))


def _options(text: str) -> dict[str, str]:
    """Each option of a help text with its description; "--mcp-config" in another's is no option."""
    found = list(_OPTION.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)] * bool(found)
    return {
        name: text[match.end() : end]
        for match, end in zip(found, ends, strict=True)
        for name in (match[1], *match[2].split(", ")[1:])
    }


def _welcome(cage: Cage, listed: Mapping[str, str]) -> list[str]:
    groups = (next((one for one in group if one[0] in listed), ()) for group in cage.welcome)
    return [argument for group in groups for argument in group]


def _asked(cage: Cage) -> str:
    return json.dumps([cage.answers, sorted(cage.needed.items()), cage.closed, cage.welcome])


def _key(program: str) -> str:
    try:
        facts = Path(program).stat()
    except OSError:
        return program
    return f"{program} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns} {facts.st_ino}"


def _kept(place: Path | None) -> dict[str, dict[str, Any]]:
    try:
        rows = json.loads((read_own(place) if place else None) or b"{}")
        return rows if isinstance(rows, dict) else {}
    except (ValueError, RecursionError):
        return {}


def _keep(place: Path | None, key: str, row: Mapping[str, object]) -> None:
    if place is not None:
        rows: dict[str, object] = {**_kept(place)}
        rows.pop(key, None)
        rows = dict([*rows.items(), (key, row)][-_MOST_KEPT:])
        write_derived(place, json.dumps(rows).encode())
