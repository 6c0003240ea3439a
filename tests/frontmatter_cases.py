"""Frontmatters that are good or bad, as data: the schema, the parser and the linter must agree.

`source` is the YAML between the fences. `ok` says whether it is free of errors (a warning, such
as an unknown field, does not count). `field` is the key at fault, "" where there is none. `kind`
is the kind of the problem: "field" for a wrong value, which the JSON Schema finds as well; any
other is a fault of the YAML itself, which only the parser can see.
"""

from dataclasses import dataclass

UUID = "2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c"
HASH = "sha256:" + "0123456789abcdef" * 4
CLAIM = (
    "trusted_at: 2026-11-29T21:00:00Z\n"
    "trusted_by: Ada Lovelace <ada@example.invalid>\n"
    f"content_hash: {HASH}\n"
)


@dataclass(frozen=True)
class Case:
    """One frontmatter and what must be said of it."""

    name: str
    source: str
    ok: bool
    field: str = ""
    kind: str = "field"


def _good(name: str, source: str) -> Case:
    return Case(name, source, ok=True)


def _bad(name: str, field: str, source: str) -> Case:
    return Case(name, source, ok=False, field=field)


def _broken(name: str, kind: str, source: str) -> Case:
    return Case(name, source, ok=False, kind=kind)


def _value(field: str, value: str) -> str:
    return f"origin: imported\n{field}: {value}\n"


GOOD = (
    _good("only-origin", "origin: owner\n"),
    _good(
        "all-fields",
        "origin: agent\nagent: claude-code\nkind: decision\ncreated_at: 2026-11-29T20:14:03Z\n"
        f"source: https://example.invalid/issues/12\nderived_from: [{UUID}]\nproposes: {UUID}\n"
        f"tags: [sync]\n{CLAIM}",
    ),
    _good("agent-without-name", "origin: agent\n"),
    _good("import-by-an-agent", "origin: imported\nagent: codex\n"),
    _good("comments", "# by hand\norigin: owner   # typed\n\nkind: rule\n"),
    _good("quoted-origin", "origin: \"owner\"\nkind: 'skill'\n"),
    _good("key-order", "tags: [a]\nkind: incident\norigin: derived\n"),
    _good("block-lists", f"origin: derived\nderived_from:\n  - {UUID}\n  - https://a.invalid/b\n"),
    _good("empty-lists", "origin: derived\nderived_from: []\ntags: []\n"),
    _good("tags-stay-strings", _value("tags", "[no, on, 1.10, 007, 2026-01-02, ~, null]")),
    _good("tags-of-other-scripts", _value("tags", '["база данных", 記憶]')),
    _good("day", _value("created_at", "2026-01-02")),
    _good("time-with-offset", _value("created_at", "2026-01-02T03:04:05+05:30")),
    _good("time-with-fraction", _value("created_at", "2026-01-02T03:04:05.123456Z")),
    _good("source-is-a-sentence", _value("source", "the incident review of March")),
    _good("source-with-quoted-colon", _value("source", '"Deploy: staging first"')),
    _good("source-looks-like-a-number", _value("source", "007")),
    _good("source-folded", "origin: imported\nsource: >-\n  one line,\n  written in two\n"),
    _good("unknown-field", _value("reviewed_in", "Lisbon")),
    _good("unknown-list", _value("aliases", "[one, two]")),
    _good("unknown-nested", _value("extra", "{a: b}")),
    _good("unknown-nested-list", _value("extra", "[[a]]")),
    _good(
        "fields-of-a-record",
        "status: accepted\ndate: 2024-03-07\ndecision-makers: [Ines, Bo]\nconsulted:\n"
        "  - the platform team\ninformed:\norigin: imported\nkind: decision\n",
    ),
    _good("hash-without-claim", _value("content_hash", HASH)),
    _good("longest-agent", f"origin: agent\nagent: {'a' * 40}\n"),
    _good("longest-source", _value("source", "s" * 2048)),
    _good("longest-tag", _value("tags", f"[{'t' * 64}]")),
)

