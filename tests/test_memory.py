"""The memory file as a value: what is written reads back, and the hash names words and origin."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped,unused-ignore]

from builders import DATE, memory_text, true_hash
from frontmatter_cases import CASES, Case
from ktw.entries import format_entry, prose
from ktw.fields import breaks_approval, field_problems
from ktw.frontmatter import NotEditable, Value, parse
from ktw.memory import (
    CLAIM_FIELDS,
    FRONTMATTER_FIELDS,
    KINDS,
    MAX_FILE_BYTES,
    ORIGINS,
    TYPE_OF_KIND,
    MemoryFile,
    address,
    content_hash,
    edit_memory,
    format_memory,
    normalise,
    parse_memory,
    place_address,
)

SCHEMA_DIRECTORY = Path(__file__).resolve().parent.parent / "context-schema"
SCHEMA = json.loads((SCHEMA_DIRECTORY / "frontmatter.schema.json").read_text(encoding="utf-8"))
SPECIFICATION = (SCHEMA_DIRECTORY / "specification.md").read_text(encoding="utf-8")
PATH = "context/sync.md"
ID = "2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c"
ESC = "\x1b"


def read(text: str | bytes) -> MemoryFile:
    return parse_memory(PATH, text.encode() if isinstance(text, str) else text)


def kinds(file: MemoryFile) -> list[tuple[str, int]]:
    return [(problem.kind, problem.line) for problem in file.problems]


# --- what is written reads back ----------------------------------------------------------------

_LINE_CHARS = st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\n")
_LINES = st.text(_LINE_CHARS, min_size=1, max_size=30).map(str.strip).filter(bool)
_BODIES = st.lists(st.text(_LINE_CHARS, max_size=20), max_size=4).map("\n".join)
_TAGS = st.lists(st.text(_LINE_CHARS, min_size=1, max_size=12), max_size=3, unique=True)


def opens_something(body: str) -> bool:
    """Bodies that are more than the text of one entry: a heading, a fence, a list, a conflict."""
    return re.search(r"(?m)^\s*(#|`{3}|~{3}|[-+*]|[0-9]|[<=>]{7})", body) is not None


@given(_LINES, _BODIES, _TAGS, st.sampled_from(KINDS), st.sampled_from(ORIGINS), _LINES)
def test_a_memory_comes_back_as_it_was(
    title: str, body: str, tags: list[str], kind: str, origin: str, source: str
) -> None:
    values: dict[str, Value] = {"origin": origin, "kind": kind, "source": source, "tags": [*tags]}
    header = [("Id", ID), ("Type", TYPE_OF_KIND[kind])]
    text = format_memory(values, "Topic", format_entry(title, header, body))
    file = read(text)
    assert not file.problems
    assert (file.origin, file.kind, file.source, list(file.tags)) == (origin, kind, source, tags)
    assert file.content_hash == file.computed_hash
    assert file.text == text
    if not opens_something(body):
        (entry,) = file.entries
        assert (entry.title, entry.id, entry.type) == (title, ID, TYPE_OF_KIND[kind])
        assert prose(entry).strip() == body.strip()


def test_the_builder_writes_a_valid_file() -> None:
    file = read(memory_text(tags=["a b", "1.10"], source="the wiki: page 3"))
    assert not file.problems
    assert not field_problems(file)
    assert (file.slug, file.created_at, file.agent) == ("sync", DATE, "claude-code")
    assert (file.trusted_at, file.trusted_by, file.proposes) == (None, None, None)


# --- the content hash --------------------------------------------------------------------------

TEXT = memory_text(tags=["sync", "1.10"], source="https://example.invalid/12")
LF = TEXT.encode()


def quoted(text: str) -> str:
    return text.replace("kind: decision", "kind:   'decision'   # why").replace(
        "tags: [sync, 1.10]", 'tags:\n- "sync"\n- "1.1\\x30"'
    )


def reordered(text: str) -> str:
    head, *lines = text.split("\n---\n", 1)[0].split("\n")
    return "\n".join([head, *reversed(lines)]) + "\n---\n" + text.split("\n---\n", 1)[1]


@pytest.mark.parametrize(
    "data",
    [
        LF.replace(b"\n", b"\r\n"),
        LF.replace(b"\n", b"\r"),
        LF.replace(b"\n", b"\r\n", 7),
        b"\xef\xbb\xbf" + LF,
        b"\xef\xbb\xbf" + LF.replace(b"\n", b"\r\n"),
        LF.rstrip(b"\n"),
        LF + b"\n\n\n",
        LF.replace(b"---\n", b"--- \t\n"),
        reordered(TEXT).encode(),
        quoted(TEXT).encode(),
        TEXT.replace("---\n", "---\n# a comment\n\n", 1).encode(),
        TEXT.replace(
            "---\n#", "trusted_at: 2026-01-03T04:05:06Z\ntrusted_by: A <a@b>\n---\n#"
        ).encode(),
    ],
    ids=range(12),
)
def test_what_is_not_words_leaves_the_hash(data: bytes) -> None:
    file = read(data)
    assert not file.problems
    assert file.computed_hash == true_hash(TEXT)
    assert [entry.title for entry in file.entries] == ["Snapshot before buffer"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("waits", "wait"),
        ("waits", "waits "),
        ("# Topic\n\n", "# Topic\n"),
        ("# Topic", "\n# Topic"),
        ("origin: agent", "origin: owner"),
        ("[sync, 1.10]", "[1.10, sync]"),
        ("[sync, 1.10]", "[sync, 1.1]"),
        ("[sync, 1.10]", "sync, 1.10"),
        ("[sync, 1.10]", '["sync, 1.10"]'),
        ("https://example.invalid/12", "https://example.invalid/13"),
        ("kind: decision\n", ""),
        ("kind: decision", "kind: decision\nmine: x"),
        ("full", "f\u200bull"),
        ("full", "\uff46ull"),
        ("Snapshot before", "Snapshot  before"),
    ],
)
def test_any_word_tag_or_origin_changes_the_hash(old: str, new: str) -> None:
    assert old in TEXT
    file = read(TEXT.replace(old, new, 1))
    assert not file.problems
    assert file.computed_hash != true_hash(TEXT)


@given(_BODIES, _BODIES)
def test_bodies_that_differ_have_hashes_that_differ(one: str, other: str) -> None:
    same = one.rstrip("\n") == other.rstrip("\n")
    assert (content_hash({}, one) == content_hash({}, other)) == same


def test_frontmatter_cannot_be_moved_into_the_body() -> None:
    assert content_hash({"a": "b"}, "x") != content_hash({}, "a: b\n---\nx")
    assert content_hash({"a": "b", "c": "d"}, "x") != content_hash({"a": "b\nc: d"}, "x")
    assert content_hash({"a": ["b", "c"]}, "x") != content_hash({"a": "b,c"}, "x")


def test_bytes_are_escaped_as_the_specification_says() -> None:
    body = 'a"\\\b\t\f\x00\x1f\x7f\u2028\U0001f600é'
    told = '[{},"a\\"\\\\\\b\\t\\f\\u0000\\u001f\x7f\u2028\U0001f600é\\n"]'
    assert content_hash({}, body) == "sha256:" + hashlib.sha256(told.encode()).hexdigest()
    assert content_hash({}, "") == "sha256:" + hashlib.sha256(b'[{},"\\n"]').hexdigest()
    keys = '[{"A":"1","a":{"B":"2","b":["3"]},"\uffff":"4","\U00010000":"5"},"\\n"]'
    values: dict[str, Value] = {
        "\U00010000": "5",
        "\uffff": "4",
        "a": {"b": ["3"], "B": "2"},
        "A": "1",
        "trusted_at": "x",
    }
    assert content_hash(values, "\n\n") == "sha256:" + hashlib.sha256(keys.encode()).hexdigest()


def example_of(name: str) -> str:
    found = re.search(
        rf"<!-- example:{name} -->\n```\w*\n(.*?)```\n<!-- /example:{name} -->",
        SPECIFICATION,
        re.DOTALL,
    )
    assert found
    return found[1]


def test_the_specification_s_example_has_the_hash_it_says() -> None:
    file = read(example_of("file"))
    assert not file.problems
    assert file.computed_hash == file.content_hash == example_of("hash").strip()
    canonical = example_of("canonical").rstrip("\n")
    assert len(canonical.encode()) == 469
    assert file.computed_hash == "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
    assert file.tags == ("sync", "1.10", "no")
    assert place_address("context/flat.md", "why-one-level") == "2e140bb31f65"


def test_a_file_with_a_structural_problem_has_no_hash() -> None:
    broken = read("---\norigin: owner\norigin: agent\n---\n# T\n\n## A\n\nx\n")
    assert broken.computed_hash == ""
    assert (broken.origin, broken.content_hash) == (None, None)


# --- schema, fields and parser agree -----------------------------------------------------------

VALIDATOR = Draft202012Validator(SCHEMA)


def file_of(case: Case) -> MemoryFile:
    return read(f"---\n{case.source}---\n# T\n\n## A\n\nx\n")


def fields_at_fault(file: MemoryFile) -> set[str]:
    """What `ktw.fields` calls an error; what only a writer must add is none."""
    told = [p for p in field_problems(file) if p.kind == "field-value"]
    told += [p for p in field_problems(file) if p.message.startswith("`origin` is missing")]
    return {problem.message.split("`")[1] for problem in told}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_parser_fields_and_schema_agree(case: Case) -> None:
    file = file_of(case)
    if not case.ok and case.kind != "field":
        assert [kind for kind, _ in kinds(file)] == [case.kind]
        assert not file.frontmatter
        return
    assert not file.problems
    assert fields_at_fault(file) == ({case.field} - {""})
    assert VALIDATOR.is_valid(dict(file.frontmatter)) == case.ok
    assert breaks_approval(file) == (not case.ok)


_FIELD_VALUES = st.one_of(
    st.sampled_from([case.source.split(": ", 2)[-1].strip() for case in CASES]),
    st.text(max_size=12),
    st.sampled_from([*ORIGINS, *KINDS, DATE, ID, "a <b@c>", "http://a", "https://"]),
)


@given(
    st.dictionaries(
        st.sampled_from((*FRONTMATTER_FIELDS, "other")),
        st.one_of(_FIELD_VALUES, st.lists(_FIELD_VALUES, max_size=3)),
        max_size=5,
    )
)
@example({"origin": "agent", "created_at": "0000-01-01"})
@example({"origin": "agent", "source": "\u00a0"})
@example({"origin": "agent", "tags": ["\u0085a"]})
def test_fields_and_schema_agree_on_any_mapping(values: dict[str, Value]) -> None:
    file = MemoryFile(PATH, "", values, {}, "", 3, (), ())
    calendar = any("calendar" in problem.message for problem in field_problems(file))
    if not calendar:
        assert bool(fields_at_fault(file)) != VALIDATOR.is_valid(values)


def test_each_field_problem_stands_at_its_key() -> None:
    text = (
        "---\norigin: yes\n# x\nkind: note\ntags:\n- a\n- a\nextra: 1\ntrusted_at: "
        "2026-01-03T04:05:06Z\n---\n# T\n"
    )
    found = {
        (p.kind, p.message.split("`")[1]): (p.line, p.message) for p in field_problems(read(text))
    }
    lines = {key: line for key, (line, _) in found.items()}
    assert lines == {
        ("field-missing", "created_at"): 1,
        ("field-value", "content_hash"): 9,
        ("field-missing", "content_hash"): 1,
        ("field-value", "origin"): 2,
        ("field-value", "kind"): 4,
        ("field-value", "tags"): 5,
        ("field-unknown", "extra"): 8,
        ("field-value", "trusted_by"): 9,
    }


def test_case_1_an_unquoted_colon_never_raises_the_origin() -> None:
    text = memory_text(origin="imported").replace("kind:", "title: Deploy: staging first\nkind:", 1)
    file = read(text)
    assert kinds(file) == [("yaml", 4)]
    assert file.origin is None
    assert breaks_approval(file) is False  # the problem itself does


def test_case_2_dates_are_named_and_origin_is_an_enumeration() -> None:
    text = (
        "---\norigin: yes\ncreated_at: 2026-01-02\ntags: [no, on, 1.10, 007]\n"
        "trusted_at: 2026-01-03\ntrusted_by: A <a@b>\ncontent_hash: sha256:" + "0" * 64 + "\n---\n"
    )
    file = read(text)
    assert file.tags == ("no", "on", "1.10", "007")
    assert fields_at_fault(file) == {"origin", "trusted_at"}
    zoned = read(text.replace("2026-01-03", "2026-01-03T04:05:06+02:00"))
    assert fields_at_fault(zoned) == {"origin"}


# --- structural problems of the file -----------------------------------------------------------


def test_case_5_a_byte_order_mark_is_dropped_and_the_file_read_whole() -> None:
    marked = read(b"\xef\xbb\xbf" + LF)
    plain = read(LF)
    assert (marked.frontmatter, marked.entries, marked.lines) == (
        plain.frontmatter,
        plain.entries,
        plain.lines,
    )
    assert marked.computed_hash == plain.computed_hash
    twice = read(b"\xef\xbb\xbf\xef\xbb\xbf" + LF)
    assert not twice.has_frontmatter


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_byte_that_is_not_utf8_is_named_with_its_line(end: str) -> None:
    data = TEXT.encode().replace(b"waits", b"w\xffits").replace(b"\n", end.encode())
    file = read(data)
    line = TEXT.split("waits")[0].count("\n") + 1
    assert kinds(file) == [("encoding", line)]
    assert "w\ufffdits" in file.text
    assert file.computed_hash == ""


def test_too_large_a_file_is_said_and_not_cut() -> None:
    file = read(b"x" * (MAX_FILE_BYTES + 1))
    assert kinds(file) == [("too-large", 1)]
    assert not file.memories
    assert not read(b"x" * MAX_FILE_BYTES).problems


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_an_unclosed_block_is_a_problem_and_claims_nothing(end: bytes) -> None:
    file = read(b"---\norigin: owner\n\n# T\n".replace(b"\n", end))
    assert kinds(file) == [("unclosed", 1)]
    assert not file.frontmatter


CONFLICT = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> branch\n"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (f"# T\n\n## A\n\n{CONFLICT}", 5),
        (f"# T\n\n## A\n\n{CONFLICT.replace('=======', '||||||| base' + chr(10) + '=======')}", 5),
        (f"# T\n\n```\n{CONFLICT}```\n", None),
        (f"# T\n\n- ```\n  x\n  ```\n\n{CONFLICT}", 7),
        ("# T\n\nTitle\n=======\n\nx\n", None),
        ("# T\n\n<<<<<<< HEAD\n=======\n", None),
        ("# T\n\n>>>>>>> x\n=======\n<<<<<<< y\n", None),
        (f"# T\n\n{''.join('    ' + line + chr(10) for line in CONFLICT.splitlines())}", None),
    ],
)
def test_case_11_conflict_markers_in_the_body(body: str, line: int | None) -> None:
    assert kinds(read(body)) == ([] if line is None else [("conflict-marker", line)])


def test_case_11_conflict_markers_in_the_frontmatter() -> None:
    text = TEXT.replace(
        "origin: agent\n", "<<<<<<< HEAD\norigin: agent\n=======\norigin: owner\n>>>>>>> x\n"
    )
    file = read(text)
    assert kinds(file) == [("conflict-marker", 2)]
    assert file.origin is None


@given(st.binary(max_size=80))
@example(b"---\n\x00\n---\n")
@example(b"\xff\xfe-\x00")
def test_parse_never_raises(data: bytes) -> None:
    for memory in read(data).memories:
        assert address(PATH, memory)


def test_problems_do_not_echo_control_characters() -> None:
    for text in (f"---\n{ESC}[31m: x\n---\n", f'---\n"{ESC}a": x\n---\n', f"---\na: {ESC}\n---\n"):
        file = read(text)
        assert file.problems
        assert all(ESC not in problem.message for problem in file.problems)


# --- memories without the usual form -----------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "title", "text"),
    [
        ("# Name\n\nSome words.\n", "Name", "Some words."),
        ("\n\n# Name #\nSome words.\n", "Name", "Some words."),
        ("Some words.\n\n# Name\n\nMore.\n", "Name", "Some words.\n\n# Name\n\nMore."),
        ("Some words.\n", "sync", "Some words."),
        ("```\n# no\n```\n", "sync", "```\n# no\n```"),
        ("# Name\n", "Name", ""),
    ],
)
def test_a_file_without_sections_is_one_memory(body: str, title: str, text: str) -> None:
    file = read(body)
    assert file.entries == ()
    (memory,) = file.memories
    assert (memory.title, memory.text, memory.anchor) == (title, text, "")
    assert address(PATH, memory) == place_address(PATH, "")


@pytest.mark.parametrize("body", ["", "\n", " \n\t\n", "---\na: b\n---\n"])
def test_an_empty_body_holds_no_memory(body: str) -> None:
    assert read(body).memories == ()


def test_an_address_is_the_id_or_the_place() -> None:
    file = read(f"## A\n\n**Id:** {ID.upper()}\n\n## B\n\n**Id:** nonsense\n\n## C\n")
    first, second, third = file.entries
    assert address(PATH, first) == ID
    assert address(PATH, second) == place_address(PATH, "b")
    assert address(PATH, third) == place_address(PATH, "c")
    assert file.ids == tuple(sorted((ID.upper(), "nonsense")))


# --- edits -------------------------------------------------------------------------------------


def test_an_edit_keeps_comments_order_and_every_byte_of_the_body() -> None:
    text = (
        "--- \n# mine\ntags: [b,   a]   # sorted\n\norigin: 'agent'\ncontent_hash: old\n# end\n"
        "---\t\n# T\n\n## A  \n\ntext\t\n\n\n"
    )
    edited = edit_memory(text, [("trusted_at", "2026-01-03T04:05:06Z"), ("trusted_by", "A <a@b>")])
    true = true_hash(text)
    assert edited == (
        "--- \n# mine\ntags: [b,   a]   # sorted\n\norigin: 'agent'\n"
        "trusted_at: 2026-01-03T04:05:06Z\ntrusted_by: A <a@b>\n"
        f"content_hash: {true}\n# end\n---\t\n# T\n\n## A  \n\ntext\t\n\n\n"
    )
    assert read(edited).computed_hash == true
    back = edit_memory(edited, [("trusted_at", None), ("trusted_by", None)])
    assert back == text.replace("old", true)


def test_an_edit_gives_a_file_its_frontmatter() -> None:
    edited = edit_memory("# T\n\nx\n", [("origin", "owner")])
    assert edited.startswith("---\norigin: owner\ncontent_hash: sha256:")
    assert edited.endswith("\n---\n# T\n\nx\n")
    assert read(edited).content_hash == read(edited).computed_hash


@pytest.mark.parametrize(
    "text",
    ["---\norigin: owner\n", "---\na: b: c\n---\n", "---\na: b\na: c\n---\n", "---\n- a\n---\n"],
)
def test_an_edit_of_a_broken_block_is_refused(text: str) -> None:
    with pytest.raises(NotEditable):
        edit_memory(text, [("trusted_at", DATE)])


@given(
    st.sampled_from([case for case in CASES if case.kind == "field"]), st.sampled_from(CLAIM_FIELDS)
)
def test_any_readable_frontmatter_can_be_edited(case: Case, key: str) -> None:
    text = f"---\n{case.source}---\n# T\n"
    if not isinstance(parse(case.source).values.get(key, ""), str):
        return
    edited = read(edit_memory(text, [(key, DATE)]))
    assert not edited.problems
    assert edited.content_hash == edited.computed_hash
    kept = {k: v for k, v in edited.frontmatter.items() if k not in CLAIM_FIELDS}
    assert kept == {k: v for k, v in parse(case.source).values.items() if k not in CLAIM_FIELDS}


@given(st.text(max_size=40))
def test_normalise_leaves_neither_mark_nor_carriage_return(text: str) -> None:
    once = normalise(text)
    assert "\r" not in once
    assert normalise(once) == once or once.startswith("\ufeff")
