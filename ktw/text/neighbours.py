"""Where a character that shows nothing is in its place: a joiner in Persian, a selector after an
emoji.

Each excuse asks whether the character changes what is drawn there. `carriers` takes the excuse back
from characters that are so placed that they spell something.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile

from ktw.text.characters import (
    BLANK,
    MARK,
    SELECTOR,
    ZERO_WIDTH,
    code_of,
    lies_in,
    places_of,
)

# What its neighbours may excuse, whole codes and single characters of others; nothing else.
_EXCUSED = frozenset((ZERO_WIDTH, SELECTOR, MARK, BLANK))
_EXCUSED_BESIDES = frozenset("\r\u2800\u180b\u180c\u180d\u180f\u180e")
# Emoji that Unicode does not class as "other symbol".
_EMOJI_BESIDES = frozenset("\u00a9\u00ae\u203c\u2049\u2194\u21aa\u25fd\u25fe\u3030\u303d\u20e3")
_SHAPED = ("ARABIC LETTER", "ARABIC FATHA", "ARABIC KASRA", "ARABIC DAMMA", "ARABIC SHADDA")
_UNSPACED = ("KHMER", "THAI", "LAO", "MYANMAR")  # scripts that part words by a zero-width space
_VARIED = "\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f0"  # have standardised variants
_REACH = 24  # characters between a direction mark and a letter of the direction that it serves
_OFTEN = 4  # times each way from which on a choice is no accident
_BESIDE_BLANKS = frozenset("\u00ab\u00bb:;!?%\u20ac$\u00a7\u2013\u2014")
FEW = 2 * _OFTEN  # below which no characters can spell anything


@lru_cache(maxsize=1 << 12)
def draws_emoji(character: str) -> bool:
    """Whether a selector can choose between two forms of it, or a joiner join it."""
    return (
        unicodedata.category(character) == "So"
        or character in _EMOJI_BESIDES
        or lies_in(character, 0x1F300, 0x1FAFF)
        or lies_in(character, 0x2190, 0x21FF)
        or lies_in(character, 0x25A0, 0x27BF)
    ) and not lies_in(character, 0x2800, 0x28FF)


def may_be_excused(character: str, code: str) -> bool:
    """Whether a character that has `code` is legitimate anywhere."""
    return code in _EXCUSED or character in _EXCUSED_BESIDES


def excused(text: str, at: int, code: str, kept: bool) -> bool:
    """Whether its neighbours make the character at `at`, which has `code`, legitimate.

    `kept`: the character before it was.
    """
    character = text[at]
    if not may_be_excused(character, code):
        return False
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if code == ZERO_WIDTH:
        return _joins(character, before, after, kept)
    if code == SELECTOR:
        return _selects(character, before, after)
    if code == MARK:
        return _turns(text, at)
    if character == "\r":
        return after == "\n"
    if character == "\u2800":
        return all(c and lies_in(c, 0x2801, 0x28FF) for c in (before, after))
    if character in "\u180b\u180c\u180d\u180f\u180e":
        return _script(before, "MONGOLIAN LETTER")
    return code == BLANK and _blank_in_place(character, before + after)


@lru_cache(maxsize=1 << 12)
def _script(character: str, *names: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith(names)


def _ideograph(character: str) -> bool:
    return _script(character, "CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH")


def _virama(character: str) -> bool:
    return unicodedata.combining(character) == 9


def _joins(joiner: str, before: str, after: str, kept: bool) -> bool:
    """Whether a joiner shapes its neighbours: emoji, Arabic or Indic script."""
    if not before:
        return False
    if joiner == "\u200b":
        return _script(before, *_UNSPACED) and _script(after, *_UNSPACED)
    if joiner not in "\u200c\u200d":
        return False
    if _virama(before) or (after and _virama(after) and before.isalpha()):
        return not (after and code_of(after))
    if _script(before, *_SHAPED):
        ends = joiner == "\u200d" and not code_of(after or " ") and not after.isalnum()
        return ends or _script(after, *_SHAPED)
    if joiner == "\u200c" or not after:
        return False
    face = lies_in(after, 0x1F600, 0x1F64F)  # no sequence is continued by one
    return ((before == "\ufe0f" and kept) or draws_emoji(before)) and (
        draws_emoji(after) and not face
    )


def _selects(selector: str, before: str, after: str) -> bool:
    """Whether a selector chooses a form: of an emoji, an ideograph, a sign that has variants."""
    if not before:
        return False
    if selector in "\ufe0e\ufe0f":
        return draws_emoji(before) or (before in "0123456789#*" and after == "\u20e3")
    if selector in "\ufe00\ufe01\ufe02":
        varied = before in _VARIED or unicodedata.category(before) == "Sm"
        return varied or _ideograph(before) or _script(before, "MYANMAR LETTER")
    return lies_in(selector, 0xE0100, 0xE011F) and _ideograph(before)


@lru_cache(maxsize=1 << 12)
def _direction(character: str) -> str:
    """ "R", "L", or "" for a character that takes the direction of its surroundings."""
    kind = unicodedata.bidirectional(character) if character else ""
    return "R" if kind in ("R", "AL") else "L" if kind == "L" else ""


def _turns(text: str, at: int) -> bool:
    """Whether a direction mark stands between right-to-left letters and something else."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if any(c and code_of(c) for c in (before, after)):
        return False
    sides = _direction(before), _direction(after)
    if all(sides):
        return sides[0] != sides[1]
    before, after = text[max(0, at - _REACH) : at], text[at + 1 : at + 1 + _REACH]
    return any(_direction(c) == "R" for side in (before[::-1], after) for c in _undisturbed(side))


