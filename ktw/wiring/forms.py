"""The forms of settings files, and the one way to change a text: each change is proved by reading
its result."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ktw.wiring import jsonc_edits, toml
from ktw.wiring.documents import Broken, Json, Unfit
from ktw.wiring.entries import Entry, Keeps, with_entries, without_entries


class Form(NamedTuple):
    """How texts of a form are read and changed; `fresh` is a file without anything in it."""

    read: Callable[[str], Json]
    add: Callable[[str, Sequence[Entry]], str]
    remove: Callable[[str, Sequence[Entry], Keeps], str]
    fresh: str


FORMS: Mapping[str, Form] = {
    "json": Form(jsonc_edits.read, jsonc_edits.add, jsonc_edits.remove, "{}\n"),
    "toml": Form(toml.read, toml.add, toml.remove, ""),
}


def add_entries(form: Form, text: str, entries: Sequence[Entry]) -> str:
    """The text with entries that it lacks. Raises Broken, or Unfit where one has no place."""
    return _proved(form, form.add(text, entries), with_entries(form.read(text), entries))


def remove_entries(form: Form, text: str, entries: Sequence[Entry], keeps: Keeps) -> str:
    """The text without entries. Raises Broken, or Unfit where one cannot be taken out."""
    left = without_entries(form.read(text), entries, keeps)
    return _proved(form, form.remove(text, entries, keeps), left)


def _proved(form: Form, text: str, data: Json) -> str:
    try:
        result = form.read(text)
    except Broken as error:
        raise Unfit("it is written in a way that ktw does not change") from error
    if result != data:
        raise Unfit("it is written in a way that ktw does not change")
    return text
