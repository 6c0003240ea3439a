"""Rules about what keeps findings out of a report: the ignores of the config and the baseline."""

from collections.abc import Iterator

from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.suppression import NOT_EVERYWHERE, Settled


def _faults(settled: Settled, kind: str) -> Iterator[Found]:
    for fault in settled.ignores.faults:
        if fault.kind == kind:
            yield Found(fault.line, fault.message, settled.ignores.path)


@rule("I101", "run")
def ignore_malformed(settled: Settled) -> Iterator[Found]:
    """A line of the `keep-the-why:lint` block ignores nothing: its form, its code or its reason.

    Why: who reads the report later has to know what was left out and why that was right.
    Fix: write `- ignore CODE: reason`, or `- ignore CODE in context/old-*.md: reason`.
    Bad: `- ignore W101`
    Good: `- ignore W101 in context/adr-*.md: written before entries had a Type`
    """
    yield from _faults(settled, "malformed")


@rule("I102", "run")
def ignore_refused(settled: Settled) -> Iterator[Found]:
    """An ignore names findings that cannot be ignored.

    Why: paths that lead out, hidden text, imitations of the frame and secrets are what a reviewer
    has to see; whoever can add them could add the ignore too.
    Fix: remove the line and mend what is found.
    Bad: `- ignore H101: our editor adds these`
    Good: the text without the hidden characters.
    """
    yield from _faults(settled, "refused")


@rule("I103", "run", severity="warning")
def ignore_unused(settled: Settled) -> Iterator[Found]:
    """An ignore matched nothing.

    Why: it waits for a finding that nobody has seen yet.
    Fix: remove the line, or correct its code or paths.
    Bad: an ignore for a file that was mended since.
    Good: a block that names only what is still there.
    """
    for ignore in settled.ignores.lines:
        if ignore.line not in settled.used and ignore.code not in NOT_EVERYWHERE:
            where = f" in {quoted(ignore.paths)}" if ignore.paths else ""
            message = f"nothing to ignore: no other finding of {ignore.code}{where}"
            yield Found(ignore.line, message, settled.ignores.path)


@rule("I104", "run")
def baseline_malformed(settled: Settled) -> Iterator[Found]:
    """The baseline, or a line of it, cannot be used.

    Why: what it was meant to put off is reported, or may never be put off.
    Fix: settle the merge if it holds one, then run `keep-the-why-lint --write-baseline`.
    Bad: a baseline with conflict markers, or with a line for a hidden character.
    Good: the file as the linter wrote it.
    """
    for line, message in settled.baseline.faults if settled.baseline else ():
        yield Found(line, message, settled.baseline.path if settled.baseline else "")


@rule("I105", "run", severity="warning")
def baseline_outdated(settled: Settled) -> Iterator[Found]:
    """The baseline knows findings that are no longer there.

    Why: a new finding of the same form would pass in their place.
    Fix: run `keep-the-why-lint --write-baseline`, which drops them.
    Bad: a baseline that still knows what was mended.
    Good: one that gets shorter with every correction.
    """
    for known, matched in settled.missed:
        code, path, _ = known.fingerprint
        message = f"{matched} of {known.count} {quoted(code)} in {quoted(path)} are still found"
        yield Found(known.line, message, settled.baseline.path if settled.baseline else "")


RULES: tuple[Rule[Settled], ...] = (
    ignore_malformed,
    ignore_refused,
    ignore_unused,
    baseline_malformed,
    baseline_outdated,
)
