"""The commands that write memories: remember, learn."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

import click

from ktw.cli import common
from ktw.errors import KtwError, UsageError
from ktw.memory import KINDS
from ktw.operations import writing
from ktw.store import Changed, Project
from ktw.text.escape import escape_line

_LOWER = click.Choice(("agent", "imported", "derived"))


def _shared(command: Callable[..., None]) -> Callable[..., None]:
    """The options of both commands."""
    options = (
        click.option("--topic", default="", help="What it is about; names the file."),
        click.option("--source", default="", help="Where the knowledge comes from: evidence."),
        click.option("--tag", "tags", multiple=True, help="A tag; may be given again."),
        click.option(
            "--derived-from", multiple=True, metavar="ID", help="An Id or URL it was made from."
        ),
        click.option(
            "--proposes", default="", metavar="ID", help="The memory it wants to replace."
        ),
        click.option(
            "--supersedes",
            default="",
            metavar="ID",
            help="The memory whose place it takes: a proposal, until a person approves that.",
        ),
        click.option("--origin", type=_LOWER, help="Lower the origin; it can never be raised."),
        click.option(
            "--evidence",
            type=click.Choice(("confirmed", "inferred", "unknown")),
            help="How well it is known (default: unknown; confirmed for a person).",
        ),
        click.option("--force", is_flag=True, help="Write it though a memory much like it exists."),
        common.json_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("remember", short_help="Keep a decision, workaround, incident, constraint or rule.")
@click.argument("title")
@click.option("--body", required=True, help="What and why; - reads standard input.")
@click.option("--kind", type=click.Choice(KINDS), default="decision", show_default=True)
@_shared
def remember_command(title: str, body: str, kind: str, **shared: Any) -> None:
    """Keep a memory with this TITLE as a new file in the context directory.

    Say what was decided and why, in your own words; a **Reason:** and a **Rejected alternative:**
    paragraph help. Nothing is committed.

    \b
    ktw remember "Wait for the snapshot" --kind decision --topic sync \\
        --body "The sync step waits. **Reason:** a replay over half a snapshot loses rows."
    """
    _write(title, common.read_input("body") if body == "-" else body, kind, **shared)


@click.command("learn", short_help="Keep a procedure after using it: a skill.")
@click.argument("title")
@click.option("--trigger", required=True, help="When it applies.")
@click.option("--step", "steps", multiple=True, required=True, help="A step; give one each.")
@click.option("--outcome", required=True, type=click.Choice(("success", "partial", "failure")))
@click.option("--lessons", default="", help="What to do better next time.")
@_shared
def learn_command(
    title: str, trigger: str, steps: Sequence[str], outcome: str, lessons: str, **shared: Any
) -> None:
    """Keep a procedure that was just carried out: when it applies, its steps, how it ended.

    \b
    ktw learn "Rotate the signing key" --trigger "the key expires in a month" \\
        --step "make the new key" --step "publish both" --outcome success
    """
    _write(title, writing.after_action(trigger, steps, outcome, lessons), "skill", **shared)


def _write(
    title: str,
    body: str,
    kind: str,
    topic: str,
    source: str,
    tags: Sequence[str],
    derived_from: Sequence[str],
    proposes: str,
    supersedes: str,
    origin: str | None,
    evidence: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Stamp a draft with who writes it, write it, and say what was written."""
    agent = common.agent()
    by_person = agent is None and common.person()
    draft = writing.Draft(
        title=title,
        body=body,
        kind=kind,
        origin=writing.lowered("owner" if by_person else "agent", origin),
        agent=agent,
        topic=topic,
        source=source,
        tags=tuple(tags),
        derived_from=tuple(derived_from),
        proposes=proposes,
        evidence=evidence or "",
        insist=force,
    )
    project = common.project_here()
    if supersedes:
        draft = replace(draft, proposes=_target(project, supersedes, proposes))
    written = writing.remember(project, draft, common.now())
    print_written(written, as_json)
    if by_person and not as_json:
        _offer_approval(project, written, draft.proposes if supersedes else "")


def _target(project: Project, supersedes: str, proposes: str) -> str:
    from ktw.operations.superseding import target_id

    if proposes:
        raise UsageError("--supersedes and --proposes say the same", "Give one of them.")
    return target_id(project, supersedes)


def print_written(written: writing.Written, as_json: bool) -> None:
    """Say what was written (context-schema/output/remember.schema.json)."""
    if as_json:
        data = asdict(written) | {"warnings": list(written.warnings)}
        common.say_json({key: value for key, value in data.items() if key != "content_hash"})
        return
    click.echo(f"Wrote {written.path}  {written.id}  (origin: {written.origin}, unapproved)")
    common.say_notices(list(written.warnings))


def _offer_approval(project: Project, written: writing.Written, supersedes: str) -> None:
    """A person who just wrote these words sees them as they are kept, and is asked once whether
    they are approved.

    Words that supersede a memory are approved together with its new status.
    """
    from ktw.cli.under_review import fitted, text_lines
    from ktw.operations import approving
    from ktw.operations.candidate import candidate

    approving.refuse_without_person(common.person(), common.agent())
    try:
        chosen = candidate(project, written.id)
        if chosen.file.computed_hash != written.content_hash:
            raise Changed("the file does not hold what was written any more")
        approving.check_possible(project, chosen)
    except KtwError as error:
        common.say_notices([f"not approved: {error.what}"])
        return
    common.say_lines(fitted(text_lines(chosen)))
    if supersedes:
        if click.confirm(f"Approve these words now, in the place of {supersedes}?", default=False):
            _supersede(project, supersedes, written.id)
    elif click.confirm("Approve these words now?", default=False):
        outcome = approving.approve(
            project, chosen, chosen.key, common.now(), commit=False, person=True
        )
        click.echo(f"{outcome.verdict.name}: {', '.join(outcome.verdict.reasons)}")


def _supersede(project: Project, old: str, new: str) -> None:
    from ktw.operations.superseding import supersede

    done = supersede(project, old, new, common.now())
    for path, verdict in done.verdicts:
        click.echo(f"{verdict.name}: {escape_line(path)}  {', '.join(verdict.reasons)}")
