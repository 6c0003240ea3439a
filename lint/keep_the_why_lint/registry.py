"""All rules, by what they judge: explicit tuples, so that a search finds every rule in them."""

from collections.abc import Mapping
from typing import Any

from keep_the_why_lint.change import Change
from keep_the_why_lint.page import Page, PageKind
from keep_the_why_lint.project import Memory, Project
from keep_the_why_lint.rule import Rule
from keep_the_why_lint.rules import (
    blocks,
    config,
    contents,
    entries,
    family,
    files,
    guards,
    header,
    hosts,
    index,
    labels,
    markdown,
    meaning,
    places,
    provenance,
    references,
    relations,
    revoked,
    rows,
    suppressions,
    text,
    trust_guards,
    trust_memories,
    trust_settings,
    types,
    unrendered,
)
from keep_the_why_lint.section import Section
from keep_the_why_lint.suppression import Settled

PROJECT_RULES: tuple[Rule[Project], ...] = (
    *config.RULES,
    *blocks.RULES,
    *places.RULES,
    *hosts.RULES,
    *family.RULES,
    *references.PROJECT_RULES,
    *meaning.PROJECT_RULES,
    *contents.PROJECT_RULES,
    *index.RULES,
    *rows.RULES,
    *guards.RULES,
    *files.RULES,
    *markdown.PROJECT_RULES,
    *text.PROJECT_RULES,
    *revoked.RULES,
)
PAGE_RULES: tuple[Rule[Page], ...] = (
    *files.PAGE_RULES,
    *markdown.RULES,
    *header.PAGE_RULES,
    *text.RULES,
    *unrendered.RULES,
)
MEMORY_RULES: tuple[Rule[Memory], ...] = (
    *text.MEMORY_RULES,
    *meaning.RULES,
    *contents.MEMORY_RULES,
    *labels.MEMORY_RULES,
    *provenance.RULES,
    *relations.RULES,
)
# What is asked of a page that is no memory, by its kind: who may direct an agent, and who may not.
RULES_BESIDE: Mapping[PageKind, tuple[Rule[Memory], ...]] = {
    "memory": (),
    "index": text.MEMORY_RULES,
    "config": (text.directive,),
    "instructions": (text.frame_imitation,),
    "settings": (),
    "other": text.MEMORY_RULES,
}
SECTION_RULES: tuple[Rule[Section], ...] = (
    *entries.RULES,
    *header.RULES,
    *types.RULES,
    *references.RULES,
    *contents.RULES,
    *labels.RULES,
)
RUN_RULES: tuple[Rule[Settled], ...] = suppressions.RULES

# They judge what a change brings, so a plain run asks none of them.
CHANGE_RULES: tuple[Rule[Change], ...] = (
    *trust_memories.RULES,
    *trust_settings.RULES,
    *trust_guards.RULES,
)

ALL_RULES: tuple[Rule[Any], ...] = tuple(
    sorted(
        (
            *PROJECT_RULES,
            *PAGE_RULES,
            *MEMORY_RULES,
            *SECTION_RULES,
            *RUN_RULES,
            *CHANGE_RULES,
        ),
        key=lambda rule: rule.code,
    )
)


def find_rule(code: str) -> Rule[Any] | None:
    """The rule of that code; for a family (D, F, H) its letter stands for every code of it."""
    wanted = code.strip().upper()
    exact = next((rule for rule in ALL_RULES if rule.code == wanted), None)
    return exact or next((rule for rule in ALL_RULES if rule.code == wanted[:1]), None)
