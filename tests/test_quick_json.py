"""JSON as the module `json` has it, and without it."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw import quick_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def outcome(read: Callable[[str], object], text: str) -> str:
    try:
        return repr(read(text))
    except ValueError:
        return "none"
    except RecursionError:
        return "too deep"


@given(VALUES)
def test_what_is_written_is_what_json_writes(value: object) -> None:
    assert quick_json.dumps(value) == json.dumps(value)
    assert outcome(quick_json.loads, json.dumps(value)) == outcome(json.loads, json.dumps(value))
    spread = json.dumps(value, indent=2, ensure_ascii=False) + "\r\n"
    assert outcome(quick_json.loads, spread) == outcome(json.loads, spread)


@given(st.text(st.sampled_from('{}[]",:\\u0ae1-.NaInfty \t\n\x0b\xa0tr'), max_size=12))
def test_what_is_read_is_what_json_reads(text: str) -> None:
    assert outcome(quick_json.loads, text) == outcome(json.loads, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "{} {}",
        '{"a": 1,}',
        '"\x01"',
        "nul",
        "[" * 200_000,
        '{"a":' * 200_000,
        "\ufeff1",
    ],
    ids=range(10),
)
def test_what_is_none_is_refused_alike(text: str) -> None:
    assert outcome(quick_json.loads, text) == outcome(json.loads, text) != "1"


def test_what_has_no_name_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no name in JSON"):
        quick_json.dumps({"a": {1}})


def test_neither_json_nor_patterns_are_imported() -> None:
    program = (
        "import sys; from ktw.warm_client import ask; import ktw.hooks.process;"
        "print(sorted({'json', 're', 'enum', 'typing', 'collections'}.intersection(sys.modules)))"
    )
    command = [sys.executable, "-S", "-c", f"import sys; sys.path = {sys.path}; {program}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def said(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_without_the_parts_in_c_json_itself_does_it() -> None:
    program = (
        "import sys; sys.modules['_json'] = None; from ktw.quick_json import dumps, loads;"
        "print(dumps(loads('[1, [null]]')), 'json' in sys.modules)"
    )
    assert said(program) == "[1, [null]] True"


@pytest.mark.parametrize("text", ["{", "{]", '"', "", "[1", "nul"])
def test_what_is_none_is_refused_before_json_is_there(text: str) -> None:
    program = (
        "from ktw.quick_json import loads\n"
        f"try: loads({text!r})\n"
        "except ValueError as error: print(type(error).__name__)"
    )
    assert said(program) == "JSONDecodeError"
