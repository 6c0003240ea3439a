"""The command `keep-the-why-lint`: arguments in, a report out, an exit code. It knows no rule.

Exit codes: 0 clean, 1 findings (warnings count only with --strict), 2 wrong usage, 3 cannot,
4 a bug.
"""

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from keep_the_why_lint import __version__
from keep_the_why_lint.baseline import NAME as BASELINE_NAME
from keep_the_why_lint.baseline import load_baseline, save_baseline
from keep_the_why_lint.cache import open_cache
from keep_the_why_lint.codes import meanings, nearest, parse_codes
from keep_the_why_lint.markdown import SUMMARY_BYTES, as_markdown
from keep_the_why_lint.options import NAME, check_use, make_parser, parse_ignored
from keep_the_why_lint.project import Verdicts
from keep_the_why_lint.projects import Place, joined, place_projects, search_projects
from keep_the_why_lint.reading import read_project
from keep_the_why_lint.registry import ALL_RULES, find_rule
from keep_the_why_lint.report import FORMATS, as_text
from keep_the_why_lint.runner import Report, findings_to_know, lint_project, narrowed
from keep_the_why_lint.settling import is_chosen
from keep_the_why_lint.showing import WITHHELD, reads_as_directive, shown_path
from keep_the_why_lint.suppression import Baseline
from ktw.colour import shows_colour
from ktw.errors import (
    EXIT_BUG,
    EXIT_FINDINGS,
    EXIT_OK,
    KtwError,
    UsageError,
    visible,
)
from ktw.text.counting import counted
from ktw.text.escape import escape_line

if TYPE_CHECKING:
    from keep_the_why_lint.fixing import Wanted

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
    options = make_parser().parse_args(argv)
    options.paths = options.paths or [str(here or Path())]
    try:
        if options.rules:
            return _list_rules()
        if options.explain:
            return _explain(options.explain)
        return _lint(options, environment, verdicts_at)
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
    print(f"{NAME}: {_shown(error.what)}\n     {_shown(todo)}", file=sys.stderr)
    return error.exit_code


def _list_rules() -> int:
    for rule in ALL_RULES:
        summary = rule.documentation.partition("\n\n")[0].replace("\n", " ")
        print(f"{rule.code:<5} {rule.severity:<8} {rule.name}: {summary}")
    return EXIT_OK


def _explain(code: str) -> int:
    wanted = code.strip().upper()
    rule = find_rule(wanted)
    numbers = [(one, why) for one, why in meanings() if one.startswith(wanted)]
    if rule is None or (rule.code != wanted and not numbers):
        raise UsageError(
            f"there is no code '{visible(code)}'",
            f"The nearest is {nearest(wanted)}; --rules lists all.",
        )
    print(f"{rule.code} {rule.name} ({rule.severity})\n")
    for one, why in numbers:
        print(f"{one}: {why}")
    print(f"{chr(10) if numbers else ''}{rule.documentation}")
    return EXIT_OK


def _lint(
    options: argparse.Namespace, env: Mapping[str, str], verdicts_at: VerdictsAt | None
) -> int:
    select, ignore = parse_codes(options.select), parse_ignored(options.ignore)
    places = _places(options)
    check_use(options, len(places))
    annotate = options.github or env.get("GITHUB_ACTIONS") == "true"
    name = options.format or ("github" if annotate else "text")
    if options.fix or options.diff:
        _fix(places, options, lambda code: is_chosen(code, select, ignore), name == "text")
    if options.write_baseline is not None:
        _write_baseline(places, options, verdicts_at)
    home = _home(env) if options.setup else None
    options.select = select
    reports = [(place, _report(place.root, options, home, verdicts_at)) for place in places]
    report = joined([(place, narrowed(report, select, ignore)) for place, report in reports])
    if name == "text" and shows_colour(env, sys.stdout.isatty()):
        _echo(as_text(report, coloured=True))
    else:
        sys.stdout.write(FORMATS[name](report))
        sys.stdout.flush()
    _append_summary(options.summary, report)
    return EXIT_FINDINGS if _fails(report, options.strict) else EXIT_OK


