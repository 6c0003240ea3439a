"""The table of commands and the options that all share."""

import importlib
from collections.abc import Mapping

import click

from ktw import __version__
from ktw.errors import UsageError, visible

_COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("ktw.cli.setup", "Set up memory in this repository, and approval in this clone."),
    "remember": ("ktw.cli.writing", "Keep a decision, workaround, incident, constraint or rule."),
    "learn": ("ktw.cli.writing", "Keep a procedure after using it: a skill."),
    "recall": ("ktw.cli.recall", "Find memories that answer a question."),
    "show": ("ktw.cli.reading", "Show one memory whole."),
    "list": ("ktw.cli.reading", "List memories with their verdicts."),
    "stale": ("ktw.cli.standing", "List memories that time has caught up with."),
    "reinforce": ("ktw.cli.standing", "Note that a memory helped."),
    "pin": ("ktw.cli.standing", "Keep a memory from fading, or let it fade again."),
    "status": ("ktw.cli.state", "Say what holds here, and what to do next."),
    "history": ("ktw.cli.state", "Tell the life of one memory from git."),
    "notes": ("ktw.cli.notes", "List this clone's local notes, or take one out."),
    "promote": ("ktw.cli.notes", "Make a draft of a local note, for a person to review."),
    "trust": ("ktw.cli.approving", "Approve one memory, as a person, or withdraw it."),
    "review": ("ktw.cli.review", "Approve or reject, in one sitting, what waits for a person."),
    "adopt": ("ktw.cli.adopt", "Take over a Keep the Why project, or decision records."),
    "import": ("ktw.cli.importing", "Bring in memories from skillmem or a folder of Markdown."),
    "revoke": ("ktw.cli.revoking", "Revoke memories, as a person: their words count nowhere."),
    "verify": ("ktw.cli.state", "Prove every claim of approval against git."),
    "index": ("ktw.cli.state", "Bring the index up to date, or rebuild it."),
    "warm": ("ktw.cli.warm", "Keep index and model in memory for quick answers."),
    "lint": ("ktw.cli.state", "Check config, memories and provenance."),
    "mcp": ("ktw.cli.mcp", "Serve this memory to an agent over MCP."),
    "doctor": ("ktw.cli.doctor", "Examine what ktw rests on here."),
    "uninstall": ("ktw.cli.uninstall", "Take out of agents' settings what init put in."),
    "hook": ("ktw.cli.hooking", "Answer one event of an agent's session."),
    "hooks": ("ktw.cli.hooking", "Say how the hooks of agents went here."),
    "completion": ("ktw.cli.setup", "Print a shell completion script."),
}
# What hooks start on their own; nobody types it.
_UNLISTED: Mapping[str, str] = {"recap": "ktw.cli.recap"}


class _Commands(click.Group):
    """Loads a command's module when it is called: a recall imports no more than it needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        room = _COMMANDS[cmd_name][0] if cmd_name in _COMMANDS else _UNLISTED.get(cmd_name)
        if room is None:
            return None
        module = importlib.import_module(room)
        command = getattr(module, f"{cmd_name}_command")
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            what = f"there is no command {visible(args[0])}"
            raise UsageError(what, _nearest(args[0])) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in _COMMANDS.items()])


def _nearest(name: str) -> str:
    import difflib  # for a slip alone

    near = difflib.get_close_matches(name[:40], _COMMANDS, 1)
    return f"Did you mean: ktw {near[0]}" if near else "See them all with: ktw --help"


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 findings or refused, 2 wrong usage, 3 cannot, 4 a bug.",
)
@click.version_option(__version__, prog_name="ktw")
def ktw() -> None:
    """Git-native memory for coding agents: only words that a person approved speak as rules.

    Memories are Markdown files in context/. Start with `ktw init`, then `ktw remember` and
    `ktw recall`.
    """
