"""Entries come into JSON and TOML texts and out of them again, and nothing else changes."""

import json
import re
import tomllib
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ktw.wiring import jsonc, toml
from ktw.wiring.documents import Broken, Json, Unfit
from ktw.wiring.entries import Entry, has, plain, state
from ktw.wiring.forms import FORMS, add_entries, remove_entries
from ktw.wiring.places import hook_command

JSON, TOML = FORMS["json"], FORMS["toml"]
SERVER = Entry(("mcpServers", "ktw"), {"command": "ktw", "args": ["mcp"]})
HOOK = {"hooks": [{"type": "command", "command": "ktw hook stop --agent claude-code"}]}
ENTRIES = [
    SERVER,
    Entry(("hooks", "Stop"), HOOK, True),
    Entry(("permissions", "deny"), "Bash(ktw trust:*)", True),
    Entry(("permissions", "deny"), "Bash(ktw review:*)", True),
]
TABLE = Entry(("mcp_servers", "ktw"), {"command": "ktw", "args": ["mcp"]})


def keeps_of(data: Json) -> Callable[[tuple[str, ...]], bool]:
    return lambda path: has(data, path)


# --- reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "a value is missing"),
        ('{\n"a": 1\n"b": 2}', 3, "a comma or } is missing"),
        ('{"a"\n\n: 1', 3, "a comma or } is missing"),
        ('{"a" 1}', 1, "a colon is missing"),
        ("{a: 1}", 1, "this is no JSON"),
        ('{\n\n"a": "\n"}', 3, "this is no JSON"),
        ('{"a": "\\x"}', 1, "unknown escape"),
        ("[1,,2]", 1, "a value is missing"),
        ("{,}", 1, "a key is missing"),
        ("{} {}", 1, "something follows the end"),
        ("/* open", 1, "this is no JSON"),
        ("[01]", 1, "this is no JSON"),
        ("[" * 300, 1, "nested too deep"),
    ],
)
def test_what_is_no_json_is_named_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(Broken, match=re.escape(why)) as found:
        jsonc.parse(text)
    assert found.value.line == line


def test_of_two_members_with_one_name_the_last_counts() -> None:
    assert jsonc.parse('{"a": 1, "a": 2}').value == {"a": 2}
    with pytest.raises(Unfit, match="`mcpServers` is there twice"):
        add_entries(JSON, '{"mcpServers": {}, "mcpServers": {}}', [SERVER])


LARGE_AND_BROKEN = [
    "[" * 200_000,
    '{"a": "' + "x" * 1_000_000,
    "/*" * 500_000,
    '{"a": 1' + " " * 500_000 + "@",
    '{"a": 1' + "/**/ // x\n" * 50_000 + "@",
    '{"a": 1 /*' + "* /" * 300_000,
]


@pytest.mark.parametrize("text", LARGE_AND_BROKEN)
def test_a_large_text_that_is_broken_ends_at_once(text: str) -> None:
    with pytest.raises(Broken):
        jsonc.parse(text)


@pytest.mark.parametrize(
    "text",
    ["[1, -0, 1.50, 1e400, 123456789012345678901234567890]", '{"a": "\\ud800", "a": 2, "b": null}',
     "[NaN]", "[Infinity]", "\ufeff{}", "[1,]", "{} x", '["\t"]', "[" * 300 + "]" * 300],
)  # fmt: skip
def test_a_plain_text_is_read_as_one_with_comments_is(text: str) -> None:
    def told(read: Callable[[], Json]) -> str:
        try:
            return repr(read())
        except Broken:
            return "broken"

    if not text.startswith("[["):  # only where it is changed does depth matter
        assert told(lambda: JSON.read(text)) == told(lambda: jsonc.parse(text).value)
    with pytest.raises((Broken, Unfit)):
        add_entries(JSON, text, [Entry(("a", "ktw"), 1)])


BLANKS = ["", " ", "\n", "\t", "\n\n   ", " // c\n", "/* x */", "/* a\n * b */ ", "// {\n"]
SCALARS: list[tuple[str, Json]] = [
    ("1", 1),
    ("-2.5e3", -2500.0),
    ("true", True),
    ("null", None),
    ('"a\\u00e9 // no"', "a\u00e9 // no"),
    ('"\\"}"', '"}'),
    ('"A"', "A"),
]
KEYS = ["mcpServers", "hooks", "permissions", "deny", "Stop", "x", "y z"]
blank = st.sampled_from(BLANKS)


