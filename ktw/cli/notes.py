"""The commands for local notes: notes, promote."""

import click

from ktw.cli import common
from ktw.cli.reading import print_listing
from ktw.cli.writing import print_written
from ktw.memory import KINDS, NOTE
from ktw.operations import promoting
from ktw.operations.reading import list_memories
from ktw.text.escape import escape_line


@click.command("notes", short_help="List this clone's local notes, or take one out.")
@click.option("--delete", "delete", metavar="NOTE", help="Take a note out, as a person.")
@common.json_option
def notes_command(delete: str | None, as_json: bool) -> None:
    """List what sessions left behind in this clone: never committed, never approved.

    One note a session, newest words only; at most 10,000 a project, then the oldest leaves. Read
    one with `ktw show`, make a draft of one with `ktw promote`.
    """
    project = common.project_here()
    if delete is not None:
        gone = promoting.delete(project, delete, common.person(), common.agent())
        asked = delete.strip()
        named = gone if gone.startswith(asked.lower()) else f"{escape_line(asked)} ({gone})"
        click.echo(f"{named} is gone from this clone.", err=True)
    if delete is None or as_json:
        print_listing(list_memories(project, kind=NOTE), as_json, "No notes.")


@click.command("promote", short_help="Make a draft of a local note, for a person to review.")
@click.argument("note")
@click.option("--title", default="", help="Its title; the note's own without it.")
@click.option("--kind", type=click.Choice(KINDS), default="decision", show_default=True)
@click.option("--topic", default="", help="The start of the file's name.")
@click.option("--force", is_flag=True, help="Write it though a memory much like it exists.")
@common.json_option
def promote_command(
    note: str, title: str, kind: str, topic: str, force: bool, as_json: bool
) -> None:
    """Write NOTE as a memory file of this project, its origin `derived` and the note its source.

    Checked as every memory is that is written here; a secret refuses it. It is not approved: that
    is for `ktw review`. The note stays.
    """
    wish = promoting.Wish(title, kind, topic, force)
    written = promoting.promote(common.project_here(), note, wish, common.now(), common.agent())
    print_written(written, as_json)
