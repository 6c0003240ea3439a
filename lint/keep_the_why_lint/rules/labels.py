"""Rules about field labels: those that are nearly one, and fields that stand where or as often as
no reader expects."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from keep_the_why_lint.project import Memory, has_provenance
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.rules.entries import VERIFICATIONS
from keep_the_why_lint.section import Section
from ktw.entries import HEADER_LABELS, Entry, FieldLine, unfenced_lines
from ktw.errors import visible
from ktw.text.likeness import one_slip_apart, skeleton

# What draws as a label in bold at a line's start: its words end at the colon or the marks.
_BOLD = re.compile(
    rf"^(?!\*\*(?:{'|'.join(HEADER_LABELS)}|Reason|Rejected alternative):\*\*)"
    r"[ \t>*+-]{0,8}(?:\*\*|__)[ \t]?"
    r"(?P<label>[^\W\d_][^*_:\uff1a\ua789\u2236\n]{0,24})(?P<end>[*_:\uff1a\ua789\u2236 \t]{2,6})",
    re.MULTILINE,
)
_COLON = re.compile("[:\uff1a\ua789\u2236]")
_PLAIN = {label.casefold(): label for label in HEADER_LABELS}
_SHORTEST_MISSPELT = 5  # letters: one slip away from "See" or "Type" lie too many words
_MISSPELT = [(len(label), label) for label in _PLAIN if len(label) >= _SHORTEST_MISSPELT]
_STATE = ("Id", "Type", "Status", "Evidence", "Superseded by")
_ONCE = ("Source", "Verification", "Revisit when")


@lru_cache(maxsize=1_024)
def _meant(label: str) -> str:
    """The header label that `label` is, but for capitals or one slip of the pen; "" for none."""
    plain = " ".join(label.casefold().split())
    if plain in _PLAIN:
        return _PLAIN[plain]
    # Of words this long no slip changes both the first and the last letter.
    near = [known for length, known in _MISSPELT if -2 < length - len(plain) < 2]
    near = [known for known in near if known[0] == plain[0] or known[-1] == plain[-1]]
    return next((_PLAIN[known] for known in near if one_slip_apart(plain, known)), "")


@lru_cache(maxsize=2)
def _strange_labels(body: str, first_line: int) -> Sequence[tuple[int, str, str]]:
    """Line, words and text of each bold label that no reader takes for a field, code included."""
    found, at, line = [], 0, first_line
    for match in _BOLD.finditer(body):
        if _COLON.search(match["end"]):
            line += body.count("\n", at, match.start())
            at = match.start()
            found.append((line, match["label"].rstrip(), match[0].rstrip()))
    return found


def _strange(memory: Memory) -> Sequence[tuple[int, str, str]]:
    return _strange_labels(memory.file.body, memory.file.body_line)


@rule("M111", "memory", severity="warning")
def label_misspelt(memory: Memory) -> Iterator[Found]:
    """A line among an entry's fields is nearly a field, and no program reads it as one.

    Why: the person who wrote it thinks that the entry says so; tools take it for prose.
    Fix: write the label as the message says, at the start of the line.
    Bad: `**Staus:** active`, `**status:** active`, `**Status**: active`, `- **Status:** active`
    Good: `**Status:** active`
    """
    found = [(line, label, text) for line, label, text in _strange(memory) if _meant(label)]
    if found:
        header = _header_lines(memory, {line for line, _, _ in found})
        for line, label, text in found:
            if line in header:
                yield Found(line, f"'{visible(text, 60)}' is not read as **{_meant(label)}:**")


def _header_lines(memory: Memory, near: set[int]) -> frozenset[int]:
    """The lines of every entry's header: blank, a field, or `near` to one, below the heading."""
    lines = memory.file.text.split("\n")
    header: set[int] = set()
    for entry in memory.file.entries:
        fields = {field.line for field in entry.fields}
        for line in range(entry.line + 1, entry.end_line + 1):
            if lines[line - 1].strip() and line not in fields and line not in near:
                break
            header.add(line)
    return frozenset(header)


