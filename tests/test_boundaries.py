"""Every path rule: what may be named, followed and opened, and what is refused with a reason."""

import os
import socket
from pathlib import Path

import pytest

from ktw import boundaries
from ktw.boundaries import OutOfBounds, Unreadable

posix_only = pytest.mark.skipif(os.name == "nt", reason="names and files that POSIX allows")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    (project / "context").mkdir(parents=True)
    (project / ".git").mkdir()
    (project / ".git" / "config").write_text("token = hunter2\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret\n")
    return project


# --- inside ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["context", "context/", "./context", "context/../context"])
def test_inside_resolves_what_stays(root: Path, value: str) -> None:
    assert boundaries.inside(root, value) == root / "context"


@pytest.mark.parametrize(
    "value",
    [
        "/etc",
        "..",
        "../outside",
        "context/../../outside",
        "con\ttext",
        "a\x00b",
        "a\u2028b",
        "a\x85",
    ],
)
def test_inside_refuses_what_leaves(root: Path, value: str) -> None:
    assert boundaries.inside(root, value) is None


def test_inside_follows_links_before_it_judges(root: Path) -> None:
    (root / "out").symlink_to(root.parent / "outside")
    (root / "in").symlink_to("context")
    (root / "loop").symlink_to("loop")
    assert boundaries.inside(root, "out") is None
    assert boundaries.inside(root, "out/secret.md") is None
    assert boundaries.inside(root, "in") == root / "context"
    boundaries.inside(root, "loop")  # whatever it says, it does not raise


def test_inside_survives_a_name_that_is_too_long(root: Path) -> None:
    boundaries.inside(root, "a" * 100_000)


def test_windows_anchors() -> None:
    assert boundaries._is_anchored("C:\\x", windows=True)
    assert boundaries._is_anchored("c:x", windows=True)
    assert boundaries._is_anchored("\\\\server\\share", windows=True)
    assert not boundaries._is_anchored("c:x", windows=False)


# --- context -----------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["context", "`context/`", "", "notes", "./context", " context "])
def test_context_directory(root: Path, value: str) -> None:
    assert boundaries.context_directory(root, value).parent == root


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("/etc", "outside"),
        ("../outside", "outside"),
        ("con\ttext", "outside"),
        (".", "shape"),
        ("context/..", "shape"),
        (".git", "outside"),
        (".GIT", "outside"),
        (".git/hooks", "outside"),
        (".g\u200cit", "outside"),
        ("git~1/x", "outside"),
        ("file.md", "missing"),
    ],
)
def test_context_directory_refuses(root: Path, value: str, kind: str) -> None:
    (root / "file.md").write_text("x")
    with pytest.raises(OutOfBounds) as refusal:
        boundaries.context_directory(root, value)
    assert refusal.value.kind == kind
    assert refusal.value.field == "context"
    assert "\t" not in str(refusal.value)


def test_context_may_not_be_a_link_into_git(root: Path) -> None:
    (root / "link").symlink_to(".git")
    with pytest.raises(OutOfBounds):
        boundaries.context_directory(root, "link")


# --- ids and names -----------------------------------------------------------------------


@pytest.mark.parametrize("value", ["owner---repo", "a", ".keep", "a..b", "config", "x" * 200])
def test_project_id(value: str) -> None:
    assert boundaries.project_id(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        ".",
        "..",
        "...",
        "a/b",
        "a\\b",
        "a b",
        "\u00e4",
        "a\u200b",
        "a\n",
        "-rf",
        "con",
        "NUL.x",
        "COM1",
        "lpt9.txt",
        "x" * 201,
        "a:b",
        "a\x00",
    ],
)
def test_project_id_refuses(value: str) -> None:
    with pytest.raises(OutOfBounds) as refusal:
        boundaries.project_id(value)
    assert "\n" not in refusal.value.what


def test_personal_file(tmp_path: Path) -> None:
    assert boundaries.personal_file(tmp_path, "a") == tmp_path / ".keep-the-why" / "a.md"
    with pytest.raises(OutOfBounds):
        boundaries.personal_file(tmp_path, "../a")


