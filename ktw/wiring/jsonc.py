"""JSON with comments and trailing commas: read with the place of every value, changed in place.

Knows text alone. Whatever is not put in or taken out keeps every byte; nothing is formatted anew.
The grammar is that of RFC 8259, with the comments and trailing commas that editors and agents
accept in their settings.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ktw.wiring.documents import Broken, Json

# Blanks are skipped by a pattern of their own: before a token that does not fit, theirs would be
# parted anew in every way there is.
_BLANKS = re.compile(r"(?:[ \t\r\n]+|//[^\n\r]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*")
_TOKEN = re.compile(
    r"(?P<mark>[{}\[\],:])"
    r'|(?P<string>"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-]))"
    r"|(?P<word>(?:true|false|null)\b)"
    r"|(?P<end>\Z)"
)
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}
_DEEPEST = 200
_MAX_INTEGER = 15


class Token(NamedTuple):
    """A piece of the text that is no blank and no comment."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Item(NamedTuple):
    """A member of an object or an element of an array, from its key to the comma after it.

    `comma` is where that comma stands, -1 where there is none.
    """

    key: str
    start: int
    value: "Node"
    comma: int

    @property
    def end(self) -> int:
        return self.value.end


class Node(NamedTuple):
    """A value and where it stands; `items` are its members or elements."""

    start: int
    end: int
    value: Json
    items: tuple[Item, ...] = ()

    def member(self, key: str) -> "Node | None":
        """The value of a key; of several with one name the last, as JSON readers take it."""
        return next((item.value for item in reversed(self.items) if item.key == key), None)

    def repeats(self, key: str) -> bool:
        return isinstance(self.value, dict) and sum(item.key == key for item in self.items) > 1


@lru_cache(maxsize=2)  # a plan asks several things of one text
def parse(text: str) -> Node:
    """The tree of a text; raises Broken with the line where it is none."""
    tokens = _tokens(text)
    node, at = _value(text, tokens, 0, 0)
    if at < len(tokens) - 1:
        raise _broken(text, tokens[at].start, "something follows the end")
    return node


def _broken(text: str, at: int, why: str) -> Broken:
    return Broken(text.count("\n", 0, at) + 1, why)


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while True:
        start = _after_blanks(text, at)
        match = _TOKEN.match(text, start)
        if match is None or match.lastgroup is None:
            raise _broken(text, start, "this is no JSON")
        at = match.end()
        found.append(Token(match.lastgroup, match[0], start))
        if match.lastgroup == "end":
            return found


def _after_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _value(text: str, tokens: Sequence[Token], at: int, depth: int) -> tuple[Node, int]:
    token = tokens[at]
    if token.kind == "mark" and token.text in "{[":
        if depth >= _DEEPEST:
            raise _broken(text, token.start, "it is nested too deep")
        return _container(text, tokens, at, depth + 1)
    if token.kind not in ("string", "number", "word"):
        raise _broken(text, token.start, "a value is missing")
    return Node(token.start, token.end, _scalar(text, token)), at + 1


def _scalar(text: str, token: Token) -> Json:
    if token.kind == "word":
        return _WORDS[token.text]
    if token.kind == "string" and "\\" not in token.text:
        return token.text[1:-1]
    if token.kind == "number":
        whole = token.text.lstrip("-").isdigit()
        return integer(token.text) if whole else float(token.text)
    try:
        return str(json.loads(token.text))
    except ValueError as error:
        raise _broken(text, token.start, "this string has an unknown escape") from error


def integer(text: str) -> int | float:
    """A whole number as far as others read it exactly, else near enough to be told apart."""
    return int(text) if len(text) <= _MAX_INTEGER else float(text)


def _container(text: str, tokens: Sequence[Token], at: int, depth: int) -> tuple[Node, int]:
    opening = tokens[at]
    is_object = opening.text == "{"
    closing = "}" if is_object else "]"
    items: list[Item] = []
    at += 1
    while tokens[at].text != closing or tokens[at].kind != "mark":
        if items and items[-1].comma < 0:
            raise _broken(text, tokens[at].start, f"a comma or {closing} is missing")
        start, key = tokens[at].start, ""
        if is_object:
            key, at = _key(text, tokens, at)
        value, at = _value(text, tokens, at, depth)
        comma = tokens[at].start if tokens[at].text == "," else -1
        items.append(Item(key, start, value, comma))
        at += comma >= 0
    values = [item.value.value for item in items]
    whole: Json = values
    if is_object:
        whole = {item.key: value for item, value in zip(items, values, strict=True)}
    return Node(opening.start, tokens[at].end, whole, tuple(items)), at + 1


def _key(text: str, tokens: Sequence[Token], at: int) -> tuple[str, int]:
    if tokens[at].kind != "string":
        raise _broken(text, tokens[at].start, "a key is missing")
    if tokens[at + 1].text != ":":
        raise _broken(text, tokens[at + 1].start, "a colon is missing")
    return str(_scalar(text, tokens[at])), at + 2
