"""Agreement with the linter of the format's own authors: same code, same file, same line.

Set KTW_UPSTREAM_LINT to its executable (`ktw-lint` of the distribution keep-the-why-lint, in a
virtual environment of its own) to run the comparison.
"""

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lint_builders as build
from keep_the_why_lint import runner
from lint_projects import make_project, make_valid
from upstream import Comparer

UPSTREAM = os.environ.get("KTW_UPSTREAM_LINT", "")
pytestmark = pytest.mark.skipif(
    not UPSTREAM, reason="KTW_UPSTREAM_LINT does not name the executable to compare with"
)

# Where the two differ on purpose: (what only upstream reports, what only we report, why).
NFD_NAME = "u\u0308ber.md"
KNOWN: dict[str, tuple[set[str], set[str], str]] = {
    "E003/credentials": (set(), {"E003"}, "a URL with credentials is no canonical name"),
    "E003/empty-segment": (set(), {"E003"}, "an empty segment makes two names of one place"),
    "E003/escaped-traversal": (set(), {"E003"}, "an escaped '..' leads somewhere else"),
    "E003/traversal": (set(), {"E003"}, "a name with '..' in it leads somewhere else"),
    "E006/directory": (set(), {"E006"}, "the pinned file must be the skill"),
    "E006/another-file": (set(), {"E006"}, "the pinned file must be the skill"),
    "E006/another-version": (set(), {"E006"}, "the pinned skill must have the pinned version"),
    "E010/device": (set(), {"E010"}, "a device name names no file on Windows"),
    "E010/dash": (set(), {"E010"}, "an id that starts with a dash reads as an option"),
    "E010/long": (set(), {"E010"}, "a name of more than 200 characters names no file everywhere"),
    "E007/a-file": (set(), {"E007"}, "a file is no directory of memories"),
    "E009/context-itself": ({"E201", "W201"}, {"E009"}, "the project is no directory in it"),
    "E009/context-in-git": ({"E007"}, {"E009"}, "git's own directory is out of bounds"),
    "M106/blank": ({"E112", "E121"}, set(), "`##` alone is a heading (CommonMark)"),
    "E009/context-git": ({"E007"}, {"E009"}, "git's own directory is out of bounds, not missing"),
    "E117/foreign-see": (set(), {"E117"}, "a URL with credentials is no canonical name"),
    "N102/megabyte": (set(), {"E118"}, "a file over 1 MiB is not read, so its Ids are not known"),
    "E301/below": (set(), {"E301"}, "agents read what stands deeper, too"),
    "E301/agents": (set(), {"E301"}, "agents read AGENTS.md at the root"),
    "E302/text": (set(), {"E302"}, "agents read texts that are no Markdown"),
    "E302/words": (set(), {"E302"}, "agents read words in any encoding"),
    "bom-before-marker": ({"E001", "W104"}, set(), "a BOM is an encoding mark, not a character"),
    "nfd-name": ({"E202", "E203"}, set(), "NFC and NFD name one file"),
    "nfd-title": ({"E119"}, set(), "NFC and NFD are one title"),
    "numbered-anchor": ({"E119"}, set(), "hosts number the anchors of repeated headings"),
    "pinned-in-backticks": ({"E006"}, set(), "values may stand in backticks"),
    "context-is-a-file": (set(), {"E007"}, "a file is no directory of memories"),
    "context-is-the-root": ({"E201", "W201"}, {"E009"}, "the project is no directory in it"),
    "longer-fence": ({"W102"}, set(), "a fence is closed by one of its own length (CommonMark)"),
    "indented-fence": ({"E118"}, set(), "four blanks are no fence, so the entry after it counts"),
    "line-separator": ({"W102"}, set(), "U+2028 ends no line of a file"),
}


@pytest.fixture(scope="module")
def comparer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Comparer]:
    made = Comparer(UPSTREAM, tmp_path_factory.mktemp("differential"))
    yield made
    made.close()


def _compare(comparer: Comparer, root: Path, name: str = "") -> int:
    """Both agree on `root`, but for what stands under `name` or is explained by its text."""
    found = comparer.compare_at(root.parent, root.name)
    assert not found.fell
    if name in KNOWN:
        only = {side: set() for side in ("theirs", "ours")}
        for side, place in found.differences:
            only[side].add(place.code)
        assert (only["theirs"], only["ours"]) == KNOWN[name][:2], found.differences
    else:
        assert not found.unexplained
    return len(found.both)


