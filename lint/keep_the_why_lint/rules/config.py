"""Rules about the blocks of `.keep-the-why`: markers, keys and values. No path is judged here."""

from collections.abc import Iterator

from keep_the_why_lint.project import PlacedBlock, Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from ktw.config import KNOWN_SCHEMA, Field, parse_version
from ktw.config_fields import FIELDS, FieldSpec

_SINCE_ID = (0, 10, 0)


def _specs(placed: PlacedBlock) -> tuple[FieldSpec, ...]:
    return FIELDS.get(placed.block.kind, ())


def _judged(project: Project) -> Iterator[tuple[PlacedBlock, FieldSpec, Field]]:
    """Every field that the table of values judges: the first of its key, or all it repeats."""
    for placed in project.blocks:
        for spec in _specs(placed):
            found = placed.block.all(spec.key)
            for field in found if spec.repeatable else found[:1]:
                yield placed, spec, field


@rule("E001", "project")
def no_config_block(project: Project) -> Iterator[Found]:
    """The project has no config block.

    Why: without it nothing says where the memories are, so nothing can be checked.
    Fix: run `ktw init`, or copy `.keep-the-why.example` to `.keep-the-why`.
    Bad: a `.keep-the-why` without `<!-- keep-the-why:config -->`.
    Good: a block between that marker and `<!-- /keep-the-why:config -->`.
    """
    if project.config is None and all(unread.kind == "not-a-file" for unread in project.unread):
        yield Found(
            0,
            "there is no .keep-the-why, and AGENTS.md has no config block: `ktw init` writes one",
            project.path,
        )
    elif project.config is not None and project.config_block is None:
        yield Found(0, "the file has no keep-the-why:config block", project.path)


@rule("E002", "project")
def required_field_missing(project: Project) -> Iterator[Found]:
    """A required key is absent from the config block.

    Why: agents and tools would have to guess what the project wants.
    Fix: add the key; `.keep-the-why.example` shows each with its allowed values.
    Bad: a config block without `- init: complete`.
    Good: `id`, `context`, `init`, `capture-confirmation` and `source-reference` all present.
    """
    block = project.config_block
    if block is None or project.config is None:
        return
    required = [spec.key for spec in FIELDS["config"] if spec.required]
    if project.schema >= _SINCE_ID and not project.config.legacy:
        required.append("id")
    for key in required:
        if key != "context-schema" and block.first(key) is None:
            yield Found(block.line, f"the config block lacks the required key '{key}'")


@rule("E003", "project")
def value_not_allowed(project: Project) -> Iterator[Found]:
    """A value is outside its set, or not of its shape.

    Why: a value that is nearly right is read as something else, or as nothing.
    Fix: use one of the values that the message lists.
    Bad: `- init: yes`
    Good: `- init: complete`
    """
    for placed, spec, field in _judged(project):
        if not spec.lenient and not spec.allows(field.value):
            message = f"{spec.key} {quoted(field.value)} is not one of: {spec.allowed}"
            yield Found(field.line, message, placed.path)
    for fault in project.faults:
        if fault.kind == "shape" and fault.concern in ("id", "canonical", "root", "parent"):
            yield Found(fault.line, fault.message)


@rule("E004", "project")
def field_repeated(project: Project) -> Iterator[Found]:
    """A key stands twice in one block.

    Why: only the first is read, and nobody can tell which one was meant.
    Fix: delete the line that is wrong.
    Bad: two `- init:` lines.
    Good: one line per key (`migration-prompt` alone may repeat).
    """
    for placed in project.blocks:
        repeatable = {spec.key for spec in _specs(placed) if spec.repeatable}
        seen: dict[str, int] = {}
        for field in placed.block.fields:
            seen[field.key] = seen.get(field.key, 0) + 1
            if seen[field.key] == 2 and field.key not in repeatable:
                first = placed.block.first(field.key)
                line = first.line if first else field.line
                message = f"'{field.key}' is already set on line {line} of this block"
                yield Found(field.line, message, placed.path)


@rule("E005", "project")
def field_unknown(project: Project) -> Iterator[Found]:
    """A block holds a key that the format does not know.

    Why: a misspelt key is silently ignored, and the setting it meant keeps its default.
    Fix: correct the spelling or delete the line.
    Bad: `- capture-confirm: automatic`
    Good: `- capture-confirmation: automatic`
    """
    for placed in project.blocks:
        known = [spec.key for spec in _specs(placed)]
        reported: set[str] = set(known)
        for field in placed.block.fields if known else ():
            if field.key not in reported:
                reported.add(field.key)
                message = f"{quoted(field.key)} is no {placed.block.kind} key: {', '.join(known)}"
                yield Found(field.line, message, placed.path)


@rule("E008", "project")
def date_in_defaults(project: Project) -> Iterator[Found]:
    """The shared defaults carry a date of last execution.

    Why: when something last ran is each developer's own fact; a shared one is always wrong.
    Fix: remove the `last:` part.
    Bad: `- update-check: every 14 days — last: 2026-01-02` in `personal-defaults`.
    Good: `- update-check: every 14 days`
    """
    for placed in project.blocks:
        seen: set[str] = set()
        for field in placed.block.fields if placed.block.kind == "personal-defaults" else ():
            if field.key not in seen and "last:" in field.value:
                yield Found(field.line, f"'{field.key}' carries a 'last:' date in shared defaults")
            seen.add(field.key)


