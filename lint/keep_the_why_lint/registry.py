"""All rules, by what they judge: explicit tuples, so that a search finds every rule in them."""

from typing import Any

from keep_the_why_lint.change import Change
from keep_the_why_lint.project import Memory, Page, Project, Section
from keep_the_why_lint.rule import Rule
from keep_the_why_lint.rules import (
    config,
    entries,
    files,
    guards,
    index,
    places,
    provenance,
    references,
    revoked,
    text,
    trust_guards,
    trust_memories,
    trust_settings,
    types,
)

PROJECT_RULES: tuple[Rule[Project], ...] = (
    *config.RULES,
    *places.RULES,
    *references.PROJECT_RULES,
    *index.RULES,
    *guards.RULES,
    *files.RULES,
    *text.PROJECT_RULES,
    *provenance.PROJECT_RULES,
    *revoked.RULES,
)
PAGE_RULES: tuple[Rule[Page], ...] = (*files.PAGE_RULES, *text.RULES)
MEMORY_RULES: tuple[Rule[Memory], ...] = (
    *text.MEMORY_RULES,
    *provenance.RULES,
)
SECTION_RULES: tuple[Rule[Section], ...] = (
    *entries.RULES,
    *types.RULES,
    *references.RULES,
)

# They judge what a change brings, so a plain run asks none of them.
CHANGE_RULES: tuple[Rule[Change], ...] = (
    *trust_memories.RULES,
    *trust_settings.RULES,
    *trust_guards.RULES,
)

ALL_RULES: tuple[Rule[Any], ...] = tuple(
    sorted(
        (*PROJECT_RULES, *PAGE_RULES, *MEMORY_RULES, *SECTION_RULES, *CHANGE_RULES),
        key=lambda rule: rule.code,
    )
)


def find_rule(code: str) -> Rule[Any] | None:
    """The rule of that code; for a family (D, F, H) its letter stands for every code of it."""
    wanted = code.strip().upper()
    exact = next((rule for rule in ALL_RULES if rule.code == wanted), None)
    return exact or next((rule for rule in ALL_RULES if rule.code == wanted[:1]), None)