def _undisturbed(side: str) -> Iterator[str]:
    """The characters up to the end of the line, or to one that is itself suspect."""
    return takewhile(lambda c: c != "\n" and not code_of(c), side)


def _blank_in_place(blank: str, around: str) -> bool:
    """Blanks that typography asks for: ideographic in CJK, no-break by French marks and digits."""
    if blank == "\u3000":
        return any(not code_of(c) and _wide(c) for c in around)
    if blank in "\u00a0\u202f\u2009":
        return not _BESIDE_BLANKS.isdisjoint(around) or any(map(str.isdigit, around))
    return False


def _wide(character: str) -> bool:
    return lies_in(character, 0x2E80, 0x9FFF) or lies_in(character, 0xFF00, 0xFFEF)


def may_carry(character: str) -> bool:
    """Whether `carriers` has anything to say about such a character."""
    return bool(_channel(character))


def carriers(text: str, indices: Iterable[int]) -> set[int]:
    """Those of the excused characters at `indices` that spell something by where they stand.

    A spelling is the same each time; a message needs both ways, often.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for at in indices:
        groups[_channel(text[at])].append(at)
    taken: set[int] = set()
    for channel, places in groups.items():
        check = _CHECKS.get(channel)
        if check and len(places) >= FEW:
            taken.update(check(text, places))
    return taken


_CHANNELS = {
    "\u200c": "shape", "\u200b": "shape", "\u200d": "emoji",
    "\ufe0e": "form", "\ufe0f": "form", "\u200e": "turn", "\u200f": "turn",
}  # fmt: skip


def _channel(character: str) -> str:
    return "ideograph" if lies_in(character, 0xE0100, 0xE011F) else _CHANNELS.get(character, "")


def _too_dense(text: str, places: list[int]) -> list[int]:
    """Words are rarely parted more often than each fifth letter."""
    scripts = (*_SHAPED, *_UNSPACED)
    at_letters = [at for at in places if _script(text[at - 1], *scripts)]
    letters = sum(
        number
        for letter, number in Counter(text).items()
        if not letter.isascii() and letter.isalpha() and _script(letter, *scripts)
    )
    return at_letters if len(at_letters) * 5 > letters else []


def _joined_and_not(text: str, places: list[int]) -> Iterator[int]:
    """The same two emoji, joined here and not joined there."""
    joined: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at in places:
        if not _script(text[at - 1], "ARABIC") and draws_emoji(text[at + 1 : at + 2] or " "):
            joined[text[at - 1], text[at + 1]].append(at)
    firsts = places_of({first for first, _ in joined}, text) if joined else ()
    apart = Counter((text[at], text[at + 1 : at + 2]) for at in firsts)
    for pair, here in joined.items():
        if len(here) >= _OFTEN and apart[pair] >= _OFTEN:
            yield from here


def _both_forms(text: str, places: list[int]) -> Iterator[int]:
    """The same emoji as a picture here and as a letter there."""
    forms: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for at in places:
        forms[text[at - 1]][text[at] == "\ufe0f"].append(at)
    for plain, picture in forms.values():
        if min(len(plain), len(picture)) >= _OFTEN:
            yield from plain + picture


def _both_directions(text: str, places: list[int]) -> list[int]:
    """Marks of both directions, and close together: a boundary needs one, and has one meaning."""
    left = sum(text[at] == "\u200e" for at in places)
    mixed = min(left, len(places) - left) >= _OFTEN
    return places if mixed and len(places) * 20 > len(text) else []


def _most_selected(text: str, places: list[int]) -> list[int]:
    """A rare form belongs to a name: most ideographs of a text have none."""
    ideographs = sum("\u3400" <= c <= "\u9fff" or c >= "\U00020000" for c in text)
    kinds = len({text[at] for at in places})
    return places if len(places) * 2 > ideographs - len(places) or kinds > FEW else []


_CHECKS = {
    "shape": _too_dense,
    "emoji": _joined_and_not,
    "form": _both_forms,
    "turn": _both_directions,
    "ideograph": _most_selected,
}