@rule("M112", "memory")
def label_look_alike(memory: Memory) -> Iterator[Found]:
    """A label draws like that of a field and is written with other letters.

    Why: a reviewer sees a field, and programs see none: an entry can look superseded and hold.
    Fix: type the label anew in plain letters.
    Bad: `**Status:**` with a Cyrillic letter in it.
    Good: `**Status:**`
    """
    found = [place for place in _strange(memory) if _looks_like(place[1], place[2])]
    unfenced = {
        index + memory.file.body_line
        for index, _ in (unfenced_lines(memory.file.body) if found else ())
    }
    for line, label, text in found:
        if line in unfenced:
            known = _looks_like(label, text)
            yield Found(line, f"a label is drawn like **{known}:** and written with other letters")


def _looks_like(label: str, text: str) -> str:
    """The header label that a label with strange letters is drawn like, "" for none."""
    return "" if text.isascii() else _PLAIN.get(" ".join(skeleton(label).split()), "")


@rule("M113", "memory", severity="warning")
def field_below_prose(memory: Memory) -> Iterator[Found]:
    """A field stands below the words of its entry, and counts.

    Why: who reads the head of the entry does not see it: further down it can end the entry or
    raise its evidence. (`Revisit when`, `Source`, `Verification` and `See` may stand there in a
    file without provenance.)
    Fix: move it to the other fields; to quote a field, put it in a fenced block or in backticks.
    Bad: `**Status:** superseded` after two paragraphs.
    Good: the same line below the heading.
    """
    labels = HEADER_LABELS if has_provenance(memory.file) else _STATE
    apart = [entry for entry in memory.file.entries if entry.fields and not _is_together(entry)]
    lines = memory.file.text.split("\n") if apart else []
    for entry in apart:
        told = [field for field in _below_prose(entry, lines) if field.label in labels]
        if told:
            names = ", ".join(dict.fromkeys(f"**{field.label}:**" for field in told))
            yield Found(told[0].line, f"below prose, and it counts: {names}")


def _is_together(entry: Entry) -> bool:
    """True where the fields are one block right below the heading."""
    first, last = entry.fields[0].line, entry.fields[-1].line
    return last - first == len(entry.fields) - 1 and first <= entry.line + 2


def _below_prose(entry: Entry, lines: Sequence[str]) -> Iterator[FieldLine]:
    """The fields after the first paragraph that does not begin with a field.

    A quotation above all fields is a note on the entry, not its words.
    """
    fields = {field.line: field for field in entry.fields}
    first, in_field, prose = entry.fields[0].line, False, False
    for line in range(entry.line + 1, entry.fields[-1].line + 1):
        if line in fields:
            in_field = True
            if prose:
                yield fields[line]
        elif not lines[line - 1].strip():
            in_field = False
        else:
            note = line < first and lines[line - 1].startswith(">")
            prose = prose or not (in_field or note)


@rule("M114", "entry", severity="warning")
def verifications_disagree(section: Section) -> Iterator[Found]:
    """Two Verification lines of one entry say different things.

    Why: a reader who stops at the first takes for checked what the second denies.
    Fix: keep one line that says how it stands, with both sources after the dash.
    Bad: `**Verification:** corroborated` and `**Verification:** contradicted — by the log`
    Good: `**Verification:** contradicted — the log says otherwise, the issue agrees`
    """
    told = section.get("Verification")
    words = [_verdict(field.value) for field in told] if len(told) > 1 else []
    for field, word in zip(told, words, strict=False):
        if word and words[0] and word != words[0]:
            message = f"Verification {quoted(word)} disagrees with {quoted(words[0])} above"
            yield Found(field.line, message)


def _verdict(value: str) -> str:
    return next((word for word in VERIFICATIONS if value.startswith(word)), "")


@rule("M115", "memory", severity="warning")
def field_said_again(memory: Memory) -> Iterator[Found]:
    """A field that stands once at most stands twice, in a file with provenance.

    Why: a reader takes the first and does not show that there is another.
    Fix: put both into one line, or delete one.
    Bad: two lines `**Source:**` in one entry.
    Good: `**Source:** the issue; the log of that week`
    """
    for entry in memory.file.entries if has_provenance(memory.file) else ():
        for label in _ONCE:
            for field in entry.get(label)[1:2]:
                yield Found(field.line, f"**{label}:** is already given in this entry")


RULES: tuple[Rule[Section], ...] = (verifications_disagree,)
MEMORY_RULES: tuple[Rule[Memory], ...] = (
    label_misspelt,
    label_look_alike,
    field_below_prose,
    field_said_again,
)
