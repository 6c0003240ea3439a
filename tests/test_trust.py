"""The verdict table as pure code: one test a row, and one for each way into a row."""

import pytest

from ktw.trust import METHODS, Approval, Backing, Facts, Policy, Verdict, Version, judge, short_ref

REF = "refs/remotes/origin/main"
BOTH = Policy(REF, ("merged", "local"))
ADA = Approval("Ada <ada@example.invalid>", "2026-01-02T03:04:05Z")
SAME, ABSENT, UNTOLD = Version("same", True), Version("absent"), Version("unknown")
CHANGED = Version("different", claim_holds=True)
CLAIM = Facts(claimed=True, hash_matches=True, policy=BOTH, at_ref=ABSENT, at_bases=())


def name(facts: Facts, **changes: object) -> str:
    return judge(facts._replace(**changes)).name  # type: ignore[arg-type]


def test_row_1_a_claim_without_a_policy_is_unknown_and_says_why() -> None:
    verdict = judge(CLAIM._replace(policy=None, why_no_policy="ktw init writes one"))
    assert verdict.name == "unknown"
    assert "ktw init" in verdict.reasons[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"revoked_here": True},
        {"hash_matches": False},
        {"shares_id": True},
        {"fields_hold": False},
        {"revoked_unreadable": True},
        {"at_ref": SAME},
        {"ledger": ADA},
    ],
)
def test_row_1_comes_before_every_other_row(changes: dict[str, object]) -> None:
    assert name(CLAIM, policy=None, **changes) == "unknown"


def test_without_policy_and_claim_it_is_unapproved_or_revoked() -> None:
    assert name(CLAIM, policy=None, claimed=False) == "unapproved"
    assert name(CLAIM, policy=None, claimed=False, revoked_here=True) == "revoked"


@pytest.mark.parametrize("claimed", [True, False])
def test_row_2_revoked_words_are_revoked(claimed: bool) -> None:
    assert name(CLAIM, claimed=claimed, revoked_here=True) == "revoked"


def test_row_2_comes_before_lapsed_and_before_any_backing() -> None:
    facts = CLAIM._replace(revoked_here=True, at_ref=SAME, ledger=ADA)
    assert name(facts) == "revoked"
    assert name(facts, hash_matches=False) == "revoked"


def test_row_3_without_a_claim_nothing_backs_it() -> None:
    facts = CLAIM._replace(claimed=False, at_ref=SAME, ledger=ADA)
    assert name(facts) == "unapproved"
    assert name(facts, hash_matches=False) == "unapproved"


def test_row_4_edited_words_lapse_even_on_the_trust_ref() -> None:
    facts = CLAIM._replace(hash_matches=False, at_ref=SAME, ledger=ADA)
    assert name(facts) == "lapsed"
    assert name(facts, shares_id=True, fields_hold=False) == "lapsed"


def test_row_5_a_shared_id_or_a_bad_field_is_never_approved() -> None:
    facts = CLAIM._replace(at_ref=SAME, ledger=ADA)
    assert name(facts, shares_id=True) == "unconfirmed"
    assert name(facts, fields_hold=False) == "unconfirmed"


def test_an_unreadable_revoked_list_approves_nothing() -> None:
    facts = CLAIM._replace(at_ref=SAME, ledger=ADA, revoked_unreadable=True)
    assert name(facts) == "unknown"


def test_row_6_merged_on_the_trust_ref() -> None:
    verdict = judge(CLAIM._replace(at_ref=SAME, merged_by=ADA))
    assert verdict == Verdict("approved", ("merged: on origin/main",), "merged", ADA)
    assert verdict.approved


def test_row_6_merged_before_this_branch_left() -> None:
    verdict = judge(CLAIM._replace(at_ref=CHANGED, at_bases=(SAME, SAME)))
    assert (verdict.name, verdict.method) == ("approved", "merged")
    assert "where this branch left it" in verdict.reasons[0]


def test_row_6_in_the_ledger_of_this_clone() -> None:
    verdict = judge(CLAIM._replace(ledger=ADA))
    assert (verdict.name, verdict.method, verdict.approval) == ("approved", "local", ADA)


def test_row_6_one_method_is_enough_where_another_cannot_tell() -> None:
    assert name(CLAIM, at_ref=UNTOLD, ledger=ADA) == "approved"
    assert name(CLAIM, at_ref=SAME, ledger_unreadable=True) == "approved"


