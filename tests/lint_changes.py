"""Changes for the linter's tests: one repository, and what a branch may do to it.

Each case changes the work tree of a branch; most are not committed, as before a commit.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from builders import DATE, Repo, add_project, claimed, make_id, make_repo, memory_text, true_hash
from ktw.contents import row, row_of, with_row
from ktw.memory import parse_memory

Changing = Callable[[Repo], object]

RULE = claimed(memory_text("Freeze", "Releases stop in the last week of the year.", kind="rule"))
DRAFT = memory_text(
    "Retry",
    "The upload is tried three times.",
    source="https://example.invalid/1",
    derived_from=["https://example.invalid/a", make_id("Freeze")],
)
IMPORTED = memory_text("Pack", "The pack holds one image.", origin="imported", agent=None)
WITHDRAWN = "sha256:" + "a" * 64
FILES = {"freeze.md": RULE, "retry.md": DRAFT, "pack.md": IMPORTED}
WORKFLOW = "on: pull_request\njobs:\n  lint:\n    steps:\n      - run: keep-the-why-lint\n"
ACTION = WORKFLOW.replace("run: keep-the-why-lint", "uses: acme/ktw@v1")
OWNERS = "* @everyone\n/context/ @owners\n/.keep-the-why @owners\n"


def make_base(root: Path) -> Repo:
    """A clean project on main, with all that guards it; the branch topic is checked out."""
    repo = make_repo(root)
    add_project(repo, "", FILES)
    set_config(repo, "capture-confirmation", "confirm-always")
    set_config(repo, "source-reference", "filtered \u2014 what can be checked")
    repo.write("context/revoked", f"{WITHDRAWN} 2026-01-04 forged\n")
    repo.write(".gitattributes", "*.md text\ncontext/*.md diff\n")
    repo.write("CODEOWNERS", OWNERS)
    repo.write(".github/workflows/lint.yml", WORKFLOW)
    repo.write(".github/workflows/build.yml", "on: push\n")
    repo.write("keys/allowed_signers", "ada@example.invalid ssh-ed25519 AAAA\n")
    repo.write("AGENTS.md", "# For agents\n\nRead memories with `ktw recall`.\n")
    repo.write("src/main.c", "int main(void) { return 0; }\n")
    repo.commit("project")
    repo.git("switch", "--quiet", "--create", "topic")
    return repo


def set_config(repo: Repo, key: str, value: str | None) -> None:
    """Set a line of the config block; None takes it out."""
    lines = repo.read(".keep-the-why").split("\n")
    kept = [line for line in lines if not line.startswith(f"- {key}:")]
    if value is not None:
        kept.insert(1, f"- {key}: {value}")
    repo.write(".keep-the-why", "\n".join(kept))


def replace_in(path: str, old: str, new: str) -> Changing:
    """Replace the first `old`, which must be there."""

    def change(repo: Repo) -> None:
        text = repo.read(path)
        assert old in text, (path, old)
        repo.write(path, text.replace(old, new, 1))

    return change


def append(path: str, text: str) -> Changing:
    return lambda repo: repo.write(path, repo.read(path) + text)


def write(path: str, text: str) -> Changing:
    return lambda repo: repo.write(path, text)


def add_submodule(repo: Repo, path: str) -> None:
    """As a clone without --recurse-submodules has it: listed by git, and empty."""
    commit = repo.git("rev-parse", "HEAD").strip()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
    (repo.root / path).mkdir()


def remove(path: str) -> Changing:
    return lambda repo: (repo.root / path).unlink()


def add_memory(name: str, text: str) -> Changing:
    """A memory file with its row in the index."""

    def change(repo: Repo) -> None:
        repo.write(f"context/{name}", text)
        index = repo.read("context/index.md")
        own = row_of(parse_memory(f"context/{name}", text.encode()))
        told = own or row(name, "rule", "agent", DATE[:10])
        repo.write("context/index.md", with_row(index, name, told))

    return change


def approve(name: str, change: Changing) -> Changing:
    """Change a memory file and make a claim for what it says then."""

    def changed(repo: Repo) -> None:
        change(repo)
        repo.write(f"context/{name}", claimed(repo.read(f"context/{name}")))

    return changed


def rehash(name: str, change: Changing) -> Changing:
    """Change a memory file and make its declared hash true."""

    def changed(repo: Repo) -> None:
        old = repo.read(f"context/{name}")
        change(repo)
        text = repo.read(f"context/{name}")
        repo.write(f"context/{name}", text.replace(true_hash(old), true_hash(text)))

    return changed


def move_context(repo: Repo) -> None:
    shutil.move(repo.root / "context", repo.root / "notes")
    set_config(repo, "context", "notes/")


def link_context(repo: Repo) -> None:
    shutil.move(repo.root / "context", repo.root / "notes")
    (repo.root / "context").symlink_to("notes")


def link(path: str, target: str) -> Changing:
    def change(repo: Repo) -> None:
        (repo.root / path).unlink()
        (repo.root / path).symlink_to(target)

    return change


def unclaimed(repo: Repo) -> None:
    lines = repo.read("context/freeze.md").split("\n")
    repo.write("context/freeze.md", "\n".join(x for x in lines if not x.startswith("trusted_")))


def move_config(repo: Repo) -> None:
    repo.write("AGENTS.md", repo.read("AGENTS.md") + "\n" + repo.read(".keep-the-why"))
    (repo.root / ".keep-the-why").unlink()


def lower(version: str, *also: Changing) -> Changing:
    def change(repo: Repo) -> None:
        set_config(repo, "context-schema", version)
        for each in also:
            each(repo)

    return change


def revoke_freeze(repo: Repo) -> None:
    """Both branches hold a revocation of the approved memory."""
    revoked = f"{WITHDRAWN} 2026-01-04 forged\n{true_hash(RULE)} 2026-01-05 wrong\n"
    repo.write("context/revoked", "".join(sorted(revoked.splitlines(True))))
    repo.commit("revoked")
    repo.git("branch", "--force", "main")


BLOCK = "<!-- keep-the-why:lint -->\n- ignore D: noise\n<!-- /keep-the-why:lint -->\n"
EDITED = replace_in("context/freeze.md", "last week", "first week")
FREEZE_ID = make_id("Freeze")

CHANGES: dict[str, Changing] = {
    "T101/new-file": add_memory("new.md", claimed(memory_text("New"))),
    "T101/new-claim": lambda repo: repo.write("context/retry.md", claimed(DRAFT)),
    "T101/who": replace_in("context/freeze.md", "Ada Lovelace", "Bob"),
    "T101/when": replace_in(
        "context/freeze.md", "trusted_at: 2026-01-03", "trusted_at: 2026-01-09"
    ),
    "T102/rehashed": rehash("freeze.md", EDITED),
    "T102/lapsed": EDITED,
    "T103/line": write("context/revoked", ""),
    "T103/file": remove("context/revoked"),
    "T104/untrusted": unclaimed,
    "T104/frontmatter-gone": write("context/freeze.md", RULE.split("---\n", 2)[2]),
    "T104/link": link("context/freeze.md", "retry.md"),
    "T105/deleted": remove("context/freeze.md"),
    "T105/context-gone": lambda repo: shutil.rmtree(repo.root / "context"),
    "T106/renamed": lambda repo: repo.git("mv", "context/freeze.md", "context/stop.md"),
    "T106/nested": lambda repo: shutil.move(
        repo.write("context/old/x", "").parent.parent / "freeze.md",
        repo.root / "context/old/freeze.md",
    ),
    "T107/proposal": add_memory("other.md", memory_text("Other", proposes=FREEZE_ID)),
    "T108/owner": rehash(
        "pack.md", replace_in("context/pack.md", "origin: imported", "origin: owner")
    ),
    "T108/agent": rehash(
        "pack.md", replace_in("context/pack.md", "origin: imported", "origin: agent")
    ),
    "T108/not-stated": replace_in("context/pack.md", "origin: imported\n", ""),
    "T108/renamed": lambda repo: (
        repo.git("mv", "context/pack.md", "context/bundle.md"),
        replace_in("context/bundle.md", "origin: imported", "origin: owner")(repo),
    ),
    "T109/source": replace_in("context/retry.md", "source: https://example.invalid/1\n", ""),
    "T109/derived-from": replace_in(
        "context/retry.md", "https://example.invalid/a", "https://x.invalid"
    ),
    "T110/revocation": lambda repo: (
        revoke_freeze(repo),
        write("context/revoked", f"{WITHDRAWN} 2026-01-04 forged\n")(repo),
    ),
    "T110/twin-deleted": lambda repo: (
        add_memory("twin.md", memory_text("Twin", id_=FREEZE_ID.upper()))(repo),
        repo.commit("twin"),
        repo.git("branch", "--force", "main"),
        remove("context/twin.md")(repo),
    ),
    "T110/other-directory": lambda repo: (
        write("notes/old.md", claimed(memory_text("Old")))(repo),
        repo.commit("notes"),
        repo.git("branch", "--force", "main"),
        set_config(repo, "context", "notes/"),
    ),
    "T102/made-to-fit": lambda repo: (
        EDITED(repo),
        repo.commit("lapsed"),
        repo.git("branch", "--force", "main"),
        repo.write(
            "context/freeze.md",
            repo.read("context/freeze.md").replace(
                true_hash(RULE), true_hash(repo.read("context/freeze.md"))
            ),
        ),
    ),
    "T201/hides": lower("0.2.0", replace_in("context/retry.md", "**Status:** active\n", "")),
    "T201/hides-nothing": lower("0.20.2"),
    "T201/missing": lower("0.2.0", lambda repo: set_config(repo, "context-schema", None)),
    "T202/confirmation": lambda repo: set_config(repo, "capture-confirmation", "automatic"),
    "T202/source": lambda repo: set_config(repo, "source-reference", "never"),
    "T202/unset": lambda repo: set_config(repo, "capture-confirmation", None),
    "T203/id": lambda repo: set_config(repo, "id", "other"),
    "T203/context": move_context,
    "T203/gone": remove(".keep-the-why"),
    "T203/legacy": move_config,
    "T203/project-within": write("src/.keep-the-why", "<!-- keep-the-why:config -->\n"),
    "T203/child": append(
        ".keep-the-why",
        "<!-- keep-the-why:children -->\n- part: https://x.invalid/y \u2014 all\n"
        "<!-- /keep-the-why:children -->\n",
    ),
    "T204/ignore": append(".keep-the-why", BLOCK),
    "T204/unclosed": append(".keep-the-why", BLOCK.split("<!-- /")[0]),
    "T204/baseline": write(".keep-the-why-baseline.json", '[{"x": 1}\n,{"code": "D301"}\n]\n'),
    "T301/key": append("keys/allowed_signers", "eve@example.invalid ssh-ed25519 BBBB\n"),
    "T301/gone": remove("keys/allowed_signers"),
    "T301/added": write("context/.approvals/x.list", "x\n"),
    "T302/removed": replace_in("CODEOWNERS", "/context/ @owners\n", ""),
    "T302/changed": replace_in("CODEOWNERS", "/context/ @owners", "/context/ @eve"),
    "T302/overridden": append("CODEOWNERS", "*.md @eve\n"),
    "T302/reordered": write("CODEOWNERS", "".join(reversed(OWNERS.splitlines(True)))),
    "T302/one-file": append("CODEOWNERS", "/context/memory.md\n"),
    "T302/deleted": remove("CODEOWNERS"),
    "T302/shadowed": write(".github/CODEOWNERS", "* @eve\n"),
    "T303/step-removed": replace_in(".github/workflows/lint.yml", "keep-the-why-lint", "true"),
    "T303/gone": remove(".github/workflows/lint.yml"),
    "T303/renamed": lambda repo: repo.git("mv", ".github/workflows/lint.yml", "lint.yml"),
    "T303/action": lambda repo: (
        write(".github/workflows/lint.yml", ACTION)(repo),
        repo.commit("action"),
        repo.git("branch", "--force", "main"),
        replace_in(".github/workflows/lint.yml", "@v1", "@main")(repo),
    ),
    "T303/pin": append(".github/workflows/lint.yml", "      - uses: eve/action@main\n"),
    "T304/all": append(".gitattributes", "* -diff\n"),
    "T304/directory": append(".gitattributes", "/context/** -diff\n"),
    "T304/nested": write("context/.gitattributes", "*.md binary\n"),
    "T304/macro": append(".gitattributes", "[attr]quiet -diff\n*.md quiet\n"),
    "T304/nested-macro": append(".gitattributes", "[attr]a -diff\n[attr]b a\n*.md b\n"),
    "T304/escaped": append(".gitattributes", "c\\ontext/* -diff\n"),
    "T304/class": append(".gitattributes", "[[:lower:]]ontext/* -diff\n"),
    "T304/quoted": append(".gitattributes", '"c\\157ntext/*" -diff\n'),
    "T304/config": append(".gitattributes", ".keep-the-why binary\n"),
    "T304/one-file": append(".gitattributes", "retry.md -diff\n"),
    "T305/generated": append(".gitattributes", "context/* linguist-generated\n"),
    "T305/filter": append(".gitattributes", "*.md filter=x\n"),
    "T305/driver": append(".gitattributes", "*.md diff=x\n"),
    "T305/too-large": write(".gitattributes", "*.md text\ncontext/*.md diff\n#" + "x" * 1_100_000),
    "T305/no-longer-shown": replace_in(".gitattributes", "context/*.md diff\n", ""),
    "T306/agents": append("AGENTS.md", "Read context/ as it is.\n"),
    "T306/hooks": write(".claude/settings.json", '{"hooks": {}}\n'),
    "T306/tools": write("src/.mcp.json", "{}\n"),
    "T306/new": write("src/CLAUDE.md", "x\n"),
    "T306/guard": append("context/README.md", "Follow all of it.\n"),
    "T307/file": link("context/README.md", "AGENTS.md"),
    "T307/context": link_context,
    "T307/submodule": lambda repo: add_submodule(repo, "context/vendored"),
}

# What a rule of the trust report must leave alone.
HARMLESS: dict[str, Changing] = {
    "T101/untouched-claim": append("src/main.c", "\n"),
    "T101/new-memory": add_memory("new.md", memory_text("New")),
    "T102/unclaimed-edit": rehash("retry.md", replace_in("context/retry.md", "three", "four")),
    "T103/added": append("context/revoked", f"sha256:{'b' * 64} 2026-01-04 forged\n"),
    "T104/line-ends": lambda repo: repo.write("context/freeze.md", RULE.replace("\n", "\r\n")),
    "T105/unapproved": remove("context/retry.md"),
    "T106/unapproved": lambda repo: repo.git("mv", "context/retry.md", "context/again.md"),
    "T107/of-unapproved": add_memory("other.md", memory_text("Other", proposes=make_id("Retry"))),
    "T108/lowered": rehash(
        "retry.md",
        replace_in("context/retry.md", "origin: agent\nagent: claude-code", "origin: derived"),
    ),
    "T109/more": replace_in("context/retry.md", "derived_from:", "derived_from:"),
    "T110/claimed-and-renamed": lambda repo: repo.git("mv", "context/freeze.md", "context/f.md"),
    "T201/raised": lambda repo: set_config(repo, "context-schema", "0.20.3"),
    "T202/stricter": lambda repo: set_config(repo, "source-reference", "always"),
    "T203/other-key": lambda repo: set_config(repo, "capture-confirmation", "confirm-when-unsure"),
    "T204/prose": append(".keep-the-why", "\nA sentence about this project.\n"),
    "T204/nothing-known": write(
        ".keep-the-why-baseline.json", '[{"keep-the-why-baseline": 1}\n]\n'
    ),
    "T301/other": write("keys/readme.txt", "x\n"),
    "T302/elsewhere": append("CODEOWNERS", "/src/ @eve\n"),
    "T302/comment": append("CODEOWNERS", "# /context/ @eve\n"),
    "T303/other-workflow": append(".github/workflows/build.yml", "jobs: {}\n"),
    "T304/elsewhere": append(".gitattributes", "src/*.bin -diff\n*.png binary\n"),
    "T305/line-ends": append(".gitattributes", "*.md text eol=lf\ncontext/revoked merge=union\n"),
    "T306/other": write("src/notes.md", "x\n"),
    "T307/new-link": lambda repo: (repo.root / "src/link").symlink_to("main.c"),
}
