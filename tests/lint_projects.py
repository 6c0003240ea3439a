"""Whole projects by chance: valid ones of every schema and shape, and what can go wrong with them.

Everything is drawn from a `random.Random`; hypothesis passes one of its own and then shrinks. A
project is a tree of names to bytes, or to a `Link`; `lay` puts it on a disk.
"""

import os
import random
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from adr_folder import MADR, NYGARD, OLDER_MADR

Tree = dict[str, "bytes | Link | None"]  # None: an empty directory


class Link(NamedTuple):
    """A symbolic link and where it leads."""

    target: str


class Made(NamedTuple):
    """A tree, and where in it the project to lint stands."""

    tree: Tree
    root: str


SCHEMAS = "0.2.0 0.3.0 0.6.0 0.7.0 0.8.0 0.9.0 0.10.0 0.12.0 0.13.0 0.17.0 0.18.0 0.20.3".split()
NAMES = (
    "sync.md auth.md 9-lives.md a_b.md Zeit.md z.md \u00fcber.md \u65e5\u672c.md e\u0301t\u00e9.md "
    ".hidden.md _x.md a.b.md readme.md Index.md caf\u00e9.md"
).split()
TITLES = (
    "Snapshot before buffer",
    "Why `--flag` is off",
    "C++ & Rust: two builds",
    "Gr\u00f6\u00dfe \u00fcber alles",
    "\u65e5\u672c\u8a9e \u306e\u8a2d\u5b9a",
    "Emoji \U0001f600 in a title",
    "Trailing hashes ##",
    "#1 rule",
    "A  b",
    "e\u0301t\u00e9",
    "x_y-z",
    "!?",
)
PROSE = (
    "The step waits for a full snapshot.",
    "**Reason:** the buffer was lossy.",
    "**Rejected alternative:** a queue.",
    "### A level-3 heading",
    "- a list item\n- another\n  continued",
    "1. one\n2. two",
    "> quoted\n> ## not a heading",
    "```text\n## In a fence\n**Status:** wrong\n```",
    "~~~\n## In tildes\n~~~",
    "```python\ndef f(): ...\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "    indented code",
    "Text with `code` and [a link](sync.md).",
    "0123456789abcdef" * 5,
    "<!-- a comment -->",
    "**Note:** no header field",
    "",
    "***",
    "\u00c4rger mit Umlauten \u2014 und Strichen",
    "A line.  \nAnother line.",
    "* star item\n    * nested item",
)
REST = "\u2014 2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c \u2014 as of 2026-01-02"
VALUES = (
    "",
    "active",
    "Active",
    "superseded",
    "open",
    "needs-review",
    "pending-confirmation",
    "confirmed",
    "inferred",
    "unknown",
    "decision",
    "undefined",
    "undefined \u2014 a procedure",
    "constraint",
    "idea",
    "none",
    "none \u2014 removed",
    "contradicted",
    "contradicted \u2014",
    "contradicted: the release notes",
    "corroborated",
    "sync.md",
    "0.9.0",
    "1.x",
    "99.0.0",
    "`active`",
    "complete",
    "no",
    "every 7 days",
    "every x days",
    "every 14 days \u2014 last: 2026-01-02",
    "..",
    "../x",
    "/etc",
    "context",
    "https://git.example.invalid/a",
    "https://git.example.invalid/a.git",
    "git@git.example.invalid:a/b",
    "packages/app \u2014 the app",
    "packages/none - nothing",
    "packages/app",
    "filtered \u2014 tickets",
    "filtered",
    "always",
    "con fused",
    "\u2014",
    "2F1C5B7E-8A3D-4C6E-9B0F-1D2E3F4A5B6C",
    "2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c",
    f"sync.md#snapshot-before-buffer {REST}",
    f"https://git.example.invalid/a {REST}",
    "x" * 70,
)
CHARS = (
    "\u200b\u202e\u2066\ufeff\u2028\u2029\x85\x0b\x0c\x1c\x1e\x00\r\t\u00a0\u3000`~#*-:[](<>\\ \n"
    "\u0308\u0300\u00e9\U0001f600\x1b\x7f"
)
KEYS = (
    "id context init context-schema capture-confirmation source-reference canonical root parent "
    "dashboard-state pinned-version pinned-path capture-mode update-check confirmation-flow "
    "local-lint consistency-check pending-confirmation-check unknown-key"
).split()
HEADINGS = [*"0123456789", *(chr(code) for code in range(ord("A"), ord("Z") + 1))]
GUARDS = {
    "README.md": "Memories of the project.\n",
    "AGENTS.md": "Use the skill before you edit here.\n",
    "CLAUDE.md": "@AGENTS.md\n",
}

