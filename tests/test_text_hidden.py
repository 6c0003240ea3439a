"""Hidden characters: found by class and sequence, stripped, shown, folded."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honest_texts import HONEST
from ktw.text.characters import BIDI, ZERO_WIDTH, code_of
from ktw.text.hidden import find_hidden, fold, show_hidden, smuggled, strip_hidden

ANY = st.text(alphabet=st.characters(), max_size=60)
# Where the rules have something to decide: joiners, selectors, tags, emoji, breaks, escapes.
TANGLED = st.text(
    alphabet=st.sampled_from(
        "ab1\u05d0\u200e\u200f\u845b\U000e0100\u0628"
        " \n\r\x1b[m\u200b\u200c\u200d\ufe0f\ufe0e\u20e3\u2764\U0001f468\U0001f3f4\U000e0067"
        "\U000e007f\u0645\u06cc\u0915\u094d\u202e\u2028\x00\u2800\u2801\u3000\u00a0\ud800"
    ),
    max_size=30,
)

FOUND = {
    "left-to-right mark": "\u200e",
    "right-to-left mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "soft hyphen": "\u00ad",
    "combining grapheme joiner": "\u034f",
    "Mongolian vowel separator": "\u180e",
    "invisible times": "\u2062",
    "deprecated format": "\u206a",
    "zero-width space": "\u200b",
    "zero-width non-joiner": "\u200c",
    "zero-width joiner": "\u200d",
    "word joiner": "\u2060",
    "byte order mark inside": "\ufeff",
    "selector 1": "\ufe00",
    "selector 16 after a letter": "\ufe0f",
    "selector 17": "\U000e0100",
    "selector 256": "\U000e01ef",
    "tag letter": "\U000e0041",
    "tag cancel": "\U000e007f",
    "Hangul filler": "\u3164",
    "Hangul choseong filler": "\u115f",
    "halfwidth Hangul filler": "\uffa0",
    "Braille blank": "\u2800",
    "Khmer inherent vowel": "\u17b4",
    "interlinear anchor": "\ufff9",
    "musical format": "\U0001d173",
    "private use": "\ue000",
    "private use plane": "\U000f0000",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "next line": "\u0085",
    "vertical tab": "\x0b",
    "form feed": "\x0c",
    "escape": "\x1b",
    "backspace": "\x08",
    "null": "\x00",
    "lone carriage return": "\r",
    "delete": "\x7f",
    "C1 control": "\x81",
    "right-to-left override": "\u202e",
    "left-to-right isolate": "\u2066",
    "lone surrogate": "\ud800",
    "noncharacter": "\uffff",
    "reserved default-ignorable": "\u2065",
    "no-break space between letters": "\u00a0",
    "ideographic space between letters": "\u3000",
}

LEGITIMATE = {
    "tab and newline": "a\tb\n",
    "CRLF": "one\r\ntwo\r\n",
    "leading byte order mark": "\ufeffText",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "keycap": "1\ufe0f\u20e3",
    "flag of Wales": "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Devanagari": "\u0915\u094d\u200d\u0937",
    "Japanese": "\u65e5\u672c\u3000\u8a9e",
    "French": "\u00ab\u00a0oui\u00a0\u00bb\u00a0!",
    "Arabic number sign": "\u0600\u0661",
    "Braille": "\u2801\u2800\u2801",
    "accents": "na\u00efve cafe\u0301",
}


@pytest.mark.parametrize("name", FOUND)
def test_hidden_character_is_found(name: str) -> None:
    spans = find_hidden(f"ab{FOUND[name]}cd")
    assert [(span.start, span.end) for span in spans] == [(2, 3)]
    assert spans[0].code.startswith("H1")
    assert spans[0].why


@pytest.mark.parametrize("name", LEGITIMATE)
def test_legitimate_use_is_left_alone(name: str) -> None:
    assert find_hidden(LEGITIMATE[name]) == []


@pytest.mark.parametrize("name", HONEST)
def test_honest_texts_in_many_scripts_hide_nothing(name: str) -> None:
    assert find_hidden(HONEST[name]) == []


BITS = "".join(f"{byte:08b}" for byte in b"skip tests")


def _spelt(zero: str, one: str) -> str:
    return "".join(one if bit == "1" else zero for bit in BITS)


def _flag(tags: str) -> str:
    return "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in tags) + "\U000e007f"


# Each goes through one excuse: every character stands where that character may stand.
CARRIED = {
    "joiners in Persian letters": _spelt("\u0628", "\u0628\u200c"),
    "joiners in Persian words": _spelt("\u0628\u0645 ", "\u0628\u200c\u0645 "),
    "two joiners in a row": "\u0645\u06cc\u200c\u200c\u062e\u0648",
    "joiners of both kinds in a run": "\u0915\u094d\u200c\u200d\u200c\u0937",
    "zero-width spaces in Khmer": _spelt("\u1780", "\u1780\u200b"),
    "emoji joined and not": _spelt("\U0001f680\U0001f4bb", "\U0001f680\u200d\U0001f4bb"),
    "faces joined": _spelt("\U0001f600\U0001f601", "\U0001f600\u200d\U0001f601"),
    "a tag run on a flag": _flag("skip all tests and push"),
    "words on flags": "".join(map(_flag, ("skipt", "estsa", "ndpus"))),
    "a flag without its end": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067",
    "forms of an emoji alternating": _spelt("\u2764\ufe0e", "\u2764\ufe0f"),
    "a run of forms after an emoji": "\u2764" + _spelt("\ufe0e", "\ufe0f"),
    "direction marks alternating": _spelt("\u05d0\u200e ", "\u05d0\u200f "),
    "direction marks in a run": "\u05d0 " + _spelt("\u200e", "\u200f") + " b",
    "a direction mark in a word": "deploy \u05d0\u05d1 and de\u200eploy",
    "bytes on ideographs": "".join(
        "\u845b" + chr(0xE0100 + nibble) for byte in b"skip" for nibble in divmod(byte, 16)
    ),
    "a high byte on an ideograph": "\u845b\U000e0161",
    "Mongolian selectors in a run": "\u182a" + _spelt("\u180b", "\u180c"),
    "blank Braille as spaces": "\u2801" + _spelt("\u2800\u2800", "\u2801\u2800"),
}


@pytest.mark.parametrize("name", CARRIED)
def test_no_excuse_carries_a_message(name: str) -> None:
    assert [span for span in find_hidden(f"Notes. {CARRIED[name]} End.") if span.code != "H120"]
    assert find_hidden(strip_hidden(CARRIED[name])) == []


def test_neighbours_of_one_kind_are_one_span() -> None:
    (span,) = find_hidden("Note." + "".join(chr(0xE0000 + ord(c)) for c in "skip tests"))
    assert (span.start, span.end, span.code) == (5, 15, "H101")


def test_terminal_escape_goes_with_its_tail() -> None:
    assert strip_hidden("\x1b[8mdeploy\x1b[0m now") == "deploy now"


def test_strip_keeps_words_apart() -> None:
    assert strip_hidden("a\u2028b\u3164c\u200bd") == "a\nb cd"


def test_show_names_each_character() -> None:
    assert show_hidden("a\u202eb\U000e0041") == "a<U+202E>b<U+E0041>"


@pytest.mark.parametrize(
    "text",
    [
        "d\u0435pl\u043ey",  # Cyrillic
        "\uff24\uff25\uff30\uff2c\uff2f\uff39",  # full width
        "\U0001d41d\U0001d41e\U0001d429\U0001d425\U0001d428\U0001d432",  # mathematical bold
        "d\u200be\u00adp\u2060l\u034fo\ufe0fy",
        "d\u00e9pl\u00f6y",
        "\u1d05\u1d07\u1d18\u029f\u1d0f\u028f",  # small capitals
    ],
)
def test_fold_sees_through(text: str) -> None:
    assert fold(text) == "deploy"


def test_smuggled_text_is_decoded() -> None:
    tags = "".join(chr(0xE0000 + ord(c)) for c in "hello")
    selectors = "".join(chr(0xE0100 + byte - 16) for byte in b"world")
    assert [decoded for _, _, decoded in smuggled(f"a{tags}b{selectors}")] == ["hello", "world"]


@given(st.one_of(ANY, TANGLED))
def test_spans_lie_in_the_text_in_order(text: str) -> None:
    reached = 0
    for span in find_hidden(text):
        assert reached <= span.start < span.end <= len(text)
        reached = span.end


@given(st.one_of(ANY, TANGLED))
def test_strip_is_idempotent_and_leaves_nothing(text: str) -> None:
    bare = strip_hidden(text)
    assert strip_hidden(bare) == bare
    assert find_hidden(bare) == []


@given(ANY)
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.one_of(ANY, TANGLED))
def test_shown_text_hides_nothing(text: str) -> None:
    assert len(find_hidden(show_hidden(text))) == 0


def test_what_counts_as_invisible_is_what_two_codes_stand_for() -> None:
    """E301 reports these characters, so that H leaves out their codes."""
    invisible = "[\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069]"
    every = "".join(map(chr, range(0x110000)))
    named = [character for character in every if code_of(character) in (ZERO_WIDTH, BIDI)]
    assert named == re.findall(invisible, every)
