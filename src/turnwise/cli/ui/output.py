"""Output of commands: messages on standard error, results on standard output, files written atomically."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.cli.ui.flow import flowing
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.core.output_files import check_writable, refuse_inputs, write_files

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from turnwise.core.state import State

_consoles: dict[bool, Console] = {}


def console(*, stderr: bool = False) -> Console:
    """The console on standard output or standard error: one object each, so that bars and lines do not collide."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    known = _consoles.get(stderr)
    if known is None or known.file is not stream:
        known = _consoles[stderr] = Console(file=stream, highlight=False, markup=False, emoji=False)
        if not known.is_terminal and not os.environ.get("COLUMNS", "").isdecimal():
            known.width = max(known.width, 160)  # a file or pipe has room for every row on one line
    return known


def message(label: str, text: str, style: str = "bold red") -> None:
    """Print a message on standard error, wrapped by the terminal only."""
    from rich.text import Text

    console(stderr=True).print(Text.assemble((f"{label}: ", style), text), soft_wrap=True)


def plain(text: str) -> None:
    """Print text for people on standard output, unchanged."""
    console().print(text, soft_wrap=True)


def prose(text: str) -> None:
    """Print text for people on standard output; its lines flow together into paragraphs as wide as the terminal."""
    out = console()
    out.print(flowing(text, out.width), soft_wrap=True)


def show_board(state: State) -> None:
    """Print a state for people on standard output, in colours if the terminal supports them, as wide as it is.

    Lines that are too long (legends) break between words.
    """
    from rich.text import Text

    out = console()
    text = state.game.coloured_board_text(state.row, out.width)
    out.print(Text.from_ansi(text) if "\x1b[" in text else text, soft_wrap=not out.is_terminal)


def last_words(text: str) -> None:
    """Print text although the terminal may be gone; if it is, all further output is thrown away."""
    try:
        plain(text)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        os.close(nowhere)


def table(*columns: str, title: str = "", numbers: tuple[str, ...] = ()) -> Table:
    """Make an empty table in the style of the command line.

    Args:
        *columns: Headings.
        title: Title above the table.
        numbers: Headings of the right-aligned columns.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(title=title or None, box=SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made


def show(item: object) -> None:
    """Print a table or other rich object on standard output."""
    console().print(item)


def print_json(data: Any) -> None:
    """Print JSON for programs on standard output; numbers that JSON cannot represent become null."""
    sys.stdout.write(json.dumps(_finite(data), indent=1, ensure_ascii=False) + "\n")


def print_json_line(data: Any) -> None:
    """Print JSON on one line, for commands whose last line is their answer."""
    sys.stdout.write(json.dumps(_finite(data), ensure_ascii=False) + "\n")


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return data


def check_target(path: Path, force: bool, inputs: Iterable[Path] = ()) -> None:
    """Refuse an output file that cannot be written, before any work is done.

    Args:
        path: The file.
        force: Whether an existing file may be replaced.
        inputs: Files that the command reads.

    Raises:
        OptionError: The file exists and ``force`` is not set, it is an input or not a regular file, or its folder does
            not exist or is not writable.
    """
    if path.is_dir():
        raise OptionError(f"{path} is a folder; expected the name of an output file.")
    if path.exists() and not path.is_file():
        raise OptionError(f"{path} is a device or pipe; expected the name of an output file.")
    refuse_inputs([path], inputs)
    if path.exists() and not force:
        raise OptionError(f"{path} already exists; choose another name, or overwrite it with --force.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OptionError(f"{path}: there is no folder {folder}; create it first.")
    check_writable(path, folder)


def write_whole(path: Path, content: str, *, force: bool = False) -> None:
    """Write a file atomically.

    Raises:
        OptionError: See :func:`check_target`.
        TurnwiseError: The disk is full or fails.
    """
    check_target(path, force)
    try:
        write_files({path: content.encode()})
    except OSError as error:
        raise TurnwiseError(f"{path}: cannot write this file ({error.strerror}).") from None


def read_text(path: Path, largest: int, what: str) -> str:
    """Read a text file of bounded size; "-" is standard input.

    Args:
        path: The file.
        largest: Largest size in bytes.
        what: Description of the expected content, for messages.

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not UTF-8 text.
    """
    from turnwise.core import text_file

    if str(path) == "-":
        return text_file.text_of(sys.stdin.buffer, "standard input", largest, what)
    return text_file.read_text(path, largest, what)