# --- valid projects --------------------------------------------------------------------------


def version(schema: str) -> tuple[int, ...]:
    return tuple(int(part) for part in schema.split("."))


def make_valid(chance: random.Random) -> Made:
    """A project that follows the format, of any schema; sometimes one of a family."""
    schema = chance.choice(SCHEMAS)
    tree: Tree = {".git/HEAD": b"ref: refs/heads/main\n"} if chance.random() < 0.5 else {}
    if version(schema) >= (0, 18) and chance.random() < 0.3:
        tree[".git/HEAD"] = b"ref: refs/heads/main\n"
        _add_project(tree, "", schema, chance, {}, {"app": "packages/app \u2014 the app"})
        _add_project(tree, "packages/app/", schema, chance, {"parent": "../.."}, {})
        return Made(tree, chance.choice(("", "packages/app")))
    _add_project(tree, "", schema, chance, {}, {})
    return Made(tree, "")


def _add_project(
    tree: Tree,
    prefix: str,
    schema: str,
    chance: random.Random,
    more: Mapping[str, str],
    children: Mapping[str, str],
) -> None:
    context = chance.choice(("context", "context", "docs/why", "notes"))
    legacy = version(schema) < (0, 10) or chance.random() < 0.1
    shown = chance.choice(("{}", "{}/", "`{}/`", "./{}")).format(context)
    values = {
        "id": "owner---project",
        "context": shown,
        "init": "complete",
        "context-schema": schema,
        "capture-confirmation": chance.choice(("automatic", "confirm-always")),
        "source-reference": chance.choice(("always", "never", "filtered \u2014 tickets")),
    } | more
    if legacy:
        del values["id"]
    _add_options(tree, prefix, values, chance)
    blocks = [_block("config", values)]
    if children:
        blocks.append(_block("children", children))
    elif chance.random() < 0.4:
        blocks.append(_block("personal-defaults", {"capture-mode": "proactive"}))
    around = "# Agents\n\nRead this.\n\n" if legacy else ""
    tree[prefix + ("AGENTS.md" if legacy else ".keep-the-why")] = _encoded(
        around + "\n".join(blocks), chance
    )
    files = _topic_files(schema, chance)
    for name, text in files.items():
        tree[f"{prefix}{context}/{name}"] = _encoded(text, chance)
    tree[f"{prefix}{context}/index.md"] = _encoded(_index(sorted(files), schema), chance)
    for name, text in GUARDS.items():
        tree[f"{prefix}{context}/{name}"] = _encoded(text, chance)


def _add_options(tree: Tree, prefix: str, values: dict[str, str], chance: random.Random) -> None:
    if chance.random() < 0.2:
        values["canonical"] = "https://git.example.invalid/owner/project"
    if chance.random() < 0.2:
        values["dashboard-state"] = "https://example.invalid/state.json"
    if chance.random() < 0.2:
        values |= {"pinned-version": "0.20.3", "pinned-path": "tools/SKILL.md"}
        skill = "---\nname: keep-the-why\nmetadata:\n  version: 0.20.3\n---\n# Skill\n"
        tree[f"{prefix}tools/SKILL.md"] = skill.encode()


def _block(kind: str, values: Mapping[str, str]) -> str:
    lines = "".join(f"- {key}: {value}\n" for key, value in values.items())
    return f"<!-- keep-the-why:{kind} -->\n{lines}<!-- /keep-the-why:{kind} -->\n"


def _encoded(text: str, chance: random.Random) -> bytes:
    if chance.random() < 0.15:
        text = text.replace("\n", "\r\n")
    return text.encode("utf-8", "surrogatepass")