@pytest.mark.parametrize("name", ["sync-1a2b3c4d.md", "A_b.c.md", "9.md", "a..b.md"])
def test_memory_name(name: str) -> None:
    assert boundaries.memory_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "/etc/x",
        "a//b",
        "..\\..\\b",
        "CON",
        "aux.md",
        "x.",
        "x" * 300,
        "a:b",
        "",
        "a\nb.md",
        "index.md",
        "README.md",
        "Claude.md",
        "revoked.md",
        ".x.md",
        "-x.md",
        "x..md",
        "x.MD",
        ".md",
        "nul.a.md",
        "a b.md",
        "caf\u00e9.md",
        "x.md ",
        "x.md\n",
        "x" * 98 + ".md",
    ],
)
def test_memory_name_refuses(name: str) -> None:
    with pytest.raises(OutOfBounds):
        boundaries.memory_name(name)


# --- urls and family ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    ["https://git.example/a/b", "https://git.example:8443/a", "https://GIT.example/a.b/c-d_~e"],
)
def test_canonical(value: str) -> None:
    assert boundaries.canonical(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "http://h/a",
        "https://h",
        "https://h/",
        "https://h/a/",
        "https://h/a.git",
        "git@h:a/b",
        "https://h/a?b",
        "https://h/a#b",
        "https://h/a b",
        "HTTPS://h/a",
        "",
        "/abs",
        "../a",
        "https://user:token@h/a",
        "https://h//a",
        "https://h/../b",
        "https://h/a/./b",
        "https://h/a%0ab",
        "https://h/%2e%2e/b",
        "https://h/a%2Fb",
        "https://g\u0456t.example/a",
        "https://h/a\x1b[0m",
        "https://h/a\\b",
    ],
)
def test_canonical_refuses(value: str) -> None:
    with pytest.raises(OutOfBounds) as refusal:
        boundaries.canonical(value)
    assert refusal.value.kind == "shape"
    assert "\x1b" not in str(refusal.value)


@pytest.fixture
def family(root: Path) -> Path:
    (root / ".keep-the-why").write_text("")
    (root / "packages" / "a").mkdir(parents=True)
    (root / "packages" / "a" / ".keep-the-why").write_text("")
    (root / "packages" / "b").mkdir()
    return root


def test_family_location(family: Path) -> None:
    child = family / "packages" / "a"
    assert boundaries.family_location(family, family, "`packages/a`") == child
    assert boundaries.family_location(family, child, "../..") == family
    assert boundaries.family_location(family, child, "https://git.example/a/b") is None


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("", "shape"),
        ("/abs", "shape"),
        ("ssh://h/a", "shape"),
        ("git@h:a", "shape"),
        ("http://h/a", "shape"),
        ("https://h/a/", "shape"),
        ("a\x1bb", "shape"),
        ("../../..", "outside"),
        ("../../../outside", "outside"),
        ("../b", "missing"),
    ],
)
def test_family_location_refuses(family: Path, value: str, kind: str) -> None:
    with pytest.raises(OutOfBounds) as refusal:
        boundaries.family_location(family, family / "packages" / "a", value)
    assert refusal.value.kind == kind


def test_root_value(family: Path) -> None:
    child = family / "packages" / "a"
    for value in ("packages/a", "`packages/a`", "packages//a", "./packages/a"):
        assert boundaries.root_value(family, child, value) == child
    for value, kind in [
        ("packages/b", "shape"),
        ("nowhere", "shape"),
        ("/abs", "outside"),
        ("../x", "outside"),
        ("packages/../packages/a", "outside"),
        ("packages\\a", "outside"),
        ("a\tb", "outside"),
    ]:
        with pytest.raises(OutOfBounds) as refusal:
            boundaries.root_value(family, child, value)
        assert refusal.value.kind == kind, value


# --- the pinned skill --------------------------------------------------------------------

SKILL = "---\nname: keep-the-why\ndescription: x\nmetadata:\n  version: 0.20.3\n---\n# Skill\n"


def _vendor(root: Path, text: str, name: str = "SKILL.md") -> str:
    (root / "tools").mkdir(exist_ok=True)
    (root / "tools" / name).write_bytes(text.encode())
    return f"tools/{name}"


@pytest.mark.parametrize(
    "text",
    [SKILL, "\ufeff" + SKILL, SKILL.replace("\n", "\r\n"), SKILL.replace("0.20.3", '"0.20.3"')],
)
def test_pinned_skill(root: Path, text: str) -> None:
    value = _vendor(root, text)
    assert boundaries.pinned_skill(root, f"`{value}`", "0.20.3") == root / value


