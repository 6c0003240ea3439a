"""What of a memory can be found: its fields, and how often each term stands in each of them."""

import re
from collections import Counter
from collections.abc import Mapping

from ktw.entries import Entry, prose
from ktw.memory import MemoryFile
from ktw.text import tokens
from ktw.text.languages import languages_of
from ktw.text.passages import passage_bounds

# The start of the Id that ktw puts into a file name: eight digits that nobody asks by.
_ID_SUFFIX = re.compile(r"-[0-9a-f]{8}$")
FIELDS = ("title", "body", "keys")

TermCounts = Mapping[str, Mapping[str, int]]


def meant(entry: Entry) -> list[str]:
    """What of a memory is embedded: the passages of its prose, each after its title."""
    told = prose(entry)
    return [f"{entry.title}. {told[start:end]}" for start, end in passage_bounds(told)]


def told(entry: Entry) -> str:
    """What of a memory is matched word by word: its title and its prose."""
    return f"{entry.title}\n{prose(entry)}"


def term_counts(file: MemoryFile, entry: Entry) -> dict[str, Counter[str]]:
    """How often each term stands in each field of a memory, fields in the order of FIELDS."""
    name = _ID_SUFFIX.sub("", file.slug)
    keys = " ".join((name, *file.tags, file.kind or "", file.source or ""))
    title, body = tokens.split(entry.title), tokens.split(prose(entry))
    languages = languages_of(title.words + body.words)
    return {
        "title": Counter(tokens.terms_of(title, languages)),
        "body": Counter(tokens.terms_of(body, languages)),
        "keys": Counter(tokens.tokenize(keys)),
    }


def length(counts: Mapping[str, int]) -> int:
    """How long a field is: its terms, without those that only repeat what another one says."""
    return sum(count for term, count in counts.items() if not tokens.is_extra(term))
