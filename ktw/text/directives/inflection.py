"""The forms of English words that the classes of `words` need: third person, participle, gerund,
plural.

Knows spelling rules and the commonest exceptions, no class.
"""

_DOUBLED = frozenset(
    "skip drop strip run set put get cut let omit commit submit tap log begin".split()
)
_IRREGULAR = {
    "forgo": "forgone", "leave": "left", "send": "sent", "tell": "told", "hide": "hidden",
    "keep": "kept", "give": "given", "read": "read", "write": "written", "go": "gone", "run": "run",
    "put": "put", "set": "set", "cut": "cut", "override": "overridden", "forget": "forgotten",
    "overwrite": "overwritten", "show": "shown", "get": "got", "let": "let", "make": "made",
    "take": "taken", "say": "said", "bring": "brought", "do": "done", "feed": "fed",
}  # fmt: skip


def _third(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def _participle(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb in _DOUBLED:
        return verb + verb[-1] + "ed"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "ed"


def _gerund(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + verb[-1] + "ing" if verb in _DOUBLED else verb + "ing"


def verbs(name: str, verbs: str) -> dict[str, tuple[str, ...]]:
    """A class per form: `name` (base), `name:s`, `name:ed`, `name:ing`."""
    bases = [verb.replace("_", " ") for verb in verbs.split()]
    return {
        name: tuple(bases),
        f"{name}:s": tuple(map(_third, bases)),
        f"{name}:ed": tuple(map(_participle, bases)),
        f"{name}:ing": tuple(map(_gerund, bases)),
    }


def nouns(names: str) -> tuple[str, ...]:
    """Singular and plural of each; `_` joins words."""
    words: list[str] = []
    for name in names.split():
        spaced = name.replace("_", " ")
        words += [spaced, _third(spaced)]
    return tuple(words)


def words(names: str) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") for name in names.split())
