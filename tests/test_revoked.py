"""The list of withdrawn words: which lines count, and how lines are added."""

from ktw.revoked import parse_revoked, with_revoked

DIGEST = "sha256:" + "0123456789abcdef" * 4
OTHER = "sha256:" + "00" * 32


def test_which_lines_of_a_revoked_list_revoke() -> None:
    data = f"\ufeff{DIGEST} 2026-01-02 why\r\n".encode()
    assert parse_revoked(data) == {DIGEST}
    assert parse_revoked(f"{DIGEST}".encode()) == {DIGEST}
    assert parse_revoked(f"note\u2028{DIGEST}\n {DIGEST}\n{DIGEST[:40]}\n".encode()) == frozenset()
    assert parse_revoked(b"\xff\n" + DIGEST.encode() + b"\n") == {DIGEST}


def test_lines_are_added_sorted_and_none_is_lost() -> None:
    made = with_revoked(
        f"{DIGEST} 2026-01-02 why\n\nno hash\n".encode(), [OTHER], "2026-03-04", "so"
    )
    assert made.decode().split("\n") == [
        "no hash",
        f"{OTHER} 2026-03-04 so",
        f"{DIGEST} 2026-01-02 why",
        "",
    ]
    assert parse_revoked(made) == {DIGEST, OTHER}


def test_a_hash_that_is_there_keeps_its_first_reason() -> None:
    first = with_revoked(b"", [DIGEST], "2026-01-02", "first")
    assert with_revoked(first, [DIGEST], "2026-05-06", "second") == first


def test_line_ends_stay_what_they_are() -> None:
    made = with_revoked(f"{DIGEST} 2026-01-02 why\r\n".encode(), [OTHER], "2026-03-04", "so")
    assert made.count(b"\r\n") == made.count(b"\n") == 2
