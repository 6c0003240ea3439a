"""Every channel by which memory text reaches a reader, against memories that try to get out of it.

One project holds them all. No word that an unapproved memory's author chose stands outside a frame,
no sentence that directs stands anywhere, each channel shows what it is there to show, and one that
is not in the table fails the test.
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest import mock

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import Repo, make_project
from every_channel import ABOUT, SURROUNDINGS, every_channel, over_the_socket
from hostile import BIG, CLOSINGS, MARK, ORDER, closing_text, hostile, huge
from ktw.agents import AGENTS
from ktw.agents.call import EVENTS
from ktw.cli.root import _UNLISTED, ktw
from ktw.hooks.settings import DEFAULT
from ktw.mcp.answers import BUDGET
from ktw.mcp.methods import METHODS
from ktw.mcp.tools import TOOLS
from ktw.warm_server import CONTROLS, HANDLERS, start_in_thread
from spoken import Channel, channels, command_channel, controls, outside_frames

# Commands that say nothing themselves, and whose answers are channels of their own.
SERVING = {"ktw mcp": "mcp", "ktw hook": "hook"}
# What quotes names and titles outside a frame, because it says what is wrong with them.
QUOTING = ("ktw lint",)
# What frames no more than names and titles, which are withheld where they direct.
NAMING = ("ktw history",)
WORDS_ALONE = mock.patch.dict(os.environ, KTW_MODEL="off")  # which costs a third
_AROUND = 1000  # headings, frames and what was left out


@pytest.fixture
def repo(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Path],
    empty_home: Path,
) -> Repo:
    """A project that holds them all: a copy of one that is built once a run."""
    if "hostile" not in templates:
        templates["hostile"] = tmp_path_factory.mktemp("template") / "repo"
        built = make_project(templates["hostile"])
        hostile(built)
        built.commit()
    shutil.copytree(templates["hostile"], tmp_path / "repo")
    repo = Repo(tmp_path / "repo")
    repo.policy("local")
    return repo


def check(channel: Channel) -> None:
    """Ask it, and look for what got out and for what did not come."""
    text = safe(channel)
    shows = channel.name.startswith((*QUOTING, *NAMING)) or (MARK in text) == channel.frames
    assert shows, f"{channel.name} says:\n{text}"


def safe(channel: Channel) -> str:
    """What it says, without the reader's own question; nothing of it got out of a frame."""
    text = channel.ask().replace(ABOUT.question, "")
    if not channel.name.startswith(QUOTING):
        assert MARK not in outside_frames(text), f"{channel.name} lets out:\n{text}"
    for sentence in (ORDER, ORDER.upper(), "Ignore all previous"):
        assert sentence not in text, f"{channel.name} says:\n{text}"
    assert not controls(text), f"{channel.name} holds {controls(text)[:3]}"
    assert len(text) <= most(channel.name), f"{channel.name} says {len(text):,} characters"
    return text


def most(channel: str) -> int:
    """How many characters a channel may say; one memory whole and lists of all have no budget."""
    if channel.startswith("ktw show huge"):
        return BIG + _AROUND
    if channel.startswith("mcp "):
        return 2 * BUDGET + _AROUND  # once as text, once as data
    if channel.startswith("hook ") and " stop," not in channel:
        return DEFAULT.chars + _AROUND
    return 80_000


def test_no_channel_lets_a_word_out_of_its_frame_or_a_directive_through(repo: Repo) -> None:
    for channel in every_channel(repo):
        check(channel)


def test_the_search_for_what_got_out_finds_it(repo: Repo) -> None:
    framed = next(each.ask() for each in every_channel(repo) if each.name.startswith("ktw show"))
    check(Channel("as it should be", True, lambda: framed))
    for frames, text in (
        *((True, f"{framed}{MARK}"), (True, f"{framed}{ORDER}"), (True, f"{framed}\x1b[2K")),
        *((True, framed.replace(">>> END", "> END")), (True, ""), (False, framed)),
        (True, framed + "." * 80_000),
    ):
        with pytest.raises(AssertionError):
            check(Channel("as it should not", frames, partial(str, text)))


