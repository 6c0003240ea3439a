"""`python -m ktw.cli`: the same as the `ktw` script."""

from ktw.cli import main

main()
