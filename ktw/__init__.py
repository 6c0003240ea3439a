"""ktw: git-native memory for coding agents, where only reviewed words speak as rules."""

__version__ = "0.1.0"
