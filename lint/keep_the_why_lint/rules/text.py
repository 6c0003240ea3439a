"""Rules about text as text: encoding, hidden characters, secrets, and sentences that direct.

What counts as hidden, secret or directive is decided in `ktw.text`; no message repeats it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from keep_the_why_lint.change import claim_holds
from keep_the_why_lint.finding import Severity
from keep_the_why_lint.page import Page
from keep_the_why_lint.project import Memory, Project
from keep_the_why_lint.rule import MOST_OF_A_RULE, Found, Rule, rule
from ktw.text import Span
from ktw.text.characters import BIDI, BLANK, ZERO_WIDTH
from ktw.text.escape import words_in
from ktw.text.hidden import as_span, hidden_runs, is_mild
from ktw.text.secrets import find_secrets
from ktw.text.spellings import find_spellings

_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
_INVISIBLE_CODES = (ZERO_WIDTH, BIDI)  # of these characters, and of no others
_ENCODED = re.compile("[A-Za-z0-9+/]{60,}={0,2}")
_ENCODED_LENGTH = 60
_HEX = re.compile("[0-9A-Fa-f]+")


def _at(
    page: Page, spans: Iterable[Span], message: str = "", severity: Severity | None = None
) -> Iterator[Found]:
    for span in spans:
        line, column = page.place(span.start)
        end_line = page.place(max(span.start, span.end - 1))[0]
        yield Found(line, message + span.why, "", column, end_line, span.code, severity)


@rule("E301", "page")
def invisible_character(page: Page) -> Iterator[Found]:
    """A zero-width or directional character.

    Why: what a reader sees is not what a program reads.
    Fix: delete it; your editor can show invisible characters.
    Bad: a zero-width space inside a word.
    Good: the word alone.
    """
    if page.text.isascii():
        return
    seen: set[str] = set()  # in the line that ends at `end`
    end = 0
    for match in _INVISIBLE.finditer(page.text):
        if match.start() >= end:
            end, seen = page.line_end(match.start()), set()
        if match[0] not in seen:
            seen.add(match[0])
            line, column = page.place(match.start())
            name = unicodedata.name(match[0], "unnamed")
            message = f"the invisible character U+{ord(match[0]):04X} ({name})"
            yield Found(line, message, column=column)


@rule("E302", "project")
def not_utf8(project: Project) -> Iterator[Found]:
    """A file is not valid UTF-8.

    Why: programs disagree on what it says; the bytes are replaced before it is checked further.
    Fix: save it as UTF-8.
    Bad: a file in Latin-1 with an accented letter.
    Good: the same in UTF-8.
    """
    for path, line in project.undecodable:
        yield Found(line, "the file is not valid UTF-8 from here on", path)
    for file in project.files:
        for problem in file.problems:
            if problem.kind == "encoding":
                yield Found(problem.line, problem.message, file.path)


@rule("W301", "page")
def encoded_run(page: Page) -> Iterator[Found]:
    """A run of 60 or more characters that looks like base64.

    Why: what has to be decoded cannot be reviewed.
    Fix: say what it means, or link to where it stands.
    Bad: a pasted certificate.
    Good: the name of the file that holds it. (Hexadecimal digests are exempt.)
    """
    if not _has_long_word(page.text):
        return
    for match in _ENCODED.finditer(page.text):
        if not _HEX.fullmatch(match[0]):
            line, column = page.place(match.start())
            message = f"a run of {len(match[0])} characters that looks like encoded data"
            yield Found(line, message, column=column)


def _has_long_word(text: str) -> bool:
    """True where `_ENCODED_LENGTH` characters stand without a blank: most texts have no such run.

    A step looks for the last blank in as many characters, so nearly all are never touched.
    """
    at, length = 0, _ENCODED_LENGTH
    while at + length <= len(text):
        blank = text.rfind(" ", at, at + length)
        if blank < 0:
            window = text[at : at + length]
            unfinished = "" if window[-1].isspace() else window.split()[-1]
            if len(unfinished) == length:
                return True
            blank = at + length - len(unfinished) - 1
        at = blank + 1
    return False


@rule("S101", "page")
def secret(page: Page) -> Iterator[Found]:
    """Text that looks like a credential.

    Why: a memory is committed and read by everyone; the secret is public from then on.
    Fix: revoke the credential where it was issued, then remove it from the file and history.
    Bad: a pasted access key.
    Good: the name of the vault entry that holds it.
    """
    yield from _at(page, find_secrets(page.text), "this looks like a secret: ")


@rule("H", "page")
def hidden_text(page: Page) -> Iterator[Found]:
    """A character or sequence that shows nothing, or not what it is.

    Why: instructions can be hidden from the person who reviews and still reach a model.
    Fix: delete it; where a script needs it (a joiner in Persian, an emoji), it is not reported.
    Bad: a sentence in tag characters behind a word.
    Good: the word alone. (What E301 reports is not reported twice.)

    A warning where it shows and only defeats matching: H109 for one private-use character, H120 for
    blanks, H121 to H123 for letters that are styled, spaced or numbered.
    """
    runs = [run for run in hidden_runs(page.text) if run[2] not in _INVISIBLE_CODES]
    spelt = find_spellings(page.text)
    grave = chain(
        (as_span(run) for run in runs if not is_mild(*run)), (s for s in spelt if s.code < BLANK)
    )
    mild = chain(
        (as_span(run) for run in runs if is_mild(*run)), (s for s in spelt if s.code >= BLANK)
    )
    yield from _at(page, grave, "hidden text: ")
    yield from islice(_at(page, mild, "hidden text: ", "warning"), MOST_OF_A_RULE + 1)


@rule("H201", "page", severity="warning")
def readable_blob(page: Page) -> Iterator[Found]:
    """Encoded text that decodes to prose.

    Why: what has to be decoded is not reviewed, and a model decodes it while it reads.
    Fix: write what it says.
    Bad: a sentence in base64, hexadecimal, Morse code.
    Good: the sentence. (Hashes, keys, pictures and other data are not reported.)
    """
    yield from _at(page, [span for span in page.blobs if span.code == "H201"], "encoded text: it ")


@rule("H202", "page")
def encoded_directive(page: Page) -> Iterator[Found]:
    """Encoded text that decodes to a directive, also in two layers or packed.

    Why: it is hidden from the person who reviews, not from the model that reads.
    Fix: delete it.
    Bad: an order to skip the tests, in base64 or in tag characters.
    Good: nothing in its place.
    """
    yield from _at(page, [span for span in page.blobs if span.code == "H202"], "encoded text: it ")


def _named(memory: Memory) -> Iterator[Found]:
    name = memory.path.rsplit("/", 1)[-1].removesuffix(".md")
    spans = (*memory.find(name), *memory.find(words_in(name)))
    for span in [span for span in spans if span.code[0] != "W"][:1]:
        yield Found(0, f"the file name reads as a directive: {span.why}", code=span.code)


@rule("D", "memory", also=("W9",))
def directive(memory: Memory) -> Iterator[Found]:
    """A sentence that tells an agent what to do, weakens a safeguard or claims authority.

    Why: a memory is knowledge; read by an agent, such a sentence acts as an order.
    Fix: say what is so and why instead. A rule that is meant as one is approved with `ktw trust`:
    in a file whose approval claim matches its own words, this is a warning. A directive that is
    only told of (W902), that several short pieces make together (W903), or that no rule knows but
    a model takes for one, by its words (W904), is a warning either way.
    Bad: an order to ignore earlier instructions.
    Good: `The deploy step runs only from main, because tags are moved by the release job.`
    """
    yield from _named(memory)
    is_rule = claim_holds(memory.file) and memory.file.computed_hash not in memory.project.revoked
    approved: Severity = "warning" if is_rule else "error"
    spans = [span for span in memory.directives if span.code.startswith(("D", "W"))]
    for found in _at(memory.page, spans, "this reads as a directive: "):
        note = found.code.startswith("W")
        yield Found(
            found.line,
            found.message,
            "",
            found.column,
            found.end_line,
            found.code,
            "warning" if note else approved,
        )


@rule("F", "memory")
def frame_imitation(memory: Memory) -> Iterator[Found]:
    """Text that imitates the frame which marks a memory as data.

    Why: whoever reads it could take what follows for text outside the frame.
    Fix: describe the marker in words.
    Bad: a line that looks like the end of a frame.
    Good: `the closing marker of the frame`
    """
    spans = [span for span in memory.directives if span.code.startswith("F")]
    yield from _at(memory.page, spans, "this imitates the frame: ")


RULES: tuple[Rule[Page], ...] = (
    invisible_character,
    encoded_run,
    secret,
    hidden_text,
    readable_blob,
    encoded_directive,
)
MEMORY_RULES: tuple[Rule[Memory], ...] = (directive, frame_imitation)
PROJECT_RULES: tuple[Rule[Project], ...] = (not_utf8,)
