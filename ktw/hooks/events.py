"""What each event says, from facts: memories, verdicts, counts. Pure, and within its budget."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ktw.hooks.budget import Room
from ktw.hooks.reminders import REMINDER
from ktw.hooks.settings import Settings
from ktw.operations.injecting import Relevant, Titles
from ktw.render import Reading, Shown, show
from ktw.text.escape import escape_line

_KEPT_BACK = 160
_TITLE = 160
_APPROVED_SIZES, _OTHER_SIZES = (900, 500, 250), (300, 150)
_BEARS_ON = "Memories of this project that may bear on this (ktw):"


def at_start(
    titles: Titles, notes: Sequence[Shown], missing: Sequence[str], settings: Settings
) -> str:
    """What servers are missing, approved titles, the last sessions' notes, counts of the rest."""
    room = Room(settings.chars, _KEPT_BACK)
    if missing:
        named = ", ".join(missing)
        room.add(f"Tool servers of this user's list that are not set up here: {named}.")
    lines, left = _title_lines(titles, settings.chars // 2)
    if lines:
        told = "Approved memories of this project (ktw); read one with `ktw show ID`:"
        room.add("\n".join([told, *lines]))
    for note in notes:
        room.add(note.text)
    room.close(_rest_of(titles, left))
    return room.text


def _title_lines(titles: Titles, chars: int) -> tuple[list[str], int]:
    lines: list[str] = []
    used = 0
    for one in titles.approved:
        title = escape_line(one.entry.title)
        title = title if len(title) <= _TITLE else f"{title[:_TITLE]}\u2026"
        line = f"- [{one.kind or 'memory'}] {title} ({one.address})"
        used += len(line) + 1
        if used > chars:
            break
        lines.append(line)
    return lines, max(titles.total - len(lines), 0)


def _rest_of(titles: Titles, left: int) -> str:
    counted = [f"{count} {name}" for name, count in sorted(titles.others.items()) if count]
    counted = [f"{left} more approved", *counted] if left else counted
    if not counted:
        return ""
    return f"Not listed: {', '.join(counted)}. Ask before you decide: ktw recall QUESTION"


def at_prompt(
    found: Relevant, is_new: Callable[[str], bool], reminds: bool, settings: Settings
) -> str:
    """The reminder on what ages, then what bears on the prompt."""
    room = Room(settings.chars, _KEPT_BACK)
    if reminds:
        room.add(REMINDER)
    _add_relevant(room, found, is_new, settings)
    return room.text


def before_tool(
    guard: str, found: Relevant, is_new: Callable[[str], bool], settings: Settings
) -> str:
    """What holds of the files that are opened raw, then what bears on the command or path."""
    room = Room(settings.chars, _KEPT_BACK)
    if guard and not room.add(guard):
        room.add(guard.split("\n", 1)[0])
    _add_relevant(room, found, is_new, settings)
    return room.text


def _add_relevant(
    room: Room, found: Relevant, is_new: Callable[[str], bool], settings: Settings
) -> None:
    """Approved memories first; of the others what still fits, or how many they are."""
    approved = [one for one in found.approved if is_new(one.address)]
    others = () if settings.counts_unapproved else found.others
    others_new = [one for one in others if is_new(one.address)]
    if approved or others_new:
        room.add(_BEARS_ON)
    left_out = [*_add_each(room, approved, _APPROVED_SIZES)]
    left_out += _add_each(room, others_new, _OTHER_SIZES)
    if settings.counts_unapproved:
        left_out += found.others
    unapproved = sum(not one.verdict.approved for one in left_out) + found.more_unapproved
    more = len(left_out) + found.more
    if more and (approved or left_out):
        of_these = f", {unapproved} unapproved" if unapproved else ""
        room.close(f"{more} more may bear on this{of_these}; see: ktw recall QUESTION")


def _add_each(room: Room, readings: Sequence[Reading], sizes: Sequence[int]) -> Iterator[Reading]:
    """Add each memory in the largest size that fits; those that do not fit at all."""
    for one in readings:
        if not room.add_first_fitting(partial(_text_of, one), *sizes):
            yield one


def _text_of(one: Reading, size: int) -> str:
    return show(one, size).text
