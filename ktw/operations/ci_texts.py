"""What `ktw init --ci` proposes, as text: a job that runs the linter, owners, advice.

Pure text. Whether it may be written, and where, is for `ci` to say; every path that comes in is
plain (`is_plain`), so that none can end a line, a quote or an expression.
"""

import re
from collections.abc import Iterable, Sequence

JOB = "keep-the-why-lint"
PYTHON = "3.13"

_PLAIN = re.compile(r"[A-Za-z0-9._@+-]+(?:/[A-Za-z0-9._@+-]+)*")
_OWNER = re.compile(
    r"@[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.A
)

_SOURCE = re.compile(r"[A-Za-z0-9.][A-Za-z0-9._@+:/=~,#&%<>!\[\]-]*")
_STATED = re.compile(r'^ +KTW_FROM: "([^"]*)"$', re.MULTILINE)
_WHAT = (
    "What pip installs, such as git+https://HOST/OWNER/REPOSITORY@COMMIT: pin a commit or version."
)

_GITHUB = """\
# Proposed by `ktw init --ci github`. Whoever changes this file decides what is checked: give it an
# owner in CODEOWNERS.
name: {job}
on:
  pull_request:
  push:
{branches}permissions:
  contents: read
jobs:
  {job}:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    env:
      KTW_PROJECT: "{project}"
      # {what}
      KTW_FROM: "{source}"
    steps:
      # A tag can be moved. Pin each action by commit id, with the tag in a comment behind it.
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0 # the base of a pull request is compared with
          persist-credentials: false
      - uses: actions/setup-python@v6
        with:
          python-version: "{python}"
      - name: Install the linter
        # -I: nothing that the checkout holds may stand in for pip.
        run: |
          : "${{KTW_FROM:?say in this job what pip shall install}}"
          python -I -m pip install --disable-pip-version-check "$KTW_FROM"
      - name: Check what a pull request brings
        if: github.event_name == 'pull_request'
        run: |
          keep-the-why-lint --base "origin/$GITHUB_BASE_REF" --summary "$GITHUB_STEP_SUMMARY" \\
            -- "$KTW_PROJECT"
      - name: Check all of it
        if: github.event_name != 'pull_request'
        run: keep-the-why-lint -- "$KTW_PROJECT"
"""

_GITLAB = """\
# Proposed by `ktw init --ci gitlab`. Whoever changes this file decides what is checked: give it an
# owner in CODEOWNERS.
{job}:
  # A tag can be moved. Pin the image by digest.
  image: python:{python}
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    GIT_DEPTH: "0" # the base of a merge request is compared with
    KTW_PROJECT: "{project}"
    # {what}
    KTW_FROM: "{source}"
  script:
    # -I: nothing that the checkout holds may stand in for pip.
    - |
      : "${{KTW_FROM:?say in this job what pip shall install}}"
      python -I -m pip install --disable-pip-version-check "$KTW_FROM"
    - |
      target="${{CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}}"
      if [ -n "$target" ]; then
        git fetch --quiet origin "+refs/heads/$target:refs/remotes/origin/$target"
        keep-the-why-lint --base "origin/$target" -- "$KTW_PROJECT"
      else
        keep-the-why-lint -- "$KTW_PROJECT"
      fi
"""

_ADVICE = {
    "github": (
        (f"require the status check '{JOB}'", "what it refuses cannot be merged"),
        ("require review from code owners", "an approval counts once the owners saw its words"),
        ("dismiss stale approvals on new commits", "a review holds for the words it saw"),
        ("allow no bypass, no force push", "whoever may go around the review is an approver"),
        ("let no bot merge by itself", "a bot that merges approves what nobody read"),
    ),
    "gitlab": (
        (f"pipelines must succeed (job '{JOB}')", "what it refuses cannot be merged"),
        ("code owner approval on the protected branch", "the owners saw the words that count"),
        ("remove approvals when commits are added", "a review holds for the words it saw"),
        ("nobody may push or force push to it", "whoever goes around the review is an approver"),
        ("let no bot merge by itself", "a bot that merges approves what nobody read"),
    ),
}


def is_plain(path: str) -> bool:
    """Whether a path can stand in a workflow, a shell line and CODEOWNERS as it is."""
    return bool(_PLAIN.fullmatch(path)) and not path.startswith("-")


def is_owner(name: str) -> bool:
    """Whether `name` is `@person`, `@group/team` or an address, as CODEOWNERS takes it."""
    return bool(_OWNER.fullmatch(name))


def is_source(requirement: str) -> bool:
    """Whether pip's requirement can stand in a job as it is, between double quotes."""
    return bool(_SOURCE.fullmatch(requirement))


def stated_source(text: str) -> str:
    """What the job in `text` has pip install, "" where it says nothing that could stand there."""
    match = _STATED.search(text)
    return match[1] if match and is_source(match[1]) else ""


def github_workflow(project: str, branch: str | None, source: str) -> str:
    """The workflow file: what a pull request brings, and all of it on pushes to `branch`.

    `source`: what pip installs; with "" the job fails and says that it is missing.
    """
    branches = f'    branches: ["{branch}"]\n' if branch else ""
    return _GITHUB.format(
        job=JOB, branches=branches, project=project, python=PYTHON, what=_WHAT, source=source
    )  # fmt: skip


def gitlab_job(project: str, source: str) -> str:
    """The job file that `.gitlab-ci.yml` includes; `source` as in `github_workflow`."""
    return _GITLAB.format(job=JOB, project=project, python=PYTHON, what=_WHAT, source=source)


def gitlab_include(path: str) -> str:
    """What `.gitlab-ci.yml` needs to run the job file at `path`."""
    return f'include:\n  - local: "/{path}"\n'


def with_owners(text: str, patterns: Iterable[str], owners: Sequence[str]) -> str:
    """A CODEOWNERS text with a line for each pattern that has none; all else stays as it is.

    The last line that matches counts on every host, so ours stand at the end.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    there = {line.split()[0] for line in text.splitlines() if line.split()}
    missing = [pattern for pattern in patterns if pattern not in there]
    if not missing:
        return text
    gap = "" if text.endswith("\n") or not text else end
    note = "# What agents read, follow or run, and what checks it."
    lines = [f"{pattern} {' '.join(owners)}" for pattern in missing]
    return text + gap + (end if text else "") + "".join(f"{line}{end}" for line in (note, *lines))


def advice(host: str) -> Sequence[tuple[str, str]]:
    """The settings of the protected branch that matter, each with the reason."""
    return _ADVICE[host]
