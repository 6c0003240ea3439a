"""`python -m keep_the_why_lint`: the command, for where no script is installed."""

import sys

from keep_the_why_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