@pytest.mark.parametrize("name", build.GOOD)
def test_good_projects(name: str, tmp_path: Path, comparer: Comparer) -> None:
    assert _compare(comparer, build.build_good(name, tmp_path / "project")) == 0


@pytest.mark.parametrize("case", build.KEPT)
def test_kept_cases(case: str, tmp_path: Path, comparer: Comparer) -> None:
    _compare(comparer, build.build_kept(case, tmp_path / "project"), case)


@pytest.mark.parametrize("case", build.BUILT)
def test_built_cases(case: str, tmp_path: Path, comparer: Comparer) -> None:
    _compare(comparer, build.build_built(case, tmp_path / "project"), case)


def _bom(root: Path) -> None:
    path = root / ".keep-the-why"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def _nfd_name(root: Path) -> None:
    build.write(root, f"context/{NFD_NAME}", "# Above\n")
    build.edit(root, "context/index.md", "## 0\n", "## 0\n\n- [\u00fcber.md](\u00fcber.md) - x\n")


def _nfd_title(root: Path) -> None:
    build.edit(root, "context/sync.md", "## Snapshot before buffer", "## Puffer u\u0308ber alles")
    build.edit(root, "context/cache.md", "#snapshot-before-buffer", "#puffer-\u00fcber-alles")


def _numbered_anchor(root: Path) -> None:
    build.edit(root, "context/sync.md", "## Snapshot", "## Snapshot before buffer\n\n## Snapshot")
    fields = "\n\n**Id:** 55555555-5555-4555-8555-555555555555\n**Type:** decision\n"
    fields += "**Status:** active\n**Evidence:** unknown\n\n"
    build.edit(root, "context/sync.md", "buffer\n\n## Snapshot", f"buffer{fields}## Snapshot")
    build.edit(root, "context/cache.md", "#snapshot-before-buffer", "#snapshot-before-buffer-1")


def _pinned(root: Path) -> None:
    pin = "- pinned-version: 0.20.3\n- pinned-path: `tools/SKILL.md`\n- init"
    build.edit(root, ".keep-the-why", "- init", pin)
    skill = "---\nname: keep-the-why\nmetadata:\n  version: 0.20.3\n---\n"
    build.write(root, "tools/SKILL.md", skill)


def _config(old: str, new: str) -> Callable[[Path], None]:
    return lambda root: build.edit(root, ".keep-the-why", old, new)


def _sync(text: str) -> Callable[[Path], None]:
    return lambda root: build.edit(root, "context/sync.md", "## Polling", f"{text}\n\n## Polling")


