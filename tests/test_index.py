"""The index follows the files: like one built anew, whatever happened to it or beside it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import ktw.index
from builders import Repo, add_project, make_project, make_repo, memory_text
from ktw import scout
from ktw.index import Snapshot, index_directory, refresh
from ktw.operations.reading import Answer, list_memories, recall
from ktw.owner_key import own_key
from ktw.postings import Damaged, DiskPostings
from ktw.search import rank
from ktw.store import Project, find_project
from test_generations import end, start_holder

NOW = datetime(2026, 2, 1, tzinfo=UTC)
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX owners, modes or signals")
WORDS = ("snapshot", "buffer", "deploy", "staging", "rows", "sync", "db", "cache")
QUESTIONS = ("snapshot buffer", "deploy to staging", "rows", "db cache sync", "topic")


def ranked(snapshot: Snapshot) -> list[object]:
    """Everything an answer is made of, for each question."""
    return [
        [
            (hit.place.name, hit.place.row.anchor, hit.place.row.line, hit.score, hit.parts)
            for hit in rank(snapshot.catalogue, snapshot.postings, question, NOW)
        ]
        for question in QUESTIONS
    ]


def answers(project: Project) -> list[object]:
    """What a refreshed index answers, which must be quiet about itself."""
    snapshot = refresh(project)
    try:
        assert not snapshot.notes
        assert snapshot.directory is not None
        return ranked(snapshot)
    finally:
        snapshot.close()


def rebuilt(project: Project) -> list[object]:
    """What an index built anew answers: in another place, the old one is left alone."""
    place = project.root.with_name(f"{project.root.name}-anew")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(project.root, place, ignore=shutil.ignore_patterns("ktw"))
    try:
        return answers(find_project(place))
    finally:
        shutil.rmtree(place)


def scanned(project: Project) -> list[object]:
    """What memory alone answers."""
    return ranked(ktw.index._in_memory(project, None, []))


def write(repo: Repo, name: str, text: str) -> None:
    repo.write(f"context/{name}.md", text)


# --- incremental is rebuilt --------------------------------------------------------------------

_TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
_NAMES = st.sampled_from(("a", "b", "c", "d", "e"))


class Files(RuleBasedStateMachine):
    """Files come, change, go, are renamed and touched; the index must not notice how."""

    template: Path
    places: Iterator[Path]

    @initialize()
    def start(self) -> None:
        place = next(self.places)
        shutil.copytree(self.template, place)
        self.repo = Repo(place)
        self.project = find_project(place)
        self.names: list[str] = []

    def path(self, name: str) -> Path:
        return self.repo.root / "context" / f"{name}.md"

    @rule(name=_NAMES, title=_TEXTS, body=_TEXTS, tag=st.sampled_from(WORDS))
    def add_or_edit(self, name: str, title: str, body: str, tag: str) -> None:
        self.path(name).write_text(memory_text(title, body, tags=[tag]), encoding="utf-8")

    @rule(name=_NAMES, titles=st.lists(_TEXTS, max_size=4))
    def add_several_entries(self, name: str, titles: list[str]) -> None:
        text = "# Topic\n\n" + "".join(f"## {title}\n\n{title} again\n\n" for title in titles)
        self.path(name).write_text(text, encoding="utf-8")

    @rule(name=_NAMES)
    def break_it(self, name: str) -> None:
        self.path(name).write_text("---\norigin: a: b\n---\n## Snapshot\n", encoding="utf-8")

    @rule(name=_NAMES)
    def delete(self, name: str) -> None:
        self.path(name).unlink(missing_ok=True)

    @rule(old=_NAMES, new=_NAMES)
    def rename(self, old: str, new: str) -> None:
        if self.path(old).exists():
            self.path(old).replace(self.path(new))

    @rule(name=_NAMES)
    def touch(self, name: str) -> None:
        if self.path(name).exists():
            self.path(name).touch()

    @rule(name=_NAMES, body=_TEXTS)
    def edit_under_the_old_time(self, name: str, body: str) -> None:
        path = self.path(name)
        if path.exists():
            facts = path.stat()
            path.write_text(f"## {body}\n".ljust(facts.st_size, "."), encoding="utf-8")
            os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))

    @rule()
    def forget(self) -> None:
        shutil.rmtree(self.repo.root / ".git" / "ktw", ignore_errors=True)

    @rule()
    def look(self) -> None:
        assert answers(self.project) == rebuilt(self.project)

    @precondition(lambda self: hasattr(self, "project"))
    @invariant()
    def answers_as_a_scan_does(self) -> None:
        assert answers(self.project) == scanned(self.project)

    def teardown(self) -> None:
        if hasattr(self, "repo"):
            shutil.rmtree(self.repo.root)


def test_an_index_kept_up_is_one_built_anew(tmp_path: Path) -> None:
    template = make_repo(tmp_path / "template")
    add_project(template, "", {})
    Files.template = template.root
    Files.places = (tmp_path / f"run-{number}" for number in range(10_000))
    machine: type[RuleBasedStateMachine] = Files
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    chosen = settings(
        max_examples=25, stateful_step_count=15, deadline=None, suppress_health_check=checks
    )
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(machine, settings=chosen)


@pytest.fixture
def several(tmp_path: Path) -> Repo:
    files = {
        f"{one}-{other}.md": memory_text(f"{one} {other}", f"We {other} before {one}. " * 3)
        for one in WORDS[:4]
        for other in WORDS[4:]
    }
    return make_project(tmp_path / "several", files)


def test_deleting_the_index_changes_no_answer(several: Repo) -> None:
    before = answers(several.project)
    shutil.rmtree(several.root / ".git" / "ktw")
    assert answers(several.project) == before
    assert any(before)


def test_a_project_without_memories_answers_nothing(tmp_path: Path) -> None:
    repo = make_project(tmp_path / "empty")
    for _ in range(2):
        assert answers(repo.project) == [[]] * len(QUESTIONS)
    write(repo, "a", memory_text("Snapshot"))
    assert answers(repo.project)[0]
    (repo.root / "context" / "a.md").unlink()
    assert answers(repo.project) == [[]] * len(QUESTIONS)


def test_the_index_holds_no_bytes_in_the_work_tree(several: Repo) -> None:
    answers(several.project)
    assert several.git("status", "--porcelain") == ""
    assert index_directory(several.project) == several.root / ".git" / "ktw" / "index"


def test_each_worktree_has_its_own(several: Repo, tmp_path: Path) -> None:
    several.git("worktree", "add", "--quiet", str(tmp_path / "tree"))
    there = Repo(tmp_path / "tree")
    write(there, "only-there", memory_text("Elephants"))
    assert recall(there.project, "elephants", NOW).found[0].reading.entry.title == "Elephants"
    titles = [f.reading.entry.title for f in recall(several.project, "elephants", NOW).found]
    assert "Elephants" not in titles
    assert index_directory(there.project) != index_directory(several.project)


def test_another_context_directory_is_another_index(several: Repo) -> None:
    assert any(answers(several.project))
    several.write("docs/why/a.md", memory_text("Elephants"))
    several.write(
        ".keep-the-why",
        several.read(".keep-the-why").replace("- context: context", "- context: docs/why"),
    )
    snapshot = refresh(several.project)
    assert snapshot.catalogue.names == ["a.md"]
    snapshot.close()


# --- what is read ------------------------------------------------------------------------------


def read_count(repo: Repo, rebuild: bool = False) -> int:
    snapshot = refresh(repo.project, rebuild=rebuild)
    snapshot.close()
    return snapshot.read


def settle(repo: Repo) -> None:
    """Wait until no file is racy, and let the index know."""
    time.sleep(0.12)
    read_count(repo)
    assert read_count(repo) == 0


def test_one_changed_file_re_reads_one_file(several: Repo) -> None:
    total = len(list((several.root / "context").glob("*-*.md")))
    assert read_count(several) == total
    settle(several)
    write(several, "rows-new", memory_text("Rows"))
    assert read_count(several) == 1
    settle(several)
    (several.root / "context" / "rows-new.md").touch()
    assert read_count(several) == 1
    settle(several)
    (several.root / "context" / "rows-new.md").unlink()
    assert read_count(several) == 0
    assert read_count(several, rebuild=True) == total


def test_progress_is_told_while_files_are_read(several: Repo) -> None:
    told: list[tuple[int, int]] = []
    refresh(several.project, progress=lambda done, total: told.append((done, total))).close()
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]


def test_an_edit_of_the_same_size_and_time_is_noticed(repo: Repo) -> None:
    path = repo.root / "context" / "snapshot.md"
    for word in ("elephant", "mosquito", "goldfish", "tortoise", "antelope") * 3:
        facts = path.stat()
        path.write_text(memory_text(body=f"The word is {word}."), encoding="utf-8")
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        snapshot = refresh(repo.project)
        assert rank(snapshot.catalogue, snapshot.postings, word, NOW), word
        snapshot.close()


def test_a_file_replaced_by_an_older_one_is_noticed(repo: Repo) -> None:
    write(repo, "old", memory_text(body="The word is elephant."))
    long_ago = (10**18 + 123_456_789, 10**18 + 123_456_789)
    os.utime(repo.root / "context" / "old.md", ns=long_ago)
    settle(repo)
    other = repo.write("other", memory_text(body="The word is mosquito."))
    os.utime(other, ns=long_ago)
    other.replace(repo.root / "context" / "old.md")
    snapshot = refresh(repo.project)
    assert rank(snapshot.catalogue, snapshot.postings, "mosquito", NOW)
    snapshot.close()


# --- damage ------------------------------------------------------------------------------------


def index_files(repo: Repo, pattern: str) -> list[Path]:
    found = sorted(index_directory(repo.project).glob(pattern))
    assert found
    return found


def said(repo: Repo, question: str = "snapshot buffer") -> Answer:
    return recall(repo.project, question, NOW, model="off")


def titles_of(answer: Answer) -> list[str]:
    return [found.reading.entry.title for found in answer.found]


@pytest.mark.parametrize("pattern", ["*.seg", "catalogue-*"])
@pytest.mark.parametrize("damage", ["cut", "empty", "garbage", "gone"])
def test_case_21_a_damaged_index_is_rebuilt_and_answers_the_same(
    several: Repo, pattern: str, damage: str
) -> None:
    before, told = answers(several.project), said(several)
    for path in index_files(several, pattern):
        data = path.read_bytes()
        path.unlink()
        if damage != "gone":
            path.write_bytes(
                {"cut": data[: len(data) // 2], "empty": b""}.get(damage, b"\x80x." * 99)
            )
    answer = said(several)
    assert titles_of(answer) == titles_of(told)
    assert answer.mode == "lexical"
    assert (
        pattern == "catalogue-*" or damage == "gone" or any("rebuilt" in n for n in answer.notices)
    )
    assert answers(several.project) == before


def test_case_21_damage_found_only_while_reading_is_repaired(
    several: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = said(several)
    broken = DiskPostings.occurrences
    failures = iter([True])

    def fail_once(self: DiskPostings, field: str, term: str) -> Iterator[tuple[int, int]]:
        if next(failures, False):
            raise Damaged("the index cannot be read: a list is garbled")
        yield from broken(self, field, term)

    monkeypatch.setattr(DiskPostings, "occurrences", fail_once)
    answer = said(several)
    assert titles_of(answer) == titles_of(told)
    assert any("it was rebuilt" in notice for notice in answer.notices)


def test_case_21_damage_found_only_while_segments_are_merged_is_repaired(several: Repo) -> None:
    said(several)
    write(several, "new", memory_text("Elephants"))
    told = said(several, "elephants")
    snapshot = refresh(several.project)
    segments = snapshot.catalogue.segments
    snapshot.close()
    path = index_directory(several.project) / segments[-1].name
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))  # a list that nobody asks for
    write(several, "other", memory_text("Giraffes"))
    answer = said(several, "elephants")
    assert titles_of(answer) == titles_of(told) == ["Elephants"]
    assert answer.notices == ["the index cannot be read: a list is garbled; it was rebuilt"]
    assert answers(several.project) == scanned(several.project)


def test_a_segment_that_goes_while_a_newer_catalogue_comes_is_no_damage(
    several: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(several)
    opened, elsewhere = ktw.index.opened, iter([True])

    def late(*arguments: Any) -> DiskPostings:
        if next(elsewhere, False):
            names = {path.name: path.read_bytes() for path in index_files(several, "catalogue-*")}
            refresh(several.project, rebuild=True).close()
            for name, data in names.items():  # not gone yet, while its segments are
                (index_directory(several.project) / name).write_bytes(data)
        return opened(*arguments)

    monkeypatch.setattr("ktw.index.opened", late)
    assert said(several).notices == []


def test_however_many_edits_there_are_few_segments_and_few_dead_rows(several: Repo) -> None:
    kept = []
    for turn in range(40):
        write(several, f"new-{turn % 3}", memory_text(f"Elephants {turn}"))
        snapshot = refresh(several.project)
        segments, size = snapshot.catalogue.segments, snapshot.catalogue.size
        snapshot.close()
        assert len(segments) <= 4
        assert size <= sum(segment.rows for segment in segments) <= 2 * size
        kept.append(segments[0])
    assert answers(several.project) == scanned(several.project)
    assert len(index_files(several, "terms-*")) == len(segments)
    assert len(set(kept)) <= 5, "the longest is seldom written anew"


STEPS = {
    "before the segment": "ktw.generations.write_derived = die",
    "before the catalogue": "ktw.index.write_catalogue = die",
    "at the rename": "Path.replace = die",
    "before old files go": "ktw.index.drop_old = die",
    "while old files go": "Path.unlink = die",
}


@POSIX
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("rebuild", [False, True])
def test_case_21_a_writer_killed_in_the_middle_harms_nothing(
    several: Repo, step: str, rebuild: bool
) -> None:
    answers(several.project)
    write(several, "new", memory_text("Snapshot of elephants"))
    script = (
        "import os, signal, sys, ktw.generations, ktw.index\nfrom pathlib import Path\n"
        "from ktw.store import find_project\n"
        "def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
        f"{STEPS[step]}\n"
        f"ktw.index.refresh(find_project(Path({str(several.root)!r})), rebuild={rebuild})\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    answer = said(several, "elephants")
    assert answer.mode == "lexical"
    assert titles_of(answer) == ["Snapshot of elephants"]
    assert answers(several.project) == scanned(several.project)


# --- places where no index can be kept ---------------------------------------------------------


def test_a_lock_held_by_a_live_process_is_waited_for_and_then_said(
    several: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ktw.index, "PATIENCE_S", 0.1)
    told = said(several)
    holder = start_holder(index_directory(several.project))
    try:
        assert titles_of(said(several)) == titles_of(told)
        assert said(several).mode == "lexical", "nothing changed: no lock is needed"
        write(several, "new", memory_text("Snapshot of elephants"))
        answer = said(several, "elephants")
        assert (titles_of(answer), answer.mode) == (["Snapshot of elephants"], "scan")
        assert "another process is writing the index; the files were scanned" in answer.notices
    finally:
        end(holder)
    answer = said(several, "elephants")
    assert (titles_of(answer), answer.mode, answer.notices) == (
        ["Snapshot of elephants"],
        "lexical",
        [],
    )


def plant(repo: Repo, mode: int = 0o700) -> Path:
    """An index that is whole, but tells of other words: what an archive could bring."""
    directory = index_directory(repo.project)
    words = {path: path.read_bytes() for path in (repo.root / "context").glob("*-*.md")}
    for path in words:
        path.write_bytes(b"## Elephants\n")
    settle(repo)
    for path, data in words.items():
        path.write_bytes(data)
    directory.chmod(mode)
    return directory


def test_an_index_that_came_with_a_directory_is_made_anew(
    several: Repo, tmp_path: Path, empty_home: Path
) -> None:
    """Its words may be others, though it names the files as git does: nobody reads them again."""
    settle(several)
    made = build_of(several)
    assert build_of(several) == made
    unpacked = Repo(tmp_path / "unpacked")
    shutil.copytree(several.root, unpacked.root, symlinks=True)
    assert build_of(unpacked) != made, "it lies in another place"
    (empty_home / ".keep-the-why" / "ktw.key").unlink()
    own_key()
    assert build_of(several) != made, "it is another user's"


def build_of(repo: Repo) -> str:
    with closing(refresh(repo.project)) as snapshot:
        return snapshot.catalogue.build


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_case_21_an_index_that_others_may_write_is_not_opened(several: Repo, mode: int) -> None:
    directory = plant(several, mode)
    before = sorted(path.name for path in directory.iterdir())
    answer = said(several, "snapshot rows")
    assert titles_of(answer)[0] == "snapshot rows"
    assert answer.mode == "scan"
    assert any("someone else; the files were scanned" in told for told in answer.notices)
    assert sorted(path.name for path in directory.iterdir()) == before


@POSIX
@pytest.mark.skipif(os.name != "nt" and os.geteuid() != 0, reason="only root can give files away")
def test_case_21_somebody_else_s_index_is_not_opened(several: Repo) -> None:
    os.chown(plant(several), 54321, -1)
    answer = said(several, "snapshot rows")
    assert (titles_of(answer)[0], answer.mode) == ("snapshot rows", "scan")


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "directory", "link"])
@pytest.mark.parametrize("pattern", ["catalogue-*", "terms-*"])
def test_case_21_what_is_no_file_in_the_index_s_place_harms_nothing(
    several: Repo, tmp_path: Path, pattern: str, kind: str
) -> None:
    before = answers(several.project)
    (tmp_path / "elsewhere").write_bytes(b"mine")
    for path in index_files(several, pattern):
        path.unlink()
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "directory":
            path.mkdir()
        else:
            path.symlink_to(tmp_path / "elsewhere")
    assert titles_of(said(several, "snapshot rows"))[0] == "snapshot rows"
    assert answers(several.project) == before
    assert (tmp_path / "elsewhere").read_bytes() == b"mine"


def test_a_git_directory_that_takes_no_index_is_said_once(several: Repo) -> None:
    told = said(several)
    shutil.rmtree(several.root / ".git" / "ktw")
    (several.root / ".git" / "ktw").write_bytes(b"in the way")
    answer = said(several)
    assert titles_of(answer) == titles_of(told)
    assert answer.mode == "scan"
    assert len(answer.notices) == 1
    assert "the files were scanned" in answer.notices[0]
    assert len(list_memories(several.project).readings) == 16


@POSIX
def test_a_read_only_git_directory_is_answered_by_a_scan(several: Repo) -> None:
    told = said(several)
    shutil.rmtree(several.root / ".git" / "ktw")
    (several.root / ".git").chmod(0o500)
    try:
        if os.access(several.root / ".git", os.W_OK):
            pytest.skip("this user may write anywhere")
        answer = said(several)
    finally:
        (several.root / ".git").chmod(0o700)
    assert (titles_of(answer), answer.mode) == (titles_of(told), "scan")


@POSIX
def test_an_index_that_became_read_only_answers_until_something_changes(several: Repo) -> None:
    told = said(several)
    directory = index_directory(several.project)
    settle(several)
    directory.chmod(0o500)
    try:
        if os.access(directory, os.W_OK):
            pytest.skip("this user may write anywhere")
        assert (titles_of(said(several)), said(several).mode) == (titles_of(told), "lexical")
        write(several, "new", memory_text("Elephant"))
        answer = said(several, "elephant")
    finally:
        directory.chmod(0o700)
    assert (titles_of(answer), answer.mode) == (["Elephant"], "scan")
    assert len(answer.notices) == 1


def test_a_full_disk_is_answered_by_a_scan(several: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    told = said(several)
    write(several, "new", memory_text("Unrelated"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    answer = said(several)
    assert titles_of(answer) == titles_of(told)
    assert answer.mode == "scan"
    assert answer.notices == ["the index cannot be written; the files were scanned"]


def test_case_24_a_needle_after_fifty_thousand_characters_is_found(repo: Repo) -> None:
    hay = "The straw is dry and the field is wide. " * 1500
    write(repo, "long", memory_text("Straw", f"{hay}\n\nThe needle is a xylophone."))
    assert len(hay) > 50_000
    answer = said(repo, "xylophone")
    assert titles_of(answer) == ["Straw"]


# --- at once -----------------------------------------------------------------------------------


def test_two_rebuilds_at_once_leave_one_whole_index(several: Repo) -> None:
    answers(several.project)
    script = (
        "from pathlib import Path\nfrom ktw.index import refresh\n"
        "from ktw.store import find_project\n"
        f"project = find_project(Path({str(several.root)!r}))\n"
        "for _ in range(15):\n"
        "    snapshot = refresh(project, rebuild=True)\n"
        "    assert not snapshot.notes, snapshot.notes\n"
        "    assert len(list(snapshot.catalogue.places())) == 16\n"
        "    snapshot.close()\n"
    )
    workers = [start(script) for _ in range(2)]
    finish(workers)
    assert answers(several.project) == scanned(several.project)
    assert len(index_files(several, "terms-*")) == 1
    assert len(index_files(several, "catalogue-*")) == 1


def start(script: str, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-W", "ignore", "-c", script, *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def finish(workers: "list[subprocess.Popen[str]]", seconds: float = 0) -> list[str]:
    """What each printed, once all have ended well; they were to take so many seconds."""
    told = [worker.communicate(timeout=60 + seconds) for worker in workers]
    for worker, (_, errors) in zip(workers, told, strict=True):
        assert (worker.returncode, errors) == (0, ""), errors
    return [out for out, _ in told]


WORKER = """
import os, sys, time
from datetime import UTC, datetime
from pathlib import Path
from ktw.operations.reading import recall
from ktw.operations.writing import Draft, remember
from ktw.store import find_project

