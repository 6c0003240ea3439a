"""The table of forgeries as docs/trust.md holds it: `python tests/trust_page.py` prints it."""

from collections.abc import Iterator

from scene import ATTACKERS
from test_forging import FORGERIES


def rows() -> Iterator[str]:
    """Every line of the section, attacker by attacker."""
    for attacker in ATTACKERS:
        yield f"### {attacker[0].upper()}{attacker[1:]}"
        yield ""
        yield "| forgery | what is done | here | elsewhere |"
        yield "|---|---|---|---|"
        for forgery in FORGERIES:
            if forgery.attacker == attacker:
                here = "fools " + ", ".join(f"`{method}`" for method in forgery.fools)
                there = {"signed": "stopped by `signed`", "none": "**none** stops it", "": "–"}
                told = "stopped" if not forgery.elsewhere else here
                cells = (f"`{forgery.name}`", forgery.told, told, there[forgery.elsewhere])
                yield f"| {' | '.join(cells)} |"
        yield ""


if __name__ == "__main__":
    print("\n".join(rows()).rstrip())
