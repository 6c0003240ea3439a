"""The plain view of a sentence: what it says, without hidden characters, markup, case and spelling
tricks.

Words and clause marks stand one blank apart, with a blank at each end, which is what phrases match.
Knows Markdown and HTML inline markup; no rule.
"""

import re
from collections.abc import Iterator, Sequence

from ktw.text.hidden import fold
from ktw.text.late import late

_LINK_TARGET = late(r"\]\([^)\s]*")
_TAG = late(r"</?(?:b|i|u|s|em|strong|span|font|code|wbr|sub|sup|mark|small|kbd|del|ins|a)>")
# Any other tag parts what stands around it; its attributes are text too (alt, title), and all
# of what only looks like a tag with some.
_NAME, _REST = "[a-z][a-z0-9-]{0,20}", r"\s[^<>]{0,2000}"
_ELEMENT = late(rf"</?(?:{_NAME}/?>|{_NAME}(?=\s[a-z-]{{1,20}}=)({_REST})/?>|({_NAME}{_REST})/?>)")
_QUOTED = late(r'"(?=\w{1,40} \w{1,40} \w)')
_INNER_QUOTE_LINE = late(r"\n[>#/*;| \t-]*")
DROPPED = '*`"\\'  # marks that leave no gap
# One character for one, so that `translate` is fast; \x01 then becomes a clause mark.
_MARKUP = str.maketrans(
    "[]{}<>\t\n\r^()|;#\u3002\u2192\u2022\u3001", " " * 10 + "\x01" * 8 + ",", DROPPED
)
_MARKED = re.compile("[" + "".join(re.escape(chr(point)) for point in _MARKUP) + "\x01]")
_SHORT_FORMS = (
    ("can't", "can not"), ("won't", "will not"), ("n't", " not"), ("'re", " are"), ("'ve", " have"),
    ("'ll", " will"), ("'s", ""), ("let us", "lets"), ("'", ""),
)  # fmt: skip
# Underscores where a word begins or ends; each run is looked at once.
_EDGES = late(r"_(?:(?<!\S.)_*|(?<!_.)_*+(?!\S))")
_SLASHES = late(r" /{1,3}(?= )")
_ENDS = ",.:!?"  # what is parted from the end of a word, in this order, each once
_PARTED = _MARKUP | dict.fromkeys(map(ord, "-\t\n\r^()|;#"), " ")
SPELT_ANEW = ("cannot", "dont", "doesnt")  # of two in a row the plain view keeps the second
_SPELLINGS = ((" cannot ", " can not "), (" dont ", " do not "), (" doesnt ", " does not "))


def plain(sentence: str) -> str:
    """The plain view of one sentence (or any text); two blanks for one that says nothing."""
    return plain_folded(fold(sentence))


def plain_folded(text: str) -> str:
    """As `plain`, of a text that is folded already."""
    text = without_markup(text)
    if "'" in text:
        text = in_full(text)
    if "-" in text:
        text = text.replace(" - ", " ; ").replace(" -- ", " ; ").replace("-", " ")
    if _MARKED.search(text):
        text = text.translate(_MARKUP).replace("\x01", " ; ")
    text += " "
    if "," in text:
        text = text.replace(", ", " , ")
    if "." in text:
        text = text.replace(". ", " ; ")
    if ":" in text:
        text = text.replace(": ", " ; ")
    if "!" in text:
        text = text.replace("! ", " ; ")
    if "?" in text:
        text = text.replace("? ", " ? ")
    slashed = "//" in text
    if "_" in text:
        text = _EDGES.sub("", text)
    if "~~" in text:
        text = text.replace("~~", "")
    text = " " + " ".join(text.split()) + " "
    if slashed:
        text = _SLASHES.sub(" ;", text)
    if "cannot" in text or "dont" in text or "doesnt" in text:
        for spelling, right in _SPELLINGS:
            text = text.replace(spelling, right)
    return _joined_marks(text)


def in_full(text: str) -> str:
    """The text with its short forms written out, and no apostrophe."""
    for short, long in _SHORT_FORMS:
        text = text.replace(short, long)
    return text


def without_targets(text: str) -> str:
    """A text without what its links lead to, of which its plain view says nothing."""
    return _LINK_TARGET.sub("] ", text) if "](" in text else text


def without_markup(text: str) -> str:
    text = without_targets(text)
    if "<" in text and ">" in text:
        text = _TAG.sub("", text).replace("<!--", " ; ").replace("-->", " ; ")
        text = _ELEMENT.sub(r" ; \1\2 ; ", text)
    elif "<!--" in text:
        text = text.replace("<!--", " ; ")
    if "\n" in text:
        text = _INNER_QUOTE_LINE.sub(" ", text)
    if '"' in text:
        text = _QUOTED.sub(" ; ", text)
    return text


def _joined_marks(text: str) -> str:
    """Marks at the beginning dropped: a clause begins there anyway."""
    if text[1] not in ";,:":
        return text
    start = 0
    while text.startswith((" ; ", " , ", " : "), start):
        start += 2
    return text[start:] or "  "


# No tag and no link's target reaches over it.
_APART = " \0< "


def words_of_each(words: Sequence[str]) -> Iterator[set[str]]:
    """Of each of some words: every word that a plain view may have of one between blanks, folded,
    or of two that a quote parted; not for "let us" and tags over blanks. Marks that go where a line
    begins are left.
    """
    if not words:
        return iter(())
    text = without_markup(_APART.join(words))
    if "'" in text:
        text = in_full(text)
    return map(_parted, text.translate(_PARTED).split("\0"))


def _parted(text: str) -> set[str]:
    """The words that blanks part in a text, without the marks at their ends."""
    words = set(text.split())
    marked = [word for word in words if not word.isalnum()]
    if marked:
        words = words.difference(marked).union(map(_without_ends, marked))
    if not words.isdisjoint(SPELT_ANEW):
        words.update(SPELT_ANEW, ("can", "do", "does", "not"))
    return words


def _without_ends(word: str) -> str:
    if word[-1] in _ENDS:
        for mark in _ENDS:
            word = word.removesuffix(mark)
    return word.strip("_").replace("~~", "")
