"""`python -m ktw`: the command line where the `ktw` script is not on the PATH."""

from ktw.cli import main

main()
