"""The command line, a thin layer: every command reads its arguments, calls the library and prints the result."""

from __future__ import annotations

import _thread
import sys

from turnwise.cli.ui.exit_codes import INTERRUPTED


def main() -> None:
    """Run ``turnwise`` with the arguments of this process and leave with its exit code."""
    sys.unraisablehook = _raise_interrupts_again
    try:
        from turnwise.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before ``run`` could catch it, or a second one during the message about the first
        sys.stderr.write("Interrupted.\n")
        code = INTERRUPTED
    sys.exit(code)


def _raise_interrupts_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise Ctrl-C again that Python drops in a finaliser or in the callback of a weak reference."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _thread.start_new_thread(_thread.interrupt_main, ())  # from here it would be dropped again
    else:
        sys.__unraisablehook__(unraisable)