@rule("E010", "project")
def id_not_a_file_name(project: Project) -> Iterator[Found]:
    """The id cannot safely name a file.

    Why: it names `~/.keep-the-why/<id>.md`; a separator in it would lead elsewhere.
    Fix: use letters, digits, `.`, `_` and `-`, at most 200 characters, no device name.
    Bad: `- id: ../../etc/passwd`
    Good: `- id: owner---project`
    """
    for fault in project.faults:
        if fault.concern == "id" and fault.kind == "outside":
            yield Found(fault.line, fault.message)


@rule("E011", "project")
def block_not_closed(project: Project) -> Iterator[Found]:
    """A block is opened and never closed.

    Why: where it ends is a guess; everything to the end of the file counts as part of it.
    Fix: add the closing marker after the last key.
    Bad: `<!-- keep-the-why:config -->` alone.
    Good: the same, and `<!-- /keep-the-why:config -->` after the keys.
    """
    for placed in project.blocks:
        if not placed.block.closed:
            kind = placed.block.kind
            message = f"the keep-the-why:{kind} block that opens here has no closing marker"
            yield Found(placed.block.line, message, placed.path)


@rule("E012", "project")
def block_opened_twice(project: Project) -> Iterator[Found]:
    """A second opening marker of the same kind.

    Why: only the first block is read; what the second one says has no effect.
    Fix: merge the blocks into one.
    Bad: two `<!-- keep-the-why:config -->` lines in a file.
    Good: one.
    """
    for placed in project.blocks:
        for line in placed.block.extra_markers:
            kind = placed.block.kind
            message = f"a keep-the-why:{kind} block already opens on line {placed.block.line}"
            yield Found(line, message, placed.path)


@rule("E013", "project")
def settings_without_block(project: Project) -> Iterator[Found]:
    """A settings file in the home directory lacks its block (only with `--setup`).

    Why: the file is there, but none of the settings in it count.
    Fix: put the settings between the markers of their block.
    Bad: `~/.keep-the-why/config` without `<!-- keep-the-why:global -->`.
    Good: the same file with the `global` block.
    """
    for path, kind in project.setup.without_block if project.setup else ():
        yield Found(0, f"the file has no keep-the-why:{kind} block", path)


@rule("W001", "project")
def no_schema(project: Project) -> Iterator[Found]:
    """The config does not say which context-schema the memories follow.

    Why: 0.2.0 is assumed, and most checks are newer than that.
    Fix: add `- context-schema: 0.20.3` (the version your files really follow).
    Bad: a config block without `context-schema`.
    Good: `- context-schema: 0.20.3`
    """
    block = project.config_block
    if block is not None and block.first("context-schema") is None:
        yield Found(block.line, "no context-schema is given, so 0.2.0 is assumed")


@rule("W002", "project")
def interval_shape(project: Project) -> Iterator[Found]:
    """An interval or a provenance note is not of its documented shape.

    Why: a tool that reads it falls back to its own default.
    Fix: write it as the message shows.
    Bad: `- update-check: weekly`
    Good: `- update-check: every 7 days`
    """
    for placed, spec, field in _judged(project):
        if spec.lenient and not spec.allows(field.value.strip()):
            message = f"{spec.key} {quoted(field.value)} is not one of: {spec.allowed}"
            yield Found(field.line, message, placed.path)


@rule("W003", "project")
def schema_newer_than_known(project: Project) -> Iterator[Found]:
    """The context-schema is newer than any this linter knows.

    Why: rules that came with it are not checked.
    Fix: update the linter, or correct the version.
    Bad: `- context-schema: 99.0.0`
    Good: `- context-schema: 0.20.3`
    """
    found = project.config_block.first("context-schema") if project.config_block else None
    version = parse_version(found.value) if found else None
    if found and version and version > KNOWN_SCHEMA:
        known = ".".join(str(part) for part in KNOWN_SCHEMA)
        message = f"context-schema {quoted(found.value)} is newer than {known}, the newest known"
        yield Found(found.line, message)


@rule("W004", "project")
def no_personal_settings(project: Project) -> Iterator[Found]:
    """This developer has no settings for the project (only with `--setup`).

    Why: an agent will ask, or use the shared defaults.
    Fix: let the skill's personal setup run once, or write the file.
    Bad: no `~/.keep-the-why/<id>.md`.
    Good: that file with a `personal` block.
    """
    if project.setup is None:
        return
    if not project.setup.personal_path:
        message = "the config has no usable id, so no personal settings can be found"
        yield Found(0, message, project.path)
    for path in project.setup.missing:
        yield Found(0, "there are no personal settings for this project on this machine", path)


RULES: tuple[Rule[Project], ...] = (
    no_config_block,
    required_field_missing,
    value_not_allowed,
    field_repeated,
    field_unknown,
    date_in_defaults,
    id_not_a_file_name,
    block_not_closed,
    block_opened_twice,
    settings_without_block,
    no_schema,
    interval_shape,
    schema_newer_than_known,
    no_personal_settings,
)
