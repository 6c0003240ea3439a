"""What becomes of an approval when history is written anew: the verdict by each method.

An approval is bound to text and place, so only `merged` asks where a commit stands.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from builders import Repo, judged
from keys import use_key
from ktw.operations.approving import approve_all
from ktw.operations.candidate import candidate
from scene import NOW, REF, Scene, build_scene, copy_scene

NAME = "draft.md"
HELD = "approved"
NOT_YET, NOT_HERE, UNTOLD, ENDED = "unconfirmed", "unconfirmed", "unknown", "revoked"


@pytest.fixture
def scene(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Path],
    empty_home: Path,
) -> Scene:
    """`draft.md` approved by one sitting on the branch `side`; main moved on without it."""
    if "survival" not in templates:
        templates["survival"] = tmp_path_factory.mktemp("template") / "survival"
        build_scene(templates["survival"])
        made = copy_scene(templates["survival"], tmp_path / "made")
        made.work.git("switch", "--quiet", "--create", "side")
        approve_all(made.work.project, [candidate(made.work.project, "draft")], NOW, True)
        made.work.git("switch", "--quiet", "main")
        made.work.write("other.txt", "x")
        made.work.commit("main moves on")
        made.team.push()
        made.work.git("switch", "--quiet", "side")
        made.team.work.root.parent.rename(templates["survival"] / "made")
        (templates["survival"] / "team").rename(templates["survival"] / "before")
        (templates["survival"] / "made").rename(templates["survival"] / "team")
    return copy_scene(templates["survival"], tmp_path / "scene")


# --- what is not merged yet -------------------------------------------------------------------


def nothing(s: Scene) -> None:
    """The branch as it was approved."""


def rebased(s: Scene) -> None:
    s.work.git("rebase", "--quiet", "main")


def cherry_picked(s: Scene) -> None:
    s.work.git("switch", "--quiet", "--create", "picked", "main")
    s.work.git("cherry-pick", "side")


def amended(s: Scene) -> None:
    s.work.git("commit", "--quiet", "--amend", "--reset-author", "-m", "another message")


def squashed_into_the_local_main(s: Scene) -> None:
    s.work.git("switch", "--quiet", "main")
    s.work.git("merge", "--quiet", "--squash", "side")
    s.work.git("commit", "--quiet", "-m", "squashed")


def filtered(s: Scene) -> None:
    without = "git rm --quiet --cached --ignore-unmatch fixtures/release.md"
    s.work.git("filter-branch", "--force", "--index-filter", without, "HEAD")


def collected(s: Scene) -> None:
    s.work.git("commit", "--quiet", "--amend", "-m", "another message")
    s.work.git("reflog", "expire", "--expire=now", "--all")
    s.work.git("gc", "--quiet", "--prune=now")


def uncommitted(s: Scene) -> None:
    s.work.git("reset", "--quiet", "--soft", "main")


def detached(s: Scene) -> None:
    s.work.git("switch", "--quiet", "--detach", "side")


def with_crlf_in_place(s: Scene) -> None:
    s.work.setting("core.autocrlf", "true")
    s.work.git("rm", "--quiet", "--cached", "-r", "context")
    s.work.git("reset", "--quiet", "--hard")
    assert b"\r\n" in (s.work.root / "context" / NAME).read_bytes()


def in_a_worktree(s: Scene) -> Path:
    s.work.git("switch", "--quiet", "main")
    s.work.git("worktree", "add", "--quiet", str(s.away / "tree"), "side")
    return s.away / "tree"


# --- merged -----------------------------------------------------------------------------------


def merged(s: Scene, *options: str) -> None:
    s.work.git("switch", "--quiet", "main")
    s.work.git("merge", "--quiet", *(options or ("--no-ff", "-m", "merged")), "side")
    s.team.push()


def squashed(s: Scene) -> None:
    squashed_into_the_local_main(s)
    s.team.push()
    s.work.git("branch", "--quiet", "-D", "side")


def merged_by_rebase(s: Scene) -> None:
    rebased(s)
    merged(s, "--ff-only")


def merged_and_behind(s: Scene) -> None:
    """Main moved on and the branch did not."""
    merged(s)
    s.work.write("other.txt", "y")
    s.work.commit("main moves on")
    s.team.push()
    s.work.git("switch", "--quiet", "side")


def merged_and_forced_away(s: Scene) -> None:
    """Main was set back to before the merge: it approves it no longer."""
    merged(s)
    s.team.push("main~1")


def merged_and_removed(s: Scene) -> None:
    """Main removed it; the branch still has it."""
    merged(s)
    s.work.git("rm", "--quiet", f"context/{NAME}")
    s.work.commit("removed")
    s.team.push()
    s.work.git("switch", "--quiet", "side")


def _clone(s: Scene, *options: str) -> Path:
    url = f"file://{s.team.hub.root}"
    s.work.git("clone", "--quiet", *options, url, str(s.away / "clone"))
    return s.away / "clone"


def cloned(s: Scene) -> Path:
    merged(s)
    return _clone(s)


def cloned_at_depth_one(s: Scene) -> Path:
    merged(s)
    return _clone(s, "--depth=1")


def cloned_without_blobs(s: Scene) -> Path:
    merged(s)
    s.team.hub.git("config", "uploadpack.allowFilter", "true")
    return _clone(s, "--filter=blob:none")


def cloned_with_crlf(s: Scene) -> Path:
    merged(s)
    place = _clone(s, "-c", "core.autocrlf=true")
    assert b"\r\n" in (place / "context" / NAME).read_bytes()
    return place


def cloned_bare_with_a_worktree(s: Scene) -> Path:
    merged(s)
    _clone(s, "--bare")
    bare = Repo(s.away / "clone")
    bare.setting("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    bare.git("fetch", "--quiet", "origin")
    bare.git("worktree", "add", "--quiet", str(s.away / "tree"), "main")
    return s.away / "tree"


def cloned_at_depth_one_unmerged(s: Scene) -> Path:
    """A pull request in CI: the branch alone, and main beside it, neither with a history."""
    s.work.git("push", "--quiet", "origin", "side")
    place = _clone(s, "--depth=1", "--branch", "side")
    Repo(place).git("fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main")
    return place


ROWS: tuple[tuple[Callable[[Scene], Path | None], str, str, str], ...] = (
    # what was done, then the verdict by merged, local, signed
    (nothing, NOT_YET, HELD, HELD),
    (rebased, NOT_YET, HELD, HELD),
    (cherry_picked, NOT_YET, HELD, HELD),
    (amended, NOT_YET, HELD, HELD),
    (squashed_into_the_local_main, NOT_YET, HELD, HELD),
    (filtered, NOT_YET, HELD, HELD),
    (collected, NOT_YET, HELD, HELD),
    (uncommitted, NOT_YET, HELD, HELD),
    (detached, NOT_YET, HELD, HELD),
    (with_crlf_in_place, NOT_YET, HELD, HELD),
    (in_a_worktree, NOT_YET, HELD, HELD),
    (merged, HELD, HELD, HELD),
    (squashed, HELD, HELD, HELD),
    (merged_by_rebase, HELD, HELD, HELD),
    (merged_and_behind, HELD, HELD, HELD),
    (merged_and_forced_away, NOT_YET, HELD, HELD),
    (merged_and_removed, ENDED, HELD, HELD),
    (cloned, HELD, NOT_HERE, HELD),
    (cloned_at_depth_one, HELD, NOT_HERE, HELD),
    (cloned_without_blobs, HELD, NOT_HERE, HELD),
    (cloned_with_crlf, HELD, NOT_HERE, HELD),
    (cloned_bare_with_a_worktree, HELD, NOT_HERE, HELD),
    (cloned_at_depth_one_unmerged, UNTOLD, NOT_HERE, HELD),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_an_approval_survives_as_its_method_says(
    scene: Scene,
    row: tuple[Callable[[Scene], Path | None], str, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FILTER_BRANCH_SQUELCH_WARNING", "1")
    rewrite, *expected = row
    place = Repo(rewrite(scene) or scene.work.root)
    use_key(place, scene.ada, scene.away / "allowed_signers")
    found = []
    for method in ("merged", "local", "signed"):
        place.policy(method, ref=REF)
        found.append(judged(place.root, NAME).name)
    assert found == expected