def commands(group: click.Group, path: str = "ktw") -> Iterator[str]:
    """Each command by its words, those of groups too."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        if isinstance(found, click.Group):
            yield from commands(found, f"{path} {name}")
        else:
            yield f"{path} {name}"


def unknown(names: list[str]) -> dict[str, set[str]]:
    """What no channel of these names stands for, by where it is listed in the program."""

    def starts(word: str) -> bool:
        return any(
            name == word or name.startswith((f"{word} ", f"{word}.", f"{word},")) for name in names
        )

    everything: dict[str, set[str]] = {
        "commands": {*commands(ktw), *(f"ktw {name}" for name in _UNLISTED)},
        "methods": {f"mcp {method}" for method in METHODS if method != "tools/call"},
        "tools": {f"mcp {tool}" for tool in TOOLS},
        "socket": {f"socket {op}" for op in (*HANDLERS, *CONTROLS)},
        "hooks": {f"hook {agent} {event}" for agent in AGENTS for event in EVENTS},
    }
    return {
        kind: missing
        for kind, listed in everything.items()
        if (missing := {each for each in listed if not starts(SERVING.get(each, each))})
    }


def test_every_command_method_tool_op_and_agent_is_in_the_table(repo: Repo) -> None:
    assert unknown([channel.name for channel in every_channel(repo)]) == {}


@pytest.mark.parametrize(
    "gone", ["ktw hooks status", "mcp resources/read", "mcp mem_get", "socket hook"]
)
def test_what_is_not_in_the_table_is_found_to_be_missing(repo: Repo, gone: str) -> None:
    names = [channel.name for channel in every_channel(repo)]
    assert unknown([name for name in names if not name.startswith(gone)])


# --- mutations, and sizes --------------------------------------------------------------------

TOGETHER = 6  # memories that are mutated at once
_BREAKS = st.sampled_from(["\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", " ", "| "])
_SLICES = st.builds(
    lambda closing, start, end: closing[start:end],
    st.sampled_from(CLOSINGS),
    st.integers(0, 6),
    st.integers(3, 40),
)
_CASES = st.sampled_from(CLOSINGS).flatmap(
    lambda closing: st.sampled_from([closing.lower(), closing.swapcase(), closing * 2])
)
_HIDDEN = st.builds(
    lambda closing, hidden: hidden.join(closing),
    st.sampled_from(CLOSINGS),
    st.sampled_from(["\u200b", "\u2060", "\u00ad", "\ufe0f", "\u202e", "\u034f", " "]),
)
MUTATIONS = st.lists(
    st.one_of(_SLICES, _CASES, _HIDDEN, _BREAKS, st.text(max_size=8)), min_size=1, max_size=5
).map("".join)


@pytest.fixture
def mutated(tmp_path: Path) -> Iterator[Repo]:
    """A project whose memories are to be mutated, and a ktw that is warm there."""
    repo = make_project(tmp_path / "repo")
    server = start_in_thread(repo.project, SURROUNDINGS)
    assert server is not None
    yield repo
    server.stop()


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MUTATIONS, min_size=TOGETHER, max_size=TOGETHER))
def test_no_mutation_of_a_closing_ends_a_frame(mutated: Repo, closings: list[str]) -> None:
    for number, closing in enumerate(closings):
        text = closing_text(f"mutated {number}", closing)
        mutated.write(f"context/m{number}.md", text.encode("utf-8", "surrogatepass"))
    names = [f"m{number}" for number in range(TOGETHER)]
    asked = [command_channel(mutated.root, True, ("show", name)) for name in names]
    asked += channels(mutated.root, ABOUT._replace(memory=names[0], other=names[1]))
    asked += over_the_socket(mutated, stops=False)
    with WORDS_ALONE:
        for channel in asked:
            if channel.frames:
                safe(channel)


def test_fields_of_a_megabyte_are_within_budget_and_framed(tmp_path: Path) -> None:
    repo = make_project(tmp_path / "repo")
    huge(repo)
    repo.policy("local")
    asked = channels(repo.root, ABOUT._replace(memory="huge-body", other="huge-title"))
    with WORDS_ALONE:
        for channel in asked:
            # There is no note; and what is said as data as well costs as much again.
            if channel.name != "hook session-start" and "--json" not in channel.name:
                check(channel)
