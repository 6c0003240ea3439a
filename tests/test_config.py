"""The blocks of `.keep-the-why`, the table of their keys, and the template that shows them."""

import time
from pathlib import Path

import pytest

from ktw import config, config_fields
from ktw.boundaries import Unreadable
from ktw.config import Config, parse_config

REPOSITORY = Path(__file__).resolve().parent.parent
TEXT = """\
Some words first.
<!-- keep-the-why:config -->
- id: owner---project
- context: `notes/`
  - context-schema: 0.18.1
- source-reference: filtered \u2014 only tickets
not a field
- source-reference:   always
<!-- /keep-the-why:config -->
- id: after the block
<!-- keep-the-why:children -->
- part: packages/part \u2014 what belongs there
<!-- keep-the-why:children -->
"""


def test_parse_config() -> None:
    parsed = parse_config(TEXT)
    block = parsed.block("config")
    assert block is not None and block.closed and block.line == 2
    assert [field.key for field in block.fields] == [
        "id",
        "context",
        "context-schema",
        "source-reference",
        "source-reference",
    ]
    assert [field.line for field in block.all("source-reference")] == [6, 8]
    assert parsed.value("context") == "notes/"
    assert parsed.value("none") is None
    assert config.schema_version(parsed) == (0, 18, 1)
    children = parsed.block("children")
    assert children is not None and not children.closed and children.extra_markers == (13,)
    assert parsed.block("global") is None


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("\n", "\r"), ("Some", "\ufeffSome")])
def test_line_ends_and_bom_change_nothing(change: tuple[str, str]) -> None:
    assert parse_config(TEXT.replace(*change)) == parse_config(TEXT)


def test_a_bom_before_the_marker_hides_nothing() -> None:
    assert parse_config("\ufeff<!-- keep-the-why:config -->\n- id: a\n").value("id") == "a"


def test_an_unclosed_block_runs_to_the_end() -> None:
    block = parse_config("<!-- keep-the-why:config -->\n- id: a\n- init: complete").block("config")
    assert block is not None and not block.closed and len(block.fields) == 2


@pytest.mark.parametrize(
    "value", ["", "1.2", "v1.2.3", "1.2.3.4", "\u0661.2.3", "9" * 5000 + ".0.0"]
)
def test_schema_falls_back(value: str) -> None:
    text = f"<!-- keep-the-why:config -->\n- context-schema: {value}\n"
    assert config.schema_version(parse_config(text)) == (0, 2, 0)
    assert config.schema_version(parse_config("")) == (0, 2, 0)


def test_split_value_and_reference() -> None:
    assert config.split_value("undefined \u2014 a \u2014 b") == ("undefined", "a \u2014 b")
    assert config.split_value("plain") == ("plain", "")
    assert config.split_value("a-b") == ("a-b", "")
    assert config.split_reference("a.md#x \u2013 id - as of 2026-01-02") == (
        "a.md#x",
        "id",
        "as of 2026-01-02",
    )
    assert config.split_reference("a.md \u2014 id") is None


def _allows(kind: str, key: str, value: str) -> bool:
    spec = next(spec for spec in config_fields.FIELDS[kind] if spec.key == key)
    return spec.allows(value)


@pytest.mark.parametrize(
    ("kind", "key", "good", "bad"),
    [
        ("config", "init", ["complete"], ["", "Complete", "pending"]),
        ("config", "context-schema", ["0.20.3"], ["0.20", "v0.20.3"]),
        (
            "config",
            "source-reference",
            ["always", "never", "filtered \u2014 x", "filtered: x", "filtered x"],
            ["filtered", "filtered \u2014 ", "filtered:", "sometimes", ""],
        ),
        (
            "config",
            "dashboard-state",
            ["https://h/a/state.json"],
            ["http://h/s.json", "https://h/s", "https://h/ s.json", "https://h/\x1b.json"],
        ),
        ("personal-defaults", "update-check", ["no", "every 1 day", "every 14  days"], ["daily"]),
        ("personal-defaults", "local-lint", ["auto", "ask", "no"], ["yes"]),
        (
            "personal",
            "update-check",
            [
                "no",
                "every 3 days",
                "every 3 days \u2014 last: 2026-01-02",
                "every 3 days \u2014 last: 2026-01-02 \u2014 on-failure: disabled",
                "every 3 days - on-failure: retry-quietly",
            ],
            [
                "every 3 days \u2014 last: soon",
                "every 3 days \u2014 on-failure: disabled \u2014 last: 2026-01-02",
            ],
        ),
        (
            "personal",
            "consistency-check",
            ["every 3 days \u2014 last: 2026-01-02"],
            ["every 3 days \u2014 on-failure: disabled"],
        ),
        ("personal", "migration-prompt", ["0.18.0 declined"], ["0.18.0", "0.18 declined"]),
        (
            "personal",
            "source",
            [
                "project defaults (confirmed 2026-01-02)",
                "project defaults (accepted automatically)",
            ],
            ["project defaults", "project defaults (confirmed)", "mine"],
        ),
        ("global", "cache-offline", ["ask", "read-stale", "stop"], ["go"]),
        ("global", "session", ["attended", "unattended"], ["away"]),
    ],
)
def test_what_each_key_may_hold(kind: str, key: str, good: list[str], bad: list[str]) -> None:
    for value in good:
        assert _allows(kind, key, value), value
    for value in bad:
        assert not _allows(kind, key, value), value


