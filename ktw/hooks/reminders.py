"""Tell a prompt whose answer ages: versions, prices, limits, what is newest.

Pure text, by words in a few languages; linear in the prompt.
"""

import re
from itertools import pairwise

REMINDER = (
    "This question is about something that changes. Look up the present state before you claim "
    "it: what you learned in training, and what a memory recorded, may be out of date."
)
_LONGEST = 4000
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = frozenset(
    # English, German, Spanish, French, Portuguese, Russian
    "latest newest currently nowadays pricing price prices deprecated eol changelog "
    "neueste neuesten neuester aktuell aktuelle aktuellen derzeit preis preise veraltet "
    "actualmente precio precios obsoleto obsoleta actuellement prix obsolète "
    "atualmente preço preços "
    "последняя последний последнюю последней свежая свежий сейчас актуальная актуальный цена цены "
    "стоимость устарел устарела".split()
)
_PAIRS = frozenset(
    [
        *(("release", "date"), ("rate", "limit"), ("rate", "limits"), ("newer", "version")),
        *(("current", "version"), ("current", "release"), ("recent", "version")),
        *(
            ("latest", "version"),
            ("recent", "release"),
            ("still", "supported"),
            ("just", "released"),
        ),
        *(("up", "to"), ("última", "versión"), ("dernière", "version"), ("última", "versão")),
        *(("letzte", "version"), ("лимит", "запросов")),
    ]
)
_CHINESE_AND_JAPANESE = ("最新", "目前", "价格", "價格", "現在の", "料金", "已弃用", "非推奨")


def is_time_sensitive(prompt: str) -> bool:
    """True where a prompt names a thing that ages."""
    text = prompt[:_LONGEST].casefold()
    words = _WORD.findall(text)
    if any(word in _WORDS for word in words):
        return True
    pairs = pairwise(words)
    if any(pair in _PAIRS and (pair != ("up", "to") or "up to date" in text) for pair in pairs):
        return True
    return any(word in text for word in _CHINESE_AND_JAPANESE)
