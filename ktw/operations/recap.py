"""A recap: the agent's own command, caged, says in a few words what a session was about.

What comes of it is a local note, unapproved data like any other. Never inside itself, never
without a proven cage; why there is none is kept for whoever asks.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ktw import turns
from ktw.boundaries import Unreadable
from ktw.cage import MARKER, PREFIX, Cage, Proof, cage_of, prove, run_caged
from ktw.child import Ended, detach
from ktw.errors import KtwError, visible
from ktw.git import read_settings
from ktw.notes import Note, write_note
from ktw.operations.recap_texts import OPENING, as_note, prompt, title
from ktw.owner_key import owner_place
from ktw.store import Project
from ktw.transcript import Transcript, count_lines, read_transcript
from ktw.turns import Outcome
from ktw.withholding import shown_words

# -P: what lies in the project is no module of ours.
_KTW = (sys.executable, "-P", "-m", "ktw")
MODEL, LEAST_LINES = "haiku", 20
_PATIENCE_S, _FINAL_PATIENCE_S = 90.0, 45.0
_SWITCH, _MODEL = r"^ktw\.recap$", re.compile(r"[A-Za-z0-9][\w.:/@\[\]-]{0,99}")
_MOST = 4096  # characters of a session's name or a transcript's path


@dataclass(frozen=True)
class Session:
    """Whose session it is, what the agent calls it, where it wrote it down; `final`: it is over."""

    agent: str
    name: str
    transcript: str
    final: bool = False


class _No(Exception):
    """There will be no recap: the reason, in a few words."""


def start(
    project: Project,
    agent: str,
    session: str,
    transcript: str,
    final: bool,
    env: Mapping[str, str],
    now: datetime | None = None,
) -> str:
    """Start a recap of a session in a process of its own, and do not wait; "" or why not.

    A short session costs no process; with `now`, nor does one that had a recap just now.
    """
    try:
        _check_outside(env)
        path, _ = _check_named(Session(agent, session, transcript, final))
        if count_lines(path, LEAST_LINES) < LEAST_LINES:
            return f"the session is short: fewer than {LEAST_LINES} lines"
        if now is not None and not final and turns.is_early(project.repository, session, now):
            return "this session had one less than ten minutes ago"
        options = [f"--agent={agent}", f"--session={session}", f"--transcript={transcript}"]
        options += ["--final"] if final else []
        detach([*_KTW, "recap", *options], project.root, env)
    except _No as no:
        return str(no)
    except KtwError as error:
        return error.what
    return ""


def recap(
    project: Project, session: Session, env: Mapping[str, str], now: datetime, model: str = MODEL
) -> Outcome:
    """Make the recap here and now; what became of it, which is kept too unless it is our own child.

    `now` is when the transcript is read: a note made from a later reading is never replaced.
    """
    agent = visible(session.agent, 40)
    try:
        _check_outside(env)
    except _No as no:
        return Outcome(now.isoformat(), agent, "none", str(no))
    try:
        result, why = _made(project, session, env, now, model), ""
    except _No as no:
        result, why = "none", str(no)
    except KtwError as error:
        result, why = "failed", error.what
    outcome = Outcome(now.isoformat(), agent, result, why)
    turns.tell(project.repository, outcome)
    return outcome


def _made(
    project: Project, session: Session, env: Mapping[str, str], now: datetime, model: str
) -> str:
    transcript, cage = _check_named(session)
    _check_wanted(project, model)
    said = _said(transcript)
    with turns.slot(_machine()) as free:
        if not free:
            raise _No(f"{turns.SLOTS} others are being made on this machine")
        wait = turns.take_turn(project.repository, session.name, session.final, now)
        if wait:
            raise _No(wait)
        proof = prove(cage, env, project.repository.toplevel, kept_proofs())
        if proof.why:
            raise _No(f"no cage: {proof.why}")
        body = _asked(cage, proof, session, said, env, model)
    note = Note(session.name, session.agent, now, title(now), body)
    if write_note(project, note) is None:
        raise _No("a newer note of this session is there")
    return "made"


def _asked(
    cage: Cage,
    proof: Proof,
    session: Session,
    said: Transcript,
    env: Mapping[str, str],
    model: str,
) -> str:
    patience = _FINAL_PATIENCE_S if session.final else _PATIENCE_S
    ended = run_caged(cage, proof, model, env, prompt(said.turns).encode(), patience)
    if ended.stopped or ended.status:
        raise KtwError(_failed(ended))
    body = as_note(ended.output)
    if not body:
        raise KtwError("the summariser said nothing")
    return body


def _failed(ended: Ended) -> str:
    if ended.stopped == "time":
        return "the summariser did not end in time and was ended"
    if ended.stopped:
        return "the summariser said too much and was ended"
    told = as_note(ended.complaint) or as_note(ended.output)
    quoted = shown_words(visible(told.partition("\n")[0], 120), "answer") if told else "nothing"
    return f"the summariser ended with status {ended.status} and said: {quoted}"


# --- never inside itself ---------------------------------------------------------------------


def _check_outside(env: Mapping[str, str]) -> None:
    """The marker, and where somebody took that away, descent."""
    if env.get(MARKER):
        raise _No("this is the summariser's own session, or recaps are off (KTW_RECAP)")
    if turns.descends(_machine()):
        raise _No("this process was started by a summariser")


def _check_named(session: Session) -> tuple[Path, Cage]:
    cage = cage_of(session.agent)
    if cage is None:
        raise _No(f"no cage can be proven for {visible(session.agent, 40)}")
    for text in (session.name, session.transcript):
        if not text or len(text) > _MOST or "\0" in text:
            raise _No("the agent did not name the session and its transcript")
    path = Path(session.transcript)
    if not path.is_absolute() or path.suffix != ".jsonl":
        raise _No("the agent named no transcript in its own form")
    if PREFIX in session.transcript:
        raise _No("the transcript is a summariser's own")
    return path, cage


def outcomes(project: Project) -> list[Outcome]:
    """What became of the last recaps, newest first; those of all sessions of this repository."""
    return turns.told(project.repository)


def is_off(project: Project) -> bool:
    """Whether this clone's configuration says `ktw.recap = false`; raises GitFailed."""
    return any(setting.value == "false" for setting in read_settings(project.repository, _SWITCH))


def _check_wanted(project: Project, model: str) -> None:
    if is_off(project):
        raise _No("recaps are off in this clone (git config ktw.recap)")
    if not _MODEL.fullmatch(model):
        raise _No("KTW_RECAP_MODEL names no model")


def _said(path: Path) -> Transcript:
    try:
        said = read_transcript(path, LEAST_LINES)
    except Unreadable as error:
        raise _No(f"the transcript was not read: {error.why}") from error
    if said.lines < LEAST_LINES or not said.turns:
        raise _No(f"the session is short: fewer than {LEAST_LINES} lines, or nothing was said")
    parts = (part for place in said.places for part in Path(place).parts)
    ours = any(part.startswith(PREFIX) for part in parts)
    if ours or any(turn.speaker == "user" and turn.text.startswith(OPENING) for turn in said.turns):
        raise _No("the transcript is a summariser's own")
    return said


def kept_proofs() -> Path:
    """Where it is kept what was proven of each program."""
    return _machine() / "cages.json"


def _machine() -> Path:
    place = owner_place("recap")
    if place is None:
        raise KtwError("this user has no home directory", "Recaps need one, to take turns.")
    return place