def test_defaults_obey_their_own_table() -> None:
    for kind, values in config_fields.DEFAULTS.items():
        for key, value in values.items():
            assert _allows(kind, key, value), key
    required = {spec.key for spec in config_fields.CONFIG_FIELDS if spec.required}
    assert required <= set(config_fields.DEFAULTS["config"])


def _example() -> tuple[str, Config]:
    text = (REPOSITORY / ".keep-the-why.example").read_text(encoding="utf-8")
    return text, parse_config(text)


def test_the_example_holds_exactly_the_defaults() -> None:
    _, parsed = _example()
    assert set(parsed.blocks) == set(config_fields.DEFAULTS)
    for kind, values in config_fields.DEFAULTS.items():
        block = parsed.block(kind)
        assert block is not None and block.closed and not block.extra_markers
        assert [(field.key, field.value) for field in block.fields] == list(values.items())


def test_the_example_names_every_key_with_what_it_may_hold() -> None:
    text, _ = _example()
    lines = text.splitlines()
    for kind in config_fields.DEFAULTS:
        for spec in config_fields.FIELDS[kind]:
            optional = " (optional)" if kind == "config" and spec.default is None else ""
            at = lines.index(f"# {spec.key}: {spec.meaning}{optional}")
            assert lines[at + 1] == f"#   {spec.allowed}"
            assert lines[at + 2].removeprefix("# ").startswith(f"- {spec.key}: ")


def test_the_examples_optional_keys_are_valid_when_used() -> None:
    text, _ = _example()
    parsed = parse_config(text.replace("\n# - ", "\n- "))
    block = parsed.block("config")
    assert block is not None
    for field in block.fields:
        assert _allows("config", field.key, field.value), field.key


def test_format_block_is_read_back() -> None:
    for kind, values in config_fields.DEFAULTS.items():
        block = parse_config(config.format_block(kind, values)).block(kind)
        assert block is not None and block.closed
        assert {field.key: field.value for field in block.fields} == dict(values)


def test_load_config(tmp_path: Path) -> None:
    block = "<!-- keep-the-why:config -->\n- init: complete\n<!-- /keep-the-why:config -->\n"
    assert config.load_config(tmp_path) is None
    (tmp_path / "AGENTS.md").write_text("# Agents\n")
    assert config.load_config(tmp_path) is None
    (tmp_path / "AGENTS.md").write_text(f"# Agents\n{block}")
    legacy = config.load_config(tmp_path)
    assert legacy is not None and legacy.legacy and legacy.path == "AGENTS.md"
    (tmp_path / ".keep-the-why").write_bytes(b"\xff\n" + block.encode())
    loaded = config.load_config(tmp_path)
    assert loaded is not None and not loaded.legacy and loaded.value("init") == "complete"


def test_load_config_follows_no_link_out(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").write_text("<!-- keep-the-why:config -->\n")
    (tmp_path / "project" / ".keep-the-why").symlink_to("../elsewhere")
    with pytest.raises(Unreadable):
        config.load_config(tmp_path / "project")


@pytest.mark.parametrize(
    "text",
    [
        "-" + " " * 1_000_000,
        "- key:" + " \u2014" * 300_000,
        " " * 1_000_000 + "x",
        "- a: b\n" * 140_000,
        "<!-- keep-the-why:config -->\n" * 30_000,
    ],
)
def test_a_megabyte_takes_no_time(text: str) -> None:
    start = time.process_time()
    parse_config(text)
    config.split_value(text)
    config.split_reference(text)
    for spec in config_fields.PERSONAL_FIELDS:
        spec.allows(text)
    assert time.process_time() - start < 1