def _joined(kind: str, items: list[tuple[str, str, Json]], blanks: list[str], tail: bool) -> str:
    opening, closing = ("{", "}") if kind == "object" else ("[", "]")
    gaps = [*blanks, *([""] * (4 * len(items) + 1 - len(blanks)))]
    pieces = [opening]
    for at, (key, text, _) in enumerate(items):
        before, middle, after, gap = gaps[4 * at : 4 * at + 4]
        name = f"{json.dumps(key)}{before}:{middle}" if kind == "object" else before
        comma = "," if at < len(items) - 1 or tail else ""
        pieces.append(f"{gap}{name}{text}{after}{comma}")
    return "".join((*pieces, gaps[-1], closing))


@st.composite
def containers(draw: st.DrawFn, inner: st.SearchStrategy[tuple[str, Json]]) -> tuple[str, Json]:
    kind = draw(st.sampled_from(["object", "array"]))
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=4))
    items = [(key, *draw(inner)) for key in keys]
    blanks = draw(st.lists(blank, max_size=4 * len(items) + 1))
    tail = bool(items) and draw(st.booleans())
    text = _joined(kind, items, blanks, tail)
    if kind == "object":
        return text, {key: value for key, _, value in items}
    return text, [value for _, _, value in items]


documents = st.recursive(st.sampled_from(SCALARS), containers, max_leaves=12)


@given(documents, blank, blank)
def test_a_text_is_read_as_what_it_says(
    document: tuple[str, Json], before: str, after: str
) -> None:
    text, value = document
    assert jsonc.parse(f"{before}{text}{after}").value == value


def squeezed(text: str) -> str:
    """A text whose empty containers hold no blanks: where one was filled, they are gone after."""
    return re.sub(r"([\[{])\s+(?=[\]}])", r"\1", text)


@given(documents.filter(lambda each: isinstance(each[1], dict)), blank, st.booleans())
def test_in_and_out_again_changes_nothing(
    document: tuple[str, Json], around: str, windows: bool
) -> None:
    text = f"{around}{document[0]}{around}"
    text = text.replace("\n", "\r\n") if windows else text
    data = JSON.read(text)
    try:
        there = add_entries(JSON, text, ENTRIES)
    except Unfit:
        assume(False)
    assert {state(JSON.read(there), entry) for entry in ENTRIES} == {"there"}
    assert squeezed(remove_entries(JSON, there, ENTRIES, keeps_of(data))) == squeezed(text)
    assert "\r\n" not in text or not re.search(r"(?<!\r)\n", there)


@given(documents.filter(lambda each: isinstance(each[1], dict)), st.sampled_from(KEYS))
def test_what_another_adds_meanwhile_stays(document: tuple[str, Json], key: str) -> None:
    text = document[0]
    other = Entry(("other", key), {"command": "other"})
    try:
        both = add_entries(JSON, add_entries(JSON, text, ENTRIES), [other])
        alone = add_entries(JSON, text, [other])
    except Unfit:
        assume(False)
    data = JSON.read(text)
    left = remove_entries(JSON, both, ENTRIES, keeps_of(data))
    assert JSON.read(left) == JSON.read(alone)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{\n\t"a": 1 // one\n}\n', ['\t"a": 1, // one', '\t"mcpServers": {', '\t\t"ktw": {']),
        ('{\n    "a": 1,\n}', ['    "a": 1,', '    "mcpServers": {', '        "ktw": {', "    },"]),
        ('{"a": 1}', ['{"a": 1, "mcpServers": {"ktw": {"command": "ktw", "args": ["mcp"]}}}']),
        ('{\n  "mcpServers": {}\n}', ['  "mcpServers": {', '    "ktw": {']),
    ],
)
def test_what_is_added_looks_like_what_is_there(text: str, lines: list[str]) -> None:
    there = add_entries(JSON, text, [SERVER]).splitlines()
    assert set(lines) <= set(there), there


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "no object"),
        ('"x"', "no object"),
        ('{"mcpServers": []}', "`mcpServers` is no object"),
        ('{"mcpServers": "x"}', "no object"),
    ],
)
def test_an_entry_without_a_place_is_not_forced(text: str, why: str) -> None:
    with pytest.raises(Unfit, match=why):
        JSON.add(text, [SERVER])


