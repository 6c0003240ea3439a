"""The command `ktw recall`. Where a warm ktw answers, nothing is imported that answers here."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import click

from ktw.ahead import Ahead
from ktw.cli import common
from ktw.errors import UsageError
from ktw.limits import BUDGET, DEFAULT_LIMIT, MORE_LIMIT
from ktw.operations.answers import answer_data
from ktw.operations.answers import more as more_of
from ktw.text.escape import escape_line
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
@click.pass_obj
def recall_command(
    begun: Ahead | None,
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
    count = limit or (MORE_LIMIT if more else DEFAULT_LIMIT)
    questions = _questions(question, batch)
    warm = None if cold or batch else _warm_answer(questions[0], count, budget, explain)
    answers = [warm] if warm else _cold_answers(begun, questions, count, budget, explain)
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
    answer = ask("recall", arguments, common.here(), os.environ)
    return answer if isinstance(answer, dict) else None


def _cold_answers(
    begun: Ahead | None, questions: Sequence[str], limit: int, budget: int, explain: bool
) -> Iterator[dict[str, Any]]:
    with closing(begun or Ahead(common.here())) as ahead:
        project = ahead.project or common.project_here()
        if ahead.project is None:
            ahead.begin(project)
        from ktw.operations.reading import Cold, recall_many

        now, model, progress = common.now(), common.model_setting(), common.progress()
        held = Cold(ahead)
        found = recall_many(project, questions, now, limit, budget, model, progress, held)
        yield from (answer_data(answer, explain) for answer in found)


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
    left = more_of(answer)
    if left:
        click.echo(f'{left}; ktw recall "{escape_line(answer["query"])}" --more')
    if answer["omitted"]["faded"]:
        click.echo(f"{answer['omitted']['faded']} faded; ktw list --faded")
    common.say_notices(answer["notices"])