def _topic_files(schema: str, chance: random.Random) -> dict[str, str]:
    names = chance.sample(NAMES, chance.randint(0, 4))
    placed = [
        (name, title) for name in names for title in chance.sample(TITLES, chance.randint(0, 3))
    ]
    ids = [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in placed]
    files = {name: f"# {name[:-3]}\n" for name in names}
    for at, (name, title) in enumerate(placed):
        see = chance.randrange(len(placed)) if chance.random() < 0.3 else None
        files[name] += "\n" + _entry(title, ids[at], schema, chance)
        if see is not None and version(schema) >= (0, 18):
            target, heading = placed[see]
            locator = chance.choice((target, f"{target}#{_anchor(heading)}"))
            line = f"**See:** {locator} \u2014 {ids[see]} \u2014 as of 2026-01-02"
            files[name] = _with_field(files[name], line)
        files[name] += "\n" + "\n\n".join(chance.choices(PROSE, k=chance.randint(0, 4))) + "\n"
    if chance.random() < 0.2:
        files["0012-record.md"] = chance.choice((MADR, NYGARD, OLDER_MADR))
    return files


def _with_field(text: str, line: str) -> str:
    return text.rstrip("\n") + f"\n{line}\n"


def _anchor(title: str) -> str:
    kept = "".join(char for char in title.lower() if char.isalnum() or char in "_- ")
    return kept.replace(" ", "-")


def _entry(title: str, id: str, schema: str, chance: random.Random) -> str:
    at = version(schema)
    lines = [f"## {title}", ""]
    if at >= (0, 18):
        lines.append(f"**Id:** {id}")
    if at >= (0, 7):
        types = ["decision", "workaround", "incident", "constraint"]
        count = 2 if at >= (0, 9) and chance.random() < 0.2 else 1
        lines += [f"**Type:** {value}" for value in chance.sample(types, count)]
    superseded = chance.random() < 0.2
    lines.append(f"**Status:** {'superseded' if superseded else chance.choice(('active', 'open'))}")
    lines.append(f"**Evidence:** {chance.choice(('confirmed', 'inferred', 'unknown'))}")
    if chance.random() < 0.3:
        lines.append(f"**Source:** {chance.choice(('a ticket', 'https://example.invalid/1'))}")
    if chance.random() < 0.2:
        lines.append("**Verification:** corroborated \u2014 by the changelog")
    if chance.random() < 0.2:
        lines.append("**Revisit when:** the vendor ships it")
    if superseded and at >= (0, 18):
        lines.append("**Superseded by:** none \u2014 the feature was removed")
    return "\n".join(lines) + "\n"


def _index(names: list[str], schema: str) -> str:
    rows = {name: f"- [{name}]({name}) \u2014 what it is about\n" for name in names}
    if version(schema) < (0, 13):
        return "# Index\n\n" + "".join(rows.values())
    page = "# Index\n"
    for heading in HEADINGS:
        told = [row for name, row in rows.items() if _bucket(name) == heading]
        page += f"\n## {heading}\n" + ("\n" + "".join(told) if told else "")
    return page


def _bucket(name: str) -> str:
    first = name[:1].upper()
    return first if first in HEADINGS else "0"


# --- what goes wrong -------------------------------------------------------------------------


def mutate(made: Made, chance: random.Random) -> None:
    """Change one thing in the tree: a line, a field, a character, bytes, or a file."""
    names = sorted(name for name, data in made.tree.items() if isinstance(data, bytes))
    names = [name for name in names if not name.startswith(".git/")]
    if not names:
        return
    name = chance.choice(names)
    kind = chance.choice((_line, _line, _field, _field, _char, _bytes, _file, _schema))
    kind(made.tree, name, chance)


def _text(tree: Tree, name: str) -> str:
    data = tree[name]
    assert isinstance(data, bytes)
    return data.decode("utf-8", "replace")


def _line(tree: Tree, name: str, chance: random.Random) -> None:
    lines = _text(tree, name).split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    action = chance.randrange(7)
    if action == 0:
        del lines[at]
    elif action == 1:
        lines.insert(other, lines[at])
    elif action == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif action == 3:
        lines[at] = " " * chance.randint(1, 5) + lines[at]
    elif action == 4:
        lines.insert(at, chance.choice(PROSE))
    elif action == 5:
        lines.insert(at, f"- [{chance.choice(NAMES)}]({chance.choice(NAMES)}) \u2014 x")
    else:
        lines.insert(at, chance.choice(("# Top", "## Bare", "##", "##\tTab", "```", "~~~", "---")))
    tree[name] = "\n".join(lines).encode("utf-8", "surrogatepass")


