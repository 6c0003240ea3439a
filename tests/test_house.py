"""The shape of the house: floors, no cycles, sizes, and what is imported or caught where."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from builders import Repo, modules_loaded

ROOT = Path(__file__).parents[1]
SOURCES = {
    **dict.fromkeys(sorted((ROOT / "ktw").rglob("*.py")), "ktw"),
    **dict.fromkeys(sorted((ROOT / "lint").rglob("*.py")), "lint"),
}
# Floor by room, the longest name that fits counts. Imports may stay on a floor or point down.
FLOORS = {
    "ktw": 1,  # the version alone
    "ktw.errors": 1,
    "ktw.colour": 1,
    "ktw.text": 1,
    "ktw.git": 1,
    "ktw.frontmatter": 1,
    "ktw.frontmatter_events": 1,
    "ktw.frontmatter_values": 1,
    "ktw.keygen": 1,
    "ktw.child": 1,
    "ktw.lineage": 1,
    "ktw.ssh": 1,
    "ktw.names": 2,
    "ktw.boundaries": 2,
    "ktw.atomic": 2,
    "ktw.config": 2,
    "ktw.config_fields": 2,
    "ktw.config_shapes": 2,
    "ktw.entries": 2,
    "ktw.fields": 2,
    "ktw.memory": 2,
    "ktw.records": 2,
    "ktw.contents": 2,
    "ktw.revoked": 2,
    "ktw.project": 2,
    "ktw.store": 2,
    "ktw.scout": 1,
    "ktw.scan": 2,
    "ktw.transcript": 2,
    "ktw.derived": 2,
    "ktw.trust": 3,
    "ktw.policy": 3,
    "ktw.stated": 3,
    "ktw.ledger": 3,
    "ktw.origins": 3,
    "ktw.owner_key": 3,
    "ktw.offers": 3,
    "ktw.chat_words": 3,
    "ktw.binding": 3,
    "ktw.signers": 3,
    "ktw.sittings": 3,
    "ktw.checks": 3,
    "ktw.signatures": 3,
    "ktw.approvers": 3,
    "ktw.evidence": 3,
    "ktw.outlines": 3,
    "ktw.kept": 3,
    "ktw.context_at": 3,
    "ktw.terms": 3,
    "ktw.catalogue": 3,
    "ktw.changes": 3,
    "ktw.displaced": 3,
    "ktw.beside": 3,
    "ktw.segments": 3,
    "ktw.postings": 3,
    "ktw.generations": 3,
    "ktw.index": 3,
    "ktw.bm25": 3,
    "ktw.rerank": 3,
    "ktw.notes": 3,
    "ktw.cage": 3,
    "ktw.turns": 3,
    "ktw.search": 3,
    "ktw.importers": 3,
    "ktw.priors": 3,
    "ktw.marks": 3,
    "ktw.uses": 3,
    "ktw.recalled": 3,
    "ktw.lanes": 3,
    "ktw.model_files": 3,
    "ktw.plain_model": 3,
    "ktw.embedding": 3,
    "ktw.static_model": 3,
    "ktw.wordpiece": 3,
    "ktw.wiring": 3,
    "ktw.vectors": 3,
    "ktw.token_lists": 3,
    "ktw.softmatch": 3,
    "ktw.many_matches": 3,
    "ktw.vector_file": 3,
    "ktw.vector_index": 3,
    "ktw.focus": 3,
    "ktw.framing": 4,
    "ktw.imitation": 4,
    "ktw.withholding": 4,
    "ktw.catalogue_draft": 3,
    "ktw.catalogue_file": 3,
    "ktw.render": 4,
    "ktw.trouble": 4,
    "ktw.operations": 4,
    "keep_the_why_lint": 4,
    "ktw.held": 3,
    "ktw.ahead": 3,
    "ktw.quick_json": 1,
    "ktw.warm_client": 1,
    "ktw.limits": 1,
    "ktw.streams": 1,
    "ktw.warm_server": 5,
    "ktw.agents": 5,
    "ktw.hooks": 5,
    "ktw.canary": 5,
    "ktw.cli": 5,
    "ktw.mcp": 5,
    "ktw.__main__": 5,
}
# What is slow to import, or not always installed, and the few places that do it.
HEAVY = {
    "git": ("ktw.git.writing", "ktw.git.refs"),
    "numpy": ("ktw.many_matches", "ktw.static_model"),
    "tokenizers": ("ktw.static_model",),
    "safetensors": ("ktw.static_model",),
    "model2vec": ("ktw.embedding", "ktw.static_model"),
    "frontmatter": ("ktw.importers.note",),  # of the package python-frontmatter
    "ruamel": ("ktw.frontmatter_events",),
    "whoosh": ("ktw.text.languages",),
    "markdown_it": ("keep_the_why_lint.commonmark",),
    "filelock": ("ktw.atomic", "ktw.generations"),
    "mcp": (),
}
# Modules that are themselves imported late, so that they may import at their top.
LATE = ("ktw.git.writing", "ktw.git.refs", "ktw.static_model", "ktw.many_matches")
SURFACES = (
    "ktw.canary",
    "ktw.cli",
    "ktw.hooks",
    "ktw.__main__",
    "ktw.warm_server",
    "keep_the_why_lint.cli",
    "keep_the_why_lint.__main__",
    "keep_the_why_lint.rules_page",
)


def module_of(path: Path) -> str:
    base = ROOT / "lint" if SOURCES[path] == "lint" else ROOT
    parts = path.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in SOURCES}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imported(module: str, top_only: bool = False) -> Iterator[str]:
    """What a module imports, anywhere or at its top; imports for types alone do not count."""
    waiting: list[ast.AST] = list(tree(module).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if top_only and isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else str(node.module)
        waiting.extend(ast.iter_child_nodes(node))


def ours(module: str) -> set[str]:
    return {name for name in imported(module) if name in MODULES} - {module}


def floor(module: str) -> int:
    room = module
    while room not in FLOORS or (room == "ktw" and module != "ktw"):
        assert "." in room, f"{module} has no floor: say in FLOORS where it belongs"
        room = room.rpartition(".")[0]
    return FLOORS[room]


def within(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def functions(module: str) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(tree(module)) if isinstance(node, ast.FunctionDef))


def length(function: ast.FunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


# --- floors ----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_imports_only_point_down(module: str) -> None:
    up = [name for name in ours(module) if floor(name) > floor(module)]
    assert not up, f"{module} (floor {floor(module)}) imports {up}"


def test_every_floor_names_a_module_that_is_there() -> None:
    gone = [room for room in FLOORS if room not in MODULES]
    assert not gone


def test_no_import_goes_in_a_circle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in done:
            for name in sorted(ours(module)):
                visit(name, (*path, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("keep_the_why")])
def test_the_linter_needs_no_index_and_no_model(module: str) -> None:
    derived = {name for name in ours(module) if floor(name) == 3}
    assert derived <= {"ktw.trust", "ktw.evidence", "ktw.policy"}, derived
    assert not {name for name in ours(module) if name.startswith(("ktw.operations", "ktw.render"))}


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("ktw.text")])
def test_text_knows_nothing_but_text(module: str) -> None:
    assert all(name.startswith("ktw.text") for name in ours(module))


def test_render_knows_no_file_and_no_git() -> None:
    reached, waiting = set(), ["ktw.render"]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += ours(module)
    assert not {name for name in reached if within(name, ("ktw.git", "ktw.store", "ktw.index"))}


# --- sizes and words -------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_short_and_says_what_it_is_for(module: str) -> None:
    lines = MODULES[module].read_text(encoding="utf-8").splitlines()
    assert len(lines) < 300
    assert ast.get_docstring(tree(module)), "no docstring"


def test_functions_do_one_thing() -> None:
    lengths = {
        f"{module}.{function.name}": length(function)
        for module in MODULES
        for function in functions(module)
    }
    long = {name: lines for name, lines in lengths.items() if lines > 40}
    assert len(long) <= 6 and all(lines <= 60 for lines in long.values()), long
    assert median(lengths.values()) <= 10


@pytest.mark.parametrize("module", MODULES)
def test_names_say_what_a_thing_is(module: str) -> None:
    empty = {"utils", "util", "helper", "helpers", "manager", "service", "processor", "common"}
    allowed = {"ktw.cli.common"}
    assert module in allowed or not empty & set(module.split("."))
    classes = [node.name for node in ast.walk(tree(module)) if isinstance(node, ast.ClassDef)]
    assert not [n for n in classes if n.endswith(("Manager", "Service", "Helper", "Processor"))]


# --- what is done where ----------------------------------------------------------------------


@pytest.mark.parametrize("module", [name for name in MODULES if not within(name, SURFACES)])
def test_below_the_surfaces_nothing_is_printed_and_no_clock_is_read(module: str) -> None:
    for node in ast.walk(tree(module)):
        text = ast.unparse(node) if isinstance(node, ast.Call | ast.Attribute) else ""
        assert not text.startswith(("print(", "sys.stdout", "sys.stderr", "click."))
        assert not text.startswith(("datetime.now", "datetime.utcnow", "date.today", "time.time("))
        reads_environment = text.startswith(("os.environ", "os.getenv", "Path.home"))
        assert not reads_environment or module in GIT_ENVIRONMENT, f"{module}: {text}"


# git and ssh-keygen are started with a scrubbed copy of the environment: these make it.
GIT_ENVIRONMENT = (
    *("ktw.git.repository", "ktw.git.objects", "ktw.git.settings", "ktw.git.writing"),
    "ktw.keygen",
)


@pytest.mark.parametrize("module", MODULES)
def test_nobody_changes_the_directory(module: str) -> None:
    calls = [node for node in ast.walk(tree(module)) if isinstance(node, ast.Attribute)]
    assert not [node for node in calls if node.attr in ("chdir", "fchdir")]


@pytest.mark.parametrize("module", MODULES)
def test_only_the_boundary_of_a_surface_catches_everything(module: str) -> None:
    boundaries = (
        *("ktw.cli.boundary", "ktw.hooks.boundary", "ktw.mcp.server", "ktw.warm_server"),
        "keep_the_why_lint.cli",
    )
    for node in ast.walk(tree(module)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = ast.unparse(node.type) if node.type else "BaseException"
        raises_on = isinstance(node.body[-1], ast.Raise)
        broad = caught in ("Exception", "BaseException")
        assert not broad or raises_on or module in boundaries, f"{module}:{node.lineno}"


@pytest.mark.parametrize("module", MODULES)
def test_git_and_heavy_packages_are_met_in_one_place(module: str) -> None:
    for name in imported(module):
        places = HEAVY.get(name.partition(".")[0])
        assert places is None or module in places, f"{module} imports {name}"
    for name in imported(module, top_only=True):
        heavy = name.partition(".")[0] in HEAVY
        assert not heavy or module in LATE, f"{module} imports {name} at its top"
    if not within(module, ("ktw.git", "ktw.keygen", "ktw.child", "ktw.scout")):
        assert "subprocess" not in set(imported(module))


# --- what a plain recall costs ---------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [["recall", "snapshot"], ["list"], ["show", "snapshot"], ["status"], ["--help"]]
)
def test_a_plain_reading_imports_nothing_heavy(repo: Repo, command: list[str]) -> None:
    loaded = [modules_loaded(repo.root, command) for _ in ("makes the index", "uses it")][-1]
    heavy = {"git", "numpy", "model2vec", "tokenizers", "mcp", "ruamel", "keep_the_why_lint"}
    assert not {name.partition(".")[0] for name in loaded} & heavy


def test_a_recall_compiles_few_patterns_before_it_begins() -> None:
    """Hundreds would cost as much as the search: see `ktw.text.late`."""
    script = (
        "import re\n"
        "compiled, asked = re.compile, []\n"
        "re.compile = lambda *how: (asked.append(how), compiled(*how))[1]\n"
        "import ktw.operations.reading\n"
        "print(len(asked))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert 0 < int(done.stdout) < 90