BAD_ORIGINS = (
    _bad("empty", "origin", ""),
    _bad("only-a-comment", "origin", "# nothing here\n"),
    _bad("foreign-frontmatter", "origin", "title: A note\naliases: [note]\n"),
    _bad("origin-missing", "origin", "kind: decision\n"),
    _bad("origin-misspelt", "origin", "orgin: imported\n"),
    _bad("origin-empty", "origin", "origin:\n"),
    _bad("origin-yes", "origin", "origin: yes\n"),
    _bad("origin-null", "origin", "origin: null\n"),
    _bad("origin-capital", "origin", "origin: Owner\n"),
    _bad("origin-with-blank", "origin", 'origin: "owner "\n'),
    _bad("origin-look-alike", "origin", "origin: \u043ewner\n"),
    _bad("origin-zero-width", "origin", 'origin: "owner\\u200b"\n'),
    _bad("origin-list", "origin", "origin: [owner]\n"),
    _bad("origin-mapping", "origin", "origin: {owner: agent}\n"),
    _bad("origin-two-words", "origin", "origin: owner agent\n"),
    _bad("owner-with-agent", "agent", "origin: owner\nagent: claude-code\n"),
)

BAD_VALUES = (
    _bad("agent-empty", "agent", "origin: agent\nagent:\n"),
    _bad("agent-capital", "agent", "origin: agent\nagent: Claude\n"),
    _bad("agent-with-blank", "agent", "origin: agent\nagent: claude code\n"),
    _bad("agent-too-long", "agent", f"origin: agent\nagent: {'a' * 41}\n"),
    _bad("agent-line-end", "agent", 'origin: agent\nagent: "codex\\n"\n'),
    _bad("kind-unknown", "kind", _value("kind", "note")),
    _bad("kind-capital", "kind", _value("kind", "Rule")),
    _bad("kind-list", "kind", _value("kind", "[rule, skill]")),
    _bad("kind-empty", "kind", _value("kind", "")),
    _bad("created-words", "created_at", _value("created_at", "yesterday")),
    _bad("created-no-zone", "created_at", _value("created_at", "2026-01-02T03:04:05")),
    _bad("created-blank", "created_at", _value("created_at", "2026-01-02 03:04:05Z")),
    _bad("created-month-13", "created_at", _value("created_at", "2026-13-02")),
    _bad("created-day-0", "created_at", _value("created_at", "2026-01-00")),
    _bad("created-hour-24", "created_at", _value("created_at", "2026-01-02T24:00:00Z")),
    _bad("created-short", "created_at", _value("created_at", "2026-1-2")),
    _bad("created-other-digits", "created_at", _value("created_at", '"٢٠٢٦-٠١-٠٢"')),
    _bad("created-line-end", "created_at", _value("created_at", '"2026-01-02\\n"')),
    _bad("source-empty", "source", _value("source", '""')),
    _bad("source-list", "source", _value("source", "[one, two]")),
    _bad("source-lines", "source", "origin: imported\nsource: |\n  one\n  two\n"),
    _bad("source-escape", "source", _value("source", '"a\\e[31mb"')),
    _bad("source-separator", "source", _value("source", '"a\\u2028b"')),
    _bad("source-too-long", "source", _value("source", "s" * 2049)),
    _bad("derived-scalar", "derived_from", _value("derived_from", UUID)),
    _bad("derived-nothing", "derived_from", _value("derived_from", "")),
    _bad("derived-words", "derived_from", _value("derived_from", "[the wiki]")),
    _bad("derived-capitals", "derived_from", _value("derived_from", f"[{UUID.upper()}]")),
    _bad("derived-script", "derived_from", _value("derived_from", '["javascript:alert(1)"]')),
    _bad("derived-file", "derived_from", _value("derived_from", '["file:///etc/passwd"]')),
    _bad("derived-nested", "derived_from", _value("derived_from", f"[[{UUID}]]")),
    _bad(
        "derived-too-many", "derived_from", _value("derived_from", f"[{', '.join([UUID] * 201)}]")
    ),
    _bad("proposes-slug", "proposes", _value("proposes", "sync-snapshot")),
    _bad("proposes-list", "proposes", _value("proposes", f"[{UUID}]")),
    _bad("proposes-version-1", "proposes", _value("proposes", UUID.replace("-4c6e-", "-1c6e-"))),
    _bad("proposes-nil", "proposes", _value("proposes", "00000000-0000-0000-0000-000000000000")),
    _bad("tags-scalar", "tags", _value("tags", "sync")),
    _bad("tags-twice", "tags", _value("tags", "[sync, sync]")),
    _bad("tags-empty-item", "tags", _value("tags", '[sync, ""]')),
    _bad("tags-blank-at-end", "tags", _value("tags", '["sync "]')),
    _bad("tags-line-end", "tags", _value("tags", '["sync\\n"]')),
    _bad("tags-mapping", "tags", _value("tags", "[{a: b}]")),
    _bad("tags-too-long", "tags", _value("tags", f"[{'t' * 65}]")),
    _bad("tags-too-many", "tags", _value("tags", f"[{', '.join(f't{i}' for i in range(33))}]")),
)

