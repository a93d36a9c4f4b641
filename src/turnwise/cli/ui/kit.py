"""Runs of the conformance kit: progress, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from turnwise.cli.ui.exit_codes import FAULTS_FOUND
from turnwise.cli.ui.output import plain, print_json, show, table
from turnwise.cli.ui.progress import ProgressMeter, compile_progress
from turnwise.core.errors import counted

if TYPE_CHECKING:
    from turnwise.testing.checks.failures import Begun, Checked

_COLUMNS = 4


def run_kit(subject: str, run: Callable[[Begun], Checked], *, as_json: bool) -> None:
    """Run checks with progress, and show what they found.

    Args:
        subject: What is checked.
        run: Runs the checks; it is given what to call before each of them.
        as_json: Print JSON instead of a list.

    Raises:
        Exit: A check failed.
    """
    with compile_progress(), ProgressMeter(subject, "Checked", "check") as meter:
        found = run(lambda name, done, total: meter.show(done, total, shown=name))
        made = len(found.names) + len(found.skipped)
        meter.show(made, made)
    if as_json:
        print_json(_facts(subject, found))
    else:
        _show(subject, found)
    if found.failures:
        raise typer.Exit(FAULTS_FOUND)


def _show(subject: str, found: Checked) -> None:
    """A list of the checks that passed, then the failures and what was skipped, and how many there are of each."""
    passed = found.passed
    if passed:
        listing = table(*[""] * _COLUMNS, title=f"{subject}: passed")
        listing.show_header = False
        rows = [f"✓ {name}" for name in passed]
        for begin in range(0, len(rows), _COLUMNS):
            listing.add_row(*rows[begin : begin + _COLUMNS])
        show(listing)
    for failure in found.failures:
        plain(f"✗ {failure}")
    for name, reason in found.skipped.items():
        plain(f"- [{name}] skipped: {reason}")
    skipped = f", {len(found.skipped)} skipped" if found.skipped else ""
    plain(f"{subject}: {counted(len(passed), 'check')} passed, {len(found.failed)} failed{skipped}.")


def _facts(subject: str, found: Checked) -> dict[str, object]:
    return {
        "checked": subject,
        "passed": list(found.passed),
        "failures": [
            {
                "checks": list(failure.checks),
                "message": failure.message,
                "action": failure.action,
                "state": failure.state,
            }
            for failure in found.failures
        ],
        "skipped": dict(found.skipped),
    }
