"""How alike two words are: to the eye, and in spelling. Pure text; it knows no rule and no file."""

import unicodedata

from ktw.text.lookalikes import LOOKALIKES

_PUNYCODE = "xn--"
_LONGEST_LABEL = 63  # octets of one label of a host name (RFC 1035, 2.3.4)


def skeleton(text: str) -> str:
    """What `text` looks like, in small ASCII letters where it looks like some."""
    folded = (LOOKALIKES.get(char, char) for char in unicodedata.normalize("NFKC", text))
    return "".join(LOOKALIKES.get(char, char) for char in "".join(folded).casefold())


def one_slip_apart(word: str, other: str) -> bool:
    """True where one letter added, left out, replaced or swapped with the next turns one into
    the other."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    shorter, longer = sorted((word, other), key=len)
    at = next((i for i, char in enumerate(shorter) if char != longer[i]), len(shorter))
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = shorter[at + 1 : at + 2] + shorter[at : at + 1] + shorter[at + 2 :]
    return shorter[at + 1 :] == longer[at + 1 :] or swapped == longer[at:]


def imitated_host(host: str) -> str:
    """The ASCII host that an internationalised one draws like, "" where it draws like none."""
    labels = [(label, _spelt(label)) for label in host.lower().split(".")]
    looks = [skeleton(spelt) for _, spelt in labels]
    strange = any(not spelt.isascii() for _, spelt in labels)
    return ".".join(looks) if strange and all(map(str.isascii, looks)) else ""


def mixes_alphabets(host: str) -> bool:
    """True where a label holds ASCII letters beside others."""
    spelt = [_spelt(label) for label in host.lower().split(".")]
    return any(not label.isascii() and any("a" <= char <= "z" for char in label) for label in spelt)


def _spelt(label: str) -> str:
    """A label of a host name as it is drawn (RFC 3492)."""
    if not label.startswith(_PUNYCODE) or len(label) > _LONGEST_LABEL:
        return label
    try:
        return label.removeprefix(_PUNYCODE).encode("ascii").decode("punycode")
    except UnicodeError:
        return label
