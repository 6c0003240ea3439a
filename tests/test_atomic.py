"""Files are written whole or not at all, in the style they had, by one writer at a time."""

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.atomic import Busy, Changed, hold_lock, replace, restyle, styled_like, write_new
from ktw.errors import KtwError
from ktw.frontmatter import FENCE
from ktw.memory import edit_memory, normalise, parse_memory

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")


# --- whole or not at all ------------------------------------------------------------------------


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_new_file_never_replaces_one(tmp_path: Path) -> None:
    write_new(tmp_path / "a.md", b"one")
    with pytest.raises(Changed, match="already exists"):
        write_new(tmp_path / "a.md", b"two")
    assert (tmp_path / "a.md").read_bytes() == b"one"
    assert names_in(tmp_path) == ["a.md"]


def test_what_is_interrupted_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    write_new(tmp_path / "a.md", b"one")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_new(tmp_path / "b.md", b"two")
    with pytest.raises(KeyboardInterrupt):
        replace(tmp_path / "a.md", b"two", b"one")
    assert names_in(tmp_path) == ["a.md"] and (tmp_path / "a.md").read_bytes() == b"one"


@POSIX
def test_a_new_file_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("outside")
    with pytest.raises(Changed):
        write_new(tmp_path / "a.md", b"one")
    assert names_in(tmp_path) == ["a.md"]


@POSIX
def test_without_hard_links_a_new_file_is_still_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write_new(tmp_path / "a.md", b"one")
    with pytest.raises(Changed):
        write_new(tmp_path / "a.md", b"two")
    assert (tmp_path / "a.md").read_bytes() == b"one"
    assert names_in(tmp_path) == ["a.md"]


@POSIX
def test_replace_keeps_the_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"one")
    path.chmod(0o640)
    replace(path, b"two", b"one")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names_in(tmp_path) == ["a.md"]


@pytest.mark.parametrize("now", [b"other", b"", b"one ", None])
def test_replace_refuses_what_changed_meanwhile(tmp_path: Path, now: bytes | None) -> None:
    path = tmp_path / "a.md"
    if now is not None:
        path.write_bytes(now)
    with pytest.raises(Changed):
        replace(path, b"two", b"one")
    assert (path.read_bytes() if path.exists() else None) == now


@POSIX
def test_replace_neither_follows_a_link_nor_waits_for_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_bytes(b"one")
    (tmp_path / "a.md").symlink_to("real.md")
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("a.md", "pipe.md"):
        with pytest.raises(Changed):
            replace(tmp_path / name, b"two", b"one")
    assert (tmp_path / "real.md").read_bytes() == b"one"


@POSIX
@pytest.mark.parametrize("call", ["write_new", "replace"])
@pytest.mark.parametrize("step", ["os.fsync", "Path.replace", "Path.hardlink_to"])
def test_a_writer_killed_between_two_steps_leaves_the_old_file(
    tmp_path: Path, call: str, step: str
) -> None:
    path = tmp_path / "a.md"
    if call == "replace":
        path.write_bytes(b"one")
    owner, name = step.split(".")
    script = (
        "import os, signal\nfrom pathlib import Path\nfrom ktw.store import replace, write_new\n"
        f"{owner}.{name} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        + (f"write_new(Path({str(path)!r}), b'two')" if call == "write_new" else "")
        + (f"replace(Path({str(path)!r}), b'two', b'one')" if call == "replace" else "")
    )
    done = subprocess.run([sys.executable, "-c", script], check=False)
    reached = (call, step) not in (("replace", "Path.hardlink_to"), ("write_new", "Path.replace"))
    assert done.returncode == (-signal.SIGKILL if reached else 0)
    if reached:
        assert (path.read_bytes() if path.exists() else None) == (
            b"one" if call == "replace" else None
        )
    assert not [name for name in names_in(tmp_path) if name.endswith(".md") and name != "a.md"]


@POSIX
def test_a_directory_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    tmp_path.chmod(0o500)
    try:
        if os.access(tmp_path, os.W_OK):
            pytest.skip("this user may write anywhere")
        with pytest.raises(KtwError, match="cannot be written"):
            write_new(tmp_path / "b.md", b"x")
        with pytest.raises(KtwError, match="cannot be written"):
            replace(tmp_path / "a.md", b"two", b"one")
    finally:
        tmp_path.chmod(0o700)
    assert names_in(tmp_path) == ["a.md"]