@pytest.mark.parametrize(
    "text",
    [
        "# no frontmatter\n",
        "",
        SKILL.replace("keep-the-why", "other"),
        SKILL.replace("0.20.3", "99.0.0"),
        SKILL.replace("  version: 0.20.3", "  other: 1"),
        SKILL.replace("metadata:\n  version: 0.20.3", "version: 0.20.3"),
        "---\nname: [keep-the-why\n---\n",
    ],
)
def test_pinned_skill_must_be_that_skill(root: Path, text: str) -> None:
    with pytest.raises(OutOfBounds) as refusal:
        boundaries.pinned_skill(root, _vendor(root, text), "0.20.3")
    assert refusal.value.kind == "identity"


def test_pinned_skill_places(root: Path) -> None:
    (root / "out.md").symlink_to(root.parent / "outside" / "secret.md")
    other = _vendor(root, SKILL, "OTHER.md")
    for value, kind in [
        ("/etc/passwd", "outside"),
        ("../outside/secret.md", "outside"),
        ("out.md", "outside"),
        (".git/config", "outside"),
        ("tools/none/SKILL.md", "missing"),
        ("tools", "identity"),
        ("context", "identity"),
        (other, "identity"),
    ]:
        with pytest.raises(OutOfBounds) as refusal:
            boundaries.pinned_skill(root, value, "0.20.3")
        assert refusal.value.kind == kind, value


# --- opening -----------------------------------------------------------------------------


def _refusal(path: Path, root: Path, limit: int = 100) -> str:
    with pytest.raises(Unreadable) as refusal:
        boundaries.read_regular(path, root, limit)
    return refusal.value.kind


def test_read_regular_reads_whole_files_up_to_the_limit(root: Path) -> None:
    path = root / "context" / "a.md"
    checked: set[str] = set()
    for size in (0, 99, 100):
        path.write_bytes(b"x" * size)
        assert boundaries.read_regular(path, root, 100, checked) == b"x" * size
    assert checked == {str(path.parent)}
    path.write_bytes(b"x" * 101)
    assert _refusal(path, root) == "too-large"


def test_read_regular_opens_nothing_special(root: Path) -> None:
    context = root / "context"
    (context / "dir.md").mkdir()
    assert _refusal(context / "dir.md", root) == "not-a-file"
    assert _refusal(context / "none.md", root) == "missing"
    assert _refusal(context / "dir.md" / "x" / "y", root) == "missing"
    assert _refusal(Path("a\x00b"), root) == "refused"
    assert _refusal(context / ("a" * 5000), root) == "refused"


@posix_only
def test_read_regular_waits_for_no_fifo_and_opens_no_device(root: Path, tmp_path: Path) -> None:
    os.mkfifo(root / "context" / "fifo.md")
    (root / "context" / "to-fifo.md").symlink_to("fifo.md")
    (root / "context" / "null.md").symlink_to("/dev/null")
    assert _refusal(root / "context" / "fifo.md", root) == "not-a-file"
    assert _refusal(root / "context" / "to-fifo.md", root) == "not-a-file"
    assert _refusal(root / "context" / "null.md", root) == "outside"
    assert _refusal(Path("/dev/null"), root) == "not-a-file"


@posix_only
def test_read_regular_refuses_a_socket(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "context")  # a socket's path is limited to about 100 characters
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.md")
        assert _refusal(root / "context" / "s.md", root) == "not-a-file"


def test_read_regular_follows_links_only_inside(root: Path) -> None:
    context = root / "context"
    (root / "inside.md").write_text("in")
    (context / "in.md").symlink_to("../inside.md")
    (context / "out.md").symlink_to("../../outside/secret.md")
    (context / "git.md").symlink_to("../.git/config")
    (context / "gone.md").symlink_to("nowhere.md")
    (context / "loop.md").symlink_to("loop.md")
    (root / "linked").symlink_to("../outside")
    assert boundaries.read_regular(context / "in.md", root, 100) == b"in"
    assert _refusal(context / "out.md", root) == "outside"
    assert _refusal(context / "git.md", root) == "outside"
    assert _refusal(root / ".git" / "config", root) == "outside"
    assert _refusal(context / "gone.md", root) == "missing"
    assert _refusal(context / "loop.md", root) in ("outside", "refused", "not-a-file")
    assert _refusal(root / "linked" / "secret.md", root) == "outside"


def test_refusals_quote_no_control_character(root: Path) -> None:
    with pytest.raises(Unreadable) as refusal:
        boundaries.read_regular(root / "a\x1b[31m\n::error::x", root, 10)
    assert "\x1b" not in str(refusal.value) and "\n" not in str(refusal.value)
