"""Frontmatter: one answer from both readers, every scalar as written, edits that touch one key."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from frontmatter_cases import BROKEN, CASES, Case
from ktw.frontmatter import (
    MAX_SOURCE_BYTES,
    NotEditable,
    Value,
    _read_plain_lines,
    edit_source,
    format_source,
    parse,
    split,
)
from ktw.frontmatter_events import read_events
from ktw.memory import FRONTMATTER_FIELDS

# --- split -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "source", "body", "line"),
    [
        ("---\na: b\n---\n# T\n", "a: b\n", "# T\n", 4),
        ("---\n---\n", "", "", 3),
        ("--- \t\na: b\n---\t\nx", "a: b\n", "x", 4),
        ("---\na: b\n---", "a: b\n", "", 4),
        ("---\na: |\n  ---\n---\nx", "a: |\n  ---\n", "x", 5),
        ("---\n\n---\n---\nx", "\n", "---\nx", 4),
    ],
)
def test_split_at_the_fences(text: str, source: str, body: str, line: int) -> None:
    found = split(text)
    assert (found.source, found.body, found.body_line) == (source, body, line)
    assert not found.problems


@pytest.mark.parametrize(
    "text", ["", "# T\n", " ---\na: b\n---\n", "\n---\na: b\n---\n", "----\na: b\n----\n", "---x\n"]
)
def test_without_a_fence_on_the_first_line_all_is_body(text: str) -> None:
    found = split(text)
    assert (found.source, found.body, found.body_line, found.problems) == (None, text, 1, ())


@pytest.mark.parametrize(
    "text", ["---", "---\n", "---\norigin: owner\n ---\n", "---\na: b\n----\n"]
)
def test_unclosed_is_a_problem_at_the_first_line(text: str) -> None:
    found = split(text)
    assert [(problem.kind, problem.line) for problem in found.problems] == [("unclosed", 1)]
    assert found.source is None


# --- one answer from two readers ---------------------------------------------------------------

_WORDS = ("a", "origin", "tags", "no", "1.10", "~", "x y", '"q"', "'s'", "b: c", "[a, b]", "[]")
_PIECES = (*_WORDS, "# c", " # c", "\t", "- x", "|", ">-", "&a", "*a", "!t", "{a: b}", "[a", "\\")
_LINES = st.builds(
    lambda key, gap, value, end: f"{key}{gap}{value}{end}",
    st.sampled_from(("a", "b", "key_2", "origin", '"a"', "? a", "# note", "", "  a", "-", "A")),
    st.sampled_from((": ", ":", ":  ", "", ":\t", " : ")),
    st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)),
    st.sampled_from(("", " ", "  # c", " \t")),
)


@given(st.lists(_LINES, max_size=5))
@example(["a: b", "# \x07"])
@example(["a: \ufeffb"])
@example(["# \ufeff"])
@example(["a: x\xa0"])
@example(["a: [007, 1.10]", "", "b:"])
def test_line_form_and_events_give_one_answer(lines: list[str]) -> None:
    source = "".join(line + "\n" for line in lines).replace("\r", "")
    answer = parse(source)
    plain = _read_plain_lines(source, 2)
    if answer.problems or plain is None:
        return
    events = read_events(source, 2)
    assert not events.problems, (source, events.problems)
    assert (plain.values, plain.lines) == (events.values, events.lines)
    for key, value in plain.values.items():
        if isinstance(value, str):
            assert plain.places[key] == events.places[key], (source, key)


_KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
_CHARS = st.characters(blacklist_categories=("Cs",))
_SCALARS = st.one_of(st.text(_CHARS, max_size=30), st.sampled_from(_PIECES))
_MAPPINGS = st.dictionaries(_KEYS, st.one_of(_SCALARS, st.lists(_SCALARS, max_size=4)), max_size=6)


@given(_MAPPINGS)
@example({"a": "\ufeff"})
@example({"a": "\x7f\x85\xa0\u2028\ufffe\uffff"})
@example({"a": ["", " ", ",", "]", "\ufffe"]})
def test_what_was_formatted_parses_back(values: dict[str, Value]) -> None:
    parsed = parse(format_source(values))
    assert not parsed.problems
    assert parsed.values == values
    assert list(parsed.values) == list(values)


def test_nested_values_are_formatted_too() -> None:
    values: dict[str, Value] = {"a": {"b c": ["d", {"e": ""}]}, "f": ["x y", "g"]}
    assert parse(format_source(values)).values == values


def test_a_last_line_without_a_line_end_is_read() -> None:
    assert parse("origin: owner").values == {"origin": "owner"}
    assert edit_source("a: b", [("c", "d")]) == "a: b\nc: d\n"


# --- scalars stay what they look like ----------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "no",
        "on",
        "yes",
        "y",
        "1.10",
        "007",
        "0o17",
        "0x1f",
        "1e400",
        "~",
        "null",
        "true",
        ".inf",
        ".nan",
        "12:30:45",
        "2026-01-02",
        "2026-01-02T03:04:05Z",
        "1_000",
        "9" * 5000,
    ],
)
def test_a_scalar_is_its_source_string(written: str) -> None:
    for source in (f"a: {written}\n", f"a: '{written}'\n", f'a: "{written}"   # why\n'):
        assert parse(source).values == {"a": written}
    assert parse(f"a: [{written}, x]\n").values == {"a": [written, "x"]}
    assert parse(f"a:\n- {written}\n").values == {"a": [written]}


def test_keys_are_strings_too() -> None:
    assert parse("no: 1\n007: 2\n~: 3\n? on\n: 4\n").values == {
        "no": "1",
        "007": "2",
        "~": "3",
        "on": "4",
    }


def test_case_2_values_stay_what_they_look_like() -> None:
    source = (
        "created_at: 2026-01-02\ntags: [no, on, 1.10, 007]\norigin: yes\ntrusted_at: 2026-01-03\n"
    )
    parsed = parse(source)
    assert not parsed.problems
    assert parsed.values == {
        "created_at": "2026-01-02",
        "tags": ["no", "on", "1.10", "007"],
        "origin": "yes",
        "trusted_at": "2026-01-03",
    }


# --- problems ----------------------------------------------------------------------------------


def problem_of(source: str) -> tuple[str, int]:
    parsed = parse(source)
    assert not parsed.values
    (problem,) = parsed.problems
    return problem.kind, problem.line


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_broken_yaml_is_named_by_its_kind(case: Case) -> None:
    assert problem_of(case.source)[0] == case.kind


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("origin: imported\ntitle: Deploy: staging first\n", "yaml", 3),
        ("origin: imported\n# x\n--- owner\n", "yaml", 4),
        ("# x\n--- \na: b\n", "yaml", 3),
        ("a: b\nb: [1, 2\nc: d\n", "yaml", 4),
        ("a: b\nb: x \x0b y\n", "yaml", 3),
        ("a: b\nb: x \x07\n", "yaml", 3),
        ("a: b\n# \x7f\n", "yaml", 3),
        ("a: b\n# \ufffe\n", "yaml", 3),
        ("a: b\nkind: rule \u2028origin: owner\n", "yaml", 3),
        ("a: b\nc: " + "[" * 9 + "]" * 9 + "\n", "yaml", 3),
        ("# x\n- a\n", "not-a-mapping", 3),
        ("''\n", "not-a-mapping", 2),
        ("&a\n", "not-a-mapping", 2),
        ("a: b\nc: d\na: e\n", "duplicate-key", 4),
        ("a: b\nc:\n  d: e\n  d: f\n", "duplicate-key", 5),
        ("a: b\nc: &x d\n", "alias", 3),
        ("a: b\nc: *x\n", "alias", 3),
        ("a: b\n&x c: d\n", "alias", 3),
        ("a: b\nc: !!python/object/apply:os.system [id]\n", "tag", 3),
        ("a: b\nc: ! d\n", "tag", 3),
        ("a: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> x\n", "conflict-marker", 3),
        ("a: b\n||||||| base\n", "conflict-marker", 3),
        ("a: b\n=======\n", "conflict-marker", 3),
        ("a: " + "x" * MAX_SOURCE_BYTES + "\n", "too-large", 2),
    ],
)
def test_each_problem_stands_at_its_line(source: str, kind: str, line: int) -> None:
    assert problem_of(source) == (kind, line)


def test_case_1_a_colon_in_a_value_never_drops_the_block_silently() -> None:
    for source in (
        "title: Deploy: staging first\norigin: imported\n",
        "origin: imported\ntitle: Deploy: staging first\n",
    ):
        assert problem_of(source)[0] == "yaml"


def test_no_problem_prints_a_control_character() -> None:
    for source in ("a: b\n\x1b[31m: c\n", '"\\e[31m": a\n"\\e[31m": b\n', "a: %\x1b\n"):
        for problem in parse(source).problems:
            assert "\x1b" not in problem.message


def test_aliases_that_multiply_are_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    started = time.process_time()
    assert problem_of("\n".join(lines) + "\n")[0] == "alias"
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("depth", [9, 20_000])
@pytest.mark.parametrize(
    ("start", "end"), [("a: " + "[", "]"), ("a: " + "{b: ", "}"), ("a: " + "[{b: ", "}]")]
)
def test_deep_nesting_is_refused(start: str, end: str, depth: int) -> None:
    opening = start.removeprefix("a: ")
    source = "a: " + opening * depth + end * depth + "\n"
    assert problem_of(source[: MAX_SOURCE_BYTES - 1])[0] == "yaml"


def test_eight_levels_are_read_and_nine_are_not() -> None:
    lists = "a: " + "[" * 7 + "x" + "]" * 7 + "\n"
    maps = "".join(f"{'  ' * n}a:\n" for n in range(7)) + "              a: x\n"
    assert not parse(lists).problems
    assert not parse(maps).problems
    assert problem_of("a: [" + lists[3:-1] + "]\n")[0] == "yaml"
    assert (
        problem_of("".join(f"{'  ' * n}a:\n" for n in range(8)) + " " * 16 + "a: x\n")[0] == "yaml"
    )


@pytest.mark.parametrize(
    "filling", ["a", "- ", "[", "{", "&", "'", '"', ": ", "? ", "\n- ", "\n  a: b", "#", "|\n", "-"]
)
def test_the_largest_source_is_read_in_bounded_time(filling: str) -> None:
    source = "a: " + filling * ((MAX_SOURCE_BYTES - 8) // len(filling)) + "\n"
    started = time.process_time()
    parse(source)
    assert time.process_time() - started < 5


@given(st.text(max_size=60))
def test_parse_never_raises(source: str) -> None:
    parsed = parse(source)
    assert not (parsed.values and parsed.problems)


# --- edits -------------------------------------------------------------------------------------

OURS = "trusted_at"
TIME = "2026-01-03T04:05:06Z"


@pytest.mark.parametrize(
    ("source", "changes", "edited"),
    [
        ("a: b\n", [(OURS, TIME)], f"a: b\n{OURS}: {TIME}\n"),
        (f"a: b\n{OURS}: x\nc: d\n", [(OURS, TIME)], f"a: b\n{OURS}: {TIME}\nc: d\n"),
        (f"a: b\n{OURS}: x\nc: d\n", [(OURS, None)], "a: b\nc: d\n"),
        (f"{OURS}:   'x'   # why\n", [(OURS, TIME)], f"{OURS}:   {TIME}   # why\n"),
        (f"{OURS}:\nb: c\n", [(OURS, TIME)], f"{OURS}: {TIME}\nb: c\n"),
        (f"{OURS}:   # why\nb: c\n", [(OURS, TIME)], None),
        (f'"{OURS}": x\n', [(OURS, TIME)], f'"{OURS}": {TIME}\n'),
        (f"{OURS}: >-\n  one\n  two\nb: c\n", [(OURS, None)], "b: c\n"),
        (f"{OURS}: >-\n  one\n  two\nb: c\n", [(OURS, TIME)], f"{OURS}: {TIME}\nb: c\n"),
        (f"{OURS}: one\n  two\nb: c\n", [(OURS, None)], "b: c\n"),
        (f"? {OURS}\n: x\n", [(OURS, TIME)], f"? {OURS}\n: {TIME}\n"),
        ("a: b\n", [("absent", None)], "a: b\n"),
        ("", [(OURS, "")], f"{OURS}:\n"),
        ("a: |+\n  x\n\n", [(OURS, TIME)], f"a: |+\n  x\n\n{OURS}: {TIME}\n"),
        ("a:\n- x\n- y\n", [(OURS, TIME)], f"a:\n- x\n- y\n{OURS}: {TIME}\n"),
    ],
)
def test_edit_touches_one_key(
    source: str, changes: list[tuple[str, str | None]], edited: str | None
) -> None:
    found = edit_source(source, changes)
    if edited is not None:
        assert found == edited
    assert parse(found).values == {
        **{key: value for key, value in parse(source).values.items() if key != changes[0][0]},
        **{key: value for key, value in changes if value is not None},
    }


@pytest.mark.parametrize(
    ("source", "edited"),
    [
        ("origin: owner\ncontent_hash: h\n", "origin: owner\ntrusted_at: t\ncontent_hash: h\n"),
        ("content_hash: h\norigin: owner\n", "content_hash: h\norigin: owner\ntrusted_at: t\n"),
        (
            "origin: owner\ntags:\n- a\n\n# mine\ncontent_hash: h\n",
            "origin: owner\ntags:\n- a\ntrusted_at: t\n\n# mine\ncontent_hash: h\n",
        ),
        ("origin: a\ntags: [a]\n# end\n", "origin: a\ntags: [a]\ntrusted_at: t\n# end\n"),
        ("title: x\n# end\n", "title: x\n# end\ntrusted_at: t\n"),
    ],
)
def test_new_keys_stand_in_the_order_of_the_specification(source: str, edited: str) -> None:
    assert edit_source(source, [(OURS, "t")], FRONTMATTER_FIELDS) == edited


@given(st.lists(_LINES, max_size=6), _KEYS, st.none() | _SCALARS)
def test_edit_changes_that_key_alone_or_refuses(
    lines: list[str], key: str, value: str | None
) -> None:
    source = "".join(line + "\n" for line in lines).replace("\r", "")
    before = parse(source)
    try:
        after = edit_source(source, [(key, value)])
    except NotEditable:
        return
    wanted = dict(before.values) | ({} if value is None else {key: value})
    if value is None:
        wanted.pop(key, None)
    assert parse(after).values == wanted
    comments = [line for line in source.split("\n") if line.startswith("#")]
    assert [line for line in after.split("\n") if line.startswith("#")] == comments


@pytest.mark.parametrize(
    "source",
    [
        "a: b\na: c\n",
        "a: b: c\n",
        f"{OURS}: [x]\n",
        f"{OURS}:\n  x: y\n",
        "a: b\n...\n",
    ],
)
def test_edit_refuses_what_it_cannot_leave_alone(source: str) -> None:
    with pytest.raises(NotEditable):
        edit_source(source, [(OURS, TIME)])


def test_cases_hold_every_kind_that_the_parser_knows() -> None:
    assert {case.kind for case in CASES} >= {"yaml", "alias", "tag", "duplicate-key", "too-large"}


@pytest.mark.parametrize(
    "source", ["zanzibar: 1\nzanzibar: 2", "a: !zanzibar! b", "a: [zanzibar, b: }", "a: {zanzibar"]
)
def test_what_is_wrong_is_said_without_the_words_of_the_file(source: str) -> None:
    (problem,) = parse(source).problems
    assert "zanzibar" not in problem.message
