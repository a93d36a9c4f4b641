"""The command line, thin: every command reads its arguments, calls the library and prints."""

from __future__ import annotations

import sys

from turnwise.cli.ui.exit_codes import INTERRUPTED


def main() -> None:
    """Run ``turnwise`` with the arguments of this process and leave with its exit code."""
    try:
        from turnwise.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before ``run`` could catch it, or a second one while it told of the first
        sys.stderr.write("Interrupted.\n")
        code = INTERRUPTED
    sys.exit(code)
