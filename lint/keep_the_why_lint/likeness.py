"""What the host of an address draws like. Pure text; it knows no rule and no file."""

from ktw.text.likeness import skeleton

_PUNYCODE = "xn--"
_LONGEST_LABEL = 63  # octets of one label of a host name (RFC 1035, 2.3.4)


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
