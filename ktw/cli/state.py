"""The commands that say what holds: status, history, verify, index, lint."""

import os
from pathlib import Path

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK, KtwError
from ktw.operations import history as life
from ktw.operations import state
from ktw.operations.page import tidy_page
from ktw.operations.verdicts import FileVerdict
from ktw.render import as_data, show_events
from ktw.text.counting import counted
from ktw.text.escape import escape_line
from ktw.withholding import shown_words

_COLOURS = {"approved": "green", "unapproved": None, "revoked": "red"}


@click.command("status", short_help="Say what holds here, and what to do next.")
@common.json_option
def status_command(as_json: bool) -> None:
    """Say what this project and this clone look like, and what to do next."""
    found = state.status(common.project_here(), common.model_setting(), common.progress())
    if as_json:
        common.say_json(_status_data(found))
        return
    who, where = found.project.id or "(no id)", str(found.project.root)
    click.echo(f"project   {shown_words(who, 'id')}  {escape_line(where)}")
    click.echo(
        f"memories  {found.entries} in {shown_words(found.project.context_name, 'name')}/ "
        f"(context-schema {found.schema}, {found.mode} search"
        + (f", model {found.model})" if found.model else ")")
    )
    _print_policy(found)
    told = ", ".join(f"{count} {name}" for name, count in sorted(found.verdicts.items()))
    click.echo(f"files     {told or 'none'}")
    for line in found.in_force:
        common.say(f"in git    {escape_line(line)}", "yellow")
    for located in found.problems:
        place = f"{shown_words(located.path, 'name')}:{located.problem.line}"
        message = shown_words(located.problem.message, "message")
        common.say(f"problem   {place}: {message}", "red")
    for step in found.next:
        click.echo(f"next      {step}")


def _print_policy(found: state.Status) -> None:
    policy = found.policy.policy
    if policy is None:
        why = shown_words(found.policy.why, "reason")
        common.say(f"approval  no policy in this clone: {why}", "yellow")
        return
    fetched = f", fetched {found.fetched_at:%Y-%m-%d %H:%M} UTC" if found.fetched_at else ""
    ref = f" on {policy.trust_ref}{fetched}" if policy.trust_ref else ""
    click.echo(f"approval  {', '.join(policy.methods)}{ref}")
    for method, worth in found.worth.items():
        common.say(f"{method:>9} {worth}", "yellow" if worth.startswith("backs nothing") else None)


def _status_data(found: state.Status) -> dict[str, object]:
    policy = found.policy.policy
    fetched = found.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ") if found.fetched_at else None
    return {
        "project": {
            "root": str(found.project.root),
            "id": shown_words(found.project.id, "id") or None,
            "context": shown_words(found.project.context_name, "name"),
            "schema": found.schema,
        },
        "policy": policy
        and {
            "trust_ref": policy.trust_ref,
            "methods": list(policy.methods),
            "fetched_at": fetched,
            "worth": dict(found.worth),
        },
        "verdicts": dict(found.verdicts),
        "in_force": list(found.in_force),
        "index": {"entries": found.entries, "mode": found.mode, "model": found.model},
        "problems": [
            {
                "path": shown_words(located.path, "name"),
                "line": located.problem.line,
                "code": located.problem.kind,
                "message": shown_words(located.problem.message, "message"),
            }
            for located in found.problems
        ],
        "next": list(found.next),
    }


@click.command("verify", short_help="Prove every claim of approval against git.")
@click.option("--all", "every", is_flag=True, help="Name the files that claim nothing, too.")
@common.json_option
def verify_command(every: bool, as_json: bool) -> int:
    """Compute the verdict of every memory file; exit 1 when a claim is not backed here.

    Claims that do not hold come first; files that claim nothing are counted. What is in force in
    words that stand in git alone (edited, renamed or deleted here) comes last.
    """
    found = state.verify(common.project_here())
    if as_json:
        data = {"files": found.files, "in_force": found.in_force}
        rows = {key: [_file_data(file) for file in files] for key, files in data.items()}
        common.say_json(rows | {"summary": dict(found.summary)})
    else:
        told = [file for file in found.files if every or file.claimed or file.unreadable]
        lines = [_line(file) for file in sorted(told, key=lambda file: file.verdict.approved)]
        lines += [_line(file, "in force") for file in found.in_force]
        counts = (f"{n} {name}" for name, n in sorted(found.summary.items()))
        common.say("\n".join([*lines, ", ".join(counts) or "none"]))
    return EXIT_OK if found.all_backed else EXIT_FINDINGS


