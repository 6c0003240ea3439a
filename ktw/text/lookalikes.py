"""Letters and marks of other scripts that draw like ASCII ones, each with what it is read as.

A hand-picked part of Unicode's confusables (https://www.unicode.org/reports/tr39/): letters that
compatibility normalisation leaves alone. Written as escapes: a look-alike in a source hides there
too.
"""

import unicodedata

from ktw.text.late import late

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
    # Latin letters whose names tell no letter
    (
        "\u0251\u0269\u0184\ua7b4\uab35\u1e9d\u018d\uab47\uab48\u01bd\ua79f\ua7b3\u0263",
        "aibbffgrrsuxy",
    ),
    # Cyrillic and Greek of which one part has to be overlooked
    (
        "\u0433\u043f\u0448\u044c\u042c\u04bd\u050c\u0461\ua647\u03b3\u03c3\u03c2"
        "\u03f9\u03dc\u03fa\u1d26",
        "rnwbbegwiyoscfmr",
    ),
    # Armenian, less alike
    (
        "\u0584\u057c\u0563\u054f",
        "fnqs",
    ),
    # Coptic
    (
        "\u2ca5\u2ca4\u2c8e\u2c94\u2c92\u2cd0\u2c98\u2c9a\u2c9f\u2c9e\u2ca3\u2ca2"
        "\u2c85\u2ca6\u2cac\u2ca8",
        "cchkllmnoopprtxy",
    ),
    # Canadian syllabics
    (
        "\u15c5\u1472\u15af\u15f7\u146f\u15de\u15ea\u15b4\u157c\u148d\u14aa\u15f0"
        "\u146d\u1587\u144c\u142f\u1541\u157d\u166d",
        "abbbdddfhjlmpruvxxx",
    ),
    # Deseret, Osage, Tifinagh, runes
    (
        "\U0001043d\U00010415\U0001041b\U0001042c\U00010404\U00010448\U00010420"
        "\U000104ea\U000104c2\U000104b4\U000104f6\U000104ce\u2d39\u2d4f\u2d54\u2d55"
        "\u2d38\u2d5d\u16d5\u16c1\u16d6\u16b7",
        "ccloossooruueloqvxklmx",
    ),
    # Warang Citi
    (
        "\U000118a6\U000118ae\U000118c2\U000118a2\U000118c3\U000118a3\U000118b2"
        "\U000118c8\U000118d7\U000118b5\U000118c1\U000118bc\U000118d8\U000118b8"
        "\U000118c0\U000118a0\U000118dc\U000118a4\U000118c4\U000118a9",
        "eeffillooostuuvvyyzz",
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

LOOKALIKES: dict[str, str] = {
    strange: plain for looks, reads in _GROUPS for strange, plain in zip(looks, reads, strict=True)
}

_NAMED = late(
    r"(?:(?:PARENTHESIZED |(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) )?"
    r"LATIN (?:SMALL |CAPITAL )?LETTER |REGIONAL INDICATOR SYMBOL LETTER )"
    r"(?:(?:SMALL CAPITAL|TURNED|REVERSED|SIDEWAYS|INVERTED|OPEN|SCRIPT|INSULAR|DOTLESS"
    r"|BLACKLETTER) )*([A-Z])(?: WITH .*| ROTUNDA)?"
)


def latin_letter(character: str) -> str:
    """The small ASCII letter of which the character is, by its Unicode name, a form; "" for none.

    Strokes, hooks, small capitals, turned letters, letters in circles and squares.
    """
    named = _NAMED.fullmatch(unicodedata.name(character, ""))
    return named[1].lower() if named else ""
