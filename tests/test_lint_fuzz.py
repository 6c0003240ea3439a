"""No input makes the linter fall, and whatever it is, the report is one that holds."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lint_builders as build
from keep_the_why_lint.cache import Cache
from keep_the_why_lint.runner import lint_project
from lint_projects import lay, make_project
from lint_report_checks import check_report

_TEXT = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(
        st.sampled_from(
            (
                "---",
                "origin: agent",
                "kind: rule",
                "trusted_at: x",
                "tags: [&a x, *a]",
                "## a",
                "# b",
                "```",
                "\x00",
                "**Id:** x",
                "**Status:** superseded",
                "**Superseded by:** none",
                "=======",
                "- a: b",
                "sha256:" + "0" * 64 + " 2026-12-04 forged",
                "<!-- keep-the-why:config -->",
                "<!-- /keep-the-why:config -->",
                "- context: a",
                "- [x.md](x.md) \u2014 rule, owner, 2026-01-02",
                "\u202e",
                "[a](b 'c')",
                build.ORDER,
                "x" * 70,
                "\u2028",
            )
        ),
        max_size=12,
    ).map(lambda lines: "\n".join(lines).encode()),
)
_NAMES = (
    ".keep-the-why",
    "context/sync.md",
    "context/index.md",
    "context/README.md",
    "context/revoked",
)
_QUICK = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=200, **_QUICK)
@given(
    good=st.sampled_from(("upstream", "provenance")),
    name=st.sampled_from(_NAMES),
    data=_TEXT,
    cut=st.booleans(),
)
def test_no_content_makes_it_fall(
    tmp_path_factory: pytest.TempPathFactory, good: str, name: str, data: bytes, cut: bool
) -> None:
    root = build.build_good(good, tmp_path_factory.mktemp("lint") / "project")
    old = (root / name).read_bytes() if (root / name).exists() else b""
    build.write(root, name, data if cut else old + b"\n" + data)
    check_report(lint_project(root), root)


_NAME = st.one_of(
    st.binary(min_size=1, max_size=40).map(lambda name: name.decode("utf-8", "surrogateescape")),
    st.text(min_size=1, max_size=40),
    st.lists(
        st.sampled_from("::error:: ##[x] \u202e \n \x1b ' ` % , .. -".split(" ")), max_size=5
    ).map("".join),
)


@settings(max_examples=100, **_QUICK)
@given(name=_NAME, ending=st.sampled_from((".md", ".MD", "", "/x.md")))
def test_no_name_makes_it_fall(
    tmp_path_factory: pytest.TempPathFactory, name: str, ending: str
) -> None:
    root = build.build_good("provenance", tmp_path_factory.mktemp("lint") / "project")
    path = root / "context" / (name.replace("/", "_").replace("\0", "_") + ending)
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((root / "context/sync.md").read_bytes())
    except (OSError, UnicodeEncodeError):
        return  # no name on this system
    check_report(lint_project(root), root)


@settings(max_examples=150, **_QUICK)
@given(chance=st.randoms(use_true_random=False))
def test_no_project_makes_it_fall(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    place = tmp_path_factory.mktemp("lint")
    root = lay(make_project(chance, 8), place)
    if not root.is_dir():
        return
    report = lint_project(root)
    check_report(report, root)
    for _ in range(2):  # an empty cache, and a full one
        assert lint_project(root, cache=Cache(place / "lint.json", "v")) == report