def test_row_6_the_first_method_of_the_policy_is_named() -> None:
    facts = CLAIM._replace(at_ref=SAME, ledger=ADA)
    assert judge(facts).method == "merged"
    assert judge(facts._replace(policy=Policy(REF, ("local", "merged")))).method == "local"


def test_removed_on_the_trust_ref_is_revoked_whatever_the_ledger_says() -> None:
    facts = CLAIM._replace(at_ref=ABSENT, at_bases=(SAME,), ledger=ADA)
    assert name(facts) == "revoked"
    assert name(facts, policy=Policy(REF, ("local", "merged"))) == "revoked"


@pytest.mark.parametrize(
    "at_ref",
    [
        Version("different", claim_holds=False),
        Version("different", claim_holds=True, revoked=True),
    ],
)
def test_a_trust_ref_that_no_longer_approves_its_own_version(at_ref: Version) -> None:
    assert name(CLAIM, at_ref=at_ref, at_bases=(SAME,)) == "unconfirmed"


@pytest.mark.parametrize("bases", [(SAME, CHANGED), (CHANGED,), (SAME, ABSENT), ()])
def test_every_merge_base_must_hold_the_words(bases: tuple[Version, ...]) -> None:
    assert name(CLAIM, at_ref=CHANGED, at_bases=bases) == "unconfirmed"
    assert name(CLAIM, at_ref=ABSENT, at_bases=bases) == "unconfirmed"


@pytest.mark.parametrize(
    "changes",
    [
        {"at_ref": UNTOLD},
        {"at_ref": None},
        {"at_ref": CHANGED, "at_bases": None},
        {"at_ref": CHANGED, "at_bases": (SAME, UNTOLD)},
        {"at_ref": ABSENT, "at_bases": None},
        {"ledger_unreadable": True},
    ],
)
def test_row_7_where_git_cannot_tell(changes: dict[str, object]) -> None:
    assert name(CLAIM, **changes) == "unknown"


def test_row_8_a_claim_that_nothing_backs_gives_a_reason_for_each_method() -> None:
    verdict = judge(CLAIM)
    assert verdict.name == "unconfirmed"
    assert [reason.partition(":")[0] for reason in verdict.reasons] == ["merged", "local"]


@pytest.mark.parametrize(
    ("methods", "facts"),
    [(("local",), CLAIM._replace(at_ref=SAME)), (("merged",), CLAIM._replace(ledger=ADA))],
)
def test_a_method_that_the_policy_does_not_allow_backs_nothing(
    methods: tuple[str, ...], facts: Facts
) -> None:
    assert name(facts, policy=Policy(REF, methods)) == "unconfirmed"


def test_what_lies_where_the_trust_ref_keeps_no_memories_is_not_merged() -> None:
    facts = CLAIM._replace(at_ref=Version("elsewhere"), at_bases=(SAME,))
    assert judge(facts).name == "unconfirmed"
    assert "another directory" in judge(facts).reasons[0]


def test_merged_without_a_trust_ref_backs_nothing() -> None:
    assert name(CLAIM, policy=Policy(None, ("merged",)), at_ref=SAME) == "unconfirmed"


@pytest.mark.parametrize(
    ("holds", "expected"), [(True, "approved"), (False, "unconfirmed"), (None, "unknown")]
)
def test_signed_is_what_was_found_of_a_list(holds: bool | None, expected: str) -> None:
    policy = Policy(None, ("local", "signed"))
    signed = Backing(holds, "in the list 0123", ADA if holds else None)
    verdict = judge(CLAIM._replace(policy=policy, signed=signed))
    assert verdict.name == expected
    assert verdict.reasons[-1] == "signed: in the list 0123"
    assert (verdict.method, verdict.approval) == (("signed", ADA) if holds else (None, None))
    assert judge(CLAIM._replace(policy=Policy(None, ("local",)), signed=signed)).name != "approved"
    assert judge(CLAIM._replace(policy=policy, signed=signed, ledger=ADA)).method == "local"
    assert set(METHODS) == {"merged", "local", "signed"}


def test_signed_does_not_hold_where_nobody_looked() -> None:
    assert name(CLAIM, policy=Policy(None, ("signed",))) == "unknown"


def test_refs_as_people_say_them() -> None:
    assert short_ref("refs/remotes/origin/main") == "origin/main"
    assert short_ref("refs/heads/main") == "main"
    assert short_ref("refs/other/x") == "refs/other/x"