DIFFERENCES: dict[str, Callable[[Path], None]] = {
    "bom-before-marker": _bom,
    "nfd-name": _nfd_name,
    "nfd-title": _nfd_title,
    "numbered-anchor": _numbered_anchor,
    "pinned-in-backticks": _pinned,
    "context-is-a-file": _config("context: context/", "context: .keep-the-why"),
    "context-is-the-root": _config("context: context/", "context: ."),
    "longer-fence": _sync("````text\n```\n````\n\n```text\n## Not a heading\n```"),
    "indented-fence": lambda root: build.edit(
        root, "context/sync.md", "## Snapshot", "    ```\n\n## Snapshot"
    ),
    "line-separator": _sync("a\u2028## Ghost"),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_known_differences(name: str, tmp_path: Path, comparer: Comparer) -> None:
    root = build.build_good("upstream", tmp_path / "project")
    DIFFERENCES[name](root)
    _compare(comparer, root, name)


AGREEMENTS: dict[str, Callable[[Path], None]] = {
    "context-dot-slash": _config("context/", "./context"),
    "context-through-parent": _config("context/", "context/../context"),
    "context-in-backticks": _config("context/", "`context/`"),
    "context-empty": _config(" context/", ""),
    "context-control": _config("context/", "con\x01text"),
    "id-dots": _config("example---sync", ".."),
    "id-blank": _config("example---sync", "a b"),
    "canonical-ssh": _config("- init", "- canonical: git@git.example.invalid:a/b\n- init"),
    "canonical-empty": _config("- init", "- canonical:\n- init"),
    "root-empty": _config("- init", "- root:\n- init"),
    "parent-url": _config("- init", "- parent: https://git.example.invalid/a\n- init"),
    "parent-empty": _config("- init", "- parent:\n- init"),
    "parent-shape": _config("- init", "- parent: ssh://git.example.invalid/a\n- init"),
    "parent-missing": _config("- init", "- parent: context\n- init"),
    "parent-self": _config("- init", "- parent: .\n- init"),
    "schema-text": _config("0.20.3", "latest"),
    "schema-old": _config("0.20.3", "0.2.0"),
    "init-in-backticks": _config("complete", "`complete`"),
    "filtered-colon": _config("never", "filtered: tickets"),
    "filtered-bare-colon": _config("never", "filtered:"),
    "field-twice-and-unknown": _config("- init", "- x: 1\n- x: 2\n- init"),
    "tilde-fence": _sync("~~~text\n## Not a heading\n~~~"),
    "heading-one": _sync("# Another title\n\n**Status:** wrong"),
    "heading-three": _sync("### Deeper\n\n**Evidence:** again"),
    "field-in-prose": _sync("Text\n**See:** nowhere"),
    "two-types": _sync("## T\n\n**Type:** undefined\n**Type:** idea\n**Type:** idea"),
    "contradicted-dash": _sync("**Verification:** contradicted \u2014"),
    "see-url": _sync(
        "**See:** https://git.example.invalid/a \u2014 "
        "55555555-5555-4555-8555-555555555555 \u2014 as of 2026-01-02"
    ),
    "see-path": _sync(
        "**See:** ../sync.md \u2014 55555555-5555-4555-8555-555555555555 \u2014 as of 2026-01-02"
    ),
    "see-capitals": _sync(
        "**See:** sync.md \u2014 AAAAAAAA-5555-4555-8555-555555555555 \u2014 as of 2026-01-02"
    ),
    "successor-url": _sync("**Superseded by:** https://git.example.invalid/a"),
    "long-hex": _sync("0123456789abcdef" * 8),
    "many-invisible": _sync("a\u200bb\u200bc\u2060d\ufeff"),
    "row-with-anchor": lambda root: build.edit(
        root, "context/index.md", "(cache.md)", "(cache.md#bounded)"
    ),
    "row-to-url": lambda root: build.edit(
        root, "context/index.md", "## D", "- [x](https://git.example.invalid/x.md)\n\n## D"
    ),
    "index-link-out": build._link("context/index.md", "../../outside/secret.md"),
    "guard-link-out": build._link("context/AGENTS.md", "../../outside/secret.md"),
    "utf-16": lambda root: build.write(root, "context/sync.md", "# x".encode("utf-16")),
    "empty-file": lambda root: build.write(root, "context/sync.md", ""),
    "empty-config": lambda root: build.write(root, ".keep-the-why", ""),
    "dot-file": lambda root: build.write(root, "context/.x.md", "# x\n"),
}


@pytest.mark.parametrize("name", AGREEMENTS)
def test_agreements(name: str, tmp_path: Path, comparer: Comparer) -> None:
    root = build.build_good("upstream", tmp_path / "project")
    AGREEMENTS[name](root)
    _compare(comparer, root)


# --- projects by chance ------------------------------------------------------------------


@settings(
    max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(chance=st.randoms(use_true_random=False), valid=st.booleans())
def test_projects_by_chance(comparer: Comparer, chance: random.Random, valid: bool) -> None:
    made = make_valid(chance) if valid else make_project(chance)
    found = comparer.compare(made)
    assert not found.unexplained, (made.root, made.tree)
    if valid:
        assert all(reason in _OF_VALID for reason in found.differences.values())


# What a valid project may hold that upstream reads otherwise.
_OF_VALID = frozenset({"nfc", "heading-closed"})


@pytest.mark.parametrize("seed", range(100))
def test_more_projects_by_chance(seed: int, comparer: Comparer) -> None:
    assert not comparer.compare(make_project(random.Random(seed))).unexplained


_LOST = {case.split("/")[0]: case for case in build.KEPT if case[0] in "EW" and case not in KNOWN}


@pytest.mark.parametrize("code", _LOST)
def test_a_rule_that_is_lost_is_missed(
    code: str, tmp_path: Path, comparer: Comparer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No known difference explains away that a finding of upstream's is not ours."""
    for name in ("PROJECT_RULES", "PAGE_RULES", "MEMORY_RULES", "SECTION_RULES"):
        left = [rule for rule in getattr(runner, name) if rule.code != code]
        monkeypatch.setattr(runner, name, tuple(left))
    root = build.build_kept(_LOST[code], tmp_path / "project")
    missed = comparer.compare_at(root.parent, root.name).unexplained
    assert {(side, place.code) for side, place in missed} == {("theirs", code)}
