"""A report as SARIF 2.1.0, for code scanning: a value in, a string out, everything escaped.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0 (sections 3.14 to 3.30, 3.49).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from keep_the_why_lint.comparison import identity
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.registry import ALL_RULES, find_rule
from keep_the_why_lint.rule import Rule
from keep_the_why_lint.showing import path_from_top
from ktw import __version__
from ktw.errors import visible

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_ROOT, _HOME = "%SRCROOT%", "%HOME%"
_LONG = 2_000
_BASES = {
    _ROOT: {"description": {"text": "The top of the git work tree."}},
    _HOME: {"description": {"text": "The home directory of whoever ran the check."}},
}

Json = dict[str, Any]


def sarif_log(
    findings: tuple[Finding, ...], lines: Mapping[tuple[str, int], str], prefix: str
) -> str:
    """The log of one run, pure ASCII JSON. `lines`: the text of the lines that findings point to.

    `prefix` leads from git's top to the project that the findings' paths start from.
    """
    descriptors = list(_descriptors(findings))
    index = {each["id"]: at for at, each in enumerate(descriptors)}
    seen: Counter[str] = Counter()
    results = []
    for finding in findings:
        print_ = _fingerprint(finding, lines)
        seen[print_] += 1
        results.append(_result(finding, index, f"{print_}:{seen[print_]}", prefix))
    run = {
        "tool": {"driver": _driver(descriptors)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": _BASES,
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _driver(descriptors: list[Json]) -> Json:
    return {
        "name": "keep-the-why-lint",
        "semanticVersion": __version__,
        "rules": descriptors,
    }


def _descriptors(findings: tuple[Finding, ...]) -> Iterator[Json]:
    """Every rule, and of a family each code that was found, since a result has to name its rule."""
    codes = {rule.code: rule for rule in ALL_RULES}
    for finding in findings:
        rule = codes.get(finding.code) or find_rule(finding.code)
        if rule is not None:
            codes.setdefault(finding.code, rule)
    return (_descriptor(code, codes[code]) for code in sorted(codes))


def _descriptor(code: str, rule: Rule[Any]) -> Json:
    summary = rule.documentation.partition("\n\n")[0]
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": " ".join(summary.split())},
        "fullDescription": {"text": rule.documentation.partition("\nFix:")[0]},
        "help": {"text": rule.documentation},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, index: Mapping[str, int], print_: str, prefix: str) -> Json:
    result: Json = {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": visible(finding.message, _LONG)},
        "locations": [{"physicalLocation": _place(finding, prefix)}],
        "partialFingerprints": {"lineText/v1": print_},
    }
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    return result


def _place(finding: Finding, prefix: str) -> Json:
    path, base = path_from_top(finding.path, prefix), _ROOT
    if path.startswith("~/"):
        path, base = path.removeprefix("~/"), _HOME
    uri = quote(path.encode("utf-8", "surrogateescape"))
    place: Json = {"artifactLocation": {"uri": uri, "uriBaseId": base}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column or 1}
        place["region"]["endLine"] = finding.end_line
    return place


def _fingerprint(finding: Finding, lines: Mapping[tuple[str, int], str]) -> str:
    code, path, text, message = identity(finding, lines)
    digest = _begun(f"{code}\0{path}\0", text).copy()
    digest.update(message.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


@lru_cache(maxsize=16)  # codes: of a line of a megabyte, which may hold thousands of findings
def _begun(place: str, text: str) -> "hashlib._Hash":
    """The digest of where a finding stands and of what, up to its message."""
    return hashlib.sha256(f"{place}{text}\0".encode("utf-8", "surrogatepass"))
