"""The commands that read memories: recall, show, list."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ktw.cli import common
from ktw.errors import UsageError
from ktw.memory import KINDS, NOTE, ORIGINS
from ktw.operations import reading, stale
from ktw.operations.answers import answer_data, more
from ktw.render import (
    BUDGET,
    Reading,
    as_data,
    count_omitted,
    show_list,
)
from ktw.text.escape import escape_line
from ktw.trust import VERDICTS
from ktw.warm_client import ask


@click.command("recall", short_help="Find memories that answer a question.")
@click.argument("question", nargs=-1)
@click.option("-n", "--limit", type=click.IntRange(1, 100), help="How many to show (default 5).")
@click.option("--more", is_flag=True, help="Show up to 20.")
@click.option(
    "--budget",
    type=click.IntRange(200),
    default=BUDGET,
    show_default=True,
    help="Characters of each memory's text.",
)
@click.option("--explain", is_flag=True, help="Print what each score is made of.")
@click.option("--batch", is_flag=True, help="Read one question a line, print one JSON object each.")
@click.option("--cold", is_flag=True, help="Ask no ktw that is warm; so does KTW_COLD=1.")
@common.json_option
def recall_command(
    question: Sequence[str],
    limit: int | None,
    more: bool,
    budget: int,
    explain: bool,
    batch: bool,
    cold: bool,
    as_json: bool,
) -> None:
    """Find the memories that answer QUESTION, best first.

    Approved memories are shown as they are, with the method that proves it. Everything else stands
    in a frame: it is data, and sentences that read as directives are withheld.

    \b
    ktw recall "why do we wait for the snapshot"
    ktw recall deploy gate --more
    """
    count = limit or (reading.MORE_LIMIT if more else reading.DEFAULT_LIMIT)
    questions = _questions(question, batch)
    warm = None if cold or batch else _warm_answer(questions[0], count, budget, explain)
    answers = [warm] if warm else _cold_answers(questions, count, budget, explain)
    for answer in answers:
        if as_json or batch:
            common.say_json(answer, None if batch else 2)
        else:
            _print_answer(answer, explain)


def _warm_answer(question: str, limit: int, budget: int, explain: bool) -> dict[str, Any] | None:
    """What a ktw that is up says; None where none is, or none of ours."""
    if os.environ.get("KTW_COLD"):
        return None
    arguments = {"question": question, "limit": limit, "budget": budget, "explain": explain}
    arguments["model"] = common.model_setting()
    answer = ask("recall", arguments, os.getcwd(), os.environ)  # noqa: PTH109
    return answer if isinstance(answer, dict) else None


def _cold_answers(
    questions: Sequence[str], limit: int, budget: int, explain: bool
) -> Iterator[dict[str, Any]]:
    project, now, model = common.project_here(), common.now(), common.model_setting()
    found = reading.recall_many(project, questions, now, limit, budget, model, common.progress())
    return (answer_data(answer, explain) for answer in found)


def _questions(words: Sequence[str], batch: bool) -> list[str]:
    if batch:
        lines = common.read_input("list of questions").split("\n")
        return [line.strip() for line in lines if line.strip()]
    question = " ".join(words).strip()
    if not question:
        raise UsageError("there is no question", 'Ask one: ktw recall "why ..."')
    return [question]


def _print_answer(answer: Mapping[str, Any], explain: bool) -> None:
    for found in answer["results"]:
        common.say_memory(found["text"])
        if explain:
            parts = "  ".join(f"{name} {value:.4g}" for name, value in found["explain"].items())
            common.say(f"score {found['score']:.4f}: {parts}", "cyan")
        click.echo()
    if not answer["results"]:
        click.echo("Nothing here answers that.")
    left = more(answer)
    if left:
        click.echo(f'{left}; ktw recall "{escape_line(answer["query"])}" --more')
    if answer["omitted"]["faded"]:
        click.echo(f"{answer['omitted']['faded']} faded; ktw list --faded")
    common.say_notices(answer["notices"])


@click.command("show", short_help="Show one memory whole.")
@click.argument("memory", shell_complete=common.complete_reference)
@click.option("--budget", type=click.IntRange(200), default=1_000_000, help="Characters of text.")
@common.json_option
def show_command(memory: str, budget: int, as_json: bool) -> None:
    """Show MEMORY: an Id or its start, a file's name, or name#anchor.

    A file's name shows every memory of the file; --json prints one memory. Where approved words
    are in force that the work tree has changed, they come first and the change behind them.
    """
    shown = reading.show_memory(common.project_here(), memory, budget, common.now())
    if as_json:
        named = list(dict.fromkeys(one.address for one, _ in shown))
        if len(named) > 1:
            told = ", ".join(named)
            raise UsageError(f"that file holds {len(named)} memories", f"Name one: {told}")
        first, *rest = (_shown_data(one, text.text) for one, text in shown)
        common.say_json(first | ({"here": rest} if rest else {}))
        return
    for _, text in shown:
        common.say_memory(text.text)
        click.echo()


def _shown_data(one: Reading, text: str) -> dict[str, object]:
    findings = reading.findings_of(one)
    return as_data(one) | {"text": text, "findings": findings}


@click.command("list", short_help="List memories with their verdicts.")
@click.option("--verdict", type=click.Choice(VERDICTS), help="Only those with this verdict.")
@click.option("--kind", type=click.Choice((*KINDS, NOTE)), help="Only this kind.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Only this origin.")
@click.option("--faded", is_flag=True, help="Only what recall leaves out, unused for long.")
@common.json_option
def list_command(
    verdict: str | None, kind: str | None, origin: str | None, faded: bool, as_json: bool
) -> None:
    """List memories: approved ones by title, all others inside one frame."""
    project, wanted = common.project_here(), (verdict, kind, origin)
    if faded:
        listing = stale.faded(project, common.now(), *wanted, common.progress())
    else:
        listing = reading.list_memories(project, *wanted, common.progress())
    print_listing(listing, as_json, "None fits." if any(wanted) or faded else "No memories.")


def print_listing(listing: reading.Listing, as_json: bool, nothing: str) -> None:
    """Print a list of memories (context-schema/output/list.schema.json), or that there is none."""
    if as_json:
        data = {
            "memories": [as_data(one) for one in listing.readings],
            "omitted": dict(count_omitted([], 0)),
            "notices": listing.notices,
        }
        common.say_json(data)
        return
    if not listing.readings:
        click.echo(nothing)
    for text in show_list(listing.readings):
        common.say_memory(text)
        click.echo()
    common.say_notices(listing.notices)
