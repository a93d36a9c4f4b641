"""Writing a report to a page, with warnings of results that contradict their games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import message
from turnwise.core.errors import TurnwiseError

if TYPE_CHECKING:
    from turnwise.report.model import ReportData

_DOUBTS = "The file was changed or is damaged; games that are not on the page were not checked."


def write_page(data: ReportData, out: Path) -> Path:
    """Write a page to a file.

    Raises:
        TurnwiseError: The disk is full or fails.
    """
    from turnwise.report.html import write_report

    warn_of_doubts(data)
    try:
        return write_report(data, out)
    except OSError as error:
        raise TurnwiseError(f"{out}: cannot write this file ({error.strerror}).") from None


def warn_of_doubts(data: ReportData) -> None:
    """Warn of stored results that contradict the games' own actions; only games on the page are replayed."""
    for doubt in data.replays.doubts:
        message("Warning", f"{doubt} {_DOUBTS}", style="bold yellow")
