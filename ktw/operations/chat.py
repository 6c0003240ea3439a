"""Approve in chat: show a person a few memories whole, and take one exact word as the answer.

Protection against accidents, no proof: whatever runs as this user can write prompts and the ledger.
It prints nothing, never signs, and loads what approving takes only where there is an offer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ktw import offers
from ktw.chat_words import SWITCH, chat_words, is_word
from ktw.errors import KtwError
from ktw.memory import is_uuid
from ktw.offers import Offered, Shown
from ktw.policy import policy_name, read_policy
from ktw.store import Project
from ktw.trust import Policy, Verdict, short_ref
from ktw.withholding import shown_words

if TYPE_CHECKING:
    from ktw.operations.candidate import Candidate

MOST, LIFETIME = 3, timedelta(hours=1)
_ANOTHER = "the next message was another one"


@dataclass(frozen=True)
class Offer:
    """What was offered. `text` is for the person's eyes; it must not become a model's context.

    `left` counts what waits besides: too long or too involved for a chat, or more than three.
    """

    text: str
    shown: tuple[Shown, ...]
    left: int


@dataclass(frozen=True)
class Answer:
    """What an answer did: verdicts that hold now, and refusals with why, each by a safe name.

    `withdrawn` says why an offer ended without an approval. All empty: nothing had been offered.
    """

    approved: tuple[tuple[str, Verdict], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    withdrawn: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_receipt(self) -> bool:
        """True where the message was the answer to an offer, and nothing a model should act on."""
        return bool(self.approved or self.refused)

    @property
    def text(self) -> str:
        """All of it for the person, "" where there is nothing to say."""
        return "\n".join(f"ktw: {line}" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, verdict in self.approved:
            reasons = "; ".join(shown_words(reason, "reason") for reason in verdict.reasons)
            yield f"{verdict.name} {name}: {reasons}"
        for name, why in self.refused:
            yield f"not approved {name}: {why}"
        if self.withdrawn:
            yield f"nothing was approved: {self.withdrawn}"
        yield from self.notes


def offer(
    project: Project, session: str, memories: "Sequence[Candidate]", now: datetime
) -> Offer | None:
    """Show what of these can be approved by the next message of `session`; it ends an earlier
    offer.

    None where approving in chat is off, or nothing of it can be. Raises KtwError where the offer
    cannot be kept.
    """
    offers.take(_place(project), session, now)
    words = chat_words(project.repository)
    if not words or not session or read_policy(project).policy is None:
        return None
    from ktw.operations import chat_approval
    from ktw.operations.chat_text import offer_text

    chosen, left = chat_approval.choose(project, memories, MOST)
    if not chosen:
        return None
    shown = tuple(map(chat_approval.as_shown, chosen))
    expires = int((now + LIFETIME).timestamp())
    offers.keep(Offered(_place(project), session, expires, shown), now)
    return Offer(offer_text(chosen, words, left), shown, left)


def answer(project: Project, session: str, prompt: str, now: datetime) -> Answer:
    """Take a person's next message as the answer to what was offered, and end the offer.

    One of the words approves each memory that is, byte by byte, what was shown: the claim and,
    under `local`, the ledger's entry; nothing is committed or signed. Raises GitFailed.
    """
    taken = offers.take(_place(project), session, now)
    if taken.offered is None:
        return Answer(withdrawn=taken.fault)
    words = chat_words(project.repository)
    if not words:
        return Answer(withdrawn=f"approving in chat is off in this clone ({SWITCH})")
    if not is_word(prompt, words):
        return Answer(withdrawn=_ANOTHER)
    return _approve(project, taken.offered.shown, now)


def _approve(project: Project, shown: Sequence[Shown], now: datetime) -> Answer:
    from ktw.operations.chat_approval import approve_shown

    approved: list[tuple[str, Verdict]] = []
    refused: list[tuple[str, str]] = []
    for each in shown:
        try:
            approved.append((_name(each), approve_shown(project, each, now)))
        except KtwError as error:
            refused.append((_name(each), shown_words(error.what, "reason")))
    policy = read_policy(project).policy
    notes = tuple(_still_to_do(policy)) if approved and policy is not None else ()
    return Answer(tuple(approved), tuple(refused), notes=notes)


def _still_to_do(policy: Policy) -> Iterator[str]:
    if "merged" in policy.methods and policy.trust_ref is not None:
        ref = shown_words(short_ref(policy.trust_ref), "name")
        yield f"`merged` backs it once the file is committed and merged to {ref}"
    if "signed" in policy.methods:
        yield "`signed` backs it once you sign it in a terminal: ktw trust ID"


def _place(project: Project) -> str:
    return f"{project.repository.common_dir.resolve()}\n{project.root}\n{policy_name(project)}"


def _name(shown: Shown) -> str:
    """A memory outside of a frame: by its Id, which holds no words."""
    ids = [id_.lower() for id_ in shown.ids if is_uuid(id_.lower())]
    return ", ".join(ids) or shown_words(shown.path, "name")
