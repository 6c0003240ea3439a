"""The commands that set things up: init, completion."""

from collections.abc import Sequence
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from ktw.cli import agent_settings, common
from ktw.errors import EXIT_OK, UsageError
from ktw.operations import ci, setup
from ktw.operations.memory_hook import add_hook, remove_hook
from ktw.operations.setup_policy import told
from ktw.text.escape import escape_line, escape_text
from ktw.trust import METHODS
from ktw.wiring.agents import named_wirings

_NONE = "There is no {} of ours."
_TOLD = {"create": "create", "merge": "add to", "keep": "keep", "leave": "leave"}


@click.command("init", short_help="Set up memory in this repository, and approval in this clone.")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing.")
@click.option(
    "--context",
    metavar="DIR",
    help="Where the memories are, from the project's top, instead of context/.",
)
@click.option("--remote", metavar="NAME", help="The remote whose default branch is reviewed.")
@click.option(
    "--approval",
    type=click.Choice(tuple(METHODS)),
    multiple=True,
    help="A method that shall count, instead of those proposed; repeatable.",
)
@click.option("--remove-pointer", is_flag=True, help="Take our block out of AGENTS.md, and stop.")
@click.option(
    "--memory-used-hook/--no-memory-used-hook",
    "memory_hook",
    default=None,
    help="Name recalled memories in commit messages by a hook of git (or stop that), and stop.",
)
@click.option("--ci", "host", type=click.Choice(ci.HOSTS), help="Propose a check in CI, and stop.")
@click.option("--owner", "owners", multiple=True, metavar="@NAME", help="Who reviews (with --ci).")
@click.option("--from", "source", metavar="REQUIREMENT", help="What pip installs (with --ci).")
@click.option("--agents", metavar="NAME,…", help="Wire agents: names parted by commas, or all.")
@click.option("--user", is_flag=True, help="Wire them in your home, and stop (with --agents).")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option("--print", "prints", is_flag=True, help="Print what --agents would put in, and stop.")
def init_command(
    yes: bool,
    context: str | None,
    remote: str | None,
    approval: tuple[str, ...],
    remove_pointer: bool,
    memory_hook: bool | None,
    host: str | None,
    owners: tuple[str, ...],
    source: str | None,
    agents: str | None,
    user: bool,
    dry_run: bool,
    prints: bool,
) -> int:
    """Set up memory here: config, context directory, AGENTS.md pointer, approval policy.

    Nothing is overwritten: what is there is kept, or added to, and said. Run it again after a
    remote was added and it proposes the stronger policy. With --agents, the settings of agents, in
    the project or (--user) in your home, get the MCP server, hooks and what docs/agents.md says.
    """
    if agents is None and (user or prints):
        raise UsageError("--user and --print go with --agents", "For example: --agents all --user")
    if agents is not None:
        named_wirings(agents)
    if agents is not None and prints:
        return agent_settings.print_snippets(agents, user)
    if agents is not None and user:
        return agent_settings.wire(None, agents, yes, dry_run)
    if (owners or source is not None) and host is None:
        given = "--owner" if owners else "--from"
        raise UsageError(f"{given} goes with --ci", "For example: ktw init --ci github --owner @me")
    if host is not None:
        _propose_ci(host, owners, source or "", yes, dry_run)
        return EXIT_OK
    if memory_hook is not None:
        _set_memory_hook(memory_hook, dry_run)
        return EXIT_OK
    if remove_pointer:
        removed = setup.remove_pointer(common.project_here().root, dry_run)
        took = "Would take" if dry_run else "Took"
        click.echo(f"{took} our block out of AGENTS.md." if removed else _NONE.format("block"))
        return EXIT_OK
    settled = "Nothing to do: all of it is in place."
    if agents is not None:
        settled = "The project itself is set up."
    root = _set_up(yes, remote, approval, dry_run, settled, context)
    if root is None or agents is None:
        return EXIT_OK
    return agent_settings.wire(root, agents, yes, dry_run)


