"""What each key of each block may hold: one table, for the linter, `ktw init` and the template.

It judges words and shapes only; where a path or URL may lead is for `ktw.boundaries`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ktw.config_shapes import (
    is_dated_interval,
    is_declined_version,
    is_defaults_source,
    is_filter,
    is_interval,
    is_state_url,
    is_update_interval,
    is_version,
)


class FieldSpec(NamedTuple):
    """What one key may hold.

    `values` are the allowed words; `shape` says in words what else is, and `accepts` decides
    that. A key with neither is judged elsewhere (paths and URLs: `ktw.boundaries`).
    `lenient`: a wrong value is worth a warning only.
    """

    key: str
    meaning: str
    values: tuple[str, ...] = ()
    shape: str = ""
    accepts: Callable[[str], bool] | None = None
    default: str | None = None
    required: bool = False
    repeatable: bool = False
    lenient: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values in words, as messages and the template state them."""
        return ", ".join((*self.values, self.shape) if self.shape else self.values)

    def allows(self, value: str) -> bool:
        """True when `value` fits, or when this table does not judge the key."""
        if value in self.values:
            return True
        return self.accepts(value) if self.accepts else not self.values


PLACEHOLDER_ID = "owner---project"

CONFIG_FIELDS = (
    FieldSpec(
        "id",
        "names this project and the file ~/.keep-the-why/<id>.md",
        shape="letters, digits, '.', '_' and '-'",
        default=PLACEHOLDER_ID,
    ),
    FieldSpec(
        "context",
        "the directory of the memories",
        shape="a directory inside the project",
        default="context/",
        required=True,
    ),
    FieldSpec("init", "setup has run", ("complete",), default="complete", required=True),
    FieldSpec(
        "context-schema",
        "the version of the format that the memories follow",
        shape="X.Y.Z",
        accepts=is_version,
        default="0.20.3",
        required=True,
    ),
    FieldSpec(
        "capture-confirmation",
        "when an agent asks before it records",
        ("automatic", "confirm-always", "confirm-when-unsure"),
        default="confirm-when-unsure",
        required=True,
    ),
    FieldSpec(
        "source-reference",
        "whether an entry states its source",
        ("always", "never"),
        "filtered \u2014 <criteria>",
        is_filter,
        default="never",
        required=True,
    ),
    FieldSpec("canonical", "the repository's address, a name only", shape="an https:// URL"),
    FieldSpec("root", "where this file sits below git's toplevel", shape="a relative directory"),
    FieldSpec("parent", "the project above this one", shape="an https:// URL or a relative path"),
    FieldSpec(
        "dashboard-state",
        "where the published state stands",
        shape="an https:// URL ending in .json",
        accepts=is_state_url,
    ),
    FieldSpec(
        "pinned-version",
        "the version of the vendored skill; with pinned-path or not at all",
        shape="X.Y.Z",
        accepts=is_version,
    ),
    FieldSpec(
        "pinned-path",
        "the vendored skill; with pinned-version or not at all",
        shape="a SKILL.md inside the project",
    ),
)

_INTERVAL = "every N days"
DEFAULTS_FIELDS = (
    FieldSpec(
        "capture-mode",
        "whether an agent records unasked",
        ("proactive", "explicit-only"),
        default="proactive",
    ),
    FieldSpec(
        "confirmation-flow",
        "how questions come",
        ("sequential", "batch"),
        default="sequential",
    ),
    FieldSpec(
        "update-check",
        "how often to look for a newer skill",
        ("no",),
        _INTERVAL,
        is_interval,
        default="every 14 days",
        lenient=True,
    ),
    FieldSpec(
        "consistency-check",
        "how often to look for conditions that have come true",
        ("no",),
        _INTERVAL,
        is_interval,
        default="every 30 days",
        lenient=True,
    ),
    FieldSpec(
        "pending-confirmation-check",
        "when to list what awaits confirmation",
        ("on-start", "no"),
        default="on-start",
    ),
    FieldSpec(
        "local-lint",
        "whether an agent lints after a change",
        ("auto", "ask", "no"),
        default="ask",
    ),
)

_SESSION = FieldSpec("session", "whether a person is there", ("attended", "unattended"))
_DATED = "every N days \u2014 last: YYYY-MM-DD"
PERSONAL_FIELDS = (
    *(spec for spec in DEFAULTS_FIELDS if not spec.lenient),
    FieldSpec(
        "update-check",
        "how often to look for a newer skill",
        ("no",),
        f"{_DATED} \u2014 on-failure: retry-quietly | disabled",
        is_update_interval,
        lenient=True,
    ),
    FieldSpec(
        "consistency-check",
        "how often to look for conditions that have come true",
        ("no",),
        _DATED,
        is_dated_interval,
        lenient=True,
    ),
    _SESSION,
    FieldSpec(
        "migration-prompt",
        "a migration that was declined",
        shape="X.Y.Z declined",
        accepts=is_declined_version,
        repeatable=True,
    ),
    FieldSpec(
        "source",
        "where these settings came from",
        shape="project defaults (confirmed YYYY-MM-DD | accepted automatically)",
        accepts=is_defaults_source,
        lenient=True,
    ),
)

GLOBAL_FIELDS = (
    FieldSpec(
        "personal-defaults-policy",
        "what to do with a project's defaults",
        ("always-ask", "auto-accept"),
    ),
    _SESSION,
    FieldSpec(
        "cache-refresh",
        "how often to refresh copies of family members",
        ("no",),
        _INTERVAL,
        is_interval,
        lenient=True,
    ),
    FieldSpec("cache-offline", "what to do without a network", ("ask", "read-stale", "stop")),
)

FIELDS: Mapping[str, tuple[FieldSpec, ...]] = MappingProxyType(
    {
        "config": CONFIG_FIELDS,
        "personal-defaults": DEFAULTS_FIELDS,
        "personal": PERSONAL_FIELDS,
        "global": GLOBAL_FIELDS,
    }
)

# What a new project starts with: block kind -> key -> value, in the order to write them.
DEFAULTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        kind: MappingProxyType({s.key: s.default for s in FIELDS[kind] if s.default is not None})
        for kind in ("config", "personal-defaults")
    }
)