def _field(tree: Tree, name: str, chance: random.Random) -> None:
    lines = _text(tree, name).split("\n")
    fields = [at for at, line in enumerate(lines) if line.startswith(("**", "- ")) and ":" in line]
    if not fields:
        return _line(tree, name, chance)
    at = chance.choice(fields)
    head, mark, _ = lines[at].partition(": " if lines[at].startswith("-") else ":** ")
    action = chance.randrange(5)
    if action < 2 and mark:
        lines[at] = head + mark + chance.choice(VALUES)
    elif action == 2:
        label = chance.choice(
            ("Id", "Type", "Status", "Evidence", "See", "Superseded by", "Verification")
        )
        lines.insert(at, f"**{label}:** {chance.choice(VALUES)}")
    elif action == 3:
        lines.insert(at, f"- {chance.choice(KEYS)}: {chance.choice(VALUES)}")
    else:
        lines[at] = lines[at].upper() if chance.random() < 0.5 else f"{lines[at]} "
    tree[name] = "\n".join(lines).encode("utf-8", "surrogatepass")
    return None


def _char(tree: Tree, name: str, chance: random.Random) -> None:
    text = _text(tree, name)
    at = chance.randrange(len(text) + 1)
    if chance.random() < 0.3:
        text = text[:at] + text[at + 1 :]
    else:
        text = text[:at] + chance.choice(CHARS) + text[at:]
    tree[name] = text.encode("utf-8", "surrogatepass")


def _bytes(tree: Tree, name: str, chance: random.Random) -> None:
    data = tree[name]
    assert isinstance(data, bytes)
    at = chance.randrange(len(data) + 1)
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at] + bytes([chance.randrange(256)]) + data[at:],
        lambda: data[:at],
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: b"",
        lambda: data.rstrip(b"\n"),
    )
    tree[name] = chance.choice(changes)()


def _file(tree: Tree, name: str, chance: random.Random) -> None:
    folder = name.rpartition("/")[0]
    other = f"{folder}/{chance.choice(NAMES)}".lstrip("/")
    action = chance.randrange(7)
    if action == 0:
        del tree[name]
    elif action == 1:
        tree[other] = tree.pop(name)
    elif action == 2:
        tree[other] = tree[name]
    elif action == 3:
        targets = ("../.keep-the-why", "../../outside.md", "nowhere", "index.md", "/etc/hostname")
        tree[chance.choice((name, other))] = Link(chance.choice(targets))
    elif action == 4:
        tree[name] = None
    elif action == 5:
        tree[f"{folder}/deeper/x.md".lstrip("/")] = b"# Deeper\n"
    else:
        tree[other] = b"# Another\n\n## Bare\n"


def _schema(tree: Tree, name: str, chance: random.Random) -> None:
    for config in (".keep-the-why", "AGENTS.md", "packages/app/.keep-the-why"):
        data = tree.get(config)
        if isinstance(data, bytes):
            old = data.split(b"context-schema: ")[-1].split(b"\n")[0]
            if old:
                tree[config] = data.replace(old, chance.choice(SCHEMAS).encode(), 1)


def make_project(chance: random.Random, most: int = 5) -> Made:
    """A valid project, or one with up to `most` things wrong."""
    made = make_valid(chance)
    for _ in range(chance.randint(0, most)):
        mutate(made, chance)
    return made


def lay(made: Made, place: Path) -> Path:
    """Write the tree below `place`, an empty directory; the project's root."""
    for name, data in made.tree.items():
        path = place / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                path.mkdir()
            elif isinstance(data, Link):
                os.symlink(data.target, path)
            else:
                path.write_bytes(data)
        except OSError:
            continue  # a file where a directory was drawn, no link on this system: it is left out
    return place / made.root


def tree_of(place: Path) -> Tree:
    """What stands below `place` as a tree; pipes and the like are left out."""
    tree: Tree = {}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if path.is_symlink():
            tree[name] = Link(os.readlink(path))
        elif path.is_file():
            tree[name] = path.read_bytes()
        elif path.is_dir() and not any(path.iterdir()):
            tree[name] = None
    return tree
