"""Rules about frontmatter: where words come from, their hash, and the claim that they are approved.

Whether a claim is backed is asked of `ktw.trust` by whoever runs the rules; here it is a word.
"""

from collections.abc import Iterator

from keep_the_why_lint.project import Memory, has_provenance
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.rules.references import is_uuid
from ktw.config import split_value
from ktw.fields import field_fault
from ktw.memory import TYPE_OF_KIND

_FIELDLESS = ("encoding",)


def _line(memory: Memory, key: str) -> int:
    return memory.file.lines.get(key, 1)


def _ours(memory: Memory) -> bool:
    return has_provenance(memory.file)


@rule("P101", "memory", severity="warning")
def no_provenance(memory: Memory) -> Iterator[Found]:
    """A memory file has no frontmatter, and other files do; or it has that of another tool.

    A decision record may have fields of its own, as long as no other file has ours.

    Why: nobody can tell where its words come from.
    Fix: run `ktw adopt`, or write the file anew with `ktw remember`.
    Bad: a file that starts with `# Sync` beside files that start with `---`; one that declares
    `title: Sync` and nothing else.
    Good: a file with `origin`, `kind`, `created_at` and `content_hash`.
    """
    broken = any(problem.kind not in _FIELDLESS for problem in memory.file.problems)
    if _ours(memory) or broken:
        return
    if memory.file.has_frontmatter and not memory.file.record:
        yield Found(1, "`origin` is missing: nothing says where the words come from")
    elif memory.project.has_provenance:
        yield Found(1, "the file does not say where its words come from, as others here do")


@rule("P102", "memory")
def frontmatter_unreadable(memory: Memory) -> Iterator[Found]:
    """The frontmatter cannot be read.

    Why: what it declares cannot be told, so no entry of the file is shown or approved; it is not
    read as if it had no frontmatter.
    Fix: quote values with a colon, write each key once, use no anchors or tags, close the block.
    Bad: `title: Deploy: staging first`
    Good: `title: "Deploy: staging first"`
    """
    for problem in memory.file.problems:
        in_body = problem.kind == "conflict-marker" and problem.line >= memory.file.body_line
        if problem.kind not in _FIELDLESS and not in_body:
            yield Found(problem.line, problem.message)


def _field_problems(memory: Memory, *kinds: str) -> Iterator[Found]:
    for problem in memory.field_problems if _ours(memory) else ():
        if problem.kind in kinds:
            yield Found(problem.line, problem.message)


@rule("P103", "memory")
def provenance_incomplete(memory: Memory) -> Iterator[Found]:
    """A required frontmatter field is missing.

    Why: without it origin or approval cannot be judged, and nothing is assumed in its place.
    Fix: add it; `ktw` writes all of them.
    Bad: frontmatter with `kind` and no `origin`.
    Good: `origin`, `kind`, `created_at` and `content_hash`.
    """
    return _field_problems(memory, "field-missing")


@rule("P104", "memory")
def provenance_value(memory: Memory) -> Iterator[Found]:
    """A frontmatter value is outside its set or shape, or stands beside what excludes it.

    Why: a value that is nearly right must not be taken for a more trusted one.
    Fix: use what the message names.
    Bad: `origin: yes`, `trusted_at: 2026-02-30`, `trusted_at` without `trusted_by`
    Good: `origin: agent`, `trusted_at: 2026-02-28T15:04:05Z`
    """
    return _field_problems(memory, "field-value")


@rule("P105", "memory", severity="warning")
def provenance_field_unknown(memory: Memory) -> Iterator[Found]:
    """The frontmatter holds a field that the format does not know.

    A decision record's own (title, status, date, decision-makers, deciders, consulted, informed)
    are known in a record.

    Why: it is kept and hashed and never acted upon. Where it looks like a field of ours, nobody is
    asked to approve the file.
    Fix: correct the spelling or delete the line.
    Bad: `orgin: agent`
    Good: `origin: agent`
    """
    return _field_problems(memory, "field-unknown", "field-alike")


def _hash_differs(memory: Memory) -> bool:
    declared = memory.file.content_hash
    if declared is None or field_fault("content_hash", declared):
        return False
    return not memory.hash_holds


