"""Where errors end: three kinds, three outcomes, one line what and one line what to do."""

import sys

import click

from ktw.errors import EXIT_INTERRUPT, EXIT_OK


def run(command: click.Command, begun: object = None) -> int:
    """Run a click command; its exit code (context-schema/specification.md, section 14). `begun`:
    what the command finds as click's `obj`.

    Where the reader of a pipe goes away, click ends the process in silence with exit code 1.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        done = command.main(prog_name="ktw", standalone_mode=False, obj=begun)
        return done if isinstance(done, int) else EXIT_OK
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("ktw: stopped; what was not finished was not written", err=True)
        return EXIT_INTERRUPT
    except Exception as error:  # noqa: BLE001 (the one boundary of this surface)
        from ktw.trouble import trouble  # most commands end well

        what, todo, exit_code = trouble(error)
        click.echo(f"ktw: {what}", err=True)
        if todo:
            click.echo(f"     {todo}", err=True)
        return exit_code