root, me, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
until, turn = time.monotonic() + seconds, 0
now = datetime(2026, 2, 1, tzinfo=UTC)
project = find_project(root)


def found(word):
    answer = recall(project, word, now, model="off")
    return [hit.reading.entry.title for hit in answer.found]


while time.monotonic() < until:
    turn += 1
    name = "".join("bcdfgkmnpt"[int(digit)] for digit in f"{me}{turn}")
    word, other = f"qu{name}x", f"za{name}x"
    written = remember(
        project, Draft(f"Title {word}", f"The word is {word}.", insist=True), now
    )
    assert found(word) == [f"Title {word}"], (word, found(word))
    path = root / written.path
    path.write_text(path.read_text().replace(word, other))
    assert found(word) == [], word
    assert found(other) == [f"Title {other}"], other
    assert "snapshot rows" in found("snapshot rows")
    if turn % 3:
        path.unlink()
        assert found(other) == [], other
print(turn)
"""


RECALLER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from ktw.operations.reading import recall
from ktw.store import find_project

project, until, turn = find_project(Path(sys.argv[1])), time.monotonic() + float(sys.argv[2]), 0
now = datetime(2026, 2, 1, tzinfo=UTC)
first = None
# It was busy; a file that is being written by another hand was empty at that moment.
TOLD = ("the files were scanned", "left out; see: ktw status")
while turn == 0 or time.monotonic() < until:
    turn += 1
    answer = recall(project, "rows snapshot", now, model="off")
    assert all(n.endswith(TOLD) for n in answer.notices), answer.notices
    assert answer.mode in ("lexical", "scan"), answer.mode
    own = [f.reading.entry.title for f in answer.found if not f.reading.entry.title[:5] == "Title"]
    first = first or own
    assert own == first and own[0] == "snapshot rows", own
print(turn)
"""

