"""What stands in the tree: each file is read or said to be unread; good twins raise nothing."""

import os
from pathlib import Path

import pytest

import lint_builders as build
from keep_the_why_lint import listing
from keep_the_why_lint.beside import page_kind
from keep_the_why_lint.page import PageKind
from keep_the_why_lint.runner import lint_project
from ktw.names import unportable

HIDDEN = "a\u200bb\n"


def _found(root: Path) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in lint_project(root).findings]


# --- good twins --------------------------------------------------------------------------


def test_links_that_stay_are_fine(good: Path) -> None:
    (good / "context/CLAUDE.md").unlink()
    (good / "context/CLAUDE.md").symlink_to("AGENTS.md")
    build.write(good, "AGENTS.md", "# For agents\n")
    (good / "CLAUDE.md").symlink_to("AGENTS.md")
    (good / "context/AGENTS.md").unlink()
    (good / "context/AGENTS.md").symlink_to("../AGENTS.md")
    build.write(good, "context/notes.txt", "A text.\n")
    (good / "context/link.txt").symlink_to("notes.txt")
    assert _found(good) == []


@pytest.mark.parametrize(
    "name",
    ["notes.txt", ".gitkeep", "console.txt", "com.txt", "a b.txt", "\u00fcber.txt", "a..b", "-"],
)
def test_everyday_names_are_fine(good: Path, name: str) -> None:
    build.write(good, f"context/{name}", "")
    assert _found(good) == []


def test_a_directory_without_markdown_is_fine(good: Path) -> None:
    build.write(good, "context/pictures/a.svg", "<svg/>\n")
    build.write(good, "context/.tool/notes.md", "# A note\n")
    assert _found(good) == []


def test_a_signature_is_no_encoded_text(good: Path) -> None:
    inner = "QUJDREVG" * 9 + "\n"
    armour = f"-----BEGIN SSH SIGNATURE-----\n{inner * 3}-----END SSH SIGNATURE-----\n"
    build.write(good, "context/.approvals/2026.list.sig", armour)
    assert _found(good) == []
    for other in (armour + build.ORDER, armour.replace("QUJD", "Q JD", 1), inner):
        build.write(good, "context/.approvals/2026.list.sig", other)
        assert _found(good)


def test_what_directs_at_the_root_is_no_finding(good: Path) -> None:
    for name in ("AGENTS.md", "CLAUDE.md", "SKILL.md", "context/AGENTS.md"):
        build.write(good, name, f"# For agents\n{build.ORDER}")
    assert _found(good) == []
    for name in ("context/README.md", "context/part/AGENTS.txt", "context/part/CLAUDE.md"):
        build.write(good, name, build.ORDER)
        assert ("D101", name) in _found(good)


# --- what is read, and what is said ------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("index.md", "index"),
        ("README.md", "other"),
        ("AGENTS.md", "instructions"),
        ("SKILL.md", "instructions"),
        ("agents.md", "other"),
    ],
)
def test_what_a_page_is(name: str, kind: PageKind) -> None:
    assert page_kind(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        *("AGENTS.md", "CLAUDE.md", "SKILL.md", "context/notes.txt", "context/x.markdown"),
        *("context/a/b/c/deep.json", "context/.hidden", "context/.tool/notes", "context/revoked"),
    ],
)
def test_hidden_text_is_found_wherever_agents_read(good: Path, name: str) -> None:
    build.write(good, name, HIDDEN)
    assert ("E301", name) in _found(good)


def test_the_pinned_skill_is_read(good: Path) -> None:
    pinned = build.build_good("pinned", good.parent / "pinned")
    (path,) = pinned.rglob("SKILL.md")
    name = path.relative_to(pinned).as_posix()
    path.write_bytes(path.read_bytes() + HIDDEN.encode())
    assert _found(pinned) == [("E301", name)]


def test_one_file_is_read_once(good: Path) -> None:
    build.write(good, "AGENTS.md", HIDDEN)
    (good / "CLAUDE.md").symlink_to("AGENTS.md")
    assert _found(good) == [("E301", "AGENTS.md")]


def test_a_legacy_config_is_no_data(good: Path) -> None:
    text = (good / ".keep-the-why").read_text().replace("0.20.3", "0.9.0").replace("- id", "- x")
    (good / ".keep-the-why").unlink()
    build.write(good, "AGENTS.md", text + build.ORDER)
    assert not {code for code, _ in _found(good) if code[0] in "DFN"}


def test_a_link_out_of_the_project_is_said(good: Path) -> None:
    (good / "context/pictures").mkdir()
    (good / "context/pictures/a.txt").symlink_to("/etc/hostname")
    (good / "AGENTS.md").symlink_to("/etc/hostname")
    assert _found(good) == [("E009", "AGENTS.md"), ("E009", "context/pictures/a.txt")]


def test_special_files_below_are_said(good: Path) -> None:
    (good / "context/pictures").mkdir()
    os.mkfifo(good / "context/pictures/pipe")
    assert _found(good) == [("N101", "context/pictures/pipe")]


def test_a_linked_directory_is_not_entered(good: Path) -> None:
    build.write(good.parent, "outside/notes.txt", HIDDEN)
    (good / "context/pictures").mkdir()
    (good / "context/pictures/more").symlink_to(good.parent / "outside")
    (good / "context/loop").symlink_to(".")
    assert _found(good) == [("N104", "context/loop"), ("N104", "context/pictures/more")]


def test_gits_own_directory_is_not_read(good: Path) -> None:
    build.write(good, "context/part/.git/config", HIDDEN)
    assert _found(good) == [("N110", "context/part/.git")]


def test_what_is_too_deep_or_too_much_is_said(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MAX_DEPTH", 2)
    build.write(good, "context/a/b/c/d.txt", HIDDEN)
    assert _found(good) == [("N101", "context/a/b/c")]
    monkeypatch.setattr(listing, "MAX_LISTED", 3)
    assert _found(good) == [("N101", "context/a")]


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may read everything")
def test_a_closed_directory_is_said(good: Path) -> None:
    (good / "context/pictures").mkdir(mode=0)
    assert _found(good) == [("N101", "context/pictures")]


def test_a_file_that_goes_away_meanwhile_hides_no_other(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build.write(good, "context/gone.txt", HIDDEN)
    build.write(good, "context/notes.txt", HIDDEN)
    kind = listing._kind

    def going(mode: int) -> listing.Kind:
        (good / "context/gone.txt").unlink(missing_ok=True)
        return kind(mode)

    monkeypatch.setattr(listing, "_kind", going)
    assert ("E301", "context/notes.txt") in _found(good)


# --- names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["a.md", "a.b.md", "-a.md", ".a", "console.md", "\u00fcber.md", "a b.md", "a" * 200]
)
def test_portable_names(name: str) -> None:
    assert unportable(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        *("con", "CON.md", "aux.tar.gz", "com1.md", "lpt\u00b9.md", "nul .md", "a.", "a ", " a"),
        *("a:b", "a\\b", "a?", 'a"b', "a<b", "a|b", "a*", "a\x00b", "a\x7fb", "a\nb", "a\x85b"),
        *("a\u200bb", "a\u202eb", "a\ufeffb", "a\ue000b", "a\udc80b", "a" * 201),
    ],
)
def test_names_that_are_not_portable(name: str) -> None:
    assert unportable(name)
