"""The ledger's records: what they bind, how they are named, and what does not count as one."""

import json

import pytest

from builders import Repo
from ktw.git import Objects
from ktw.git.refs import write_files
from ktw.ledger import REF, Ledger, Subject, format_record, ledger_files
from ktw.trust import Approval

SUBJECT = Subject("test", "context/a.md", ("id-1", "id-2"), "sha256:" + "0" * 64)
ADA = Approval("Ada <ada@example.invalid>", "2026-01-03T04:05:06Z")


def found(repo: Repo, subject: Subject) -> Approval | None:
    with Objects(repo.project.repository) as objects:
        return Ledger(objects).find(subject)[0]


def put(repo: Repo, files: dict[str, bytes]) -> None:
    write_files(repo.project.repository, REF, files, "Approve")


def test_an_approval_is_found_again_with_who_and_when(repo: Repo) -> None:
    assert found(repo, SUBJECT) is None
    put(repo, ledger_files([SUBJECT], ADA))
    assert found(repo, SUBJECT) == ADA


@pytest.mark.parametrize(
    "other",
    [
        SUBJECT._replace(project="test2"),
        SUBJECT._replace(path="context/b.md"),
        SUBJECT._replace(ids=("id-1",)),
        SUBJECT._replace(ids=("id-1, id-2",)),
        SUBJECT._replace(content_hash="sha256:" + "1" * 64),
        Subject("testcontext", "/a.md", SUBJECT.ids, SUBJECT.content_hash),
    ],
)
def test_each_part_of_a_subject_counts(repo: Repo, other: Subject) -> None:
    put(repo, ledger_files([SUBJECT], ADA))
    assert other.record_path != SUBJECT.record_path
    assert found(repo, other) is None


def test_several_approvals_at_once_and_later_ones_keep_the_earlier(repo: Repo) -> None:
    second, third = SUBJECT._replace(path="context/b.md"), SUBJECT._replace(path="context/c.md")
    put(repo, ledger_files([SUBJECT, second], ADA))
    put(repo, ledger_files([third], ADA))
    assert all(found(repo, subject) == ADA for subject in (SUBJECT, second, third))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b"\xff",
        b"{}",
        b"[" * 100_000,
        b'{"ids": 3}',
        format_record(SUBJECT._replace(path="context/b.md"), ADA),
    ],
)
def test_a_record_must_repeat_what_its_name_stands_for(repo: Repo, data: bytes) -> None:
    put(repo, {SUBJECT.record_path: data})
    assert found(repo, SUBJECT) is None


def test_a_record_is_readable_json() -> None:
    record = json.loads(format_record(SUBJECT, ADA))
    assert record["project"] == "test"
    assert record["ids"] == ["id-1", "id-2"]
    assert record["by"] == ADA.by


def test_odd_names_are_bound_as_they_are(repo: Repo) -> None:
    odd = Subject("tést", 'context/\udcff"\n.md', ('i"d', ""), "sha256:x")
    put(repo, ledger_files([odd], ADA))
    assert found(repo, odd) == ADA
