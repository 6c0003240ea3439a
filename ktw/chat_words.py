"""The words that approve in chat in this clone, read from git config like the policy.

Off until this clone's own configuration says `ktw.chatApproval = true`; nothing in a work tree can
turn it on or choose the words.
"""

from collections.abc import Sequence

from ktw.git import Repository, Setting, read_settings
from ktw.origins import in_work_tree
from ktw.policy import CLONE_SCOPES

SWITCH, WORD = "ktw.chatApproval", "ktw.chatWord"
_PATTERN = r"^ktw\.chat(approval|word)$"
_USUAL = ("approve", "одобряю", "批准")
# What a person says to many things. An answer to something else must not approve.
_PLAIN = frozenset(
    "y yes yep yeah yup sure ok okay k fine good great right correct agreed agree go continue "
    "proceed done thanks no n 1 да ага угу хорошо ладно ок давай oui si sí sim ja jo tak hai evet "
    "是 是的 好 好的 行 可以 对 はい うん 네 예 응".split()
)
_ENDS = ".!。！"


def chat_words(repository: Repository) -> tuple[str, ...]:
    """The words that approve here, case-folded; none where approving in chat is off.

    `ktw.chatWord`, where it is set, replaces the usual ones. A plain yes is never one of them.
    Raises GitFailed.
    """
    settings = read_settings(repository, _PATTERN)
    if any(in_work_tree(repository, setting.origin) for setting in settings):
        return ()
    own = [setting for setting in settings if setting.scope in CLONE_SCOPES]
    if _values(own, SWITCH)[-1:] != ["true"]:
        return ()
    words = (_plain(value) for value in _values(own, WORD) or _USUAL)
    return tuple(dict.fromkeys(word for word in words if not _is_plain_yes(word)))


def is_word(prompt: str, words: Sequence[str]) -> bool:
    """True where a whole prompt is one of the words, its capitals and one full stop or
    exclamation mark aside."""
    return len(prompt) <= 200 and _plain(prompt) in words


def _is_plain_yes(word: str) -> bool:
    """True as well for what is no word at all, and for a yes among other signs."""
    said = "".join(char if char.isalnum() else " " for char in word).split()
    return all(part in _PLAIN for part in said)


def _plain(text: str) -> str:
    trimmed = text.strip()
    return (trimmed[:-1] if trimmed.endswith(tuple(_ENDS)) else trimmed).casefold()


def _values(settings: Sequence[Setting], key: str) -> list[str]:
    return [setting.value for setting in settings if setting.key == key.lower()]