REBUILDER = """
import sys, time
from pathlib import Path
from ktw.index import refresh
from ktw.store import find_project

project, until, turn = find_project(Path(sys.argv[1])), time.monotonic() + float(sys.argv[2]), 0
while turn == 0 or time.monotonic() < until:
    turn += 1
    snapshot = refresh(project, rebuild=True)
    assert len(list(snapshot.catalogue.places())) >= 16
    snapshot.close()
print(turn)
"""


@pytest.mark.parametrize("mix", ["writers", "all"])
def test_several_processes_recall_write_and_rebuild_at_once(several: Repo, mix: str) -> None:
    """KTW_TEST_SECONDS: how long, instead of a few seconds; to be run for a minute at times."""
    root, seconds = str(several.root), os.environ.get("KTW_TEST_SECONDS", "3")
    writers = [start(WORKER, root, str(number), seconds) for number in range(2)]
    others = [start(RECALLER, root, seconds) for _ in range(10)] if mix == "all" else []
    if mix == "all":
        others.append(start(REBUILDER, root, seconds))
    turns = [int(told) for told in finish(writers, float(seconds))]
    assert all(turns)
    assert all(map(int, finish(others, float(seconds))))
    snapshot = refresh(several.project)
    assert len(snapshot.catalogue.names) == 16 + sum(turn // 3 for turn in turns)
    snapshot.close()
    assert answers(several.project) == scanned(several.project) == rebuilt(several.project)
    index = several.read("context/index.md")
    assert index.count("- [decision-") == sum(turns)


TELLER = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from ktw.operations.reading import recall
from ktw.store import find_project

now, told = datetime(2026, 2, 1, tzinfo=UTC), []
for question in sys.argv[2:]:
    answer = recall(find_project(Path(sys.argv[1])), question, now)
    assert not answer.notices, answer.notices
    told.append([(f.reading.address, f.score, f.parts) for f in answer.found])
print(json.dumps([told]))
"""


def told_elsewhere(project: Project) -> str:
    """What another process answers, with the model that ships where it is installed."""
    return finish([start(TELLER, str(project.root), *QUESTIONS)])[0]


def backwards(sorted_out: Callable[[list[str]], object]) -> Callable[[list[str]], object]:
    """The same names of a directory, the last one first, whatever the file system's order is."""
    return lambda names: sorted_out(sorted(names, reverse=True))


def test_files_made_or_listed_in_another_order_give_the_same_answers(
    several: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_elsewhere(several.project)
    assert told_elsewhere(several.project) == told, "asked again, in another process"
    context = several.root / "context"
    texts = {path: path.read_bytes() for path in sorted(context.glob("*-*.md"))}
    assert len(texts) == 16
    for path in texts:
        path.unlink()
    answers(several.project)
    for path in sorted(texts, reverse=True):  # one by one: row numbers come in this order
        path.write_bytes(texts[path])
        refresh(several.project).close()
    assert told_elsewhere(several.project) == told, "made in another order, indexed one by one"
    in_order = answers(several.project)
    shutil.rmtree(several.root / ".git" / "ktw")
    monkeypatch.setattr("ktw.scout.sorted_out", backwards(scout.sorted_out))
    assert answers(several.project) == in_order, "listed in another order, from nothing"
    assert told_elsewhere(several.project) == told


def test_case_21_an_index_taken_away_while_others_read_harms_nobody(several: Repo) -> None:
    script = (
        "import sys, time\nfrom datetime import UTC, datetime\nfrom pathlib import Path\n"
        "from ktw.operations.reading import recall\nfrom ktw.store import find_project\n"
        f"project = find_project(Path({str(several.root)!r}))\n"
        "until = time.monotonic() + 2\n"
        "while time.monotonic() < until:\n"
        "    now = datetime(2026, 2, 1, tzinfo=UTC)\n"
        "    answer = recall(project, 'snapshot rows', now, model='off')\n"
        "    assert answer.found[0].reading.entry.title == 'snapshot rows'\n"
    )
    workers = [start(script) for _ in range(2)]
    until = time.monotonic() + 2
    while time.monotonic() < until:
        shutil.rmtree(several.root / ".git" / "ktw", ignore_errors=True)
        time.sleep(0.02)
    finish(workers)
