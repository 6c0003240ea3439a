"""The command `warm`: keep index and model in memory, so that recalls and hooks answer at once."""

import gc
import os
import sys
import time
from typing import Any

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK, KtwError
from ktw.store import Project
from ktw.warm_client import ask

_PATIENCE_S, _STEP_S = 10.0, 0.05


@click.command("warm", short_help="Keep index and model in memory for quick answers.")
@click.option("--detach", is_flag=True, help="Go on in the background.")
@click.option("--stop", is_flag=True, help="End the one that is up.")
@click.option("--status", is_flag=True, help="Say whether one is up; exit 1 where none is.")
@click.option(
    "--idle",
    type=click.FloatRange(0.1),
    default=30.0,
    show_default=True,
    help="End after so many minutes without a question.",
)
@common.json_option
def warm_command(detach: bool, stop: bool, status: bool, idle: float, as_json: bool) -> int:
    """Stay, hold index and model of this work tree in memory, and answer its recalls and hooks over
    a socket that is this user's alone. Answers are the same as without; they come sooner.

    Never needed. Ends with Ctrl-C, `ktw warm --stop`, or by itself when nothing was asked for long.
    """
    project = common.project_here()
    if stop or status:
        return _say(_asked(project, "stop" if stop else "status"), stop, as_json)
    from ktw.warm_server import serve

    if detach and _is_parent():
        return _say(_awaited(project), False, as_json)
    gc.enable()
    if not detach:
        click.echo("warm: answering here; Ctrl-C ends it", err=True)
    serve(project, os.environ, idle * 60)
    return EXIT_OK


def _asked(project: Project, op: str) -> Any:
    return ask(op, {}, str(project.root), os.environ, 2.0)


def _say(told: Any, stop: bool, as_json: bool) -> int:
    if as_json:
        common.say_json({"up": told is not None and not stop, "pid": told and told["pid"]})
    elif told is None:
        click.echo("not warm: no ktw is up for this work tree")
    else:
        click.echo(f"{'stopped' if stop else 'warm'}: process {told['pid']}")
    return EXIT_OK if told is not None else EXIT_FINDINGS


def _awaited(project: Project) -> Any:
    """What the one in the background says once it is up; raises KtwError where it does not."""
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        told = _asked(project, "status")
        if told is not None:
            return told
        time.sleep(_STEP_S)
    raise KtwError("it did not come up", "See why without --detach: ktw warm")


def _is_parent() -> bool:
    """Split in two; the child goes on alone, without terminal, input and output."""
    if not hasattr(os, "fork"):
        raise KtwError("this system has no local sockets for ktw", "Everything works without one.")
    sys.stdout.flush()
    sys.stderr.flush()
    if os.fork():
        return True
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    return False
