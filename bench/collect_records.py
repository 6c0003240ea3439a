"""Collects the decision records that `bench/records.py` measures on, from their own repositories.

    python bench/collect_records.py OUTPUT [--clones FOLDER]

`bench/collections/records.json` names each record by repository, commit and git's name for its
bytes; only those bytes are taken. FOLDER holds clones as `owner+name`; what is missing is cloned
into a temporary folder, which needs the network.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MANIFEST = Path(__file__).parent / "collections" / "records.json"
HOST = "https://github.com"
_FRONTMATTER = re.compile(r"\A\ufeff?---\n(.*?)\n---[^\n]*\n", re.DOTALL)
_TITLE = re.compile(r"^#[ \t]+([^\n]+?)[ \t#]*$", re.MULTILINE)
_NAMED = re.compile(r"^title:[ \t]*(?:[|>][ \t]*\n[ \t]*)?([^\n]+)$", re.MULTILINE)


def clone(repository: str, commit: str, folder: Path) -> Path:
    """A bare clone of `repository` that holds `commit`."""
    directory = folder / repository.replace("/", "+")
    for inner in (directory, directory / "repo"):
        if (inner / "objects").is_dir() or (inner / ".git").is_dir():
            return inner
    subprocess.run(["git", "init", "--quiet", "--bare", str(directory)], check=True)
    source = f"{HOST}/{repository}.git"
    fetched = ["git", "-C", str(directory), "fetch", "--quiet", "--depth=1", source, commit]
    subprocess.run(fetched, check=True)
    return directory


def text_of(directory: Path, blob: str) -> str:
    """The text that git calls `blob`, with LF line ends."""
    asked = ["git", "-C", str(directory), "cat-file", "blob", blob]
    data = subprocess.run(asked, check=True, capture_output=True).stdout
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def title_and_text(raw: str, path: str) -> tuple[str, str]:
    """A record's title (first heading, else as its front matter or file calls it) and its text."""
    front = _FRONTMATTER.match(raw)
    body = raw[front.end() :] if front else raw
    heading = _TITLE.search(body)
    if heading is not None:
        return heading[1].strip(), (body[: heading.start()] + body[heading.end() :]).strip()
    named = _NAMED.search(front[1]) if front else None
    return (named[1].strip(" \"'") if named else Path(path).stem), body.strip()


def collect(source: Mapping[str, Any], folder: Path) -> Iterator[dict[str, str]]:
    directory = clone(source["repository"], source["commit"], folder)
    for path, blob in source["files"].items():
        title, text = title_and_text(text_of(directory, blob), path)
        yield {"id": f"{source['repository']}:{path}", "title": title, "text": text}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--clones", type=Path)
    options = parser.parse_args()
    sources = json.loads(MANIFEST.read_text(encoding="utf-8"))["repositories"]
    with tempfile.TemporaryDirectory() as made, options.output.open("w", encoding="utf-8") as out:
        for source in sources:
            for record in collect(source, options.clones or Path(made)):
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
    sys.stderr.write(f"{options.output}: {len(sources)} repositories\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
