"""Whether a directive is only mentioned: it stands in quotation marks, and the rest of the sentence
says of it what is said of attacks and examples.

Quotation marks alone excuse nothing: what is quoted from an authority, or endorsed, directs.
"""

from ktw.text.late import late

_QUOTES = late(
    r'"[^"\n]{2,400}"|\u201c[^\u201d\n]{2,400}\u201d|\u00ab[^\u00bb\n]{2,400}\u00bb|`[^`\n]{2,400}`|'
    r"(?<![\w'])'[^'\n]{2,400}'(?![\w'])|(?<![\w*])\*[^*\n]{2,400}\*(?![\w*])"
)
# What is said of attacks, of what guards against them, of examples in a test.
_SUSPICION = late(
    r"\b(?:attack\w*|inject\w*|payloads?|poison\w*|malicious|hostile|adversar\w*|suspicious|"
    r"phish\w*|"
    r"jailbreak\w*|exploit\w*|smuggl\w*|untrusted|forged|planted|"
    r"(?:scanner|linter|detector|filter|classifier|rule [a-z]?\d+|parser|test|check)s? "
    r"(?:\w+ ){0,3}?(?:looks? for|flags?|reports?|detects?|catch(?:es)?|fires?|rejects?|refuses?|"
    r"blocks?|expects?|matches|feeds?|knows|finds?|escapes?)|"
    r"(?:is|are|was|were) (?:flagged|reported|detected|rejected|refused|blocked|treated as data|"
    r"withheld|escaped|a finding|an example)|cannot close|dangerous sentences?|"
    r"phrases (?:like|such as)|(?:a|an|the) directives?|an? (?:instruction|order) to|reads (?:as|"
    r"like)|"
    r"functions as|(?:e\.g\.|for example|such as)[,:]?\s+quotation|"
    r"quotation (?:is|was) (?:the|an?) (?:\w+ )?(?:description|wording|term|label|name|phrase)|"
    r"an? (?:\w+ )?(?:readme|issue|comment|page|email|ticket|file|note|memory|document|fork|"
    r"message) "
    r"(?:that |which )?(?:said|says|saying|reads|reading|contains|containing|told|tells))\b"
)
# A stranger's words and what came of them.
_REPORTED = late(
    r"\b(?:said|told|read|contained|claimed|wrote|asked|says|containing|saying|reading)\b"
)
_CONSEQUENCE = late(
    r"\b(?:which (?:caused|led|broke|leaked|deleted|is how|meant)|caused|led to|broke|leaked|"
    r"and the (?:agent|bot|model|assistant) (?:obeyed|followed|did|complied|ran|printed|pushed)|"
    r"how the \w+ spread|was removed|were removed|was revoked|we removed|we deleted|incident)\b"
)
# Whoever says so has authority, or the sentence agrees: then the quotation directs.
_ENDORSED = late(
    r"\b(?:so (?:we|you|do|please|always|just)|therefore|accordingly|this holds|which holds|"
    r"(?:follow|obey|apply|do|run|execute|respect|heed|observe) (?:it|this|that|them|these|so|the|"
    r"what)|comply|please|must|should|shall|always|applies|apply|remains? valid|still valid|"
    r"agreed?|"
    r"is right|are right|correctly|good advice|recommended|from now on|you may|you can|is allowed|"
    r"are allowed|authori[sz]ed|approved|in force|binding|"
    r"(?:owner|maintainer|user|admin|administrator|operator|team|lead|security|cto|ceo|policy|"
    r"developer)s? (?:\w+ ){0,2}?(?:said|says|say|wrote|decided|told|asked))\b"
)


def quotations(sentence: str) -> bool:
    """Whether anything in a folded sentence is quoted."""
    return _QUOTES.search(sentence) is not None


def unquoted(sentence: str) -> str:
    """The folded sentence with a word in place of each quotation."""
    return _QUOTES.sub(" quotation ", sentence)


def told_of(rest: str) -> bool:
    """Whether the rest of a sentence speaks of its quotation as of an attack or an example."""
    if _ENDORSED.search(rest):
        return False
    if _SUSPICION.search(rest):
        return True
    return _REPORTED.search(rest) is not None and _CONSEQUENCE.search(rest) is not None


def speaks_of_attacks(line: str) -> bool:
    """Whether a folded heading or lead-in announces examples of attacks."""
    return _SUSPICION.search(line) is not None and not _ENDORSED.search(line)


_ITEM = late(r"[\s>*+-]*(?:\d{1,3}[.)])?\s*")
_WHOLE = late(r"""(?:"[^"]+"|\u201c[^\u201d]+\u201d|`[^`]+`|\*"[^"]+"\*|_"[^"]+"_)[\s.,;!]*""")


def is_quotation(sentence: str) -> bool:
    """Whether a list item or paragraph is one quotation and nothing else."""
    return _WHOLE.fullmatch(sentence, _ITEM.match(sentence).end()) is not None  # type: ignore[union-attr]
