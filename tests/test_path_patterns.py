"""Patterns of .gitattributes and CODEOWNERS: what may be covered is, whatever way it is spelt."""

import pytest

from keep_the_why_lint.path_patterns import may_cover

PATH = "part/context/sync.md"


@pytest.mark.parametrize(
    "pattern",
    [
        "*",
        "*.md",
        "sync.md",
        "s?nc.*",
        "/part/",
        "part/context",
        "/part/context/*",
        "part/*/sync.md",
        "context/",
        "**/context/**",
        "**",
        "/**/sync.md",
        "PART/Context/*",
        "[st]ync.md",
        "[[:alpha:]]ync.md",
        "[!x]ync.md",
        "s\\ync.md",
        '"s\\171nc.md"',
        '"part/context/sync.md"',
        "*n*c*.md",
        "x" * 2_000,
    ],
)
def test_what_may_be_covered(pattern: str) -> None:
    assert may_cover(pattern, ["other", PATH])


@pytest.mark.parametrize(
    "pattern",
    ["*.png", "/sync.md", "/context/", "src/", "part/sync.md", "*.mdx", "sync", "/part/*.md", "y*"],
)
def test_what_is_not_covered(pattern: str) -> None:
    assert not may_cover(pattern, [PATH])


def test_a_pattern_of_stars_takes_linear_steps() -> None:
    assert not may_cover("*a" * 400 + "b", ["a" * 255] * 50)
