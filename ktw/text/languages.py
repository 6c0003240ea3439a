"""Which languages a text is written in, guessed from its small words, and the stems they give.

English needs no guess: its stems are what everything is found by. Pure text; knows no index.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Protocol

_ENGLISH = (
    "the of and to in is that it for was on with are this be by at not from have has had how what "
    "when where which who why does did do should can could would will we our you your they their "
    "there than then these those into only but if its been were use used using"
)
# Frequent words that say little; those that are English words as well are left out.
_FUNCTION_WORDS = {
    "de": "der die das im den dem des ein eine einen einem einer eines und oder aber nicht kein "
    "keine ist sind wird werden wurde wurden haben wie warum weshalb wann wo wer welche "
    "welcher welches wir ihr sie ich mit von zu zum zur auf aus bei beim bis durch für fuer "
    "gegen nach über unter vor wenn weil dass damit auch noch nur schon sehr sich als statt "
    "diese dieser dieses unser unsere kann können soll sollte muss",
    "es": "el la los las un una unos unas de del al y o pero es son está están ser fue ha han hay "
    "por para con sin sobre entre desde hasta cuando donde dónde como cómo qué que quién "
    "cuál cuándo porque si se su sus lo le les nos nuestro nuestra este esta esto estos "
    "estas ese esa más muy ya también puede en",
    "fr": "le la les un une des du de et ou mais ne pas est sont être été ont avoir par pour avec "
    "sans sur sous entre dans depuis quand où comme pourquoi que qui quoi quel quelle quels "
    "quelles parce si se sa ses leur leurs nous vous ils elle elles il je ce cet cette ces "
    "très aussi peut au aux en qu",
    "pt": "o um uma uns umas de da dos das e ou mas não nao é são sao está estão ser foi tem há "
    "por para com sem sobre entre desde até quando onde como que quem qual porque se seu "
    "sua seus suas nós nosso nossa este esta isto esse essa mais muito já também pode na "
    "nos nas ao aos pelo pela em",
    "it": "il lo la gli le un uno una di del dello della dei degli delle da dal dalla e o non è "
    "sono essere stato ha hanno con senza su sul sulla tra fra quando dove perché perche "
    "che chi quale quali se si suo sua noi nostro nostra questo questa questi queste quello "
    "quella più molto già anche può nel nella nei al alla ai alle",
    "ru": "и в во не на что как с со по из у за от к о об для до при бы ли же или но а мы он она "
    "они это этот так где когда почему зачем кто какой какая какие наш есть был была было "
    "были тоже только",
}
STEMMED = ("de", "es", "fr", "it", "pt")  # those whose stems are kept beside the English ones
_FEW, _SHARE = 2, 0.04


@cache
def _spoken_in() -> dict[str, tuple[str, ...]]:
    """The languages that each small word belongs to."""
    found: dict[str, list[str]] = {}
    for language, told in {"en": _ENGLISH, **_FUNCTION_WORDS}.items():
        for word in told.split():
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


def languages_of(words: Iterable[str]) -> tuple[str, ...]:
    """The languages of STEMMED that a text is written in, sorted; `words`: its words in order.

    One language needs at least two of its small words, every twenty-fifth word of the text, and
    half as many as English has; where two share most of them (Spanish and Portuguese), both are
    named.
    """
    votes, kinds, count = _votes(words)
    counted = {each: votes[each] for each in STEMMED if kinds[each] >= _FEW}
    best = max(counted.values(), default=0)
    return tuple(
        language
        for language, number in sorted(counted.items())
        if number >= _SHARE * count and number > 0.6 * best and 2 * number >= votes["en"]
    )


def languages_asked(words: Iterable[str]) -> tuple[str, ...]:
    """As `languages_of`, for a question: one small word is enough, and all of STEMMED are named
    where nothing tells, not even that it is English."""
    votes, _, _ = _votes(words)
    best = max((votes[each] for each in STEMMED), default=0)
    if votes["en"] > best or votes["ru"]:
        return ()
    return tuple(each for each in STEMMED if votes[each] == best)


def _votes(words: Iterable[str]) -> tuple[Counter[str], Counter[str], int]:
    """How many small words of each language there are, how many different ones, and how many words
    in all."""
    spoken, counts = _spoken_in(), Counter(map(str.lower, words))
    votes, kinds = Counter[str](), Counter[str]()
    for word in counts.keys() & spoken.keys():
        for language in spoken[word]:
            votes[language] += counts[word]
            kinds[language] += 1
    return votes, kinds, counts.total()


def says_little(word: str, languages: Iterable[str]) -> bool:
    """Whether `word` is a small word of one of `languages`, or a Russian one.

    A single letter may be the name of something, a language of programs for one.
    """
    spoken = () if len(word) == 1 and word.isascii() else _spoken_in().get(word.lower(), ())
    return "ru" in spoken or any(language in spoken for language in languages)


class _Stemmer(Protocol):
    def stem(self, word: str) -> str: ...


@lru_cache(maxsize=1 << 15)
def stem(word: str, language: str) -> str:
    """The Snowball stem of a word in lower case (https://snowballstem.org)."""
    if language == "pt" and word.endswith("\u00f5es"):
        word = (
            f"{word[:-3]}\u00e3o"  # the commonest plural of nouns, which the algorithm leaves apart
        )
    return str(_stemmers()[language].stem(word))


@cache
def _stemmers() -> dict[str, _Stemmer]:
    """All of them: Whoosh brings them in together, and making one costs nothing."""
    from whoosh.lang.snowball.english import EnglishStemmer
    from whoosh.lang.snowball.french import FrenchStemmer
    from whoosh.lang.snowball.german import GermanStemmer
    from whoosh.lang.snowball.italian import ItalianStemmer
    from whoosh.lang.snowball.portugese import PortugueseStemmer
    from whoosh.lang.snowball.russian import RussianStemmer
    from whoosh.lang.snowball.spanish import SpanishStemmer

    return {
        "en": EnglishStemmer(),
        "de": GermanStemmer(),
        "es": SpanishStemmer(),
        "fr": FrenchStemmer(),
        "it": ItalianStemmer(),
        "pt": PortugueseStemmer(),
        "ru": RussianStemmer(),
    }
