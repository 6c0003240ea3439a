"""keep-the-why-lint: what is wrong in a keep-the-why project, as findings with a code."""

from ktw import __version__

__all__ = ["__version__"]