@rule("P201", "memory")
def hash_stale(memory: Memory) -> Iterator[Found]:
    """The content hash is not that of the words.

    Why: whoever compares it later cannot tell an edit from a forgery.
    Fix: let `ktw` write the file, or set the hash anew.
    Bad: a word edited by hand below an old `content_hash`.
    Good: the hash of what stands there.
    """
    if not memory.claims and _hash_differs(memory):
        yield Found(_line(memory, "content_hash"), "content_hash is not the hash of these words")


@rule("P202", "memory")
def approval_lapsed(memory: Memory) -> Iterator[Found]:
    """The file claims to be approved, and its words were edited since.

    Why: what was approved was that text, not this one.
    Fix: have a person approve it again with `ktw trust`, or remove the claim.
    Bad: one word changed below `trusted_at`.
    Good: the words as they were approved.
    """
    if memory.claims and _hash_differs(memory):
        line = _line(memory, "content_hash")
        yield Found(line, "the approval has lapsed: the words are not those that were approved")


@rule("P203", "memory", severity="warning")
def claim_not_backed(memory: Memory) -> Iterator[Found]:
    """The file claims to be approved, and nothing in this clone backs it.

    Why: anyone can write the claim; git has to show the act.
    Fix: merge it by review, or approve it with `ktw trust`.
    Bad: a `trusted_at` that a pull request brings along.
    Good: the same after the merge. (Silent where there is no git or no policy.)
    """
    if _verdict(memory) == "unconfirmed":
        line = _line(memory, "trusted_at")
        yield Found(line, "no approval method of this clone backs the claim")


def _verdict(memory: Memory) -> str | None:
    ask = memory.project.verdicts
    return ask(memory.path) if ask and memory.claims and memory.hash_holds else None


@rule("P204", "memory")
def id_in_two_files(memory: Memory) -> Iterator[Found]:
    """Two files carry one Id, or Ids that differ in capitals alone.

    Why: an approval names an Id; neither file counts as better than unconfirmed.
    Fix: give the newer one an Id of its own.
    Bad: a copied memory file.
    Good: one file for each Id.
    """
    if not _ours(memory):
        return
    for entry in memory.file.entries:
        id = (entry.id or "").lower()
        files = memory.project.files_by_id.get(id, ()) if is_uuid(id) else ()
        other = next((file.path for file in files if file is not memory.file), None)
        if other is not None:
            line = entry.get("Id")[0].line
            yield Found(line, f"Id {entry.id} also stands in {quoted(other)}")


@rule("P205", "memory")
def revoked_claim(memory: Memory) -> Iterator[Found]:
    """Words that were revoked still claim to be approved.

    Why: the owner has withdrawn exactly this text.
    Fix: remove `trusted_at` and `trusted_by`, or the file.
    Bad: a file whose hash stands in `revoked`, with `trusted_at`.
    Good: the same without a claim.
    """
    if memory.claims and (
        memory.file.computed_hash in memory.project.revoked or _verdict(memory) == "revoked"
    ):
        yield Found(
            _line(memory, "trusted_at"), "these words were revoked and still claim approval"
        )


@rule("P206", "memory")
def kind_and_type_disagree(memory: Memory) -> Iterator[Found]:
    """The kind in the frontmatter and the Type of the entry do not fit.

    Why: readers with and without ktw would take the same text for different things.
    Fix: a rule is written as Type constraint, a skill as `undefined — a procedure`.
    Bad: `kind: rule` and `**Type:** decision`
    Good: `kind: rule` and `**Type:** constraint`
    """
    wanted = TYPE_OF_KIND.get(memory.file.kind or "")
    types = [field for entry in memory.file.entries for field in entry.get("Type")]
    if wanted and types and split_value(wanted) not in [split_value(t.value) for t in types]:
        kind = memory.file.kind or ""
        message = f"kind '{kind}' is written as Type '{wanted}', not {quoted(types[0].value)}"
        yield Found(types[0].line, message)


RULES: tuple[Rule[Memory], ...] = (
    no_provenance,
    frontmatter_unreadable,
    provenance_incomplete,
    provenance_value,
    provenance_field_unknown,
    hash_stale,
    approval_lapsed,
    claim_not_backed,
    id_in_two_files,
    revoked_claim,
    kind_and_type_disagree,
)
