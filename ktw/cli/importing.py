"""The command `import`: what was found elsewhere, what is written of it, and what stays behind."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK
from ktw.importers.foreign import Wanted
from ktw.importers.lost import summed
from ktw.importers.sources import SOURCES
from ktw.memory import KINDS
from ktw.operations import importing
from ktw.operations.import_plan import HERE, LEFT, NEW, PROPOSAL, Plan, Row, directing, import_data
from ktw.operations.importing import Wish
from ktw.text.counting import counted

_SHOWN = 20  # rows of a sort, then they are counted


@click.command("import", short_help="Bring in memories from skillmem or a folder of Markdown.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--from", "source", type=click.Choice(tuple(SOURCES)), help="What PATH is.")
@click.option("--kind", type=click.Choice(KINDS), help="The kind of what states none.")
@click.option("--topic", default="", help="What it is about; names the files.")
@click.option("--tag", "tags", multiple=True, help="A tag for all; may be given again.")
@click.option("--project", "projects", multiple=True, help="Of skillmem: of this project alone.")
@click.option("--notes", is_flag=True, help="Bring notes that sessions left behind, too.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and stop.")
@common.json_option
def import_command(
    path: Path,
    source: str | None,
    kind: str | None,
    topic: str,
    tags: Sequence[str],
    projects: Sequence[str],
    notes: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Bring the memories at PATH into this project, as files that a person then reviews.

    PATH is a database of skillmem, or a folder of Markdown notes such as an Obsidian vault. Each
    memory becomes a file of origin `imported`, whatever it claimed of itself; nothing is approved,
    overwritten or committed. What is here already is passed over, what changed since comes as a
    proposal.

    \b
    ktw import ~/vault/decisions --kind decision --dry-run
    """
    wanted = Wanted(notes, tuple(projects))
    wish = Wish(source or "", kind or "", topic, tuple(tags), wanted)
    project = common.project_here()
    plan = importing.plan_import(
        project, path, wish, common.now(), common.progress("reading what is there")
    )
    if not dry_run:
        plan = importing.write_plan(plan, common.progress("writing memories"))
    if as_json:
        common.say_json(import_data(plan, dry_run))
    else:
        _print(plan, dry_run)
    return EXIT_FINDINGS if plan.faults else EXIT_OK


def _print(plan: Plan, dry_run: bool) -> None:
    written = plan.of(NEW, PROPOSAL)
    _print_some([_line(plan, row) for row in written], "green")
    _print_left(plan)
    _print_lost([row for row in written if row.lost])
    if here := len(plan.of(HERE)):
        memories = counted(here, "memory", "memories")
        click.echo(f"here      {memories} already: the same words, or such as were edited since")
    claims = Counter(claim for row in written for claim in row.claims)
    if claims:
        told = ", ".join(counted(number, claim) for claim, number in claims.most_common())
        click.echo(f"dropped   {told}: what a store says of its words counts for nothing here")
    common.say_notices([*plan.notices, *_warned(written)])
    _print_end(plan, written, dry_run)


def _warned(rows: Sequence[Row]) -> list[str]:
    """What the linter will warn of, apart from what it says of directives."""
    found = [[one.code for one in row.file.warnings] for row in rows if row.file]
    warned = [codes for row in found if (codes := [c for c in row if not c.startswith("W9")])]
    told = ", ".join(sorted({code for codes in warned for code in codes}))
    memories = counted(len(warned), "memory", "memories")
    return [f"{memories} that `ktw lint` warns of ({told})"] if warned else []


def _line(plan: Plan, row: Row) -> str:
    name = row.file.name if row.file else ""
    of = f"  for {row.proposes}" if row.proposes else ""
    path = f"{plan.project.context_name}/{name}"
    return f"{row.outcome:8}  {path}  {row.kind or 'no kind':10}  <- {row.place}{of}"


def _print_left(plan: Plan) -> None:
    faults = [f"left out  {row.place}: {row.why}" for row in plan.faults]
    _print_some(faults, "yellow")
    others = Counter(row.why for row in plan.of(LEFT) if not row.fault)
    for why, number in others.most_common():
        click.echo(f"left out  {why} ({number})")


def _print_lost(rows: Sequence[Row]) -> None:
    """What was not carried as it was, memories that lost the same together; of many, the sums."""
    alike: dict[str, list[str]] = {}
    for row in rows:
        alike.setdefault(", ".join(map(str, row.lost)), []).append(row.place)
    lines = [
        f"in part   {first}{f' and {len(others)} more' if others else ''}: {lost}"
        for lost, (first, *others) in alike.items()
    ]
    if len(lines) > _SHOWN:
        sums = ", ".join(summed(one for row in rows for one in row.lost))
        lines = [f"in part   {len(rows)} memories: {sums}; --json names them"]
    common.say_lines((line, "cyan") for line in lines)


def _print_some(lines: Sequence[str], colour: str) -> None:
    common.say_lines((line, colour) for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        rest: Iterable[str] = (f"{lines[0][:8].strip()}: {len(lines) - _SHOWN} more",)
        common.say_lines((f"          … {line}; --json names them all", None) for line in rest)


def _print_end(plan: Plan, written: Sequence[Row], dry_run: bool) -> None:
    if not written:
        click.echo("There is nothing to import." if not plan.faults else "Nothing was imported.")
        return
    kinds = Counter(row.kind or "no kind" for row in written).most_common()
    told = ", ".join(f"{number} {kind}" for kind, number in kinds)
    memories = f"{counted(len(written), 'memory', 'memories')} ({told})"
    if direct := len(directing(plan)):
        common.say_notices([_DIRECT.format(counted(direct, "memory", "memories"))])
    if dry_run:
        click.echo(f"{memories} would be written; nothing was.")
        return
    click.echo(f"Wrote {memories}, imported and unapproved; nothing was committed.")
    click.echo("next      ktw review --origin imported: approve or reject, as a person")


_DIRECT = "{} with sentences that read as directives: withheld until a person approves them"
