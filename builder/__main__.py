"""`python -m builder`."""

import sys

from builder.cli import main

if __name__ == "__main__":  # the processes of a build import this module
    sys.exit(main())
