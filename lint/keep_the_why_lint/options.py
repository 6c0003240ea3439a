"""The options of `keep-the-why-lint`: what to report, adopt, mend, and where."""

import argparse
from collections.abc import Iterable

from keep_the_why_lint import __version__, baseline
from keep_the_why_lint.codes import parse_codes
from keep_the_why_lint.report import FORMATS
from keep_the_why_lint.suppression import NEVER_SILENT, is_silenceable
from ktw.errors import UsageError

NAME = "keep-the-why-lint"
EXAMPLES = """\
examples:
  keep-the-why-lint                      check the project here
  keep-the-why-lint --all                check every project below
  keep-the-why-lint --base origin/main   what this branch brings, and what it does to trust
  keep-the-why-lint --fix --diff         show what would be mended, write nothing
  keep-the-why-lint --write-baseline     adopt an old store: report only what is new from now on
  keep-the-why-lint --explain D301       say what a code means

Exit codes: 0 clean, 1 findings (warnings with --strict), 2 wrong usage, 3 cannot, 4 a bug.
"""


def make_parser() -> argparse.ArgumentParser:
    """The command's parser."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description="Check a keep-the-why project: its config, memories, index and provenance.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_use_options(parser)
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
        "--base",
        metavar="REF",
        help="report only what changed since this branch or commit, and what it does to trust",
    )
    parser.add_argument(
        "--summary",
        metavar="FILE",
        help="append a Markdown summary to this file too, such as $GITHUB_STEP_SUMMARY",
    )
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


def _add_use_options(parser: argparse.ArgumentParser) -> None:
    """Add them to the command's parser."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="the projects (default: here)")
    parser.add_argument("--all", action="store_true", help="every project below PATH")
    for name, told in (
        ("--select", "report these alone: codes or prefixes, D,E1; may be repeated"),
        ("--ignore", "do not report these (with a reason: in the config, see docs/linting.md)"),
    ):
        parser.add_argument(name, action="append", default=[], metavar="CODES", help=told)
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help=f"findings that are known already (default: the project's {baseline.NAME})",
    )
    parser.add_argument(
        "--write-baseline",
        nargs="?",
        const="",
        metavar="FILE",
        help="write what is found now as the baseline",
    )
    parser.add_argument("--fix", action="store_true", help="mend what is mechanical, show a diff")
    parser.add_argument(
        "--diff",
        "--dry-run",
        action="store_true",
        help="show what --fix would change, and write nothing",
    )
    parser.add_argument("--rules", action="store_true", help="list every rule, and stop")


def check_use(options: argparse.Namespace, projects: int) -> None:
    """Raise UsageError for options that contradict each other."""
    if projects > 1 and (options.baseline or options.write_baseline):
        raise UsageError("one baseline cannot hold several projects", "Leave its name out.")
    if options.write_baseline is not None and (options.select or options.ignore):
        raise UsageError(
            "a baseline of a selection would report the rest as new",
            "Write it without --select and --ignore.",
        )


def parse_ignored(given: Iterable[str]) -> tuple[str, ...]:
    """The codes of --ignore; raises UsageError for one that must always be reported."""
    codes = parse_codes(given)
    for code in codes:
        if not is_silenceable(code):
            never = ", ".join(NEVER_SILENT)
            raise UsageError(f"{code} cannot be ignored", f"Always reported: {never}")
    return codes
