"""The command line, thin: every command reads its arguments, calls the library and prints."""

from __future__ import annotations

import sys


def main() -> None:
    """Run ``turnwise`` with the arguments of this process and leave with its exit code."""
    from turnwise.cli.run import run

    sys.exit(run(sys.argv[1:]))
