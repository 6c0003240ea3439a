"""The command `keep-the-why-lint`: arguments in, a report out, an exit code. It knows no rule.

Exit codes: 0 clean, 1 findings (warnings count only with --strict), 2 wrong usage, 3 cannot,
4 a bug.
"""

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from keep_the_why_lint import __version__
from keep_the_why_lint.cache import open_cache
from keep_the_why_lint.project import Verdicts
from keep_the_why_lint.registry import find_rule
from keep_the_why_lint.report import FORMATS
from keep_the_why_lint.runner import Report, lint_project
from keep_the_why_lint.showing import WITHHELD, reads_as_directive
from ktw.errors import (
    EXIT_BUG,
    EXIT_FINDINGS,
    EXIT_OK,
    EXIT_USAGE,
    KtwError,
    visible,
)
from ktw.text.escape import escape_line

NAME = "keep-the-why-lint"

_LONGEST_TRACE = 20_000

VerdictsAt = Callable[[Path], Verdicts | None]


def main(
    argv: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    verdicts_at: VerdictsAt | None = None,
    here: Path | None = None,
) -> int:
    """Run the command; returns its exit code.

    `verdicts_at` gives, for a project's root, what asks trust about its memory files; `here` is
    the project to check where none is named.
    """
    environment = os.environ if env is None else env
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(argv)
    options.path = options.path or str(here or Path())
    try:
        return (
            _explain(options.explain)
            if options.explain
            else _lint(options, environment, verdicts_at)
        )
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123,SIM115 (the reader went away)
        return EXIT_FINDINGS
    except KtwError as error:
        return _refuse(error)
    except OSError as error:
        why = error.strerror or "it does not say why"
        return _refuse(KtwError(f"the system refused: {why}", "Check the project's directories."))
    except Exception:  # noqa: BLE001 (the one boundary of this surface)
        print(f"{NAME} {__version__}: this is a bug, please report all of this:", file=sys.stderr)
        for line in traceback.format_exc()[-_LONGEST_TRACE:].split("\n"):
            print(_shown(line), file=sys.stderr)
        return EXIT_BUG


def _shown(line: str) -> str:
    """A line for a person: indented as it was, escaped, without what directs its reader."""
    indent = " " * (len(line) - len(line.lstrip(" ")))
    return indent + (WITHHELD if reads_as_directive(line) else escape_line(line))


def _refuse(error: KtwError) -> int:
    todo = error.todo or "Nothing was checked."
    print(f"{NAME}: {_shown(error.what)}\n{_shown(todo)}", file=sys.stderr)
    return error.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=NAME,
        description="Check a keep-the-why project: its config, memories, index and provenance.",
        epilog="Exit codes: 0 clean, 1 findings, 2 wrong usage.",
    )
    parser.add_argument("path", nargs="?", help="the project (default: here)")
    parser.add_argument(
        "--format",
        choices=sorted(FORMATS),
        help="how to report (default: text; github where GITHUB_ACTIONS is set)",
    )
    parser.add_argument("--github", action="store_true", help="the same as --format github")
    parser.add_argument(
        "--json",
        action="store_const",
        dest="format",
        const="json",
        help="the same as --format json",
    )
    parser.add_argument("--strict", action="store_true", help="let warnings fail too")
    parser.add_argument(
        "--setup",
        action="store_true",
        help="check your own settings in ~/.keep-the-why too",
    )
    parser.add_argument(
        "--no-cache",
        action="store_false",
        dest="cache",
        help="check every text anew; what was found is otherwise kept in the git directory",
    )
    parser.add_argument("--explain", metavar="CODE", help="say what a code means, and stop")
    parser.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    return parser


def _explain(code: str) -> int:
    rule = find_rule(code)
    if rule is None:
        print(f"{NAME}: there is no code '{visible(code)}'", file=sys.stderr)
        return EXIT_USAGE
    print(f"{rule.code} {rule.name} ({rule.severity})\n\n{rule.documentation}")
    return EXIT_OK


def _lint(
    options: argparse.Namespace, env: Mapping[str, str], verdicts_at: VerdictsAt | None
) -> int:
    root = Path(options.path)
    if not _is_directory(root):
        print(f"{NAME}: not a directory: {visible(options.path)}", file=sys.stderr)
        return EXIT_USAGE
    home = _home(env) if options.setup else None
    cache = open_cache(root) if options.cache else None
    try:
        verdicts = verdicts_at(root) if verdicts_at else None
    except KtwError:
        # What keeps trust from an answer (no context directory, a bad config) is often a finding.
        report = lint_project(root, home, cache=cache)
        if not report.errors:
            raise
    else:
        report = lint_project(root, home, verdicts, cache)
    annotate = options.github or env.get("GITHUB_ACTIONS") == "true"
    name = options.format or ("github" if annotate else "text")
    sys.stdout.write(FORMATS[name](report))
    sys.stdout.flush()
    return EXIT_FINDINGS if _fails(report, options.strict) else EXIT_OK


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _home(env: Mapping[str, str]) -> Path:
    home = env.get("HOME")
    return Path(home) if home else Path.home()


def _fails(report: Report, strict: bool) -> bool:
    return bool(report.errors or (strict and report.warnings))
