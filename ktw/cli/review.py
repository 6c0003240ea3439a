"""The command `review`: one sitting for everything that waits, one key a memory, one hash for all.

What a key means is decided by `sitting`; here it is read, and what it is about is shown.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

import click

from ktw.cli import common
from ktw.cli.branches import branch_for
from ktw.cli.under_review import Line, difference_lines, fitted, heading_lines, text_lines
from ktw.errors import EXIT_OK, Refused
from ktw.fields import day_or_time_fault
from ktw.memory import CLAIM_FIELDS, KINDS, ORIGINS, MemoryFile, is_uuid
from ktw.operations import approving, queue
from ktw.operations.candidate import TYPED_DIGITS
from ktw.operations.deciding import carry_out
from ktw.operations.editor import editor
from ktw.operations.sitting import Sitting
from ktw.store import Project
from ktw.text.escape import escape_line
from ktw.withholding import shown_words

_KEYS = "a approve   s skip   e edit   r reject   u undo   q stop here   ? help"
_HELP = (
    "a  approve these words (nothing is written before you typed the hash in the end);",
    "   with findings it asks for f as well",
    "s  leave it in the queue",
    "e  open it in your editor, then look at it again",
    "r  reject these words: their hash goes into the list of revoked ones",
    "u  go back to the one before, and decide on it anew",
    "q  stop here: decide on the rest another time",
)
_SPARE_ROWS = 2  # the line that asks, and one before it


@click.command("review", short_help="Approve or reject, in one sitting, what waits for a person.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Only memories of this origin.")
@click.option("--kind", type=click.Choice(KINDS), help="Only memories of this kind.")
@click.option("--since", metavar="DATE", help="Only memories created since then.")
@click.option("--source", metavar="TEXT", help="Only memories whose source holds this text.")
@click.option("--all-mine", is_flag=True, help="Only what a person wrote or said: origin owner.")
@click.option("--riskiest", is_flag=True, help="What directs and what came from afar first.")
@click.option("--branch", metavar="NAME", help="Make this branch first and commit there.")
@common.json_option
def review_command(
    origin: str | None,
    kind: str | None,
    since: str | None,
    source: str | None,
    all_mine: bool,
    riskiest: bool,
    branch: str | None,
    as_json: bool,
) -> int | None:
    """Go through every memory that waits for a person: unapproved, lapsed, not confirmed.

    Each is shown whole, with what is wrong with it, who wrote it from what, and how it differs from
    the words approved before. One key decides; in the end you type the start of one hash, and one
    commit holds all of it. --json lists the queue and approves nothing.
    """
    filters = queue.Filters(origin, kind, since and queue.since(since), source, all_mine)
    project = common.project_here()
    if as_json:
        waiting = queue.queue(project, filters, riskiest)
        common.say_json({"waiting": [_data(one) for one in waiting]})
        return EXIT_OK
    approving.refuse_without_person(common.person(), common.agent())
    approving.check_possible(project)
    hold_sitting(project, queue.queue(project, filters, riskiest), branch)
    return EXIT_OK


def hold_sitting(project: Project, waiting: list[queue.Waiting], branch: str | None) -> None:
    """Decide on all of these with the person at the terminal, and carry it out."""
    sitting = Sitting(waiting)
    if not sitting.waiting:
        click.echo("Nothing waits for you.")
        return
    _decide_all(sitting)
    if not sitting.decides:
        click.echo("Nothing was decided, nothing was written.")
        return
    _confirm(sitting)
    with branch_for(project, sitting.digest, branch):
        common.say_signing(approving.needs_signature(project))
        approved = [waiting.candidate for waiting in sitting.chosen("approve")]
        rejected = [waiting.candidate for waiting in sitting.chosen("reject")]
        _print_outcome(carry_out(project, approved, rejected, common.now(), person=True))


def _data(waiting: queue.Waiting) -> dict[str, object]:
    """One waiting memory for other front ends: never a word its author chose outside a frame."""
    file = waiting.file
    return {
        "path": shown_words(file.path, "name"),
        "ids": [id_.lower() for id_ in file.ids if is_uuid(id_.lower())],
        "verdict": waiting.verdict.name,
        "reasons": [shown_words(reason, "reason") for reason in waiting.verdict.reasons],
        "kind": file.kind if file.kind in KINDS else None,
        "origin": file.origin if file.origin in ORIGINS else None,
        "created_at": None if day_or_time_fault(file.created_at or "") else file.created_at,
        "content_hash": file.computed_hash,
        "findings": sorted({finding.code for finding in waiting.candidate.findings}),
        "obstacle": waiting.obstacle_outside,
    }


# --- deciding --------------------------------------------------------------------------------


def _decide_all(sitting: Sitting) -> None:
    """Show one memory after the other until the end, or until the person stops."""
    while (waiting := sitting.at) is not None:
        _show(sitting, waiting)
        if not _decide(sitting, waiting):
            break
    click.echo()


def _decide(sitting: Sitting, waiting: queue.Waiting) -> bool:
    """Read keys until one decides; False where the person stops here."""
    keys: Mapping[str, Callable[[], bool | str]] = {
        "a": lambda: _approve(sitting, waiting),
        "s": lambda: sitting.decide("skip"),
        "r": lambda: sitting.decide("reject"),
        "e": lambda: _edit(sitting, waiting),
        "u": lambda: _undo(sitting),
        "?": _help,
    }
    common.say(_KEYS, "cyan")
    key = _key()
    while key != "q":
        done = keys[key]() if key in keys else False
        if done is True:
            return True
        key = done or _key()
    return False


def _help() -> bool:
    for line in _HELP:
        click.echo(f"  {line}")
    return False


def _undo(sitting: Sitting) -> bool:
    if sitting.undo():
        return True
    click.echo("This is the first one.")
    return False


def _approve(sitting: Sitting, waiting: queue.Waiting) -> bool | str:
    """Approve, unless something stands against it; findings take a key of their own, and another
    one, which is given back, does what it always does."""
    if waiting.obstacle is not None:
        common.say(f"It cannot be approved as it is: {escape_line(waiting.obstacle)}", "red")
        return False
    codes = sorted({finding.code for finding in waiting.grave})
    if codes:
        common.say(f"It has findings ({', '.join(codes)}). f approves it with them.", "yellow")
        key = _key()
        if key != "f":
            click.echo("Not approved.")
            return key
    return sitting.decide("approve")


def _edit(sitting: Sitting, waiting: queue.Waiting) -> bool:
    path = waiting.project.context / waiting.name
    try:
        wanted = editor(waiting.project.repository, os.environ)
        click.edit(filename=str(path), editor=wanted, require_save=False)
    except click.ClickException as error:
        common.say(escape_line(error.message), "red")
    sitting.replace(queue.again(waiting))
    return True


def _key() -> str:
    """One key, in lower case; Ctrl-C and Ctrl-D stop the command."""
    try:
        return click.getchar().lower()
    except (KeyboardInterrupt, EOFError):
        _stop()


def _stop() -> NoReturn:
    raise click.Abort


# --- showing ---------------------------------------------------------------------------------


def _show(sitting: Sitting, waiting: queue.Waiting) -> None:
    """The whole of it, a screen at a time: there is no deciding before its last line was shown."""
    at, of = len(sitting.choices) + 1, len(sitting.waiting)
    lines: list[Line] = [(f"\n=== {at} of {of} ===", "bold")]
    lines += heading_lines(waiting.candidate)
    lines += _background_lines(waiting)
    lines += text_lines(waiting.candidate)
    _page(lines)


def _page(lines: Iterable[Line]) -> None:
    size = shutil.get_terminal_size()
    room = max(size.lines - _SPARE_ROWS, 5)
    page: list[Line] = []
    for row in fitted(lines):
        if len(page) == room:
            common.say_lines(page)
            common.say("--- any key shows more ---", "cyan")
            _key()
            page = []
        page.append(row)
    common.say_lines(page)


def _background_lines(waiting: queue.Waiting) -> Iterable[Line]:
    known = queue.background(waiting)
    for touch in known.touches:
        by, subject = escape_line(touch.by), escape_line(touch.subject)
        yield f"  {touch.commit[:12]}  {touch.at[:10]}  {by}  {subject}", None
    if not known.touches:
        yield "  not committed yet", None
    if known.target_missing:
        yield "It proposes to replace a memory that is not here.", "red"
    if known.target is not None:
        title = f"against {escape_line(known.target.path)}, which it wants to replace"
        yield from difference_lines(title, known.target.body, waiting.file.body)
    if known.before is not None:
        yield from _since_approved(known, waiting.file)


def _since_approved(known: queue.Background, file: MemoryFile) -> Iterable[Line]:
    assert known.before is not None
    if known.only_renamed(file):
        told = "only the name changed" if known.before.path != file.path else "the claim is missing"
        yield f"Its words are those approved before; {told}.", "green"
        return
    title = "against the words approved before"
    yield from difference_lines(title, _comparable(known.before), _comparable(file))


def _comparable(file: MemoryFile) -> str:
    """The text without its claim: what an approval is bound to."""
    head = file.text.split("\n")[: file.body_line - 1]
    kept = [line for line in head if line.partition(":")[0].strip() not in CLAIM_FIELDS]
    return "\n".join([*kept, file.body])


# --- the end ---------------------------------------------------------------------------------


def _confirm(sitting: Sitting) -> None:
    """Name everything once more, and take the typed hash; raises Refused where none is typed."""
    for choice, told in (("approve", "approved"), ("reject", "rejected")):
        for waiting in sitting.chosen(choice):  # type: ignore[arg-type]
            hash_ = waiting.candidate.digest[:12]
            line = f"{told:<9} {hash_}  {escape_line(waiting.file.path)}"
            common.say_lines(fitted([(line, None)]))
    common.say(f"hash {sitting.digest}", "cyan", bold=True)
    while (typed := _typed()) and typed != sitting.key:
        common.say("Those are not the digits of the hash that was shown.", "yellow")
    if not typed:
        raise Refused("nothing was typed", "Nothing was approved and nothing was rejected.")


def _typed() -> str:
    answer: str = click.prompt(
        f"Type the first {TYPED_DIGITS} characters of the hash to do exactly this "
        "(Enter leaves everything)",
        default="",
        show_default=False,
    )
    return answer.strip().lower()


def _print_outcome(outcome: approving.Recorded) -> None:
    for path, verdict in outcome.verdicts:
        colour = "green" if verdict.approved else "yellow"
        common.say(f"{verdict.name:<12} {escape_line(path)}  {'; '.join(verdict.reasons)}", colour)
    if outcome.commit:
        click.echo(f"committed {outcome.commit[:12]}")
    common.say_notices(list(outcome.notes))