def test_a_missing_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(KtwError, match="cannot be written"):
        write_new(tmp_path / "gone" / "a.md", b"x")


def test_the_lock_is_waited_for_and_then_said(tmp_path: Path) -> None:
    lock = tmp_path / "ktw" / "store.lock"
    with hold_lock(lock, 0.0), pytest.raises(Busy, match="nothing was written"):
        hold_lock(lock, 0.05).__enter__()
    with hold_lock(lock, 0.0):
        pass
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(KtwError, match="cannot be written"):
        hold_lock(tmp_path / "file" / "store.lock", 0.0).__enter__()


def test_many_writers_of_one_new_file_have_one_winner(tmp_path: Path) -> None:
    won: list[int] = []

    def write(number: int) -> None:
        try:
            write_new(tmp_path / "a.md", str(number).encode())
            won.append(number)
        except Changed:
            pass

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [str(number).encode() for number in won] == [(tmp_path / "a.md").read_bytes()]
    assert names_in(tmp_path) == ["a.md"]


# --- a person's style --------------------------------------------------------------------------

_ENDS = ("\n", "\r\n", "\r")
_PARTS = st.lists(st.text("ab -#\u00e9", max_size=5), min_size=1, max_size=6)


@given(
    st.booleans(),
    st.sampled_from(_ENDS),
    _PARTS,
    st.lists(st.sampled_from(_ENDS), min_size=6, max_size=6),
)
def test_restyle_keeps_mark_line_ends_and_every_byte_of_the_body(
    marked: bool, end: str, lines: list[str], ends: list[str]
) -> None:
    body = "".join(line + between for line, between in zip(lines, ends, strict=False)) + "end"
    body = body.lstrip("\n") if end == "\r" else body
    mark = b"\xef\xbb\xbf" if marked else b""
    head = end.join((FENCE, "origin: owner", "# mine", FENCE, ""))
    old = mark + (head + body).encode()
    file = parse_memory("context/a.md", old)
    new_text = edit_memory(file.text, [("kind", "rule")])
    new_file = parse_memory("context/a.md", new_text.encode())
    data = restyle(new_text, old, file.body_line, new_file.body_line)
    assert data.startswith(mark + b"---" + end.encode())
    assert data.endswith((FENCE + end + body).encode())
    assert parse_memory("context/a.md", data).text == new_text


@pytest.mark.parametrize(
    "old", [b"# T\n\nx", b"# T\r\n\r\nx", b"\xef\xbb\xbf# T\r\rx\r", b"x", b""]
)
def test_restyle_gives_a_file_its_frontmatter_and_keeps_the_rest(old: bytes) -> None:
    file = parse_memory("context/a.md", old)
    text = edit_memory(file.text, [("origin", "owner")])
    line = parse_memory("context/a.md", text.encode()).body_line
    data = restyle(text, old, file.body_line, line)
    assert data.endswith(old.removeprefix(b"\xef\xbb\xbf"))
    assert parse_memory("context/a.md", data).text == text
    assert read_line_ends(data) <= (read_line_ends(old) or {b"\n"})


def read_line_ends(data: bytes) -> set[bytes]:
    rest = data.replace(b"\r\n", b"")
    found = {b"\r\n"} if b"\r\n" in data else set()
    return found | {end for end in (b"\n", b"\r") if end in rest}


def test_restyle_of_a_file_that_ends_with_its_fence() -> None:
    old = b"---\r\norigin: owner\r\n---"
    file = parse_memory("context/a.md", old)
    text = edit_memory(file.text, [("kind", "rule")])
    data = restyle(text, old, file.body_line, parse_memory("x.md", text.encode()).body_line)
    assert data.startswith(b"---\r\norigin: owner\r\nkind: rule\r\ncontent_hash: sha256:")
    assert data.endswith(b"\r\n---\r\n")


def test_a_text_keeps_the_bom_and_the_line_end_of_each_line() -> None:
    old = b"\xef\xbb\xbfone\r\ntwo\nthree\rtwo\r\n"
    assert styled_like(old, "two\nnew\nthree\ntwo\none\n") == (
        b"\xef\xbb\xbftwo\nnew\r\nthree\rtwo\r\none\r\n"
    )
    assert styled_like(b"", "a\nb") == b"a\nb"


@given(st.binary(max_size=60).map(lambda data: data.decode("latin-1").encode("utf-8")))
def test_an_unchanged_text_keeps_every_byte(data: bytes) -> None:
    assert styled_like(data, normalise(data.decode("utf-8"))) == data
