"""Writing a report to a page, with warnings of results that contradict their games."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import check_target, message
from turnwise.core.errors import OptionError, TurnwiseError

if TYPE_CHECKING:
    from turnwise.report.model import ReportData

_MAKER = re.compile(r'<meta name="generator" content="turnwise ([^"]+)">')
_HEAD = 4096  # bytes of a page that hold its generator
_DOUBTS = "The file was changed or is damaged; games that are not on the page were not checked."


def page_maker(command: str, results: Path, page: Path) -> str:
    """The command and the results file that make a page: the file's path as seen from the page's folder.

    Args:
        command: Name of the command.
        results: The results file.
        page: The page.
    """
    return f"{command} {Path(os.path.relpath(results.resolve(), page.resolve().parent)).as_posix()}"


def check_page(path: Path, maker: str, force: bool, inputs: Iterable[Path]) -> None:
    """Refuse an output file as :func:`check_target` does, but let a command replace the page that it wrote itself.

    Args:
        path: The page.
        maker: The command and its results file, from :func:`page_maker`.
        force: Whether any existing file may be replaced.
        inputs: Files that the command reads.

    Raises:
        OptionError: It is another file, or cannot be written.
    """
    is_other = path.is_file() and not force and _maker_of(path) != maker
    if is_other:
        raise OptionError(
            f"{path} already exists, and 'turnwise {maker.partition(' ')[0]}' did not write it from these results; "
            "choose another name, or overwrite it with --force."
        )
    check_target(path, force=True, inputs=inputs)


def _maker_of(page: Path) -> str:
    """What a page names as its maker; empty: it is no page of turnwise, or names none."""
    try:
        with page.open("rb") as file:
            found = _MAKER.search(file.read(_HEAD).decode("utf-8", "replace"))
    except OSError:
        return ""
    return unescape(found[1]) if found else ""


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