def _set_up(
    yes: bool,
    remote: str | None,
    approval: tuple[str, ...],
    dry_run: bool,
    settled: str,
    context: str | None,
) -> Path | None:
    """The project's root, once it is set up; None where the person did not want it.

    `settled`: what is said where there is nothing to do.
    """
    plan = setup.plan_setup(Path(common.here()), remote, methods=approval, context=context)
    is_first = plan.policy.policy is not None and plan.policy.current is None
    several = len(plan.remote_choices) > 1 and not approval
    if remote is None and not yes and several and is_first:
        remote = common.choose(
            "Which remote is reviewed", [*plan.remote_choices, "none"], without="ktw init --yes"
        )
        remote = None if remote == "none" else remote
        plan = setup.plan_setup(Path(common.here()), remote, methods=approval, context=context)
    agent = common.agent()
    changes = plan.changes_files or (plan.policy.changes and agent is None)
    if changes and (dry_run or not yes):
        click.echo("ktw init would:")
    _print_files(plan.steps)
    _print_policy(plan, agent)
    if not changes:
        click.echo(settled)
    if dry_run or not changes:
        return plan.root
    if not yes and not common.confirm("Go ahead?", default=True, without="ktw init --yes"):
        click.echo("Nothing was written.")
        return None
    setup.initialise(plan, write_policy=agent is None)
    commit = "commit these files, then " if plan.changes_files else ""
    click.echo(f"Done. Next: {commit}{_next(plan.found)}")
    return plan.root


def _next(found: int) -> str:
    if not found:
        return 'ktw remember TITLE --body TEXT, then ktw recall "QUESTION"'
    them = "the memory file that is" if found == 1 else f"the {found} memory files that are"
    return f'ktw recall "QUESTION"; ktw adopt takes over {them} there'


def _set_memory_hook(wanted: bool, dry_run: bool) -> None:
    repository = common.project_here().repository
    if not wanted:
        removed, took = remove_hook(repository, dry_run), "Would take" if dry_run else "Took"
        click.echo(f"{took} the hook away." if removed else _NONE.format("hook"))
        return
    made = add_hook(repository, common.agent(), dry_run)
    if dry_run:
        click.echo("ktw init would:")
    place = escape_line(str(made.path))
    if made.advice:
        common.say(f"leave   {place}: add this line to it", "yellow")
        click.echo(made.advice)
    else:
        common.say(f"hook    {place}", "green")
    click.echo("Commits will name the approved memories that were recalled before them.")


def _propose_ci(host: str, owners: tuple[str, ...], source: str, yes: bool, dry_run: bool) -> None:
    plan = ci.plan_ci(common.project_here(), host, owners, source)
    if plan.lacks_owner and not yes and not owners and not dry_run:
        owner = common.ask("Who reviews memories (@person or @group/team)", "--owner @NAME")
        plan = ci.plan_ci(common.project_here(), host, owner.split(), source)
    _print_files(plan.steps)
    if plan.lacks_owner:
        common.say("leave   CODEOWNERS: say who reviews, with --owner @NAME", "yellow")
    if plan.lacks_source:
        what = "say in KTW_FROM what pip installs, or give --from; until then the job fails"
        common.say(f"fill in {plan.lacks_source}: {what}", "yellow")
    for _, diff in plan.diffs:
        click.echo(escape_text(diff))
    given = [f"--owner {escape_line(one)}" for one in owners]
    given += [f"--from '{escape_line(source)}'"] if source else []
    again = " ".join(["ktw init --ci", host, *given])
    if not plan.changes:
        click.echo("Nothing to write.")
    elif not dry_run and (yes or common.confirm("Write it?", True, f"{again} --yes")):
        ci.write_proposal(plan)
        click.echo("Written as a proposal: look at it, commit it on a branch, have it reviewed.")
    click.echo("Settings of the protected branch that make a review count:")
    for setting, why in plan.advice:
        click.echo(f"  {setting}: {why}")


def _print_files(steps: Sequence[setup.Step]) -> None:
    touched = {step.path for step in steps if step.action != "keep"}
    for step in steps:
        if step.action == "keep" and step.path in touched:
            continue
        colour = {"keep": None, "leave": "yellow"}.get(step.action, "green")
        why = f": {step.why}" if step.why else ""
        common.say(f"{_TOLD[step.action]:<7} {escape_line(step.path)}{why}", colour)


def _print_policy(plan: setup.Setup, agent: str | None) -> None:
    policy = plan.policy.policy
    if agent is not None and plan.policy.changes:
        common.say(f"policy  none is written under {agent}; a person runs: ktw init", "yellow")
        return
    for reason in plan.policy.reasons:
        click.echo(f"policy  {reason}")
    for line in plan.policy.lacks:
        common.say(f"policy  {line}", "yellow")
    if policy is not None and plan.policy.states:
        click.echo(f"policy  in this clone's git config: {told(policy)}")


@click.command("completion", short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion_command(shell: str) -> None:
    """Print the completion script of a SHELL, for example: ktw completion bash >> ~/.bashrc"""
    from ktw.cli.root import ktw

    made = get_completion_class(shell)
    if made is None:
        raise UsageError(f"no completion for {shell}", "Use bash, zsh or fish.")
    click.echo(made(ktw, {}, "ktw", "_KTW_COMPLETE").source())
