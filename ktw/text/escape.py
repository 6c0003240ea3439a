"""Text made safe for where it is printed: a terminal, a log, a CI runner that acts on lines.

Pure text. Whether something may be shown at all is for `render` to say.
"""

import re

from ktw.text.hidden import show_hidden
from ktw.text.late import late

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
PERCENT = late(r"%[0-9A-Fa-f]{2}")
_COMMAND = re.compile(r"##(?=\w*\[)")
# Python refuses to read a number of more than 4,300 digits; no character has one of eight.
_ZEROS = re.compile(r"&#0+(?=[0-9])")
_NO_CHARACTER = re.compile(r"&#[0-9]{8,};?")


def escape_text(text: str) -> str:
    """Text that cannot steer a terminal, a log or a CI runner; line breaks stay."""
    return "\n".join(_disarm(line) for line in _shown(text).split("\n"))


def escape_line(text: str) -> str:
    """Like `escape_text`, on one line."""
    return _disarm(" ".join(_shown(text).split()))


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text  # nothing is hidden in it: the names of ten thousand files are told in a blink
    # Behind a line break a byte order mark is no longer the first character, which may stay.
    return show_hidden(f"\n{text}")[1:]


def _disarm(line: str) -> str:
    """A line that a CI runner would act on (`::error::`, `##[group]`), with a blank that shows.

    Runners skip blanks before `::`, and look for `##[` anywhere.
    """
    line = _COMMAND.sub("# #", line)
    start = len(line) - len(line.lstrip())
    return f"{line[:start]}: :{line[start + 2 :]}" if line.startswith("::", start) else line


def unescaped(text: str) -> str:
    """`text` with its percent escapes read; the library for it loads only where there are any."""
    if not PERCENT.search(text):
        return text
    from urllib.parse import unquote

    return unquote(text, errors="replace")


def words_in(name: str) -> str:
    """A name as words: what dashes, escapes or capitals part stands one blank apart."""
    return re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", unescaped(name)))


def entities_read(sentence: str) -> str:
    """`sentence` with its HTML entities read, and what they make of it read once more."""
    once = without_entities(sentence)
    return without_entities(once) if once != sentence else once


def without_entities(text: str) -> str:
    """`text` with its HTML entities read, numbers of any length too."""
    if "&" not in text:
        return text
    import html

    return html.unescape(_NO_CHARACTER.sub("\ufffd", _ZEROS.sub("&#", text)))