# --- whose an entry is -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "call", ["ktw", "/opt/my bin/ktw", "C:\\Python Apps\\ktw.exe", "./a'b/ktw"]
)
def test_an_entry_is_ours_wherever_ktw_lies(call: str) -> None:
    line = hook_command(call, "stop", "codex")
    assert plain(line) == "ktw hook stop --agent codex"
    assert plain({"command": call, "args": ["mcp"]}) == SERVER.value


@pytest.mark.parametrize("other", ["notktw mcp", "/bin/ktw-lint x", "echo ktw", "ktwx"])
def test_another_program_is_not_ours(other: str) -> None:
    assert plain(other) == other


def test_what_a_person_changed_is_known_as_that() -> None:
    entry = Entry(("hooks", "Stop"), HOOK, True)
    slower = {"hooks": [{**HOOK["hooks"][0], "timeout": 99}]}
    assert state({"hooks": {"Stop": [slower]}}, entry) == "changed"
    assert state({"hooks": {"Stop": [{"hooks": []}]}}, entry) == "absent"
    assert state({"mcpServers": {"ktw": {"command": "docker"}}}, SERVER) == "changed"
    elsewhere = {"mcpServers": {"ktw": {"command": "/x/ktw", "args": ["mcp"]}}}
    assert state(elsewhere, SERVER) == "elsewhere"


# --- TOML ------------------------------------------------------------------------------------

PARTS = [
    "# a comment\n",
    "\n",
    'model = "x"\n',
    '[mcp_servers.a]\ncommand = "a" # why\n',
    "[[list]]\nx = 1\n",
    '[other]\ntext = """\n[mcp_servers.ktw]\n"""\n',
    '[mcp_servers.b]\nargs = [\n  "x", # y\n]\n\n\n',
    "  [ indented . table ]\n  a.b = 1\n",
]


@given(st.lists(st.sampled_from(PARTS), unique=True), st.booleans())
def test_a_table_comes_and_goes(parts: list[str], windows: bool) -> None:
    text = "".join(sorted(parts, key=lambda part: part.startswith(("[", "  ["))))
    text = text.replace("\n", "\r\n") if windows else text
    there = add_entries(TOML, text, [TABLE])
    assert there.startswith(text) and tomllib.loads(there)["mcp_servers"]["ktw"] == TABLE.value
    if '"""' in text:
        return  # its lines look like the table: see below
    assert remove_entries(TOML, there, [TABLE], keeps_of(TOML.read(text))) == text
    assert "\r\n" not in text or not re.search(r"(?<!\r)\n", there)


def test_a_string_that_looks_like_the_table_is_not_taken_for_it() -> None:
    there = add_entries(TOML, PARTS[5], [TABLE])
    with pytest.raises(Unfit):
        remove_entries(TOML, there, [TABLE], lambda path: True)


@pytest.mark.parametrize("text", ["mcp_servers = {}\n", "mcp_servers = 1\n", "[[mcp_servers]]\n"])
def test_a_table_that_toml_has_no_place_for(text: str) -> None:
    with pytest.raises(Unfit):
        add_entries(TOML, text, [TABLE])


def test_what_is_no_toml_is_named_with_its_line() -> None:
    with pytest.raises(Broken) as found:
        toml.read('a = 1\nb = "\n')
    assert found.value.line == 2


def test_what_follows_the_table_stays() -> None:
    there = add_entries(TOML, "a = 1\n", [TABLE]) + "\n# mine\n[z]\nb = 1\n"
    assert (
        remove_entries(TOML, there, [TABLE], lambda path: False) == "a = 1\n\n# mine\n[z]\nb = 1\n"
    )


def test_numbers_that_equal_nothing_do_not_keep_a_table_out() -> None:
    text = "a = nan\nb = 1.50\n"
    there = add_entries(TOML, text, [TABLE])
    assert remove_entries(TOML, there, [TABLE], keeps_of(TOML.read(text))) == text


def test_a_key_of_very_many_parts_is_not_read() -> None:
    with pytest.raises(Broken, match="too many parts"):
        toml.read("a" + ".a" * 100_000 + " = 1\n")
    toml.read('[projects."/home/a.b/c.d"]\n' + "\n".join(f"x.y{n} = 1" for n in range(10_000)))


@pytest.mark.parametrize("name", ["'ktw'", '"ktw"', " ktw "])
def test_a_table_is_found_however_its_name_is_quoted(name: str) -> None:
    there = f'a = 1\n[mcp_servers.{name}]\ncommand = "ktw"\nargs = ["mcp"]\n'
    assert remove_entries(TOML, there, [TABLE], lambda path: False) == "a = 1\n"
