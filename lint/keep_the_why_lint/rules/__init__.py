"""The rules, one file per family; each file ends in the tuple of its rules."""