def _file_data(file: FileVerdict) -> dict[str, object]:
    return {
        "path": _path(file),
        "id": file.id,
        "verdict": file.verdict.name,
        "reasons": _reasons(file),
    }


def _line(file: FileVerdict, what: str = "") -> str:
    line = f"{what or file.verdict.name:<12} {_path(file)}  {'; '.join(_reasons(file))}"
    return common.styled(line.rstrip(), _COLOURS.get(file.verdict.name, "yellow"))


def _path(file: FileVerdict) -> str:
    approved = file.verdict.approved
    return escape_line(file.path) if approved else shown_words(file.path, "name")


def _reasons(file: FileVerdict) -> list[str]:
    return [shown_words(reason, "reason") for reason in file.verdict.reasons]


@click.command("history", short_help="Tell the life of one memory from git.")
@click.argument("memory", shell_complete=common.complete_reference)
@common.json_option
def history_command(memory: str, as_json: bool) -> None:
    """Tell the life of MEMORY: written, changed, approved, lapsed, withdrawn, with commits."""
    reading, events = life.history(common.project_here(), memory)
    approved = reading.verdict.approved
    if as_json:
        common.say_json(
            {
                "id": reading.address,
                "path": reading.file.path if approved else None,
                "title": as_data(reading)["title"],
                "events": [_event_data(event, approved) for event in events],
            }
        )
        return
    lines = [_event_line(event, approved) for event in events]
    common.say_memory(show_events(reading, lines))


def _event_line(event: life.Event, approved: bool) -> str:
    """One event for a frame: whoever made a commit chose its author and its subject."""
    commit = (event.commit or "(not committed)")[:15]
    told = (event.by, event.subject if approved else "")
    words = "  ".join(shown_words(text, "words") for text in told if text)
    return f"{event.at:<26} {commit:<15} {event.event:<10} {words}".rstrip()


def _event_data(event: life.Event, approved: bool) -> dict[str, object]:
    return {
        "commit": event.commit,
        "at": event.at,
        "by": shown_words(event.by, "name") or None if approved else None,
        "event": event.event,
        "subject": shown_words(event.subject, "subject") if approved and event.subject else None,
    }


@click.command("index", short_help="Bring the index up to date, or rebuild it.")
@click.option("--rebuild", is_flag=True, help="Make it anew.")
@click.option("--page", is_flag=True, help="Put context/index.md in order, too.")
@common.json_option
def index_command(rebuild: bool, page: bool, as_json: bool) -> None:
    """Bring the search index up to date. Never needed: recall does it by itself.

    With --page the list of files in context/index.md gets its missing rows, loses dead ones and is
    sorted: what a merge, a rename or a deletion leaves to do.
    """
    if page:
        changed = tidy_page(common.project_here())
        common.say_notices(["index.md was put in order"] if changed else ["index.md is in order"])
    entries, read, notes = state.build_index(
        common.project_here(), rebuild, common.model_setting(), common.progress()
    )
    if as_json:
        common.say_json({"entries": entries, "read": read, "notices": notes})
        return
    click.echo(f"{counted(entries, 'memory', 'memories')}, {counted(read, 'file')} read")
    common.say_notices(notes)


@click.command(
    "lint",
    short_help="Check config, memories and provenance.",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def lint_command(arguments: tuple[str, ...]) -> int:
    """Run keep-the-why-lint here, with this clone's verdicts; takes the same options."""
    from keep_the_why_lint.cli import main

    return main(list(arguments), os.environ, state.verdict_of, _project_root())


def _project_root() -> Path:
    """The project around here, or here itself, where the linter says what is missing."""
    try:
        return common.project_here().root
    except KtwError:
        return Path()