def _echo(text: str) -> None:
    """Print coloured text, on every system's terminals."""
    import click  # most runs print into a file or a pipe

    click.echo(text, nl=False, color=True)


def _places(options: argparse.Namespace) -> list[Place]:
    """The projects that are named, or with --all every one below what is named."""
    roots = starts = [Path(path) for path in options.paths]
    for root in starts:
        if not _is_directory(root):
            raise UsageError(f"not a directory: {visible(str(root))}", "Nothing was checked.")
    if options.all:
        searches = [search_projects(start) for start in starts]
        for name in (name for search in searches for name in search.unlisted):
            print(f"{NAME}: cannot be listed: {_shown(name)}", file=sys.stderr)
        roots = [root for search in searches for root in search.roots]
    return place_projects(roots, starts, Path())


def _report(
    root: Path, options: argparse.Namespace, home: Path | None, verdicts_at: VerdictsAt | None
) -> Report:
    """What is to be said of one project, of all of it or of what a change brings."""
    baseline, today = _baseline(root, options), datetime.now(UTC).date()

    def check(verdicts: Verdicts | None) -> Report:
        if options.base is None:
            cache = open_cache(root) if options.cache else None
            return lint_project(root, home, verdicts, today, baseline, cache, options.select)
        from keep_the_why_lint.pull_request import lint_change  # git, which most runs do not need

        return lint_change(root, options.base, home, verdicts, today, baseline)

    try:
        verdicts = verdicts_at(root) if verdicts_at else None
    except KtwError:
        # What keeps trust from an answer (no context directory, a bad config) is often a finding.
        report = check(None)
        if not report.errors:
            raise
        return report
    return check(verdicts)


def _fix(
    places: Sequence[Place], options: argparse.Namespace, wanted: "Wanted", is_text: bool
) -> None:
    """Mend what can be mended, or only show it; beside data that is shown on standard error."""
    from keep_the_why_lint.fixing import plan_fixes, shown_diff, write_fixes

    out = sys.stdout if is_text else sys.stderr
    for place in places:
        plan = plan_fixes(read_project(place.root), place.root, wanted)
        if not options.diff:
            write_fixes(plan)
        for change in plan.changes:
            out.write(shown_diff(change, place.prefix))
            told = "would be mended" if options.diff else "mended"
            codes = ", ".join(change.codes)
            print(f"{NAME}: {told}: {_named(place, change.path)} ({codes})", file=out)
        for path, why in plan.left:
            print(f"{NAME}: left as it is: {_named(place, path)}: {_shown(why)}", file=out)


def _named(place: Place, path: str) -> str:
    return _shown(shown_path(f"{place.prefix}{path}"))


def _write_baseline(
    places: Sequence[Place], options: argparse.Namespace, verdicts_at: VerdictsAt | None
) -> None:
    for place in places:
        verdicts = verdicts_at(place.root) if verdicts_at else None
        known = findings_to_know(read_project(place.root, None, verdicts))
        path = Path(options.write_baseline or place.root / BASELINE_NAME)
        save_baseline(path, known)
        print(
            f"{NAME}: {counted(len(known), 'finding')} known in {_shown(str(path))}",
            file=sys.stderr,
        )


def _baseline(root: Path, options: argparse.Namespace) -> Baseline | None:
    """The baseline that was named or just written, else the project's own where it has one."""
    named = options.baseline or options.write_baseline
    if not named:
        return load_baseline(root / BASELINE_NAME, root, BASELINE_NAME)
    path = Path(named)
    found = load_baseline(path, path.parent, path.name)
    if found is None:
        raise UsageError(f"there is no baseline {visible(named)}", "Write it: --write-baseline")
    return found


def _append_summary(path: str | None, report: Report) -> None:
    if path:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{as_markdown(report, SUMMARY_BYTES)}\n")


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _home(env: Mapping[str, str]) -> Path:
    home = env.get("HOME")
    return Path(home) if home else Path.home()


def _fails(report: Report, strict: bool) -> bool:
    """The trust report asks a reviewer to look, so it has to be able to land under --strict too."""
    ordinary = any(finding.code[0] != "T" for finding in report.findings)
    return bool(report.errors or (strict and ordinary))


if __name__ == "__main__":
    sys.exit(main())
