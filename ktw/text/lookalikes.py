"""Letters and marks of other scripts that draw like ASCII ones, each with what it is read as.

A hand-picked part of Unicode's confusables (https://www.unicode.org/reports/tr39/): letters that
compatibility normalisation leaves alone. Written as escapes: a look-alike in a source hides there
too.
"""

_GROUPS = (
    # Cyrillic
    (
        "\u0430\u0432\u0435\u0455\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441"
        "\u0442\u0443\u0445\u0475\u04af\u04bb\u04cf\u0501\u051b\u051d",
        "abesijkmhopctyxvyhldqw",
    ),
    # Greek, small letters
    (
        "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
        "\u03c9\u03f2\u03f3",
        "abenikvoptuxwcj",
    ),
    # Greek, capitals that look unlike their small letters
    (
        "\u0396\u0397\u039c\u039d\u03a5",
        "zhmny",
    ),
    # Armenian
    (
        "\u0561\u0566\u0570\u0575\u0578\u057d\u0581\u0585",
        "wqhjnugo",
    ),
    # Latin with strokes, and small capitals
    (
        "\u0131\u0142\u00f8\u0111\u0127\u0167\u0192\u0251\u0261\u0269\u1d00\u0299"
        "\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274"
        "\u1d0f\u1d18\ua7af\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22",
        "ilodhtfagiabcdefghijklmnopqrstuvwyz",
    ),
    # Cherokee
    (
        "\u13a0\u13a1\u13a2\u13a5\u13a9\u13aa\u13ab\u13ac\u13b3\u13b7\u13bb\u13bd"
        "\u13c0\u13c2\u13c3\u13d2\u13d4\u13d5\u13d9\u13da\u13de\u13df\u13e2\u13e6"
        "\u13f4",
        "drtiyajewmhyghzrwsvslcpkb",
    ),
    # Lisu
    (
        "\ua4d0\ua4d1\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df\ua4e0"
        "\ua4e1\ua4e2\ua4e3\ua4e6\ua4e7\ua4ea\ua4eb\ua4ec\ua4ee\ua4f0\ua4f2\ua4f3"
        "\ua4f4",
        "bpdtgkjczfmnlsrvhwxyaeiou",
    ),
    # quotation marks, dashes, slashes
    (
        "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u201c\u201d\u201e\u2033\u00ab"
        "\u00bb\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044\u2215\u29f8\u2024"
        "\u2223\u01c0\u2758",
        "'''''''\"\"\"\"\"\"-------///.|||",
    ),
    # brackets
    (
        "\u2039\u203a\u2329\u232a\u27e8\u27e9\u276e\u276f\u3008\u3009\u02c2\u02c3"
        "\u226a\u226b\u1438\u1433",
        ("<", ">", "<", ">", "<", ">", "<", ">", "<", ">", "<", ">", "<<", ">>", "<", ">"),
    ),
)

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Runs of 26 in alphabetical order: negative circled, negative squared, regional indicators.
_ALPHABETS = (0x1F150, 0x1F170, 0x1F1E6)

LOOKALIKES: dict[str, str] = {
    strange: plain for looks, reads in _GROUPS for strange, plain in zip(looks, reads, strict=True)
} | {chr(first + at): letter for first in _ALPHABETS for at, letter in enumerate(_LETTERS)}