BAD_CLAIMS = (
    _bad("claim-bare-day", "trusted_at", "origin: owner\n" + CLAIM.replace("T21:00:00Z", "")),
    _bad(
        "claim-true",
        "trusted_at",
        "origin: owner\n" + CLAIM.replace("2026-11-29T21:00:00Z", "true"),
    ),
    _bad("claim-no-zone", "trusted_at", "origin: owner\n" + CLAIM.replace("00Z", "00")),
    _bad("claim-without-name", "trusted_by", "origin: owner\n" + CLAIM.replace("trusted_by", "by")),
    _bad("claim-without-time", "trusted_at", "origin: owner\n" + CLAIM.replace("trusted_at", "at")),
    _bad(
        "claim-without-hash", "content_hash", "origin: owner\n" + CLAIM.replace("content_hash", "h")
    ),
    _bad(
        "claim-name-only",
        "trusted_by",
        "origin: owner\n" + CLAIM.replace(" <ada@example.invalid>", ""),
    ),
    _bad(
        "claim-address-only", "trusted_by", "origin: owner\n" + CLAIM.replace("Ada Lovelace ", "")
    ),
    _bad(
        "hash-upper-case", "content_hash", _value("content_hash", HASH.replace("abcdef", "ABCDEF"))
    ),
    _bad("hash-short", "content_hash", _value("content_hash", HASH[:-1])),
    _bad("hash-other-label", "content_hash", _value("content_hash", HASH.replace("256", "512"))),
    _bad("hash-bare", "content_hash", _value("content_hash", HASH.removeprefix("sha256:"))),
)

BROKEN = (
    _broken("colon-in-value", "yaml", "title: Deploy: staging first\norigin: imported\n"),
    _broken("tab-indent", "yaml", "origin: imported\ntags:\n\t- a\n"),
    _broken("unclosed-list", "yaml", "origin: imported\ntags: [a, b\n"),
    _broken("unclosed-quote", "yaml", 'origin: "imported\n'),
    _broken("second-document", "yaml", "origin: imported\n--- owner\n"),
    _broken("hidden-line-end", "yaml", "kind: rule \u2028origin: owner\norigin: imported\n"),
    _broken("scalar", "not-a-mapping", "just a sentence\n"),
    _broken("list", "not-a-mapping", "- origin: owner\n"),
    _broken("flow", "not-a-mapping", "{origin: owner}\n"),
    _broken("key-twice", "duplicate-key", "origin: imported\norigin: owner\n"),
    _broken("key-twice-quoted", "duplicate-key", 'origin: imported\n"origin": owner\n'),
    _broken("key-twice-escaped", "duplicate-key", 'origin: imported\n"\\x6frigin": owner\n'),
    _broken("key-twice-below", "duplicate-key", "origin: imported\nextra: {a: 1, a: 2}\n"),
    _broken("anchor", "alias", "origin: &o imported\n"),
    _broken("alias", "alias", "source: &o owner\norigin: *o\n"),
    _broken("merge-key", "alias", "base: &b {origin: owner}\n<<: *b\n"),
    _broken("tag", "tag", "origin: !!str imported\n"),
    _broken("tag-that-constructs", "tag", "source: !!python/name:os.system x\n"),
    _broken("tag-custom", "tag", "origin: !owner imported\n"),
    _broken(
        "conflict",
        "conflict-marker",
        "<<<<<<< HEAD\norigin: imported\n=======\norigin: owner\n>>>>>>> branch\n",
    ),
    _broken("too-large", "too-large", "origin: imported\n# " + "x" * (64 * 1024) + "\n"),
)

CASES: tuple[Case, ...] = (*GOOD, *BAD_ORIGINS, *BAD_VALUES, *BAD_CLAIMS, *BROKEN)
